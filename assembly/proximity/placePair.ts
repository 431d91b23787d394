// Transforms triangles of the two meshes of a PairRecord to the common frame. A triangle is given by its
// index. The output is 9 doubles per triangle: the coordinates of its corners.
import { placeTriangle } from '../exact/place';
import { PairRecord } from '../records';

/** Places a triangle of the record's first mesh. */
export function placeFirst(pair: usize, triangle: u32, out: usize): void {
  placeTriangle(
    load<u32>(pair, PairRecord.meshA),
    triangle,
    load<u32>(pair, PairRecord.placedA) ? pair + PairRecord.placementA : 0,
    out,
  );
}

/** Places a triangle of the record's second mesh. */
export function placeSecond(pair: usize, triangle: u32, out: usize): void {
  placeTriangle(
    load<u32>(pair, PairRecord.meshB),
    triangle,
    load<u32>(pair, PairRecord.placedB) ? pair + PairRecord.placementB : 0,
    out,
  );
}

/** Places triangle `first` of the first mesh and triangle `second` of the second mesh: 18 doubles. */
export function placePair(pair: usize, first: u32, second: u32, out: usize): void {
  placeFirst(pair, first, out);
  placeSecond(pair, second, out + 72);
}
