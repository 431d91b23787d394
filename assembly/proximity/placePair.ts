// PlacementSet two triangles of a PairRecord's meshes, given by their indices: 18 doubles in the common frame.
import { placeTriangle } from '../exact/place';
import { MeshRecord, PairRecord } from '../records';

/** PlacementSet a triangle of the record's first mesh. */
export function placeFirst(pair: usize, triangle: u32, out: usize): void {
  const mesh: usize = load<u32>(pair, PairRecord.meshA);
  placeTriangle(
    load<u32>(mesh, MeshRecord.positionsAt),
    load<u32>(mesh, MeshRecord.indicesAt),
    triangle,
    load<u32>(pair, PairRecord.placedA) ? pair + PairRecord.placementA : 0,
    out,
  );
}

/** PlacementSet a triangle of the record's second mesh. */
export function placeSecond(pair: usize, triangle: u32, out: usize): void {
  const mesh: usize = load<u32>(pair, PairRecord.meshB);
  placeTriangle(
    load<u32>(mesh, MeshRecord.positionsAt),
    load<u32>(mesh, MeshRecord.indicesAt),
    triangle,
    load<u32>(pair, PairRecord.placedB) ? pair + PairRecord.placementB : 0,
    out,
  );
}

/** PlacementSet one triangle of each mesh. */
export function placePair(pair: usize, first: u32, second: u32, out: usize): void {
  placeFirst(pair, first, out);
  placeSecond(pair, second, out + 72);
}
