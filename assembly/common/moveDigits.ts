// Second half of a stable radix sort pass: moves keys and values to their places in the order of one digit.
// The first half, `countDigits`, has counted the digits of each slice. For each value of the digit, a slice
// adds up the counts of all records that come before its own records in the output. Then it moves its own
// records.
import { DIGIT_BUCKETS, DigitJob } from '../records';

// For each digit, writes to `places` the output index of this slice's first record with that digit.
function sumBefore(jobAt: usize, slice: u32, places: usize): void {
  const histograms: usize = load<u32>(jobAt, DigitJob.histogramsAt);
  const sliceCount = load<u32>(jobAt, DigitJob.sliceCount);
  const digitCount = (<usize>1) << load<u32>(jobAt, DigitJob.digitBits);
  let sum: u32 = 0;
  for (let digit: usize = 0; digit < digitCount; digit++) {
    let own = sum;
    for (let other: u32 = 0; other < sliceCount; other++) {
      const count = load<u32>(histograms + (<usize>other * DIGIT_BUCKETS + digit) * 4);
      if (other < slice) own += count;
      sum += count;
    }
    store<u32>(places + digit * 4, own);
  }
}

export function moveDigits(jobAt: usize, begin: u32, end: u32): void {
  const keys: usize = load<u32>(jobAt, DigitJob.keysAt);
  const values: usize = load<u32>(jobAt, DigitJob.valuesAt);
  const keysTo: usize = load<u32>(jobAt, DigitJob.keysToAt);
  const valuesTo: usize = load<u32>(jobAt, DigitJob.valuesToAt);
  const count: u64 = load<u32>(jobAt, DigitJob.count);
  const sliceCount: u64 = load<u32>(jobAt, DigitJob.sliceCount);
  const shift = load<u32>(jobAt, DigitJob.shift);
  const mask: u32 = (1 << load<u32>(jobAt, DigitJob.digitBits)) - 1;
  for (let slice: u64 = begin; slice < end; slice++) {
    const places = <usize>load<u32>(jobAt, DigitJob.placesAt) + <usize>slice * DIGIT_BUCKETS * 4;
    sumBefore(jobAt, <u32>slice, places);
    const last = <usize>(((slice + 1) * count) / sliceCount) * 4;
    for (let at = <usize>((slice * count) / sliceCount) * 4; at < last; at += 4) {
      const key = load<u32>(keys + at);
      const bucket = places + <usize>(((key >> shift) & mask) << 2);
      const to = <usize>load<u32>(bucket);
      store<u32>(bucket, <u32>to + 1);
      store<u32>(keysTo + (to << 2), key);
      store<u32>(valuesTo + (to << 2), load<u32>(values + at));
    }
  }
}
