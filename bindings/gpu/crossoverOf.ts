// Computes from which size of a query the GPU is faster than the CPU, from the times of a small and a large
// query.

/** Milliseconds that a query of this size took on either device. */
export interface TimedQuery {
  size: number;
  cpu: number;
  gpu: number;
}

/**
 * Models the time of each device as a fixed cost plus a cost per unit of size. @returns the size from which
 * the GPU is faster; Infinity if it never is
 */
export function crossoverOf(small: TimedQuery, large: TimedQuery): number {
  const steps = large.size - small.size;
  const cpuSlope = (large.cpu - small.cpu) / steps;
  const gpuSlope = (large.gpu - small.gpu) / steps;
  const lead = small.gpu - small.cpu;
  if (lead <= 0 && large.gpu <= large.cpu) return 0;
  if (!(cpuSlope > gpuSlope)) return Infinity;
  return Math.max(0, Math.ceil(small.size + lead / (cpuSlope - gpuSlope)));
}
