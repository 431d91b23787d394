// The halo of a range of codes: the boxes of another range that reach into it, encoded for the node of the range.
import { bytesOf, concatBytes } from '../bytes.js';
import { Malformed, SAME_VERSION } from '../errors.js';
import { type BoxesWithIds, decodeBoxesWithIds, encodeBoxesWithIds } from './partBytes.js';

/** Boxes that reach into another range, and how they differ from those of the last frame. */
export interface Halo {
  all: BoxesWithIds;
  /** Whether `changed` has all boxes: the last frame is not known. */
  isWhole: boolean;
  /** The numbers of boxes that no longer reach into the range. */
  removed: Uint32Array;
  /** Boxes that have moved, or did not reach into the range before. */
  changed: BoxesWithIds;
}

/** What has changed, as the node of the other range receives it. */
export type HaloChange = Omit<Halo, 'all'>;

/** isWhole: whether the other node needs all boxes. */
export function encodeHalo(halo: Halo, isWhole: boolean): Uint8Array {
  const { removed, changed } =
    isWhole || halo.isWhole ? { removed: new Uint32Array(0), changed: halo.all } : halo;
  const header = Uint32Array.of(isWhole || halo.isWhole ? 1 : 0, removed.length);
  return concatBytes([bytesOf(header), bytesOf(removed), encodeBoxesWithIds(changed)]);
}

/** Decodes what has changed. idLimit: all numbers must be less than this. @throws Malformed */
export function decodeHalo(given: Uint8Array, idLimit: number): HaloChange {
  const bytes = given.byteOffset % 4 === 0 ? given : given.slice();
  const [isWhole, count] = bytes.length < 8 ? [2, 0] : new Uint32Array(bytes.buffer, bytes.byteOffset, 2);
  const end = 8 + 4 * count;
  if (isWhole > 1 || end > bytes.length)
    throw new Malformed(`a halo of ${bytes.length} bytes has an invalid header`, SAME_VERSION);
  const removed = new Uint32Array(bytes.buffer, bytes.byteOffset + 8, count);
  const changed = decodeBoxesWithIds(bytes.subarray(end), idLimit);
  checkFinite(changed.boxes);
  return { isWhole: isWhole === 1, removed, changed };
}

/** Checks boxes that were sent. @throws Malformed */
export function checkFinite(boxes: Float32Array): void {
  for (const value of boxes)
    if (!Number.isFinite(value)) throw new Malformed(`a box has the coordinate ${value}`, SAME_VERSION);
}
