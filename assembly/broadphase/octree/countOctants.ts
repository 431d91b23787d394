// First step of listing the octants (octree cells) that boxes overlap: computes the octants of each box, and
// counts the octants of each slice's boxes (Lucchesi, section 3.4, steps 1 and 2). An incremental update
// recomputes only the octants of boxes that have moved, and marks the boxes whose octants have changed.
import { OctantCounts, OctreeJob } from '../../records';
import { octantCountOf, octantsOf, sliceFrom } from './octants';

export function countOctants(jobAt: usize, begin: u32, end: u32): void {
  const boxes: usize = load<u32>(jobAt, OctreeJob.boxesAt);
  const octants: usize = load<u32>(jobAt, OctreeJob.octantsAt);
  const moved: usize = load<u32>(jobAt, OctreeJob.movedAt);
  const changed: usize = load<u32>(jobAt, OctreeJob.changedAt);
  for (let slice = begin; slice < end; slice++) {
    let now: u32 = 0;
    let before: u32 = 0;
    let all: u32 = 0;
    const last = <usize>sliceFrom(jobAt, <u64>slice + 1);
    for (let id = <usize>sliceFrom(jobAt, slice); id < last; id++) {
      const at = octants + (id << 3);
      const old = moved == 0 ? 0 : load<u64>(at);
      const own = moved == 0 || load<u8>(moved + id) != 0 ? octantsOf(jobAt, boxes + id * 24) : old;
      const count = octantCountOf(own);
      all += count;
      if (moved != 0) store<u8>(changed + id, u8(own != old));
      if (own == old && moved != 0) continue;
      store<u64>(at, own);
      now += count;
      before += octantCountOf(old);
    }
    const counts = <usize>load<u32>(jobAt, OctreeJob.countsAt) + <usize>slice * OctantCounts.SIZE;
    store<u32>(counts, now, OctantCounts.now);
    store<u32>(counts, before, OctantCounts.before);
    store<u32>(counts, all, OctantCounts.all);
  }
}
