// Manages the memory of the work lists of a front. Each list has stacks, a buffer of leaf pairs, scratch
// memory and outputs. The size of the stacks depends on the depths of the trees.
import { ListRecord, limits } from '../records/layout.js';
import { setWords } from '../records/record.js';
import type { Arena } from '../runtime/memory.js';

const AT = ListRecord.at;
/** Bytes for the 18 doubles of two placed triangles, rounded up to whole cache lines. */
const EXACT_POINTS_BYTES = 192;

const WORD = 4;
// Padding of a stack, in words: a push always stores four lanes, even if its mask selects fewer.
const OVERSHOOT = 4;

/** Owns the memory of all lists. The memory grows and never shrinks. */
export class WorkLists {
  recordsAt = 0;
  count = 0;
  readonly #arena: Arena;
  #depth = 0;
  #runCapacity = 0;
  #pairCapacity: number;
  #wideCapacity = 64;
  readonly #blocks: number[][] = [];

  constructor(arena: Arena, pairCapacity: number) {
    this.#arena = arena;
    this.#pairCapacity = pairCapacity;
  }

  recordAt(list: number): number {
    return this.recordsAt + list * ListRecord.size;
  }

  read(list: number, field: keyof typeof AT): number {
    return this.#arena.u32[(this.recordAt(list) + AT[field]) / 4];
  }

  #write(list: number, field: keyof typeof AT, value: number): void {
    this.#arena.u32[(this.recordAt(list) + AT[field]) / 4] = value;
  }

  counter(list: number, field: 'boxTests' | 'leafPairs' | 'triangleTests' | 'uncertain'): number {
    return this.#arena.f64[(this.recordAt(list) + AT[field]) / 8];
  }

  /**
   * Reserves `count` lists. `depth`: the max sum of the depths of a pair's two trees. `runCount`: capacity of
   * each list for runs (consecutive results of one mesh pair).
   */
  reserve(count: number, depth: number, runCount: number): void {
    if (count <= this.count && depth <= this.#depth && runCount <= this.#runCapacity) return;
    const wanted = Math.max(count, this.count);
    this.dispose();
    this.#depth = Math.max(depth, this.#depth);
    // Allocate a quarter more than required: fronts of a moving scene grow a little every frame.
    if (runCount > this.#runCapacity) this.#runCapacity = runCount + (runCount >>> 2);
    this.recordsAt = this.#arena.allocate(wanted * ListRecord.size);
    this.#arena.u8.fill(0, this.recordsAt, this.recordsAt + wanted * ListRecord.size);
    for (let i = 0; i < wanted; i++) this.#allocateList(i);
    this.count = wanted;
  }

  /** Clears the cursors, counters and outputs of the first `count` lists. */
  reset(count: number): void {
    const { u32, u8 } = this.#arena;
    for (let i = 0; i < count; i++) {
      const at = this.recordAt(i);
      u32[(at + AT.cursor) / 4] = 0;
      u32[(at + AT.pair) / 4] = limits.NOTHING;
      // Clears the counts of outputs and the counters.
      u8.fill(0, at + AT.leavesCount, at + AT.sphereCountsAt);
    }
  }

  /**
   * Whether the any-hit search of a list is complete: no nodes remain to be searched, and no triangle pairs
   * remain for BigInt to decide.
   */
  isComplete(list: number): boolean {
    return this.read(list, 'isUnfinished') === 0 && this.read(list, 'wideCount') === 0;
  }

  /**
   * Ends the first `count` lists early: threads finish the nodes that they have taken, and take no more nodes
   * from these lists.
   */
  skipRest(count: number): void {
    for (let i = 0; i < count; i++) this.#write(i, 'cursor', this.read(i, 'orderCount'));
  }

  setOrder(list: number, orderAt: number, orderCount: number): void {
    this.#arena.u32.set([orderAt, orderCount], this.recordAt(list) / 4);
  }

  /**
   * Enlarges every output of the first `count` lists that has overflowed. The new capacity is at least the
   * number of results that the list counted.
   * @returns whether any list had overflowed.
   */
  growOutputs(count: number): boolean {
    let hasGrown = false;
    for (let i = 0; i < count; i++) {
      const pairs = this.read(i, 'pairsCount');
      const wide = this.read(i, 'wideCount');
      if (pairs > this.read(i, 'pairsCapacity')) {
        this.#allocateOutput(i, pairs + (pairs >>> 2) + 4);
        hasGrown = true;
      }
      if (wide > this.read(i, 'wideCapacity')) {
        this.#allocateWide(i, wide);
        hasGrown = true;
      }
    }
    return hasGrown;
  }

  dispose(): void {
    for (const blocks of this.#blocks) for (const at of blocks) this.#arena.release(at);
    this.#blocks.length = 0;
    if (this.recordsAt) this.#arena.release(this.recordsAt);
    this.recordsAt = this.count = 0;
  }

  #allocateList(i: number): void {
    const arena = this.#arena;
    const sizes = stackBytes(this.#depth);
    const blocks: number[] = [];
    this.#blocks[i] = blocks;
    const take = (bytes: number): number => {
      const at = arena.allocate(bytes);
      blocks.push(at);
      return at;
    };
    const words = {
      ...sizes,
      nodesAt: take(2 * sizes.nodesStride),
      mixedAAt: take(2 * sizes.mixedStride),
      mixedBAt: take(2 * sizes.mixedStride),
      leavesAt: take(2 * sizes.leavesStride),
      batchAt: take(3 * 4 * limits.BATCH),
      scratchAt: take(limits.LEAF_RING * limits.BLOCK_BYTES),
      candidatesAt: take(2 * limits.CANDIDATE_STRIDE),
      uncertainAt: take(2 * limits.CANDIDATE_STRIDE),
      exactAt: take(EXACT_POINTS_BYTES + limits.EXACT_SCRATCH_BYTES),
      runsAt: take(8 * this.#runCapacity),
    };
    // The allocations may have replaced the view `arena.u32`, so it must not be read before this line.
    setWords(arena.u32, this.recordAt(i), ListRecord, words);
    // Output blocks are replaced individually, so they have fixed places at the end of the array of blocks.
    blocks.push(0, 0, 0);
    this.#allocateOutput(i, this.#pairCapacity);
    this.#allocateWide(i, this.#wideCapacity);
  }

  #allocateOutput(i: number, capacity: number): void {
    const arena = this.#arena;
    const blocks = this.#blocks[i];
    const slot = blocks.length - 3;
    arena.release(blocks[slot]);
    arena.release(blocks[slot + 1]);
    blocks[slot] = blocks[slot + 1] = 0;
    blocks[slot] = arena.allocate(4 * capacity + 16);
    blocks[slot + 1] = arena.allocate(4 * capacity + 16);
    this.#write(i, 'pairsAAt', blocks[slot]);
    this.#write(i, 'pairsBAt', blocks[slot + 1]);
    this.#write(i, 'pairsCapacity', capacity);
    this.#pairCapacity = Math.max(this.#pairCapacity, Math.min(capacity, 4096));
  }

  #allocateWide(i: number, capacity: number): void {
    const arena = this.#arena;
    const blocks = this.#blocks[i];
    const slot = blocks.length - 1;
    arena.release(blocks[slot]);
    blocks[slot] = 0;
    blocks[slot] = arena.allocate(12 * capacity);
    this.#write(i, 'wideAt', blocks[slot]);
    this.#write(i, 'wideCapacity', capacity);
  }
}

/**
 * Computes the sizes of the stacks from the sum of the trees' depths. A stack has two arrays, one for each side
 * of its pairs; a stride is the size in bytes of one array. The nodes stack holds pairs of inner nodes; a mixed
 * stack holds pairs of a leaf and an inner node. The traversal pops batches of up to BATCH pairs. It pushes at
 * most 16 pairs for each pair of inner nodes, and at most 4 pairs for each mixed pair. The pushed pairs are one
 * level deeper. While a mixed stack holds LEAF_CHUNK or more pairs, no pairs of inner nodes are popped.
 */
function stackBytes(depth: number): { nodesStride: number; mixedStride: number; leavesStride: number } {
  const nodes = 16 * limits.BATCH * (depth + 1) + OVERSHOOT;
  const mixed = limits.LEAF_CHUNK + 16 * limits.BATCH + 4 * limits.BATCH * (depth + 1) + OVERSHOOT;
  return {
    nodesStride: WORD * nodes,
    mixedStride: WORD * mixed,
    leavesStride: WORD * (limits.LEAF_RING + OVERSHOOT),
  };
}
