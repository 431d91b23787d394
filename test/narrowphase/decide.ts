// Runs the kernel `decideTriangles` without an engine. This kernel tests triangle pairs exactly. A triangle
// pair is given by 18 doubles.

import { DecideJob } from '../../dist/records/layout.js';
import { instantiateKernels } from '../../dist/runtime/instantiate.js';
import { compileAll } from '../support/kernels.js';

export const memory = new WebAssembly.Memory({ initial: 1024, maximum: 1024, shared: true });
const kernels = instantiateKernels(await compileAll(), memory);
export const jobAt = 64,
  scratchAt = 1024,
  verdictsAt = 65536,
  pointsAt = 2 ** 20;
const maxPairs = 400_000;

/**
 * Returns one verdict per pair: APART, INTERSECT, or TOO_WIDE if a coordinate is outside the range in which
 * the kernel is exact.
 */
export function decide(points: Float64Array, sliceCount = 1): Uint32Array {
  const pairCount = points.length / 18;
  if (pairCount > maxPairs) throw new RangeError(`${pairCount} pairs exceed the maximum of ${maxPairs}`);
  const job = new DataView(memory.buffer, jobAt, DecideJob.size);
  for (const [name, value] of Object.entries({ pointsAt, pairCount, verdictsAt, scratchAt, sliceCount })) {
    job.setUint32(DecideJob.at[name as keyof typeof DecideJob.at], value, true);
  }
  new Float64Array(memory.buffer, pointsAt, points.length).set(points);
  for (let slice = 0; slice < sliceCount; slice++) kernels.decideTriangles(jobAt, slice, slice + 1);
  return new Uint32Array(memory.buffer, verdictsAt, pairCount).slice();
}
