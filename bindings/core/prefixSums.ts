// Converts the counts of each slice in each bucket to offsets (prefix sums). Entries are ordered by bucket,
// then by slice.

/**
 * Replaces counts by offsets. counts: word index of slice 0, bucket 0; the slices are `stride` words apart.
 * Also writes the offset of each bucket, and then the end of the last one, from word `bucketsAt` on. Returns
 * the sum of all counts, and the size of the largest bucket.
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
