// Fills the leaves of a tree with four boxes each, in the order of the boxes' Morton codes. If the job has an
// array `placesAt`, also stores the position of each box in the leaves: 4 * leaf + lane.

import { BoxNode, BoxTreeJob, NOTHING } from '../records';
import { writeEmptyLane, writeLane } from './boxNodes';
import { flagsOf, sliceStart } from './boxSlices';

export function packBoxes(jobAt: usize, begin: u32, end: u32): void {
  const boxes: usize = load<u32>(jobAt, BoxTreeJob.boxesAt);
  const ids: usize = load<u32>(jobAt, BoxTreeJob.idsAt);
  const nodes: usize = load<u32>(jobAt, BoxTreeJob.nodesAt);
  const places: usize = load<u32>(jobAt, BoxTreeJob.placesAt);
  const count = load<u32>(jobAt, BoxTreeJob.last) - load<u32>(jobAt, BoxTreeJob.first);
  const leafCount = load<u32>(jobAt, BoxTreeJob.leafCount);
  const sliceCount = load<u32>(jobAt, BoxTreeJob.sliceCount);
  const secondFrom = load<u32>(jobAt, BoxTreeJob.secondFrom);
  const passiveFrom = load<u32>(jobAt, BoxTreeJob.passiveFrom);
  for (let slice = begin; slice < end; slice++) {
    const last = sliceStart(0, leafCount, sliceCount, <u64>slice + 1) << 2;
    for (let place = sliceStart(0, leafCount, sliceCount, slice) << 2; place < last; place++) {
      const lane = nodes + <usize>(place >> 2) * BoxNode.SIZE + ((<usize>(place & 3)) << 2);
      const id = place < count ? load<u32>(ids + ((<usize>place) << 2)) : NOTHING;
      store<u32>(lane, id, BoxNode.id);
      if (id == NOTHING) writeEmptyLane(lane);
      else {
        writeLane(lane, boxes + <usize>id * 24, flagsOf(id, secondFrom, passiveFrom));
        if (places != 0) store<u32>(places + ((<usize>id) << 2), place);
      }
    }
  }
}
