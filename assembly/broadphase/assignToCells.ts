// First step of distributing boxes to cells, which are the leaves of a k-d tree. Each slice of the boxes lists
// the cells that its boxes overlap, and counts its boxes in each cell.

import { CELL_BATCH, CellJob, CellShare, CellSplit } from '../records';
import { isNonEmpty, maxCornerOf, minCornerOf } from './boxLoad';
import { sliceStart } from './boxSlices';

/** Max value of `missed`, the count of entries that do not fit. The limit prevents an overflow. */
const MAX_MISSED: usize = 0x7fffffff;

export function assignToCells(jobAt: usize, begin: u32, end: u32): void {
  for (let slice = begin; slice < end; slice++) assignSlice(jobAt, slice);
}

// Processes the boxes of a slice in blocks. If the entries of a block do not fit into the remaining capacity,
// they are only added to `missed`, not to the counts of the cells.
function assignSlice(job: usize, slice: u32): void {
  const boxes: usize = load<u32>(job, CellJob.boxesAt);
  const splits: usize = load<u32>(job, CellJob.splitsAt);
  const depth = load<u32>(job, CellJob.depth);
  const cellCount: usize = (<usize>1) << depth;
  const counts =
    <usize>load<u32>(job, CellJob.countsAt) + <usize>slice * <usize>load<u32>(job, CellJob.countsStride);
  const share = <usize>load<u32>(job, CellJob.sharesAt) + <usize>slice * CellShare.SIZE;
  const entries: usize = load<u32>(share, CellShare.entriesAt);
  const last = entries + ((<usize>load<u32>(share, CellShare.capacity)) << 3);
  const spare: usize = load<u32>(share, CellShare.spareAt);
  const other = spare + <usize>load<u32>(share, CellShare.spareBytes);
  memory.fill(counts, 0, (cellCount + 1) << 2);
  let to = entries;
  let missed: usize = 0;
  const end = boxes + sliceFrom(job, <u64>slice + 1) * 24;
  for (let box = boxes + sliceFrom(job, slice) * 24; box < end; ) {
    // Sizes are compared instead of end addresses, which could overflow 2^32 near the end of memory.
    const blockEnd = box + min(end - box, CELL_BATCH * 24);
    const bytes = assignBlock(splits, depth, box, blockEnd, spare, other);
    if (bytes <= last - to) {
      keep((depth & 1) == 0 ? spare : other, bytes, to, counts - (cellCount << 2));
      to += bytes;
    } else missed = min(MAX_MISSED, missed + (bytes >> 3));
    box = blockEnd;
  }
  store<u32>(share, <u32>((to - entries) >> 3), CellShare.count);
  store<u32>(share, <u32>missed, CellShare.missed);
}

function sliceFrom(job: usize, slice: u64): usize {
  return sliceStart(
    load<u32>(job, CellJob.first),
    load<u32>(job, CellJob.last),
    load<u32>(job, CellJob.sliceCount),
    slice,
  );
}

// Passes the nonempty boxes of a block down the tree of splits, level by level. Each level reads the entries
// from one array and writes them to the other array. Returns the size of the final entries in bytes. If the
// depth is even, the final entries are in the array that the caller passed as `from`, otherwise in the array
// that it passed as `to`.
function assignBlock(splits: usize, depth: u32, box: usize, end: usize, from: usize, to: usize): usize {
  let past = from;
  for (; box < end; box += 24) {
    store<u64>(past, ((<u64>box) << 32) | 1);
    past += usize(isNonEmpty(minCornerOf(box), maxCornerOf(box))) << 3;
  }
  let bytes = past - from;
  for (let level: u32 = 0; level < depth; level++) {
    bytes = descend(splits, from, bytes, to);
    const filled = to;
    to = from;
    from = filled;
  }
  return bytes;
}

// Moves entries down by one level. An entry is a node and a box that overlaps the node. It is replaced by one
// entry for each of the node's children that the box overlaps. No branch depends on the position of a box, so
// branches are predicted well.
function descend(splits: usize, from: usize, bytes: usize, to: usize): usize {
  const start = to;
  for (const end = from + bytes; from < end; from += 8) {
    const entry = load<u64>(from);
    const node = entry & 0xffffffff;
    const below = entry + node;
    const split = splits + <usize>node * CellSplit.SIZE;
    const border = load<f32>(split, CellSplit.start);
    const box = <usize>(entry >> 32) + <usize>load<u32>(split, CellSplit.axis);
    store<u64>(to, below);
    to += usize(load<f32>(box) < border) << 3;
    store<u64>(to, below + 1);
    to += usize(load<f32>(box, 12) >= border) << 3;
  }
  return to - start;
}

function keep(from: usize, bytes: usize, to: usize, counts: usize): void {
  for (const end = from + bytes; from < end; from += 8) {
    const counter = counts + ((<usize>load<u32>(from)) << 2);
    store<u32>(counter, load<u32>(counter) + 1);
    store<u64>(to, load<u64>(from));
    to += 8;
  }
}
