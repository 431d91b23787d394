// Finds the intersecting triangle pairs of placed meshes on a GPU. As in section 4 of Zhang and Kim's paper
// on p-partition fronts, the search starts from a front (a cut through the tree of box pairs) and goes down
// in passes. Each pass tests a list of box pairs, and writes the list of the next pass. The last pass tests
// the triangles of all pairs of leaves that were found. The results are two lists of triples (pair of meshes,
// triangle a, triangle b): triangles that certainly intersect, and triangles for which floats cannot decide.
import {
  GpuPair,
  GpuPass,
  gpuLimits,
  LeafPairParams,
  PassSizeParams,
  TraverseParams,
} from '../../records/gpuLayout.js';
import { limits, PairRecord } from '../../records/layout.js';
import type { Arena } from '../../runtime/memory.js';
import { GpuMeshes } from '../bvh/gpuMeshes.js';
import { Commands, invocationsFor, UNKNOWN_COUNT, uniformOf } from '../device/commands.js';
import { type Gpu, ScratchBuffer } from '../device/gpu.js';
import { GpuUnfit } from '../device/gpuErrors.js';
import type { MeshWatch } from '../meshWatch.js';
import { fillGpuPair } from './fillGpuPair.js';
import { GpuAppendList } from './gpuAppendList.js';
import { type FrontQuery, GpuFrontMaker, passAt } from './gpuFrontMaker.js';

/**
 * pairsAt: byte address of the PairRecords, one per pair of meshes. isAnyHit: finds only whether the meshes
 * of each pair intersect.
 */
export interface GpuFrontQuery extends FrontQuery {
  pairsAt: number;
  isAnyHit?: boolean;
}

/** Statistics of a run. */
export interface GpuFrontStats {
  /** Number of nodes of the front that the run started from. */
  frontNodes: number;
  /** Number of box pairs tested below the front. */
  boxTests: number;
  /** Number of pairs of leaves whose boxes overlap: up to 16 triangle pairs each. */
  leafPairs: number;
  /** Number of triangle pairs that the CPU has to decide. */
  exactTests: number;
  /** Number of passes below the front that had work to do. */
  passes: number;
  /**
   * Number of additional runs of passes. Reasons: a list was too short; a tree was deeper than the recorded
   * passes; or an any-hit query had to run again without a beam (see BEAM).
   */
  reruns: number;
}

/**
 * certain, uncertain: three words per triangle pair (pair of meshes, a, b), in any order. hits: for any-hit
 * queries, one word per pair of meshes: 1 if the meshes certainly intersect.
 */
export interface GpuFrontResult {
  certain: Uint32Array;
  uncertain: Uint32Array;
  hits: Uint32Array;
  stats: GpuFrontStats;
}

/**
 * The readback of a run: counters, the sizes of the passes' inputs, and the triangle pairs. isWhole: whether
 * all triangle pairs fit their lists.
 */
interface ReadBack {
  counts: Uint32Array;
  passes: Uint32Array;
  certain: Uint32Array;
  uncertain: Uint32Array;
  isWhole: boolean;
}

const { LEVELS, LEAF_PAIR_COUNT, CERTAIN_COUNT, UNCERTAIN_COUNT, HIT_COUNT, COUNTS } = gpuLimits;
const KERNELS = ['writePassSize', 'growFront', 'testFront', 'traverse', 'testLeafPairs'] as const;
const ITEM_BYTES = 16;
const TRIPLE_WORDS = 3;
const PASSES_BYTES = passAt(LEVELS + 1);
/**
 * Invocations per item of a list. CHILDREN: one for each pair of children of a pair of boxes. LEAF_TRIANGLES:
 * one for each triangle of a leaf.
 */
const CHILDREN = 16;
const LEAF_TRIANGLES = 4;
/** Max number of passes recorded before a readback. */
const MAX_RECORDED_PASSES = 24;
const FIRST_CAPACITY = 4096;
/**
 * The first run of an any-hit query has a beam: a max number of box pairs per pass, beyond which box pairs
 * are dropped. The beam is the larger of two numbers: BEAM, and BEAM_PER_PAIR times the number of pairs of
 * meshes. If box pairs were dropped and not all pairs of meshes are known to intersect, a second run without
 * a beam follows.
 */
const BEAM = 1024;
const BEAM_PER_PAIR = 4;
/**
 * Max number of reruns of a query. Capacities grow by large factors, so even the longest lists and deepest
 * trees need far fewer.
 */
const MAX_RERUNS = 64;

export class GpuFront {
  /** The trees of meshes. The sweep of bodies uses them, too. */
  readonly meshes: GpuMeshes;
  readonly #arena: Arena;
  readonly #gpu: Gpu;
  readonly #frontMaker: GpuFrontMaker;
  readonly #pairs: ScratchBuffer;
  readonly #counts: ScratchBuffer;
  readonly #passes: ScratchBuffer;
  private readonly lists: readonly [GpuAppendList, GpuAppendList];
  private readonly leafPairs: GpuAppendList;
  private readonly certain: GpuAppendList;
  private readonly uncertain: GpuAppendList;
  /**
   * State of the current run. #anyPairs: the number of pairs of meshes of an any-hit query; 0 for other
   * queries. #beam: the max number of box pairs per pass.
   */
  #anyPairs = 0;
  #beam = Infinity;
  /** Counts of the last run: the number of nodes of the front, and the length of each pass's list. */
  #lastCounts: Uint32Array | undefined;

  /** capacity: initial capacity of the lists, in entries. */
  constructor(arena: Arena, gpu: Gpu, capacity = FIRST_CAPACITY) {
    const list = (label: string, bytes: number): GpuAppendList =>
      new GpuAppendList(gpu, label, bytes, capacity);
    this.#arena = arena;
    this.#gpu = gpu;
    this.meshes = new GpuMeshes(arena, gpu);
    this.#frontMaker = new GpuFrontMaker(gpu);
    [this.#pairs, this.#counts, this.#passes] = [
      new ScratchBuffer(gpu, 'pairs of meshes'),
      new ScratchBuffer(gpu, 'counts'),
      new ScratchBuffer(gpu, 'passes'),
    ];
    this.lists = [list('pairs of boxes', ITEM_BYTES), list('pairs of boxes', ITEM_BYTES)];
    [this.leafPairs, this.certain, this.uncertain] = [
      list('pairs of leaves', 4 * TRIPLE_WORDS),
      list('pairs of triangles', 4 * TRIPLE_WORDS),
      list('uncertain pairs', 4 * TRIPLE_WORDS),
    ];
  }

  /** Runs a query. @throws GpuLost, GpuUnfit; the errors of MeshWatch.check */
  async run(query: GpuFrontQuery, watch?: MeshWatch): Promise<GpuFrontResult> {
    await this.meshes.prepare(KERNELS, query.trees);
    watch?.check();
    let commands = new Commands(this.#gpu);
    let firstRun: Uint32Array | undefined;
    this.#anyPairs = query.isAnyHit ? query.trees.length / 2 : 0;
    this.#beam = query.isAnyHit ? this.#firstBeam : Infinity;
    const frontLevel = this.#recordStart(commands, query);
    if (!this.#frontMaker.isContinued) this.#lastCounts = undefined;
    const depth = query.trees.reduce((max, tree) => Math.max(max, tree.depth), 0);
    for (let begin = frontLevel, reruns = 0; ; reruns++) {
      const end = Math.max(begin, Math.min(begin + MAX_RECORDED_PASSES, frontLevel + depth + 1, LEVELS - 1));
      this.#dropOnError(commands, () => {
        for (let level = begin; level < end; level++) this.#recordPass(commands, level, frontLevel);
        this.#recordLeafPairs(commands);
      });
      const found = await this.#readBack(commands);
      const next = this.#nextPass(found, begin, end);
      this.#noteCounts(found, frontLevel, next);
      if (next === undefined) return this.answer(found, firstRun, frontLevel, query, reruns);
      if (reruns === MAX_RERUNS) throw new Error('the lists of a front exceeded their capacity too often');
      if (this.#beam < Infinity) {
        // Hits of the first run remain valid. The second run tests the other pairs of meshes in full.
        firstRun = found.counts.slice();
        commands = this.#startOver(found, frontLevel);
        begin = frontLevel;
      } else {
        commands = this.#continueFrom(found, next, end);
        begin = next;
      }
    }
  }

  dispose(): void {
    const { lists, leafPairs, certain, uncertain } = this;
    const meshes = this.meshes;
    const frontMaker = this.#frontMaker;
    const pairs = this.#pairs;
    const counts = this.#counts;
    const passes = this.#passes;
    for (const resource of [
      meshes,
      frontMaker,
      ...lists,
      leafPairs,
      certain,
      uncertain,
      pairs,
      counts,
      passes,
    ])
      resource.dispose();
  }

  get #firstBeam(): number {
    return Math.max(BEAM, BEAM_PER_PAIR * this.#anyPairs);
  }
  get #countsBuffer(): GPUBuffer {
    return this.#counts.reserve(4 * (COUNTS + this.#anyPairs));
  }
  // The buffers that all kernels of a run share.
  get #common(): { pairs: GPUBuffer; nodes: GPUBuffer; passes: GPUBuffer; counts: GPUBuffer } {
    return {
      pairs: this.#pairs.reserve(GpuPair.size),
      nodes: this.meshes.nodes,
      passes: this.#passes.reserve(PASSES_BYTES),
      counts: this.#countsBuffer,
    };
  }

  // Records the upload of meshes and pairs, and the steps that make the front. @returns the level of the
  // front. @throws GpuUnfit
  #recordStart(commands: Commands, query: GpuFrontQuery): number {
    return this.#dropOnError(commands, () => {
      this.#putPairs(commands, query);
      commands.upload(this.#countsBuffer, 0, new Uint32Array(COUNTS + this.#anyPairs));
      return this.#frontMaker.record(commands, query, this.#common, level =>
        this.#recordSize(commands, level, level, Infinity),
      );
    });
  }

  // Records steps. If this throws, for example because a buffer does not fit, drops all recorded steps.
  #dropOnError<Result>(commands: Commands, record: () => Result): Result {
    try {
      return record();
    } catch (error) {
      commands.drop();
      this.meshes.undo();
      throw error;
    }
  }

  #putPairs(commands: Commands, { pairsAt, trees, neighbors }: GpuFrontQuery): void {
    const distinct = [...new Set(trees)];
    const treePlaces = this.meshes.update(commands, distinct);
    const places = new Map(
      distinct.map((tree, i) => [
        tree,
        {
          ...treePlaces[i],
          firstVertices: neighbors && this.meshes.uploadVertices(commands, tree, neighbors === 'position'),
        },
      ]),
    );
    const buffer = new ArrayBuffer((trees.length / 2) * GpuPair.size);
    const words = {
      u32: new Uint32Array(buffer),
      i32: new Int32Array(buffer),
      f32: new Float32Array(buffer),
    };
    for (let i = 0; i < trees.length / 2; i++) {
      const {
        firstNode: firstNodeA,
        firstLeaf: firstLeafA,
        firstVertices = limits.NOTHING,
      } = places.get(trees[2 * i])!;
      const { firstNode: firstNodeB, firstLeaf: firstLeafB } = places.get(trees[2 * i + 1])!;
      if (
        !fillGpuPair(this.#arena, pairsAt + i * PairRecord.size, words, i, {
          firstNodeA,
          firstLeafA,
          firstNodeB,
          firstLeafB,
          firstVertices,
        })
      ) {
        throw new GpuUnfit(`pair ${i}: the sizes or positions of the meshes differ too much for floats`);
      }
    }
    commands.upload(this.#pairs.reserve(buffer.byteLength), 0, words.u32);
  }

  #recordSize(commands: Commands, slot: number, level: number, capacity: number, beam = 0): void {
    const values = {
      slot,
      capacity: Math.min(capacity, 2 ** 32 - 1),
      leafCapacity: this.leafPairs.capacity,
      level,
      beam,
    };
    const { counts, passes } = this.#common;
    commands.runGroups('writePassSize', uniformOf(PassSizeParams, values), { counts, passes }, 1);
  }

  // Records a pass. The pass of level `frontLevel` tests the nodes of the front. Each later pass reads the
  // list that the pass before it wrote; two lists alternate.
  #recordPass(commands: Commands, level: number, frontLevel: number): void {
    const { leafPairs } = this;
    const common = this.#common;
    const frontMaker = this.#frontMaker;
    const list = this.lists[level & 1];
    const next = this.lists[(level + 1) & 1];
    this.#recordSize(
      commands,
      level,
      level,
      level === frontLevel ? Infinity : this.#capacityOf(list),
      this.#beam < Infinity ? this.#capacityOf(list) : 0,
    );
    const uniform = uniformOf(TraverseParams, {
      level,
      listCapacity: this.#capacityOf(next),
      leafCapacity: leafPairs.capacity,
      isAny: this.#anyPairs,
    });
    const buffers = { ...common, next: next.buffer, leafPairs: leafPairs.buffer, costs: frontMaker.costs };
    const lastCount = this.#lastCounts?.[level - frontLevel];
    if (level === frontLevel)
      commands.run('testFront', uniform, { ...buffers, front: frontMaker.nodes }, invocationsFor(lastCount));
    else
      commands.run(
        'traverse',
        uniform,
        { ...buffers, list: list.buffer },
        invocationsFor(lastCount, CHILDREN),
      );
  }

  #capacityOf({ capacity }: GpuAppendList): number {
    return Math.min(this.#beam, capacity);
  }

  #recordLeafPairs(commands: Commands): void {
    const { leafPairs, certain, uncertain } = this;
    const { pairs, passes, counts } = this.#common;
    const meshes = this.meshes;
    this.#recordSize(
      commands,
      LEAF_PAIR_COUNT,
      LEVELS,
      Infinity,
      this.#beam < Infinity ? leafPairs.capacity : 0,
    );
    const values = {
      slot: (passAt(LEVELS) + GpuPass.at.count) / 4,
      capacity: leafPairs.capacity,
      certainSlot: CERTAIN_COUNT,
      certainCapacity: certain.capacity,
      uncertainSlot: UNCERTAIN_COUNT,
      uncertainCapacity: uncertain.capacity,
      isAny: this.#anyPairs,
    };
    const buffers = {
      passes,
      counts,
      pairs,
      leaves: meshes.leaves,
      vertices: meshes.vertices,
      leafPairs: leafPairs.buffer,
      certain: certain.buffer,
      uncertain: uncertain.buffer,
    };
    commands.run(
      'testLeafPairs',
      uniformOf(LeafPairParams, values),
      buffers,
      invocationsFor(this.#lastCounts && leafPairs.lastCount, LEAF_TRIANGLES),
    );
  }

  // Reads the counters, and slightly more triangle pairs than the last run had. If there are still more, a
  // second readback gets the others.
  async #readBack(commands: Commands): Promise<ReadBack> {
    const { certain, uncertain } = this;
    const common = this.#common;
    const anyPairs = this.#anyPairs;
    const lists = [certain, uncertain] as const;
    const readCounts = lists.map(list => list.readAhead);
    commands.read(common.counts, 0, 4 * (COUNTS + anyPairs));
    commands.read(common.passes, 0, PASSES_BYTES);
    lists.forEach((list, i) => commands.read(list.buffer, 0, list.bytesOf(readCounts[i])));
    const [counts, passes, ...read] = await commands.submit();
    const found = [counts[CERTAIN_COUNT], counts[UNCERTAIN_COUNT]];
    const isWhole = lists.every((list, i) => found[i] <= list.capacity);
    const [certainWords, uncertainWords] = await Promise.all(
      lists.map(async (list, i) =>
        (isWhole ? await list.readAll(found[i], read[i]) : read[i]).subarray(0, TRIPLE_WORDS * found[i]),
      ),
    );
    return { counts, passes, certain: certainWords, uncertain: uncertainWords, isWhole };
  }

  // Returns the pass to continue with: the first pass whose output did not fit or, if there is none, the first
  // pass that was not recorded; undefined if the run is complete.
  #nextPass({ counts, passes, isWhole }: ReadBack, begin: number, end: number): number | undefined {
    if (this.#anyPairs > 0 && counts[HIT_COUNT] === this.#anyPairs) return undefined;
    for (let level = begin; level < end; level++) {
      const leafCount = level + 1 < end ? leafPairsBefore(passes, level + 1) : counts[LEAF_PAIR_COUNT];
      if (
        counts[level + 1] > this.#capacityOf(this.lists[(level + 1) & 1]) ||
        leafCount > this.leafPairs.capacity
      )
        return level;
    }
    return isWhole && (end === begin || counts[end] === 0) ? undefined : end;
  }

  // Notes the lengths of the lists for the next run. If passes run again, the output of pass `next` is the last
  // list whose length is known.
  #noteCounts({ counts }: ReadBack, frontLevel: number, next: number | undefined): void {
    this.#lastCounts = counts.slice(frontLevel, next === undefined ? LEVELS : next + 2);
    const leafPairs = counts[LEAF_PAIR_COUNT];
    this.leafPairs.lastCount = next === undefined ? leafPairs : Math.max(leafPairs, UNKNOWN_COUNT);
  }

  // Prepares the second run of an any-hit query, from the same front but without a beam.
  #startOver({ counts }: ReadBack, frontLevel: number): Commands {
    const commands = new Commands(this.#gpu);
    this.#beam = Infinity;
    counts.fill(0, frontLevel + 1, HIT_COUNT);
    commands.upload(this.#countsBuffer, 0, counts);
    commands.clear(this.#frontMaker.costs);
    return commands;
  }

  // Enlarges the lists that were too short. The output of pass `next` and of later passes is discarded; these
  // passes run again. @throws GpuUnfit
  #continueFrom({ counts, passes }: ReadBack, next: number, end: number): Commands {
    this.certain.grow(counts[CERTAIN_COUNT]);
    this.uncertain.grow(counts[UNCERTAIN_COUNT]);
    counts[CERTAIN_COUNT] = counts[UNCERTAIN_COUNT] = 0;
    // The input list of pass `next` stays unchanged.
    if (next < end) this.lists[(next + 1) & 1].grow(counts[next + 1]);
    const leafCount = counts[LEAF_PAIR_COUNT];
    if (next < end) {
      counts[LEAF_PAIR_COUNT] = leafPairsBefore(passes, next);
      counts.fill(0, next + 1, LEVELS);
    }
    const longer = this.leafPairs.growAndReplace(leafCount);
    const commands = new Commands(this.#gpu);
    if (longer) commands.replace(...longer);
    commands.upload(this.#countsBuffer, 0, counts);
    return commands;
  }

  // Returns the result of a query. firstRun: for an any-hit query that needed a second run, the counters of
  // the first run.
  private answer(
    { counts, certain, uncertain }: ReadBack,
    firstRun: Uint32Array | undefined,
    frontLevel: number,
    { trees }: GpuFrontQuery,
    reruns: number,
  ): GpuFrontResult {
    const frontNodes = counts[frontLevel];
    const passes = counts.subarray(frontLevel + 1, LEVELS).filter(count => count > 0).length;
    const testsOf = (list: Uint32Array, limit: number): number =>
      CHILDREN *
      list.subarray(frontLevel + 1, LEVELS).reduce((sum, count) => sum + Math.min(count, limit), 0);
    const boxTests = testsOf(counts, this.#beam);
    const leafPairs = counts[LEAF_PAIR_COUNT];
    this.certain.lastCount = counts[CERTAIN_COUNT];
    this.uncertain.lastCount = counts[UNCERTAIN_COUNT];
    // After a hit, the remaining box pairs of the two meshes were skipped. Their costs are unknown, so the
    // front is not kept.
    if (counts[HIT_COUNT] === 0) this.#frontMaker.keep(frontNodes, boxTests, leafPairs, trees.length / 2);
    return {
      certain,
      uncertain,
      hits: counts.subarray(COUNTS),
      stats: {
        frontNodes,
        boxTests: boxTests + (firstRun ? testsOf(firstRun, this.#firstBeam) : 0),
        leafPairs: leafPairs + (firstRun?.[LEAF_PAIR_COUNT] ?? 0),
        exactTests: counts[UNCERTAIN_COUNT],
        passes,
        reruns,
      },
    };
  }
}

const leafPairsBefore = (passes: Uint32Array, level: number): number =>
  passes[(passAt(level) + GpuPass.at.leafPairs) / 4];
