// Splits space into cells that hold about the same number of boxes each. Each region is split recursively at
// the median of the sampled box centers that lie in it. Runs on one thread: begin and end are ignored.

import { Cell, CellJob, CellSplit, SampledCenter, SWEEP_CELLS } from '../records';
import { add, load4, max4, min4, mul, splat, splatAt, sub } from '../simd/lanes';
import { isNonEmpty, maxCornerOf, minCornerOf } from './boxLoad';
import { scaleOf } from './cells';

const GOLDEN: f64 = 0.6180339887498949;

export function splitCells(jobAt: usize, begin: u32, end: u32): void {
  const sample: usize = load<u32>(jobAt, CellJob.sampleAt);
  const splits: usize = load<u32>(jobAt, CellJob.splitsAt);
  const depth = load<u32>(jobAt, CellJob.depth);
  const count: u64 = takeSample(jobAt, sample);
  const minSize = splatAt(jobAt, CellJob.minBoxSize);
  for (let level: u32 = 0; level < depth; level++) {
    for (let i: u64 = 0; i < (<u64>1) << level; i++) {
      const first = <usize>((count * i) >> level);
      const middle = <usize>((count * (2 * i + 1)) >> (level + 1));
      const last = <usize>((count * (i + 1)) >> level);
      split(
        splits + <usize>((1 << level) + i) * CellSplit.SIZE,
        sample + first * SampledCenter.SIZE,
        sample + middle * SampledCenter.SIZE,
        sample + last * SampledCenter.SIZE,
        minSize,
      );
    }
  }
  for (let i: usize = 0; i < (<usize>1) << depth; i++)
    boundCell(
      jobAt,
      splits,
      ((<usize>1) << depth) + i,
      <usize>load<u32>(jobAt, CellJob.cellsAt) + i * Cell.SIZE,
    );
}

// Samples the boxes at the relative positions frac(i * GOLDEN) in the list of boxes, i = 0, 1, 2, ... These
// positions spread evenly and do not correlate with the order of the boxes. Empty boxes are left out. Returns
// the size of the sample.
function takeSample(job: usize, sample: usize): u32 {
  const boxes: usize = load<u32>(job, CellJob.boxesAt);
  const first = load<u32>(job, CellJob.first);
  const size = load<u32>(job, CellJob.sampleSize);
  const count = <f64>(load<u32>(job, CellJob.last) - first);
  let to = sample;
  for (let i: u32 = 0; i < size; i++) {
    const phase = <f64>i * GOLDEN;
    const box = boxes + <usize>(first + <u32>((phase - floor(phase)) * count)) * 24;
    const low = minCornerOf(box);
    const high = maxCornerOf(box);
    if (!isNonEmpty(low, high)) continue;
    v128.store(to, add(mul(low, splat(0.5)), mul(high, splat(0.5))), SampledCenter.center);
    v128.store(to, sub(high, low), SampledCenter.size);
    to += SampledCenter.SIZE;
  }
  return <u32>((to - sample) / SampledCenter.SIZE);
}

// Splits a range of the sample at its median. The split axis is the axis on which the range of the centers is
// largest relative to the sizes of the boxes, so that few boxes are cut.
function split(to: usize, first: usize, middle: usize, last: usize, minSize: v128): void {
  let low = splat(Infinity);
  let high = splat(-Infinity);
  let sizes = splat(0);
  for (let at = first; at < last; at += SampledCenter.SIZE) {
    const center = load4(at, SampledCenter.center);
    low = min4(low, center);
    high = max4(high, center);
    sizes = add(sizes, load4(at, SampledCenter.size));
  }
  const spread = f32x4.div(sub(high, low), add(sizes, minSize));
  const x = f32x4.extract_lane(spread, 0);
  const y = f32x4.extract_lane(spread, 1);
  const z = f32x4.extract_lane(spread, 2);
  const axis: u32 = x >= y && x >= z ? 0 : y >= z ? 4 : 8;
  store<u32>(to, axis, CellSplit.axis);
  if (first < last) quickselect(first, middle, last - SampledCenter.SIZE, axis);
  store<f32>(to, first < last ? load<f32>(middle + axis) : Infinity, CellSplit.start);
}

// Quickselect (Hoare): moves elements so that, on this axis, every element before `middle` is at most the
// element at `middle`, and every element after `middle` is at least as large.
function quickselect(first: usize, middle: usize, last: usize, axis: usize): void {
  while (first < last) {
    const pivot = load<f32>(middle + axis);
    let i = first;
    let k = last;
    do {
      while (load<f32>(i + axis) < pivot) i += SampledCenter.SIZE;
      while (pivot < load<f32>(k + axis)) k -= SampledCenter.SIZE;
      if (i <= k) {
        swap(i, k);
        i += SampledCenter.SIZE;
        k -= SampledCenter.SIZE;
      }
    } while (i <= k);
    if (k < middle) first = i;
    if (middle < i) last = k;
  }
}

function swap(a: usize, b: usize): void {
  const center = load4(a);
  const size = load4(a, SampledCenter.size);
  v128.store(a, load4(b));
  v128.store(a, load4(b, SampledCenter.size), SampledCenter.size);
  v128.store(b, center);
  v128.store(b, size, SampledCenter.size);
}

// Computes a cell's bounds from the splits above it. While the splits are applied, the bounds are in the
// order x, y, z, and `scale` holds the max corner. Then the axes are permuted, and the origin and the scale
// are computed.
function boundCell(job: usize, splits: usize, node: usize, cell: usize): void {
  v128.store(cell, load4(job, CellJob.low), Cell.low);
  v128.store(cell, load4(job, CellJob.high), Cell.scale);
  for (; node > 1; node >>= 1) {
    const above = splits + (node >> 1) * CellSplit.SIZE;
    const start = load<f32>(above, CellSplit.start);
    const bound = cell + <usize>load<u32>(above, CellSplit.axis);
    if (node & 1) store<f32>(bound, max(load<f32>(bound, Cell.low), start), Cell.low);
    else store<f32>(bound, min(load<f32>(bound, Cell.scale), start), Cell.scale);
  }
  const permutation = load4(job, CellJob.permutation);
  const low = i8x16.swizzle(load4(cell, Cell.low), permutation);
  const high = i8x16.swizzle(load4(cell, Cell.scale), permutation);
  v128.store(cell, low, Cell.low);
  v128.store(cell, mul(low, splat(0.5)), Cell.origin);
  v128.store(
    cell,
    f32x4(
      scaleOf(f32x4.extract_lane(low, 0), f32x4.extract_lane(high, 0), SWEEP_CELLS),
      scaleOf(f32x4.extract_lane(low, 1), f32x4.extract_lane(high, 1), SWEEP_CELLS),
      scaleOf(f32x4.extract_lane(low, 2), f32x4.extract_lane(high, 2), SWEEP_CELLS),
      0,
    ),
    Cell.scale,
  );
}
