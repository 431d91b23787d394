// Boxes -> the pairs that overlap, found on a GPU: the same bytes as on the CPU. Sweep and prune within cells
// that hold about as many boxes each.

import { BoxSet, type BoxStats, checkBoxes, refuseInverted } from '../../broadphase/boxSet.js';
import { gpuBoxLimits } from '../../records/gpuBoxLayout.js';
import { limits } from '../../records/layout.js';
import type { EngineContext } from '../../runtime/engineContext.js';
import { RetryingScratch } from '../../runtime/retry.js';
import { Commands } from '../device/commands.js';
import type { Gpu } from '../device/gpu.js';
import { GpuUnfit } from '../device/gpuErrors.js';
import { BoxCutter, keyOf } from './boxCells.js';
import { GpuBoxSearch, type PairsOnGpu, type SearchPlan } from './gpuBoxSearch.js';

const { BOX_BITS, LARGE_COUNT, PAIRS_LOW, PAIRS_HIGH } = gpuBoxLimits;
/** Boxes of a cell, where they are even; splits from the root to a cell at most. */
const BOXES_A_CELL = 128;
const MOST_DEPTH = 14;
/** Bits of a sorted key where cells are few, and where they are many: whole digits. */
const FEW_CELLS = 4;
const KEY_BITS = [16, 24] as const;
/**
 * Cells that boxes reach, in the mean: where they are more, cells are made larger. And how many there is room
 * for at first.
 */
const MOST_COPIES = 4;
const COPIES = 1.5;
/** Boxes that are each tested against all others, at most. */
const MOST_LARGE = 512;
/** Splits less where they are more. */
const FEWER_LARGE = 3;
/** Pairs a box that there is room for at first, and what is to spare where room is made. */
const PAIRS_A_BOX = 4;
const SPARE = 1.25;

export interface GpuBoxPairsOptions {
  /** A second set: pairs of one box of each. */
  against?: Float32Array | undefined;
  /** Only count: `a` and `b` stay empty. Counts beyond 2^32 are exact. */
  countOnly?: boolean;
  /**
   * 'refused': boxes whose min is above their max are an error. Default: they are empty, as boxes of bodies
   * that are gone.
   */
  inverted?: 'refused' | undefined;
}

/**
 * Boxes of one device among several: two that both begin before `start` along the axis are a pair of an
 * earlier one.
 */
export interface BoxPart {
  axis: number;
  start: number;
}

/** What is tried out at first; tests make it small. */
export interface GpuBoxRoom {
  boxesACell?: number;
  entries?: number;
  pairs?: number;
  mostLarge?: number;
}

/**
 * cells, entries in them, and boxes too large for them; how often all was tried; pieces that the pairs were
 * written in; milliseconds, and those of them before the device had its steps.
 */
export interface GpuBoxPairsStats {
  cells: number;
  entries: number;
  large: number;
  attempts: number;
  parts: number;
  milliseconds: number;
  hostMilliseconds: number;
}

/** Pairs sorted by a, then b. */
export interface GpuBoxPairsFound {
  count: number;
  a: Uint32Array;
  b: Uint32Array;
  stats: GpuBoxPairsStats;
}

/** Records what is done with pairs. */
export type UsePairs = (commands: Commands, pairs: PairsOnGpu) => void;
interface Use {
  record: UsePairs;
  take(answers: readonly Uint32Array[]): void;
}

interface Question {
  boxes: Float32Array;
  against: Float32Array | undefined;
  countOnly: boolean;
  part: BoxPart | undefined;
  stats: BoxStats;
  startedAt: number;
  use: Use | undefined;
}

/** Keeps its buffers from call to call, so it runs one call at a time. */
export class GpuBoxPairs {
  readonly #gpu: Gpu;
  private readonly search: GpuBoxSearch;
  readonly #own: RetryingScratch<{ set: BoxSet; cutter: BoxCutter }>;
  readonly #boxesACell: number;
  readonly #mostLarge: number;
  #entryRoom: number;
  #pairRoom: number;
  readonly #isGuessing: boolean;
  /** Pairs of the last call: about as many are read at once. */
  #expected = 0;

  constructor(gpu: Gpu, context: EngineContext, room: GpuBoxRoom = {}) {
    this.#gpu = gpu;
    this.search = new GpuBoxSearch(gpu);
    this.#own = new RetryingScratch(() => ({ set: new BoxSet(context), cutter: new BoxCutter(context) }));
    this.#boxesACell = room.boxesACell ?? BOXES_A_CELL;
    this.#mostLarge = room.mostLarge ?? MOST_LARGE;
    this.#entryRoom = room.entries ?? 0;
    this.#pairRoom = room.pairs ?? 0;
    this.#isGuessing = room.pairs === undefined;
  }

  /**
   * boxes: six floats each, as of `Engine.boxPairs`. @throws InvalidBoxes, Unsupported, Capacity; GpuLost;
   * GpuUnfit where the device cannot hold them
   */
  find(boxes: Float32Array, options: GpuBoxPairsOptions = {}, part?: BoxPart): Promise<GpuBoxPairsFound> {
    return this.#answer(boxes, options, part);
  }

  /**
   * The same pairs for steps on the GPU, in any order: `use` records them, and what is to be read of them. It
   * may be called several times.
   * @returns how many pairs there are, and what was read at last. @throws as above
   */
  async findFor(
    boxes: Float32Array,
    against: Float32Array | undefined,
    use: UsePairs,
  ): Promise<{ count: number; answers: readonly Uint32Array[] }> {
    let answers: readonly Uint32Array[] = [];
    const { count } = await this.#answer(boxes, { against }, undefined, {
      record: use,
      take: read => {
        answers = read;
      },
    });
    return { count, answers };
  }

  dispose(): void {
    this.search.dispose();
    this.#own.dispose();
  }

  async #answer(
    boxes: Float32Array,
    { against, countOnly = false, inverted }: GpuBoxPairsOptions,
    part: BoxPart | undefined,
    use?: Use,
  ): Promise<GpuBoxPairsFound> {
    const startedAt = performance.now();
    checkBoxes('boxes', boxes);
    if (against) checkBoxes('against', against);
    const count = (boxes.length + (against?.length ?? 0)) / 6;
    if (count > 2 ** BOX_BITS) throw new GpuUnfit(`${count} boxes are more than have a number of their own`);
    await this.search.prepare();
    const stats = this.#own.run(({ set }) => set.take(boxes, against));
    if (inverted && stats.count < count)
      for (const [name, list] of Object.entries({ boxes, against })) if (list) refuseInverted(name, list);
    if (stats.count < 2) return nothing();
    const found = await this.#searchFor({ boxes, against, countOnly, part, stats, startedAt, use });
    found.stats.milliseconds = performance.now() - startedAt;
    return found;
  }

  // Until everything had room, in cells that boxes are not copied into too often.
  async #searchFor(question: Question): Promise<GpuBoxPairsFound> {
    const { stats } = question;
    const axis = stats.sweepAxis;
    const maxEntries = this.search.maxEntries;
    let depth = Math.max(0, Math.min(MOST_DEPTH, Math.round(Math.log2(stats.count / this.#boxesACell))));
    this.#entryRoom = Math.max(1, Math.min(maxEntries, this.#entryRoom || Math.ceil(COPIES * stats.count)));
    if (this.#isGuessing) this.#pairRoom = Math.max(this.#pairRoom, PAIRS_A_BOX * stats.count);
    for (let attempts = 1; ; attempts++) {
      const plan = this.#planFor(question, depth, axis);
      const commands = new Commands(this.#gpu);
      this.#recorded(commands, () => {
        this.#upload(commands, question, plan);
        this.search.record(commands, plan);
      });
      const { use } = question;
      const expected = question.countOnly || use ? 0 : Math.min(this.#expected, plan.pairs);
      if (use) use.record(commands, this.search.recordPairs(commands, plan));
      else if (!question.countOnly) this.search.recordList(commands, plan);
      const reading = this.search.read(commands, plan, expected);
      const hostMilliseconds = performance.now() - question.startedAt;
      const answers = await reading;
      const [told, [entries], a, b] = answers.slice(-4) as [
        Uint32Array,
        Uint32Array,
        Uint32Array,
        Uint32Array,
      ];
      const large = told[LARGE_COUNT];
      const copies = entries! / stats.count;
      const isCrowded = large > this.#mostLarge || copies > MOST_COPIES || entries! > maxEntries;
      if (isCrowded && depth > 0) {
        depth = Math.max(
          0,
          depth -
            Math.max(
              large > this.#mostLarge ? FEWER_LARGE : 1,
              Math.ceil(Math.log2(Math.max(1, copies / MOST_COPIES))),
            ),
        );
        continue;
      }
      if (entries! > this.#entryRoom) {
        this.#entryRoom = entries!;
        continue;
      }
      const count = told[PAIRS_LOW] + told[PAIRS_HIGH] * 2 ** 32;
      const facts = {
        cells: 2 ** depth,
        entries: entries!,
        large,
        attempts,
        parts: 1,
        milliseconds: 0,
        hostMilliseconds,
      };
      if (use && count > plan.pairs) {
        if (count > this.search.mostPairs)
          throw new GpuUnfit(`${count} pairs are more than this device binds`);
        this.#pairRoom = Math.min(this.search.mostPairs, Math.ceil(SPARE * count));
        continue;
      }
      use?.take(answers);
      if (question.countOnly || use)
        return { count, a: new Uint32Array(0), b: new Uint32Array(0), stats: facts };
      return this.#collect(plan, { count, a, b, stats: facts });
    }
  }

  // What does not fit leaves nothing behind.
  #recorded(commands: Commands, record: () => void): void {
    try {
      record();
    } catch (error) {
      commands.drop();
      throw error;
    }
  }

  // What has been read is the first of them; the rest, or all where they had no room.
  async #collect(plan: SearchPlan, found: GpuBoxPairsFound): Promise<GpuBoxPairsFound> {
    const { count } = found;
    const most = this.search.mostPairs;
    this.#expected = Math.min(count, most);
    if (count <= found.a.length) return { ...found, a: found.a.slice(0, count), b: found.b.slice(0, count) };
    const a = allocate(count);
    const b = allocate(count);
    if (count <= plan.pairs) {
      const first = found.a.length;
      a.set(found.a);
      b.set(found.b);
      await this.search.readRest(first, count, a, b);
    } else if (count <= most) {
      this.#pairRoom = Math.min(most, Math.ceil(SPARE * count));
      await this.search.list({ ...plan, pairs: this.#pairRoom }, count, a, b);
    } else {
      this.#pairRoom = most;
      found.stats.parts = await this.search.listInParts({ ...plan, pairs: most }, a, b);
    }
    return { ...found, a, b };
  }

  #planFor({ boxes, against, part, stats }: Question, depth: number, axis: number): SearchPlan {
    const firstCount = boxes.length / 6;
    const count = firstCount + (against ? against.length / 6 : 0);
    const keyBits = depth <= FEW_CELLS ? KEY_BITS[0] : KEY_BITS[1];
    const placeBits = keyBits - depth;
    const { splits, cells } = this.#own.run(({ set, cutter }) =>
      cutter.cut(set, stats, depth, axis, placeBits),
    );
    return {
      count,
      secondFrom: against ? firstCount : limits.NOTHING,
      firstB: against ? firstCount : 0,
      mostB: against ? count - firstCount : count,
      partAxis: part?.axis ?? 0,
      partStart: part ? keyOf(part.start) : 0,
      depth,
      axis,
      placeBits,
      keyBits,
      splits,
      cells,
      entries: this.#entryRoom,
      pairs: Math.max(1, Math.min(this.#pairRoom, this.search.mostPairs)),
      mostLarge: this.#mostLarge,
    };
  }

  #upload(commands: Commands, { boxes, against }: Question, plan: SearchPlan): void {
    this.search.reserve(plan);
    this.search.upload(commands, plan, [boxes, ...(against ? [against] : [])]);
  }
}

const nothing = (): GpuBoxPairsFound => ({
  count: 0,
  a: new Uint32Array(0),
  b: new Uint32Array(0),
  stats: { cells: 0, entries: 0, large: 0, attempts: 0, parts: 0, milliseconds: 0, hostMilliseconds: 0 },
});

function allocate(count: number): Uint32Array {
  try {
    return new Uint32Array(count);
  } catch {
    throw new GpuUnfit(`${count} pairs are more than an array holds`);
  }
}
