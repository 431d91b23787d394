// Defines the interface through which benches of moving boxes use each compared library, and three functions of
// boxes: the overlap test, the middle and half the extent. A box is six numbers: the minimum x, y and z, then
// the maximum x, y and z.

export interface BoxWorld {
  /**
   * Moves box ids[k] to movedBoxes[6 k] ... movedBoxes[6 k + 5], for each k. @returns the number of pairs
   * that overlap after the move
   */
  step(ids: Uint32Array, movedBoxes: Float32Array): number;
  dispose(): void;
}

/** Returns whether two boxes overlap. a, b: the numbers of the boxes. */
export function overlap(boxes: Float32Array, a: number, b: number): boolean {
  const i = 6 * a;
  const j = 6 * b;
  return (
    boxes[i] <= boxes[j + 3] &&
    boxes[j] <= boxes[i + 3] &&
    boxes[i + 1] <= boxes[j + 4] &&
    boxes[j + 1] <= boxes[i + 4] &&
    boxes[i + 2] <= boxes[j + 5] &&
    boxes[j + 2] <= boxes[i + 5]
  );
}

/** Returns the middle of a box on an axis. at: the index in `boxes` at which the box begins. */
export const middle = (boxes: Float32Array, at: number, axis: number): number =>
  (boxes[at + axis] + boxes[at + axis + 3]) / 2;
/** Returns half the extent of a box on an axis. at: the index in `boxes` at which the box begins. */
export const half = (boxes: Float32Array, at: number, axis: number): number =>
  (boxes[at + axis + 3] - boxes[at + axis]) / 2;
