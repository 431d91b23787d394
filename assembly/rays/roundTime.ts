// Computes the parameter at which a ray meets the plane of a triangle, rounded to the nearest double, by
// double-double arithmetic with an error bound.

import { HEIGHT_ERROR, heightOf, normalAlong, QUOTIENT_ERROR } from '../contact/computeDoubleDoublePoint';
import { productTail, sumTail } from '../exact/expansion';
import { areTimesWide } from './exactRay';

/**
 * Writes the rounded parameter to `out`. zero: address of a null vector. work: 120 bytes.
 * @returns false if rounding errors could have changed the result
 */
export function roundTime(ray: usize, corners: usize, zero: usize, work: usize, out: usize): bool {
  if (areTimesWide(ray, corners)) return false;
  for (let axis: usize = 0; axis < 24; axis += 8) normalAlong(corners, axis, work);
  const height = work + 72;
  const speed = work + 96;
  heightOf(corners, ray, work, height);
  heightOf(ray + 24, zero, work, speed);
  const span = load<f64>(speed) + load<f64>(speed, 8);
  const spanLow = sumTail(load<f64>(speed), load<f64>(speed, 8), span);
  const numerator = load<f64>(height) + load<f64>(height, 8);
  const numeratorLow = sumTail(load<f64>(height), load<f64>(height, 8), numerator);
  const share = numerator / span;
  const product = share * span;
  const shareLow =
    (numerator - product - productTail(share, span, product) + numeratorLow - share * spanLow) / span;
  const nearest = share + shareLow;
  const tail = sumTail(share, shareLow, nearest);
  const size = abs(nearest);
  // Outside this range, which is about 2^-900..2^900, results of the arithmetic above may be denormal.
  if (!(size > 1e-270 && size < 1e270)) return false;
  const speedError = (load<f64>(speed, 16) / abs(span)) * HEIGHT_ERROR;
  // A larger relative error of the speed might make the bound below too small.
  if (!(speedError < 1e-6)) return false;
  const bound =
    (load<f64>(height, 16) / abs(span)) * HEIGHT_ERROR + size * speedError + size * QUOTIENT_ERROR;
  store<f64>(out, nearest);
  return nearest + (tail + bound) == nearest && nearest + (tail - bound) == nearest;
}
