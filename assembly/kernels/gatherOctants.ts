// Sorted octants -> OctantBlocks: each with its box, and where an earlier box's least corner has to lie for the pair to be
// this octant's: the one that holds the greater of both least corners.
import { flagsOf } from '../boxSlices';
import { LEVEL_BITS, OctantBlock, OCTREE_CELLS, OCTREE_LEVELS, OctreeJob } from '../layout';

const STARTS_BYTES: usize = 4 * (<usize>OCTREE_CELLS + 1);
// Greater than every key, also as a signed number.
const AFTER_ALL: u32 = 0x7fffffff;

export function gatherOctants(jobAt: usize, begin: u32, end: u32): void {
  const octantCount = load<u32>(jobAt, OctreeJob.octantCount), sliceCount: u64 = load<u32>(jobAt, OctreeJob.sliceCount);
  // Whole blocks: those behind the last octant are filled up, and one more ends every scan.
  const blockCount: u64 = (octantCount + 3) / 4 + 1;
  for (let slice: u64 = begin; slice < end; slice++) {
    const last = <u32>((slice + 1) * blockCount / sliceCount) << 2;
    for (let i = <u32>(slice * blockCount / sliceCount) << 2; i < last; i++) {
      const lane = <usize>load<u32>(jobAt, OctreeJob.blocksAt) + <usize>(i >> 2) * OctantBlock.SIZE + (<usize>(i & 3) << 2);
      if (i < octantCount) gather(jobAt, i, lane);
      else store<u32>(lane, AFTER_ALL, OctantBlock.key);
    }
  }
}

function gather(job: usize, i: u32, lane: usize): void {
  const key = load<u32>(<usize>load<u32>(job, OctreeJob.keysAt) + (<usize>i << 2)), id = load<u32>(<usize>load<u32>(job, OctreeJob.idsAt) + (<usize>i << 2));
  const box = <usize>load<u32>(job, OctreeJob.boxesAt) + <usize>id * 24;
  const code = key >> LEVEL_BITS, width = <usize>1 << (OCTREE_LEVELS - (key & ((1 << LEVEL_BITS) - 1)));
  store<u32>(lane, key, OctantBlock.key);
  store<u32>(lane, id, OctantBlock.id);
  store<u32>(lane, flagsOf(id, load<u32>(job, OctreeJob.secondFrom), load<u32>(job, OctreeJob.bystandersFrom)), OctantBlock.flags);
  for (let axis: usize = 0; axis < 3; axis++) {
    const starts = <usize>load<u32>(job, OctreeJob.startsAt) + axis * STARTS_BYTES, cell = <usize>compact(code >> (2 - <u32>axis));
    const low = load<f32>(box + (axis << 2)), high = load<f32>(box + (axis << 2), 12), start = load<f32>(starts + (cell << 2));
    const to = lane + (axis << 4);
    store<f32>(to, low, OctantBlock.minX);
    // A box that starts in the octant asks nothing of where the other starts.
    store<f32>(to, low >= start ? -Infinity : start, OctantBlock.startX);
    store<f32>(to, min(high, before(load<f32>(starts + ((cell + width) << 2)))), OctantBlock.stopX);
  }
}

// Every third bit -> bits 0 to 8.
// @ts-ignore: decorator
@inline function compact(x: u32): u32 {
  x &= 0x09249249;
  x = (x | (x >> 2)) & 0x030c30c3;
  x = (x | (x >> 4)) & 0x0300f00f;
  x = (x | (x >> 8)) & 0x030000ff;
  return (x | (x >> 16)) & 0x3ff;
}

// The greatest float32 that is less.
// @ts-ignore: decorator
@inline function before(x: f32): f32 {
  if (x == 0) return -1.401298464324817e-45;
  return reinterpret<f32>(reinterpret<i32>(x) + (x > 0 ? -1 : 1));
}
