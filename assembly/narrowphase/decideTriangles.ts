// Decides exactly whether pairs of triangles intersect. The coordinates of the corners are doubles. The
// result is one verdict (u32) per pair: APART, INTERSECT or TOO_WIDE, as in exact/trianglesIntersect.ts.
import { trianglesIntersect } from '../exact/trianglesIntersect';
import { DecideJob, EXACT_SCRATCH_BYTES } from '../records';

// Slice i decides an equal share of the pairs in its own scratch memory, so that slices can run concurrently.
export function decideTriangles(jobAt: usize, begin: u32, end: u32): void {
  const points = <usize>load<u32>(jobAt, DecideJob.pointsAt);
  const verdicts = <usize>load<u32>(jobAt, DecideJob.verdictsAt);
  const scratchAt = <usize>load<u32>(jobAt, DecideJob.scratchAt);
  const pairCount = <u64>load<u32>(jobAt, DecideJob.pairCount);
  const sliceCount = <u64>load<u32>(jobAt, DecideJob.sliceCount);
  for (let slice = begin; slice < end; slice++) {
    const scratch = scratchAt + <usize>slice * EXACT_SCRATCH_BYTES;
    const last = <usize>(((<u64>slice + 1) * pairCount) / sliceCount);
    for (let pair = <usize>((<u64>slice * pairCount) / sliceCount); pair < last; pair++) {
      store<u32>(verdicts + (pair << 2), trianglesIntersect(points + pair * 144, scratch));
    }
  }
}
