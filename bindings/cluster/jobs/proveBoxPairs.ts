// Checks the box pairs that nodes have found. The boxes of every returned pair must overlap. For each box of a
// random sample, no pair of this box and a later box may be missing.
import { lowerBound } from '../lowerBound.js';
import { randomSample } from './provePairs.js';

/**
 * The maximum number of tests for missing pairs. If this number suffices for all boxes, every missing pair is
 * found.
 */
export const MAX_TESTS = 2 ** 22;

/**
 * Checks the pairs whose first box a is at least `from` and less than `to`. The pairs must be sorted by a, then
 * b. maxTests: the maximum number of tests for missing pairs; at least one box is always tested against all
 * later boxes. nameOf: returns the number that stands for a box in the error text.
 * @returns what is wrong, as a clause; undefined if no error was found
 */
export function findFalseBoxPairs(
  boxes: Float32Array,
  { a, b }: { a: Uint32Array; b: Uint32Array },
  [from, to] = [0, boxes.length / 6],
  maxTests = MAX_TESTS,
  nameOf = (box: number): number => box,
): string | undefined {
  const count = boxes.length / 6;
  for (let k = 0; k < a.length; k++) {
    const isSorted = k === 0 || a[k - 1] < a[k] || (a[k - 1] === a[k] && b[k - 1] < b[k]);
    if (!isSorted || !(a[k] >= from && a[k] < to && a[k] < b[k] && b[k] < count))
      return `the pair of boxes ${nameOf(a[k])} and ${nameOf(b[k])} is out of order or names a box that does not exist`;
    if (!overlap(boxes, a[k], b[k])) return `boxes ${nameOf(a[k])} and ${nameOf(b[k])} do not overlap`;
  }
  for (const i of randomSample(to - from, Math.max(1, Math.floor(maxTests / Math.max(1, count))))) {
    const box = from + i;
    let k = lowerBound(a, box);
    for (let other = box + 1; other < count; other++) {
      if (a[k] === box && b[k] === other) k++;
      else if (overlap(boxes, box, other))
        return `the overlapping boxes ${nameOf(box)} and ${nameOf(other)} are missing as a pair`;
    }
  }
  return undefined;
}

function overlap(boxes: Float32Array, a: number, b: number): boolean {
  for (let axis = 0; axis < 3; axis++)
    if (!(boxes[6 * a + axis] <= boxes[6 * b + axis + 3] && boxes[6 * b + axis] <= boxes[6 * a + axis + 3]))
      return false;
  return true;
}
