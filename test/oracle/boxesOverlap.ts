// Finds the pairs of boxes that overlap, by comparing all pairs, or faster by a sweep along x. Comparisons of
// float32 values involve no rounding, so the result is exact.
import type { Pair } from './bruteForce.js';

/**
 * Compares each pair of `boxes`, or each box of `boxes` with each box of `against`. Returns the overlapping
 * pairs. A box has six floats: min x, y, z, then max. Boxes are closed: boxes that only touch overlap. A box
 * whose min is above its max overlaps nothing.
 */
export function boxPairsByAll(boxes: Float32Array, against?: Float32Array): Pair[] {
  const others = against ?? boxes;
  const pairs: Pair[] = [];
  for (let a = 0; 6 * a < boxes.length; a++) {
    for (let b = against ? 0 : a + 1; 6 * b < others.length; b++) {
      if (
        hasPoint(boxes, a) &&
        hasPoint(others, b) &&
        [0, 1, 2].every(axis => shareOn(axis, boxes, a, others, b))
      )
        pairs.push([a, b]);
    }
  }
  return pairs;
}

/**
 * Returns the same pairs as boxPairsByAll(boxes), sorted by a, then b, but is faster for many boxes. Sorts
 * the boxes by min x, and compares each box only with the following boxes whose min x is at most its max x.
 */
export function boxPairsBySweep(boxes: Float32Array): Pair[] {
  const pairs: Pair[] = [];
  const order = Array.from({ length: boxes.length / 6 }, (_, i) => i)
    .filter(i => hasPoint(boxes, i))
    .sort((a, b) => boxes[6 * a] - boxes[6 * b]);
  for (let i = 0; i < order.length; i++) {
    const a = order[i];
    for (let k = i + 1; k < order.length && boxes[6 * order[k]] <= boxes[6 * a + 3]; k++) {
      const b = order[k];
      if (shareOn(1, boxes, a, boxes, b) && shareOn(2, boxes, a, boxes, b))
        pairs.push([Math.min(a, b), Math.max(a, b)]);
    }
  }
  return pairs.sort((left, right) => left[0] - right[0] || left[1] - right[1]);
}

const hasPoint = (boxes: Float32Array, i: number): boolean =>
  [0, 1, 2].every(axis => boxes[6 * i + axis] <= boxes[6 * i + axis + 3]);

function shareOn(axis: number, boxes: Float32Array, a: number, others: Float32Array, b: number): boolean {
  return boxes[6 * a + axis] <= others[6 * b + axis + 3] && others[6 * b + axis] <= boxes[6 * a + axis + 3];
}
