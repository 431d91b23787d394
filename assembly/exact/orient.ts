// Computes exact orientation signs of points (3 f64 each): on which side of a plane a point lies (orient3d),
// and whether three projected points are in counterclockwise order (orient2d). A filter in doubles runs first;
// if it is uncertain, expansions decide (Shewchuk 1997, section 4). The filter's error bound is a multiple of
// the permanent, the sum of the magnitudes of all products. Coordinates must be in the range that `isTooWide`
// tests. Then no step underflows or overflows, and if the permanent is zero, the exact result is zero.
import {
  addExpansions,
  differenceTail,
  multiplyExpansion,
  productTail,
  push,
  signOfExpansion,
} from './expansion';

// The magnitude of every coordinate is 0 or within [2^-306, 2^338]. So every coordinate is a multiple of
// 2^-358. Products of three differences are multiples of 2^-1074, the smallest positive double, and the sums of
// such products stay below 2^1020.
const MIN_COORDINATE: f64 = 7.670458539527698e-93;
const MAX_COORDINATE: f64 = 5.599361855444511e101;

// Let e be 2^-53. The sign of the volume tells on which side of a plane a point lies, and the sign of the area
// is orient2d. The longest chain of operations has eight roundings for the volume and four for the area. So the
// error of the volume is below ((1 + e)^8 - 1) / (1 - e)^8 < 9e times the permanent. One more e covers the
// rounding when the permanent is multiplied by SIDE_ERROR. Likewise, the error of the area is below 5e times
// the permanent, and one more e covers the rounding when the permanent is multiplied by ORIENT2D_ERROR. The
// permanent times SIDE_ERROR may be denormal. If the permanent is below 2^-1021, every step is exact, so 0 is a
// valid bound. Otherwise, rounding that product to a multiple of 2^-1074 loses at most 1/20 of it.
const SIDE_ERROR: f64 = 10 * 1.1102230246251565e-16;
const ORIENT2D_ERROR: f64 = 6 * 1.1102230246251565e-16;

// Layout of a plane record: the normal (3 f64), the permanents of its components (3 f64), the addresses of
// the points a, b and c (u32), the numbers of terms of the exact normal's components (i32; the first is -1
// until the exact normal is computed), and the exact normal (3 x 16 terms).
const PERMANENT: usize = 24;
const A: usize = 48;
const B: usize = 52;
const C: usize = 56;
const COUNTS: usize = 60;
const EXACT: usize = 72;
const EXACT_AXIS_BYTES: usize = 128;
export const PLANE_BYTES: usize = 456;

// Working memory for one exact sign, in terms of 8 bytes each: three products (64 terms each), the sum of two
// products (128), the sum of all three (192), and the working memory of one multiplication (64).
export const WORK_BYTES: usize = 8 * (3 * 64 + 128 + 192 + 64);
const PRODUCT_BYTES: usize = 512;
const SUM2: usize = 3 * PRODUCT_BYTES;
const SUM3: usize = SUM2 + 1024;
const PRODUCT_WORK: usize = SUM3 + 1536;
export const VOLUME: usize = SUM3;
export const VOLUME_TERMS: usize = 192;

// Returns true if any of the `byteLength` / 8 coordinates at `p` is nonzero and its magnitude is outside
// MIN_COORDINATE..MAX_COORDINATE. `byteLength` must be a multiple of 16.
export function isTooWide(p: usize, byteLength: usize): bool {
  return isOutOfRange(p, byteLength, MIN_COORDINATE, MAX_COORDINATE);
}

// Returns true if any of the `byteLength` / 8 coordinates at `p` is nonzero and its magnitude is outside
// minAllowed..maxAllowed. `byteLength` must be a multiple of 16.
// @ts-ignore: decorator
@inline
export function isOutOfRange(p: usize, byteLength: usize, minAllowed: f64, maxAllowed: f64): bool {
  let minMagnitude = f64x2.splat(Infinity);
  let maxMagnitude = f64x2.splat(0);
  for (let at = p, end = p + byteLength; at < end; at += 16) {
    const size = f64x2.abs(v128.load(at));
    minMagnitude = f64x2.pmin(minMagnitude, size);
    maxMagnitude = f64x2.pmax(maxMagnitude, size);
  }
  if (v128.any_true(f64x2.gt(maxMagnitude, f64x2.splat(maxAllowed)))) return true;
  if (!v128.any_true(f64x2.lt(minMagnitude, f64x2.splat(minAllowed)))) return false;
  for (let at = p, end = p + byteLength; at < end; at += 8) {
    const coordinate = load<f64>(at);
    if (coordinate != 0 && abs(coordinate) < minAllowed) return true;
  }
  return false;
}

// Writes the record of the plane through the points a, b and c (addresses of 3 f64 each) to `plane`. The
// plane's normal is (b - a) x (c - a). It may be zero.
export function makePlane(plane: usize, a: usize, b: usize, c: usize): void {
  const ax = load<f64>(a);
  const ay = load<f64>(a, 8);
  const az = load<f64>(a, 16);
  const ux = load<f64>(b) - ax;
  const uy = load<f64>(b, 8) - ay;
  const uz = load<f64>(b, 16) - az;
  const vx = load<f64>(c) - ax;
  const vy = load<f64>(c, 8) - ay;
  const vz = load<f64>(c, 16) - az;
  const yz = uy * vz;
  const zy = uz * vy;
  const zx = uz * vx;
  const xz = ux * vz;
  const xy = ux * vy;
  const yx = uy * vx;
  store<f64>(plane, yz - zy);
  store<f64>(plane, zx - xz, 8);
  store<f64>(plane, xy - yx, 16);
  store<f64>(plane, abs(yz) + abs(zy), PERMANENT);
  store<f64>(plane, abs(zx) + abs(xz), PERMANENT + 8);
  store<f64>(plane, abs(xy) + abs(yx), PERMANENT + 16);
  store<u32>(plane, <u32>a, A);
  store<u32>(plane, <u32>b, B);
  store<u32>(plane, <u32>c, C);
  store<i32>(plane, -1, COUNTS);
}

// Returns the side of the plane on which point p lies: 1 on the side to which the normal points, -1 on the
// opposite side, 0 on the plane. The result is always 0 if the normal is zero.
export function sideOfPlane(plane: usize, p: usize, work: usize): i32 {
  const a = <usize>load<u32>(plane, A);
  const dx = load<f64>(p) - load<f64>(a);
  const dy = load<f64>(p, 8) - load<f64>(a, 8);
  const dz = load<f64>(p, 16) - load<f64>(a, 16);
  const volume = load<f64>(plane) * dx + load<f64>(plane, 8) * dy + load<f64>(plane, 16) * dz;
  const permanent =
    load<f64>(plane, PERMANENT) * abs(dx) +
    load<f64>(plane, PERMANENT + 8) * abs(dy) +
    load<f64>(plane, PERMANENT + 16) * abs(dz);
  const error = permanent * SIDE_ERROR;
  if (volume > error) return 1;
  if (volume < -error) return -1;
  if (permanent == 0) return 0;
  return exactSide(plane, a, p, work);
}

// Returns the byte offset (0, 8, 16) of a component of the normal that is certainly nonzero. Returns -1 if
// the filter cannot prove for any component that it is nonzero.
export function findNormalAxis(plane: usize): i32 {
  for (let axis: usize = 0; axis < 24; axis += 8) {
    if (abs(load<f64>(plane + axis)) > ORIENT2D_ERROR * load<f64>(plane + axis, PERMANENT)) return <i32>axis;
  }
  return -1;
}

// Returns the orientation of the points a, b and c in the projection onto the axes at byte offsets u and v: 1
// if they are in counterclockwise order, -1 if clockwise, 0 if they are collinear.
export function orient2d(a: usize, b: usize, c: usize, u: usize, v: usize, work: usize): i32 {
  const au = load<f64>(a + u);
  const av = load<f64>(a + v);
  const left = (load<f64>(b + u) - au) * (load<f64>(c + v) - av);
  const right = (load<f64>(b + v) - av) * (load<f64>(c + u) - au);
  const area = left - right;
  const permanent = abs(left) + abs(right);
  const error = permanent * ORIENT2D_ERROR;
  if (area > error) return 1;
  if (area < -error) return -1;
  if (permanent == 0) return 0;
  return signOfExpansion(work, exactOrient2d(a, b, c, u, v, work, work + EXACT_AXIS_BYTES));
}

// Writes (bu - au)(cv - av) - (bv - av)(cu - au) to `out` as an expansion of at most 16 terms, and returns
// the number of terms. `work` must have room for 26 terms.
export function exactOrient2d(
  a: usize,
  b: usize,
  c: usize,
  u: usize,
  v: usize,
  out: usize,
  work: usize,
): i32 {
  const au = load<f64>(a + u);
  const av = load<f64>(a + v);
  const bu = load<f64>(b + u);
  const bv = load<f64>(b + v);
  const cu = load<f64>(c + u);
  const cv = load<f64>(c + v);
  const ux = bu - au;
  const uy = bv - av;
  const vx = cu - au;
  const vy = cv - av;
  const uxTail = differenceTail(bu, au, ux);
  const uyTail = differenceTail(bv, av, uy);
  const vxTail = differenceTail(cu, au, vx);
  const vyTail = differenceTail(cv, av, vy);
  const leftCount = multiplyPairs(ux, uxTail, vy, vyTail, work, work + 128);
  const rightCount = multiplyPairs(-uy, -uyTail, vx, vxTail, work + 64, work + 128);
  return addExpansions(work, leftCount, work + 64, rightCount, out);
}

// Writes (a + aTail)(b + bTail) to `out` as an expansion of at most 8 terms, and returns the number of terms.
// `work` must have room for 10 terms.
function multiplyPairs(a: f64, aTail: f64, b: f64, bTail: f64, out: usize, work: usize): i32 {
  if (aTail == 0 && bTail == 0) {
    const product = a * b;
    return <i32>((push(push(out, productTail(a, b, product)), product) - out) >> 3);
  }
  const aCount = <i32>((push(push(work, aTail), a) - work) >> 3);
  return multiplyExpansion(work, aCount, b, bTail, out, work + 16);
}

function exactSide(plane: usize, a: usize, p: usize, work: usize): i32 {
  return signOfExpansion(work + SUM3, exactVolume(plane, a, p, work));
}

// Computes the dot product of the plane's normal and p - a, where a is the plane's first point. Writes it to
// `work` + VOLUME as an expansion of at most 192 terms, and returns the number of terms.
export function exactVolume(plane: usize, a: usize, p: usize, work: usize): i32 {
  if (load<i32>(plane, COUNTS) < 0) makeExactNormal(plane, a, work);
  const xCount = productAlong(plane, 0, a, p, work);
  const yCount = productAlong(plane, 1, a, p, work);
  const zCount = productAlong(plane, 2, a, p, work);
  const xyCount = addExpansions(work, xCount, work + PRODUCT_BYTES, yCount, work + SUM2);
  return addExpansions(work + SUM2, xyCount, work + 2 * PRODUCT_BYTES, zCount, work + SUM3);
}

function makeExactNormal(plane: usize, a: usize, work: usize): void {
  const b = <usize>load<u32>(plane, B);
  const c = <usize>load<u32>(plane, C);
  const exact = plane + EXACT;
  store<i32>(plane, exactOrient2d(a, b, c, 8, 16, exact, work), COUNTS);
  store<i32>(plane, exactOrient2d(a, b, c, 16, 0, exact + EXACT_AXIS_BYTES, work), COUNTS + 4);
  store<i32>(plane, exactOrient2d(a, b, c, 0, 8, exact + 2 * EXACT_AXIS_BYTES, work), COUNTS + 8);
}

// Multiplies the component of the exact normal along `axis` (0, 1 or 2) by the same component of p - a.
// Writes the product to `work` + `axis` * PRODUCT_BYTES, and returns its number of terms.
function productAlong(plane: usize, axis: usize, a: usize, p: usize, work: usize): i32 {
  const from = load<f64>(a + (axis << 3));
  const to = load<f64>(p + (axis << 3));
  const difference = to - from;
  return multiplyExpansion(
    plane + EXACT + axis * EXACT_AXIS_BYTES,
    load<i32>(plane + (axis << 2), COUNTS),
    difference,
    differenceTail(to, from, difference),
    work + axis * PRODUCT_BYTES,
    work + PRODUCT_WORK,
  );
}
