// Builds a hash table that maps grid cells to moved boxes. A box counts as small if it is at most as large as
// the job's `reach` on each axis. A small unmoved box looks up only the cell of its min corner. A moved box
// therefore has an entry in every cell in which a small box that overlaps it may have its min corner. Also
// measures how full the buckets are. Runs on one thread, so `begin` and `end` (the slices) are ignored.
import { MovedHashJob } from '../../records';
import { bucketOf, cellOf, firstCells, lastCells, mark } from './movedBoxCells';

export function hashMovedBoxes(jobAt: usize, begin: u32, end: u32): void {
  const buckets: usize = load<u32>(jobAt, MovedHashJob.bucketsAt);
  const bucketCount: usize = 1 << (32 - load<u32>(jobAt, MovedHashJob.hashShift));
  memory.fill(buckets, 0, (bucketCount + 1) << 2);
  memory.fill(load<u32>(jobAt, MovedHashJob.marksAt), 0, bucketCount >> 2);
  const movedCount = load<u32>(jobAt, MovedHashJob.movedCount);
  for (let moved: u32 = 0; moved < movedCount; moved++) countOrInsert(jobAt, moved, false);
  let sum: u32 = 0;
  let maxCount: u32 = 0;
  let tests: u64 = 0;
  for (let at = buckets, last = buckets + (bucketCount << 2); at < last; at += 4) {
    const count = load<u32>(at);
    // Stores the end of the bucket, from which entries are inserted downward.
    store<u32>(at, (sum += count));
    maxCount = max(maxCount, count);
    tests += <u64>count * count;
  }
  store<u32>(buckets + (bucketCount << 2), sum);
  for (let moved: u32 = 0; moved < movedCount; moved++) countOrInsert(jobAt, moved, true);
  store<u32>(jobAt, maxCount, MovedHashJob.maxEntries);
  store<f64>(jobAt, <f64>tests, MovedHashJob.tests);
}

// First pass (isInsert is false): counts the entries of a moved box in each bucket, and marks their cells.
// Second pass: inserts the entries.
// @ts-ignore: decorator
@inline
function countOrInsert(job: usize, moved: u32, isInsert: bool): void {
  const buckets: usize = load<u32>(job, MovedHashJob.bucketsAt);
  const entries: usize = load<u32>(job, MovedHashJob.entriesAt);
  const hashShift = load<u32>(job, MovedHashJob.hashShift);
  const marks: usize = load<u32>(job, MovedHashJob.marksAt);
  const box = <usize>load<u32>(job, MovedHashJob.toBoxesAt) + <usize>moved * 24;
  const from = firstCells(job, box);
  const to = lastCells(job, box);
  const x1 = i32x4.extract_lane(to, 0);
  const y1 = i32x4.extract_lane(to, 1);
  const z0 = i32x4.extract_lane(from, 2);
  const z1 = i32x4.extract_lane(to, 2);
  for (let x = i32x4.extract_lane(from, 0); x <= x1; x++) {
    for (let y = i32x4.extract_lane(from, 1); y <= y1; y++) {
      for (let z = z0; z <= z1; z++) {
        const cell = cellOf(x, y, z);
        const bucket = bucketOf(buckets, cell, hashShift);
        const count = isInsert ? load<u32>(bucket) - 1 : load<u32>(bucket) + 1;
        store<u32>(bucket, count);
        if (isInsert) store<u64>(entries + ((<usize>count) << 3), ((<u64>moved) << 32) | cell);
        else mark(marks, cell, hashShift);
      }
    }
  }
}
