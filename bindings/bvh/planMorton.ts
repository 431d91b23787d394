// Plans a tree by Morton codes: sorts the triangles by their codes, and splits the sorted list into ranges at
// the positions where the leading bits change. One thread then builds the subtree of each range.

import { limits, MeshRecord, MortonJob, SliceBox } from '../records/layout.js';
import { BlockGroup } from '../runtime/blockGroup.js';
import { sortByDigits } from '../runtime/digitSort.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { sliceCountOf } from '../runtime/sliceCount.js';
import { runStep } from '../runtime/steps.js';
import type { MeshStatistics } from './normalize.js';
import { boxesOf, foldBoxes, frameMesh, type Plan, SUBTREE_TRIANGLES, type Top } from './plan.js';

const CODE_BITS = 30;
const CELLS = 1024;
const SLICE_TRIANGLES = 8192;
const SHAPE_BYTES = 32;

/** Makes the plan of the Morton builder. @yields progress, 0 to 1 */
export function* planMorton(
  context: EngineContext,
  meshAt: number,
  statistics: MeshStatistics,
  scratch: BlockGroup,
): Generator<number, Plan> {
  const { arena, pool } = context;
  const count = arena.u32[(meshAt + MeshRecord.at.triangleCount) / 4];
  const bytes = Math.max(count, 1) * 4;
  const [codesAt, idsAt, spareCodesAt, spareIdsAt] = [
    scratch.take(bytes),
    scratch.take(bytes),
    scratch.take(bytes),
    scratch.take(bytes),
  ];
  const shapesAt = scratch.take(Math.max(count, 1) * SHAPE_BYTES);
  const sliceCount = sliceCountOf(pool.threadCount, count, SLICE_TRIANGLES);
  const { bounds, box } = frameMesh(context, meshAt, statistics, whole =>
    writeCodes(context, meshAt, whole, codesAt, idsAt, sliceCount),
  );
  if (count === 0) return { bounds, top: undefined };
  yield 0.3;
  sortByDigits(context, [codesAt, idsAt], [spareCodesAt, spareIdsAt], count, CODE_BITS, sliceCount);
  yield 0.9;
  // The sort has made three passes, and each pass has moved the columns to the other blocks. So the sorted
  // columns are in the spare blocks.
  const codes = arena.u32.subarray(spareCodesAt / 4, spareCodesAt / 4 + count);
  const boxes = boxesOf(box);
  const cut = (begin: number, end: number, depth: number): Top => {
    if (end - begin <= SUBTREE_TRIANGLES)
      return { begin, end, depth, boxes, recordsAt: spareCodesAt, shapesAt, idsAt: spareIdsAt };
    const middle = splitRange(codes, begin, end);
    return { weight: end - begin, left: cut(begin, middle, depth + 1), right: cut(middle, end, depth + 1) };
  };
  return { bounds, top: cut(0, count, 0) };
}

function writeCodes(
  context: EngineContext,
  meshAt: number,
  bounds: Float32Array,
  codesAt: number,
  idsAt: number,
  sliceCount: number,
): Float32Array {
  const { arena } = context;
  const blocks = new BlockGroup(arena);
  try {
    const boxesAt = blocks.take(sliceCount * SliceBox.size);
    const jobAt = blocks.takeWords([meshAt, codesAt, idsAt, boxesAt, 0, 0, 0, 0, 0, sliceCount]);
    const scale = arena.f32[(meshAt + MeshRecord.at.scale) / 4];
    const stored = Array.from(bounds, (value, i) =>
      Math.fround(Math.fround(value - arena.f32[(meshAt + MeshRecord.at.centerX) / 4 + (i % 3)]) * scale),
    );
    const extent = 2 * Math.max(stored[3] - stored[0], stored[4] - stored[1], stored[5] - stored[2]);
    arena.f32.set(
      [2 * stored[0], 2 * stored[1], 2 * stored[2], 0, extent > 2 ** -100 ? (CELLS - 1) / extent : 0],
      (jobAt + MortonJob.at.offset) / 4,
    );
    runStep(context, 'computeMortonCodes', jobAt, sliceCount);
    return foldBoxes(context, boxesAt, sliceCount);
  } finally {
    blocks.releaseAll();
  }
}

// Splits a range of sorted codes in the same way as the kernel that builds the subtrees. Returns the first
// index of the right side.
function splitRange(codes: Uint32Array, begin: number, end: number): number {
  const differing = codes[begin] ^ codes[end - 1];
  if (differing === 0) return begin + Math.ceil(Math.ceil((end - begin) / 2) / limits.WIDTH) * limits.WIDTH;
  const bit = 1 << (31 - Math.clz32(differing));
  let [left, right] = [begin, end - 1];
  while (right - left > 1) {
    const middle = (left + right) >>> 1;
    if ((codes[middle] & bit) === 0) left = middle;
    else right = middle;
  }
  return right;
}
