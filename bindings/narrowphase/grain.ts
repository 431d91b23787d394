// Pairs and lists -> how finely their work has to be cut (Zhang & Kim eq. 1).
import type { Tree } from './startingFront.js';

/**
 * Pairs a list from which on they need not be divided: they even out, and taking over from others does the
 * rest.
 */
const WHOLE_PAIRS = 256;

/**
 * Are there so many pairs that they can be dealt whole, and is none of them likely to be a quarter of a
 * list's work?
 */
export function areManyAlike(trees: readonly Tree[], parts: number): boolean {
  if (trees.length < 2 * WHOLE_PAIRS * parts) return false;
  let total = 0;
  let greatest = 0;
  for (let i = 0; i < trees.length; i += 2) {
    const leaves = trees[i].leafCount + trees[i + 1].leafCount;
    total += leaves;
    greatest = Math.max(greatest, leaves);
  }
  return 4 * greatest * parts <= total;
}

/**
 * g by p: by predicted cost a static deal's makespan is at most (1 + (p-1)/(g p)) of the mean, 1.06 at g =
 * 16, 1.04 at 24. Overlap predicts worse than the last run: finer nodes average its errors out, or stealing
 * makes up for them. The figures are the least with which `npm run bench -- imbalance` keeps its bounds on
 * all scenes.
 */
export function grainOf(parts: number, coherence: 'on' | 'off', stealing: 'on' | 'off'): number {
  if (coherence === 'on') return parts <= 2 ? 16 : 24;
  if (parts <= 2) return 32;
  if (parts > 16) return 448;
  return stealing === 'on' ? 32 : 96;
}
