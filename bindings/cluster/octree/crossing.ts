// The boxes of one range of codes that reach into another range: encoded for the node of that range.
import { bytesOf, concatBytes } from '../bytes.js';
import { Malformed } from '../errors.js';
import { decodeNamedBoxes, encodeNamedBoxes, type NamedBoxes } from './partBytes.js';

/** Boxes that reach into another range, and how they differ from those of the last frame. */
export interface Crossing {
  all: NamedBoxes;
  /** Whether `changed` has all boxes: the last frame is not known. */
  isWhole: boolean;
  /** The numbers of boxes that no longer reach into the range. */
  removed: Uint32Array;
  /** Boxes that have moved, or did not reach into the range before. */
  changed: NamedBoxes;
}

/** What has changed, as the node of the other range receives it. */
export type CrossingChange = Omit<Crossing, 'all'>;

/** isWhole: whether the other node needs all boxes. */
export function encodeCrossing(crossing: Crossing, isWhole: boolean): Uint8Array {
  const { removed, changed } =
    isWhole || crossing.isWhole ? { removed: new Uint32Array(0), changed: crossing.all } : crossing;
  const header = Uint32Array.of(isWhole || crossing.isWhole ? 1 : 0, removed.length);
  return concatBytes([bytesOf(header), bytesOf(removed), encodeNamedBoxes(changed)]);
}

/** Decodes what has changed. nameLimit: all numbers must be less than this. @throws Malformed */
export function decodeCrossing(given: Uint8Array, nameLimit: number): CrossingChange {
  const bytes = given.byteOffset % 4 === 0 ? given : given.slice();
  const [isWhole, count] = bytes.length < 8 ? [2, 0] : new Uint32Array(bytes.buffer, bytes.byteOffset, 2);
  const end = 8 + 4 * count;
  if (isWhole > 1 || end > bytes.length)
    throw new Malformed(`crossing boxes of ${bytes.length} bytes`, 'no encoder writes such a header');
  const removed = new Uint32Array(bytes.buffer, bytes.byteOffset + 8, count);
  const changed = decodeNamedBoxes(bytes.subarray(end), nameLimit);
  checkFinite(changed.boxes);
  return { isWhole: isWhole === 1, removed, changed };
}

/** Checks boxes that were sent. @throws Malformed */
export function checkFinite(boxes: Float32Array): void {
  for (const value of boxes)
    if (!Number.isFinite(value)) throw new Malformed(`a box with ${value}`, 'boxes must be finite');
}
