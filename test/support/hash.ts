// Hashes a pair list: SHA-256 of its rows (a, b) as little-endian uint32, sorted by a, then b. All truth
// files use this convention.

import { createHash } from 'node:crypto';

// a and b: one entry per pair, in any order. Neither is changed.
export function hashPairs(a: ArrayLike<number>, b: ArrayLike<number>): string {
  if (a.length !== b.length) throw new RangeError(`a has ${a.length} entries, b has ${b.length}`);
  const keys = new BigUint64Array(a.length);
  for (let pair = 0; pair < a.length; pair++) {
    // Both are below 2^32, so the key sorts by a, then b.
    keys[pair] = (BigInt(a[pair]) << 32n) | BigInt(b[pair]);
  }
  keys.sort();
  const rows = new DataView(new ArrayBuffer(a.length * 8));
  keys.forEach((key, pair) => {
    rows.setUint32(pair * 8, Number(key >> 32n), true);
    rows.setUint32(pair * 8 + 4, Number(key & 0xffffffffn), true);
  });
  return createHash('sha256').update(new Uint8Array(rows.buffer)).digest('hex');
}

/** Returns the same hash as `hashPairs`. The pairs must already be sorted. */
export function hashPairRows(a: Uint32Array, b: Uint32Array): string {
  const rows = new Uint32Array(2 * a.length);
  for (let i = 0; i < a.length; i++) {
    rows[2 * i] = a[i];
    rows[2 * i + 1] = b[i];
  }
  return hashBytes(rows);
}

export function hashPairList(pairs: readonly (readonly [number, number])[]): string {
  return hashPairs(
    pairs.map(pair => pair[0]),
    pairs.map(pair => pair[1]),
  );
}

// Returns the SHA-256 of the bytes of typed arrays in the given order, for tests of determinism.
export function hashBytes(...arrays: ArrayBufferView[]): string {
  const hash = createHash('sha256');
  for (const array of arrays) hash.update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  return hash.digest('hex');
}
