// Writes, on all threads, one PairRecord for each pair of bodies that the narrow phase tests next. Also
// returns the two meshes of each pair, in the order of the record, which may swap the two bodies.

import type { Mesh } from '../mesh/mesh.js';
import type { PairRecords, PairWriter } from '../mesh/pairWriter.js';
import { PairRecord } from '../records/layout.js';
import { setWords } from '../records/record.js';
import { BodyPairsJob } from '../records/sceneLayout.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { GrowableBlock } from '../runtime/memory.js';
import { sliceCountOf } from '../runtime/sliceCount.js';
import { runStep } from '../runtime/steps.js';
import type { Bodies } from './bodies.js';

const SCRATCH_BYTES = 96;
/**
 * Minimum number of pairs per thread. Passing fewer pairs to another thread would cost more than it saves.
 */
const PAIRS_PER_SLICE = 256;

/** Pairs of bodies to test. a, b: the slots of the bodies. */
export interface SlotPairs {
  count: number;
  a: Uint32Array;
  b: Uint32Array;
}

export class BodyPairWriter {
  /** For each pair of the last `write`: 1 if the pair is tested with its meshes swapped, otherwise 0. */
  swapped = new Uint8Array(64);
  readonly #context: EngineContext;
  readonly #writer: PairWriter;
  readonly #lists: GrowableBlock;
  readonly #job: GrowableBlock;
  readonly #meshes: Mesh[] = [];

  constructor(context: EngineContext, writer: PairWriter) {
    this.#context = context;
    this.#writer = writer;
    this.#lists = new GrowableBlock(context.arena);
    this.#job = new GrowableBlock(context.arena);
  }

  /**
   * Writes the records. @returns a list whose elements 2 * i and 2 * i + 1 are the meshes of pair i, in the
   * order of its record.
   * @throws WorkerLost if a worker was lost; the caller must then start over with a new front
   */
  write(front: PairRecords, bodies: Bodies, { count, a, b }: SlotPairs): readonly Mesh[] {
    const { arena, pool } = this.#context;
    const pairsAt = front.reservePairs(count);
    const listsAt = this.#lists.reserve(12 * Math.max(1, count));
    const sliceCount = sliceCountOf(pool.threadCount, count, PAIRS_PER_SLICE);
    const jobAt = this.#job.reserve(BodyPairsJob.size + SCRATCH_BYTES * pool.threadCount);
    const { u32 } = arena;
    u32.set(a.subarray(0, count), listsAt / 4);
    u32.set(b.subarray(0, count), listsAt / 4 + count);
    const swappedAt = listsAt + 8 * count;
    setWords(u32, jobAt, BodyPairsJob, {
      bodiesAt: bodies.recordsAt,
      aAt: listsAt,
      bAt: listsAt + 4 * count,
      pairCount: count,
      sliceCount,
      pairsAt,
      swappedAt,
      scratchAt: jobAt + BodyPairsJob.size,
    });
    try {
      runStep(this.#context, 'placeBodyPairs', jobAt, sliceCount);
    } catch (error) {
      this.dispose();
      throw error;
    }
    if (this.swapped.length < count) this.swapped = new Uint8Array(2 * count);
    this.#meshes.length = 2 * count;
    front.noteDepth(2 * bodies.depth);
    for (let i = 0; i < count; i++) {
      const swapped = u32[swappedAt / 4 + i];
      this.swapped[i] = swapped;
      this.#meshes[2 * i + swapped] = bodies.slots[a[i]].mesh!;
      this.#meshes[2 * i + 1 - swapped] = bodies.slots[b[i]].mesh!;
    }
    this.#rewriteInaccurate(front, bodies, { count, a, b });
    return this.#meshes;
  }

  dispose(): void {
    this.#lists.dispose();
    this.#job.dispose();
  }

  // Rewrites the records of pairs that cannot be tested accurately enough in the coordinate frame of either
  // mesh. For such a pair, the writer for single pairs makes copies of both meshes in a common frame.
  #rewriteInaccurate(front: PairRecords, bodies: Bodies, { count, a, b }: SlotPairs): void {
    for (
      let i = 0, accurateAt = (front.pairs.at + PairRecord.at.isFrameAccurate) / 4;
      i < count;
      i++, accurateAt += PairRecord.size / 4
    ) {
      if (this.#context.arena.u32[accurateAt] === 1) continue;
      const { meshes, swapped } = this.#writer.rewrite(front, i, count, {
        a: bodies.slots[a[i]].mesh!,
        b: bodies.slots[b[i]].mesh!,
        transformA: bodies.matrixOf(a[i]),
        transformB: bodies.matrixOf(b[i]),
      });
      this.swapped[i] = swapped ? 1 : 0;
      [this.#meshes[2 * i], this.#meshes[2 * i + 1]] = [meshes[0], meshes[1]];
      front.noteDepth(meshes[0].depth + meshes[1].depth);
    }
  }
}
