// For each slice of the sorted octants, finds the first octant of a moved box. Also computes an upper bound of
// the keys of all octants that lie inside an octant of a moved box of this slice.
import { NOTHING, OctantCounts, OctreeJob } from '../../records';
import { maxKeyWithin, octantFrom } from '../octree/octants';

export function findMovedOctants(jobAt: usize, begin: u32, end: u32): void {
  const keys: usize = load<u32>(jobAt, OctreeJob.keysAt);
  const ids: usize = load<u32>(jobAt, OctreeJob.idsAt);
  const moved: usize = load<u32>(jobAt, OctreeJob.movedAt);
  for (let slice = begin; slice < end; slice++) {
    let firstMoved = NOTHING;
    let movedEnd: u32 = 0;
    const last = octantFrom(jobAt, <u64>slice + 1);
    for (let i = octantFrom(jobAt, slice); i < last; i++) {
      if (load<u8>(moved + <usize>load<u32>(ids + ((<usize>i) << 2))) == 0) continue;
      firstMoved = min(firstMoved, i);
      movedEnd = max(movedEnd, maxKeyWithin(load<u32>(keys + ((<usize>i) << 2))));
    }
    const counts = <usize>load<u32>(jobAt, OctreeJob.countsAt) + <usize>slice * OctantCounts.SIZE;
    store<u32>(counts, firstMoved, OctantCounts.firstMoved);
    store<u32>(counts, movedEnd, OctantCounts.movedEnd);
  }
}
