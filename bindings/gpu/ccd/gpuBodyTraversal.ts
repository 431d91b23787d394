// Goes down the trees of pairs of moving bodies on a GPU, one level per pass, and tests the features of the
// leaves whose boxes overlap during the motion.

import {
  BodyPairParams,
  gpuContinuousLimits,
  TraverseMovingParams,
} from '../../records/gpuContinuousLayout.js';
import { gpuLimits, PassSizeParams } from '../../records/gpuLayout.js';
import { limits } from '../../records/layout.js';
import { Commands, invocationsFor, uniformOf } from '../device/commands.js';
import { type Gpu, ScratchBuffer } from '../device/gpu.js';
import { GpuAppendList } from '../narrowphase/gpuAppendList.js';
import { passAt } from '../narrowphase/gpuFrontMaker.js';

const { LEVELS, LEAF_PAIR_COUNT, COUNTS } = gpuLimits;
const ITEM_WORDS = 4;
const LEAF_PAIR_WORDS = 3;
/** Invocations per entry of a list: one for each pair of children or each pair of faces. */
const PAIRS = 16;
const FIRST_CAPACITY = 2 ** 14;
/** Min capacity of the lists, in entries per pair of bodies. */
const ENTRIES_PER_PAIR = 4;

/**
 * Bodies in motion on the GPU. depth: the max depth of their trees. values: the uniforms of the kernels, except
 * the uniforms that the traversal sets.
 */
export interface MovingBodies {
  buffers: Readonly<Record<'bodies' | 'nodes' | 'leaves' | 'vertices' | 'faces', GPUBuffer>>;
  depth: number;
  values: Readonly<Record<'margin' | 'unit' | 'isSeparated' | 'separation' | 'pointError', number>>;
}

export class GpuBodyTraversal {
  /** The kernels to prepare before the first use. */
  static readonly kernels = ['writePassSize', 'traverseMoving', 'filterBodyPairs'] as const;
  readonly #gpu: Gpu;
  readonly #pairs: ScratchBuffer;
  readonly #counts: ScratchBuffer;
  readonly #passes: ScratchBuffer;
  readonly #lists: readonly [GpuAppendList, GpuAppendList];
  readonly #leafPairs: GpuAppendList;
  /** Counts of the last run: the length of each pass's list, and the number of pairs of leaves. */
  #lastCounts: Uint32Array | undefined;

  /** capacity: initial capacity of the lists, in entries. */
  constructor(gpu: Gpu, capacity = FIRST_CAPACITY) {
    const list = (label: string, words: number): GpuAppendList =>
      new GpuAppendList(gpu, label, 4 * words, capacity);
    this.#gpu = gpu;
    [this.#pairs, this.#counts, this.#passes] = [
      new ScratchBuffer(gpu, 'pairs of bodies'),
      new ScratchBuffer(gpu, 'counts'),
      new ScratchBuffer(gpu, 'passes'),
    ];
    this.#lists = [list('pairs of moving boxes', ITEM_WORDS), list('pairs of moving boxes', ITEM_WORDS)];
    this.#leafPairs = list('pairs of moving leaves', LEAF_PAIR_WORDS);
  }

  /**
   * Returns one word per pair of bodies: 0 if its features are certainly apart. If some entries of a pair of
   * bodies do not fit the lists, the pair is tested again with longer lists. If the entries do not fit even the
   * longest lists of the device, the word is not 0, because the bodies may touch. pairs: two slots per pair.
   * load: records the upload of the bodies. @throws GpuLost, GpuUnfit
   */
  async run(pairs: Uint32Array, load: (commands: Commands) => MovingBodies): Promise<Uint32Array> {
    const states = new Uint32Array(pairs.length / 2);
    let open = Uint32Array.from(states.keys());
    let bodies: MovingBodies | undefined;
    for (const list of [...this.#lists, this.#leafPairs])
      list.grow(Math.max(open.length, Math.min(ENTRIES_PER_PAIR * open.length, list.maxCapacity)));
    for (;;) {
      const commands = new Commands(this.#gpu);
      try {
        bodies ??= load(commands);
        this.#record(commands, bodies, pairs, open);
      } catch (error) {
        commands.drop();
        throw error;
      }
      const [counts] = await commands.submit();
      if (counts[bodies.depth] > 0) throw new Error('a tree is deeper than its record says');
      this.#lastCounts = counts.slice(0, COUNTS);
      open.forEach((pair, i) => {
        states[pair] = counts[COUNTS + i];
      });
      open = open.filter(pair => states[pair] === gpuContinuousLimits.CUT);
      if (open.length === 0 || !this.#grow(counts, bodies.depth)) return states;
    }
  }

  dispose(): void {
    for (const resource of [this.#pairs, this.#counts, this.#passes, ...this.#lists, this.#leafPairs])
      resource.dispose();
  }

  // Records the passes from the roots of the open pairs down to the leaves, and the tests of the leaves.
  #record(
    commands: Commands,
    { buffers: bodyBuffers, depth, values }: MovingBodies,
    allPairs: Uint32Array,
    open: Uint32Array,
  ): void {
    const lists = this.#lists;
    const leafPairs = this.#leafPairs;
    const pairs = allPairs.length === 2 * open.length ? allPairs : new Uint32Array(2 * open.length);
    if (pairs !== allPairs)
      open.forEach((pair, i) => {
        pairs.set(allPairs.subarray(2 * pair, 2 * pair + 2), 2 * i);
      });
    const roots = new Uint32Array(ITEM_WORDS * open.length).fill(limits.NOTHING);
    for (let i = 0; i < open.length; i++) roots[ITEM_WORDS * i] = i;
    const counts = new Uint32Array(COUNTS + open.length);
    counts[0] = open.length;
    const buffers = {
      ...bodyBuffers,
      pairs: this.#pairs.reserve(pairs.byteLength),
      counts: this.#counts.reserve(counts.byteLength),
      passes: this.#passes.reserve(passAt(LEVELS + 1)),
      leafPairs: leafPairs.buffer,
    };
    commands.upload(buffers.pairs, 0, pairs);
    commands.upload(buffers.counts, 0, counts);
    commands.upload(lists[0].buffer, 0, roots);
    // If a list was too short, the pass that reads it still processes the entries that fit. The same applies to
    // the tests of the leaves.
    const writeSize = (slot: number, level: number, { capacity }: GpuAppendList): void => {
      const sizes = { slot, capacity, leafCapacity: leafPairs.capacity, level, beam: capacity };
      commands.runGroups('writePassSize', uniformOf(PassSizeParams, sizes), buffers, 1);
    };
    for (let level = 0; level < depth; level++) {
      const list = lists[level & 1];
      const next = lists[(level + 1) & 1];
      const uniforms = {
        ...values,
        level,
        listCapacity: next.capacity,
        leafCapacity: leafPairs.capacity,
      };
      writeSize(level, level, list);
      commands.run(
        'traverseMoving',
        uniformOf(TraverseMovingParams, uniforms),
        { ...buffers, list: list.buffer, next: next.buffer },
        invocationsFor(this.#lastCounts?.[level], PAIRS),
      );
    }
    writeSize(LEAF_PAIR_COUNT, LEVELS, leafPairs);
    for (const isEdge of [1, 0])
      commands.run(
        'filterBodyPairs',
        uniformOf(BodyPairParams, { ...values, isEdge }),
        buffers,
        invocationsFor(this.#lastCounts?.[LEAF_PAIR_COUNT], PAIRS),
      );
    commands.read(buffers.counts, 0, counts.byteLength);
  }

  // Enlarges the lists that were too short, as far as the device allows. Returns whether any list was enlarged.
  #grow(counts: Uint32Array, depth: number): boolean {
    const grow = (list: GpuAppendList, count: number): boolean =>
      list.grow(Math.min(count, list.maxCapacity));
    let hasGrown = grow(this.#leafPairs, counts[LEAF_PAIR_COUNT]);
    for (let level = 1; level < depth; level++)
      hasGrown = grow(this.#lists[level & 1], counts[level]) || hasGrown;
    return hasGrown;
  }
}
