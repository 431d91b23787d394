// Computes the distance between two placed meshes by branch and bound over both trees, on all threads.

import { copyOptions, nonNegative, type OptionTable } from '../core/checkOptions.js';
import type { EngineHost, QueryResources } from '../core/module.js';
import { PLACED, type PlacedPair, readPair } from '../core/queryOptions.js';
import type { Transform } from '../core/transform.js';
import type { Mesh } from '../mesh/mesh.js';
import type { StartingFront } from '../narrowphase/startingFront.js';
import {
  DistanceJob,
  DistanceSearch,
  distanceLimits,
  MeasureJob,
  NodePairEntry,
} from '../records/distanceLayout.js';
import { limits, PairRecord } from '../records/layout.js';
import { setWords } from '../records/record.js';
import { BlockGroup } from '../runtime/blockGroup.js';
import { retry } from '../runtime/retry.js';
import { runStep } from '../runtime/steps.js';
import { copyScaleOf } from './copyScale.js';
import { extentOf, normalizeWeights, rowsToCommon, rowsToStored, scaleOf, weightsOf } from './metric.js';

/** Options of `distance`. All are optional. */
export interface DistanceOptions {
  /** Placement of mesh A in the common frame: 16 numbers, column-major. Default: the identity. */
  transformA?: Transform;
  /** Placement of mesh B in the common frame, in the same format. Default: the identity. */
  transformB?: Transform;
  /**
   * The largest distance of interest, in units of the common frame. If the meshes are farther apart, the
   * result is null, and the call is faster. Default: no limit.
   */
  max?: number;
}

const DISTANCE: OptionTable<DistanceOptions> = { ...PLACED, max: nonNegative };

/** The distance between two meshes, with their nearest points and triangles. */
export interface Distance {
  /**
   * The distance in units of the common frame. It is 0 only if the meshes share a point, which is decided
   * exactly.
   */
  distance: number;
  /** The nearest point of mesh A in the common frame. If the meshes intersect, a point of both meshes. */
  pointA: [number, number, number];
  /** The nearest point of mesh B in the common frame. */
  pointB: [number, number, number];
  /**
   * The triangle of mesh A on which pointA lies. If several pairs of triangles are equally near, the result has
   * the pair with the smallest triangleA, and among such pairs the one with the smallest triangleB.
   */
  triangleA: number;
  /** The triangle of mesh B on which pointB lies. */
  triangleB: number;
  /** Statistics of the search. */
  stats: DistanceStats;
}

/** Statistics of a distance query. */
export interface DistanceStats {
  /** Pairs of boxes for which a lower bound of the distance was computed. */
  boxTests: number;
  /** Pairs of leaves that were tested. */
  leafPairs: number;
  /** Pairs of triangles whose distance was computed. */
  triangleTests: number;
  /**
   * The search starts on one thread. This is the number of pairs of boxes that this thread left for all threads
   * to search; 0 if it completed the search alone.
   */
  frontNodes: number;
}

type Point = [number, number, number];
interface PlacedQuery extends PlacedPair {
  max?: number | undefined;
}

/**
 * Data of a pair of meshes that is kept for the next query: the nearest triangles of the last query, and the
 * starting front for finding intersecting triangles.
 */
interface CachedResult {
  triangleA: number;
  triangleB: number;
  fronts: (StartingFront | undefined)[];
}

/** A search runs on one thread until it has done this many box tests; then all threads take part. */
const SINGLE_THREAD_TESTS = 16384;
/** Capacity of the list of box pairs that one thread leaves to all threads. */
const FRONT_CAPACITY = 4096;
/** Error bound of computeTriangleDistance, relative to the extent of both triangles. */
const ERROR = 2 ** -46;
/** Initial capacity of each thread's list of the triangle pairs that only BigInt can decide. */
const WIDE_CAPACITY = 64;

const at = DistanceJob.at;

export class DistanceQuery {
  readonly #host: EngineHost;
  readonly #resources: QueryResources;
  /** The engine memory of one query. */
  readonly #blocks: BlockGroup;
  #pairAt = 0;
  #jobAt = 0;
  #searchesAt = 0;
  #depth = 0;
  #wideCapacity = WIDE_CAPACITY;
  readonly #cachedResults = new WeakMap<Mesh, WeakMap<Mesh, CachedResult>>();

  constructor(host: EngineHost) {
    this.#host = host;
    this.#resources = host.makeQueryResources();
    this.#blocks = new BlockGroup(host.context.arena);
  }

  /** Runs a distance query. @throws Unsupported, InvalidTransform, Disposed, Capacity */
  run(a: Mesh, b: Mesh, options: DistanceOptions): Distance | null {
    const { transformA, transformB, max } = copyOptions(DISTANCE, options);
    const query: PlacedQuery = { ...readPair({ a, b, transformA, transformB }), max };
    try {
      return retry(
        () => this.#find(query),
        () => this.#release(),
      );
    } finally {
      this.#release();
    }
  }

  #release(): void {
    this.#blocks.releaseAll();
    this.#resources.writer.release();
  }

  #find(query: PlacedQuery): Distance | null {
    const {
      context: { arena, pool },
    } = this.#host;
    const { a, b } = query;
    const [treeA, treeB] = this.#place(query);
    if (a.triangleCount === 0 || b.triangleCount === 0) return null;
    for (;;) {
      const threads = pool.threadCount;
      this.#prepare(treeA, treeB, query, threads);
      pool.kernels.bestFirstDistance(this.#jobAt, 0, 1);
      const frontNodes = arena.u32[(this.#jobAt + at.frontCount) / 4];
      this.#shareDirections(threads);
      if (frontNodes > 0 && !this.#intersects)
        runStep(this.#host.context, 'refineDistance', this.#jobAt, threads);
      if (this.#intersects || this.#wideTrianglesIntersect(threads))
        return this.#intersection(query, threads);
      if (!this.#growWide(threads)) return this.#nearest(query, threads);
    }
  }

  // Copies directions from the first thread's search to the searches of all other threads. The directions are
  // the fields alongA to sizeB of DistanceSearch; lower bounds of distances are computed along them.
  #shareDirections(threads: number): void {
    const { f32 } = this.#host.context.arena;
    const { words } = this.#search(0);
    const from = words + DistanceSearch.at.alongA / 4;
    for (let i = 1; i < threads; i++)
      f32.copyWithin(this.#search(i).words + DistanceSearch.at.alongA / 4, from, from + 24);
  }

  get #intersects(): boolean {
    return this.#host.context.arena.u32[(this.#jobAt + at.intersects) / 4] === 1;
  }

  #place(query: PlacedQuery): readonly Mesh[] {
    this.#depth = 0;
    const at = (this.#pairAt = this.#blocks.take(PairRecord.size));
    const target = {
      pairs: { at },
      reservePairs: () => at,
      noteDepth: (depth: number) => {
        this.#depth = depth;
      },
    };
    return this.#resources.writer.write(target, [query]);
  }

  #prepare(treeA: Mesh, treeB: Mesh, { a, b, max }: PlacedQuery, threads: number): void {
    const {
      context: { arena },
    } = this.#host;
    const { writer } = this.#resources;
    const isSwapped = writer.swapped[0] === 1;
    const frontAt = this.#blocks.take((FRONT_CAPACITY + 1) * NodePairEntry.size);
    const jobAt = (this.#jobAt = this.#blocks.take(DistanceJob.size));
    const searchesAt = (this.#searchesAt = this.#allocateSearches(threads));
    const pairAt = this.#pairAt;
    const copyScale = writer.hasCopies ? copyScaleOf(arena, pairAt) : 1;
    const scale = (tree: Mesh): number => copyScale * scaleOf(arena, tree.recordAt);
    const rowsOf = (side: 'A' | 'B', tree: Mesh) =>
      rowsToStored(arena, pairAt, side, scale(tree), writer.hasCopies);
    const extent = extentOf(arena, pairAt, (isSwapped ? b : a).bounds, (isSwapped ? a : b).bounds);
    const { unit, weightsA, weightsB } = normalizeWeights(
      weightsOf(rowsOf('A', treeA)),
      weightsOf(rowsOf('B', treeB)),
      extent,
    );
    // The nearest triangles of the last query are a good start. They are valid even if a mesh has deformed,
    // because deformation does not change triangle indices.
    const hint = this.#cachedResultOf(a, b);
    arena.u8.fill(0, jobAt, jobAt + DistanceJob.size);
    setWords(arena.u32, jobAt, DistanceJob, {
      pairAt,
      searchesAt,
      frontAt,
      frontCapacity: FRONT_CAPACITY,
      budget: threads === 1 ? limits.NOTHING : SINGLE_THREAD_TESTS,
      swapped: isSwapped ? 1 : 0,
      hintA: isSwapped ? hint.triangleB : hint.triangleA,
      hintB: isSwapped ? hint.triangleA : hint.triangleB,
    });
    arena.f32.set(weightsA, (jobAt + at.weightsA) / 4);
    arena.f32.set(weightsB, (jobAt + at.weightsB) / 4);
    arena.f64.set(
      rowsToCommon(arena, pairAt, 'A', scale(treeA), writer.hasCopies).map(value => value / unit),
      (jobAt + at.toCommon) / 8,
    );
    arena.f64[(jobAt + at.unit) / 8] = unit;
    arena.f64[(jobAt + at.margin) / 8] = ERROR * extent;
    arena.f64[(jobAt + at.best) / 8] = max ?? Infinity;
  }

  // Allocates one DistanceSearch per thread, with a stack, scratch memory, and a list for the triangle pairs
  // that only BigInt can decide.
  #allocateSearches(threads: number): number {
    const {
      context: { arena },
    } = this.#host;
    const stackBytes = 16 * (this.#depth + 2) * NodePairEntry.size;
    const wideBytes = 8 * this.#wideCapacity;
    const bytes = stackBytes + distanceLimits.DISTANCE_SEARCH_BYTES + wideBytes;
    const searchesAt = this.#blocks.take(threads * DistanceSearch.size);
    const scratchAt = this.#blocks.take(threads * bytes);
    arena.u8.fill(0, searchesAt, searchesAt + threads * DistanceSearch.size);
    for (let i = 0; i < threads; i++) {
      const stackAt = scratchAt + i * bytes;
      setWords(arena.u32, searchesAt + i * DistanceSearch.size, DistanceSearch, {
        stackAt,
        scratchAt: stackAt + stackBytes,
        wideAt: stackAt + stackBytes + distanceLimits.DISTANCE_SEARCH_BYTES,
        wideCapacity: this.#wideCapacity,
        triangleA: limits.NOTHING,
        triangleB: limits.NOTHING,
      });
    }
    return searchesAt;
  }

  #search(i: number): { words: number; doubles: number } {
    const searchAt = this.#searchesAt + i * DistanceSearch.size;
    return { words: searchAt / 4, doubles: searchAt / 8 };
  }

  // Tests in BigInt the pairs of triangles that the kernels left undecided, because the exponents of their
  // coordinates span too wide a range for floating-point expansions. Returns whether any of these pairs
  // intersects.
  #wideTrianglesIntersect(threads: number): boolean {
    const {
      context: { arena },
    } = this.#host;
    const resources = this.#resources;
    const points = new Float64Array(18);
    for (let i = 0; i < threads; i++) {
      const { words } = this.#search(i);
      const { u32 } = arena;
      const from = u32[words + DistanceSearch.at.wideAt / 4] / 4;
      const count = Math.min(u32[words + DistanceSearch.at.wideCount / 4], this.#wideCapacity);
      for (let k = 0; k < count; k++) {
        resources.writePlacedPoints(arena, this.#pairAt, u32[from + 2 * k], u32[from + 2 * k + 1], points, 0);
        if (resources.trianglesIntersectExact(points)) return true;
      }
    }
    return false;
  }

  // If a thread's list of undecided triangle pairs was too short, enlarges the capacity for the next attempt
  // and returns true.
  #growWide(threads: number): boolean {
    let maxCount = 0;
    for (let i = 0; i < threads; i++)
      maxCount = Math.max(
        maxCount,
        this.#host.context.arena.u32[this.#search(i).words + DistanceSearch.at.wideCount / 4],
      );
    const isShort = maxCount > this.#wideCapacity;
    if (isShort) this.#wideCapacity = 2 * maxCount;
    return isShort;
  }

  #statsOf(threads: number): DistanceStats {
    const { u32, f64 } = this.#host.context.arena;
    const sum = (name: 'boxTests' | 'leafPairs' | 'triangleTests'): number => {
      let all = 0;
      for (let i = 0; i < threads; i++) all += f64[this.#search(i).doubles + DistanceSearch.at[name] / 8];
      return all;
    };
    return {
      boxTests: sum('boxTests'),
      leafPairs: sum('leafPairs'),
      triangleTests: sum('triangleTests'),
      frontNodes: u32[(this.#jobAt + at.frontCount) / 4],
    };
  }

  #nearest({ a, b }: PlacedQuery, threads: number): Distance | null {
    const { u32, f64 } = this.#host.context.arena;
    const { at: of } = DistanceSearch;
    const stats = this.#statsOf(threads);
    let found: Distance | null = null;
    for (let i = 0; i < threads; i++) {
      const { words, doubles } = this.#search(i);
      const distance = f64[doubles + of.distance / 8];
      const points = doubles + of.points / 8;
      const triangleA = u32[words + of.triangleA / 4];
      const triangleB = u32[words + of.triangleB / 4];
      if (triangleA === limits.NOTHING || (found && !isBefore({ distance, triangleA, triangleB }, found)))
        continue;
      found = {
        distance,
        pointA: pointAt(f64, points),
        pointB: pointAt(f64, points + 3),
        triangleA,
        triangleB,
        stats,
      };
    }
    if (found)
      Object.assign(this.#cachedResultOf(a, b), { triangleA: found.triangleA, triangleB: found.triangleB });
    return found;
  }

  #cachedResultOf(a: Mesh, b: Mesh): CachedResult {
    let ofA = this.#cachedResults.get(a);
    if (!ofA) this.#cachedResults.set(a, (ofA = new WeakMap()));
    let cached = ofA.get(b);
    if (!cached)
      ofA.set(b, (cached = { triangleA: limits.NOTHING, triangleB: limits.NOTHING, fronts: [undefined] }));
    return cached;
  }

  // Returns the result for meshes that intersect. Finds all intersecting triangle pairs and chooses the pair
  // with the smallest triangleA, and among such pairs the one with the smallest triangleB.
  #intersection(query: PlacedQuery, threads: number): Distance {
    const host = this.#host;
    const {
      context: { arena },
    } = host;
    const cached = this.#cachedResultOf(query.a, query.b);
    const stats = this.#statsOf(threads);
    host.run('run', front => host.writer.write(front, [query]), {}, cached.fronts);
    const { aAt, bAt, count } = host.join(1, host.writer.swapped, 'any');
    let triangleA: number = limits.NOTHING;
    let triangleB: number = limits.NOTHING;
    for (let i = 0; i < count; i++) {
      const first = arena.u32[aAt / 4 + i];
      const second = arena.u32[bAt / 4 + i];
      if (first < triangleA || (first === triangleA && second < triangleB)) {
        triangleA = first;
        triangleB = second;
      }
    }
    const point = this.#commonPoint(triangleA, triangleB);
    Object.assign(cached, { triangleA, triangleB });
    return { distance: 0, pointA: point, pointB: [...point], triangleA, triangleB, stats };
  }

  #commonPoint(triangleA: number, triangleB: number): Point {
    const {
      context: { arena, pool },
    } = this.#host;
    const resources = this.#resources;
    const isSwapped = resources.writer.swapped[0] === 1;
    const points = new Float64Array(18);
    resources.writePlacedPoints(
      arena,
      this.#pairAt,
      isSwapped ? triangleB : triangleA,
      isSwapped ? triangleA : triangleB,
      points,
      0,
    );
    const scratchAt = this.#blocks.take(distanceLimits.MEASURE_BYTES + 256);
    const pointsAt = scratchAt + distanceLimits.MEASURE_BYTES;
    const distancesAt = pointsAt + 144;
    const nearestAt = distancesAt + 8;
    const jobAt = this.#blocks.take(MeasureJob.size);
    arena.f64.set(points, pointsAt / 8);
    setWords(arena.u32, jobAt, MeasureJob, {
      pairAt: 0,
      pointsAt,
      count: 1,
      distancesAt,
      nearestAt,
      verdictsAt: 0,
      scratchAt,
      sliceCount: 1,
      areIntersecting: 1,
    });
    pool.kernels.measureTriangles(jobAt, 0, 1);
    return pointAt(arena.f64, nearestAt / 8);
  }
}

const pointAt = (f64: Float64Array, at: number): Point => [f64[at], f64[at + 1], f64[at + 2]];

type Rank = Pick<Distance, 'distance' | 'triangleA' | 'triangleB'>;

const isBefore = (one: Rank, other: Rank): boolean =>
  one.distance - other.distance < 0 ||
  (one.distance === other.distance &&
    (one.triangleA - other.triangleA || one.triangleB - other.triangleB) < 0);
