// Sorts the keys of each run, together with their values, by a stable radix sort (least significant digit
// first). A run is a thread's list of octants (Lucchesi, section 3.4, step 3). Before the sort, one pass over
// the keys counts how often each digit has each value.
import { DIGIT_BITS, DIGIT_BUCKETS, RUN_DIGITS, RunJob } from '../records';

const TABLE_BYTES: usize = <usize>DIGIT_BUCKETS * 4;

export function sortRuns(jobAt: usize, begin: u32, end: u32): void {
  const borders: usize = load<u32>(jobAt, RunJob.bordersAt);
  for (let run: usize = begin; run < <usize>end; run++) {
    const first = (<usize>load<u32>(borders + (run << 2))) << 2;
    const bytes = ((<usize>load<u32>(borders + (run << 2), 4)) << 2) - first;
    const tables = <usize>load<u32>(jobAt, RunJob.histogramsAt) + run * <usize>RUN_DIGITS * TABLE_BYTES;
    const keys = <usize>load<u32>(jobAt, RunJob.keysAt) + first;
    const values = <usize>load<u32>(jobAt, RunJob.valuesAt) + first;
    const toKeys = <usize>load<u32>(jobAt, RunJob.toKeysAt) + first;
    const toValues = <usize>load<u32>(jobAt, RunJob.toValuesAt) + first;
    countAll(keys, bytes, tables);
    // The number of passes is odd, so the result ends up at `toKeys` and `toValues`.
    for (let digit: usize = 0; digit < <usize>RUN_DIGITS; digit++) {
      const isBack = (digit & 1) != 0;
      move(
        isBack ? toKeys : keys,
        isBack ? toValues : values,
        isBack ? keys : toKeys,
        isBack ? values : toValues,
        bytes,
        tables + digit * TABLE_BYTES,
        <u32>digit * DIGIT_BITS,
      );
    }
  }
}

function countAll(keys: usize, bytes: usize, tables: usize): void {
  memory.fill(tables, 0, <usize>RUN_DIGITS * TABLE_BYTES);
  for (let at: usize = 0; at < bytes; at += 4) {
    let key = load<u32>(keys + at);
    for (let digit: usize = 0; digit < <usize>RUN_DIGITS; digit++, key >>= DIGIT_BITS) {
      const bucket = tables + digit * TABLE_BYTES + ((<usize>(key & (DIGIT_BUCKETS - 1))) << 2);
      store<u32>(bucket, load<u32>(bucket) + 4);
    }
  }
}

function move(
  keys: usize,
  values: usize,
  toKeys: usize,
  toValues: usize,
  bytes: usize,
  table: usize,
  shift: u32,
): void {
  let sum: u32 = 0;
  for (let bucket = table; bucket < table + TABLE_BYTES; bucket += 4) {
    const count = load<u32>(bucket);
    store<u32>(bucket, sum);
    sum += count;
  }
  for (let at: usize = 0; at < bytes; at += 4) {
    const key = load<u32>(keys + at);
    const bucket = table + ((<usize>((key >> shift) & (DIGIT_BUCKETS - 1))) << 2);
    const to = <usize>load<u32>(bucket);
    store<u32>(bucket, <u32>to + 4);
    store<u32>(toKeys + to, key);
    store<u32>(toValues + to, load<u32>(values + at));
  }
}
