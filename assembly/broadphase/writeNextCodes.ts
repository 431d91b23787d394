// Writes the sort keys for the second or third pass of sorting boxes by Morton code: the next higher ten
// bits per axis, in the order in which the previous pass left the boxes.

import { BoxTreeJob } from '../records';
import { sliceStart } from './boxSlices';

export function writeNextCodes(jobAt: usize, begin: u32, end: u32): void {
  const keys: usize = load<u32>(jobAt, BoxTreeJob.keysAt);
  const ids: usize = load<u32>(jobAt, BoxTreeJob.idsAt);
  const first = load<u32>(jobAt, BoxTreeJob.first);
  const count = load<u32>(jobAt, BoxTreeJob.last) - first;
  const sliceCount = load<u32>(jobAt, BoxTreeJob.sliceCount);
  const codes =
    <usize>load<u32>(jobAt, BoxTreeJob.codesAt) + (load<u32>(jobAt, BoxTreeJob.shift) == 20 ? 4 : 0);
  for (let slice = begin; slice < end; slice++) {
    const stop = sliceStart(0, count, sliceCount, <u64>slice + 1);
    for (let i = sliceStart(0, count, sliceCount, slice); i < stop; i++) {
      const at = (<usize>i) << 2;
      store<u32>(keys + at, load<u32>(codes + ((<usize>(load<u32>(ids + at) - first)) << 3)));
    }
  }
}
