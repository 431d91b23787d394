// Recomputes the cells of a slab's boxes from their own bounds, if the boxes are so close together that the
// cells of all boxes hardly distinguish them.

import { SlabJob, SWEEP_CELLS, SweptBox } from '../records';
import { least, load4, most, mul, splat } from '../simd/lanes';
import { highOf, lowOf } from './boxLoad';
import { scaleOf } from './cells';
import { idOf, sweptBox, unitsOf, wholeCells } from './sweptBox';

export function refineSlab(job: usize, slab: usize, end: usize): void {
  const boxes: usize = load<u32>(job, SlabJob.boxesAt);
  const permutation = load4(job, SlabJob.permutation);
  let low = splat(Infinity);
  let high = splat(-Infinity);
  for (let at = slab; at < end; at += SweptBox.SIZE) {
    const box = boxes + <usize>idOf(at) * 24;
    low = least(low, i8x16.swizzle(lowOf(box), permutation));
    high = most(high, i8x16.swizzle(highOf(box), permutation));
  }
  const origin = mul(low, splat(0.5));
  const scale = f32x4(
    scaleOf(f32x4.extract_lane(low, 0), f32x4.extract_lane(high, 0), SWEEP_CELLS),
    scaleOf(f32x4.extract_lane(low, 1), f32x4.extract_lane(high, 1), SWEEP_CELLS),
    scaleOf(f32x4.extract_lane(low, 2), f32x4.extract_lane(high, 2), SWEEP_CELLS),
    0,
  );
  for (let at = slab; at < end; at += SweptBox.SIZE) {
    const box = boxes + <usize>idOf(at) * 24;
    const from = unitsOf(i8x16.swizzle(lowOf(box), permutation), origin, scale);
    const to = unitsOf(i8x16.swizzle(highOf(box), permutation), origin, scale);
    v128.store(at, sweptBox(wholeCells(from), wholeCells(to), load<u32>(at, SweptBox.tag)));
  }
}
