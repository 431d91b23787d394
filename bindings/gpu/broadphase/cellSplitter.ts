// Divides space into cells that hold similar numbers of boxes, for the GPU's broad phase. The cells are the
// leaves of a binary tree. Each inner node of this tree splits its region of space in two along an axis.

import type { BoxSet, BoxStats } from '../../broadphase/boxSet.js';
import { permutationOf } from '../../broadphase/slabKernels.js';
import { Cell, CellJob, CellSplit, SampledCenter } from '../../records/boxLayout.js';
import { GpuCell } from '../../records/gpuBoxLayout.js';
import { setWords } from '../../records/record.js';
import type { EngineContext } from '../../runtime/engineContext.js';
import { GrowableBlock } from '../../runtime/memory.js';

/** Number of sampled boxes per cell. */
const SAMPLES_PER_CELL = 4;
/**
 * To choose the axis of a split, the spread of the sampled centers is divided by the sum of the sizes of the
 * sampled boxes. MIN_SIZE times the longest side of the box around all boxes is added to this sum, so that the
 * divisor is not 0.
 */
const MIN_SIZE = 1e-9;
/**
 * A cell is divided along an axis into numbered intervals of equal length, called steps. The min length of a
 * step is 2^MIN_EXPONENT, the smallest positive float32. STEP_BITS: max number of bits of a step's number.
 */
const MIN_EXPONENT = -149;
const STEP_BITS = 30;

/**
 * splits: 2^depth entries of two words: the axis of a split, and the coordinate at which the second half
 * begins, as a key of `keyOf`. Entry 0 is unused, entry 1 is the root, and the children of entry i are 2 * i
 * and 2 * i + 1. cells: 2^depth GpuCell records.
 */
export interface BoxCells {
  splits: Uint32Array;
  cells: Uint32Array;
}

/** Converts a float32 to a uint32 key. Keys have the same order as the floats; -0 has the key of 0. */
export function keyOf(value: number): number {
  word.setFloat32(0, value + 0);
  const bits = word.getUint32(0);
  return (bits >= 0x80000000 ? ~bits : bits | 0x80000000) >>> 0;
}
const word = new DataView(new ArrayBuffer(4));

export class CellSplitter {
  readonly #context: EngineContext;
  readonly #memory: GrowableBlock;

  constructor(context: EngineContext) {
    this.#context = context;
    this.#memory = new GrowableBlock(context.arena);
  }

  /**
   * Divides space into 2^depth cells. In each cell, positions along `axis` are integers of positionBits bits.
   * @throws Capacity
   */
  split(boxes: BoxSet, stats: BoxStats, depth: number, axis: number, positionBits: number): BoxCells {
    const { arena, pool } = this.#context;
    const cellCount = 2 ** depth;
    const sampleSize = Math.min(boxes.count, SAMPLES_PER_CELL * cellCount);
    const jobAt = this.#memory.reserve(
      CellJob.size + cellCount * (Cell.size + CellSplit.size) + sampleSize * SampledCenter.size,
    );
    const cellsAt = jobAt + CellJob.size;
    const splitsAt = cellsAt + cellCount * Cell.size;
    const { low, high } = stats;
    setWords(arena.u32, jobAt, CellJob, {
      boxesAt: boxes.at,
      first: 0,
      last: boxes.count,
      depth,
      sampleSize,
      sampleAt: splitsAt + cellCount * CellSplit.size,
      splitsAt,
      cellsAt,
    });
    arena.u32.set(permutationOf(stats), (jobAt + CellJob.at.permutation) / 4);
    arena.f32.set(low, (jobAt + CellJob.at.low) / 4);
    arena.f32.set(high, (jobAt + CellJob.at.high) / 4);
    arena.f32[(jobAt + CellJob.at.minBoxSize) / 4] = Math.max(
      1e-38,
      MIN_SIZE * Math.max(...low.map((min, i) => high[i] - min)),
    );
    pool.kernels.splitCells(jobAt, 0, 1);
    const { u32, f32 } = arena;
    const splits = new Uint32Array(2 * cellCount);
    const starts = new Float32Array(cellCount);
    for (let i = 1; i < cellCount; i++) {
      const at = (splitsAt + i * CellSplit.size) / 4;
      starts[i] = f32[at + CellSplit.at.start / 4];
      splits[2 * i] = u32[at + CellSplit.at.axis / 4] / 4;
      splits[2 * i + 1] = keyOf(starts[i]);
    }
    return { splits, cells: cellsOf(splits, starts, stats, depth, axis, positionBits) };
  }

  dispose(): void {
    this.#memory.dispose();
  }
}

// Returns one GpuCell per leaf of the tree of splits. From the root down, each node gets the bounds of its
// parent, clipped at the parent's split. If the split is outside the parent's bounds, one child gets the
// whole bounds of the parent, and the other child is empty.
function cellsOf(
  splits: Uint32Array,
  starts: Float32Array,
  { low, high }: BoxStats,
  depth: number,
  axis: number,
  positionBits: number,
): Uint32Array {
  const cellCount = 2 ** depth;
  const bounds = new Float32Array(12 * cellCount);
  const words = new Uint32Array((cellCount * GpuCell.size) / 4);
  bounds.set([-Infinity, -Infinity, -Infinity, Infinity, Infinity, Infinity], 6);
  for (let node = 2; node < 2 * cellCount; node++) {
    const parent = node >> 1;
    const at = 6 * node + splits[2 * parent] + (node & 1 ? 0 : 3);
    bounds.copyWithin(6 * node, 6 * parent, 6 * parent + 6);
    bounds[at] = (node & 1 ? Math.max : Math.min)(bounds[at], starts[parent]);
  }
  for (let cell = 0; cell < cellCount; cell++) {
    const at = 6 * (cellCount + cell);
    const to = (cell * GpuCell.size) / 4;
    for (let i = 0; i < 3; i++) words[to + i] = keyOf(bounds[at + i]);
    const { exponent, origin } = stepsOf(
      Math.max(low[axis], bounds[at + axis]),
      Math.min(high[axis], bounds[at + 3 + axis]),
      positionBits,
    );
    words[to + GpuCell.at.exponent / 4] = exponent;
    words[to + GpuCell.at.origin / 4] = origin;
  }
  return words;
}

// Divides the range from min to max into at most about 2^positionBits steps of length 2^exponent. Steps are
// numbered from coordinate 0 on, and the range begins in step number `origin`. The numbers have at most
// STEP_BITS bits.
function stepsOf(min: number, max: number, positionBits: number): { exponent: number; origin: number } {
  const fineExponent = Math.ceil(Math.log2(Math.max(0, max - min))) - positionBits;
  const numberedExponent = Math.ceil(Math.log2(Math.max(Math.abs(min), Math.abs(max)))) - STEP_BITS + 1;
  const exponent = Math.max(MIN_EXPONENT, fineExponent, numberedExponent);
  // A cell without a sample may begin at infinity.
  return {
    exponent: Number.isFinite(exponent) ? exponent : 0,
    origin: Number.isFinite(exponent) ? Math.floor(min / 2 ** exponent) : 0,
  };
}
