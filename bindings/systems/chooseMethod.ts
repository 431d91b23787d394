// What boxes are like -> the method that finds their pairs soonest: sweep and prune, unless a sample says that its slabs and
// columns would be so crowded that a tree is quicker.
import type { Sampled } from './boxSample.js';

/** Fewer boxes than this cost little either way. */
const FEW_BOXES = 1024;
/** Nanoseconds by sweep and prune: a box, and a pair of boxes tested; by a tree: a box, and a pair found. Measured by `npm run bench -- boxes`. */
const SWEEP_BOX = 38, SWEEP_TEST = 0.67, TREE_BOX = 115, TREE_PAIR = 4;
/** How a tree suffers from long boxes of different directions, whose hulls are large: power of their mixture. */
const MIXTURE_POWER = 0.4;

export interface Choice { method: 'sap' | 'tree'; reason: string }

/** sample: looks at some of the boxes. */
export function chooseMethod(count: number, sample: () => Sampled): Choice {
  if (count < FEW_BOXES) return { method: 'sap', reason: `${count} boxes are few` };
  const { tests, pairs, mixture } = sample();
  const bySweep = SWEEP_BOX + SWEEP_TEST * tests, byTree = TREE_BOX * mixture ** MIXTURE_POWER + TREE_PAIR * pairs;
  return {
    method: bySweep > byTree ? 'tree' : 'sap',
    reason: `by a sample, a box takes ${bySweep.toFixed(0)} ns of sweep and prune (${tests.toFixed(0)} tests), ${byTree.toFixed(0)} ns of a tree (${pairs.toFixed(1)} pairs)`,
  };
}
