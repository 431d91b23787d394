// Times of two sizes of a question on the CPU and on the GPU -> the size from which on the GPU is quicker.

/** Milliseconds that a question of this size took. */
export interface Timed {
  size: number;
  cpu: number;
  gpu: number;
}

/**
 * Both are taken to cost a fixed time and as much again for each unit. @returns Infinity where the CPU stays
 * quicker
 */
export function crossoverOf(small: Timed, large: Timed): number {
  const steps = large.size - small.size;
  const cpuSlope = (large.cpu - small.cpu) / steps;
  const gpuSlope = (large.gpu - small.gpu) / steps;
  const lead = small.gpu - small.cpu;
  if (lead <= 0 && large.gpu <= large.cpu) return 0;
  if (!(cpuSlope > gpuSlope)) return Infinity;
  return Math.max(0, Math.ceil(small.size + lead / (cpuSlope - gpuSlope)));
}
