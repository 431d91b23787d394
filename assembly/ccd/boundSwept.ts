// Computes the bounding boxes of a mesh's moving vertices, edges or faces: over the whole time step, or only at
// its start. In the second case, the features are faces, and the kernel also writes a StartFace for each of
// them: the data of the float filter for pairs of faces.
import { BoundSweptJob, NOTHING, OWN_BIT, StartFace, SweptMesh } from '../records';
import { writeStartFace } from './startFaces';
import { BOX_BYTES, EDGE_BYTES, FACE_BYTES, pointOf } from './sweptFeatures';
import { boundStart, boundThree } from './sweptPoints';

export function boundSwept(jobAt: usize, begin: u32, end: u32): void {
  const swept: usize = load<u32>(jobAt, BoundSweptJob.sweptAt);
  const cornerCount = load<u32>(jobAt, BoundSweptJob.corners);
  const boxes: usize = load<u32>(jobAt, BoundSweptJob.boxesAt);
  const count: u64 = load<u32>(
    swept +
      (cornerCount == 1
        ? SweptMesh.vertexCount
        : cornerCount == 2
          ? SweptMesh.edgeCount
          : SweptMesh.faceCount),
  );
  const starts: usize = load<u32>(jobAt, BoundSweptJob.atStart);
  const scale = load<f64>(jobAt, BoundSweptJob.scale);
  const margin = load<f64>(jobAt, BoundSweptJob.margin);
  const sliceCount: u64 = load<u32>(jobAt, BoundSweptJob.sliceCount);
  const last = <usize>((<u64>end * count) / sliceCount);
  const edges: usize = load<u32>(swept, SweptMesh.edgesAt);
  const faces: usize = load<u32>(swept, SweptMesh.facesAt);
  const owners: usize = load<u32>(swept, SweptMesh.vertexFacesAt);
  for (let i = <usize>((<u64>begin * count) / sliceCount); i < last; i++) {
    const box = boxes + i * BOX_BYTES;
    if (cornerCount == 1) {
      const point = pointOf(swept, <u32>i);
      // A vertex that no face references gets an empty box.
      if (load<u32>(owners + (i << 2)) == NOTHING) writeEmpty(box);
      else boundThree(point, point, point, margin, box);
    } else {
      const feature = cornerCount == 2 ? edges + i * EDGE_BYTES : faces + i * FACE_BYTES;
      const second = pointOf(swept, load<u32>(feature, 4));
      const first = pointOf(swept, load<u32>(feature));
      const third = cornerCount == 2 ? second : pointOf(swept, load<u32>(feature, 8));
      if (starts != 0) {
        const start = starts + i * StartFace.SIZE;
        boundStart(first, second, third, box);
        writeStartFace(first, second, third, jobAt + BoundSweptJob.origin, scale, start);
        // Stores the vertex numbers in the unused fourth lanes.
        for (let k: usize = 0; k < 3; k++)
          store<u32>(start + (k << 4), load<u32>(feature + (k << 2)) & ~OWN_BIT, StartFace.x + 12);
      } else boundThree(first, second, third, margin, box);
    }
  }
}

function writeEmpty(box: usize): void {
  v128.store(box, f32x4(1, 1, 1, -1));
  v128.store64_lane(box, f32x4.splat(-1), 0, 16);
}
