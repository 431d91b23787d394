// Boxes and where each slice's boxes of each slab go -> BoxRecords slab by slab, in the boxes' order. Second half of cutting.
import { cellOf } from '../cells';
import { BEFORE_SLAB, BoxRecord, BYSTANDER, FIRST_SET, NOTHING, SECOND_SET, SlabJob } from '../layout';
import { isBox, sliceFrom } from './countSlabs';

/** Counts have been summed up to the index of each slice's next record in each slab. */
export function moveToSlabs(jobAt: usize, begin: u32, end: u32): void {
  for (let slice = begin; slice < end; slice++) moveSlice(jobAt, slice);
}

function moveSlice(jobAt: usize, slice: u32): void {
  const boxes: usize = load<u32>(jobAt, SlabJob.boxesAt), slabCount = load<u32>(jobAt, SlabJob.slabCount);
  const axis: usize = load<u32>(jobAt, SlabJob.slabAxis), origin = load<f32>(jobAt, SlabJob.slabOrigin), scale = load<f32>(jobAt, SlabJob.slabScale);
  const x: usize = load<u32>(jobAt, SlabJob.sweepAxis), z: usize = load<u32>(jobAt, SlabJob.columnAxis);
  const records: usize = load<u32>(jobAt, SlabJob.recordsAt);
  const places = <usize>load<u32>(jobAt, SlabJob.countsAt) + <usize>slice * (slabCount + 1) * 4;
  const secondFrom = load<u32>(jobAt, SlabJob.secondFrom), bystandersFrom = load<u32>(jobAt, SlabJob.bystandersFrom);
  const last = sliceFrom(jobAt, <u64>slice + 1);
  for (let id = sliceFrom(jobAt, slice); id < last; id++) {
    const box = boxes + <usize>id * 24;
    if (!isBox(box)) continue;
    const slab = cellOf(load<f32>(box + axis), origin, scale, slabCount), lastSlab = cellOf(load<f32>(box + axis, 12), origin, scale, slabCount);
    const isBystander = id >= bystandersFrom;
    // Of two sets a bystander of the first is out of both.
    let flags = isBystander ? BYSTANDER : 0;
    if (secondFrom != NOTHING) flags = id >= secondFrom ? SECOND_SET : isBystander ? FIRST_SET | SECOND_SET : FIRST_SET;
    for (let s = slab; s <= lastSlab; s++) {
      const place = places + (<usize>s << 2);
      const index = load<u32>(place);
      store<u32>(place, index + 1);
      const to = records + <usize>index * BoxRecord.SIZE;
      store<f32>(to, load<f32>(box + x), BoxRecord.minX);
      store<f32>(to, load<f32>(box + axis), BoxRecord.minY);
      store<f32>(to, load<f32>(box + z), BoxRecord.minZ);
      store<u32>(to, id, BoxRecord.id);
      store<f32>(to, load<f32>(box + x, 12), BoxRecord.maxX);
      store<f32>(to, load<f32>(box + axis, 12), BoxRecord.maxY);
      store<f32>(to, load<f32>(box + z, 12), BoxRecord.maxZ);
      store<u32>(to, flags | (s > slab ? BEFORE_SLAB : 0), BoxRecord.flags);
    }
  }
}
