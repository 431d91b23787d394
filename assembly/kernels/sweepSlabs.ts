// Slabs of boxes -> overlapping pairs: a slab's boxes are sorted along the sweep axis, dealt to columns, and swept column by
// column (sweep and prune from scratch, Avril et al. s4). A slab and its columns stay in a core's cache.
import { cellOf, scaleOf } from '../cells';
import { BEFORE_COLUMN, BoxBlock, BoxList, BoxRecord, SLAB_COLUMNS, SlabJob, SWEEP_BUCKETS } from '../layout';
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
  const origin = f32x4.extract_lane(low, 0);
  const bucketCount = count < 8 ? 1 : min<u32>(SWEEP_BUCKETS, 1 << (29 - clz(count)));
  const scale = scaleOf(origin, f32x4.extract_lane(highestStart, 0), bucketCount);
  const sorted: usize = load<u32>(list, BoxList.sortedAt);
  sortByStart(records, end, sorted, load<u32>(list, BoxList.bucketsAt), origin * 0.5, scale, bucketCount);
  // Within a bucket boxes keep their order: how much later one may start than the next. Twice, since the scale is of halves.
  const disorder: f32 = scale > 0 ? 2.02 / scale + 1e-44 : Infinity;

  const lowZ = f32x4.extract_lane(low, 2), highZ = f32x4.extract_lane(high, 2);
  let columnCount = columnsFor(highZ - lowZ, f32x4.extract_lane(sizes, 2), f32x4.extract_lane(squares, 2), count);
  const columns: usize = load<u32>(list, BoxList.columnsAt);
  let columnScale: f32 = 0;
  for (;; columnCount >>= 1) {
    columnScale = scaleOf(lowZ, highZ, columnCount);
    if (placeColumns(sorted, count, columns, lowZ * 0.5, columnScale, columnCount) <= load<u32>(list, BoxList.blockCapacity) || columnCount == 1) break;
  }
  const blocks: usize = load<u32>(list, BoxList.blocksAt);
  fillColumns(sorted, count, columns, blocks, lowZ * 0.5, columnScale, columnCount);
  for (let c: usize = 0; c < columnCount; c++) {
    const first = load<u32>(columns + (c << 3)), last = load<u32>(columns + (c << 3), 4);
    if (last - first < 2) continue;
    closeColumn(blocks, last);
    sweepColumn(job, list, blocks, first, last, disorder);
  }
}

// The column width that costs least for boxes of these sizes: too narrow copies boxes, too wide tests what is far apart.
function columnsFor(range: f32, sizes: f32, squares: f32, count: u32): u32 {
  const width: f32 = (squares + squares) / sizes;
  // No size at all, or more than float32 holds: by count alone.
  const wanted: f32 = width > 0 && width < Infinity ? range / width : <f32>count * <f32>0.125;
  return max(1, min(min(SLAB_COLUMNS, count >> 3), <u32>wanted));
}

// Bucket sort of records by where they start; those of a bucket keep their order.
function sortByStart(records: usize, end: usize, sorted: usize, buckets: usize, origin: f32, scale: f32, bucketCount: u32): void {
  memory.fill(buckets, 0, <usize>bucketCount << 2);
  for (let at = records; at < end; at += BoxRecord.SIZE) {
    const bucket = buckets + (<usize>cellOf(load<f32>(at, BoxRecord.minX), origin, scale, bucketCount) << 2);
    store<u32>(bucket, load<u32>(bucket) + <u32>BoxRecord.SIZE);
  }
  let sum = <u32>sorted;
  for (let b: usize = 0; b < bucketCount; b++) {
    const bytes = load<u32>(buckets + (b << 2));
    store<u32>(buckets + (b << 2), sum);
    sum += bytes;
  }
  for (let at = records; at < end; at += BoxRecord.SIZE) {
    const bucket = buckets + (<usize>cellOf(load<f32>(at, BoxRecord.minX), origin, scale, bucketCount) << 2);
    const to: usize = load<u32>(bucket);
    store<u32>(bucket, <u32>(to + BoxRecord.SIZE));
    v128.store(to, load4(at));
    v128.store(to, load4(at, 16), 16);
  }
}

// First entry of each column, twice: the second is the cursor that fillColumns moves on. Returns the blocks that they need.
function placeColumns(sorted: usize, count: u32, columns: usize, origin: f32, scale: f32, columnCount: u32): u32 {
  memory.fill(columns, 0, (<usize>columnCount + 1) << 3);
  for (let at = sorted, end = sorted + <usize>count * BoxRecord.SIZE; at < end; at += BoxRecord.SIZE) {
    const from = columns + (<usize>cellOf(load<f32>(at, BoxRecord.minZ), origin, scale, columnCount) << 3);
    const to = columns + (<usize>cellOf(load<f32>(at, BoxRecord.maxZ), origin, scale, columnCount) << 3);
    store<u32>(from, load<u32>(from) + 1);
    store<u32>(to, load<u32>(to, 8) - 1, 8);
  }
  let held: u32 = 0, next: u32 = 0;
  for (let c: usize = 0; c < columnCount; c++) {
    held += load<u32>(columns + (c << 3));
    store<u32>(columns + (c << 3), next);
    store<u32>(columns + (c << 3), next, 4);
    // Whole blocks, and two more that end the sweep.
    next += ((held + 3) & ~3) + 8;
  }
  return next >> 2;
}

function fillColumns(sorted: usize, count: u32, columns: usize, blocks: usize, origin: f32, scale: f32, columnCount: u32): void {
  for (let at = sorted, end = sorted + <usize>count * BoxRecord.SIZE; at < end; at += BoxRecord.SIZE) {
    const from = load4(at), to = load4(at, BoxRecord.maxX);
    const first = cellOf(f32x4.extract_lane(from, 2), origin, scale, columnCount), last = cellOf(f32x4.extract_lane(to, 2), origin, scale, columnCount);
    for (let c = first; c <= last; c++) {
      const cursor = columns + (<usize>c << 3);
      const index = load<u32>(cursor, 4);
      store<u32>(cursor, index + 1, 4);
      const lane = blocks + <usize>(index >> 2) * BoxBlock.SIZE + (<usize>(index & 3) << 2);
      v128.store_lane<f32>(lane, from, 0, BoxBlock.minX);
      v128.store_lane<f32>(lane, to, 0, BoxBlock.maxX);
      v128.store_lane<f32>(lane, from, 1, BoxBlock.minY);
      v128.store_lane<f32>(lane, to, 1, BoxBlock.maxY);
      v128.store_lane<f32>(lane, from, 2, BoxBlock.minZ);
      v128.store_lane<f32>(lane, to, 2, BoxBlock.maxZ);
      v128.store_lane<f32>(lane, from, 3, BoxBlock.id);
      store<u32>(lane, <u32>i32x4.extract_lane(to, 3) | (c > first ? BEFORE_COLUMN : 0), BoxBlock.flags);
    }
  }
}

// NaN after the last box: it overlaps nothing and ends every sweep, up to two blocks on.
function closeColumn(blocks: usize, last: u32): void {
  for (let index = last; index < ((last + 3) & ~3) + 8; index++) {
    store<f32>(blocks + <usize>(index >> 2) * BoxBlock.SIZE + (<usize>(index & 3) << 2), NaN, BoxBlock.minX);
  }
}
