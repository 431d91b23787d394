// Runs the kernel on a chunk of rays, and gives access to its outputs in engine memory.

import type { EngineHost, QueryResources } from '../core/module.js';
import { CastTarget } from '../records/castTargetLayout.js';
import { limits, PairRecord } from '../records/layout.js';
import { LocalRay, RayHit, RayJob, RaySlice, raysLimits } from '../records/raysLayout.js';
import { setWords } from '../records/record.js';
import type { BlockGroup } from '../runtime/blockGroup.js';
import type { EngineContext } from '../runtime/engineContext.js';
import type { Arena } from '../runtime/memory.js';
import { runStep } from '../runtime/steps.js';
import { type CastTargets, cornersOf } from './castTargets.js';
import { type RayCast, rejectRay } from './rayOptions.js';

const { RAY_BLOCK, RAY_STACK_BYTES, RAY_WORK_BYTES } = raysLimits;
const WANTS = {
  closest: raysLimits.RAY_CLOSEST,
  any: raysLimits.RAY_ANY,
  count: raysLimits.RAY_COUNT,
  all: raysLimits.RAY_ALL,
} as const;
const SIDES = {
  both: raysLimits.RAY_BOTH,
  front: raysLimits.RAY_FRONT,
  back: raysLimits.RAY_BACK,
} as const;
const FIRST_UNDECIDED = 1024;

/** A hit, or a triangle that the kernel has deferred to an exact test. target: number of the CastTarget. */
export interface RayTriangle {
  readonly target: number;
  readonly triangle: number;
}

export class RayChunk {
  readonly #context: EngineContext;
  readonly #host: EngineHost;
  #exact: QueryResources | undefined;
  /** Scratch memory for `cornersOf`: a PairRecord. */
  readonly #pairAt: number;
  readonly #blocks: BlockGroup;
  readonly #targets: CastTargets;
  readonly #cast: RayCast;
  readonly #sliceCount: number;
  readonly #slicesAt: number;
  readonly #jobAt: number;
  readonly #originsAt: number;
  readonly #directionsAt: number;
  readonly #maxAt: number;
  /** Addresses of the outputs; see RayJob. */
  readonly #triangleAt: number;
  readonly #bodyAt: number;
  readonly #timesAt: number;
  readonly #countAt: number;
  readonly #blocksAt: number;

  /** Allocates the memory for chunks of at most `capacity` rays. @throws Capacity */
  constructor(host: EngineHost, blocks: BlockGroup, targets: CastTargets, cast: RayCast, capacity: number) {
    const { context } = host;
    this.#host = host;
    this.#context = context;
    this.#blocks = blocks;
    this.#targets = targets;
    this.#cast = cast;
    const blockCount = Math.ceil(capacity / RAY_BLOCK);
    this.#sliceCount = Math.min(context.pool.threadCount, blockCount);
    this.#pairAt = blocks.take(PairRecord.size);
    this.#jobAt = blocks.take(RayJob.size);
    this.#slicesAt = blocks.take(this.#sliceCount * RaySlice.size);
    this.#originsAt = blocks.take(24 * capacity);
    this.#directionsAt = blocks.take(24 * capacity);
    this.#maxAt = blocks.take(8 * capacity);
    this.#triangleAt = blocks.take(4 * capacity);
    this.#bodyAt = blocks.take(4 * capacity);
    this.#timesAt = blocks.take(8 * capacity);
    this.#countAt = blocks.take(4 * capacity);
    this.#blocksAt = blocks.take(8 * blockCount);
    for (let i = 0; i < this.#sliceCount; i++) this.#writeSlice(this.#slicesAt + i * RaySlice.size);
  }

  /**
   * Casts the rays first <= i < first + count. @throws Unsupported naming an invalid ray; WorkerLost,
   * Capacity
   */
  run(first: number, count: number): void {
    const { arena } = this.#context;
    const { origins, directions, max, want, side } = this.#cast;
    arena.f64.set(origins.subarray(3 * first, 3 * (first + count)), this.#originsAt / 8);
    arena.f64.set(directions.subarray(3 * first, 3 * (first + count)), this.#directionsAt / 8);
    const maxFrom = this.#maxAt / 8;
    if (typeof max === 'number') arena.f64.fill(max, maxFrom, maxFrom + count);
    else arena.f64.set(max.subarray(first, first + count), maxFrom);
    const { at, topAt } = this.#targets;
    for (;;) {
      setWords(arena.u32, this.#jobAt, RayJob, {
        originsAt: this.#originsAt,
        directionsAt: this.#directionsAt,
        maxAt: this.#maxAt,
        rayCount: count,
        want: WANTS[want],
        side: SIDES[side],
        // Without targets, the kernel only checks the rays.
        targetsAt: this.#targets.count > 0 ? at : 0,
        topAt,
        triangleAt: this.#triangleAt,
        bodyAt: this.#bodyAt,
        timesAt: this.#timesAt,
        countAt: this.#countAt,
        blocksAt: this.#blocksAt,
        slicesAt: this.#slicesAt,
        cursor: 0,
      });
      for (const slice of this.#slices())
        setWords(arena.u32, slice, RaySlice, { hitCount: 0, undecidedCount: 0, invalidRay: limits.NOTHING });
      runStep(this.#context, 'castRays', this.#jobAt, this.#sliceCount);
      this.#throwIfInvalid(first);
      if (!this.#growLists()) return;
    }
  }

  /**
   * Returns views of the outputs of all rays of the chunk. `body` has numbers of targets, not ids of bodies.
   */
  closest(count: number): { triangle: Int32Array; body: Uint32Array; t: Float64Array } {
    const { u32, f64 } = this.#context.arena;
    const words = u32.subarray(this.#triangleAt / 4, this.#triangleAt / 4 + count);
    return {
      triangle: new Int32Array(words.buffer, words.byteOffset, count),
      body: u32.subarray(this.#bodyAt / 4, this.#bodyAt / 4 + count),
      t: f64.subarray(this.#timesAt / 8, this.#timesAt / 8 + count),
    };
  }

  /** Returns, for each ray, the number of hits that the kernel has decided. */
  counts(count: number): Uint32Array {
    return this.#context.arena.u32.subarray(this.#countAt / 4, this.#countAt / 4 + count);
  }

  /** Calls `visit` for each of the `count` hits of a block of rays, ray by ray. */
  forEachHit(block: number, count: number, visit: (hit: RayTriangle, t: number) => void): void {
    const { u32, f64 } = this.#context.arena;
    const at = this.#blocksAt / 4 + 2 * block;
    const slice = this.#slicesAt + u32[at] * RaySlice.size;
    const hits = u32[(slice + RaySlice.at.hitsAt) / 4];
    for (let i = 0; i < count; i++) {
      const hit = hits + (u32[at + 1] + i) * RayHit.size;
      const target = u32[(hit + RayHit.at.target) / 4];
      const triangle = u32[(hit + RayHit.at.triangle) / 4];
      visit({ target, triangle }, f64[(hit + RayHit.at.time) / 8]);
    }
  }

  /** Returns the deferred triangles of each ray that has any. Rays are numbered within the chunk. */
  undecided(): Map<number, RayTriangle[]> {
    const { u32 } = this.#context.arena;
    const byRay = new Map<number, RayTriangle[]>();
    for (const slice of this.#slices()) {
      const from = u32[(slice + RaySlice.at.undecidedAt) / 4] / 4;
      const count = u32[(slice + RaySlice.at.undecidedCount) / 4];
      for (let at = from; at < from + 3 * count; at += 3) {
        const list = byRay.get(u32[at]) ?? [];
        byRay.set(u32[at], list);
        list.push({ target: u32[at + 1], triangle: u32[at + 2] });
      }
    }
    return byRay;
  }

  /** Returns the id of a target's body. */
  bodyOf(target: number): number {
    return this.#context.arena.u32[(this.#targets.at + target * CastTarget.size + CastTarget.at.body) / 4];
  }

  /** Returns the placed vertices of a triangle: nine doubles. */
  cornersOf({ target, triangle }: RayTriangle): Float64Array {
    this.#exact ??= this.#host.makeQueryResources();
    const targetAt = this.#targets.at + target * CastTarget.size;
    return cornersOf(this.#arena, this.#exact, this.#pairAt, targetAt, triangle);
  }

  #slices(): number[] {
    return Array.from({ length: this.#sliceCount }, (_, i) => this.#slicesAt + i * RaySlice.size);
  }

  #writeSlice(at: number): void {
    const blocks = this.#blocks;
    // Each step of a traversal pops one entry of the stack and pushes at most four.
    const stackBytes = (depth: number): number => RAY_STACK_BYTES * (3 * depth + 8);
    const words = {
      localsAt: blocks.take(2 * LocalRay.size),
      topStackAt: blocks.take(stackBytes(this.#targets.topDepth)),
      stackAt: blocks.take(stackBytes(this.#targets.depth)),
      workAt: blocks.take(RAY_WORK_BYTES),
    };
    // The allocations may have replaced the views of the arena, so the views must not be read before this line.
    const { u32, f64 } = this.#context.arena;
    u32.fill(0, at / 4, (at + RaySlice.size) / 4);
    f64.fill(0, (at + RaySlice.at.zero) / 8, (at + RaySlice.at.zero) / 8 + 3);
    setWords(u32, at, RaySlice, words);
    this.#takeHits(at, this.#cast.want === 'all' ? 4096 : 0);
    this.#takeUndecided(at, FIRST_UNDECIDED);
  }

  #takeHits(slice: number, hitCapacity: number): void {
    const hitsAt = this.#blocks.take(Math.max(1, hitCapacity) * RayHit.size);
    setWords(this.#arena.u32, slice, RaySlice, { hitsAt, hitCapacity });
  }

  #takeUndecided(slice: number, undecidedCapacity: number): void {
    const undecidedAt = this.#blocks.take(12 * undecidedCapacity);
    setWords(this.#arena.u32, slice, RaySlice, { undecidedAt, undecidedCapacity });
  }

  get #arena(): Arena {
    return this.#context.arena;
  }

  // Enlarges the lists that were too small. In the next run, a slice may take other rays, so each list gets
  // room for the entries of all slices. @returns whether any list was too small
  #growLists(): boolean {
    const { u32 } = this.#arena;
    const slices = this.#slices();
    const read = (slice: number, field: keyof typeof RaySlice.at): number =>
      u32[(slice + RaySlice.at[field]) / 4];
    const total = (field: 'hitCount' | 'undecidedCount'): number =>
      slices.reduce((sum, slice) => sum + read(slice, field), 0);
    const hits = slices.some(slice => read(slice, 'hitCount') > read(slice, 'hitCapacity'))
      ? total('hitCount')
      : 0;
    const undecided = slices.some(slice => read(slice, 'undecidedCount') > read(slice, 'undecidedCapacity'))
      ? total('undecidedCount')
      : 0;
    for (const slice of slices) {
      if (hits > 0) this.#takeHits(slice, hits);
      if (undecided > 0) this.#takeUndecided(slice, undecided + FIRST_UNDECIDED);
    }
    return hits > 0 || undecided > 0;
  }

  // Throws if a ray of the chunk is invalid. Slices take blocks in ascending order, so the smallest number that
  // any slice has stored belongs to the first invalid ray.
  #throwIfInvalid(first: number): void {
    const { u32 } = this.#arena;
    const invalid = Math.min(...this.#slices().map(slice => u32[(slice + RaySlice.at.invalidRay) / 4]));
    if (invalid !== limits.NOTHING) rejectRay(this.#cast, first + invalid);
  }
}
