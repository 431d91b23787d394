// Meshes in motion -> boxes of their vertices, edges or faces over the whole of it, or of faces at its start,
// in engine memory.

import { BOX_BYTES } from '../broadphase/boxSet.js';
import { setWords } from '../records/record.js';
import { BoundSweptJob, StartFace, SweptMesh, sweptLimits } from '../records/sweptLayout.js';
import type { Backend } from '../runtime/backend.js';
import { Buffer } from '../runtime/memory.js';
import { runStep } from '../runtime/steps.js';
import { type MovingMesh, POINT_BYTES } from './sweptMesh.js';

const FEATURES_A_SLICE = 8192;
const POINT_DOUBLES = POINT_BYTES / 8;
/** Of smaller sizes, and greater ones than its inverse, powers of two may be no doubles. */
const LEAST = 2 ** -900;

/** Corners of a vertex, an edge and a face. */
export type Corners = 1 | 2 | 3;

/** What may meet what, and how many corners it has. */
export interface FeatureKinds {
  kind: number;
  cornersA: Corners;
  cornersB: Corners;
}

/** Byte address of the boxes; how many; the first one of the second set, where there are two. */
export interface FoundBoxes {
  at: number;
  count: number;
  secondFrom: number | undefined;
}

export class FeatureBoxes {
  readonly #backend: Backend;
  readonly #boxes: Buffer;
  readonly #job: Buffer;

  constructor(backend: Backend) {
    this.#backend = backend;
    [this.#boxes, this.#job] = [new Buffer(backend.arena), new Buffer(backend.arena)];
  }

  /**
   * Of features of a, and of b or, it being undefined, of a, if they are of another kind; grown by margin,
   * unless at the start. @throws WorkerLost, Capacity
   */
  write(
    { kind, cornersA, cornersB }: FeatureKinds,
    a: MovingMesh,
    b: MovingMesh | undefined,
    margin: number,
  ): FoundBoxes {
    const other = b ?? (cornersA === cornersB ? undefined : a);
    const countA = a.countOf(cornersA);
    const count = countA + (other?.countOf(cornersB) ?? 0);
    const isStart = kind === sweptLimits.START;
    const boxBytes = Math.ceil((BOX_BYTES * count) / 64 + 1) * 64;
    const at = this.#boxes.reserve(boxBytes + (isStart ? StartFace.size * count : 0));
    const startsAt = isStart ? this.#frameStarts(a, b, at + boxBytes) : 0;
    this.#bound(a, { corners: cornersA, boxesAt: at, atStart: startsAt }, margin);
    if (other)
      this.#bound(
        other,
        {
          corners: cornersB,
          boxesAt: at + BOX_BYTES * countA,
          atStart: isStart ? startsAt + StartFace.size * countA : 0,
        },
        margin,
      );
    return { at, count, secondFrom: other ? countA : undefined };
  }

  dispose(): void {
    for (const buffer of [this.#boxes, this.#job]) buffer.dispose();
  }

  // Coordinates of StartFaces are at most 1, seen from the middle of all. @returns where StartFaces go
  #frameStarts(a: MovingMesh, b: MovingMesh | undefined, startsAt: number): number {
    const jobAt = this.#job.reserve(BoundSweptJob.size);
    const { f64 } = this.#backend.arena;
    const all = [a, b ?? a].map(mesh => mesh.copyPoints());
    let size = 0;
    for (let axis = 0; axis < 3; axis++) {
      let low = Infinity;
      let high = -Infinity;
      for (const points of all) {
        for (let i = axis; i < points.length; i += POINT_DOUBLES) {
          low = Math.min(low, points[i]);
          high = Math.max(high, points[i]);
        }
      }
      size = Math.max(size, high / 2 - low / 2);
      f64[(jobAt + BoundSweptJob.at.origin) / 8 + axis] = low / 2 + high / 2;
    }
    f64[(jobAt + BoundSweptJob.at.scale) / 8] =
      size > LEAST && size < 1 / LEAST ? 2 ** -Math.ceil(Math.log2(size)) : 0;
    return startsAt;
  }

  #bound(
    swept: MovingMesh,
    features: { corners: Corners; boxesAt: number; atStart: number },
    margin: number,
  ): void {
    const backend = this.#backend;
    const { arena, pool } = backend;
    const sliceCount = Math.max(
      1,
      Math.min(pool.threadCount, Math.floor(swept.countOf(features.corners) / FEATURES_A_SLICE)),
    );
    const jobAt = this.#job.reserve(BoundSweptJob.size);
    if (features.atStart) arena.u32[(swept.at + SweptMesh.at.startsAt) / 4] = features.atStart;
    setWords(arena.u32, jobAt, BoundSweptJob, { sweptAt: swept.at, ...features, sliceCount });
    arena.f64[(jobAt + BoundSweptJob.at.margin) / 8] = margin;
    runStep(backend, 'boundSwept', jobAt, sliceCount);
  }
}
