// Encodes and decodes boxes of a box-pair job. A subset is one of the groups of about equal size into which the
// list of boxes is split.
import { bytesOf, concatBytes } from '../bytes.js';
import { Malformed, SAME_VERSION } from '../errors.js';

/** Boxes and their ids. A box has six floats. */
export interface BoxesWithIds {
  ids: Uint32Array;
  boxes: Float32Array;
}

/** Returns the index of a subset's first box. The sizes of subsets differ by at most one box. */
export const firstBoxOfSubset = (subset: number, subsetCount: number, count: number): number =>
  Math.floor((subset * count) / subsetCount);

/** Decodes the boxes of a subset. @throws Malformed */
export function boxesOfSubset(
  bytes: Uint8Array,
  subset: number,
  subsetCount: number,
  count: number,
): Float32Array {
  const expected =
    24 * (firstBoxOfSubset(subset + 1, subsetCount, count) - firstBoxOfSubset(subset, subsetCount, count));
  if (bytes.length !== expected)
    throw new Malformed(`subset ${subset} has ${bytes.length} bytes, not ${expected}`, SAME_VERSION);
  return new Float32Array(
    bytes.byteOffset % 4 === 0 ? bytes.buffer : bytes.slice().buffer,
    bytes.byteOffset % 4 === 0 ? bytes.byteOffset : 0,
    bytes.length / 4,
  );
}

/** Encodes boxes with their ids, 28 bytes each: all ids, then all boxes. */
export function encodeBoxesWithIds({ ids, boxes }: BoxesWithIds): Uint8Array {
  return concatBytes([bytesOf(ids), bytesOf(boxes)]);
}

/** Decodes boxes with their ids. idLimit: all ids must be less than this. @throws Malformed */
export function decodeBoxesWithIds(given: Uint8Array, idLimit: number): BoxesWithIds {
  const count = given.length / 28;
  if (!Number.isInteger(count))
    throw new Malformed(`boxes have ${given.length} bytes, not a multiple of 28`, SAME_VERSION);
  const { buffer, byteOffset } = given.byteOffset % 4 === 0 ? given : given.slice();
  const ids = new Uint32Array(buffer, byteOffset, count);
  const boxes = new Float32Array(buffer, byteOffset + 4 * count, 6 * count);
  for (const id of ids)
    if (id >= idLimit)
      throw new Malformed(`box ${id} does not exist: there are ${idLimit} boxes`, SAME_VERSION);
  return { ids, boxes };
}
