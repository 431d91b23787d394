// Computes the boxes of points that move along straight lines. A point is six doubles.
import { highLow, swapLanes } from '../simd/doubles';
import { roundDown2 } from '../simd/rounding';

/** Bytes of a point: x, y, z at the start, then at the end. */
export const SWEPT_POINT: usize = 48;

/**
 * Writes to `to` the box that contains three points during their whole motion: six floats, enlarged by `margin`
 * and rounded outward.
 */
export function boundThree(a: usize, b: usize, c: usize, margin: f64, to: usize): void {
  const startA = v128.load(a);
  const endA = endOf(a);
  const startB = v128.load(b);
  const endB = endOf(b);
  const startC = v128.load(c);
  const endC = endOf(c);
  const depthA = startAndEndZ(a);
  const depthB = startAndEndZ(b);
  const depthC = startAndEndZ(c);
  const margins = f64x2.splat(margin);
  const low = f64x2.pmin(
    f64x2.pmin(f64x2.pmin(startA, endA), f64x2.pmin(startB, endB)),
    f64x2.pmin(startC, endC),
  );
  const high = f64x2.pmax(
    f64x2.pmax(f64x2.pmax(startA, endA), f64x2.pmax(startB, endB)),
    f64x2.pmax(startC, endC),
  );
  const lowDepth = f64x2.pmin(f64x2.pmin(depthA, depthB), depthC);
  const highDepth = f64x2.pmax(f64x2.pmax(depthA, depthB), depthC);
  const lowXY = roundDown2(f64x2.sub(low, margins));
  const lowZ = roundDown2(f64x2.sub(f64x2.pmin(lowDepth, swapLanes(lowDepth)), margins));
  const highXY = f32x4.neg(roundDown2(f64x2.neg(f64x2.add(high, margins))));
  const highZ = f32x4.neg(
    roundDown2(f64x2.neg(f64x2.add(f64x2.pmax(highDepth, swapLanes(highDepth)), margins))),
  );
  storeBox(lowXY, lowZ, highXY, highZ, to);
}

/** Writes the box of three points at the start, in floats rounded outward. */
export function boundStart(a: usize, b: usize, c: usize, to: usize): void {
  const p = v128.load(a);
  const q = v128.load(b);
  const r = v128.load(c);
  const z = v128.load64_splat(a, 16);
  const w = v128.load64_splat(b, 16);
  const u = v128.load64_splat(c, 16);
  const lowXY = roundDown2(f64x2.pmin(f64x2.pmin(p, q), r));
  const lowZ = roundDown2(f64x2.pmin(f64x2.pmin(z, w), u));
  const highXY = f32x4.neg(roundDown2(f64x2.neg(f64x2.pmax(f64x2.pmax(p, q), r))));
  const highZ = f32x4.neg(roundDown2(f64x2.neg(f64x2.pmax(f64x2.pmax(z, w), u))));
  storeBox(lowXY, lowZ, highXY, highZ, to);
}

function storeBox(lowXY: v128, lowZ: v128, highXY: v128, highZ: v128, to: usize): void {
  v128.store(to, v128.shuffle<f32>(v128.shuffle<f64>(lowXY, lowZ, 0, 2), highXY, 0, 1, 2, 4));
  v128.store64_lane(to, v128.shuffle<f32>(highXY, highZ, 1, 4, 1, 4), 0, 16);
}

/** Returns x and y at the end. */
export function endOf(point: usize): v128 {
  return highLow(v128.load(point, 16), v128.load(point, 32));
}
/** Returns z at the start and at the end. */
export function startAndEndZ(point: usize): v128 {
  return v128.shuffle<f64>(v128.load(point, 16), v128.load(point, 32), 0, 3);
}
