// Scans the positions and indices of a mesh. Finds the bounds of the positions, their smallest nonzero
// magnitude, whether any coordinate is not finite, and the largest index. Each slice writes its own results,
// which the caller combines. The positions are padded to groups of four vertices, and the indices to groups
// of four.
import { BoundPositionsJob, SliceBounds } from '../records';
import { load4, max4, min4 } from '../simd/lanes';

const GROUP_BYTES: usize = 48;

function magnitude(x: v128): v128 {
  return v128.and(x, i32x4.splat(0x7fffffff));
}

// Subtracting 1 makes the bits of zero the largest unsigned number, so zero is never the minimum.
function decrement(bits: v128): v128 {
  return i32x4.sub(bits, i32x4.splat(1));
}

function boundVertices(at: usize, last: usize, bounds: usize): void {
  let low0 = f32x4.splat(Infinity);
  let low1 = low0;
  let low2 = low0;
  let high0 = f32x4.splat(-Infinity);
  let high1 = high0;
  let high2 = high0;
  let minBits = i32x4.splat(-1);
  let maxBits = i32x4.splat(0);
  for (; at < last; at += GROUP_BYTES) {
    const x0 = load4(at);
    const x1 = load4(at, 16);
    const x2 = load4(at, 32);
    low0 = min4(low0, x0);
    low1 = min4(low1, x1);
    low2 = min4(low2, x2);
    high0 = max4(high0, x0);
    high1 = max4(high1, x1);
    high2 = max4(high2, x2);
    const m0 = magnitude(x0);
    const m1 = magnitude(x1);
    const m2 = magnitude(x2);
    minBits = i32x4.min_u(minBits, i32x4.min_u(decrement(m0), i32x4.min_u(decrement(m1), decrement(m2))));
    maxBits = i32x4.max_u(maxBits, i32x4.max_u(m0, i32x4.max_u(m1, m2)));
  }
  v128.store(bounds, low0, SliceBounds.low);
  v128.store(bounds, low1, SliceBounds.low + 16);
  v128.store(bounds, low2, SliceBounds.low + 32);
  v128.store(bounds, high0, SliceBounds.high);
  v128.store(bounds, high1, SliceBounds.high + 16);
  v128.store(bounds, high2, SliceBounds.high + 32);
  v128.store(bounds, minBits, SliceBounds.minMagnitude);
  v128.store(bounds, i32x4.gt_s(maxBits, i32x4.splat(0x7f7fffff)), SliceBounds.nonFinite);
}

function boundIndices(at: usize, last: usize, bounds: usize): void {
  let maxIndex = i32x4.splat(0);
  let otherMaxIndex = maxIndex;
  for (; at + 16 < last; at += 32) {
    maxIndex = i32x4.max_u(maxIndex, load4(at));
    otherMaxIndex = i32x4.max_u(otherMaxIndex, load4(at, 16));
  }
  if (at < last) maxIndex = i32x4.max_u(maxIndex, load4(at));
  v128.store(bounds, i32x4.max_u(maxIndex, otherMaxIndex), SliceBounds.maxIndex);
}

export function boundPositions(jobAt: usize, begin: u32, end: u32): void {
  const sliceCount: u64 = load<u32>(jobAt, BoundPositionsJob.sliceCount);
  const positions: usize = load<u32>(jobAt, BoundPositionsJob.positionsAt);
  const groups: u64 = load<u32>(jobAt, BoundPositionsJob.groupCount);
  const indices: usize = load<u32>(jobAt, BoundPositionsJob.indicesAt);
  const indexGroups: u64 = load<u32>(jobAt, BoundPositionsJob.indexGroupCount);
  for (let slice: u64 = begin; slice < end; slice++) {
    const bounds: usize =
      <usize>load<u32>(jobAt, BoundPositionsJob.boundsAt) + <usize>slice * SliceBounds.SIZE;
    boundVertices(
      positions + <usize>((slice * groups) / sliceCount) * GROUP_BYTES,
      positions + <usize>(((slice + 1) * groups) / sliceCount) * GROUP_BYTES,
      bounds,
    );
    boundIndices(
      indices + <usize>((slice * indexGroups) / sliceCount) * 16,
      indices + <usize>(((slice + 1) * indexGroups) / sliceCount) * 16,
      bounds,
    );
  }
}
