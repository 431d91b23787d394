// First half of a radix sort pass: counts, in each slice of the keys, how often each value of the current
// digit occurs. The second half, `moveDigits`, divides the keys into the same slices.
import { DIGIT_BUCKETS, DigitJob } from '../records';

export function countDigits(jobAt: usize, begin: u32, end: u32): void {
  const keys: usize = load<u32>(jobAt, DigitJob.keysAt);
  const shift = load<u32>(jobAt, DigitJob.shift);
  const mask: u32 = (1 << load<u32>(jobAt, DigitJob.digitBits)) - 1;
  const count: u64 = load<u32>(jobAt, DigitJob.count);
  const sliceCount: u64 = load<u32>(jobAt, DigitJob.sliceCount);
  for (let slice: u64 = begin; slice < end; slice++) {
    const histogram = <usize>load<u32>(jobAt, DigitJob.histogramsAt) + <usize>slice * DIGIT_BUCKETS * 4;
    memory.fill(histogram, 0, (<usize>(mask + 1)) << 2);
    const last = keys + <usize>(((slice + 1) * count) / sliceCount) * 4;
    for (let at = keys + <usize>((slice * count) / sliceCount) * 4; at < last; at += 4) {
      const bucket = histogram + <usize>(((load<u32>(at) >> shift) & mask) << 2);
      store<u32>(bucket, load<u32>(bucket) + 1);
    }
  }
}
