// Meshes in motion -> boxes of their vertices, edges or faces over the whole of it, or of faces at its start, in engine memory.
import type { Backend } from '../backend.js';
import { Buffer } from '../memory.js';
import { setWords } from '../record.js';
import { runStep } from '../steps.js';
import { BoundSweptJob, sweptLimits } from '../sweptLayout.js';
import { BOX_BYTES } from './boxSet.js';
import type { MovingMesh } from './sweptMesh.js';

const FEATURES_A_SLICE = 8192;

/** Corners of a vertex, an edge and a face. */
export type Corners = 1 | 2 | 3;

/** What may meet what, and how many corners it has. */
export interface FeatureKinds { kind: number; cornersA: Corners; cornersB: Corners }

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

  /** Of features of a, and of b or, it being undefined, of a, if they are of another kind; grown by margin, unless at the start. @throws LostSlice, Capacity */
  write({ kind, cornersA, cornersB }: FeatureKinds, a: MovingMesh, b: MovingMesh | undefined, margin: number): FoundBoxes {
    const other = b ?? (cornersA === cornersB ? undefined : a), countA = a.countOf(cornersA), count = countA + (other?.countOf(cornersB) ?? 0);
    const at = this.#boxes.reserve(BOX_BYTES * count + 16);
    const atStart = kind === sweptLimits.START ? 1 : 0;
    this.#bound(a, { corners: cornersA, boxesAt: at, atStart }, margin);
    if (other) this.#bound(other, { corners: cornersB, boxesAt: at + BOX_BYTES * countA, atStart }, margin);
    return { at, count, secondFrom: other ? countA : undefined };
  }

  dispose(): void { for (const buffer of [this.#boxes, this.#job]) buffer.dispose(); }

  #bound(swept: MovingMesh, features: { corners: Corners; boxesAt: number; atStart: number }, margin: number): void {
    const backend = this.#backend, { arena, pool } = backend;
    const sliceCount = Math.max(1, Math.min(pool.threadCount, Math.floor(swept.countOf(features.corners) / FEATURES_A_SLICE)));
    const jobAt = this.#job.reserve(BoundSweptJob.size);
    setWords(arena.u32, jobAt, BoundSweptJob, { sweptAt: swept.at, ...features, sliceCount });
    arena.f64[(jobAt + BoundSweptJob.at.margin) / 8] = margin;
    runStep(backend, 'boundSwept', jobAt, sliceCount);
  }
}
