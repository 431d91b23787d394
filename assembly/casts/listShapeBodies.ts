// Finds the bodies of a scene whose boxes meet the box of a moving shape. Skips bodies without triangles, and
// bodies whose group and mask exclude the shape.

import { BodyRecord, HAS_TRIANGLES, ShapeBodiesJob } from '../records';

/** Runs on one thread; `begin` and `end` are ignored. Writes the slots of the bodies in ascending order. */
export function listShapeBodies(jobAt: usize, begin: u32, end: u32): void {
  const count = load<u32>(jobAt, ShapeBodiesJob.slotCount);
  const group = load<u32>(jobAt, ShapeBodiesJob.group);
  const mask = load<u32>(jobAt, ShapeBodiesJob.mask);
  const lowX = load<f64>(jobAt, ShapeBodiesJob.box);
  const lowY = load<f64>(jobAt, ShapeBodiesJob.box + 8);
  const lowZ = load<f64>(jobAt, ShapeBodiesJob.box + 16);
  const highX = load<f64>(jobAt, ShapeBodiesJob.box + 24);
  const highY = load<f64>(jobAt, ShapeBodiesJob.box + 32);
  const highZ = load<f64>(jobAt, ShapeBodiesJob.box + 40);
  const slots: usize = load<u32>(jobAt, ShapeBodiesJob.slotsAt);
  let record: usize = load<u32>(jobAt, ShapeBodiesJob.recordsAt);
  let box: usize = load<u32>(jobAt, ShapeBodiesJob.boxesAt);
  let chosen: usize = 0;
  for (let slot: u32 = 0; slot < count; slot++, record += BodyRecord.SIZE, box += 24) {
    if (
      <f64>load<f32>(box) <= highX &&
      <f64>load<f32>(box, 4) <= highY &&
      <f64>load<f32>(box, 8) <= highZ &&
      <f64>load<f32>(box, 12) >= lowX &&
      <f64>load<f32>(box, 16) >= lowY &&
      <f64>load<f32>(box, 20) >= lowZ &&
      load<u32>(record, BodyRecord.presence) == HAS_TRIANGLES &&
      (load<u32>(record, BodyRecord.group) & mask) != 0 &&
      (load<u32>(record, BodyRecord.mask) & group) != 0
    ) {
      store<u32>(slots + (chosen << 2), slot);
      chosen++;
    }
  }
  store<u32>(jobAt, <u32>chosen, ShapeBodiesJob.chosenCount);
}
