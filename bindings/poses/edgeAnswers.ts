// The result of `queryEdges`: along which of many edges bodies collide, and where.

import { printAs } from '../core/printing.js';
import { limits } from '../records/layout.js';
import type { EdgeQuery } from './edgeQuery.js';
import type { EdgeResults } from './edgeSearch.js';

/**
 * The edges that are in collision. Every other edge is free: no queried pair of bodies comes within the
 * clearance anywhere along it. The arrays are copies; later calls do not change them.
 */
export class EdgeAnswers {
  /** Number of edges in the query. */
  readonly edgeCount: number;
  /** Number of edges that are in collision. */
  readonly count: number;
  /**
   * Collision bits: bit i % 32 of word floor(i / 32) is 1 if edge i is in collision. Has ceil(edgeCount / 32)
   * words.
   */
  readonly hits: Uint32Array;
  /** The queried pairs: pair k consists of bodies pairs[2 * k] and pairs[2 * k + 1]. */
  readonly pairs: Uint32Array;
  /**
   * With `want: 'first'`: for each edge, where the free part at its start ends, from 0 (the start of the edge)
   * to 1 (its end); Infinity if the whole edge is free. With `want: 'any'`, undefined.
   */
  readonly times: Float64Array | undefined;
  /**
   * With `want: 'first'`: for each edge, the index of the queried pair whose collision ends the free part, or
   * 0xffffffff if the edge is free. With `want: 'any'`, undefined.
   */
  readonly first: Uint32Array | undefined;
  /** The tolerance of the query, in units of the common frame. */
  readonly tolerance: number;
  /** Number of poses that were tested, over all edges. */
  readonly poseCount: number;
  /** Number of tests of the trees of two bodies, over all poses. */
  readonly nearCount: number;

  /** @internal */
  constructor(
    { edgeCount, bodies: { pairs }, want, tolerance }: EdgeQuery,
    { times, first, poseCount, nearCount }: EdgeResults,
  ) {
    this.edgeCount = edgeCount;
    this.hits = new Uint32Array(Math.ceil(edgeCount / 32));
    let count = 0;
    first.forEach((pair, edge) => {
      if (pair === limits.NOTHING) return;
      this.hits[edge >>> 5] |= 1 << (edge & 31);
      count++;
    });
    this.count = count;
    this.pairs = pairs;
    this.times = want === 'first' ? times : undefined;
    this.first = want === 'first' ? first : undefined;
    this.tolerance = tolerance;
    this.poseCount = poseCount;
    this.nearCount = nearCount;
  }

  /** Returns whether an edge is in collision. */
  has(edge: number): boolean {
    return edge < this.edgeCount && ((this.hits[edge >>> 5] >>> (edge & 31)) & 1) === 1;
  }

  /**
   * Returns the bodies that collide first along an edge. Returns undefined if the edge is free, or if `want`
   * was not 'first'.
   */
  firstPair(edge: number): [a: number, b: number] | undefined {
    const pair = this.first?.[edge] ?? limits.NOTHING;
    return pair === limits.NOTHING ? undefined : [this.pairs[2 * pair], this.pairs[2 * pair + 1]];
  }
}
printAs(EdgeAnswers.prototype, 'EdgeAnswers', [
  'edgeCount',
  'count',
  'hits',
  'pairs',
  'times',
  'first',
  'tolerance',
  'poseCount',
  'nearCount',
]);
