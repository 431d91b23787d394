// Boxes -> the pairs that overlap, by comparing all with all. Comparing float32 rounds nothing.
import type { Pair } from './bruteForce.js';

/** Six floats a box: least x, y, z, then greatest. Closed; a box whose least is above its greatest has no point. */
export function boxPairsByAll(boxes: Float32Array, against?: Float32Array): Pair[] {
  const others = against ?? boxes;
  const pairs: Pair[] = [];
  for (let a = 0; 6 * a < boxes.length; a++) {
    for (let b = against ? 0 : a + 1; 6 * b < others.length; b++) {
      if (hasPoint(boxes, a) && hasPoint(others, b) && [0, 1, 2].every((axis) => shareOn(axis, boxes, a, others, b))) pairs.push([a, b]);
    }
  }
  return pairs;
}

const hasPoint = (boxes: Float32Array, i: number): boolean => [0, 1, 2].every((axis) => boxes[6 * i + axis]! <= boxes[6 * i + axis + 3]!);

function shareOn(axis: number, boxes: Float32Array, a: number, others: Float32Array, b: number): boolean {
  return boxes[6 * a + axis]! <= others[6 * b + axis + 3]! && others[6 * b + axis]! <= boxes[6 * a + axis + 3]!;
}
