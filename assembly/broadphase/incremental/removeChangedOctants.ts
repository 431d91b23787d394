// Removes the octants of changed boxes from the sorted octants, in place. In each slice, the octants that are
// kept move to the front.
import { OctantCounts, OctreeJob } from '../../records';
import { octantFrom } from '../octree/octants';

export function removeChangedOctants(jobAt: usize, begin: u32, end: u32): void {
  const keys: usize = load<u32>(jobAt, OctreeJob.keysAt);
  const ids: usize = load<u32>(jobAt, OctreeJob.idsAt);
  const changed: usize = load<u32>(jobAt, OctreeJob.changedAt);
  for (let slice = begin; slice < end; slice++) {
    const first = (<usize>octantFrom(jobAt, slice)) << 2;
    const last = (<usize>octantFrom(jobAt, <u64>slice + 1)) << 2;
    let top = first;
    for (let at = first; at < last; at += 4) {
      const key = load<u32>(keys + at);
      const id = load<u32>(ids + at);
      store<u32>(keys + top, key);
      store<u32>(ids + top, id);
      top += (<usize>(load<u8>(changed + <usize>id) ^ 1)) << 2;
    }
    store<u32>(
      <usize>load<u32>(jobAt, OctreeJob.countsAt) + <usize>slice * OctantCounts.SIZE,
      <u32>((top - first) >> 2),
      OctantCounts.kept,
    );
  }
}
