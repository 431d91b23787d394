// Finds the poses in which queried pairs of bodies intersect. All threads process one chunk of poses after
// another, so that engine memory does not grow with the number of poses.

import type { EngineHost } from '../core/module.js';
import type { PartitionOptions, PlacedPair } from '../core/queryOptions.js';
import { readTransform } from '../core/transform.js';
import type { ClearanceQuery } from '../proximity/clearanceQuery.js';
import type { DistanceQuery } from '../proximity/distanceQuery.js';
import { limits } from '../records/layout.js';
import { PosesJob, posesLimits } from '../records/posesLayout.js';
import { setWords } from '../records/record.js';
import { BlockGroup } from '../runtime/blockGroup.js';
import { PAGE_BYTES } from '../runtime/memory.js';
import { retry } from '../runtime/retry.js';
import { runStep } from '../runtime/steps.js';
import { PoseMemory } from './poseMemory.js';
import type { PoseQuery } from './poseQuery.js';

/**
 * Max bytes that the poses of a chunk take in engine memory. The pair bits of a chunk have the same limit. A
 * chunk of 32 poses, the minimum, may exceed the limit.
 */
const CHUNK_BYTES = 64 * PAGE_BYTES;
/**
 * Max number of pairs per ordinary engine query. These queries decide the poses that the kernel left undecided.
 * If a single pose has more pairs, one query tests all of them.
 */
const UNDECIDED_PAIRS = 1024;

/** The results of a search, in arrays outside engine memory. */
export interface PoseBits {
  /** Bit i % 32 of word floor(i / 32) is 1 if a queried pair intersects in pose i. */
  hits: Uint32Array;
  /**
   * With `want: 'first'`: for each pose, the index of the first queried pair that intersects, or NOTHING. For
   * any other `want`, empty.
   */
  first: Uint32Array;
  /**
   * With `want: 'pairs-any'`: bit pose * pairCount + pair is 1 if the pair intersects in the pose. For any
   * other `want`, empty.
   */
  each: Uint32Array;
  /**
   * With `want: 'distance'`, one entry per pose. distances: the smallest distance of a pair, or Infinity.
   * nearest: the index of this pair, or NOTHING. For any other `want`, both are empty.
   */
  distances: Float64Array;
  nearest: Uint32Array;
  /** Number of tests of the trees of two bodies, over all tested poses. */
  nearCount: number;
}

/** The memory of one call: memory for the slices, for the poses of a chunk, and for the output of a chunk. */
interface CallMemory {
  slices: PoseMemory;
  posesAt: number;
  outAt: number;
}

const wants = {
  any: posesLimits.WANT_ANY,
  first: posesLimits.WANT_FIRST,
  'pairs-any': posesLimits.WANT_EACH,
  distance: posesLimits.WANT_DISTANCE,
} as const;
const setBit = (words: Uint32Array, bit: number): void => {
  words[Math.floor(bit / 32)] |= 1 << (bit % 32);
};

export class PoseSearch {
  readonly #host: EngineHost;
  readonly #clearances: ClearanceQuery;
  readonly #distances: DistanceQuery;
  readonly #rows = new Float64Array(12);

  constructor(host: EngineHost, clearances: ClearanceQuery, distances: DistanceQuery) {
    this.#host = host;
    this.#clearances = clearances;
    this.#distances = distances;
  }

  /**
   * Runs the query.
   * @throws InvalidTransform naming the first pose that has an invalid matrix; Disposed, Capacity
   */
  run(poseQuery: PoseQuery): PoseBits {
    const blocks = new BlockGroup(this.#host.context.arena);
    try {
      return this.#runAll(poseQuery, blocks);
    } finally {
      blocks.releaseAll();
    }
  }

  #runAll(poseQuery: PoseQuery, blocks: BlockGroup): PoseBits {
    const { poseCount, pairCount, want } = poseQuery;
    const chunk =
      32 *
      Math.max(
        1,
        Math.floor(Math.min(CHUNK_BYTES / (32 * poseQuery.poseBytes), CHUNK_BYTES / (4 * pairCount + 4))),
      );
    const bits: PoseBits = {
      hits: new Uint32Array(Math.ceil(poseCount / 32)),
      first: new Uint32Array(want === 'first' ? poseCount : 0),
      each: new Uint32Array(want === 'pairs-any' ? Math.ceil((poseCount * pairCount) / 32) : 0),
      distances: new Float64Array(want === 'distance' ? poseCount : 0),
      nearest: new Uint32Array(want === 'distance' ? poseCount : 0),
      nearCount: 0,
    };
    // The number of tests in the present memory that bits.nearCount already includes.
    let counted = 0;
    for (let begin = 0, memory: CallMemory | undefined; begin < poseCount; begin += chunk) {
      const count = Math.min(chunk, poseCount - begin);
      memory = retry(
        () => {
          const callMemory = memory ?? this.#begin(poseQuery, blocks, count);
          this.#run(poseQuery, callMemory, begin, count);
          return callMemory;
        },
        () => {
          memory = undefined;
          counted = 0;
          blocks.releaseAll();
        },
      );
      this.#throwIfInvalid(poseQuery, memory, begin);
      this.#readChunk(poseQuery, memory, bits, begin, count);
      bits.nearCount += memory.slices.nearCount - counted;
      counted = memory.slices.nearCount;
    }
    return bits;
  }

  #begin(poseQuery: PoseQuery, blocks: BlockGroup, count: number): CallMemory {
    const { want, pairCount } = poseQuery;
    const slices = new PoseMemory(
      this.#host.context,
      blocks,
      poseQuery,
      want === 'distance' ? 'distances' : 'hits',
    );
    // The number of output words for each group of 32 poses, without the word of hits and the word of undecided
    // poses.
    const words = { any: 0, first: 32, 'pairs-any': pairCount, distance: 64 + 32 }[want];
    return {
      slices,
      posesAt: blocks.take(count * poseQuery.poseBytes),
      outAt: blocks.take(4 * Math.ceil(count / 32) * (2 + words)),
    };
  }

  #run(
    { want, poses, clearance, max, numbersPerPose }: PoseQuery,
    { slices, posesAt, outAt }: CallMemory,
    begin: number,
    count: number,
  ): void {
    const { arena } = this.#host.context;
    const wordCount = Math.ceil(count / 32);
    const isDouble = poses instanceof Float64Array;
    const moreAt = outAt + 8 * wordCount;
    (isDouble ? arena.f64 : arena.f32).set(
      poses.subarray(numbersPerPose * begin, numbersPerPose * (begin + count)),
      posesAt / poses.BYTES_PER_ELEMENT,
    );
    setWords(arena.u32, slices.jobAt, PosesJob, {
      posesAt,
      isDouble: isDouble ? 1 : 0,
      poseCount: count,
      want: wants[want],
      hitsAt: outAt,
      undecidedAt: outAt + 4 * wordCount,
      firstAt: want === 'distance' ? moreAt + 8 * 32 * wordCount : moreAt,
      eachAt: moreAt,
      distancesAt: moreAt,
      cursor: 0,
    });
    arena.f64[(slices.jobAt + PosesJob.at.clearance) / 8] = clearance;
    arena.f64[(slices.jobAt + PosesJob.at.max) / 8] = max;
    runStep(this.#host.context, 'testPoses', slices.jobAt, Math.min(slices.sliceCount, wordCount));
  }

  // Throws InvalidTransform if a pose of the chunk has an invalid matrix. Slices take groups of 32 poses in
  // ascending order. So the smallest number that any slice has stored belongs to the first invalid pose of the
  // chunk.
  #throwIfInvalid(poseQuery: PoseQuery, { slices }: CallMemory, begin: number): void {
    const invalid = slices.firstInvalidPose();
    if (invalid === undefined) return;
    const pose = begin + invalid;
    const { movingCount } = poseQuery;
    const placements = poseQuery.placementsIn(pose, this.#host.context);
    for (let body = 0; body < movingCount; body++) {
      readTransform(
        movingCount > 1 ? `pose ${pose}, body ${body}: matrix` : `pose ${pose}: matrix`,
        placements.subarray(16 * body, 16 * body + 16),
        this.#rows,
        0,
      );
    }
  }

  #readChunk(
    poseQuery: PoseQuery,
    { outAt }: CallMemory,
    bits: PoseBits,
    begin: number,
    count: number,
  ): void {
    const { u32, f64 } = this.#host.context.arena;
    const { pairCount, want } = poseQuery;
    const wordCount = Math.ceil(count / 32);
    const from = outAt / 4;
    const first = begin / 32;
    const more = from + 2 * wordCount;
    bits.hits.set(u32.subarray(from, from + wordCount), first);
    if (want === 'first') bits.first.set(u32.subarray(more, more + count), begin);
    if (want === 'pairs-any')
      bits.each.set(
        u32.subarray(more, more + Math.min(wordCount * pairCount, bits.each.length - first * pairCount)),
        first * pairCount,
      );
    if (want === 'distance') {
      bits.distances.set(f64.subarray(more / 2, more / 2 + count), begin);
      bits.nearest.set(u32.subarray(more + 64 * wordCount, more + 64 * wordCount + count), begin);
    }
    const undecided: number[] = [];
    for (let word = 0; word < wordCount; word++) {
      for (let left = u32[from + wordCount + word]; left !== 0; left &= left - 1)
        undecided.push(begin + 32 * word + 31 - Math.clz32(left & -left));
    }
    const posesAtATime = Math.max(1, Math.floor(UNDECIDED_PAIRS / Math.max(1, pairCount)));
    for (let at = 0; at < undecided.length; at += posesAtATime)
      this.#decideUndecided(poseQuery, bits, undecided.slice(at, at + posesAtATime));
  }

  // Decides the poses that the kernel left undecided. In these poses, ordinary engine queries test every
  // queried pair or, with `want: 'distance'`, measure its distance. There are three reasons why the kernel
  // cannot decide a pair. First, neither of the two meshes has a frame in which the tests are accurate enough.
  // Second, a clearance or a distance is wanted, and a placement is not a similarity (see widenPair.ts).
  // Third, the exponents of the coordinates span too wide a range.
  #decideUndecided(poseQuery: PoseQuery, bits: PoseBits, poses: readonly number[]): void {
    const { pairCount, want, clearance } = poseQuery;
    if (want === 'distance') {
      for (const pose of poses) this.#measure(poseQuery, bits, pose);
      return;
    }
    const pairs = poses.flatMap(pose => poseQuery.placedPairs(pose, this.#host.context));
    const hits =
      clearance > 0
        ? (this.#clearances.queryMany({ pairs, clearance, want: 'any' }) as Uint32Array)
        : this.testPairs(pairs);
    poses.forEach((pose, i) => {
      const pairHits = hits.subarray(i * pairCount, (i + 1) * pairCount);
      const first = pairHits.indexOf(1);
      if (first >= 0) setBit(bits.hits, pose);
      if (want === 'first') bits.first[pose] = first >= 0 ? first : limits.NOTHING;
      if (want === 'pairs-any')
        pairHits.forEach((hit, pair) => {
          if (hit) setBit(bits.each, pose * pairCount + pair);
        });
    });
  }

  // Measures all pairs of a pose that the kernel left undecided.
  #measure(poseQuery: PoseQuery, bits: PoseBits, pose: number): void {
    let nearest = limits.NOTHING as number;
    let distance = Infinity;
    let max = poseQuery.max < Infinity ? poseQuery.max : undefined;
    poseQuery.placedPairs(pose, this.#host.context).forEach(({ a, b, transformA, transformB }, pair) => {
      const found = this.#distances.run(a, b, { transformA, transformB, max });
      if (!found || found.distance >= distance) return;
      nearest = pair;
      max = distance = found.distance;
    });
    bits.distances[pose] = distance;
    bits.nearest[pose] = nearest;
    if (distance <= poseQuery.clearance) setBit(bits.hits, pose);
  }

  /**
   * Tests placed pairs by an ordinary any-hit query. @returns for each pair, 1 if it intersects, otherwise 0
   */
  testPairs(placed: readonly PlacedPair[], options: PartitionOptions = {}): Uint32Array {
    const host = this.#host;
    const {
      context: { arena },
      writer,
    } = this.#host;
    const { hitsAt } = host.run('runAny', front => writer.write(front, placed), options, []);
    return arena.u32.slice(hitsAt / 4, hitsAt / 4 + placed.length);
  }
}
