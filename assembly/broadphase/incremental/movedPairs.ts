// Pairs -> the places of those of which a box has moved, in order: a slice of the pairs, its places from the
// slice's first on.

import { MovedPairsJob } from '../../records';
import { sliceStart } from '../boxSlices';

export function movedPairs(jobAt: usize, begin: u32, end: u32): void {
  const listA: usize = load<u32>(jobAt, MovedPairsJob.aAt);
  const listB: usize = load<u32>(jobAt, MovedPairsJob.bAt);
  const moved: usize = load<u32>(jobAt, MovedPairsJob.movedAt);
  const count = load<u32>(jobAt, MovedPairsJob.count);
  const sliceCount = load<u32>(jobAt, MovedPairsJob.sliceCount);
  for (let slice = begin; slice < end; slice++) {
    const last: usize = sliceStart(0, count, sliceCount, slice + 1);
    let place: usize = sliceStart(0, count, sliceCount, slice);
    const from = <usize>load<u32>(jobAt, MovedPairsJob.placesAt) + (place << 2);
    let to = from;
    // Each place is written, and kept if a box has moved: no branch depends on that.
    for (; place < last; place++) {
      store<u32>(to, <u32>place);
      const a: usize = load<u32>(listA + (place << 2));
      const b: usize = load<u32>(listB + (place << 2));
      to += (<usize>(load<u8>(moved + a) | load<u8>(moved + b))) << 2;
    }
    store<u32>(
      <usize>load<u32>(jobAt, MovedPairsJob.countsAt) + ((<usize>slice) << 2),
      <u32>((to - from) >> 2),
    );
  }
}
