// The differences of four pairs of features -> which pairs a constant direction shows to be apart all the time, a bit each: where all
// differences, at the start and at the end, are farther along it than the separation, they are so in between.
import { abs, add, and, bits, gt, load4, most, mul, splat, sub } from './lanes';
import { DIFFERENCE, DIFFERENCES } from './fourDifferences';
import { difference, dot } from './judgeTriangles';

const HALF_ULP: f32 = 5.9604644775390625e-8;
// Of normal . difference, in parts of the sum of its products' sizes: a difference is rounded once, so are its product and two
// sums: 4 halves. The other 4 are more than what the bound itself is rounded by.
const HEIGHT_ERROR: f32 = 8 * HALF_ULP;
/** Differences up to this size have heights and volumes that floats can hold; what products lose below the least float is far less than LEAST_HEIGHT. */
export const GREATEST: f32 = 1073741824;
const LEAST_HEIGHT: f32 = 7.888609052210118e-31;
// 2^-126. Smaller differences are off by up to 2^-150, whatever their size: of a bound that takes them for this large HEIGHT_ERROR covers that.
const LEAST_DIFFERENCE: f32 = 1.1754943508222875e-38;
// 2^-126: far more than what squares lose below the least float.
const LEAST_SQUARE: f32 = 1.1754943508222875e-38;
// What the length of a normal and its product with the separation are rounded by.
const LENGTHENED: f32 = 1 + 16 * HALF_ULP;
/** Directions that are tried, each turned away from what lies behind the one before it: 1 is upright. */
const TURNS: u32 = 4, TURN: f32 = 1.3;

// What of differences serves every direction: their sum, their greatest |x|, |y|, |z|, at least LEAST_DIFFERENCE.
// @ts-ignore: decorator
@inline const SUM: usize = DIFFERENCES, MOST: usize = DIFFERENCES + DIFFERENCE;
/** Bytes of differences, and of what is kept with them. */
// @ts-ignore: decorator
@inline export const KEPT_DIFFERENCES: usize = DIFFERENCES + 2 * DIFFERENCE;

function summarise(differences: usize): void {
  let x = splat(0), y = splat(0), z = splat(0), mostX = splat(LEAST_DIFFERENCE), mostY = mostX, mostZ = mostX;
  for (let at = differences, end = differences + DIFFERENCES; at < end; at += 2 * DIFFERENCE) {
    const pointX = v128.load(at), pointY = v128.load(at, 16), pointZ = v128.load(at, 32);
    const nextX = v128.load(at, DIFFERENCE), nextY = v128.load(at, DIFFERENCE + 16), nextZ = v128.load(at, DIFFERENCE + 32);
    x = add(x, add(pointX, nextX));
    y = add(y, add(pointY, nextY));
    z = add(z, add(pointZ, nextZ));
    mostX = most(mostX, most(abs(pointX), abs(nextX)));
    mostY = most(mostY, most(abs(pointY), abs(nextY)));
    mostZ = most(mostZ, most(abs(pointZ), abs(nextZ)));
  }
  v128.store(differences + SUM, x);
  v128.store(differences + SUM, y, 16);
  v128.store(differences + SUM, z, 32);
  v128.store(differences + MOST, mostX);
  v128.store(differences + MOST, mostY, 16);
  v128.store(differences + MOST, mostZ, 32);
}

// What heights along a direction must be beyond. Infinite or NaN where there are differences that floats cannot hold.
// @ts-ignore: decorator
@inline function limitOf(differences: usize, separation: f32, x: v128, y: v128, z: v128): v128 {
  const most = differences + MOST, error = add(mul(splat(HEIGHT_ERROR), dot(abs(x), abs(y), abs(z), load4(most), load4(most, 16), load4(most, 32))), splat(LEAST_HEIGHT));
  return separation > 0 ? add(error, mul(splat(separation * LENGTHENED), f32x4.sqrt(add(dot(x, y, z, x, y, z), splat(LEAST_SQUARE))))) : error;
}

/** Lanes whose greatest coordinate floats can hold products of. */
// @ts-ignore: decorator
@inline export function areHeld(differences: usize): v128 {
  const at = differences + MOST;
  return f32x4.le(most(most(load4(at), load4(at, 16)), load4(at, 32)), splat(GREATEST));
}

/** Product of the greatest |x|, |y| and |z|. */
// @ts-ignore: decorator
@inline export function productOfMost(differences: usize): v128 {
  const at = differences + MOST;
  return mul(load4(at), mul(load4(at, 16), load4(at, 32)));
}

// @ts-ignore: decorator
@inline function areBeyond(differences: usize, x: v128, y: v128, z: v128, limit: v128): v128 {
  let areFar = i32x4.splat(-1);
  for (let at = differences, end = differences + DIFFERENCES; at < end; at += 2 * DIFFERENCE) {
    areFar = and(areFar, and(
      gt(dot(x, y, z, v128.load(at), v128.load(at, 16), v128.load(at, 32)), limit),
      gt(dot(x, y, z, v128.load(at, DIFFERENCE), v128.load(at, DIFFERENCE + 16), v128.load(at, DIFFERENCE + 32)), limit)));
  }
  return areFar;
}

/** Two directions: to the middle of all differences, and upright on what they span halfway. */
export function farAtOnce(differences: usize, separation: f32): i32 {
  summarise(differences);
  const sum = differences + SUM, x = load4(sum), y = load4(sum, 16), z = load4(sum, 32);
  const isFar = areBeyond(differences, x, y, z, limitOf(differences, separation, x, y, z));
  const ux = sub(middle(differences, 1, 0), middle(differences, 0, 0)), uy = sub(middle(differences, 1, 16), middle(differences, 0, 16)), uz = sub(middle(differences, 1, 32), middle(differences, 0, 32));
  const vx = sub(middle(differences, 3, 0), middle(differences, 0, 0)), vy = sub(middle(differences, 3, 16), middle(differences, 0, 16)), vz = sub(middle(differences, 3, 32), middle(differences, 0, 32));
  const crossX = difference(uy, vz, uz, vy), crossY = difference(uz, vx, ux, vz), crossZ = difference(ux, vy, uy, vx);
  const sign = and(dot(crossX, crossY, crossZ, x, y, z), splat(-0.0));
  const nx = v128.xor(crossX, sign), ny = v128.xor(crossY, sign), nz = v128.xor(crossZ, sign);
  return bits(and(areHeld(differences), v128.or(isFar, areBeyond(differences, nx, ny, nz, limitOf(differences, separation, nx, ny, nz)))));
}

// Twice a point's coordinate halfway.
// @ts-ignore: decorator
@inline function middle(differences: usize, point: usize, axis: usize): v128 {
  const at = differences + point * DIFFERENCE + axis;
  return add(load4(at), load4(at, DIFFERENCES / 2));
}

/** As many directions as TURNS, from the first of these on. */
export function farByTurns(differences: usize, separation: f32): i32 {
  summarise(differences);
  const sum = differences + SUM, held = areHeld(differences);
  let x = load4(sum), y = load4(sum, 16), z = load4(sum, 32), found = 0;
  for (let turn: u32 = 0; turn < TURNS; turn++) {
    const limit = limitOf(differences, separation, x, y, z);
    let areFar = held, behindX = splat(0), behindY = splat(0), behindZ = splat(0);
    for (let at = differences, end = differences + DIFFERENCES; at < end; at += DIFFERENCE) {
      const pointX = load4(at), pointY = load4(at, 16), pointZ = load4(at, 32), isFar = gt(dot(x, y, z, pointX, pointY, pointZ), limit);
      areFar = and(areFar, isFar);
      behindX = add(behindX, v128.andnot(pointX, isFar));
      behindY = add(behindY, v128.andnot(pointY, isFar));
      behindZ = add(behindZ, v128.andnot(pointZ, isFar));
    }
    found |= bits(areFar);
    if (found == 15) break;
    const share = f32x4.div(mul(splat(TURN), dot(x, y, z, behindX, behindY, behindZ)), dot(behindX, behindY, behindZ, behindX, behindY, behindZ));
    x = sub(x, mul(share, behindX));
    y = sub(y, mul(share, behindY));
    z = sub(z, mul(share, behindZ));
  }
  return found;
}
