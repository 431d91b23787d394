// Finds the overlapping pairs of an unmoved and a moved box. Looks up the cell of each small unmoved box in the
// hash table of `hashMovedBoxes`. Large unmoved boxes are not looked up, but listed for a later sweep. Each
// slice of the boxes has its own MovedHashList.

import { EMPTY_BOX, LOOKUP_BLOCK, MovedHashJob, MovedHashList } from '../../records';
import { and, le, maskBits } from '../../simd/lanes';
import { maxCornerOf, minCornerOf } from '../boxLoad';
import { sliceStart } from '../boxSlices';
import { bucketOf, isMarked } from './movedBoxCells';

export function lookUpMovedBoxes(jobAt: usize, begin: u32, end: u32): void {
  const boxCount = load<u32>(jobAt, MovedHashJob.boxCount);
  const sliceCount = load<u32>(jobAt, MovedHashJob.sliceCount);
  for (let slice = begin; slice < end; slice++) {
    searchSlice(
      jobAt,
      sliceStart(0, boxCount, sliceCount, slice),
      sliceStart(0, boxCount, sliceCount, slice + 1),
      <usize>load<u32>(jobAt, MovedHashJob.listsAt) + <usize>slice * MovedHashList.SIZE,
    );
  }
}

function searchSlice(job: usize, first: usize, last: usize, list: usize): void {
  const near = <usize>load<u32>(job, MovedHashJob.nearAt) + (first << 2);
  testNear(job, list, near, listNear(job, list, first, last, near));
}

// Makes two lists of unmoved boxes: large boxes, and near boxes, which are small and in a marked cell. To avoid
// branches, each box is written to both lists, but the end of a list advances only if the box belongs to that
// list. Returns the end of the list of near boxes.
function listNear(job: usize, list: usize, first: usize, last: usize, near: usize): usize {
  const cells: usize = load<u32>(job, MovedHashJob.cellsAt);
  const moved: usize = load<u32>(job, MovedHashJob.movedAt);
  const marks: usize = load<u32>(job, MovedHashJob.marksAt);
  const hashShift = load<u32>(job, MovedHashJob.hashShift);
  const firstLarge = <usize>load<u32>(job, MovedHashJob.largeAt) + (first << 2);
  let large = firstLarge;
  for (let id = first; id < last; id++) {
    const cell = load<u32>(cells + (id << 2));
    const isStill = load<u8>(moved + id) ^ 1;
    store<u32>(near, <u32>id);
    store<u32>(large, <u32>id);
    near += (<usize>(isMarked(marks, cell, hashShift) & isStill & u32(cell < EMPTY_BOX))) << 2;
    large += (<usize>(isStill & (cell >> 31))) << 2;
  }
  store<u32>(list, <u32>((large - firstLarge) >> 2), MovedHashList.largeCount);
  return near;
}

// Tests the near boxes in blocks, with three loops per block, so that many cache misses overlap. The first
// loop looks up the bucket of each box. The second loop lists an item for each box and each entry of its
// bucket. The third loop tests the items.
function testNear(job: usize, list: usize, near: usize, lastNear: usize): void {
  const cells: usize = load<u32>(job, MovedHashJob.cellsAt);
  const buckets: usize = load<u32>(job, MovedHashJob.bucketsAt);
  const hashShift = load<u32>(job, MovedHashJob.hashShift);
  const ranges: usize = load<u32>(list, MovedHashList.scratchAt);
  const items = ranges + (LOOKUP_BLOCK << 3);
  store<f64>(list, 0, MovedHashList.found);
  store<f64>(list, 0, MovedHashList.tests);
  for (; near < lastNear; near += LOOKUP_BLOCK << 2) {
    const bytes = min<usize>(lastNear - near, LOOKUP_BLOCK << 2);
    for (let at: usize = 0; at < bytes; at += 4) {
      const cell = load<u32>(cells + ((<usize>load<u32>(near + at)) << 2));
      const bucket = bucketOf(buckets, cell, hashShift);
      store<u64>(ranges + (at << 1), load<u64>(bucket));
    }
    let item = items;
    for (let at: usize = 0; at < bytes; at += 4) {
      const id: u64 = load<u32>(near + at);
      const last = load<u32>(ranges + (at << 1), 4);
      for (let entry = load<u32>(ranges + (at << 1)); entry < last; entry++, item += 8)
        store<u64>(item, (id << 32) | entry);
    }
    testItems(job, list, items, item);
  }
}

// Tests items, each of which is an unmoved box and an entry of the hash table. A bucket may have entries of
// several cells, so entries of other cells are skipped.
function testItems(job: usize, list: usize, item: usize, lastItem: usize): void {
  const boxes: usize = load<u32>(job, MovedHashJob.boxesAt);
  const toBoxes: usize = load<u32>(job, MovedHashJob.toBoxesAt);
  const toIds: usize = load<u32>(job, MovedHashJob.toIdsAt);
  const cells: usize = load<u32>(job, MovedHashJob.cellsAt);
  const entries: usize = load<u32>(job, MovedHashJob.entriesAt);
  const pairsA: usize = load<u32>(list, MovedHashList.pairsAAt);
  const pairsB: usize = load<u32>(list, MovedHashList.pairsBAt);
  const capacity: usize = load<u32>(list, MovedHashList.pairsCapacity);
  let found = <usize>load<f64>(list, MovedHashList.found);
  let tests: usize = 0;
  for (; item < lastItem; item += 8) {
    const entry = entries + ((<usize>load<u32>(item)) << 3);
    const id = load<u32>(item, 4);
    const movedIndex: usize = load<u32>(entry, 4);
    const box = boxes + <usize>id * 24;
    const low = minCornerOf(box);
    const high = maxCornerOf(box);
    const other = toBoxes + movedIndex * 24;
    const otherId = load<u32>(toIds + (movedIndex << 2));
    const isSame = u32(load<u32>(entry) == load<u32>(cells + ((<usize>id) << 2)));
    const isPair =
      isSame & u32(maskBits(and(le(low, maxCornerOf(other)), le(minCornerOf(other), high))) == 15);
    // Pairs that do not fit are all written to the same place: the spare place at the index `capacity`.
    const to = min(found, capacity) << 2;
    store<u32>(pairsA + to, min(id, otherId));
    store<u32>(pairsB + to, max(id, otherId));
    found += isPair;
    tests += isSame;
  }
  store<f64>(list, <f64>found, MovedHashList.found);
  store<f64>(list, load<f64>(list, MovedHashList.tests) + <f64>tests, MovedHashList.tests);
}
