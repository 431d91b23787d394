// Writes kinematic chains to engine memory, and computes the placements of their bodies.

import { Capacity } from '../core/errors.js';
import { limits } from '../records/layout.js';
import { ChainBody, ChainJoint, ChainRecord, PlaceChainJob, posesLimits } from '../records/posesLayout.js';
import { setWords } from '../records/record.js';
import { BlockGroup } from '../runtime/blockGroup.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { retry } from '../runtime/retry.js';
import type { Chain } from './chain.js';

const { FRAME_BYTES } = posesLimits;
const MATRIX_BYTES = 128;
/** Max bytes of the placements that are computed at a time. */
const CHUNK_BYTES = 2 ** 22;

/** Returns the size in bytes of the frames that `placeJoints` needs: one frame for each joint, and one more. */
export const frameBytes = ({ joints }: Chain): number => FRAME_BYTES * (joints.length + 1);

/** Writes a chain to engine memory and returns the address of its ChainRecord. @throws Capacity */
export function writeChain({ arena }: EngineContext, blocks: BlockGroup, chain: Chain): number {
  const { joints, bodies, valueCount } = chain;
  const at = blocks.take(ChainRecord.size + joints.length * ChainJoint.size + bodies.length * ChainBody.size);
  const jointsAt = at + ChainRecord.size;
  const bodiesAt = jointsAt + joints.length * ChainJoint.size;
  const { u32, f64 } = arena;
  setWords(u32, at, ChainRecord, {
    jointCount: joints.length,
    jointsAt,
    bodyCount: bodies.length,
    bodiesAt,
    valueCount,
  });
  joints.forEach(({ parent, kind, valueIndex, axis, rows }, i) => {
    const jointAt = jointsAt + i * ChainJoint.size;
    setWords(u32, jointAt, ChainJoint, { parent: parent < 0 ? limits.NOTHING : parent, kind, valueIndex });
    f64.set(axis, (jointAt + ChainJoint.at.axis) / 8);
    f64.set(rows, (jointAt + ChainJoint.at.rows) / 8);
  });
  bodies.forEach(({ joint, rows }, i) => {
    const bodyAt = bodiesAt + i * ChainBody.size;
    setWords(u32, bodyAt, ChainBody, { joint });
    f64.set(rows, (bodyAt + ChainBody.at.rows) / 8);
  });
  return at;
}

/**
 * Computes the placements of a chain's bodies for each pose.
 * @param values checked joint values, pose by pose
 * @returns 16 numbers for each body, column-major, pose by pose
 * @throws Capacity
 */
export function placeBodies(context: EngineContext, chain: Chain, values: Float64Array): Float64Array {
  const { valueCount, bodies } = chain;
  const poseCount = values.length / valueCount;
  const matrices = makeMatrices(bodies.length, poseCount);
  const chunk = Math.max(1, Math.floor(CHUNK_BYTES / Math.max(MATRIX_BYTES * bodies.length, 8 * valueCount)));
  const blocks = new BlockGroup(context.arena);
  const place = (begin: number, count: number): void => {
    const { arena, pool } = context;
    const chainAt = writeChain(context, blocks, chain);
    const jobAt = blocks.take(PlaceChainJob.size);
    const valuesAt = blocks.take(8 * valueCount * count);
    const framesAt = blocks.take(frameBytes(chain));
    const matricesAt = blocks.take(MATRIX_BYTES * bodies.length * count);
    arena.f64.set(values.subarray(valueCount * begin, valueCount * (begin + count)), valuesAt / 8);
    setWords(arena.u32, jobAt, PlaceChainJob, { chainAt, valuesAt, framesAt, matricesAt, poseCount: count });
    pool.kernels.placeChain(jobAt, 0, 1);
    matrices.set(
      arena.f64.subarray(matricesAt / 8, matricesAt / 8 + 16 * bodies.length * count),
      16 * bodies.length * begin,
    );
  };
  for (let begin = 0; begin < poseCount; begin += chunk) {
    try {
      retry(() => place(begin, Math.min(chunk, poseCount - begin)));
    } finally {
      blocks.releaseAll();
    }
  }
  return matrices;
}

function makeMatrices(bodyCount: number, poseCount: number): Float64Array {
  try {
    return new Float64Array(16 * bodyCount * poseCount);
  } catch {
    throw new Capacity(
      `the placements of ${bodyCount} bodies in ${poseCount} poses need ${MATRIX_BYTES * bodyCount * poseCount} bytes`,
      'place fewer poses at a time',
    );
  }
}
