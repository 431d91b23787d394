// Finds the overlapping pairs of boxes from the sorted list of their octants (octree cells). In this list,
// the octants inside an octant directly follow it. So each octant's box is tested against the boxes of the
// following octants, up to the first octant that lies outside (Lucchesi, section 3.4, step 7).
import { BoxList, NOTHING, OCTANT_CHUNK, OctantBlock, OctreeJob, PairBlocks } from '../../records';
import { and, le, load4, maskBits, splatAt } from '../../simd/lanes';
import { appendPairs } from '../appendPairs';
import { reserveSpace } from '../pairBlocks';
import { maxKeyWithin } from './octants';

/** Slice i fills list i with pairs. It takes chunks of octants from a shared counter until none are left. */
export function scanOctants(jobAt: usize, begin: u32, end: u32): void {
  const octantCount = load<u32>(jobAt, OctreeJob.octantCount);
  for (let i = begin; i < end; i++) {
    const list = <usize>load<u32>(jobAt, OctreeJob.listsAt) + <usize>i * BoxList.SIZE;
    for (;;) {
      const first = atomic.add<u32>(jobAt, OCTANT_CHUNK, OctreeJob.cursor);
      if (first >= octantCount) break;
      scan(jobAt, list, first, min(first + OCTANT_CHUNK, octantCount));
    }
  }
}

function scan(job: usize, list: usize, first: u32, last: u32): void {
  const blocks: usize = load<u32>(job, OctreeJob.blocksAt);
  const boxes: usize = load<u32>(job, OctreeJob.boxesAt);
  const table: usize = load<u32>(job, OctreeJob.packTableAt);
  const secondFrom = load<u32>(job, OctreeJob.secondFrom);
  const base = i32x4.splat(secondFrom == NOTHING ? 0 : secondFrom);
  const output: usize = load<u32>(list, BoxList.outputAt);
  const outA: usize = load<u32>(output, PairBlocks.aAt);
  const outB: usize = load<u32>(output, PairBlocks.bAt);
  // Pairs are stored four at a time. From index `stop` on, the list's current block has no space for four.
  let next = load<u32>(list, BoxList.next);
  let stop = stopOf(list);
  let found: u64 = 0;
  let steps: u64 = 0;
  for (let i = first; i < last; i++) {
    let block = blocks + <usize>(i >> 2) * OctantBlock.SIZE;
    const own = block + ((<usize>(i & 3)) << 2);
    const key = load<u32>(own, OctantBlock.key);
    const id = splatAt(own, OctantBlock.id);
    const flags = splatAt(own, OctantBlock.flags);
    const minX = splatAt(own, OctantBlock.minX);
    const minY = splatAt(own, OctantBlock.minY);
    const minZ = splatAt(own, OctantBlock.minZ);
    const box = boxes + <usize>load<u32>(own, OctantBlock.id) * 24;
    const maxX = splatAt(box, 12);
    const maxY = splatAt(box, 16);
    const maxZ = splatAt(box, 20);
    // Keys are below 2^31, so a signed comparison is correct.
    const end = i32x4.splat(maxKeyWithin(key));
    let later = i32x4.gt_s(i32x4(0, 1, 2, 3), i32x4.splat(i & 3));
    for (; ; block += OctantBlock.SIZE) {
      const within = i32x4.le_s(load4(block, OctantBlock.key), end);
      const x = and(
        and(le(minX, load4(block, OctantBlock.stopX)), le(load4(block, OctantBlock.startX), minX)),
        le(load4(block, OctantBlock.minX), maxX),
      );
      const y = and(
        and(le(minY, load4(block, OctantBlock.stopY)), le(load4(block, OctantBlock.startY), minY)),
        le(load4(block, OctantBlock.minY), maxY),
      );
      const z = and(
        and(le(minZ, load4(block, OctantBlock.stopZ)), le(load4(block, OctantBlock.startZ), minZ)),
        le(load4(block, OctantBlock.minZ), maxZ),
      );
      const free = i32x4.eq(and(load4(block, OctantBlock.flags), flags), i32x4.splat(0));
      const hits = maskBits(and(and(and(later, within), free), and(and(x, y), z)));
      steps++;
      found += <u64>popcnt(hits);
      if (next >= stop && hits != 0 && stop > 0) {
        store<u32>(list, next, BoxList.next);
        reserveSpace(list, 1);
        next = load<u32>(list, BoxList.next);
        stop = stopOf(list);
      }
      if (next < stop) {
        appendPairs(table, outA, outB, next, hits, id, load4(block, OctantBlock.id), base);
        next += popcnt(hits);
      }
      if (maskBits(within) != 15) break;
      later = i32x4.splat(-1);
    }
  }
  store<u32>(list, next, BoxList.next);
  store<f64>(list, load<f64>(list, BoxList.found) + <f64>found, BoxList.found);
  store<f64>(list, load<f64>(list, BoxList.tests) + 4 * <f64>steps, BoxList.tests);
  store<f64>(list, load<f64>(list, BoxList.entries) + <f64>(last - first), BoxList.entries);
}

// Returns the index from which on the list needs a new block of the output. Returns 0 if the output is full,
// so that pairs are only counted.
function stopOf(list: usize): u32 {
  return load<u32>(list, BoxList.isFull) != 0 ? 0 : load<u32>(list, BoxList.end) - 3;
}
