// Converts contacts in engine memory to results for users: either sorted arrays of all contacts, or the first
// contact as an object.

import { printAs } from '../core/printing.js';
import type { SweepStats } from '../core/stats.js';
import { Contact, sweptLimits } from '../records/sweptLayout.js';
import type { Arena } from '../runtime/memory.js';

/**
 * The features in contact. 'VF': a vertex of A and a face of B. 'FV': a face of A and a vertex of B (two
 * meshes only). 'EE': an edge of A and an edge of B. 'start': two triangles that share a point at the start
 * of the motion.
 */
export type ContactKind = 'VF' | 'FV' | 'EE' | 'start';
const KINDS: readonly ContactKind[] = ['VF', 'FV', 'EE', 'start'];

/**
 * A contact of two features. A feature is given by the number of the vertex, face or edge (`engine.edgesOf`
 * returns the edges), and by a triangle that has this feature. For kind 'start', the features are the two
 * triangles.
 */
export interface SweptContact {
  /** A time before which there is no contact, as a fraction of the step. */
  toi: number;
  /**
   * At some time in toi..toi + bound the features are in contact, or their distance exceeds the minimum
   * separation by at most the tolerance. If the tolerance is below about 2^-46 of the extent of the features,
   * doubles may be unable to confirm this; then toi + bound is 1, and nothing is known about the time from
   * `toi` on.
   */
  bound: number;
  /** The kind of the two features. */
  kind: ContactKind;
  /** Number of A's vertex, face or edge. */
  featureA: number;
  /** Number of B's vertex, face or edge. */
  featureB: number;
  /** A triangle of A that has the feature. */
  triangleA: number;
  /** A triangle of B that has the feature. */
  triangleB: number;
}

/** All contacts, sorted by kind (VF, FV, EE, start), then featureA, then featureB. */
export interface SweptContacts {
  /** Number of contacts. */
  count: number;
  /** For each contact, a time before which the two features are not in contact, as a fraction of the step. */
  toi: Float64Array;
  /**
   * For each contact, at some time in toi..toi + bound the features are in contact, or their distance exceeds
   * the minimum separation by at most the tolerance. If the tolerance is below about 2^-46 of the extent of
   * the features, doubles may be unable to confirm this; then toi + bound is 1, and nothing is known about
   * the time from `toi` on.
   */
  bound: Float64Array;
  /** Indices into ['VF', 'FV', 'EE', 'start']. */
  kind: Uint8Array;
  /** Numbers of A's vertices, faces or edges. */
  featureA: Uint32Array;
  /** Numbers of B's vertices, faces or edges. */
  featureB: Uint32Array;
  /** For each contact, a triangle of A that has the feature. */
  triangleA: Uint32Array;
  /** For each contact, a triangle of B that has the feature. */
  triangleB: Uint32Array;
  /** Statistics of the search. */
  stats: SweepStats;
}

const printedContacts = printAs({} as SweptContacts, 'SweptContacts', [
  'count',
  'toi',
  'bound',
  'kind',
  'featureA',
  'featureB',
  'triangleA',
  'triangleB',
  'stats',
]);

/** The memory that contains Contact records. */
export type ContactMemory = Pick<Arena, 'u32' | 'f64'>;

/** Offsets of fields in a Contact, in words. */
const WORDS = {
  kind: Contact.at.kind / 4,
  a: Contact.at.a / 4,
  b: Contact.at.b / 4,
  faceA: Contact.at.faceA / 4,
  faceB: Contact.at.faceB / 4,
  pair: Contact.at.pair / 4,
};

/**
 * Reads contacts into sorted arrays, in which each pair of features occurs once.
 * @param at byte addresses of Contact records
 * @returns the contacts, and their addresses in the same order
 */
export function readContacts(
  { u32, f64 }: ContactMemory,
  at: Uint32Array<ArrayBuffer>,
  stats: () => SweepStats,
): { contacts: SweptContacts; order: Uint32Array } {
  const sorted = removeDuplicates(u32, f64, sortContacts(u32, at));
  const count = sorted.length;
  const words = (field: 'kind' | 'a' | 'b' | 'faceA' | 'faceB'): Uint32Array =>
    gather(u32, Contact.at[field], sorted, new Uint32Array(count));
  const doubles = (field: 'toi' | 'bound'): Float64Array =>
    gather(f64, Contact.at[field], sorted, new Float64Array(count));
  const contacts = {
    __proto__: printedContacts,
    count,
    toi: doubles('toi'),
    bound: doubles('bound'),
    kind: Uint8Array.from(words('kind')),
    featureA: words('a'),
    featureB: words('b'),
    triangleA: words('faceA'),
    triangleB: words('faceB'),
    stats: stats(),
  } as SweptContacts;
  return { contacts, order: sorted };
}

// Reads from each record the field that begins `offset` bytes after the start of the record.
function gather<Values extends Uint32Array | Float64Array>(
  values: Values,
  offset: number,
  addresses: Uint32Array,
  to: Values,
): Values {
  const bytes = values.BYTES_PER_ELEMENT;
  for (let i = 0; i < addresses.length; i++) to[i] = values[(addresses[i] + offset) / bytes];
  return to;
}

// Sorts by pair of bodies, kind, a, b: an LSD radix sort with 16-bit digits. A digit that is the same for all
// contacts is skipped.
function sortContacts(u32: Uint32Array, at: Uint32Array<ArrayBuffer>): Uint32Array {
  let sorted = at;
  let spare = new Uint32Array(at.length);
  for (const [field, shift] of [
    ['b', 0],
    ['b', 16],
    ['a', 0],
    ['a', 16],
    ['kind', 0],
    ['pair', 0],
    ['pair', 16],
  ] as const) {
    const next = new Uint32Array(65537);
    const digits = gather(u32, Contact.at[field], sorted, new Uint32Array(sorted.length));
    for (let i = 0; i < digits.length; i++) {
      digits[i] = (digits[i] >>> shift) & 0xffff;
      next[digits[i] + 1]++;
    }
    if (digits.length === 0 || next[digits[0] + 1] === digits.length) continue;
    for (let i = 0; i < 65536; i++) next[i + 1] += next[i];
    for (let i = 0; i < digits.length; i++) spare[next[digits[i]]++] = sorted[i];
    [sorted, spare] = [spare, sorted === at ? new Uint32Array(at.length) : sorted];
  }
  return sorted;
}

// Returns the sorted contacts with each pair of features only once, at its earliest time. A pair may have
// been found in several substeps.
function removeDuplicates(u32: Uint32Array, f64: Float64Array, sorted: Uint32Array): Uint32Array {
  const { a, b, kind, pair } = WORDS;
  let count = 0;
  for (const address of sorted) {
    const last = sorted[count - 1];
    const own = address / 4;
    const other = last / 4;
    if (
      count === 0 ||
      u32[own + b] !== u32[other + b] ||
      u32[own + a] !== u32[other + a] ||
      u32[own + kind] !== u32[other + kind] ||
      u32[own + pair] !== u32[other + pair]
    )
      sorted[count++] = address;
    else if (f64[address / 8] < f64[last / 8]) sorted[count - 1] = address;
  }
  return sorted.subarray(0, count);
}

/**
 * Returns the contact with the smallest (toi, triangleA, triangleB, kind, featureA, featureB); at equal toi,
 * contacts of kind 'start' come first. Returns undefined if there is no contact.
 */
export function firstOf(memory: ContactMemory, at: Uint32Array): SweptContact | undefined {
  if (at.length === 0) return undefined;
  const { u32, f64 } = memory;
  const first = firstAddress(memory, at);
  const word = (field: keyof typeof WORDS): number => u32[first / 4 + WORDS[field]];
  return {
    toi: f64[first / 8],
    bound: f64[(first + Contact.at.bound) / 8],
    kind: KINDS[word('kind')],
    featureA: word('a'),
    featureB: word('b'),
    triangleA: word('faceA'),
    triangleB: word('faceB'),
  };
}

/** Returns contacts, grouped by their pair of bodies. */
export function groupByPair({ u32 }: ContactMemory, at: Uint32Array): Uint32Array<ArrayBuffer>[] {
  const groups = new Map<number, number[]>();
  for (const address of at) {
    const pair = u32[address / 4 + WORDS.pair];
    const group = groups.get(pair);
    if (group) group.push(address);
    else groups.set(pair, [address]);
  }
  return Array.from(groups.values(), group => Uint32Array.from(group));
}

/** Returns the first contact of each pair of bodies. */
export const firstOfEach = (memory: ContactMemory, at: Uint32Array): Uint32Array<ArrayBuffer> =>
  Uint32Array.from(groupByPair(memory, at), group => firstAddress(memory, group));

const firstAddress = (memory: ContactMemory, at: Uint32Array): number =>
  at.reduce((first, address) => (isBefore(memory, address, first) ? address : first));

/** Returns whether contact x comes before contact y. With `isTie`, the times of both are treated as equal. */
export function isBefore({ u32, f64 }: ContactMemory, x: number, y: number, isTie = false): boolean {
  if (!isTie && f64[x / 8] !== f64[y / 8]) return f64[x / 8] < f64[y / 8];
  const isStart = u32[x / 4 + WORDS.kind] === sweptLimits.START;
  if (isStart !== (u32[y / 4 + WORDS.kind] === sweptLimits.START)) return isStart;
  for (const field of ['faceA', 'faceB', 'kind', 'a', 'b'] as const) {
    const own = u32[x / 4 + WORDS[field]];
    const other = u32[y / 4 + WORDS[field]];
    if (own !== other) return own < other;
  }
  return false;
}
