// Mutators for inputs of any format: they change bits, bytes and words, remove and copy ranges, and splice
// two inputs.
import type { MutationContext, Mutator } from '../target.js';

const WORDS = [0, 1, 2, 3, 4, 7, 8, 127, 128, 255, 256, 65535, 65536, 0x7fffffff, 0x80000000, 0xffffffff];
/** Bit patterns of float32 values: NaN, the infinities, -0, the largest finite and smallest positive value. */
const FLOATS = [0x7fc00000, 0x7f800000, 0xff800000, 0x80000000, 0x7f7fffff, 1];

/** Returns a copy of `bytes` in which `by` replaces the bytes from index `from` to index `to` - 1. */
export function replaced(bytes: Uint8Array, from: number, to: number, by: Uint8Array): Uint8Array {
  const result = new Uint8Array(bytes.length - (to - from) + by.length);
  result.set(bytes.subarray(0, from));
  result.set(by, from);
  result.set(bytes.subarray(to), from + by.length);
  return result;
}

function range(length: number, { random }: MutationContext): [from: number, to: number] {
  const from = random.below(length + 1);
  const longest = random.below(4) === 0 ? length - from : Math.min(16, length - from);
  return [from, from + random.below(longest + 1)];
}

const flipBit: Mutator = (bytes, { random }) => {
  const result = bytes.slice();
  if (result.length > 0) result[random.below(result.length)] ^= 1 << random.below(8);
  return result;
};

const changeByte: Mutator = (bytes, { random }) => {
  const result = bytes.slice();
  const at = random.below(result.length);
  if (result.length > 0)
    result[at] = random.below(2) === 0 ? random.below(256) : result[at] + random.below(9) - 4;
  return result;
};

const changeWord: Mutator = (bytes, { random }) => {
  if (bytes.length < 4) return bytes.slice();
  const result = bytes.slice();
  const view = new DataView(result.buffer);
  // Lengths and counts of binary formats are usually aligned.
  const at = random.below(2) === 0 ? 4 * random.below(result.length >> 2) : random.below(result.length - 3);
  const old = view.getUint32(at, true);
  const values = [
    WORDS[random.below(WORDS.length)],
    FLOATS[random.below(FLOATS.length)],
    old + random.below(17) - 8,
    bytes.length - random.below(64),
    random.bits(),
  ];
  view.setUint32(at, values[random.below(values.length)], true);
  return result;
};

const removeRange: Mutator = (bytes, context) => {
  const [from, to] = range(bytes.length, context);
  return replaced(bytes, from, to, new Uint8Array());
};

const truncate: Mutator = (bytes, { random }) => bytes.slice(0, random.below(bytes.length + 1));

const repeatRange: Mutator = (bytes, context) => {
  const [from, to] = range(bytes.length, context);
  const at = context.random.below(2) === 0 ? to : context.random.below(bytes.length + 1);
  return replaced(bytes, at, at, bytes.subarray(from, to));
};

const copyRangeOver: Mutator = (bytes, context) => {
  const [from, to] = range(bytes.length, context);
  const at = context.random.below(bytes.length - (to - from) + 1);
  return replaced(bytes, at, at + to - from, bytes.subarray(from, to));
};

const insertWord: Mutator = (bytes, { random, dictionary }) => {
  const at = random.below(bytes.length + 1);
  const word = dictionary.length === 0 ? '' : dictionary[random.below(dictionary.length)];
  const over = random.below(2) === 0 ? Math.min(word.length, bytes.length - at) : 0;
  return replaced(bytes, at, at + over, Buffer.from(word, 'latin1'));
};

/** Joins the beginning of one input and the end of another. */
const splice: Mutator = (bytes, { random, other }) =>
  replaced(
    bytes,
    random.below(bytes.length + 1),
    bytes.length,
    other.subarray(random.below(other.length + 1)),
  );

const insertOther: Mutator = (bytes, context) => {
  const at = context.random.below(bytes.length + 1);
  const [from, to] = range(context.other.length, context);
  return replaced(bytes, at, at, context.other.subarray(from, to));
};

export const byteMutators: readonly Mutator[] = [
  flipBit,
  changeByte,
  changeWord,
  removeRange,
  truncate,
  repeatRange,
  copyRangeOver,
  insertWord,
  splice,
  insertOther,
];
