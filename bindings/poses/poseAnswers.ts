// The result of `queryPoses`: which of many poses of several bodies are in collision, as bitsets with methods
// to read them.

import { printAs } from '../core/printing.js';
import { limits } from '../records/layout.js';
import type { PoseQuery } from './poseQuery.js';
import type { PoseBits } from './poseSearch.js';

const hasBit = (words: Uint32Array, bit: number): boolean =>
  ((words[Math.floor(bit / 32)] >>> (bit % 32)) & 1) === 1;

function countBits(words: Uint32Array): number {
  let count = 0;
  for (let word of words) for (; word !== 0; word &= word - 1) count++;
  return count;
}

/**
 * The poses that are in collision: two bodies of a queried pair share a point or, with `clearance`, their
 * distance is at most the clearance. Such a pair is said to intersect. The arrays are copies; later calls do
 * not change them.
 */
export class PoseAnswers {
  /** Number of poses in the query. */
  readonly poseCount: number;
  /** Number of poses that are in collision. */
  readonly count: number;
  /**
   * Collision bits: bit i % 32 of word floor(i / 32) is 1 if pose i is in collision. Has ceil(poseCount / 32)
   * words.
   */
  readonly hits: Uint32Array;
  /** The queried pairs: pair k consists of bodies pairs[2 * k] and pairs[2 * k + 1]. */
  readonly pairs: Uint32Array;
  /**
   * With `want: 'first'`: for each pose, the smallest index of a queried pair that intersects, or 0xffffffff if
   * no pair intersects. For any other `want`, undefined.
   */
  readonly first: Uint32Array | undefined;
  /**
   * With `want: 'pairs-any'`: bits in words of 32, in the same order as in `hits`. Bit number pose * pairCount
   * + pair is 1 if the pair intersects in the pose. For any other `want`, undefined.
   */
  readonly each: Uint32Array | undefined;
  /**
   * With `want: 'distance'`: for each pose, the smallest distance of a queried pair, in units of the common
   * frame; 0 only if a pair shares a point. It is Infinity if every pair has a body without triangles or is
   * farther apart than `max`. For any other `want`, undefined.
   */
  readonly distances: Float64Array | undefined;
  /**
   * With `want: 'distance'`: for each pose, the smallest index of a queried pair that has the smallest
   * distance, or 0xffffffff if this distance is Infinity. For any other `want`, undefined.
   */
  readonly nearest: Uint32Array | undefined;
  /**
   * Number of tests of the trees of two bodies, over all poses. In a pose, the trees are tested only if neither
   * the boxes nor the oriented boxes of the bodies are farther apart than the clearance (0 by default). The
   * number depends on `want` and, with `want: 'any'`, also on the number of threads. With `want: 'distance'`,
   * the limit is `max` or the smallest distance found so far in the pose, whichever is smaller; the clearance
   * does not matter.
   */
  readonly nearCount: number;

  /** @internal */
  constructor(
    { poseCount, pairs, want }: PoseQuery,
    { hits, first, each, distances, nearest, nearCount }: PoseBits,
  ) {
    this.poseCount = poseCount;
    this.count = countBits(hits);
    this.hits = hits;
    this.pairs = pairs;
    this.first = want === 'first' ? first : undefined;
    this.each = want === 'pairs-any' ? each : undefined;
    this.distances = want === 'distance' ? distances : undefined;
    this.nearest = want === 'distance' ? nearest : undefined;
    this.nearCount = nearCount;
  }

  /** Number of queried pairs. */
  get pairCount(): number {
    return this.pairs.length / 2;
  }

  /** Returns whether a pose is in collision. */
  has(pose: number): boolean {
    return pose < this.poseCount && hasBit(this.hits, pose);
  }

  /**
   * Returns the bodies of the first queried pair that intersects in a pose. Returns undefined if no pair
   * intersects, or if `want` was not 'first'.
   */
  firstPair(pose: number): [a: number, b: number] | undefined {
    return this.#pairAt(this.first, pose);
  }

  /**
   * Returns the bodies of the nearest pair in a pose. Returns undefined if there is none, or if `want` was not
   * 'distance'.
   */
  nearestPair(pose: number): [a: number, b: number] | undefined {
    return this.#pairAt(this.nearest, pose);
  }

  #pairAt(pairs: Uint32Array | undefined, pose: number): [a: number, b: number] | undefined {
    const pair = pairs?.[pose] ?? limits.NOTHING;
    return pair === limits.NOTHING ? undefined : [this.pairs[2 * pair], this.pairs[2 * pair + 1]];
  }

  /** Returns whether queried pair `pair` intersects in a pose; always false if `want` was not 'pairs-any'. */
  intersects(pose: number, pair: number): boolean {
    return (
      this.each !== undefined &&
      pose < this.poseCount &&
      pair < this.pairCount &&
      hasBit(this.each, pose * this.pairCount + pair)
    );
  }
}
printAs(PoseAnswers.prototype, 'PoseAnswers', [
  'poseCount',
  'pairCount',
  'count',
  'hits',
  'pairs',
  'first',
  'each',
  'distances',
  'nearest',
  'nearCount',
]);
