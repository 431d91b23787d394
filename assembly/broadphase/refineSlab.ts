// Recomputes the bounds of a slab's boxes on a finer grid. Sweep and prune stores bounds as numbers of grid
// cells. The first grid spans all boxes, so its cells are too coarse if the boxes of a slab are close
// together. The new grid spans only the boxes of the slab.

import { SapBox, SlabJob, SWEEP_CELLS } from '../records';
import { load4, max4, min4, mul, splat } from '../simd/lanes';
import { maxCornerOf, minCornerOf } from './boxLoad';
import { scaleOf } from './cells';
import { clampedCells, idOf, makeSapBox, unitsOf } from './sapBox';

export function refineSlab(job: usize, slab: usize, end: usize): void {
  const boxes: usize = load<u32>(job, SlabJob.boxesAt);
  const permutation = load4(job, SlabJob.permutation);
  let low = splat(Infinity);
  let high = splat(-Infinity);
  for (let at = slab; at < end; at += SapBox.SIZE) {
    const box = boxes + <usize>idOf(at) * 24;
    low = min4(low, i8x16.swizzle(minCornerOf(box), permutation));
    high = max4(high, i8x16.swizzle(maxCornerOf(box), permutation));
  }
  const origin = mul(low, splat(0.5));
  const scale = f32x4(
    scaleOf(f32x4.extract_lane(low, 0), f32x4.extract_lane(high, 0), SWEEP_CELLS),
    scaleOf(f32x4.extract_lane(low, 1), f32x4.extract_lane(high, 1), SWEEP_CELLS),
    scaleOf(f32x4.extract_lane(low, 2), f32x4.extract_lane(high, 2), SWEEP_CELLS),
    0,
  );
  for (let at = slab; at < end; at += SapBox.SIZE) {
    const box = boxes + <usize>idOf(at) * 24;
    const from = unitsOf(i8x16.swizzle(minCornerOf(box), permutation), origin, scale);
    const to = unitsOf(i8x16.swizzle(maxCornerOf(box), permutation), origin, scale);
    v128.store(at, makeSapBox(clampedCells(from), clampedCells(to), load<u32>(at, SapBox.tag)));
  }
}
