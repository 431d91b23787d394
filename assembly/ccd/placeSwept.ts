// Places the vertices of a mesh at the start and the end of its motion, as doubles in the common coordinate
// frame.
import { placeVertex } from '../exact/place';
import { PlaceSweptJob, SweptMesh } from '../records';
import { SWEPT_POINT } from './sweptPoints';

export function placeSwept(jobAt: usize, begin: u32, end: u32): void {
  const swept: usize = load<u32>(jobAt, PlaceSweptJob.sweptAt);
  const count: u64 = load<u32>(swept, SweptMesh.vertexCount);
  const sliceCount: u64 = load<u32>(jobAt, PlaceSweptJob.sliceCount);
  const points: usize = load<u32>(swept, SweptMesh.pointsAt);
  const positions: usize = load<u32>(jobAt, PlaceSweptJob.positionsAt);
  const isPlaced = load<u32>(jobAt, PlaceSweptJob.isPlaced) != 0;
  const from = isPlaced ? jobAt + PlaceSweptJob.from : 0;
  const to = isPlaced ? jobAt + PlaceSweptJob.to : 0;
  const last = <usize>((<u64>end * count) / sliceCount);
  for (let i = <usize>((<u64>begin * count) / sliceCount); i < last; i++) {
    placeVertex(positions + i * 12, from, points + i * SWEPT_POINT);
    placeVertex(positions + i * 12, to, points + i * SWEPT_POINT + SWEPT_POINT / 2);
  }
}
