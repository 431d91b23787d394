// Copies the boxes with the given ids. Runs on one thread: the slice is ignored.

import { GatherBoxesJob } from '../../records';
import { copyBox } from '../boxLoad';

export function gatherBoxes(jobAt: usize, begin: u32, end: u32): void {
  const boxes: usize = load<u32>(jobAt, GatherBoxesJob.boxesAt);
  const ids: usize = load<u32>(jobAt, GatherBoxesJob.idsAt);
  const to: usize = load<u32>(jobAt, GatherBoxesJob.toBoxesAt);
  const count: usize = load<u32>(jobAt, GatherBoxesJob.count);
  for (let k: usize = 0; k < count; k++) copyBox(boxes + <usize>load<u32>(ids + (k << 2)) * 24, to + k * 24);
}
