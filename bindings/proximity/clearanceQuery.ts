// Finds all pairs of triangles of placed meshes whose distance is at most a clearance. The search traverses
// fronts like an ordinary query (see narrowphase/front.ts), but with enlarged boxes.

import type { EngineHost, QueryResources } from '../core/module.js';
import {
  type PartitionOptions,
  type PlacedPair,
  type QueryManyOptions,
  type QueryOptions,
  readPair,
  readPairs,
} from '../core/queryOptions.js';
import type { ResultLocation } from '../core/results.js';
import { lengthOf } from '../core/vectorLength.js';
import type { Mesh } from '../mesh/mesh.js';
import type { FrontSystem } from '../narrowphase/front.js';
import type { StartingFront } from '../narrowphase/startingFront.js';
import { Clearance, distanceLimits, MeasureJob } from '../records/distanceLayout.js';
import { limits, PairRecord } from '../records/layout.js';
import { setWords } from '../records/record.js';
import { GrowableBlock } from '../runtime/memory.js';
import { retry } from '../runtime/retry.js';
import { sliceCountOf } from '../runtime/sliceCount.js';
import { runStep } from '../runtime/steps.js';
import { copyScaleOf } from './copyScale.js';
import { extentOf, rowsToCommon, rowsToStored, scaleOf, stretchOf, type Vector } from './metric.js';
import { ManyNearPairs, NearPairs } from './nearPairs.js';

/** Options of `query` with a clearance. All except the clearance are optional. */
export interface ClearanceOptions extends QueryOptions {
  /**
   * The largest distance of a pair in the result, in units of the common frame: a finite number, 0 or more. 0
   * finds the intersecting pairs.
   */
  clearance: number;
}

/** Options of `queryMany` with a clearance. */
export interface ManyClearanceOptions extends Omit<QueryManyOptions, 'want'> {
  /** The largest distance of a pair in the result, in units of the common frame, as in `query`. */
  clearance: number;
}

/**
 * Error bound of the distance that the kernels compute for two triangles, relative to the extent of both
 * triangles.
 */
const ERROR = 2 ** -46;
/** Factor by which a sum is enlarged, so that rounding cannot make a box too small. */
const UP = 1 + 2 ** -18;
/** If a reach (the clearance in a normalized frame) is this large, its square in floats could overflow. */
const MAX_REACH = 2 ** 60;
/**
 * Returns the square of `reach`, enlarged. The enlargement covers underflow and the rounding of a sum of
 * three squares.
 */
const squareUp = (reach: number): number => (reach * UP) ** 2 * UP + 2 ** -140;
/** Minimum number of triangle pairs per slice, if there are several slices. */
const PAIRS_PER_SLICE = 512;

export class ClearanceQuery {
  readonly #host: EngineHost;
  readonly #resources: QueryResources;
  readonly #limit: GrowableBlock;
  readonly #job: GrowableBlock;
  readonly #distances: GrowableBlock;
  readonly #verdicts: GrowableBlock;
  readonly #scratch: GrowableBlock;
  // These fronts are not in the engine's cache of starting fronts, because the cost of a node differs between a
  // clearance query and an intersection query of the same meshes.
  readonly #fronts = new WeakMap<Mesh, WeakMap<Mesh, (StartingFront | undefined)[]>>();

  constructor(host: EngineHost) {
    this.#host = host;
    this.#resources = host.makeQueryResources();
    const make = (): GrowableBlock => new GrowableBlock(host.context.arena);
    [this.#limit, this.#job, this.#distances, this.#verdicts, this.#scratch] = [
      make(),
      make(),
      make(),
      make(),
      make(),
    ];
  }

  /** Runs `query` with a clearance. @returns undefined if the options have no clearance @throws as query */
  query(a: Mesh, b: Mesh, options: Partial<ClearanceOptions>): NearPairs | boolean | undefined {
    const host = this.#host;
    const { clearance, transformA, transformB, want, order } = options;
    if (clearance === undefined) return undefined;
    const front = this.#run(
      [readPair({ a, b, transformA, transformB })],
      options,
      clearance,
      this.#frontsOf(a, b),
    );
    if (want === 'any') return host.context.arena.u32[front.hitsAt / 4] === 1;
    const place = host.join(1, host.writer.swapped, order);
    return new NearPairs(place, host.clock, host.summarize, this.#distancesOf(front, place, clearance));
  }

  /**
   * Runs `queryMany` with a clearance. @returns undefined if the options have no clearance @throws as
   * queryMany
   */
  queryMany(
    options: Partial<Omit<ManyClearanceOptions, 'want'>> & { want?: string },
  ): ManyNearPairs | Uint32Array | undefined {
    const host = this.#host;
    const {
      context: { arena },
    } = host;
    const { clearance, want, order } = options;
    if (clearance === undefined) return undefined;
    const pairs = readPairs(options as QueryManyOptions);
    const front = this.#run(pairs, options as QueryManyOptions, clearance, []);
    if (want === 'any' || want === 'bitset') {
      const hits = arena.u32.slice(front.hitsAt / 4, front.hitsAt / 4 + pairs.length);
      return want === 'any' ? hits : wordsToBits(hits);
    }
    const place = host.join(pairs.length, host.writer.swapped, order);
    return new ManyNearPairs(place, host.clock, host.summarize, this.#distancesOf(front, place, clearance));
  }

  #run(
    pairs: readonly PlacedPair[],
    options: PartitionOptions & { want?: string },
    clearance: number,
    fronts: (StartingFront | undefined)[],
  ): FrontSystem {
    const host = this.#host;
    const isAny = options.want === 'any' || options.want === 'bitset';
    const limitAt = this.#limit.reserve(pairs.length * Clearance.size);
    const write = (front: FrontSystem): readonly Mesh[] => {
      const trees = host.writer.write(front, pairs);
      if (clearance > 0)
        pairs.forEach((pair, i) =>
          this.#widen(
            limitAt + i * Clearance.size,
            front.pairs.at + i * PairRecord.size,
            [trees[2 * i], trees[2 * i + 1]],
            host.writer.swapped[i] === 1 ? [pair.b, pair.a] : [pair.a, pair.b],
            clearance,
          ),
        );
      return trees;
    };
    return host.run(isAny ? 'runAny' : 'run', write, options, fronts, clearance > 0 ? 'Near' : undefined);
  }

  #distancesOf(front: FrontSystem, place: ResultLocation, clearance: number): number {
    return clearance > 0 ? this.#measure(front.pairs.at, place) : this.#noDistances(place.count);
  }

  #frontsOf(a: Mesh, b: Mesh): (StartingFront | undefined)[] {
    if (!this.#host.owns(a) || !this.#host.owns(b)) return [];
    let ofA = this.#fronts.get(a);
    if (!ofA) this.#fronts.set(a, (ofA = new WeakMap()));
    let fronts = ofA.get(b);
    if (!fronts) ofA.set(b, (fronts = [undefined]));
    return fronts;
  }

  // Writes the Clearance of a pair, and enlarges the slacks in the pair's record. Box tests enlarge boxes by
  // these slacks. So the boxes of two triangles overlap if the triangles may be within the clearance. The map
  // from the common frame to a normalized frame has one row for each axis. On each axis, the coordinate of a
  // vector is at most the vector's length times the norm of the row of this axis. Fronts are expanded with the
  // enlarged slacks. The traversal below the front uses the original slacks and compares the sum of the squared
  // gaps on all three axes with the squared reach, unless the square is out of the range of floats.
  #widen(
    limitAt: number,
    pairAt: number,
    trees: [Mesh, Mesh],
    meshes: readonly [Mesh, Mesh],
    clearance: number,
  ): void {
    const {
      context: { arena },
    } = this.#host;
    const { at } = PairRecord;
    const { f32 } = arena;
    const hasCopies = trees[0] !== meshes[0];
    const copyScale = hasCopies ? copyScaleOf(arena, pairAt) : 1;
    const margin = ERROR * extentOf(arena, pairAt, meshes[0].bounds, meshes[1].bounds);
    const reach = (clearance + margin) * UP;
    const scales = trees.map(tree => copyScale * scaleOf(arena, tree.recordAt)) as [number, number];
    const rowsA = rowsToStored(arena, pairAt, 'A', scales[0], hasCopies);
    const rowsB = rowsToStored(arena, pairAt, 'B', scales[1], hasCopies);
    const widest = (rows: Vector[]): number => Math.max(...rows.map(lengthOf));
    const widthA = rowsA ? reach * widest(rowsA) : Infinity;
    const widthB = rowsB ? reach * widest(rowsB) : Infinity;
    const reachA = rowsA ? reach * stretchOf(rowsA) : Infinity;
    const reachB = rowsB ? reach * stretchOf(rowsB) : 0;
    const slackA = f32[(pairAt + at.slackA) / 4];
    const slackB = f32[(pairAt + at.slackB) / 4];
    const rowsToCommonOfA = rowsToCommon(arena, pairAt, 'A', scales[0], hasCopies);
    const add = (field: number, width: number): void => {
      f32[(pairAt + field) / 4] = (f32[(pairAt + field) / 4] + width) * UP;
    };
    add(at.slackA, widthA);
    // boxSlack includes three times the error of a corner. This error is localError times the maximum
    // |coordinate| relative to the leaf's origin. The clearance increases this maximum by up to widthA.
    add(at.boxSlack, widthA * (1 + 3 * f32[(pairAt + at.localError) / 4]));
    add(at.slackB, widthB);
    arena.f64[(limitAt + Clearance.at.distance) / 8] = clearance;
    const isInRange = reachA < MAX_REACH && reachB < MAX_REACH;
    const inner =
      (clearance - margin) /
      UP /
      stretchOf([0, 3, 6].map(row => rowsToCommonOfA.slice(row, row + 3) as Vector));
    f32.set(
      [
        reachA,
        inner > 0 ? inner / UP : 0,
        slackA,
        slackB,
        isInRange ? squareUp(reachA) : -1,
        // If B's rows are unknown, no bound in B's frame is used.
        isInRange ? (rowsB ? squareUp(reachB) : Infinity) : -1,
      ],
      (limitAt + Clearance.at.reach) / 4,
    );
    arena.u32[(pairAt + at.pairingAt) / 4] = limitAt;
  }

  #noDistances(count: number): number {
    const at = this.#distances.reserve(8 * count);
    this.#host.context.arena.f64.fill(0, at / 8, at / 8 + count);
    return at;
  }

  // Computes the distance of each triangle pair of a joined result. @returns the address of the distances
  #measure(pairsAt: number, { aAt, bAt, count, pairsAt: offsets }: ResultLocation): number {
    const {
      context: { pool },
      writer,
    } = this.#host;
    const measure = (): number => {
      this.#distances.reserve(8 * count);
      this.#verdicts.reserve(4 * count);
      this.#scratch.reserve(pool.wantedThreads * distanceLimits.MEASURE_BYTES);
      this.#job.reserve(MeasureJob.size);
      for (let i = 0; i + 1 < offsets.length; i++) {
        const from = offsets[i];
        const range: PairRange = {
          pairAt: pairsAt + i * PairRecord.size,
          isSwapped: writer.swapped[i] === 1,
          aAt: aAt + 4 * from,
          bAt: bAt + 4 * from,
          from,
          count: offsets[i + 1] - from,
        };
        if (range.count > 0) this.#measureRange(range);
      }
      return this.#distances.at;
    };
    return retry(measure, () => {
      for (const buffer of [this.#job, this.#distances, this.#verdicts, this.#scratch]) buffer.dispose();
    });
  }

  #measureRange(range: PairRange): void {
    const {
      context: { arena, pool },
    } = this.#host;
    const { pairAt, isSwapped, aAt, bAt, from, count } = range;
    const sliceCount = sliceCountOf(pool.threadCount, count, PAIRS_PER_SLICE);
    setWords(arena.u32, this.#job.at, MeasureJob, {
      pairAt,
      firstAt: aAt,
      secondAt: bAt,
      swapped: isSwapped ? 1 : 0,
      pointsAt: 0,
      count,
      distancesAt: this.#distances.at + 8 * from,
      nearestAt: 0,
      verdictsAt: this.#verdicts.at + 4 * from,
      scratchAt: this.#scratch.at,
      sliceCount,
      areIntersecting: 0,
    });
    runStep(this.#host.context, 'measureTriangles', this.#job.at, sliceCount);
    this.#decideWide(range);
  }

  // Decides in BigInt whether two triangles intersect. This is done only for pairs that the kernel could not
  // decide, because the exponents of the coordinates span too wide a range for floating-point expansions. Sets
  // the distance of intersecting triangles to 0.
  #decideWide({ pairAt, isSwapped, aAt, bAt, from, count }: PairRange): void {
    const {
      context: { arena },
    } = this.#host;
    const resources = this.#resources;
    const verdicts = this.#verdicts;
    const distances = this.#distances;
    const points = new Float64Array(18);
    const { u32 } = arena;
    for (let i = 0; i < count; i++) {
      if (u32[verdicts.at / 4 + from + i] !== limits.TOO_WIDE) continue;
      const a = u32[aAt / 4 + i];
      const b = u32[bAt / 4 + i];
      resources.writePlacedPoints(arena, pairAt, isSwapped ? b : a, isSwapped ? a : b, points, 0);
      if (resources.trianglesIntersectExact(points)) arena.f64[distances.at / 8 + from + i] = 0;
    }
  }
}

/**
 * The triangle pairs of one placed pair of meshes. aAt, bAt: the addresses of their triangle numbers. from: the
 * index that the first of these triangle pairs has in the whole result.
 */
interface PairRange {
  pairAt: number;
  isSwapped: boolean;
  aAt: number;
  bAt: number;
  from: number;
  count: number;
}

const wordsToBits = (hits: Uint32Array): Uint32Array => {
  const bits = new Uint32Array(Math.ceil(hits.length / 32));
  hits.forEach((hit, i) => {
    bits[i >>> 5] |= hit << (i & 31);
  });
  return bits;
};
