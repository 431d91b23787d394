// Compares sorted lists of pairs, applies changes to them, and encodes lists or changes for the coordinator.
import { mergePairs, type SortedPairs } from '../../broadphase/incremental/mergePairs.js';
import { bytesOf, concatBytes } from '../bytes.js';
import { Malformed, SAME_VERSION } from '../errors.js';
import { decodeList, encodeList, type KeyedList } from './listEncoding.js';

/** The difference between two lists of pairs: new pairs and ended pairs, both sorted by a, then b. */
export interface PairChange {
  began: SortedPairs;
  ended: SortedPairs;
}

const noPairs: SortedPairs = { a: new Uint32Array(0), b: new Uint32Array(0) };

/** Returns how two sorted lists of pairs differ. */
export const changeOf = (before: SortedPairs, now: SortedPairs): PairChange =>
  before === now
    ? { began: noPairs, ended: noPairs }
    : { began: subtractPairs(now, before), ended: subtractPairs(before, now) };

/** Applies a change to a sorted list. */
export const applyChange = (before: SortedPairs, { began, ended }: PairChange): SortedPairs =>
  mergePairs([subtractPairs(before, ended), began]);

/**
 * Encodes a change if it is known and has fewer pairs than the whole list; otherwise encodes all pairs.
 * encoding: see `encodeList`.
 */
export async function encodePairs(
  pairs: SortedPairs,
  change: PairChange | undefined,
  encoding: number,
): Promise<Uint8Array> {
  const isChange = change && change.began.a.length + change.ended.a.length < pairs.a.length;
  const { began, ended } = isChange ? change : { began: pairs, ended: noPairs };
  const [first, second] = await Promise.all(
    [ended, began].map(({ a, b }) => encodeList({ keys: a, ids: b }, encoding)),
  );
  return concatBytes([bytesOf(Uint32Array.of(isChange ? 1 : 0, first.length)), first, second]);
}

/**
 * Decodes the bytes of `encodePairs`, and checks that the pairs are sorted and that no pair occurs twice.
 * before: the pairs to which a change applies, if they are known. boxLimit: all box numbers must be less than
 * this. requested: see `decodeList`.
 * @throws Malformed
 */
export async function decodePairs(
  bytes: Uint8Array,
  before: SortedPairs | undefined,
  boxLimit: number,
  requested?: number,
): Promise<SortedPairs> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isShort = bytes.length < 8;
  const end = isShort ? 0 : 8 + view.getUint32(4, true);
  const isChange = !isShort && view.getUint32(0, true) === 1;
  if (isShort || end > bytes.length || (isChange && !before))
    throw new Malformed(`pairs of ${bytes.length} bytes have an invalid header`, SAME_VERSION);
  const [ended, began] = (
    await Promise.all(
      [bytes.subarray(8, end), bytes.subarray(end)].map(list => decodeList(list, boxLimit, requested)),
    )
  ).map(({ keys, ids }: KeyedList) => ({ a: keys, b: ids }));
  const pairs = isChange ? applyChange(before!, { began, ended }) : began;
  const expected = isChange ? before!.a.length - ended.a.length + began.a.length : began.a.length;
  if (pairs.a.length !== expected)
    throw new Malformed(
      `a change leaves ${pairs.a.length} pairs instead of ${expected}: it ends pairs that are not in the list`,
      SAME_VERSION,
    );
  checkPairs(pairs, boxLimit);
  return pairs;
}

function checkPairs({ a, b }: SortedPairs, boxLimit: number): void {
  for (let i = 0; i < a.length; i++) {
    if (a[i] >= boxLimit)
      throw new Malformed(`pair ${i} has box ${a[i]}, but there are ${boxLimit} boxes`, SAME_VERSION);
    if (i > 0 && (a[i] < a[i - 1] || (a[i] === a[i - 1] && b[i] <= b[i - 1])))
      throw new Malformed(`pair ${i} (${a[i]}, ${b[i]}) is not after the pair before it`, SAME_VERSION);
  }
}

// Returns the pairs that are not in the other list.
function subtractPairs({ a, b }: SortedPairs, others: SortedPairs): SortedPairs {
  const keptA = new Uint32Array(a.length);
  const keptB = new Uint32Array(a.length);
  let count = 0;
  for (let i = 0, k = 0; i < a.length; i++) {
    while (k < others.a.length && (others.a[k] < a[i] || (others.a[k] === a[i] && others.b[k] < b[i]))) k++;
    if (others.a[k] === a[i] && others.b[k] === b[i]) continue;
    keptA[count] = a[i];
    keptB[count++] = b[i];
  }
  return { a: keptA.slice(0, count), b: keptB.slice(0, count) };
}
