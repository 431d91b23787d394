// Explains the imbalance of the work lists of an engine's last query. The query starts from a set of node
// pairs, called the front. Each pair is a node of the front, and the nodes are divided among the work lists by
// predicted costs. Computes how much imbalance would remain if the costs of the front's nodes were known in
// advance, and how much imbalance the errors of the predictions explain.

import { partition } from '../../dist/core/partition.js';
import type { Engine } from '../../dist/index.js';
import { FrontNode, limits } from '../../dist/records/layout.js';
import { internalsOf } from './internals.js';

/** The imbalance of a front's lists (max cost / mean cost) under several assumptions, and its causes. */
export interface Causes {
  /** The imbalance if the same front is distributed by the true costs of its nodes. */
  trueCosts: number;
  /**
   * The cost of the most expensive node divided by the mean cost of a list. The imbalance of a partition is
   * never smaller than this ratio.
   */
  heaviest: number;
  /**
   * The mean of |predicted - true| over all nodes, as a fraction of the mean cost of a node. Predicted costs
   * are scaled so that their sum equals that of the true costs.
   */
  error: number;
  /**
   * The expected imbalance if all lists had the same predicted cost and the errors of the nodes were
   * independent. This estimate depends only on the errors, so it is the same for all partitions whose lists
   * have equal predicted costs.
   */
  byErrors: number;
}

export function causesOf(engine: Engine, parts: number): Causes {
  const { front, context } = internalsOf(engine);
  const { f32, u32 } = context.arena;
  const { at, size } = FrontNode;
  const count = front.frontCount;
  const costs = new Float32Array(count);
  const predicted = new Float32Array(count);
  let total = 0;
  let sumPredicted = 0;
  for (let i = 0; i < count; i++) {
    const node = front.frontAt + i * size;
    costs[i] = u32[(node + at.boxTests) / 4] + limits.LEAF_PAIR_COST * u32[(node + at.leafPairs) / 4];
    predicted[i] = f32[(node + at.cost) / 4];
    total += costs[i];
    sumPredicted += predicted[i];
  }
  const loads = partition(costs, parts).map(nodes => nodes.reduce((sum, node) => sum + costs[node], 0));
  let error = 0;
  let variance = 0;
  let heaviest = 0;
  for (let i = 0; i < count; i++) {
    const difference = predicted[i] * (total / sumPredicted) - costs[i];
    error += Math.abs(difference);
    variance += difference ** 2;
    heaviest = Math.max(heaviest, costs[i]);
  }
  const mean = total / parts;
  return {
    trueCosts: Math.max(...loads) / mean,
    heaviest: heaviest / mean,
    error: error / total,
    byErrors: 1 + maxOfNormals(parts) * (Math.sqrt(variance / parts) / mean),
  };
}

/** Returns the mean of the max of n independent standard normal numbers, by integration of its distribution. */
function maxOfNormals(n: number): number {
  const STEP = 0.005;
  let below = 0;
  let mean = 0;
  let last = 0;
  for (let x = -6; x < 6; x += STEP) {
    below += (STEP * Math.exp(-((x + STEP / 2) ** 2) / 2)) / Math.sqrt(2 * Math.PI);
    const power = below ** n;
    mean += (x + STEP / 2) * (power - last);
    last = power;
  }
  return mean;
}
