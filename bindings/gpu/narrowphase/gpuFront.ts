// Placed mesh pairs -> triples (pair, a, b) of triangles that meet, and those that floats left open, by
// fronts on a GPU. Zhang and Kim, p-partition fronts, 4: passes of bounded depth over lists of pairs of
// boxes; all triangles in one last pass.
import {
  DispatchParams,
  GpuPair,
  GpuPass,
  gpuLimits,
  TouchParams,
  TraverseParams,
} from '../../records/gpuLayout.js';
import { limits, PairRecord } from '../../records/layout.js';
import type { Arena } from '../../runtime/memory.js';
import { GpuMeshes } from '../bvh/gpuMeshes.js';
import { Commands } from '../device/commands.js';
import { type Gpu, GpuRoom } from '../device/gpu.js';
import { GpuUnfit } from '../device/gpuErrors.js';
import type { MeshWatch } from '../meshWatch.js';
import { type CutQuestion, GpuCut, passAt } from './gpuCut.js';
import { GpuList } from './gpuList.js';
import { fillGpuPair } from './gpuPairs.js';

/** pairsAt: PairRecords, one a pair. isAny: only whether pairs meet. */
export interface FrontQuestion extends CutQuestion {
  pairsAt: number;
  isAny?: boolean;
}

/** What a run cost. */
export interface GpuFrontStats {
  /** Nodes of the front that it started from. */
  frontNodes: number;
  /** Pairs of boxes that were tested below it. */
  boxTests: number;
  /** Pairs of leaves whose boxes met: up to 16 triangle pairs each. */
  leafPairs: number;
  /** Triangle pairs that were left to the CPU. */
  exactTests: number;
  /** Passes below the front that had something to do. */
  passes: number;
  /** Times that it was gone on with: a list was too short, or a tree deeper than was recorded ahead. */
  continued: number;
}

/**
 * Three words each: pair, a, b; in any order. hits: a word a pair, 1 where it surely meets, if that alone was
 * asked.
 */
export interface FrontAnswer {
  sure: Uint32Array;
  uncertain: Uint32Array;
  hits: Uint32Array;
  stats: GpuFrontStats;
}

/** What was read back: counters, what passes started from, and hits where there was room for all of them. */
interface ReadBack {
  counts: Uint32Array;
  passes: Uint32Array;
  sure: Uint32Array;
  uncertain: Uint32Array;
  isWhole: boolean;
}

const { LEVELS, LEAF_PAIR_COUNT, SURE_COUNT, UNCERTAIN_COUNT, HIT_COUNT, COUNTS } = gpuLimits;
const KERNELS = ['writeDispatch', 'growFront', 'testFront', 'traverse', 'testLeafPairs'] as const;
const ITEM_BYTES = 16;
const TRIPLE_WORDS = 3;
const PASSES_BYTES = passAt(LEVELS + 1);
/** Children of a pair of boxes: an invocation each. Triangles of a leaf, likewise. */
const CHILDREN = 16;
const LEAF_TRIANGLES = 4;
/** Passes that are recorded ahead. */
const AHEAD = 24;
const FIRST_CAPACITY = 4096;
/** Pairs of boxes that a beam takes of each pass: at least so many, and so many a pair. */
const BEAM = 1024;
const BEAM_A_PAIR = 4;
/** Lists leap: far fewer times do for the longest ones and the deepest trees. */
const MOST_CONTINUED = 64;

export class GpuFront {
  readonly #arena: Arena;
  readonly #gpu: Gpu;
  readonly #meshes: GpuMeshes;
  readonly #cut: GpuCut;
  readonly #pairs: GpuRoom;
  readonly #counts: GpuRoom;
  readonly #passes: GpuRoom;
  private readonly lists: readonly [GpuList, GpuList];
  private readonly leafPairs: GpuList;
  private readonly sure: GpuList;
  private readonly uncertain: GpuList;
  /**
   * Of this run: pairs whose hits are asked for, none where all is; and the most pairs of boxes that a pass
   * takes.
   */
  #anyPairs = 0;
  #beam = Infinity;

  /** capacity: entries that lists have room for at first. */
  constructor(arena: Arena, gpu: Gpu, capacity = FIRST_CAPACITY) {
    const list = (label: string, bytes: number): GpuList => new GpuList(gpu, label, bytes, capacity);
    this.#arena = arena;
    this.#gpu = gpu;
    this.#meshes = new GpuMeshes(arena, gpu);
    this.#cut = new GpuCut(gpu);
    [this.#pairs, this.#counts, this.#passes] = [
      new GpuRoom(gpu, 'pairs of meshes'),
      new GpuRoom(gpu, 'counts'),
      new GpuRoom(gpu, 'passes'),
    ];
    this.lists = [list('pairs of boxes', ITEM_BYTES), list('pairs of boxes', ITEM_BYTES)];
    [this.leafPairs, this.sure, this.uncertain] = [
      list('pairs of leaves', 4 * TRIPLE_WORDS),
      list('pairs of triangles', 4 * TRIPLE_WORDS),
      list('uncertain pairs', 4 * TRIPLE_WORDS),
    ];
  }

  /** @throws GpuLost, GpuUnfit; as MeshWatch.check */
  async run(question: FrontQuestion, watch?: MeshWatch): Promise<FrontAnswer> {
    // Meshes may move while kernels are compiled.
    for (
      let names: readonly string[] = [];
      names.length < KERNELS.length + this.#meshes.kernelsFor(question.trees).length;
    ) {
      names = [...KERNELS, ...this.#meshes.kernelsFor(question.trees)];
      await this.#gpu.prepare(names);
    }
    watch?.check();
    let commands = new Commands(this.#gpu);
    let looked: Uint32Array | undefined;
    this.#anyPairs = question.isAny ? question.trees.length / 2 : 0;
    this.#beam = question.isAny ? this.#firstBeam : Infinity;
    const top = this.#recordStart(commands, question);
    const depth = question.trees.reduce((most, tree) => Math.max(most, tree.depth), 0);
    for (let begin = top, continued = 0; ; continued++) {
      const end = Math.max(begin, Math.min(begin + AHEAD, top + depth + 1, LEVELS - 1));
      this.#orDrop(commands, () => {
        for (let level = begin; level < end; level++) this.#recordPass(commands, level, top);
        this.#recordTouch(commands);
      });
      const found = await this.#readBack(commands);
      const next = this.#findShort(found, begin, end);
      if (next === undefined) return this.answer(found, looked, top, question, continued);
      if (this.#beam < Infinity) {
        // What a first look found of some pairs stays found; the others are looked at as a whole.
        looked = found.counts.slice();
        commands = this.#startOver(found, top);
        begin = top;
      } else {
        commands = this.#goOn(found, next, end);
        begin = next;
      }
      if (continued === MOST_CONTINUED) throw new Error('a front grows without end');
    }
  }

  dispose(): void {
    const { lists, leafPairs, sure, uncertain } = this;
    const meshes = this.#meshes;
    const cut = this.#cut;
    const pairs = this.#pairs;
    const counts = this.#counts;
    const passes = this.#passes;
    for (const part of [meshes, cut, ...lists, leafPairs, sure, uncertain, pairs, counts, passes])
      part.dispose();
  }

  get #firstBeam(): number {
    return Math.max(BEAM, BEAM_A_PAIR * this.#anyPairs);
  }
  get #countsBuffer(): GPUBuffer {
    return this.#counts.reserve(4 * (COUNTS + this.#anyPairs));
  }
  // What all kernels of a run share.
  get #common(): { pairs: GPUBuffer; nodes: GPUBuffer; passes: GPUBuffer; counts: GPUBuffer } {
    return {
      pairs: this.#pairs.reserve(GpuPair.size),
      nodes: this.#meshes.nodes,
      passes: this.#passes.reserve(PASSES_BYTES),
      counts: this.#countsBuffer,
    };
  }

  // The meshes, their pairs and the front. @returns the level at which the front is. @throws GpuUnfit
  #recordStart(commands: Commands, question: FrontQuestion): number {
    return this.#orDrop(commands, () => {
      this.#putPairs(commands, question);
      commands.upload(this.#countsBuffer, 0, new Uint32Array(COUNTS + this.#anyPairs));
      return this.#cut.record(commands, question, this.#common, level =>
        this.#recordDispatch(commands, level, level, Infinity),
      );
    });
  }

  // Where something does not fit, nothing that was recorded is done.
  #orDrop<Result>(commands: Commands, record: () => Result): Result {
    try {
      return record();
    } catch (error) {
      commands.drop();
      this.#meshes.undo();
      throw error;
    }
  }

  #putPairs(commands: Commands, { pairsAt, trees, neighbors }: FrontQuestion): void {
    const distinct = [...new Set(trees)];
    const placed = this.#meshes.place(commands, distinct);
    const places = new Map(
      distinct.map((tree, i) => [
        tree,
        {
          ...placed[i],
          firstVertices: neighbors && this.#meshes.placeVertices(commands, tree, neighbors === 'position'),
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
        throw new GpuUnfit(`pair ${i}: sizes too different, or too far apart, for floats`);
      }
    }
    commands.upload(this.#pairs.reserve(buffer.byteLength), 0, words.u32);
  }

  #recordDispatch(
    commands: Commands,
    slot: number,
    level: number,
    capacity: number,
    each = CHILDREN,
    beam = 0,
  ): void {
    const values = {
      slot,
      capacity: Math.min(capacity, 2 ** 32 - 1),
      leafCapacity: this.leafPairs.capacity,
      level,
      each,
      groups: this.#gpu.limits.workgroups,
      beam,
    };
    const { counts, passes } = this.#common;
    commands.runGroups('writeDispatch', { layout: DispatchParams, values }, { counts, passes }, 1);
  }

  // Level `top` is the front; below it lists take turns.
  #recordPass(commands: Commands, level: number, top: number): void {
    const { leafPairs } = this;
    const common = this.#common;
    const cut = this.#cut;
    const list = this.lists[level & 1];
    const next = this.lists[(level + 1) & 1];
    this.#recordDispatch(
      commands,
      level,
      level,
      level === top ? Infinity : this.#roomOf(list),
      CHILDREN,
      this.#beam < Infinity ? this.#roomOf(list) : 0,
    );
    const uniform = {
      layout: TraverseParams,
      values: {
        level,
        listCapacity: this.#roomOf(next),
        leafCapacity: leafPairs.capacity,
        isAny: this.#anyPairs,
      },
    };
    const buffers = { ...common, next: next.buffer, leafPairs: leafPairs.buffer, costs: cut.costs };
    if (level === top)
      commands.runIndirect(
        'testFront',
        uniform,
        { ...buffers, front: cut.nodes },
        common.passes,
        passAt(level),
      );
    else
      commands.runIndirect(
        'traverse',
        uniform,
        { ...buffers, list: list.buffer },
        common.passes,
        passAt(level),
      );
  }

  #roomOf({ capacity }: GpuList): number {
    return Math.min(this.#beam, capacity);
  }

  #recordTouch(commands: Commands): void {
    const { leafPairs, sure, uncertain } = this;
    const { pairs, passes, counts } = this.#common;
    const meshes = this.#meshes;
    this.#recordDispatch(
      commands,
      LEAF_PAIR_COUNT,
      LEVELS,
      Infinity,
      LEAF_TRIANGLES,
      this.#beam < Infinity ? leafPairs.capacity : 0,
    );
    const values = {
      slot: (passAt(LEVELS) + GpuPass.at.count) / 4,
      capacity: leafPairs.capacity,
      sureSlot: SURE_COUNT,
      sureCapacity: sure.capacity,
      unsureSlot: UNCERTAIN_COUNT,
      unsureCapacity: uncertain.capacity,
      isAny: this.#anyPairs,
    };
    const buffers = {
      passes,
      counts,
      pairs,
      leaves: meshes.leaves,
      vertices: meshes.vertices,
      leafPairs: leafPairs.buffer,
      sure: sure.buffer,
      uncertain: uncertain.buffer,
    };
    commands.runIndirect('testLeafPairs', { layout: TouchParams, values }, buffers, passes, passAt(LEVELS));
  }

  // One readback, of as many hits as the last run had; more are read in a second one.
  async #readBack(commands: Commands): Promise<ReadBack> {
    const { sure, uncertain } = this;
    const common = this.#common;
    const anyPairs = this.#anyPairs;
    const lists = [sure, uncertain] as const;
    const guesses = lists.map(list => list.guess);
    commands.read(common.counts, 0, 4 * (COUNTS + anyPairs));
    commands.read(common.passes, 0, PASSES_BYTES);
    lists.forEach((list, i) => commands.read(list.buffer, 0, list.bytesOf(guesses[i])));
    const [counts, passes, ...read] = (await commands.submit()) as [
      Uint32Array,
      Uint32Array,
      Uint32Array,
      Uint32Array,
    ];
    const found = [counts[SURE_COUNT], counts[UNCERTAIN_COUNT]];
    const isWhole = lists.every((list, i) => found[i] <= list.capacity);
    const [sureWords, unsureWords] = (await Promise.all(
      lists.map(async (list, i) =>
        (isWhole ? await list.rest(found[i], read[i]) : read[i]).subarray(0, TRIPLE_WORDS * found[i]),
      ),
    )) as [Uint32Array, Uint32Array];
    return { counts, passes, sure: sureWords, uncertain: unsureWords, isWhole };
  }

  // @returns the pass to go on with: one that found more than there was room for, or the first that was not
  // recorded.
  #findShort({ counts, passes, isWhole }: ReadBack, begin: number, end: number): number | undefined {
    if (this.#anyPairs > 0 && counts[HIT_COUNT] === this.#anyPairs) return undefined;
    for (let level = begin; level < end; level++) {
      const leafCount = level + 1 < end ? leafPairsBefore(passes, level + 1) : counts[LEAF_PAIR_COUNT];
      if (
        counts[level + 1] > this.#roomOf(this.lists[(level + 1) & 1]) ||
        leafCount > this.leafPairs.capacity
      )
        return level;
    }
    return isWhole && (end === begin || counts[end] === 0) ? undefined : end;
  }

  // The same front without a beam.
  #startOver({ counts }: ReadBack, top: number): Commands {
    const commands = new Commands(this.#gpu);
    this.#beam = Infinity;
    counts.fill(0, top + 1, HIT_COUNT);
    commands.upload(this.#countsBuffer, 0, counts);
    commands.clear(this.#cut.costs);
    return commands;
  }

  // Lists that were too short get room. What pass `next` and those after it found goes: they are done again.
  // @throws GpuUnfit
  #goOn({ counts, passes }: ReadBack, next: number, end: number): Commands {
    this.sure.grow(counts[SURE_COUNT]);
    this.uncertain.grow(counts[UNCERTAIN_COUNT]);
    counts[SURE_COUNT] = counts[UNCERTAIN_COUNT] = 0;
    // The list that pass `next` starts from stays as it is.
    if (next < end) this.lists[(next + 1) & 1].grow(counts[next + 1]);
    const leafCount = counts[LEAF_PAIR_COUNT];
    if (next < end) {
      counts[LEAF_PAIR_COUNT] = leafPairsBefore(passes, next);
      counts.fill(0, next + 1, LEVELS);
    }
    const longer = this.leafPairs.growKeeping(leafCount);
    const commands = new Commands(this.#gpu);
    if (longer) commands.replace(...longer);
    commands.upload(this.#countsBuffer, 0, counts);
    return commands;
  }

  // looked: counters of a first look that did not tell.
  private answer(
    { counts, sure, uncertain }: ReadBack,
    looked: Uint32Array | undefined,
    top: number,
    { trees }: FrontQuestion,
    continued: number,
  ): FrontAnswer {
    const frontNodes = counts[top];
    const passes = counts.subarray(top + 1, LEVELS).filter(count => count > 0).length;
    const testsOf = (list: Uint32Array, most: number): number =>
      CHILDREN * list.subarray(top + 1, LEVELS).reduce((sum, count) => sum + Math.min(count, most), 0);
    const boxTests = testsOf(counts, this.#beam);
    const leafPairs = counts[LEAF_PAIR_COUNT];
    this.sure.lastCount = counts[SURE_COUNT];
    this.uncertain.lastCount = counts[UNCERTAIN_COUNT];
    // What pairs that are left out would have cost is not known.
    if (counts[HIT_COUNT] === 0) this.#cut.keep(frontNodes, boxTests, leafPairs, trees.length / 2);
    return {
      sure,
      uncertain,
      hits: counts.subarray(COUNTS),
      stats: {
        frontNodes,
        boxTests: boxTests + (looked ? testsOf(looked, this.#firstBeam) : 0),
        leafPairs: leafPairs + (looked?.[LEAF_PAIR_COUNT] ?? 0),
        exactTests: counts[UNCERTAIN_COUNT],
        passes,
        continued,
      },
    };
  }
}

const leafPairsBefore = (passes: Uint32Array, level: number): number =>
  passes[(passAt(level) + GpuPass.at.leafPairs) / 4];
