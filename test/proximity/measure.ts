// Computes the distances of triangle pairs, given as 18 doubles each. Calls the kernel measureTriangles
// directly, without an engine.

import { MeasureJob } from '../../dist/records/distanceLayout.js';
import { instantiateKernels } from '../../dist/runtime/instantiate.js';
import { compileAll } from '../support/kernels.js';

const memory = new WebAssembly.Memory({ initial: 1024, maximum: 1024, shared: true });
const kernels = instantiateKernels(await compileAll(), memory);
const jobAt = 64;
const scratchAt = 1024;
const pointsAt = 2 ** 20;
const verdictsAt = pointsAt + 144 * 100_000;
const distancesAt = verdictsAt + 4 * 100_000;
const nearestAt = distancesAt + 8 * 100_000;

export interface Measured {
  distances: Float64Array;
  nearest: Float64Array;
  verdicts: Uint32Array;
}

/**
 * Returns for each pair the distance, the two nearest points (six coordinates), and a verdict: APART,
 * INTERSECT, or TOO_WIDE if the kernel cannot decide whether the triangles intersect. Accepts at most 100,000
 * pairs.
 */
export function measure(points: Float64Array, sliceCount = 1): Measured {
  const count = points.length / 18;
  const job = new DataView(memory.buffer, jobAt, MeasureJob.size);
  if (count > 100_000) throw new RangeError(`${count} pairs exceed the maximum of 100,000`);
  for (const [name, value] of Object.entries({
    pairAt: 0,
    pointsAt,
    count,
    distancesAt,
    nearestAt,
    verdictsAt,
    scratchAt,
    sliceCount,
    areIntersecting: 0,
  })) {
    job.setUint32(MeasureJob.at[name as keyof typeof MeasureJob.at], value, true);
  }
  new Float64Array(memory.buffer, pointsAt, points.length).set(points);
  for (let slice = 0; slice < sliceCount; slice++) kernels.measureTriangles(jobAt, slice, slice + 1);
  return {
    distances: new Float64Array(memory.buffer, distancesAt, count).slice(),
    nearest: new Float64Array(memory.buffer, nearestAt, 6 * count).slice(),
    verdicts: new Uint32Array(memory.buffer, verdictsAt, count).slice(),
  };
}

/**
 * Returns the max extent of a pair's six corners along x, y or z. Error bounds of distances are multiples of
 * this extent. at: index of the pair's first coordinate.
 */
export const extentOf = (points: ArrayLike<number>, at = 0): number =>
  Math.max(
    ...[0, 1, 2].map(axis => {
      const values = Array.from({ length: 6 }, (_, corner) => points[at + 3 * corner + axis]);
      return Math.max(...values) - Math.min(...values);
    }),
  );
