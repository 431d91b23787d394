// Faces in motion -> their boxes over all of it.
import { BoundSweptJob, OWN_BIT, SweptMesh } from '../layout';
import { boundThree, SWEPT_POINT } from '../sweptPoints';

/** Bytes of a face, and of a box. */
const FACE: usize = 24, BOX: usize = 24;

export function boundSwept(jobAt: usize, begin: u32, end: u32): void {
  const swept: usize = load<u32>(jobAt, BoundSweptJob.sweptAt), count: u64 = load<u32>(swept, SweptMesh.faceCount), sliceCount: u64 = load<u32>(jobAt, BoundSweptJob.sliceCount);
  const points: usize = load<u32>(swept, SweptMesh.pointsAt), faces: usize = load<u32>(swept, SweptMesh.facesAt), boxes: usize = load<u32>(swept, SweptMesh.boxesAt);
  const margin = load<f64>(jobAt, BoundSweptJob.margin), last = <usize>(<u64>end * count / sliceCount);
  for (let i = <usize>(<u64>begin * count / sliceCount); i < last; i++) {
    const face = faces + i * FACE, box = boxes + i * BOX;
    boundThree(pointOf(points, load<u32>(face)), pointOf(points, load<u32>(face, 4)), pointOf(points, load<u32>(face, 8)), margin, box);
  }
}

// @ts-ignore: decorator
@inline function pointOf(points: usize, vertex: u32): usize { return points + <usize>(vertex & ~OWN_BIT) * SWEPT_POINT; }
