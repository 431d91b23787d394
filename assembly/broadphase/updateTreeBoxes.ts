// Updates the bounds and flags of moved boxes in the leaves of a tree, and marks these leaves and all nodes
// above them. Runs on one thread: begin and end are ignored.

import { BoxNode, BoxTreeJob } from '../records';
import { writeLane } from './boxNodes';

export function updateTreeBoxes(jobAt: usize, begin: u32, end: u32): void {
  const boxes: usize = load<u32>(jobAt, BoxTreeJob.boxesAt);
  const nodes: usize = load<u32>(jobAt, BoxTreeJob.nodesAt);
  const places: usize = load<u32>(jobAt, BoxTreeJob.placesAt);
  const ids: usize = load<u32>(jobAt, BoxTreeJob.movedIdsAt);
  const touched: usize = load<u32>(jobAt, BoxTreeJob.touchedAt);
  const flags = load<u32>(jobAt, BoxTreeJob.movedFlags);
  const leafCount = load<u32>(jobAt, BoxTreeJob.leafCount);
  const count: usize = load<u32>(jobAt, BoxTreeJob.movedCount);
  for (let k: usize = 0; k < count; k++) {
    const id = load<u32>(ids + (k << 2));
    const place = load<u32>(places + ((<usize>id) << 2));
    writeLane(
      nodes + <usize>(place >> 2) * BoxNode.SIZE + ((<usize>(place & 3)) << 2),
      boxes + <usize>id * 24,
      flags,
    );
    // Stop at a node that is already marked: all nodes above it are marked as well.
    let index = place >> 2;
    let first: u32 = 0;
    let levelCount = leafCount;
    while (load<u8>(touched + first + index) == 0) {
      store<u8>(touched + first + index, 1);
      if (first > 0 && levelCount == 1) break;
      first += levelCount;
      levelCount = (levelCount + 3) >> 2;
      index >>= 2;
    }
  }
}
