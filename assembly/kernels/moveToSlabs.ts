// Boxes and where each slice's boxes of each slab go -> BoxRecords slab by slab, in the boxes' order. Second half of cutting.
import { highOf, isBox, lowOf } from '../boxLoad';
import { flagsOf } from '../boxSlices';
import { cells4 } from '../cells';
import { BEFORE_SLAB, BoxRecord, SlabJob } from '../layout';
import { splatAt } from '../lanes';
import { sliceFrom } from './countSlabs';

/** Counts have been summed up to the index of each slice's next record in each slab. */
export function moveToSlabs(jobAt: usize, begin: u32, end: u32): void {
  for (let slice = begin; slice < end; slice++) moveSlice(jobAt, slice);
}

function moveSlice(jobAt: usize, slice: u32): void {
  const boxes: usize = load<u32>(jobAt, SlabJob.boxesAt), slabCount: usize = load<u32>(jobAt, SlabJob.slabCount);
  const permutation = v128.load(jobAt, SlabJob.permutation);
  const origin = splatAt(jobAt, SlabJob.slabOrigin), scale = splatAt(jobAt, SlabJob.slabScale);
  const records: usize = load<u32>(jobAt, SlabJob.recordsAt);
  const places = <usize>load<u32>(jobAt, SlabJob.countsAt) + <usize>slice * (slabCount + 1) * 4;
  const secondFrom = load<u32>(jobAt, SlabJob.secondFrom), bystandersFrom = load<u32>(jobAt, SlabJob.bystandersFrom);
  const last = sliceFrom(jobAt, <u64>slice + 1);
  for (let id = sliceFrom(jobAt, slice); id < last; id++) {
    const box = boxes + <usize>id * 24;
    if (!isBox(lowOf(box), highOf(box))) continue;
    const low = i8x16.swizzle(lowOf(box), permutation), high = i8x16.swizzle(highOf(box), permutation);
    const slab = i32x4.extract_lane(cells4(low, origin, scale), 1), lastSlab = i32x4.extract_lane(cells4(high, origin, scale), 1);
    let flags = flagsOf(id, secondFrom, bystandersFrom);
    const from = i32x4.replace_lane(low, 3, id);
    for (let s = slab; s <= lastSlab; s++, flags |= BEFORE_SLAB) {
      const place = places + (<usize>s << 2);
      const index = load<u32>(place);
      store<u32>(place, index + 1);
      const to = records + <usize>index * BoxRecord.SIZE;
      v128.store(to, from);
      v128.store(to, i32x4.replace_lane(high, 3, flags), BoxRecord.maxX);
    }
  }
}
