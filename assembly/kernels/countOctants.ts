// Boxes -> how many octants each slice's reach. First half of listing them (Lucchesi s3.4, steps 1 and 2).
import { OctreeJob } from '../layout';
import { cellsOf, isThere, rise, second, sliceFrom } from '../octants';

export function countOctants(jobAt: usize, begin: u32, end: u32): void {
  const boxes: usize = load<u32>(jobAt, OctreeJob.boxesAt);
  for (let slice = begin; slice < end; slice++) {
    let count: u32 = 0;
    const last = boxes + <usize>sliceFrom(jobAt, <u64>slice + 1) * 24;
    for (let box = boxes + <usize>sliceFrom(jobAt, slice) * 24; box < last; box += 24) {
      if (!isThere(box)) continue;
      const low = cellsOf(jobAt, box), high = cellsOf(jobAt, box + 12);
      count += 1 << popcnt(second(low, high, rise(low, high)));
    }
    store<u32>(<usize>load<u32>(jobAt, OctreeJob.countsAt) + (<usize>slice << 2), count);
  }
}
