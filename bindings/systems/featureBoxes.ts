// Meshes in motion -> boxes of their vertices, edges or faces over the whole of it, in engine memory.
import type { Backend } from '../backend.js';
import { Buffer } from '../memory.js';
import { setWords } from '../record.js';
import { runStep } from '../steps.js';
import { BoundSweptJob } from '../sweptLayout.js';
import { BOX_BYTES } from './boxSet.js';
import type { MovingMesh } from './sweptMesh.js';

const FEATURES_A_SLICE = 8192;

/** Corners of a vertex, an edge and a face. */
export type Corners = 1 | 2 | 3;

/** Byte address of the boxes; how many; the first one of the second set, where there are two. */
export interface FoundBoxes { at: number; count: number; secondFrom: number | undefined }

export class FeatureBoxes {
  readonly #backend: Backend;
  readonly #boxes: Buffer;
  readonly #job: Buffer;

  constructor(backend: Backend) {
    this.#backend = backend;
    [this.#boxes, this.#job] = [new Buffer(backend.arena), new Buffer(backend.arena)];
  }

  /** Of features of a, and of b or, it being undefined, of a, if they are of another kind; grown by margin. @throws LostSlice, Capacity */
  write(a: MovingMesh, cornersA: Corners, b: MovingMesh | undefined, cornersB: Corners, margin: number): FoundBoxes {
    const other = b ?? (cornersA === cornersB ? undefined : a), countA = a.countOf(cornersA), count = countA + (other?.countOf(cornersB) ?? 0);
    const at = this.#boxes.reserve(BOX_BYTES * count + 16);
    this.#bound(a, cornersA, at, margin);
    if (other) this.#bound(other, cornersB, at + BOX_BYTES * countA, margin);
    return { at, count, secondFrom: other ? countA : undefined };
  }

  dispose(): void { for (const buffer of [this.#boxes, this.#job]) buffer.dispose(); }

  #bound(swept: MovingMesh, corners: Corners, boxesAt: number, margin: number): void {
    const backend = this.#backend, { arena, pool } = this.#backend;
    const sliceCount = Math.max(1, Math.min(pool.threadCount, Math.floor(swept.countOf(corners) / FEATURES_A_SLICE)));
    const jobAt = this.#job.reserve(BoundSweptJob.size);
    setWords(arena.u32, jobAt, BoundSweptJob, { sweptAt: swept.at, corners, boxesAt, sliceCount });
    arena.f64[(jobAt + BoundSweptJob.at.margin) / 8] = margin;
    runStep(backend, 'boundSwept', jobAt, sliceCount);
  }
}
