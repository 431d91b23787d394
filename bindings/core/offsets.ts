// Counts of each slice in each bucket -> where each slice's records of each bucket go: bucket by bucket,
// slices in order.

/**
 * counts: the word of slice 0, bucket 0; a slice's words are `stride` apart from the next one's. They become
 * offsets; those of the buckets, and their end, go to `bucketsAt` on. @returns all records, and those of the
 * largest bucket.
 */
export function sumCounts(
  u32: Uint32Array,
  counts: number,
  sliceCount: number,
  stride: number,
  bucketCount: number,
  bucketsAt: number,
): { sum: number; most: number } {
  let sum = 0;
  let most = 0;
  for (let bucket = 0; bucket < bucketCount; bucket++) {
    u32[bucketsAt + bucket] = sum;
    for (let slice = 0, at = counts + bucket; slice < sliceCount; slice++, at += stride) {
      const held = u32[at];
      u32[at] = sum;
      sum += held;
    }
    most = Math.max(most, sum - u32[bucketsAt + bucket]);
  }
  u32[bucketsAt + bucketCount] = sum;
  return { sum, most };
}
