// Runs only the kernel findSegments, without the integer code, on triangle pairs of 18 doubles each. The
// kernel finds how each pair intersects (the kind) and the points that its triangles share.

import { SegmentJob, SegmentSlice, segmentLimits } from '../../dist/records/segmentLayout.js';
import { instantiateKernels } from '../../dist/runtime/instantiate.js';
import { compileAll } from '../support/kernels.js';

export const memory = new WebAssembly.Memory({ initial: 1024, maximum: 1024, shared: true });
const kernels = instantiateKernels(await compileAll(), memory);
const jobAt = 64;
const slicesAt = 256;
const scratchAt = 1024;
const kindsAt = 2 ** 19;
const startsAt = 2 ** 20;
const cornersAt = 2 ** 21;
const pointsAt = 2 ** 25;
const maxPairs = 150_000;

/**
 * Returns, for each pair, its kind and the coordinates of its shared points. The kind is UNDECIDED if integer
 * code must decide the pair. capacity: the max number of points that the kernel writes. Points beyond it are
 * counted but not written, so the memory at their places keeps its previous content.
 */
export function findSegments(
  corners: Float64Array,
  capacity = corners.length / 3,
): { kind: number; points: number[] }[] {
  const pairCount = corners.length / 18;
  if (pairCount > maxPairs)
    throw new RangeError(`${pairCount} pairs were passed, but the maximum is ${maxPairs}; pass fewer`);
  const write = (
    at: number,
    table: { at: Record<string, number>; size: number },
    values: Record<string, number>,
  ): void => {
    const view = new DataView(memory.buffer, at, table.size);
    for (const name in table.at) view.setUint32(table.at[name], values[name] ?? 0, true);
  };
  write(jobAt, SegmentJob, {
    pairCount,
    sliceCount: 1,
    cornersAt,
    kindsAt,
    startsAt,
    pointsAt,
    slicesAt,
    scratchAt,
  });
  write(slicesAt, SegmentSlice, { first: 0, capacity });
  new Float64Array(memory.buffer, cornersAt, corners.length).set(corners);
  kernels.findSegments(jobAt, 0, 1);
  const kinds = new Uint8Array(memory.buffer, kindsAt, pairCount);
  const starts = new Uint32Array(memory.buffer, startsAt, pairCount);
  const points = new Float64Array(memory.buffer, pointsAt);
  const count = new DataView(memory.buffer, slicesAt).getUint32(SegmentSlice.at.count, true);
  return Array.from(kinds, (kind, i) => ({
    kind,
    points: Array.from(points.subarray(3 * starts[i], 3 * (starts[i + 1] ?? count))),
  }));
}

export const kindNames = [
  'nothing',
  'cross',
  'touch point',
  'touch segment',
  'coplanar same',
  'coplanar opposite',
] as const;
export const { UNDECIDED } = segmentLimits;
