// The box of a placed body, a side at a time; and that of one that is not there.
import { BodyRecord } from './layout';

/**
 * One side of the box of the image of the mesh's box: the corner that the row's signs pick, placed by the same operations in the
 * same order as every vertex is. Rounding is monotone, so that it holds every placed vertex.
 */
// @ts-ignore: decorator
@inline export function cornerOn(row: usize, body: usize, isHigh: bool): f64 {
  return ((term(row, body, 0, 0, isHigh) + term(row, body, 8, 4, isHigh)) + term(row, body, 16, 8, isHigh)) + load<f64>(row, 24);
}

// @ts-ignore: decorator
@inline function term(row: usize, body: usize, column: usize, axis: usize, isHigh: bool): f64 {
  const factor = load<f64>(row + column);
  return factor * <f64>((factor >= 0) == isHigh ? load<f32>(body + axis, BodyRecord.high) : load<f32>(body + axis, BodyRecord.low));
}

/** A box that overlaps nothing. */
export function putEmpty(box: usize): void {
  for (let axis: usize = 0; axis < 12; axis += 4) {
    store<f32>(box + axis, 1);
    store<f32>(box + axis, -1, 12);
  }
}
