// Lists the indices of the pairs with a moved box, in ascending order. The output array has one word per
// pair. Each slice of the pairs writes its list to its own range of this array, which begins at the word of
// the slice's first pair.

import { MovedPairsJob } from '../../records';
import { sliceStart } from '../boxSlices';

export function listMovedPairs(jobAt: usize, begin: u32, end: u32): void {
  const listA: usize = load<u32>(jobAt, MovedPairsJob.aAt);
  const listB: usize = load<u32>(jobAt, MovedPairsJob.bAt);
  const moved: usize = load<u32>(jobAt, MovedPairsJob.movedAt);
  const count = load<u32>(jobAt, MovedPairsJob.count);
  const sliceCount = load<u32>(jobAt, MovedPairsJob.sliceCount);
  for (let slice = begin; slice < end; slice++) {
    const last: usize = sliceStart(0, count, sliceCount, slice + 1);
    let index: usize = sliceStart(0, count, sliceCount, slice);
    const from = <usize>load<u32>(jobAt, MovedPairsJob.placesAt) + (index << 2);
    let to = from;
    // To avoid a branch, each index is written, but the end of the list advances only if a box of the pair
    // has moved.
    for (; index < last; index++) {
      store<u32>(to, <u32>index);
      const a: usize = load<u32>(listA + (index << 2));
      const b: usize = load<u32>(listB + (index << 2));
      to += (<usize>(load<u8>(moved + a) | load<u8>(moved + b))) << 2;
    }
    store<u32>(
      <usize>load<u32>(jobAt, MovedPairsJob.countsAt) + ((<usize>slice) << 2),
      <u32>((to - from) >> 2),
    );
  }
}
