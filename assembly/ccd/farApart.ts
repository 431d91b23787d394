// The differences of four pairs of features -> which pairs a constant direction shows to be apart all the
// time, a bit each: where all differences, at the start and at the end, are farther along it than the
// separation, they are so in between.

import { difference, dot } from '../narrowphase/judgeTriangles';
import { abs, add, and, bits, gt, load4, most, mul, splat, sub } from '../simd/lanes';
import { ARE_EDGES, completeDifferences, DIFFERENCE, DIFFERENCES, KEPT } from './fourDifferences';

const HALF_ULP: f32 = 5.9604644775390625e-8;
// Of normal . difference, in parts of the sum of its greatest products: a difference is rounded once, so are
// its product and two sums: 4 halves. A fourth difference is one of three, the sum rounded by 5 at most, and
// up to three times as far: 8, and 9 of its product and sums; so is its height, where it is that of three. 32
// are more than 17, and than what the bound itself is rounded by.
const HEIGHT_ERROR: f32 = 32 * HALF_ULP;
/**
 * Differences up to this size have heights and volumes that floats can hold; what products lose below the
 * least float is far less than LEAST_HEIGHT.
 */
const GREATEST: f32 = 1073741824;
const LEAST_HEIGHT: f32 = 7.888609052210118e-31;
// 2^-126. Smaller differences are off by up to 2^-150, whatever their size: of a bound that takes them for
// this large HEIGHT_ERROR covers that.
const LEAST_DIFFERENCE: f32 = 1.1754943508222875e-38;
// 2^-126: far more than what squares lose below the least float.
const LEAST_SQUARE: f32 = 1.1754943508222875e-38;
// What the length of a normal and its product with the separation are rounded by.
const LENGTHENED: f32 = 1 + 16 * HALF_ULP;
/** Directions that are tried, each turned away from what lies behind the one before it: 1 is upright. */
const TURNS: u32 = 4;
const TURN: f32 = 1.3;

// What serves every direction: the first one, to the middle of all differences; the greatest |x|, |y|, |z| of
// the first three, at least LEAST_DIFFERENCE; twice what leads halfway from the first difference to the
// second, and from there to the third.
const MIDDLE: usize = KEPT;
const MOST: usize = KEPT + DIFFERENCE;
const SIDE: usize = KEPT + 2 * DIFFERENCE;
const NEXT_SIDE: usize = KEPT + 3 * DIFFERENCE;

/** Keeps what serves every direction. */
export function lookAt(differences: usize): void {
  const areEdges = load4(differences, ARE_EDGES);
  for (let at = differences, end = at + DIFFERENCE; at < end; at += 16) {
    const first = v128.load(at);
    const second = v128.load(at, DIFFERENCE);
    const third = v128.load(at, 2 * DIFFERENCE);
    const firstEnd = v128.load(at, 4 * DIFFERENCE);
    const secondEnd = v128.load(at, 5 * DIFFERENCE);
    const thirdEnd = v128.load(at, 6 * DIFFERENCE);
    const firstSum = add(first, firstEnd);
    const secondSum = add(second, secondEnd);
    const thirdSum = add(third, thirdEnd);
    // Of a parallelogram two corners have the same middle as all four.
    v128.store(at, add(add(firstSum, thirdSum), v128.andnot(secondSum, areEdges)), MIDDLE);
    v128.store(at, sub(secondSum, firstSum), SIDE);
    v128.store(at, sub(thirdSum, secondSum), NEXT_SIDE);
    v128.store(
      at,
      most(
        most(most(abs(first), abs(firstEnd)), most(abs(second), abs(secondEnd))),
        most(most(abs(third), abs(thirdEnd)), splat(LEAST_DIFFERENCE)),
      ),
      MOST,
    );
  }
}

/**
 * Two directions: to the middle of all differences, and upright on what they span halfway. `lookAt` comes
 * first.
 */
export function farAtOnce(differences: usize, separation: f32): i32 {
  const x = load4(differences, MIDDLE);
  const y = load4(differences, MIDDLE + 16);
  const z = load4(differences, MIDDLE + 32);
  const held = areHeld(differences);
  const isFar = and(held, areBeyond(differences, x, y, z, limitOf(differences, separation, x, y, z)));
  const found = bits(isFar);
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
    found | bits(and(held, areBeyond(differences, nx, ny, nz, limitOf(differences, separation, nx, ny, nz))))
  );
}

// What heights along a direction must be beyond. Infinite or NaN where there are differences that floats
// cannot hold.
function limitOf(differences: usize, separation: f32, x: v128, y: v128, z: v128): v128 {
  const error = add(
    mul(
      splat(HEIGHT_ERROR),
      dot(
        abs(x),
        abs(y),
        abs(z),
        load4(differences, MOST),
        load4(differences, MOST + 16),
        load4(differences, MOST + 32),
      ),
    ),
    splat(LEAST_HEIGHT),
  );
  return separation > 0
    ? add(
        error,
        mul(splat(separation * LENGTHENED), f32x4.sqrt(add(dot(x, y, z, x, y, z), splat(LEAST_SQUARE)))),
      )
    : error;
}

/** Lanes whose greatest coordinate floats can hold products of. */
export function areHeld(differences: usize): v128 {
  return f32x4.le(
    most(most(load4(differences, MOST), load4(differences, MOST + 16)), load4(differences, MOST + 32)),
    splat(GREATEST),
  );
}

/** Product of the greatest |x|, |y| and |z|. */
export function productOfMost(differences: usize): v128 {
  return mul(load4(differences, MOST), mul(load4(differences, MOST + 16), load4(differences, MOST + 32)));
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
      v128.load(at, DIFFERENCE),
      v128.load(at, DIFFERENCE + 16),
      v128.load(at, DIFFERENCE + 32),
    );
    const third = dot(
      x,
      y,
      z,
      v128.load(at, 2 * DIFFERENCE),
      v128.load(at, 2 * DIFFERENCE + 16),
      v128.load(at, 2 * DIFFERENCE + 32),
    );
    const fourth = add(third, and(areEdges, sub(first, second)));
    areFar = and(
      areFar,
      and(and(gt(first, limit), gt(second, limit)), and(gt(third, limit), gt(fourth, limit))),
    );
  }
  return areFar;
}

/** As many directions as TURNS, from the first of these on. `lookAt` comes first. */
export function farByTurns(differences: usize, separation: f32): i32 {
  completeDifferences(differences);
  const held = areHeld(differences);
  let x = load4(differences, MIDDLE);
  let y = load4(differences, MIDDLE + 16);
  let z = load4(differences, MIDDLE + 32);
  let found = 0;
  for (let turn: u32 = 0; turn < TURNS; turn++) {
    const limit = limitOf(differences, separation, x, y, z);
    let areFar = held;
    let behindX = splat(0);
    let behindY = splat(0);
    let behindZ = splat(0);
    for (let at = differences, end = differences + DIFFERENCES; at < end; at += DIFFERENCE) {
      const pointX = load4(at);
      const pointY = load4(at, 16);
      const pointZ = load4(at, 32);
      const isFar = gt(dot(x, y, z, pointX, pointY, pointZ), limit);
      areFar = and(areFar, isFar);
      behindX = add(behindX, v128.andnot(pointX, isFar));
      behindY = add(behindY, v128.andnot(pointY, isFar));
      behindZ = add(behindZ, v128.andnot(pointZ, isFar));
    }
    found |= bits(areFar);
    if (found == 15) break;
    const share = f32x4.div(
      mul(splat(TURN), dot(x, y, z, behindX, behindY, behindZ)),
      dot(behindX, behindY, behindZ, behindX, behindY, behindZ),
    );
    x = sub(x, mul(share, behindX));
    y = sub(y, mul(share, behindY));
    z = sub(z, mul(share, behindZ));
  }
  return found;
}
