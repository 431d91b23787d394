// Points that move along straight lines from a start to an end: six doubles each.
import { roundDown } from './rounding';

/** Bytes of a point: x, y, z at the start, then at the end. */
// @ts-ignore: decorator
@inline export const SWEPT_POINT: usize = 48;

/** Least of a point's coordinate over the motion; axis: 8 bytes each. */
// @ts-ignore: decorator
@inline export function leastOf(point: usize, axis: usize): f64 { return min(load<f64>(point + axis), load<f64>(point + axis, 24)); }
// @ts-ignore: decorator
@inline export function greatestOf(point: usize, axis: usize): f64 { return max(load<f64>(point + axis), load<f64>(point + axis, 24)); }

/** The box, in floats rounded outward, of three points over their motion, grown by `margin`, to six floats at `to`. */
export function boundThree(a: usize, b: usize, c: usize, margin: f64, to: usize): void {
  for (let axis: usize = 0; axis < 3; axis++) {
    const at = axis << 3;
    const low = min(min(leastOf(a, at), leastOf(b, at)), leastOf(c, at)) - margin;
    const high = max(max(greatestOf(a, at), greatestOf(b, at)), greatestOf(c, at)) + margin;
    store<f32>(to + (axis << 2), roundDown(low));
    store<f32>(to + (axis << 2), -roundDown(-high), 12);
  }
}
