// Refits one level of a tree of boxes from the level below: each lane of a node gets the hull of its child
// and the flags that all boxes below the child share. If the job has marks at `touchedAt`, only marked nodes
// are refitted.

import { BoxNode, BoxTreeJob, NOTHING } from '../records';
import {
  flagsOfNode,
  maxCornerOfNode,
  minCornerOfNode,
  sizeOfLane,
  writeEmptyLane,
  writeLaneBounds,
} from './boxNodes';
import { sliceStart } from './boxSlices';

/**
 * Slice i writes hulls, and adds their sizes to growths[i]. If the job has marks, the slice also
 * subtracts the former sizes of these hulls, so growths[i] increases by the growth of the hulls.
 */
export function refitBoxNodes(jobAt: usize, begin: u32, end: u32): void {
  const nodes: usize = load<u32>(jobAt, BoxTreeJob.nodesAt);
  const touched: usize = load<u32>(jobAt, BoxTreeJob.touchedAt);
  const growths: usize = load<u32>(jobAt, BoxTreeJob.growthsAt);
  const levelFirst = load<u32>(jobAt, BoxTreeJob.levelFirst);
  const levelCount = load<u32>(jobAt, BoxTreeJob.levelCount);
  const sliceCount = load<u32>(jobAt, BoxTreeJob.sliceCount);
  const belowFirst = load<u32>(jobAt, BoxTreeJob.belowFirst);
  const belowCount = load<u32>(jobAt, BoxTreeJob.belowCount);
  for (let slice = begin; slice < end; slice++) {
    let growth: f64 = 0;
    const last = sliceStart(0, levelCount, sliceCount, <u64>slice + 1);
    for (let i = sliceStart(0, levelCount, sliceCount, slice); i < last; i++) {
      const hasMarks = touched != 0;
      if (hasMarks && load<u8>(touched + levelFirst + i) == 0) continue;
      const node = nodes + <usize>(levelFirst + i) * BoxNode.SIZE;
      for (let k: u32 = 0; k < 4; k++) {
        const below: u32 = 4 * i + k;
        const lane = node + ((<usize>k) << 2);
        if (hasMarks) growth -= sizeOfLane(lane);
        if (below < belowCount) {
          const child = nodes + <usize>(belowFirst + below) * BoxNode.SIZE;
          store<u32>(lane, belowFirst + below, BoxNode.id);
          writeLaneBounds(lane, minCornerOfNode(child), maxCornerOfNode(child), flagsOfNode(child));
        } else {
          store<u32>(lane, NOTHING, BoxNode.id);
          writeEmptyLane(lane);
        }
        growth += sizeOfLane(lane);
      }
    }
    const at = growths + ((<usize>slice) << 3);
    store<f64>(at, load<f64>(at) + growth);
  }
}
