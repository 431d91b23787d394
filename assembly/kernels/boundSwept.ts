// Faces in motion -> their boxes over all of it; those that miss a region are empty, and overlap nothing.
import { load4 } from '../lanes';
import { BoundSweptJob, OWN_BIT, SweptMesh } from '../layout';
import { boundThree, SWEPT_POINT } from '../sweptPoints';

/** Bytes of a face, and of a box. */
const FACE: usize = 24, BOX: usize = 24;

export function boundSwept(jobAt: usize, begin: u32, end: u32): void {
  const swept: usize = load<u32>(jobAt, BoundSweptJob.sweptAt), count: u64 = load<u32>(swept, SweptMesh.faceCount), sliceCount: u64 = load<u32>(jobAt, BoundSweptJob.sliceCount);
  const points: usize = load<u32>(swept, SweptMesh.pointsAt), faces: usize = load<u32>(swept, SweptMesh.facesAt), boxes: usize = load<u32>(swept, SweptMesh.boxesAt);
  const margin = load<f64>(jobAt, BoundSweptJob.margin), last = <usize>(<u64>end * count / sliceCount);
  const low = load4(jobAt, BoundSweptJob.low), high = load4(jobAt, BoundSweptJob.high);
  for (let i = <usize>(<u64>begin * count / sliceCount); i < last; i++) {
    const face = faces + i * FACE, box = boxes + i * BOX;
    boundThree(pointOf(points, load<u32>(face)), pointOf(points, load<u32>(face, 4)), pointOf(points, load<u32>(face, 8)), margin, box);
    const apart = v128.or(f32x4.gt(load4(box), high), f32x4.gt(low, load4(box, 12)));
    if ((i32x4.bitmask(apart) & 7) != 0) putEmpty(box);
  }
}

// @ts-ignore: decorator
@inline function pointOf(points: usize, vertex: u32): usize { return points + <usize>(vertex & ~OWN_BIT) * SWEPT_POINT; }

function putEmpty(box: usize): void {
  for (let axis: usize = 0; axis < 12; axis += 4) {
    store<f32>(box + axis, 1);
    store<f32>(box + axis, -1, 12);
  }
}
