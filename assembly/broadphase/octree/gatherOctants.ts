// Builds OctantBlocks (four octants each) from the sorted octants of all boxes. Two boxes may share several
// octants, but their pair is reported in only one of them: the octant that contains the componentwise maximum
// of their min corners. So each octant is stored with its box and with a range on each axis (`start` to
// `stop`). A pair of this box and a box that comes earlier in the sorted order is reported in the octant only
// if the earlier box's min corner lies in these ranges. The boxes of several blocks are loaded before their
// ranges are computed, so that the cache misses overlap.

import { LEVEL_BITS, OCTREE_LEVELS, OctantBlock, OctreeJob, PASSIVE } from '../../records';
import { and, le, load4, min4, splat } from '../../simd/lanes';
import { flagsOf } from '../boxSlices';
import { AFTER_ALL, STARTS_BYTES } from './octants';

const BLOCKS_PER_BATCH: u64 = 16;

export function gatherOctants(jobAt: usize, begin: u32, end: u32): void {
  const octantCount = load<u32>(jobAt, OctreeJob.octantCount);
  const sliceCount: u64 = load<u32>(jobAt, OctreeJob.sliceCount);
  const blocks: usize = load<u32>(jobAt, OctreeJob.blocksAt);
  // The last block is padded to four octants. One more block, all padding, ends every scan.
  const blockCount: u64 = (octantCount + 3) / 4 + 1;
  for (let slice: u64 = begin; slice < end; slice++) {
    const last = ((slice + 1) * blockCount) / sliceCount;
    for (let first = (slice * blockCount) / sliceCount; first < last; first += BLOCKS_PER_BATCH) {
      const until = min(first + BLOCKS_PER_BATCH, last);
      for (let i = (<u32>first) << 2; i < (<u32>until) << 2; i++) {
        const lane = blocks + <usize>(i >> 2) * OctantBlock.SIZE + ((<usize>(i & 3)) << 2);
        if (i < octantCount) fetch(jobAt, i, lane);
        else store<u32>(lane, AFTER_ALL, OctantBlock.key);
      }
      for (let block = first; block < until; block++) bound(jobAt, blocks + <usize>block * OctantBlock.SIZE);
    }
  }
}

// Writes octant i and its box to a lane of a block. Until `bound` computes the ranges, the `stop` fields hold
// the max corner.
function fetch(job: usize, i: u32, lane: usize): void {
  const id = load<u32>(<usize>load<u32>(job, OctreeJob.idsAt) + ((<usize>i) << 2));
  const box = <usize>load<u32>(job, OctreeJob.boxesAt) + <usize>id * 24;
  const moved: usize = load<u32>(job, OctreeJob.movedAt);
  store<u32>(lane, load<u32>(<usize>load<u32>(job, OctreeJob.keysAt) + ((<usize>i) << 2)), OctantBlock.key);
  store<u32>(lane, id, OctantBlock.id);
  store<u32>(
    lane,
    moved != 0
      ? (load<u8>(moved + <usize>id) ^ 1) * PASSIVE
      : flagsOf(id, load<u32>(job, OctreeJob.secondFrom), load<u32>(job, OctreeJob.passiveFrom)),
    OctantBlock.flags,
  );
  store<f32>(lane, load<f32>(box), OctantBlock.minX);
  store<f32>(lane, load<f32>(box, 4), OctantBlock.minY);
  store<f32>(lane, load<f32>(box, 8), OctantBlock.minZ);
  store<f32>(lane, load<f32>(box, 12), OctantBlock.stopX);
  store<f32>(lane, load<f32>(box, 16), OctantBlock.stopY);
  store<f32>(lane, load<f32>(box, 20), OctantBlock.stopZ);
}

// Computes the ranges of a block's four octants.
function bound(job: usize, block: usize): void {
  const codes = i32x4.shr_u(load4(block, OctantBlock.key), LEVEL_BITS);
  const width0 = widthOf(block);
  const width1 = widthOf(block + 4);
  const width2 = widthOf(block + 8);
  const width3 = widthOf(block + 12);
  for (let axis: usize = 0; axis < 3; axis++) {
    const starts = <usize>load<u32>(job, OctreeJob.startsAt) + axis * STARTS_BYTES;
    const at = block + (axis << 4);
    const cells = i32x4.shl(compact(i32x4.shr_u(codes, 2 - <i32>axis)), 2);
    const s0 = starts + <usize>i32x4.extract_lane(cells, 0);
    const s1 = starts + <usize>i32x4.extract_lane(cells, 1);
    const s2 = starts + <usize>i32x4.extract_lane(cells, 2);
    const s3 = starts + <usize>i32x4.extract_lane(cells, 3);
    const start = f32x4(load<f32>(s0), load<f32>(s1), load<f32>(s2), load<f32>(s3));
    const next = f32x4(
      load<f32>(s0 + width0),
      load<f32>(s1 + width1),
      load<f32>(s2 + width2),
      load<f32>(s3 + width3),
    );
    // If the octant's own box starts at or after the start of the octant, the range has no lower limit: however
    // low the earlier box starts, the maximum of the two starts is not before the octant.
    v128.store(
      at,
      v128.bitselect(splat(-Infinity), start, le(start, load4(at, OctantBlock.minX))),
      OctantBlock.startX,
    );
    v128.store(at, min4(load4(at, OctantBlock.stopX), nextBelow(next)), OctantBlock.stopX);
  }
}

// Returns the width of an octant as a byte offset in the table of the finest cells' start coordinates: four
// bytes for each finest cell that the octant spans on an axis. A padding lane counts as one finest cell wide.
function widthOf(lane: usize): usize {
  return (
    (<usize>4) <<
    (<usize>max(0, <i32>OCTREE_LEVELS - <i32>(load<u32>(lane, OctantBlock.key) & ((1 << LEVEL_BITS) - 1))))
  );
}

// Moves bits 0, 3, 6, ..., 24 of each lane to bits 0 to 8.
function compact(x: v128): v128 {
  x = and(x, i32x4.splat(0x09249249));
  x = and(v128.or(x, i32x4.shr_u(x, 2)), i32x4.splat(0x030c30c3));
  x = and(v128.or(x, i32x4.shr_u(x, 4)), i32x4.splat(0x0300f00f));
  x = and(v128.or(x, i32x4.shr_u(x, 8)), i32x4.splat(0x030000ff));
  return and(v128.or(x, i32x4.shr_u(x, 16)), i32x4.splat(0x1ff));
}

// Returns the next smaller float32 of each lane.
function nextBelow(x: v128): v128 {
  const step = v128.bitselect(i32x4.splat(-1), i32x4.splat(1), f32x4.gt(x, splat(0)));
  return v128.bitselect(splat(-1.401298464324817e-45), i32x4.add(x, step), f32x4.eq(x, splat(0)));
}
