// Converts counts to offsets (prefix sums). Each slice of the data has one count per bucket: the number of
// entries that this slice stores in the bucket. The offsets order the entries by bucket, then by slice.

/**
 * Replaces each count by the offset of the first entry of its slice and bucket. counts: word index of the
 * count of slice 0 and bucket 0; the counts of the next slice begin `stride` words later. Also writes the
 * offsets of the buckets, starting at word `bucketsAt`, followed by the end of the last bucket. Returns the
 * sum of all counts, and the size of the largest bucket.
 */
export function prefixSums(
  u32: Uint32Array,
  counts: number,
  sliceCount: number,
  stride: number,
  bucketCount: number,
  bucketsAt: number,
): { sum: number; maxCount: number } {
  let sum = 0;
  let maxCount = 0;
  for (let bucket = 0; bucket < bucketCount; bucket++) {
    u32[bucketsAt + bucket] = sum;
    for (let slice = 0, at = counts + bucket; slice < sliceCount; slice++, at += stride) {
      const count = u32[at];
      u32[at] = sum;
      sum += count;
    }
    maxCount = Math.max(maxCount, sum - u32[bucketsAt + bucket]);
  }
  u32[bucketsAt + bucketCount] = sum;
  return { sum, maxCount };
}
