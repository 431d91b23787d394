// Makes the front from which a query on a GPU starts: a cut through the bounding volume test tree (BVTT),
// whose nodes are pairs of boxes. The front is made and grown on the GPU, and kept between runs with the
// costs of its nodes. A node stays in the front even if its two boxes do not overlap (Zhang and Kim, section
// 5.3).
import { GpuPass, GrowParams, gpuLimits } from '../../records/gpuLayout.js';
import { limits } from '../../records/layout.js';
import type { GpuMeshSource } from '../bvh/gpuRefits.js';
import { type BoundBuffers, type Commands, uniformOf } from '../device/commands.js';
import { type Gpu, ScratchBuffer } from '../device/gpu.js';

/** The properties of a mesh that a front uses. */
export interface FrontTree extends GpuMeshSource {
  readonly id: number;
  readonly depth: number;
  readonly treeVersion: number;
}

/**
 * Some nodes of the front of one pair of trees, chosen by a FrontSelection. slots: two words per node, the
 * slot of A's box and the slot of B's box. name: the name of the FrontSelection.
 */
export interface FrontNodes {
  name: string;
  slots: Uint32Array;
}

/** A query of placed pairs of meshes: trees[2 * i] and trees[2 * i + 1] are the trees of pair i. */
export interface FrontQuery {
  trees: readonly FrontTree[];
  /**
   * 'on': starts from the front of the last run, if that run had the same trees. Costly nodes of this front
   * may first be replaced by their children.
   */
  coherence: 'on' | 'off';
  /**
   * For self-queries, where both trees of each pair are the same: finds only the triangle pairs that share no
   * vertex. 'index' compares vertices by number, 'position' by coordinates.
   */
  neighbors?: 'index' | 'position';
  /**
   * For a single pair of trees: the nodes from which the query starts. By default, it starts from the pair of
   * roots.
   */
  selection?: FrontNodes;
}

const { LEAF_COST } = gpuLimits;
/** Max number of child pairs of a pair of nodes. */
const CHILDREN = 16;
/** Max number of nodes of a new front, unless there are more pairs of roots. */
const FIRST_COUNT = 4 ** 6;
/** A front with at least this many nodes does not grow further. A front with more nodes is not kept. */
const MAX_COUNT = 4 ** 7;
/** A node is expanded if its cost was at least this multiple of the mean cost. */
const COSTLY = 8;
/** A front does not grow further if the mean cost of a node is at most this many box tests. */
const MIN_MEAN_COST = 16;
/** A front of more pairs of trees than this is not kept. */
const MAX_PAIRS = 64;
const NODE_BYTES = 16;

/** Returns the byte offset of a pass in the buffer of passes. */
export const passAt = (level: number): number => level * GpuPass.size;

export class GpuFrontMaker {
  readonly #gpu: Gpu;
  readonly #buffers: readonly [ScratchBuffer, ScratchBuffer];
  readonly #costs: ScratchBuffer;
  /** Capacity of the buffers, in nodes. */
  #capacity = 0;
  /**
   * The kept front: the key of its trees, the index of its buffer, its number of nodes, and the total cost of
   * these nodes in the last run.
   */
  #kept: { key: string; bufferIndex: number; count: number; cost: number } | undefined;
  #next: { key: string; bufferIndex: number } | undefined;
  /** Whether this run starts from the front of the last run. */
  isContinued = false;

  constructor(gpu: Gpu) {
    this.#gpu = gpu;
    this.#buffers = [new ScratchBuffer(gpu, 'front'), new ScratchBuffer(gpu, 'front')];
    this.#costs = new ScratchBuffer(gpu, 'costs of the front');
  }

  /** The costs of the nodes in this run, a word each. */
  get costs(): GPUBuffer {
    return this.#costs.reserve(4 * this.#capacity);
  }
  /** The front nodes of this run. */
  get nodes(): GPUBuffer {
    return this.#at(this.#next!.bufferIndex);
  }

  /**
   * Records the steps that make the front. common: the buffers that are named pairs, nodes, passes and
   * counts. writeSize: a function that records one step, which stores the number of nodes of a level.
   * @returns the level of the front: the number of times that these steps expand it.
   */
  record(
    commands: Commands,
    { trees, coherence, neighbors, selection }: FrontQuery,
    common: BoundBuffers,
    writeSize: (level: number) => void,
  ): number {
    const roots = selection ? rootsOf(selection) : rootsOfPairs(trees.length / 2);
    const rootCount = roots.length / 4;
    const key = `${selection?.name ?? ''}${keyOf(trees, neighbors !== undefined)}`;
    const kept = this.#kept;
    const capacity = this.#maxCapacity;
    this.#kept = this.#next = undefined;
    this.#capacity = Math.max(capacity, rootCount);
    let bufferIndex = 0;
    let levels: number;
    let firstCount = rootCount;
    let bound = 0;
    const continued = coherence === 'on' && kept?.key === key ? kept : undefined;
    this.isContinued = continued !== undefined;
    if (continued) {
      bufferIndex = continued.bufferIndex;
      firstCount = continued.count;
      bound = Math.ceil((COSTLY * continued.cost) / continued.count);
      levels =
        continued.cost > MIN_MEAN_COST * continued.count &&
        continued.count * CHILDREN <= capacity &&
        continued.count < MAX_COUNT
          ? 1
          : 0;
    } else {
      levels = Math.max(
        0,
        Math.floor(Math.log(Math.min(FIRST_COUNT, capacity) / Math.max(1, rootCount)) / Math.log(CHILDREN)),
      );
      commands.upload(this.#at(0), 0, roots);
    }
    commands.upload(common['counts'], 0, Uint32Array.of(firstCount));
    for (let level = 0; level < levels; level++, bufferIndex = 1 - bufferIndex) {
      writeSize(level);
      commands.run(
        'growFront',
        uniformOf(GrowParams, { level, bound, listCapacity: capacity }),
        { ...common, front: this.#at(bufferIndex), costs: this.costs, next: this.#at(1 - bufferIndex) },
        CHILDREN * Math.min(capacity, firstCount * CHILDREN ** level),
      );
    }
    commands.clear(this.costs);
    this.#next = { key, bufferIndex };
    return levels;
  }

  /**
   * Keeps the front for the next run. count: number of its nodes. boxTests, leafPairs: numbers of tests and
   * of pairs of leaves below the front in this run.
   */
  keep(count: number, boxTests: number, leafPairs: number, pairCount: number): void {
    const next = this.#next;
    if (next && pairCount <= MAX_PAIRS && count <= MAX_COUNT)
      this.#kept = { ...next, count, cost: boxTests + LEAF_COST * leafPairs };
  }

  dispose(): void {
    for (const buffer of [...this.#buffers, this.#costs]) buffer.dispose();
    this.#kept = this.#next = undefined;
  }

  // Returns the max number of nodes of a front after one more expansion, clamped to the limit of the device.
  get #maxCapacity(): number {
    return Math.min(MAX_COUNT * CHILDREN, Math.floor(this.#gpu.limits.bindingBytes / NODE_BYTES));
  }
  #at(bufferIndex: number): GPUBuffer {
    return this.#buffers[bufferIndex].reserve(this.#capacity * NODE_BYTES);
  }
}

const rootsOfPairs = (pairCount: number): Uint32Array =>
  Uint32Array.from({ length: 4 * pairCount }, (_, i) => (i % 4 === 0 ? i / 4 : limits.NOTHING));
const rootsOf = ({ slots }: FrontNodes): Uint32Array =>
  Uint32Array.from({ length: 2 * slots.length }, (_, i) =>
    i % 4 === 0 ? 0 : i % 4 === 3 ? limits.NOTHING : slots[(i >> 2) * 2 + (i % 4) - 1],
  );
// Returns the key of a front. A self-query has its own front, because a self-query visits each unordered pair
// of boxes only once.
const keyOf = (trees: readonly FrontTree[], isSelf: boolean): string =>
  trees.length > 2 * MAX_PAIRS
    ? ''
    : (isSelf ? 'self ' : '') + trees.map(({ id, treeVersion }) => `${id}.${treeVersion}`).join();
