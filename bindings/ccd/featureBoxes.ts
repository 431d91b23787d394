// Computes bounding boxes of the moving vertices, edges or faces of a mesh and writes them to engine memory.
// A box covers the motion during the whole step. For faces, the caller can request boxes that cover only the
// position at the start.

import { BOX_BYTES } from '../broadphase/boxSet.js';
import { ceilLog2 } from '../core/exponent.js';
import { setWords } from '../records/record.js';
import { BoundSweptJob, StartFace, SweptMesh, sweptLimits } from '../records/sweptLayout.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { GrowableBlock } from '../runtime/memory.js';
import { runStep } from '../runtime/steps.js';
import { type MovingMesh, POINT_BYTES } from './movingMesh.js';

const FEATURES_PER_SLICE = 8192;
const POINT_DOUBLES = POINT_BYTES / 8;
/**
 * Half the extent of the points must be between MIN_SIZE and 1 / MIN_SIZE; otherwise, the power of two that
 * scales the coordinates might not be a normal double. Outside these limits, the scale is set to 0, so that the
 * float filter in assembly/ccd/startFaces.ts rules out no pair of faces.
 */
const MIN_SIZE = 2 ** -900;

/** The number of corners of a vertex, an edge or a face. */
export type Corners = 1 | 2 | 3;

/** A kind of contact (see sweptLimits), and the numbers of corners of its two features. */
export interface FeatureKinds {
  kind: number;
  cornersA: Corners;
  cornersB: Corners;
}

/**
 * Byte address and number of the boxes. `secondFrom`: index of the first box of the second set; undefined if
 * there is only one set.
 */
export interface WrittenBoxes {
  at: number;
  count: number;
  secondFrom: number | undefined;
}

export class FeatureBoxes {
  readonly #context: EngineContext;
  readonly #boxes: GrowableBlock;
  readonly #job: GrowableBlock;

  constructor(context: EngineContext) {
    this.#context = context;
    [this.#boxes, this.#job] = [new GrowableBlock(context.arena), new GrowableBlock(context.arena)];
  }

  /**
   * Writes the boxes of the features of `a` and of `b`. Without `b`, the features of `a` are tested against
   * each other, and a second set of boxes is written only if `cornersA` and `cornersB` differ. Boxes over the
   * whole step are grown by `margin`; boxes at the start are not.
   * @throws WorkerLost, Capacity
   */
  write(
    { kind, cornersA, cornersB }: FeatureKinds,
    a: MovingMesh,
    b: MovingMesh | undefined,
    margin: number,
  ): WrittenBoxes {
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

  // Sets the coordinate frame of the StartFace records, which describe faces at the start. In this frame, the
  // origin is the center of the bounding box of all points at the start, and no |coordinate| exceeds 1.
  // @returns the address at which the StartFace records begin
  #frameStarts(a: MovingMesh, b: MovingMesh | undefined, startsAt: number): number {
    const jobAt = this.#job.reserve(BoundSweptJob.size);
    const { f64 } = this.#context.arena;
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
      size > MIN_SIZE && size < 1 / MIN_SIZE ? 2 ** -ceilLog2(size) : 0;
    return startsAt;
  }

  #bound(
    swept: MovingMesh,
    features: { corners: Corners; boxesAt: number; atStart: number },
    margin: number,
  ): void {
    const context = this.#context;
    const { arena, pool } = context;
    const sliceCount = Math.max(
      1,
      Math.min(pool.threadCount, Math.floor(swept.countOf(features.corners) / FEATURES_PER_SLICE)),
    );
    const jobAt = this.#job.reserve(BoundSweptJob.size);
    if (features.atStart) arena.u32[(swept.at + SweptMesh.at.startsAt) / 4] = features.atStart;
    setWords(arena.u32, jobAt, BoundSweptJob, { sweptAt: swept.at, sliceCount, ...features });
    arena.f64[(jobAt + BoundSweptJob.at.margin) / 8] = margin;
    runStep(context, 'boundSwept', jobAt, sliceCount);
  }
}
