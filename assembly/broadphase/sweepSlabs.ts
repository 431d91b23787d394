// Finds the pairs of overlapping boxes within each slab: sorts the slab's boxes along the sweep axis,
// distributes them to columns, and sweeps each column (sweep and prune without data from earlier queries;
// Avril et al., section 4). A slab and its columns fit in a core's cache.
import {
  BEFORE_COLUMN,
  BOXES_PER_COLUMN,
  BoxList,
  SapBox,
  SLAB_COLUMNS,
  SlabJob,
  SWEEP_BUCKET_BITS,
  SWEEP_CELLS,
} from '../records';
import { add, load4, mul, splat } from '../simd/lanes';
import { refineSlab } from './refineSlab';
import { copyToLists, MAX_Z, MIN_X, MIN_Z } from './sapBox';
import { sweepColumn } from './sweepColumn';

/**
 * If boxes are shorter than this many cells on average, and there is more than one box per cell, the cells
 * are too coarse to distinguish the boxes.
 */
const MIN_CELLS: f32 = 16;
/** If a slab has at least this many boxes, only the sizes of every fifth box are summed. */
const SAMPLING_THRESHOLD: u32 = 256;

/**
 * Slice i fills list i with pairs. It takes slabs from a shared counter, in the job's order, until none are
 * left.
 */
export function sweepSlabs(jobAt: usize, begin: u32, end: u32): void {
  const slabCount = load<u32>(jobAt, SlabJob.slabCount);
  const order: usize = load<u32>(jobAt, SlabJob.orderAt);
  const slabs: usize = load<u32>(jobAt, SlabJob.slabsAt);
  const sapBoxes: usize = load<u32>(jobAt, SlabJob.sapBoxesAt);
  for (let i = begin; i < end; i++) {
    const list = <usize>load<u32>(jobAt, SlabJob.listsAt) + <usize>i * BoxList.SIZE;
    for (;;) {
      const next = atomic.add<u32>(jobAt, 1, SlabJob.cursor);
      if (next >= slabCount) break;
      const slab = slabs + ((<usize>load<u32>(order + ((<usize>next) << 2))) << 2);
      const from = load<u32>(slab);
      const count = load<u32>(slab, 4) - from;
      if (count > 1) sweepSlab(jobAt, list, sapBoxes + <usize>from * SapBox.SIZE, count, false);
    }
  }
}

function sweepSlab(job: usize, list: usize, slab: usize, count: u32, isRefined: bool): void {
  const end = slab + <usize>count * SapBox.SIZE;
  let low = load4(slab);
  let high = low;
  let sizes = splat(0);
  let squares = splat(0);
  for (let at = slab; at < end; at += SapBox.SIZE) {
    const box = load4(at);
    low = i16x8.min_s(low, box);
    high = i16x8.max_s(high, box);
  }
  // A sample of the boxes suffices. A stride of five rarely correlates with the order of the boxes.
  const stride: u32 = count < SAMPLING_THRESHOLD ? 1 : 5;
  for (let at = slab; at < end; at += <usize>stride * SapBox.SIZE) {
    const box = load4(at);
    const size = f32x4.convert_i32x4_s(
      i32x4.extend_low_i16x8_s(i16x8.sub(v128.shuffle<i16>(box, box, 3, 4, 5, 3, 4, 5, 3, 4), box)),
    );
    sizes = add(sizes, size);
    squares = add(squares, mul(size, size));
  }
  const firstX = <u32>i16x8.extract_lane_u(low, 0);
  const lastX = <u32>i16x8.extract_lane_u(high, 0);
  const firstY = <u32>i16x8.extract_lane_u(low, 1);
  const lastY = <u32>i16x8.extract_lane_u(high, 4);
  const firstZ = <u32>i16x8.extract_lane_u(low, 2);
  const lastZ = <u32>i16x8.extract_lane_u(high, 5);
  // Refines the slab: replaces its grid by one that spans only the slab's own boxes. Three conditions must
  // hold. First, the slab has not been refined yet. Second, the present cells are too coarse (see MIN_CELLS).
  // Third, on some axis, the boxes span less than half of the present cells, so that the new cells are usually
  // less than half as wide. On the sweep axis, only the cell in which each box starts is considered.
  if (
    !isRefined &&
    lastX - firstX < count &&
    f32x4.extract_lane(sizes, 0) * <f32>stride < MIN_CELLS * <f32>count &&
    min(min(lastX - firstX, lastY - firstY), lastZ - firstZ) < SWEEP_CELLS / 2
  ) {
    refineSlab(job, slab, end);
    sweepSlab(job, list, slab, count, true);
    return;
  }
  const bucketShift = max<i32>(
    0,
    32 - clz(lastX - firstX) - max(0, min<i32>(SWEEP_BUCKET_BITS, 30 - clz(count))),
  );
  sortByStart(list, slab, end, firstX >> bucketShift, lastX >> bucketShift, bucketShift);

  let columnShift = shiftFor(
    f32x4.extract_lane(sizes, 2),
    f32x4.extract_lane(squares, 2),
    lastZ - firstZ,
    count,
  );
  // There is space for twice as many copies as the slab has boxes; if more are needed, columns are made
  // wider.
  while (countColumns(list, count, firstZ >> columnShift, lastZ >> columnShift, columnShift) > 2 * <u64>count)
    columnShift++;
  fillColumns(list, count, firstZ >> columnShift, columnShift);
  const columns: usize = load<u32>(list, BoxList.columnsAt);
  const boxes: usize = load<u32>(list, BoxList.columnBoxesAt);
  const columnCount = <usize>((lastZ >> columnShift) - (firstZ >> columnShift) + 1);
  let first: u32 = 0;
  for (let c: usize = 0; c < columnCount; c++) {
    // The cursor of each column is now at the end of the column.
    const last = load<u32>(columns + (c << 2));
    if (last - first > 1)
      sweepColumn(job, list, boxes + <usize>first * SapBox.SIZE, last - first, (1 << bucketShift) - 1);
    first = last;
  }
}

// Returns the shift that converts cell numbers to column numbers: column = cell >> shift. With narrower
// columns, boxes would be copied more often. With wider columns, more boxes that are far apart would be
// tested. The number of columns is at most SLAB_COLUMNS and at most max(1, count / BOXES_PER_COLUMN).
function shiftFor(sizes: f32, squares: f32, range: u32, count: u32): u32 {
  const maxColumns = max(1, min(SLAB_COLUMNS, count / BOXES_PER_COLUMN));
  let shift: u32 = 0;
  while (<f32>(3 << shift) * sizes < squares * 4 && shift < 15) shift++;
  while ((range >> shift) + 2 > maxColumns && shift < 15) shift++;
  return shift;
}

// Sorts a slab's boxes by the bucket that contains their start. The sort is stable.
function sortByStart(
  list: usize,
  slab: usize,
  end: usize,
  firstBucket: u32,
  lastBucket: u32,
  bucketShift: u32,
): void {
  const buckets: usize = load<u32>(list, BoxList.bucketsAt);
  const bucketCount = <usize>(lastBucket - firstBucket + 1);
  memory.fill(buckets, 0, bucketCount << 2);
  const base = buckets - ((<usize>firstBucket) << 2);
  for (let at = slab; at < end; at += SapBox.SIZE) {
    const bucket = base + <usize>((<u32>load<u16>(at, MIN_X) >> bucketShift) << 2);
    store<u32>(bucket, load<u32>(bucket) + <u32>SapBox.SIZE);
  }
  let sum = load<u32>(list, BoxList.sortedAt);
  for (let b: usize = 0; b < bucketCount; b++) {
    const bytes = load<u32>(buckets + (b << 2));
    store<u32>(buckets + (b << 2), sum);
    sum += bytes;
  }
  for (let at = slab; at < end; at += SapBox.SIZE) {
    const bucket = base + <usize>((<u32>load<u16>(at, MIN_X) >> bucketShift) << 2);
    const to: usize = load<u32>(bucket);
    store<u32>(bucket, <u32>(to + SapBox.SIZE));
    v128.store(to, load4(at));
  }
}

// Sets the cursor of each column to the index of the column's first box. Returns the number of copies of
// boxes that all columns need. It may exceed 2^32; the cursors are then useless.
function countColumns(list: usize, count: u32, firstColumn: u32, lastColumn: u32, columnShift: u32): u64 {
  const columns: usize = load<u32>(list, BoxList.columnsAt);
  const sorted: usize = load<u32>(list, BoxList.sortedAt);
  const columnCount = <usize>(lastColumn - firstColumn + 1);
  const base = columns - ((<usize>firstColumn) << 2);
  memory.fill(columns, 0, (columnCount + 1) << 2);
  for (let at = sorted, end = sorted + <usize>count * SapBox.SIZE; at < end; at += SapBox.SIZE) {
    const from = base + startOf(at, columnShift);
    const to = base + endOf(at, columnShift);
    store<u32>(from, load<u32>(from) + 1);
    store<u32>(to, load<u32>(to, 4) - 1, 4);
  }
  let columnSize: u32 = 0;
  let next: u64 = 0;
  for (let c: usize = 0; c < columnCount; c++) {
    columnSize += load<u32>(columns + (c << 2));
    store<u32>(columns + (c << 2), <u32>next);
    next += columnSize;
  }
  return next;
}

// Copies each box to all columns that it reaches.
function fillColumns(list: usize, count: u32, firstColumn: u32, columnShift: u32): void {
  const columns: usize = load<u32>(list, BoxList.columnsAt);
  const sorted: usize = load<u32>(list, BoxList.sortedAt);
  const boxes: usize = load<u32>(list, BoxList.columnBoxesAt);
  const base = columns - ((<usize>firstColumn) << 2);
  for (let at = sorted, end = sorted + <usize>count * SapBox.SIZE; at < end; at += SapBox.SIZE) {
    copyToLists(
      boxes,
      load4(at),
      BEFORE_COLUMN,
      base + startOf(at, columnShift),
      base + endOf(at, columnShift),
    );
  }
}

// Each column has a cursor of 4 bytes. For the first column that a box reaches, startOf returns the byte offset
// of the cursor. For the last column that the box reaches, endOf returns the byte offset of the cursor. Both
// offsets are relative to the cursor of column 0.
function startOf(box: usize, columnShift: u32): usize {
  return <usize>((<u32>load<u16>(box, MIN_Z) >> columnShift) << 2);
}
function endOf(box: usize, columnShift: u32): usize {
  return <usize>((<u32>load<u16>(box, MAX_Z) >> columnShift) << 2);
}
