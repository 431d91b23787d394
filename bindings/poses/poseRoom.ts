// Bodies and pairs -> the memory that threads search poses in: each slice's stacks, body records and order of
// pairs.

import type { Mesh } from '../mesh/mesh.js';
import { FrontNode, ListRecord, limits, PairRecord } from '../records/layout.js';
import { PoseSlice, PosesJob, posesLimits } from '../records/posesLayout.js';
import { setWords } from '../records/record.js';
import { BodyRecord } from '../records/sceneLayout.js';
import type { Backend } from '../runtime/backend.js';
import type { Blocks } from '../runtime/blocks.js';
import type { PoseQuestion } from './poseQuestion.js';

const { POSE_BOX_BYTES, WANT_ANY } = posesLimits;
const LINE = 64;
const INVERSE_BYTES = 96;
/** 18 doubles of two placed triangles, in whole cache lines. */
const EXACT_POINTS_BYTES = 192;
/** Hits that a list has room for, and for one store of four more: one is enough, others are counted. */
const HIT_CAPACITY = 4;
const HITS_BYTES = 32;
const MATRIX_BYTES = 128;
const IDENTITY = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);

// Each part begins a cache line. depth: of two trees together; a step takes one pair of boxes off the stack
// and puts 16 on it at most, a level deeper.
function partsOf(movingCount: number, pairCount: number, depth: number) {
  let bytes = 0;
  const take = (size: number): number => {
    const at = bytes;
    bytes += Math.ceil(size / LINE) * LINE;
    return at;
  };
  const stackBytes = 4 * (16 * (depth + 1) + 4);
  return {
    list: take(ListRecord.size),
    front: take(FrontNode.size),
    pair: take(PairRecord.size + INVERSE_BYTES),
    stackBytes,
    stack: take(2 * stackBytes),
    ring: take(2 * LINE),
    block: take(limits.BLOCK_BYTES),
    candidates: take(2 * limits.CANDIDATE_STRIDE),
    unsure: take(2 * limits.CANDIDATE_STRIDE),
    exact: take(EXACT_POINTS_BYTES + limits.EXACT_SCRATCH_BYTES),
    hits: take(2 * HITS_BYTES),
    bodies: take(BodyRecord.size * movingCount),
    boxes: take(POSE_BOX_BYTES * movingCount),
    order: take(4 * pairCount),
    bytes,
  };
}

/** What one call works with. */
export class PoseRoom {
  /** A PosesJob that lacks poses and where answers go. */
  readonly jobAt: number;
  readonly sliceCount: number;
  readonly #backend: Backend;
  readonly #slicesAt: number;

  /** Meshes and matrices of bodies that stay are sound. @throws Disposed, Capacity */
  constructor(
    backend: Backend,
    blocks: Blocks,
    { meshes, movingCount, pairs, pairCount, still }: PoseQuestion,
  ) {
    const { arena, pool, packTableAt } = backend;
    const [deepest = 0, next = 0] = meshes.map(({ depth }) => depth).sort((a, b) => b - a);
    const parts = partsOf(movingCount, pairCount, deepest + next);
    this.#backend = backend;
    this.sliceCount = pool.threadCount;
    this.jobAt = blocks.take(PosesJob.size);
    this.#slicesAt = blocks.take(this.sliceCount * PoseSlice.size);
    const pairsAt = blocks.takeWords(pairs);
    const partsAt = blocks.take(this.sliceCount * parts.bytes);
    const stillAt = this.#placeStill(blocks, meshes.slice(movingCount), still);
    for (let i = 0; i < this.sliceCount; i++)
      this.#writeSlice(
        this.#slicesAt + i * PoseSlice.size,
        partsAt + i * parts.bytes,
        parts,
        meshes.slice(0, movingCount),
        pairCount,
      );
    setWords(arena.u32, this.jobAt, PosesJob, {
      stillAt,
      stillBoxesAt: stillAt + (meshes.length - movingCount) * BodyRecord.size,
      pairsAt,
      slicesAt: this.#slicesAt,
      packTableAt,
      areShared: 0,
    });
  }

  /** Of the last run: the first pose with a matrix that breaks the rule. */
  firstBad(): number | undefined {
    const { u32 } = this.#backend.arena;
    const bad = Math.min(...this.#places('bad').map(at => u32[at / 4]));
    return bad === limits.NOTHING ? undefined : bad;
  }

  /** Pairs whose boxes have met so far. */
  get near(): number {
    const { f64 } = this.#backend.arena;
    return this.#places('near').reduce((sum, at) => sum + f64[at / 8], 0);
  }

  #places(field: 'bad' | 'near'): number[] {
    return Array.from(
      { length: this.sliceCount },
      (_, i) => this.#slicesAt + i * PoseSlice.size + PoseSlice.at[field],
    );
  }

  #writeSlice(
    at: number,
    partsAt: number,
    parts: ReturnType<typeof partsOf>,
    meshes: readonly Mesh[],
    pairCount: number,
  ): void {
    const { u32, f64 } = this.#backend.arena;
    const part = (name: keyof typeof parts): number => partsAt + parts[name];
    setWords(u32, at, PoseSlice, {
      listAt: part('list'),
      bodiesAt: part('bodies'),
      boxesAt: part('boxes'),
      pairAt: part('pair'),
      frontAt: part('front'),
      orderAt: part('order'),
      bad: limits.NOTHING,
    });
    f64[(at + PoseSlice.at.near) / 8] = 0;
    setWords(u32, part('list'), ListRecord, {
      nodesAt: part('stack'),
      nodesStride: parts.stackBytes,
      leavesAt: part('ring'),
      leavesStride: LINE,
      scratchAt: part('block'),
      candidatesAt: part('candidates'),
      unsureAt: part('unsure'),
      exactAt: part('exact'),
      pairsAAt: part('hits'),
      pairsBAt: part('hits') + HITS_BYTES,
      pairsCapacity: HIT_CAPACITY,
      wideCapacity: 0,
    });
    setWords(u32, part('front'), FrontNode, { slotA: limits.NOTHING, slotB: limits.NOTHING });
    for (let pair = 0; pair < pairCount; pair++) u32[part('order') / 4 + pair] = pair;
    this.#writeBodies(meshes, part('bodies'), part('boxes'));
  }

  // Placed nowhere: no row is equal to NaN. The box of a mesh without triangles meets none, and stays.
  #writeBodies(meshes: readonly Mesh[], bodiesAt: number, boxesAt: number): void {
    const { u32, f32, f64 } = this.#backend.arena;
    meshes.forEach((mesh, i) => {
      const at = bodiesAt + i * BodyRecord.size;
      const rows = (at + BodyRecord.at.rows) / 8;
      const box = (boxesAt + i * POSE_BOX_BYTES) / 4;
      setWords(u32, at, BodyRecord, { meshAt: mesh.recordAt, isThere: mesh.triangleCount > 0 ? 1 : 0 });
      f64.fill(NaN, rows, rows + 12);
      f32.set(mesh.bounds, (at + BodyRecord.at.low) / 4);
      f32.fill(Infinity, box, box + 3);
      f32.fill(-Infinity, box + 3, box + 6);
    });
  }

  // They are placed as one pose of bodies that move is, without pairs. @returns where their records are, with
  // their boxes behind them
  #placeStill(blocks: Blocks, meshes: readonly Mesh[], still: PoseQuestion['still']): number {
    const { arena, pool } = this.#backend;
    const { length } = meshes;
    const recordBytes = BodyRecord.size + POSE_BOX_BYTES;
    const bodiesAt = blocks.take(length * (recordBytes + MATRIX_BYTES) + PoseSlice.size + 2 * 4);
    const boxesAt = bodiesAt + length * BodyRecord.size;
    const posesAt = bodiesAt + length * recordBytes;
    const slicesAt = posesAt + length * MATRIX_BYTES;
    const hitsAt = slicesAt + PoseSlice.size;
    this.#writeBodies(meshes, bodiesAt, boxesAt);
    for (let i = 0; i < length; i++)
      arena.f64.set(still?.subarray(16 * i, 16 * i + 16) ?? IDENTITY, posesAt / 8 + 16 * i);
    setWords(arena.u32, slicesAt, PoseSlice, { bodiesAt, boxesAt, orderAt: 0, bad: limits.NOTHING });
    setWords(arena.u32, this.jobAt, PosesJob, {
      movingCount: length,
      pairCount: 0,
      posesAt,
      isDouble: 1,
      poseCount: 1,
      want: WANT_ANY,
      hitsAt,
      openAt: hitsAt + 4,
      slicesAt,
      areShared: 1,
      cursor: 0,
    });
    pool.kernels.askPoses(this.jobAt, 0, 1);
    return bodiesAt;
  }
}
