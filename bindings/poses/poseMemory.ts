// The engine memory of one search over poses or edges (see poseSearch.ts and edgeSearch.ts). The search has one
// slice per thread. Each slice has its own stack, body records and order of pairs.

import type { Transforms } from '../core/transform.js';
import type { Mesh } from '../mesh/mesh.js';
import { writeBodyMesh } from '../records/bodyMesh.js';
import { DistanceJob, DistanceSearch, distanceLimits, NodePairEntry } from '../records/distanceLayout.js';
import { FrontNode, ListRecord, limits, PairRecord } from '../records/layout.js';
import { PoseSlice, PosesJob, posesLimits } from '../records/posesLayout.js';
import { setWords } from '../records/record.js';
import { BodyRecord } from '../records/sceneLayout.js';
import type { BlockGroup } from '../runtime/blockGroup.js';
import type { EngineContext } from '../runtime/engineContext.js';
import type { Chain } from './chain.js';
import { frameBytes, writeChain } from './chainMemory.js';

const { COARSE_LEVELS, MAX_EDGE_LEVEL, POSE_BOX_BYTES, WANT_ANY } = posesLimits;
const LINE = 64;
const INVERSE_BYTES = 96;
/** Bytes for the 18 doubles of two placed triangles, rounded up to whole cache lines. */
const EXACT_POINTS_BYTES = 192;
/** Capacity of a list of hits. It is small because one hit decides a pair; further hits are only counted. */
const HIT_CAPACITY = 4;
/** Bytes for HIT_CAPACITY hits, plus padding, because a store always writes four hits. */
const HITS_BYTES = 32;
const MATRIX_BYTES = 128;
const IDENTITY = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);

/** The number of lists of pairs of a slice of `testEdges`: one per level, and one per coarse interval. */
const EDGE_LISTS = MAX_EDGE_LEVEL + 2 + 2 ** COARSE_LEVELS;

/** Bytes of a speed and a margin. */
const SPEED_BYTES = 16;
/** Bytes of a bound and the number of a pair. */
const BOUND_BYTES = 16;

/** The use of the memory: for hits of poses, distances of poses, or edges. */
export type PoseUse = 'hits' | 'distances' | 'edges';

/** The bodies and pairs that are tested in each pose. Moving bodies come first. */
export interface PosedBodies {
  readonly meshes: readonly Mesh[];
  readonly movingCount: number;
  /** Two numbers of bodies per pair. */
  readonly pairs: Uint32Array;
  readonly pairCount: number;
  /** 16 numbers for each body that does not move; if undefined, their placement is the identity. */
  readonly fixed: Transforms | undefined;
  /** Places the moving bodies, if they are given by joint values. */
  readonly chain?: Chain;
}

// Returns the byte offsets of the blocks of a slice's memory; each block starts on a cache line. depth: max sum
// of the depths of two trees. It determines the size of the stack: a step pops one pair of boxes and pushes
// at most 16 pairs, one level deeper.
function offsetsOf({ movingCount, pairCount, chain }: PosedBodies, depth: number, use: PoseUse) {
  const hasEdges = use === 'edges';
  const hasDistances = use === 'distances';
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
    // Holds copies of leaves or, with a clearance, the scratch memory for the distance of two triangles.
    block: take(Math.max(limits.BLOCK_BYTES, distanceLimits.MEASURE_BYTES)),
    candidates: take(2 * limits.CANDIDATE_STRIDE),
    uncertain: take(2 * limits.CANDIDATE_STRIDE),
    exact: take(EXACT_POINTS_BYTES + limits.EXACT_SCRATCH_BYTES),
    hits: take(2 * HITS_BYTES),
    bodies: take(BodyRecord.size * movingCount),
    boxes: take(POSE_BOX_BYTES * movingCount),
    order: take(4 * pairCount),
    frames: take(chain ? frameBytes(chain) : 0),
    matrices: take(chain ? MATRIX_BYTES * movingCount : 0),
    values: take(chain && hasEdges ? 2 * 8 * chain.valueCount : 0),
    speeds: take(hasEdges ? SPEED_BYTES * pairCount : 0),
    lists: take(hasEdges ? 4 * EDGE_LISTS * (pairCount + 1) : 0),
    distance: take(hasDistances ? DistanceJob.size + DistanceSearch.size : 0),
    distanceFront: take(hasDistances ? NodePairEntry.size : 0),
    distanceStack: take(hasDistances ? NodePairEntry.size * 16 * (depth + 2) : 0),
    distanceScratch: take(hasDistances ? distanceLimits.DISTANCE_SEARCH_BYTES : 0),
    bounds: take(hasDistances ? BOUND_BYTES * pairCount : 0),
    bytes,
  };
}

/** The memory of one call or, for edges, of one chunk of edges. */
export class PoseMemory {
  /** Address of a PosesJob. The caller sets its poses and its output addresses. */
  readonly jobAt: number;
  readonly sliceCount: number;
  readonly #context: EngineContext;
  readonly #slicesAt: number;

  /**
   * Allocates the memory and places the fixed bodies. The meshes and the matrices of the fixed bodies must
   * have been checked.
   * @throws Disposed, Capacity
   */
  constructor(context: EngineContext, blocks: BlockGroup, bodies: PosedBodies, use: PoseUse) {
    const { meshes, movingCount, pairs, pairCount, fixed, chain } = bodies;
    const { arena, pool, packTableAt } = context;
    const [deepest = 0, next = 0] = meshes.map(({ depth }) => depth).sort((a, b) => b - a);
    const offsets = offsetsOf(bodies, deepest + next, use);
    this.#context = context;
    this.sliceCount = pool.threadCount;
    this.jobAt = blocks.take(PosesJob.size);
    this.#slicesAt = blocks.take(this.sliceCount * PoseSlice.size);
    const pairsAt = blocks.takeWords(pairs);
    const chainAt = chain ? writeChain(context, blocks, chain) : 0;
    const memoryAt = blocks.take(this.sliceCount * offsets.bytes);
    const fixedAt = this.#placeFixed(blocks, meshes.slice(movingCount), fixed);
    for (let i = 0; i < this.sliceCount; i++)
      this.#writeSlice(
        this.#slicesAt + i * PoseSlice.size,
        memoryAt + i * offsets.bytes,
        offsets,
        meshes.slice(0, movingCount),
        pairCount,
      );
    if (use === 'distances')
      for (let i = 0; i < this.sliceCount; i++) this.#writeDistanceJob(memoryAt + i * offsets.bytes, offsets);
    setWords(arena.u32, this.jobAt, PosesJob, {
      movingCount,
      pairCount,
      fixedAt,
      fixedBoxesAt: fixedAt + (meshes.length - movingCount) * BodyRecord.size,
      pairsAt,
      slicesAt: this.#slicesAt,
      packTableAt,
      areShared: 0,
      chainAt,
    });
  }

  /**
   * Returns the number of the first pose or edge for which the last run of the job found an invalid matrix;
   * undefined if there is none. Poses and edges are numbered within the run.
   */
  firstInvalidPose(): number | undefined {
    const { u32 } = this.#context.arena;
    const invalid = Math.min(...this.#places('invalidPose').map(at => u32[at / 4]));
    return invalid === limits.NOTHING ? undefined : invalid;
  }

  /** Number of tests of the trees of two bodies, over all pairs and poses so far. */
  get nearCount(): number {
    return this.#sumOf('near');
  }

  /** Number of poses that `testEdges` has tested so far. */
  get testedPoses(): number {
    return this.#sumOf('poses');
  }

  #sumOf(field: 'near' | 'poses'): number {
    const { f64 } = this.#context.arena;
    return this.#places(field).reduce((sum, at) => sum + f64[at / 8], 0);
  }

  #places(field: 'invalidPose' | 'near' | 'poses'): number[] {
    return Array.from(
      { length: this.sliceCount },
      (_, i) => this.#slicesAt + i * PoseSlice.size + PoseSlice.at[field],
    );
  }

  #writeSlice(
    at: number,
    memoryAt: number,
    offsets: ReturnType<typeof offsetsOf>,
    meshes: readonly Mesh[],
    pairCount: number,
  ): void {
    const { u32, f64 } = this.#context.arena;
    const addressOf = (name: keyof typeof offsets): number => memoryAt + offsets[name];
    setWords(u32, at, PoseSlice, {
      listAt: addressOf('list'),
      bodiesAt: addressOf('bodies'),
      boxesAt: addressOf('boxes'),
      pairAt: addressOf('pair'),
      frontAt: addressOf('front'),
      orderAt: addressOf('order'),
      invalidPose: limits.NOTHING,
      framesAt: addressOf('frames'),
      matricesAt: addressOf('matrices'),
      valuesAt: addressOf('values'),
      speedsAt: addressOf('speeds'),
      listsAt: addressOf('lists'),
      distanceAt: addressOf('distance'),
      boundsAt: addressOf('bounds'),
    });
    f64[(at + PoseSlice.at.near) / 8] = 0;
    f64[(at + PoseSlice.at.poses) / 8] = 0;
    setWords(u32, addressOf('list'), ListRecord, {
      nodesAt: addressOf('stack'),
      nodesStride: offsets.stackBytes,
      leavesAt: addressOf('ring'),
      leavesStride: LINE,
      scratchAt: addressOf('block'),
      candidatesAt: addressOf('candidates'),
      uncertainAt: addressOf('uncertain'),
      exactAt: addressOf('exact'),
      pairsAAt: addressOf('hits'),
      pairsBAt: addressOf('hits') + HITS_BYTES,
      pairsCapacity: HIT_CAPACITY,
      wideCapacity: 0,
    });
    setWords(u32, addressOf('front'), FrontNode, { slotA: limits.NOTHING, slotB: limits.NOTHING });
    for (let pair = 0; pair < pairCount; pair++) u32[addressOf('order') / 4 + pair] = pair;
    this.#writeBodies(meshes, addressOf('bodies'), addressOf('boxes'));
  }

  // Writes the fields of a slice's DistanceJob that are the same for all pairs.
  #writeDistanceJob(memoryAt: number, offsets: ReturnType<typeof offsetsOf>): void {
    const { u8, u32 } = this.#context.arena;
    const jobAt = memoryAt + offsets.distance;
    const searchAt = jobAt + DistanceJob.size;
    u8.fill(0, jobAt, searchAt + DistanceSearch.size);
    setWords(u32, jobAt, DistanceJob, {
      searchesAt: searchAt,
      frontAt: memoryAt + offsets.distanceFront,
      hintA: limits.NOTHING,
      hintB: limits.NOTHING,
    });
    // The list for undecided pairs of triangles is empty: such pairs are only counted.
    setWords(u32, searchAt, DistanceSearch, {
      stackAt: memoryAt + offsets.distanceStack,
      scratchAt: memoryAt + offsets.distanceScratch,
      wideCapacity: 0,
    });
  }

  // Writes the records of bodies. The placement rows are NaN. They differ from every placement, so the first
  // pose places each body. Each box begins with a minimum of Infinity and a maximum of -Infinity. The box of a
  // mesh without triangles keeps these values, so it never overlaps another box.
  #writeBodies(meshes: readonly Mesh[], bodiesAt: number, boxesAt: number): void {
    const { arena } = this.#context;
    const { f32, f64 } = arena;
    meshes.forEach((mesh, i) => {
      const at = bodiesAt + i * BodyRecord.size;
      const rows = (at + BodyRecord.at.rows) / 8;
      const box = (boxesAt + i * POSE_BOX_BYTES) / 4;
      writeBodyMesh(arena, at, mesh);
      f64.fill(NaN, rows, rows + 12);
      f32.fill(Infinity, box, box + 3);
      f32.fill(-Infinity, box + 3, box + 6);
    });
  }

  // Places the fixed bodies: runs the kernel as if they were moving bodies, with one pose and no pairs.
  // @returns the address of their records, which are followed by their boxes
  #placeFixed(blocks: BlockGroup, meshes: readonly Mesh[], fixed: Transforms | undefined): number {
    const { arena, pool } = this.#context;
    const { length } = meshes;
    const recordBytes = BodyRecord.size + POSE_BOX_BYTES;
    const bodiesAt = blocks.take(length * (recordBytes + MATRIX_BYTES) + PoseSlice.size + 2 * 4);
    const boxesAt = bodiesAt + length * BodyRecord.size;
    const posesAt = bodiesAt + length * recordBytes;
    const slicesAt = posesAt + length * MATRIX_BYTES;
    const hitsAt = slicesAt + PoseSlice.size;
    this.#writeBodies(meshes, bodiesAt, boxesAt);
    for (let i = 0; i < length; i++)
      arena.f64.set(fixed?.subarray(16 * i, 16 * i + 16) ?? IDENTITY, posesAt / 8 + 16 * i);
    setWords(arena.u32, slicesAt, PoseSlice, { bodiesAt, boxesAt, orderAt: 0, invalidPose: limits.NOTHING });
    setWords(arena.u32, this.jobAt, PosesJob, {
      movingCount: length,
      pairCount: 0,
      posesAt,
      isDouble: 1,
      poseCount: 1,
      want: WANT_ANY,
      hitsAt,
      undecidedAt: hitsAt + 4,
      slicesAt,
      areShared: 1,
      chainAt: 0,
      cursor: 0,
    });
    pool.kernels.testPoses(this.jobAt, 0, 1);
    return bodiesAt;
  }
}
