// Second step of listing the octants (octree cells) that boxes overlap: writes the sort key and the box
// number of each octant. (The first step is countOctants.) If the job has an array of marks at `changedAt`,
// writes only the octants of the marked boxes.
import { OctantCounts, OctreeJob } from '../../records';
import { keyOf, levelsUpOf, secondCellAxesOf, sliceFrom } from './octants';

export function writeOctants(jobAt: usize, begin: u32, end: u32): void {
  const octants: usize = load<u32>(jobAt, OctreeJob.octantsAt);
  const changed: usize = load<u32>(jobAt, OctreeJob.changedAt);
  const keys: usize = load<u32>(jobAt, OctreeJob.toKeysAt);
  const ids: usize = load<u32>(jobAt, OctreeJob.toIdsAt);
  for (let slice = begin; slice < end; slice++) {
    const counts = <usize>load<u32>(jobAt, OctreeJob.countsAt) + <usize>slice * OctantCounts.SIZE;
    // After countOctants, `#sum` in octantList.ts has replaced each count by the sum of the counts of all
    // earlier slices. This sum is the index of the slice's first octant.
    let top =
      (<usize>(changed == 0 ? load<u32>(counts, OctantCounts.all) : load<u32>(counts, OctantCounts.now))) <<
      2;
    const last = sliceFrom(jobAt, <u64>slice + 1);
    for (let id = sliceFrom(jobAt, slice); id < last; id++) {
      if (changed != 0 && load<u8>(changed + <usize>id) == 0) continue;
      const own = load<u64>(octants + ((<usize>id) << 3));
      if (own == 0) continue;
      const cells = <u32>own;
      const x = cells & 1023;
      const y = (cells >> 10) & 1023;
      const z = cells >> 20;
      const up = levelsUpOf(own);
      const more = secondCellAxesOf(own);
      // One octant for each subset of the axes on which the box reaches a second cell.
      for (let corner: u32 = 0; corner <= more; corner++) {
        if ((corner & ~more) != 0) continue;
        store<u32>(keys + top, keyOf(x + (corner & 1), y + ((corner >> 1) & 1), z + (corner >> 2), up));
        store<u32>(ids + top, id);
        top += 4;
      }
    }
  }
}
