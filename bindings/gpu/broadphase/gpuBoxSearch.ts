// Records the GPU commands that find all pairs of overlapping boxes, cell by cell, and sort the list of
// pairs.

import { BOX_BYTES } from '../../broadphase/boxSet.js';
import { BoxParams, GpuCell, GpuEntry, gpuBoxLimits } from '../../records/gpuBoxLayout.js';
import { limits } from '../../records/layout.js';
import { Commands, type Uniform, uniformOf } from '../device/commands.js';
import { type Gpu, ScratchBuffer } from '../device/gpu.js';
import { GpuUnfit } from '../device/gpuErrors.js';
import { PrefixSum } from '../device/prefixSum.js';
import { RadixSort } from '../device/radixSort.js';
import type { BoxCells } from './cellSplitter.js';

const { FIRST_LARGE, LONG_COUNT, MAX_RANKED, PAIRS_HIGH, PAIRS_LOW } = gpuBoxLimits;
const KERNELS = [
  'countCells',
  'writeCellEntries',
  'gatherEntries',
  'countPairs',
  'writePairs',
  'rankPairs',
  'sortRows',
] as const;
/**
 * A row consists of all pairs (a, b) with the same box a. A row of more than MAX_RANKED pairs is long. Several
 * workgroups sort the long rows; each workgroup sorts one row at a time. The number of these workgroups is
 * `#lastLongRows` (FIRST_ROW_SORTERS at first), but at least MIN_ROW_SORTERS and at most ROW_SORTERS.
 */
const MIN_ROW_SORTERS = 16;
const FIRST_ROW_SORTERS = 64;
const ROW_SORTERS = 512;

/** The boxes, cells and capacities of a search. */
export interface SearchPlan extends BoxCells {
  /**
   * count: number of boxes. secondFrom: index of the first box of the second set; NOTHING if there is only one
   * set. firstB: the number that is subtracted from the index b of each pair (a, b). endB: exclusive upper
   * bound of b after the subtraction.
   */
  count: number;
  secondFrom: number;
  firstB: number;
  endB: number;
  /**
   * If both boxes of a pair begin before regionStart along regionAxis, the pair is not reported. regionStart is
   * a key of `keyOf`.
   */
  regionAxis: number;
  regionStart: number;
  /**
   * depth: number of splits from the root to a cell. axis: the sweep axis. positionBits: bits of a position in
   * a cell. keyBits: bits of a sort key. entries, pairs, maxLarge: capacities of the lists.
   */
  depth: number;
  axis: number;
  positionBits: number;
  keyBits: number;
  entries: number;
  pairs: number;
  maxLarge: number;
}

/**
 * Pairs in GPU buffers. counts[slot] is the number of pairs modulo 2^32. If the number of pairs exceeds
 * `capacity`, no pairs were written.
 */
export interface PairsOnGpu {
  a: GPUBuffer;
  b: GPUBuffer;
  counts: GPUBuffer;
  slot: number;
  capacity: number;
}

export class GpuBoxSearch {
  readonly #gpu: Gpu;
  readonly #scan: PrefixSum;
  readonly #sort: RadixSort;
  private readonly buffers: Record<
    | 'boxes'
    | 'splits'
    | 'cells'
    | 'starts'
    | 'keys'
    | 'values'
    | 'spareKeys'
    | 'spareValues'
    | 'entries'
    | 'counters'
    | 'rows'
    | 'next'
    | 'pairsA'
    | 'pairsB'
    | 'sortedB'
    | 'longRows',
    ScratchBuffer
  >;

  constructor(gpu: Gpu) {
    this.#gpu = gpu;
    this.#scan = new PrefixSum(gpu);
    this.#sort = new RadixSort(gpu);
    const scratch = (label: string): ScratchBuffer => new ScratchBuffer(gpu, label);
    this.buffers = {
      boxes: scratch('boxes'),
      splits: scratch('splits of cells'),
      cells: scratch('cells'),
      starts: scratch('first entries of boxes'),
      keys: scratch('keys of entries'),
      values: scratch('boxes of entries'),
      spareKeys: scratch('keys of entries'),
      spareValues: scratch('boxes of entries'),
      entries: scratch('entries'),
      counters: scratch('counters'),
      rows: scratch('first pairs of boxes'),
      next: scratch('next pairs of boxes'),
      pairsA: scratch('pairs'),
      pairsB: scratch('pairs'),
      sortedB: scratch('pairs'),
      longRows: scratch('long rows'),
    };
  }

  /** Max number of entries that a buffer of the device holds. */
  get maxEntries(): number {
    return Math.floor(this.#gpu.limits.bindingBytes / GpuEntry.size);
  }
  get maxPairs(): number {
    return Math.floor(this.#gpu.limits.bindingBytes / 16) * 4;
  }

  prepare(): Promise<void> {
    return this.#gpu.prepare([...PrefixSum.kernels, ...RadixSort.kernels, ...KERNELS]);
  }

  /**
   * Reserves all buffers. Call it before any step is recorded: a buffer that is too short is destroyed and
   * replaced. @throws GpuUnfit
   */
  reserve({ count, depth, entries, pairs, maxLarge }: SearchPlan): void {
    const { buffers } = this;
    buffers.boxes.reserve(BOX_BYTES * count);
    buffers.splits.reserve(8 * 2 ** depth);
    buffers.cells.reserve(GpuCell.size * 2 ** depth);
    for (const name of ['starts', 'rows', 'next'] as const) buffers[name].reserve(4 * (count + 1));
    for (const name of ['keys', 'values', 'spareKeys', 'spareValues'] as const)
      buffers[name].reserve(4 * entries);
    buffers.entries.reserve(GpuEntry.size * entries);
    buffers.counters.reserve(4 * (FIRST_LARGE + maxLarge));
    this.#reservePairs(pairs);
    this.#scan.reserve(count + 1);
    this.#sort.reserve(entries);
  }

  upload(commands: Commands, { splits, cells }: SearchPlan, sets: readonly Float32Array[]): void {
    let at = 0;
    for (const boxes of sets) {
      commands.upload(this.buffer('boxes'), at, boxes);
      at += boxes.byteLength;
    }
    commands.upload(this.buffer('counters'), 0, new Uint32Array(FIRST_LARGE));
    commands.upload(this.buffer('splits'), 0, splits);
    commands.upload(this.buffer('cells'), 0, cells);
  }

  /**
   * Records all steps up to the counting of pairs. They write the index of each box's first pair to `rows`,
   * and the number of all pairs to the counters. Steps that write the pairs are recorded separately.
   */
  record(commands: Commands, plan: SearchPlan): void {
    const { count, entries, keyBits } = plan;
    const uniform = this.#uniformOf(plan);
    const [boxes, splits, cells, starts, counters, rows] = (
      ['boxes', 'splits', 'cells', 'starts', 'counters', 'rows'] as const
    ).map(name => this.buffer(name));
    const items = { keys: this.buffer('keys'), values: this.buffer('values') };
    const spare = { keys: this.buffer('spareKeys'), values: this.buffer('spareValues') };
    commands.clear(rows, 0, 4 * (count + 1));
    commands.run('countCells', uniform, { boxes, splits, starts, counters }, count + 1);
    this.#scan.record(commands, starts, count + 1);
    commands.run('writeCellEntries', uniform, { boxes, splits, cells, starts, ...items }, count);
    const { keys, values } = this.#sort.record(
      commands,
      items,
      spare,
      { buffer: starts, slot: count, maxCount: entries },
      keyBits,
    );
    this.#keys = keys;
    commands.run(
      'gatherEntries',
      uniform,
      { boxes, cells, counts: starts, keys, values, entries: this.buffer('entries') },
      entries,
    );
    commands.run('countPairs', uniform, { ...this.#swept, rows }, Math.max(entries, count));
    this.#scan.record(commands, rows, count + 1);
  }

  /**
   * Records the steps that write the sorted list of pairs. Call it after `record`. A list that does not fit
   * is not written.
   */
  recordList(commands: Commands, plan: SearchPlan): void {
    commands.copy(this.buffer('rows'), 0, this.buffer('next'), 0, 4 * (plan.count + 1));
    this.#recordRows(commands, plan, this.#uniformOf(plan));
  }

  /**
   * Records the steps that write the list of pairs for use by later steps. The list is sorted by a, but not
   * by b. Call it after `record`. If the list does not fit, no pairs are written.
   */
  recordPairs(commands: Commands, plan: SearchPlan): PairsOnGpu {
    const {
      buffers: { pairsA, pairsB },
    } = this;
    const counts = this.buffer('rows');
    const next = this.buffer('next');
    const pairs = { a: pairsA.reserve(0), b: pairsB.reserve(0) };
    commands.copy(counts, 0, next, 0, 4 * (plan.count + 1));
    commands.run(
      'writePairs',
      this.#uniformOf(plan),
      { ...this.#swept, next, pairsA: pairs.a, pairsB: pairs.b },
      Math.max(plan.entries, plan.count),
    );
    return { ...pairs, counts, slot: plan.count, capacity: plan.pairs };
  }

  /**
   * Submits all steps. @returns first the results of the reads that were recorded earlier; then the counters,
   * the number of entries, and the first `expected` elements of a and of b.
   * @throws GpuLost
   */
  async submitAndRead(
    commands: Commands,
    { count, pairs }: SearchPlan,
    expected: number,
  ): Promise<Uint32Array[]> {
    const countersAt = commands.read(this.buffer('counters'), 0, 4 * FIRST_LARGE);
    commands.read(this.buffer('starts'), 4 * count, 4);
    this.#readPairs(commands, 0, expected);
    const answers = await commands.submit();
    const counters = answers[countersAt];
    // A list that did not fit was not written, so its long rows were not counted.
    if (counters[PAIRS_HIGH] === 0 && counters[PAIRS_LOW] <= pairs) this.#lastLongRows = counters[LONG_COUNT];
    return answers;
  }

  /** Reads the rest of a list of `count` pairs, beginning with the pair of index `first`. @throws GpuLost */
  async readRest(first: number, count: number, a: Uint32Array, b: Uint32Array): Promise<void> {
    const commands = new Commands(this.#gpu);
    this.#readPairs(commands, first, count - first);
    this.#store(await commands.submit(), first, a, b);
  }

  /**
   * Enlarges the list of a search to the capacity plan.pairs, and writes and reads it again. @throws GpuLost,
   * GpuUnfit
   */
  async rewriteList(plan: SearchPlan, count: number, a: Uint32Array, b: Uint32Array): Promise<void> {
    this.#reservePairs(plan.pairs);
    const commands = new Commands(this.#gpu);
    this.recordList(commands, plan);
    this.#readPairs(commands, 0, count);
    this.#store(await commands.submit(), 0, a, b);
  }

  /**
   * Writes and reads the list in batches, each with as many rows as fit. A row consists of all pairs with the
   * same box a.
   * @returns the number of batches. @throws GpuLost, GpuUnfit
   */
  async rewriteListInBatches(plan: SearchPlan, a: Uint32Array, b: Uint32Array): Promise<number> {
    this.#reservePairs(plan.pairs);
    const commands = new Commands(this.#gpu);
    commands.read(this.buffer('rows'), 0, 4 * (plan.count + 1));
    const [rows] = await commands.submit();
    let batches = 0;
    let before = 0;
    for (let row = 0; row < plan.count; batches++) {
      const { end, pairs } = rowsFor(rows, row, plan);
      if (end === row)
        throw new GpuUnfit(
          `the ${(rows[row + 1] - rows[row]) >>> 0} pairs of box ${row} do not fit in a buffer of this device`,
        );
      await this.#listBatch(
        plan,
        { firstRow: row, endRow: end, before: rows[row], pairs, slot: limits.NOTHING },
        before,
        a,
        b,
      );
      before += pairs;
      row = end;
    }
    return batches;
  }

  dispose(): void {
    this.#scan.dispose();
    this.#sort.dispose();
    for (const buffer of Object.values(this.buffers)) buffer.dispose();
  }

  /**
   * Number of long rows of the last search whose list fit; 0 if that search wrote no sorted list.
   * FIRST_ROW_SORTERS before the first such search.
   */
  #lastLongRows = FIRST_ROW_SORTERS;
  // The sorted keys of the last search: the buffer `keys` or the buffer `spareKeys`.
  #keys!: GPUBuffer;

  private buffer(name: keyof GpuBoxSearch['buffers']): GPUBuffer {
    return this.buffers[name].reserve(0);
  }

  get #swept() {
    return {
      boxes: this.buffer('boxes'),
      counts: this.buffer('starts'),
      keys: this.#keys,
      entries: this.buffer('entries'),
      counters: this.buffer('counters'),
    };
  }

  #reservePairs(pairs: number): void {
    for (const name of ['pairsA', 'pairsB', 'sortedB'] as const) this.buffers[name].reserve(4 * pairs);
    this.buffers.longRows.reserve(4 * Math.ceil(pairs / MAX_RANKED));
  }

  async #listBatch(
    plan: SearchPlan,
    batch: RowRange,
    to: number,
    a: Uint32Array,
    b: Uint32Array,
  ): Promise<void> {
    if (batch.pairs === 0) return;
    const commands = new Commands(this.#gpu);
    const { rows, next } = { rows: this.buffer('rows'), next: this.buffer('next') };
    commands.copy(rows, 0, next, 0, 4 * (plan.count + 1));
    commands.clear(this.buffer('counters'), 4 * LONG_COUNT, 4);
    this.#recordRows(commands, plan, this.#uniformOf(plan, batch));
    this.#readPairs(commands, 0, batch.pairs);
    this.#store(await commands.submit(), to, a, b);
  }

  #recordRows(commands: Commands, { count, entries, pairs }: SearchPlan, uniform: Uniform): void {
    const [counters, counts, next, pairsA, pairsB, sortedB, longRows] = (
      ['counters', 'rows', 'next', 'pairsA', 'pairsB', 'sortedB', 'longRows'] as const
    ).map(name => this.buffer(name));
    commands.run('writePairs', uniform, { ...this.#swept, next, pairsA, pairsB }, Math.max(entries, count));
    commands.run('rankPairs', uniform, { counts, pairsA, pairsB, sortedB, counters, longRows }, pairs);
    commands.runGroups(
      'sortRows',
      uniform,
      { counts, counters, longRows, pairsB, sortedB },
      Math.max(MIN_ROW_SORTERS, Math.min(ROW_SORTERS, this.#lastLongRows)),
    );
  }

  #readPairs(commands: Commands, first: number, count: number): void {
    for (const name of ['pairsA', 'sortedB'] as const) commands.read(this.buffer(name), 4 * first, 4 * count);
  }

  #store(answers: readonly Uint32Array[], at: number, a: Uint32Array, b: Uint32Array): void {
    a.set(answers[0], at);
    b.set(answers[1], at);
  }

  #uniformOf(plan: SearchPlan, batch?: RowRange): Uniform {
    const bits = Math.max(1, 32 - Math.clz32(plan.endB - 1));
    const passes = bits <= 8 ? 1 : bits <= 24 ? 3 : 5;
    return uniformOf(BoxParams, {
      ...plan,
      passes,
      digitBits: Math.ceil(bits / passes),
      firstRow: 0,
      endRow: plan.count,
      before: 0,
      slot: plan.count,
      ...batch,
    });
  }
}

/**
 * A range of rows: from row `firstRow` to the row before `endRow`. Row i consists of all pairs with a = i.
 * before: number of pairs in earlier rows. pairs: number of pairs in the range. slot: NOTHING, so that the
 * kernels take the number of pairs from `pairs`.
 */
interface RowRange {
  firstRow: number;
  endRow: number;
  before: number;
  pairs: number;
  slot: number;
}

// Returns the longest range of rows that begins with row `first` and whose pairs fit in the list. The starts of
// rows are stored modulo 2^32, because there may be 2^32 or more pairs.
function rowsFor(
  rows: Uint32Array,
  first: number,
  { count, pairs: capacity }: SearchPlan,
): { end: number; pairs: number } {
  let end = first;
  let pairs = 0;
  for (; end < count; end++) {
    const inRow = (rows[end + 1] - rows[end]) >>> 0;
    if (pairs + inRow > capacity) break;
    pairs += inRow;
  }
  return { end, pairs };
}
