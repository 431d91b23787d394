// Finds the intersecting triangle pairs of two placed meshes, with the kind of each pair and the points that
// its triangles share.

import { Unsupported } from '../core/errors.js';
import type { EngineHost, QueryResources } from '../core/module.js';
import {
  type OverlapOptions,
  type QueryManyOptions,
  type QueryOptions,
  readPair,
  readPairs,
} from '../core/queryOptions.js';
import type { ResultLocation } from '../core/results.js';
import type { Mesh } from '../mesh/mesh.js';
import { PairRecord } from '../records/layout.js';
import { setWords } from '../records/record.js';
import { SegmentJob, SegmentSlice, segmentLimits } from '../records/segmentLayout.js';
import { BlockGroup } from '../runtime/blockGroup.js';
import { retry } from '../runtime/retry.js';
import { sliceCountOf } from '../runtime/sliceCount.js';
import { runStep } from '../runtime/steps.js';
import { writeContactNormal } from './contactNormals.js';
import { ContactSegments, ManyContactSegments, type SegmentsLocation } from './contactSegments.js';
import { intersectTrianglesExact, type TriangleIntersection } from './intersectTrianglesExact.js';
import type { OverlapFigures } from './overlapFigures.js';

/** Options of `query` with want: 'segments'. */
export interface SegmentOptions extends Omit<QueryOptions, 'want'>, OverlapOptions {
  /** Also returns the point, segment or polygon that each pair shares. */
  want: 'segments';
  /** Whether to compute the contact normal of each pair; see `ContactSegments.normals`. Default false. */
  normals?: boolean;
}

/** Options of `queryMany` with want: 'segments'. */
export interface ManySegmentOptions extends Omit<QueryManyOptions, 'want'> {
  /** Also returns the point, segment or polygon that each pair shares. */
  want: 'segments';
  /**
   * Whether to compute the contact normal of each triangle pair; see `ContactSegments.normals`. Default
   * false.
   */
  normals?: boolean;
}

/**
 * The location of triangle pairs in engine memory. `kind`: one of contactKinds for each pair, as a view that
 * is valid until the engine's next query.
 */
export interface PairKinds extends ResultLocation {
  kind: Uint8Array;
}

const POINT_BYTES = 24;
/**
 * Initial capacity of the list of points, in points per pair. Most pairs share a segment, which has two end
 * points.
 */
const POINTS_PER_PAIR = 2;
/** With fewer pairs per thread than this, handing work to another thread costs more than it saves. */
const PAIRS_PER_SLICE = 256;
/**
 * If the trees of both meshes have fewer leaves than this in total, a second thread costs more than it saves.
 */
const FEW_LEAVES = 512;

/**
 * A placed pair of the last run. `pairAt`: byte address of its PairRecord. `isSwapped`: whether the record
 * has the caller's meshes A and B in the opposite order.
 */
interface Placed {
  pairAt: number;
  isSwapped: boolean;
}

export class SegmentFinder {
  readonly #host: EngineHost;
  readonly #exactTests: QueryResources;
  // Memory of the last result.
  readonly #answer: BlockGroup;
  // Memory of the joined results of many placed pairs.
  readonly #joined: BlockGroup;
  #kindsAt = 0;
  #startsAt = 0;
  #pointsAt = 0;
  #pointCount = 0;
  // The placed pair of the last query of one pair.
  #placed: Placed = { pairAt: 0, isSwapped: false };

  constructor(host: EngineHost) {
    this.#host = host;
    this.#exactTests = host.makeQueryResources();
    [this.#answer, this.#joined] = [new BlockGroup(host.context.arena), new BlockGroup(host.context.arena)];
  }

  /**
   * Finds the pairs that `query` returns, and the kind and the shared points of each pair. figures: figures of
   * the overlap, which are added to the result.
   * @throws as query
   */
  findSegments(a: Mesh, b: Mesh, options: SegmentOptions, figures?: OverlapFigures): ContactSegments {
    const host = this.#host;
    const {
      context: { arena },
    } = this.#host;
    const place = this.#find(a, b, options, true);
    const normals = options.normals ? this.#normalsOf(place, [this.#placed]) : undefined;
    return new ContactSegments(
      {
        ...place,
        memory: arena,
        kindsAt: this.#kindsAt,
        startsAt: this.#startsAt,
        coordinatesAt: this.#pointsAt,
        pointCount: this.#pointCount,
      },
      host.clock,
      host.summarize,
      { ...figures, ...(normals && { normals }) },
    );
  }

  /** Finds the pairs that `query` returns, and the kind of each pair. @throws as query */
  findKinds(a: Mesh, b: Mesh, options: Omit<QueryOptions, 'want'> = {}): PairKinds {
    const place = this.#find(a, b, options, false);
    return {
      ...place,
      kind: this.#host.context.arena.u8.subarray(this.#kindsAt, this.#kindsAt + place.count),
    };
  }

  /**
   * Finds the triangle pairs and points of many placed pairs of meshes. The results are in the order of the
   * placed pairs.
   * @returns undefined if `want` is not 'segments'.
   * @throws as queryMany
   */
  findManySegments(options: ManySegmentOptions): ManyContactSegments | undefined {
    const host = this.#host;
    const {
      writer,
      context: { arena },
    } = host;
    const { want, order, normals: needsNormals } = options;
    if (want !== 'segments') return undefined;
    checkClearance(options);
    const pairs = readPairs(options as Omit<ManySegmentOptions, 'want'>);
    const front = host.run('run', system => writer.write(system, pairs), options);
    const place = host.join(pairs.length, writer.swapped, order);
    this.#answer.releaseAll();
    const found = retry(() => this.#findAll(place, front.pairs.at));
    const normals = needsNormals
      ? this.#normalsOf(
          place,
          pairs.map((_, i) => ({
            pairAt: front.pairs.at + i * PairRecord.size,
            isSwapped: writer.swapped[i] === 1,
          })),
        )
      : undefined;
    return new ManyContactSegments(
      { ...place, memory: arena, ...found },
      host.clock,
      host.summarize,
      normals && { normals },
    );
  }

  // Computes the contact normals of all triangle pairs. placed: the placed pairs to which they belong.
  #normalsOf({ aAt, bAt, count, pairsAt }: ResultLocation, placed: readonly Placed[]): Float64Array {
    const {
      context: { arena },
    } = this.#host;
    const normals = new Float64Array(3 * count);
    const corners = new Float64Array(18);
    placed.forEach(({ pairAt, isSwapped }, one) => {
      for (let i = pairsAt[one]; i < pairsAt[one + 1]; i++) {
        const a = arena.u32[aAt / 4 + i];
        const b = arena.u32[bAt / 4 + i];
        this.#exactTests.writePlacedPoints(arena, pairAt, isSwapped ? b : a, isSwapped ? a : b, corners, 0);
        writeContactNormal(corners, isSwapped ? 9 : 0, normals, 3 * i);
      }
    });
    return normals;
  }

  #findAll(
    place: ResultLocation,
    pairsAt: number,
  ): Pick<SegmentsLocation, 'kindsAt' | 'startsAt' | 'coordinatesAt' | 'pointCount'> {
    const joined = this.#joined;
    const {
      context: { arena },
      writer,
    } = this.#host;
    const { count, pairsAt: offsets } = place;
    const points: Float64Array[] = [];
    joined.releaseAll();
    const kindsAt = joined.take(count);
    const startsAt = joined.take(4 * count + 4);
    let pointCount = 0;
    for (let i = 0; i + 1 < offsets.length; i++) {
      const from = offsets[i];
      const to = offsets[i + 1];
      if (from === to) continue;
      this.#findOne(
        { ...place, aAt: place.aAt + 4 * from, bAt: place.bAt + 4 * from, count: to - from },
        { pairAt: pairsAt + i * PairRecord.size, isSwapped: writer.swapped[i] === 1 },
        true,
      );
      const { u8, u32, f64 } = arena;
      u8.copyWithin(kindsAt + from, this.#kindsAt, this.#kindsAt + to - from);
      for (let k = 0; k < to - from; k++)
        u32[startsAt / 4 + from + k] = u32[this.#startsAt / 4 + k] + pointCount;
      points.push(f64.slice(this.#pointsAt / 8, this.#pointsAt / 8 + 3 * this.#pointCount));
      pointCount += this.#pointCount;
    }
    this.#answer.releaseAll();
    const coordinatesAt = joined.take(POINT_BYTES * pointCount);
    const { u32, f64 } = arena;
    u32[startsAt / 4 + count] = pointCount;
    points.reduce((at, part) => {
      f64.set(part, at);
      return at + part.length;
    }, coordinatesAt / 8);
    return { kindsAt, startsAt, coordinatesAt, pointCount };
  }

  #find(a: Mesh, b: Mesh, options: QueryOptions | SegmentOptions, needsPoints: boolean): ResultLocation {
    const host = this.#host;
    const { context, writer } = this.#host;
    checkClearance(options);
    const { transformA, transformB, order, parts, stealing, coherence } = options;
    const pairs = [readPair({ a, b, transformA, transformB })];
    const isSmall = host.owns(a) && host.owns(b) && a.leafCount + b.leafCount < FEW_LEAVES;
    const front = host.run('run', system => writer.write(system, pairs), {
      parts: parts ?? (isSmall ? 1 : context.pool.threadCount),
      stealing,
      coherence,
    });
    const isSwapped = writer.swapped[0] === 1;
    const place = host.join(1, writer.swapped, order);
    this.#placed = { pairAt: front.pairs.at, isSwapped };
    retry(() => this.#findOne(place, this.#placed, needsPoints));
    return place;
  }

  #findOne(place: ResultLocation, placed: Placed, needsPoints: boolean): void {
    const work = new BlockGroup(this.#host.context.arena);
    this.#answer.releaseAll();
    try {
      this.#run(place, placed, needsPoints, work);
    } catch (error) {
      this.#answer.releaseAll();
      throw error;
    } finally {
      work.releaseAll();
    }
  }

  #run(pairs: ResultLocation, placed: Placed, needsPoints: boolean, work: BlockGroup): void {
    const { context, initialPairCapacity } = this.#host;
    const answer = this.#answer;
    const { arena, pool } = context;
    const { count } = pairs;
    const sliceCount = sliceCountOf(pool.threadCount, count, PAIRS_PER_SLICE);
    const firstOf = (slice: number): number => Math.floor((slice * count) / sliceCount);
    this.#kindsAt = answer.take(count);
    this.#startsAt = needsPoints ? answer.take(4 * count + 4) : 0;
    const slicesAt = work.take(sliceCount * SegmentSlice.size);
    const scratchAt = work.take(sliceCount * segmentLimits.SEGMENT_SCRATCH_BYTES);
    const jobAt = work.take(SegmentJob.size);
    const read = (field: 'count' | 'undecided'): number[] =>
      Array.from(
        { length: sliceCount },
        (_, slice) => arena.u32[(slicesAt + slice * SegmentSlice.size + SegmentSlice.at[field]) / 4],
      );
    let capacity = Array.from({ length: sliceCount }, (_, slice) =>
      needsPoints ? (initialPairCapacity ?? POINTS_PER_PAIR * (firstOf(slice + 1) - firstOf(slice))) : 0,
    );
    for (;;) {
      this.#pointsAt = answer.take(POINT_BYTES * capacity.reduce((sum, points) => sum + points));
      writeSlices(arena.u32, slicesAt, capacity);
      setWords(arena.u32, jobAt, SegmentJob, {
        aAt: pairs.aAt,
        bAt: pairs.bAt,
        pairCount: count,
        sliceCount,
        cornersAt: 0,
        kindsAt: this.#kindsAt,
        startsAt: this.#startsAt,
        pointsAt: this.#pointsAt,
        slicesAt,
        scratchAt,
        ...this.#meshesOf(placed),
      });
      runStep(context, 'findSegments', jobAt, sliceCount);
      const found = read('count');
      const overflows = found.some((points, slice) => points > capacity[slice]);
      if (!overflows) break;
      capacity = found;
    }
    if (needsPoints) this.#joinSlices(read('count'), capacity, firstOf, count);
    if (read('undecided').some(left => left > 0)) this.#decideExactly(pairs, placed, needsPoints);
  }

  // Returns the meshes and placements of the caller's A and B. The record may have them in the opposite
  // order.
  #meshesOf({ pairAt, isSwapped }: Placed): Record<'meshA' | 'meshB' | 'placementA' | 'placementB', number> {
    const { u32 } = this.#host.context.arena;
    const [a, b] = isSwapped ? (['B', 'A'] as const) : (['A', 'B'] as const);
    const read = (field: 'meshA' | 'meshB' | 'placedA' | 'placedB'): number =>
      u32[(pairAt + PairRecord.at[field]) / 4];
    const placement = (side: 'A' | 'B'): number =>
      read(`placed${side}`) ? pairAt + PairRecord.at[`placement${side}`] : 0;
    return {
      meshA: read(`mesh${a}`),
      meshB: read(`mesh${b}`),
      placementA: placement(a),
      placementB: placement(b),
    };
  }

  // Each slice has written its points to a memory range of its own. Closes the gaps between these points, and
  // makes the offsets of all pairs relative to the first point of the first slice.
  #joinSlices(counts: number[], capacity: number[], firstOf: (slice: number) => number, count: number): void {
    const startsAt = this.#startsAt;
    const pointsAt = this.#pointsAt;
    const {
      context: {
        arena: { u8, u32 },
      },
    } = this.#host;
    let from = 0;
    let to = 0;
    counts.forEach((found, slice) => {
      if (from !== to)
        u8.copyWithin(
          pointsAt + POINT_BYTES * to,
          pointsAt + POINT_BYTES * from,
          pointsAt + POINT_BYTES * (from + found),
        );
      if (to > 0)
        for (let i = startsAt / 4 + firstOf(slice); i < startsAt / 4 + firstOf(slice + 1); i++) u32[i] += to;
      from += capacity[slice];
      to += found;
    });
    u32[startsAt / 4 + count] = to;
    this.#pointCount = to;
  }

  // Uses BigInt to decide the pairs that the kernel left undecided. A pair is undecided if its coordinates
  // span too many exponents for the kernel's floating-point expansions. It is also undecided if a coordinate
  // of a shared point is so close to the midpoint of two doubles that the kernel cannot round it. Undecided
  // pairs have no points so far.
  #decideExactly(
    { aAt, bAt, count }: ResultLocation,
    { pairAt, isSwapped }: Placed,
    needsPoints: boolean,
  ): void {
    const exactTests = this.#exactTests;
    const startsAt = this.#startsAt;
    const pointsAt = this.#pointsAt;
    const {
      context: { arena },
    } = this.#host;
    const { u8, u32 } = arena;
    const settled = new Map<number, TriangleIntersection>();
    const corners = new Float64Array(18);
    const swapped = new Float64Array(18);
    for (let i = 0; i < count; i++) {
      if (u8[this.#kindsAt + i] !== segmentLimits.UNDECIDED) continue;
      const a = u32[aAt / 4 + i];
      const b = u32[bAt / 4 + i];
      exactTests.writePlacedPoints(arena, pairAt, isSwapped ? b : a, isSwapped ? a : b, corners, 0);
      swapped.set(corners.subarray(9));
      swapped.set(corners.subarray(0, 9), 9);
      const set = intersectTrianglesExact(isSwapped ? swapped : corners);
      u8[this.#kindsAt + i] = set.kind;
      settled.set(i, set);
    }
    if (!needsPoints) return;
    const known = arena.f64.slice(pointsAt / 8, pointsAt / 8 + 3 * this.#pointCount);
    const offsets = u32.slice(startsAt / 4, startsAt / 4 + count + 1);
    const all = new Float64Array(
      known.length + [...settled.values()].reduce((sum, set) => sum + set.points.length, 0),
    );
    let end = 0;
    for (let i = 0; i < count; i++) {
      const own = settled.get(i)?.points ?? known.subarray(3 * offsets[i], 3 * offsets[i + 1]);
      u32[startsAt / 4 + i] = end / 3;
      all.set(own, end);
      end += own.length;
    }
    u32[startsAt / 4 + count] = this.#pointCount = end / 3;
    this.#pointsAt = this.#answer.take(all.byteLength);
    arena.f64.set(all, this.#pointsAt / 8);
  }
}

/** Rejects a clearance in a query for segments. @throws Unsupported */
export function checkClearance(options: object): void {
  const { clearance } = options as { clearance?: unknown };
  if (clearance !== undefined)
    throw new Unsupported(
      `clearance is ${String(clearance)}, but want is 'segments': clearance also returns pairs that share no point, and such pairs have no segments`,
      "omit clearance, or pass want: 'pairs'",
    );
}

// Writes the number of each slice's first point and the slice's capacity in points. The ranges of the slices
// follow one another without gaps.
function writeSlices(u32: Uint32Array, slicesAt: number, capacity: readonly number[]): void {
  let first = 0;
  capacity.forEach((points, slice) => {
    setWords(u32, slicesAt + slice * SegmentSlice.size, SegmentSlice, { first, capacity: points });
    first += points;
  });
}
