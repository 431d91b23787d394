// Computes the query size from which the GPU is faster than the CPU. The inputs are the times of a small query
// and of a large query on both devices.

/** A query size, and the milliseconds that a query of this size took on the CPU and on the GPU. */
export interface TimedQuery {
  size: number;
  cpu: number;
  gpu: number;
}

/**
 * Models the time of each device as a fixed cost plus a cost per unit of size. @returns the size from which
 * the GPU is faster; Infinity if there is no such size, for example if the GPU is faster only for small sizes
 */
export function crossoverOf(small: TimedQuery, large: TimedQuery): number {
  const sizeDifference = large.size - small.size;
  const cpuSlope = (large.cpu - small.cpu) / sizeDifference;
  const gpuSlope = (large.gpu - small.gpu) / sizeDifference;
  const extraTime = small.gpu - small.cpu;
  if (extraTime <= 0 && large.gpu <= large.cpu) return 0;
  if (!(cpuSlope > gpuSlope)) return Infinity;
  return Math.max(0, Math.ceil(small.size + extraTime / (cpuSlope - gpuSlope)));
}
