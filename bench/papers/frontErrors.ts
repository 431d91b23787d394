// Explains the balance of the last query's lists: what remains if the costs of the front's nodes had been
// known, and what their prediction errors explain.

import { Partition } from '../../dist/core/partition.js';
import type { Engine } from '../../dist/index.js';
import { LEAF_PAIR_COST } from '../../dist/narrowphase/front.js';
import { FrontNode } from '../../dist/records/layout.js';
import { internalsOf } from '../support/internals.js';

/** Max over mean cost of a front's lists under several assumptions. */
export interface Causes {
  /** The same front, distributed by the true costs of its nodes. */
  trueCosts: number;
  /** The heaviest node, as a fraction of the mean list. No partition has less than max(1, this). */
  heaviest: number;
  /** The mean of |predicted - true| over all nodes, as a fraction of the mean cost. */
  error: number;
  /**
   * The expected imbalance if lists were equal by prediction and the errors of nodes independent: any partition
   * that knows no more than these predictions has it.
   */
  byErrors: number;
}

const partition = new Partition();

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
    costs[i] = u32[(node + at.boxTests) / 4] + LEAF_PAIR_COST * u32[(node + at.leafPairs) / 4];
    predicted[i] = f32[(node + at.cost) / 4];
    total += costs[i];
    sumPredicted += predicted[i];
  }
  partition.distribute(costs, new Uint32Array(costs.buffer), 0, 1, count, parts);
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
    trueCosts: partition.load.slice(0, parts).reduce((a, b) => Math.max(a, b)) / mean,
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
