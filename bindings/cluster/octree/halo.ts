// Encodes and decodes halos. Each node has the boxes of one range of octant codes. A halo is the set of boxes
// that one node (the sender) sends to another (the receiver), because they reach into the receiver's range.
import { bytesOf, concatBytes } from '../bytes.js';
import { Malformed, SAME_VERSION } from '../errors.js';
import { type BoxesWithIds, decodeBoxesWithIds, encodeBoxesWithIds } from './boxBytes.js';

/** The sender's boxes that reach into the receiver's range, and what has changed since the last time step. */
export interface Halo {
  all: BoxesWithIds;
  /** Whether `changed` has all boxes, because there is no last time step to compare with. */
  isWhole: boolean;
  /** The ids of boxes that no longer reach into the receiver's range. */
  removed: Uint32Array;
  /** Boxes that have moved, or did not reach into the receiver's range before. */
  changed: BoxesWithIds;
}

/** The part of a halo that is sent to the receiver: what has changed since the last time step. */
export type HaloChange = Omit<Halo, 'all'>;

/** Encodes what has changed in a halo. isWhole: whether the receiver needs all boxes instead. */
export function encodeHalo(halo: Halo, isWhole: boolean): Uint8Array {
  const { removed, changed } =
    isWhole || halo.isWhole ? { removed: new Uint32Array(0), changed: halo.all } : halo;
  const header = Uint32Array.of(isWhole || halo.isWhole ? 1 : 0, removed.length);
  return concatBytes([bytesOf(header), bytesOf(removed), encodeBoxesWithIds(changed)]);
}

/** Decodes what has changed in a halo. idLimit: all ids of boxes must be less than this. @throws Malformed */
export function decodeHalo(given: Uint8Array, idLimit: number): HaloChange {
  const bytes = given.byteOffset % 4 === 0 ? given : given.slice();
  const [isWhole, count] = bytes.length < 8 ? [2, 0] : new Uint32Array(bytes.buffer, bytes.byteOffset, 2);
  const end = 8 + 4 * count;
  if (isWhole > 1 || (isWhole === 1 && count > 0) || end > bytes.length)
    throw new Malformed(`a halo of ${bytes.length} bytes has an invalid header`, SAME_VERSION);
  const removed = new Uint32Array(bytes.buffer, bytes.byteOffset + 8, count);
  for (const id of removed)
    if (id >= idLimit)
      throw new Malformed(`removed box ${id} does not exist: there are ${idLimit} boxes`, SAME_VERSION);
  const changed = decodeBoxesWithIds(bytes.subarray(end), idLimit);
  checkFinite(changed.boxes);
  return { isWhole: isWhole === 1, removed, changed };
}

/** Checks that all coordinates of received boxes are finite. @throws Malformed */
export function checkFinite(boxes: Float32Array): void {
  for (const value of boxes)
    if (!Number.isFinite(value)) throw new Malformed(`a box has the coordinate ${value}`, SAME_VERSION);
}
