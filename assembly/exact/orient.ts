// Points (3 f64 each) -> exact signs: side of a plane, turn in a projection. Shewchuk 1997, s4: a double
// filter, then expansions. Coordinates must be in range (see `tooWide`); then no step under- or overflows,
// and a zero permanent means an exact zero.
import {
  addExpansions,
  differenceTail,
  multiplyExpansion,
  productTail,
  push,
  signOfExpansion,
} from './expansion';

// Every coordinate is 0 or within [2^-306, 2^338]: a multiple of 2^-358, so that triple products of
// differences are multiples of 2^-1074, the least double, and stay below 2^1020.
const LEAST_COORDINATE: f64 = 7.670458539527698e-93;
const MOST_COORDINATE: f64 = 5.599361855444511e101;

// Eight roundings lie on the longest path to a side, four on that to a turn. With e = 2^-53 the error is
// below ((1 + e)^8 - 1) / (1 - e)^8 < 9e of the permanent, one more e covers the product with this constant;
// likewise 4e, and 2e more. That product may become denormal: below a permanent of 2^-1021 every step is
// exact, so that 0 is a true bound; above it the rounding to a multiple of 2^-1074 takes at most a twentieth.
const SIDE_ERROR: f64 = 10 * 1.1102230246251565e-16;
const TURN_ERROR: f64 = 6 * 1.1102230246251565e-16;

// Plane record: normal (3 f64), its permanent (3 f64), addresses of a, b, c, counts of the exact normal
// (first -1: not made yet), the exact normal (3 x 16 terms).
const PERMANENT: usize = 24;
const A: usize = 48;
const B: usize = 52;
const C: usize = 56;
const COUNTS: usize = 60;
const EXACT: usize = 72;
const EXACT_AXIS_BYTES: usize = 128;
export const PLANE_BYTES: usize = 456;

// Work of one exact sign, in terms: three products (64 each), their sums (128 and 192), work of one product
// (64).
export const WORK_BYTES: usize = 8 * (3 * 64 + 128 + 192 + 64);
const PRODUCT_BYTES: usize = 512;
const SUM2: usize = 3 * PRODUCT_BYTES;
const SUM3: usize = SUM2 + 1024;
const PRODUCT_WORK: usize = SUM3 + 1536;
export const VOLUME: usize = SUM3;
export const VOLUME_TERMS: usize = 192;

// True when a coordinate of the `byteLength` / 8 doubles at `p` (a multiple of 16 bytes) lies outside the
// range above.
export function tooWide(p: usize, byteLength: usize): bool {
  return leavesRange(p, byteLength, LEAST_COORDINATE, MOST_COORDINATE);
}

// True when one of them is not 0 and smaller than `least` or larger than `most`.
// @ts-ignore: decorator
@inline
export function leavesRange(p: usize, byteLength: usize, leastAllowed: f64, mostAllowed: f64): bool {
  let least = f64x2.splat(Infinity);
  let most = f64x2.splat(0);
  for (let at = p, end = p + byteLength; at < end; at += 16) {
    const size = f64x2.abs(v128.load(at));
    least = f64x2.pmin(least, size);
    most = f64x2.pmax(most, size);
  }
  if (v128.any_true(f64x2.gt(most, f64x2.splat(mostAllowed)))) return true;
  if (!v128.any_true(f64x2.lt(least, f64x2.splat(leastAllowed)))) return false;
  for (let at = p, end = p + byteLength; at < end; at += 8) {
    const coordinate = load<f64>(at);
    if (coordinate != 0 && abs(coordinate) < leastAllowed) return true;
  }
  return false;
}

// Plane through a, b, c (addresses of 3 f64) -> plane record at `plane`. Its normal (b - a) x (c - a) may be
// zero.
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

// Side of point p: 1 where the normal points, -1 opposite, 0 on the plane (always 0 for a plane without a
// normal).
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

// Byte offset (0, 8, 16) of an axis along which the plane surely has a normal component, or -1 when the
// filter sees none.
export function surelyFacedAxis(plane: usize): i32 {
  for (let axis: usize = 0; axis < 24; axis += 8) {
    if (abs(load<f64>(plane + axis)) > TURN_ERROR * load<f64>(plane + axis, PERMANENT)) return <i32>axis;
  }
  return -1;
}

// Sign of (b - a) x (c - a) in the projection onto the axes at byte offsets u and v: 1 left turn, -1 right
// turn, 0 in line.
export function turn(a: usize, b: usize, c: usize, u: usize, v: usize, work: usize): i32 {
  const au = load<f64>(a + u);
  const av = load<f64>(a + v);
  const left = (load<f64>(b + u) - au) * (load<f64>(c + v) - av);
  const right = (load<f64>(b + v) - av) * (load<f64>(c + u) - au);
  const area = left - right;
  const permanent = abs(left) + abs(right);
  const error = permanent * TURN_ERROR;
  if (area > error) return 1;
  if (area < -error) return -1;
  if (permanent == 0) return 0;
  return signOfExpansion(work, exactTurn(a, b, c, u, v, work, work + EXACT_AXIS_BYTES));
}

// (bu - au)(cv - av) - (bv - av)(cu - au) -> expansion at `out` (up to 16 terms); returns its count. `work`:
// 26 terms.
export function exactTurn(a: usize, b: usize, c: usize, u: usize, v: usize, out: usize, work: usize): i32 {
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

// (a + aTail)(b + bTail) -> expansion at `out` (up to 8 terms); returns its count. `work`: 10 terms.
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

// Normal of the plane times (p - a), a being its first point -> expansion at `work` + VOLUME (up to 192
// terms); returns its count.
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
  store<i32>(plane, exactTurn(a, b, c, 8, 16, exact, work), COUNTS);
  store<i32>(plane, exactTurn(a, b, c, 16, 0, exact + EXACT_AXIS_BYTES, work), COUNTS + 4);
  store<i32>(plane, exactTurn(a, b, c, 0, 8, exact + 2 * EXACT_AXIS_BYTES, work), COUNTS + 8);
}

// Exact normal component times (p - a) along `axis` -> that axis' product in `work`; returns its count.
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
