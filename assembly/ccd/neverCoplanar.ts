// Non-penetration filter for four pairs of moving features (Tang, Manocha and Tong 2010): returns a bit for
// each pair whose four points are provably never coplanar during the step, so that the features cannot touch.

import { difference, dot } from '../narrowphase/filterTriTri';
import { add, and, gt, load4, lt, maskBits, mul, neg, or, splat } from '../simd/lanes';
import { DIFFERENCE_BYTES, DIFFERENCES } from './computeDifferences';
import { areRepresentable, productOfMaxima } from './separatingDirections';

const HALF_ULP: f32 = 5.9604644775390625e-8;
// Error of a sum of up to three volumes first . (second x third), relative to the product of the largest
// coordinates. Each of the six products of a volume has an error of 11 half ulps: three for the differences;
// a product, a difference and a sum for the cross product; a product and two sums for the dot product; one
// for the last sum and one in reserve. So three volumes have an error of at most 198 half ulps. 256 half ulps
// cover this error and the rounding of the bound itself.
const VOLUME_ERROR: f32 = 256 * HALF_ULP;
/** Far larger than the underflow of volumes. */
const UNDERFLOW: f32 = 8.271806125530277e-25;

// The components of a x b.
function crossX(a: usize, b: usize): v128 {
  return difference(load4(a, 16), load4(b, 32), load4(a, 32), load4(b, 16));
}
function crossY(a: usize, b: usize): v128 {
  return difference(load4(a, 32), load4(b), load4(a), load4(b, 32));
}
function crossZ(a: usize, b: usize): v128 {
  return difference(load4(a), load4(b, 16), load4(a, 16), load4(b));
}
function along(point: usize, x: v128, y: v128, z: v128): v128 {
  return dot(load4(point), load4(point, 16), load4(point, 32), x, y, z);
}

/**
 * Returns a bit for each pair whose points are provably never coplanar. The signed volume that the first three
 * differences span is cubic in time. If all its Bernstein coefficients have the same sign, the volume keeps
 * this sign. differences: the output of `computeDifferences`. Requires `prepareDirections`.
 */
export function neverCoplanar(differences: usize): i32 {
  const start = differences;
  const end = differences + DIFFERENCES / 2;
  const second: usize = DIFFERENCE_BYTES;
  const third: usize = 2 * DIFFERENCE_BYTES;
  const earlyX = crossX(start + second, start + third);
  const earlyY = crossY(start + second, start + third);
  const earlyZ = crossZ(start + second, start + third);
  const lateX = crossX(end + second, end + third);
  const lateY = crossY(end + second, end + third);
  const lateZ = crossZ(end + second, end + third);
  const middleX = add(crossX(start + second, end + third), crossX(end + second, start + third));
  const middleY = add(crossY(start + second, end + third), crossY(end + second, start + third));
  const middleZ = add(crossZ(start + second, end + third), crossZ(end + second, start + third));
  const first = along(start, earlyX, earlyY, earlyZ);
  const last = along(end, lateX, lateY, lateZ);
  // next, after: the two inner coefficients times 3. The factor does not change their signs.
  const next = add(along(end, earlyX, earlyY, earlyZ), along(start, middleX, middleY, middleZ));
  const after = add(along(end, middleX, middleY, middleZ), along(start, lateX, lateY, lateZ));
  const limit = add(mul(splat(VOLUME_ERROR), productOfMaxima(differences)), splat(UNDERFLOW));
  const below = neg(limit);
  const arePositive = and(and(gt(first, limit), gt(next, limit)), and(gt(after, limit), gt(last, limit)));
  const areNegative = and(and(lt(first, below), lt(next, below)), and(lt(after, below), lt(last, below)));
  return maskBits(and(areRepresentable(differences), or(arePositive, areNegative)));
}
