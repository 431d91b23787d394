// Searches for constant directions that separate pairs of moving features during the whole time step, for
// four pairs at once. A direction separates a pair if all differences of the features' points, at the start
// and at the end of the step, lie farther along it than the minimum separation. Since points move linearly,
// this is then also true at all times between.

import { difference, dot } from '../narrowphase/filterTriTri';
import { abs, add, and, gt, load4, maskBits, max4, mul, splat, sub } from '../simd/lanes';
import {
  ARE_EDGES,
  completeDifferences,
  DERIVED_OFFSET,
  DIFFERENCE_BYTES,
  DIFFERENCES,
} from './computeDifferences';

const HALF_ULP: f32 = 5.9604644775390625e-8;
// Error bound of a height (direction . difference), relative to the sum of the largest products. The
// difference, its product and two sums are rounded once each: 4 half ulps. A fourth difference is computed from
// the other three, so it can be three times as large as each of them. Its error is at most 8: 3 from the three
// differences, and 5 from the rounding of their sum. The product and the two sums add at most 9. The total of
// 17 also holds if the height of this difference is computed from the three heights. 32 exceeds 17 plus the
// rounding of the bound itself.
const HEIGHT_ERROR: f32 = 32 * HALF_ULP;
/**
 * MAX_DIFFERENCE: heights and volumes of differences up to this size fit into floats. HEIGHT_UNDERFLOW: far
 * larger than the underflow of products.
 */
const MAX_DIFFERENCE: f32 = 1073741824;
const HEIGHT_UNDERFLOW: f32 = 7.888609052210118e-31;
// 2^-126. Smaller differences have an absolute error of up to 2^-150. The bound treats them as if they were
// 2^-126, so HEIGHT_ERROR covers that error.
const MIN_DIFFERENCE: f32 = 1.1754943508222875e-38;
// 2^-126: far larger than the underflow of squares.
const SQUARE_UNDERFLOW: f32 = 1.1754943508222875e-38;
// Covers the rounding of a direction's length and of the product of this length and the separation.
const LENGTH_FACTOR: f32 = 1 + 16 * HALF_ULP;
/**
 * DIRECTIONS: the maximum number of directions to try. A new direction is the previous direction, corrected
 * by the sum of the differences whose heights do not exceed the limit. OVER_RELAXATION: a factor of 1 would
 * make the new direction perpendicular to this sum; a larger factor corrects the direction more.
 */
const DIRECTIONS: u32 = 4;
const OVER_RELAXATION: f32 = 1.3;

// Offsets of values that all tests of directions use. CENTER: the first direction to try, to the center of
// all differences. MAXIMA: the largest |x|, |y| and |z| of the first three differences, at least
// MIN_DIFFERENCE. SIDE, NEXT_SIDE: twice the vectors from the first difference to the second, and from the
// second to the third, at the middle of the step.
const CENTER: usize = DERIVED_OFFSET;
const MAXIMA: usize = DERIVED_OFFSET + DIFFERENCE_BYTES;
const SIDE: usize = DERIVED_OFFSET + 2 * DIFFERENCE_BYTES;
const NEXT_SIDE: usize = DERIVED_OFFSET + 3 * DIFFERENCE_BYTES;

/** Computes and stores the values that all tests of directions use. */
export function prepareDirections(differences: usize): void {
  const areEdges = load4(differences, ARE_EDGES);
  for (let at = differences, end = at + DIFFERENCE_BYTES; at < end; at += 16) {
    const first = v128.load(at);
    const second = v128.load(at, DIFFERENCE_BYTES);
    const third = v128.load(at, 2 * DIFFERENCE_BYTES);
    const firstEnd = v128.load(at, 4 * DIFFERENCE_BYTES);
    const secondEnd = v128.load(at, 5 * DIFFERENCE_BYTES);
    const thirdEnd = v128.load(at, 6 * DIFFERENCE_BYTES);
    const firstSum = add(first, firstEnd);
    const secondSum = add(second, secondEnd);
    const thirdSum = add(third, thirdEnd);
    // Two opposite corners of a parallelogram have the same center as all four.
    v128.store(at, add(add(firstSum, thirdSum), v128.andnot(secondSum, areEdges)), CENTER);
    v128.store(at, sub(secondSum, firstSum), SIDE);
    v128.store(at, sub(thirdSum, secondSum), NEXT_SIDE);
    v128.store(
      at,
      max4(
        max4(max4(abs(first), abs(firstEnd)), max4(abs(second), abs(secondEnd))),
        max4(max4(abs(third), abs(thirdEnd)), splat(MIN_DIFFERENCE)),
      ),
      MAXIMA,
    );
  }
}

/**
 * Tests two directions: the direction to the center of all differences, and the normal of the plane of the
 * differences at the middle of the step. Requires `prepareDirections`. Returns a bit for each separated pair.
 */
export function tryTwoDirections(differences: usize, separation: f32): i32 {
  const x = load4(differences, CENTER);
  const y = load4(differences, CENTER + 16);
  const z = load4(differences, CENTER + 32);
  const representable = areRepresentable(differences);
  const isFar = and(
    representable,
    areBeyond(differences, x, y, z, limitOf(differences, separation, x, y, z)),
  );
  const found = maskBits(isFar);
  if (found == 15) return found;
  const ux = load4(differences, SIDE);
  const uy = load4(differences, SIDE + 16);
  const uz = load4(differences, SIDE + 32);
  const vx = load4(differences, NEXT_SIDE);
  const vy = load4(differences, NEXT_SIDE + 16);
  const vz = load4(differences, NEXT_SIDE + 32);
  const crossX = difference(uy, vz, uz, vy);
  const crossY = difference(uz, vx, ux, vz);
  const crossZ = difference(ux, vy, uy, vx);
  const sign = and(dot(crossX, crossY, crossZ, x, y, z), splat(-0.0));
  const nx = v128.xor(crossX, sign);
  const ny = v128.xor(crossY, sign);
  const nz = v128.xor(crossZ, sign);
  return (
    found |
    maskBits(
      and(representable, areBeyond(differences, nx, ny, nz, limitOf(differences, separation, nx, ny, nz))),
    )
  );
}

// Returns the height that differences must exceed along a direction. It is infinite or NaN if floats cannot
// represent the differences.
function limitOf(differences: usize, separation: f32, x: v128, y: v128, z: v128): v128 {
  const error = add(
    mul(
      splat(HEIGHT_ERROR),
      dot(
        abs(x),
        abs(y),
        abs(z),
        load4(differences, MAXIMA),
        load4(differences, MAXIMA + 16),
        load4(differences, MAXIMA + 32),
      ),
    ),
    splat(HEIGHT_UNDERFLOW),
  );
  return separation > 0
    ? add(
        error,
        mul(
          splat(separation * LENGTH_FACTOR),
          f32x4.sqrt(add(dot(x, y, z, x, y, z), splat(SQUARE_UNDERFLOW))),
        ),
      )
    : error;
}

/** Returns the lanes in which products of the largest coordinates fit into floats. */
export function areRepresentable(differences: usize): v128 {
  return f32x4.le(
    max4(max4(load4(differences, MAXIMA), load4(differences, MAXIMA + 16)), load4(differences, MAXIMA + 32)),
    splat(MAX_DIFFERENCE),
  );
}

/** Returns the product of the largest |x|, |y| and |z|. */
export function productOfMaxima(differences: usize): v128 {
  return mul(
    load4(differences, MAXIMA),
    mul(load4(differences, MAXIMA + 16), load4(differences, MAXIMA + 32)),
  );
}

function areBeyond(differences: usize, x: v128, y: v128, z: v128, limit: v128): v128 {
  const areEdges = load4(differences, ARE_EDGES);
  let areFar = i32x4.splat(-1);
  for (let at = differences, end = at + DIFFERENCES; at < end; at += DIFFERENCES / 2) {
    const first = dot(x, y, z, v128.load(at), v128.load(at, 16), v128.load(at, 32));
    const second = dot(
      x,
      y,
      z,
      v128.load(at, DIFFERENCE_BYTES),
      v128.load(at, DIFFERENCE_BYTES + 16),
      v128.load(at, DIFFERENCE_BYTES + 32),
    );
    const third = dot(
      x,
      y,
      z,
      v128.load(at, 2 * DIFFERENCE_BYTES),
      v128.load(at, 2 * DIFFERENCE_BYTES + 16),
      v128.load(at, 2 * DIFFERENCE_BYTES + 32),
    );
    const fourth = add(third, and(areEdges, sub(first, second)));
    areFar = and(
      areFar,
      and(and(gt(first, limit), gt(second, limit)), and(gt(third, limit), gt(fourth, limit))),
    );
  }
  return areFar;
}

/**
 * Tests up to DIRECTIONS directions, starting with the direction to the center. Requires `prepareDirections`.
 * Returns a bit for each separated pair.
 */
export function tryMoreDirections(differences: usize, separation: f32): i32 {
  completeDifferences(differences);
  const representable = areRepresentable(differences);
  let x = load4(differences, CENTER);
  let y = load4(differences, CENTER + 16);
  let z = load4(differences, CENTER + 32);
  let found = 0;
  for (let attempt: u32 = 0; attempt < DIRECTIONS; attempt++) {
    const limit = limitOf(differences, separation, x, y, z);
    let areFar = representable;
    let behindX = splat(0);
    let behindY = splat(0);
    let behindZ = splat(0);
    for (let at = differences, end = differences + DIFFERENCES; at < end; at += DIFFERENCE_BYTES) {
      const pointX = load4(at);
      const pointY = load4(at, 16);
      const pointZ = load4(at, 32);
      const isFar = gt(dot(x, y, z, pointX, pointY, pointZ), limit);
      areFar = and(areFar, isFar);
      behindX = add(behindX, v128.andnot(pointX, isFar));
      behindY = add(behindY, v128.andnot(pointY, isFar));
      behindZ = add(behindZ, v128.andnot(pointZ, isFar));
    }
    found |= maskBits(areFar);
    if (found == 15) break;
    const share = f32x4.div(
      mul(splat(OVER_RELAXATION), dot(x, y, z, behindX, behindY, behindZ)),
      dot(behindX, behindY, behindZ, behindX, behindY, behindZ),
    );
    x = sub(x, mul(share, behindX));
    y = sub(y, mul(share, behindY));
    z = sub(z, mul(share, behindZ));
  }
  return found;
}
