// Divides work into slices, of which each thread processes at most one.

/**
 * Returns the number of slices of some work: one per thread, but fewer if slices would have less than
 * `minPerSlice` items, and at least 1.
 * @param count Number of items of the work.
 */
export const sliceCountOf = (threadCount: number, count: number, minPerSlice: number): number =>
  Math.max(1, Math.min(threadCount, Math.floor(count / minPerSlice)));
