// Slabs of boxes -> overlapping pairs: a slab's boxes are sorted along the sweep axis, dealt to columns, and swept column by
// column (sweep and prune from scratch, Avril et al. s4). A slab and its columns stay in a core's cache.
import { cells4, scaleOf } from '../cells';
import { BEFORE_COLUMN, BoxList, BoxRecord, SLAB_COLUMNS, SlabJob, SWEEP_BUCKETS } from '../layout';
import { add, least, load4, most, mul, splat, sub } from '../lanes';
import { sweepColumn } from '../sweepColumn';

/** Slice i fills list i. Slabs are taken one by one, the largest first, by whoever is free. */
export function sweepSlabs(jobAt: usize, begin: u32, end: u32): void {
  const slabCount = load<u32>(jobAt, SlabJob.slabCount);
  const order: usize = load<u32>(jobAt, SlabJob.orderAt), slabs: usize = load<u32>(jobAt, SlabJob.slabsAt);
  const records: usize = load<u32>(jobAt, SlabJob.recordsAt);
  for (let i = begin; i < end; i++) {
    const list = <usize>load<u32>(jobAt, SlabJob.listsAt) + <usize>i * BoxList.SIZE;
    for (;;) {
      const next = atomic.add<u32>(jobAt, 1, SlabJob.cursor);
      if (next >= slabCount) break;
      const slab = slabs + (<usize>load<u32>(order + (<usize>next << 2)) << 2);
      const from = load<u32>(slab), count = load<u32>(slab, 4) - from;
      if (count > 1) sweepSlab(jobAt, list, records + <usize>from * BoxRecord.SIZE, count);
    }
  }
}

function sweepSlab(job: usize, list: usize, records: usize, count: u32): void {
  const end = records + <usize>count * BoxRecord.SIZE;
  let low = splat(Infinity), highestStart = splat(-Infinity), high = splat(-Infinity), sizes = splat(0), squares = splat(0);
  for (let at = records; at < end; at += BoxRecord.SIZE) {
    const from = load4(at), to = load4(at, BoxRecord.maxX), size = sub(to, from);
    low = least(low, from);
    highestStart = most(highestStart, from);
    high = most(high, to);
    sizes = add(sizes, size);
    squares = add(squares, mul(size, size));
  }
  const origin = mul(low, splat(0.5));
  const bucketCount = count < 8 ? 1 : min<u32>(SWEEP_BUCKETS, 1 << (30 - clz(count)));
  const scale = scaleOf(f32x4.extract_lane(low, 0), f32x4.extract_lane(highestStart, 0), bucketCount);
  sortByStart(list, records, end, origin, splat(scale), bucketCount);
  // Within a bucket boxes keep their order: how much earlier than a box a later one may start. Twice, since the scale is of halves.
  const disorder: f32 = scale > 0 ? 2.02 / scale + 1e-44 : Infinity;

  const lowZ = f32x4.extract_lane(low, 2), highZ = f32x4.extract_lane(high, 2);
  let columnCount = columnsFor(highZ - lowZ, f32x4.extract_lane(sizes, 2), f32x4.extract_lane(squares, 2), count);
  while (placeColumns(list, count, origin, splat(scaleOf(lowZ, highZ, columnCount)), columnCount) > load<u32>(list, BoxList.columnCapacity)) columnCount >>= 1;
  fillColumns(list, count);
  const columns: usize = load<u32>(list, BoxList.columnsAt), columnRecords: usize = load<u32>(list, BoxList.columnRecordsAt);
  let first: u32 = 0;
  for (let c: usize = 0; c < columnCount; c++) {
    // Cursors stand behind the last record now, and one record is spare.
    const last = load<u32>(columns + (c << 2));
    if (last - first > 1) sweepColumn(job, list, columnRecords + <usize>first * BoxRecord.SIZE, last - first, disorder);
    first = last + 1;
  }
}

// The column width that costs least for boxes of these sizes: too narrow copies boxes, too wide tests what is far apart.
function columnsFor(range: f32, sizes: f32, squares: f32, count: u32): u32 {
  const width: f32 = <f32>1.4 * squares / sizes;
  // No size at all, or more than float32 holds: by count alone.
  const wanted: f32 = width > 0 && width < Infinity ? range / width : <f32>count * <f32>0.125;
  return max(1, min(min(SLAB_COLUMNS, count >> 3), <u32>wanted));
}

// Bucket sort of records by where they start; those of a bucket keep their order.
function sortByStart(list: usize, records: usize, end: usize, origin: v128, scale: v128, bucketCount: u32): void {
  const buckets: usize = load<u32>(list, BoxList.bucketsAt), cells: usize = load<u32>(list, BoxList.cellsAt);
  memory.fill(buckets, 0, <usize>bucketCount << 2);
  let cell = cells;
  for (let at = records; at < end; at += BoxRecord.SIZE, cell += 4) {
    const offset = i32x4.extract_lane(cells4(load4(at), origin, scale), 0) << 2;
    store<u32>(cell, offset);
    const bucket = buckets + <usize>offset;
    store<u32>(bucket, load<u32>(bucket) + <u32>BoxRecord.SIZE);
  }
  let sum = load<u32>(list, BoxList.sortedAt);
  for (let b: usize = 0; b < bucketCount; b++) {
    const bytes = load<u32>(buckets + (b << 2));
    store<u32>(buckets + (b << 2), sum);
    sum += bytes;
  }
  cell = cells;
  for (let at = records; at < end; at += BoxRecord.SIZE, cell += 4) {
    const bucket = buckets + <usize>load<u32>(cell);
    const to: usize = load<u32>(bucket);
    store<u32>(bucket, <u32>(to + BoxRecord.SIZE));
    v128.store(to, load4(at));
    v128.store(to, load4(at, 16), 16);
  }
}

// Each record's first and last column; each column's first record into the cursors. Returns the records that the columns need,
// one to spare in each.
function placeColumns(list: usize, count: u32, origin: v128, scale: v128, columnCount: u32): u32 {
  const columns: usize = load<u32>(list, BoxList.columnsAt), sorted: usize = load<u32>(list, BoxList.sortedAt);
  memory.fill(columns, 0, (<usize>columnCount + 1) << 2);
  let cell: usize = load<u32>(list, BoxList.cellsAt);
  for (let at = sorted, end = sorted + <usize>count * BoxRecord.SIZE; at < end; at += BoxRecord.SIZE, cell += 4) {
    const first = i32x4.extract_lane(cells4(load4(at), origin, scale), 2), last = i32x4.extract_lane(cells4(load4(at, BoxRecord.maxX), origin, scale), 2);
    store<u16>(cell, first);
    store<u16>(cell, last, 2);
    const from = columns + (<usize>first << 2), to = columns + (<usize>last << 2);
    store<u32>(from, load<u32>(from) + 1);
    store<u32>(to, load<u32>(to, 4) - 1, 4);
  }
  let held: u32 = 0, next: u32 = 0;
  for (let c: usize = 0; c < columnCount; c++) {
    held += load<u32>(columns + (c << 2));
    store<u32>(columns + (c << 2), next);
    next += held + 1;
  }
  return next;
}

// A record goes to its first column, to its last, and to those between. Where first and last are one the second copy lies
// behind the first, to be written over: no branch to mispredict, and a record to spare at each column's end.
function fillColumns(list: usize, count: u32): void {
  const columns: usize = load<u32>(list, BoxList.columnsAt), sorted: usize = load<u32>(list, BoxList.sortedAt);
  const records: usize = load<u32>(list, BoxList.columnRecordsAt);
  let cell: usize = load<u32>(list, BoxList.cellsAt);
  for (let at = sorted, end = sorted + <usize>count * BoxRecord.SIZE; at < end; at += BoxRecord.SIZE, cell += 4) {
    const first: usize = load<u16>(cell), last: usize = load<u16>(cell, 2);
    const from = load4(at), to = load4(at, BoxRecord.maxX), toBefore = v128.or(to, i32x4(0, 0, 0, BEFORE_COLUMN));
    put(records, columns + (first << 2), 1, from, to);
    put(records, columns + (last << 2), u32(last > first), from, toBefore);
    for (let c = first + 1; c < last; c++) put(records, columns + (c << 2), 1, from, toBefore);
  }
}

// @ts-ignore: decorator
@inline function put(records: usize, cursor: usize, step: u32, from: v128, to: v128): void {
  const index = load<u32>(cursor);
  store<u32>(cursor, index + step);
  const at = records + <usize>index * BoxRecord.SIZE;
  v128.store(at, from);
  v128.store(at, to, BoxRecord.maxX);
}
