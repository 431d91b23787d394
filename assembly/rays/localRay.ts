// Transforms a ray to the normalized frame of a tree, and tests it against the boxes and triangles of the tree
// in floats. These tests are conservative: they never exclude a triangle that the ray hits.

import { Leaf, LocalRay, NOTHING, Node, RaySlice, CastTarget } from '../records';
import { add, and, gt, le, load4, lt, maskBits, max4, min4, mul, splat, splatAt, sub } from '../simd/lanes';

/** The results of makeLocalRay. */
export const MISSES: i32 = 0;
export const MAY_HIT: i32 = 1;
/** The frame is too inaccurate, so every triangle must be tested. */
export const UNUSABLE: i32 = 2;

// A bound of the rounding errors of the transformed origin, of the nearest point, and of the nearest point's
// parameter, relative to the transformed origin: 2^-48. The nearest point is the point of the ray's line that
// is nearest to the frame's origin.
const ORIGIN_ERROR: f64 = 3.552713678800501e-15;
// A bound of the rounding errors of the box test in floats, relative to the target's size: 2^-19. The size is
// an upper bound of all stored coordinates. Coordinates of boxes are at most the size, and coordinates of
// nearest points are below three times the size, so their differences are below four times the size. Each of
// the few roundings loses at most 2^-24 of a difference.
const BOX_ERROR: f64 = 1.9073486328125e-6;
// Smallest |entry| of a direction that the box test divides by: 2^-40. A smaller entry is replaced by this
// number with the entry's sign. Where the ray may hit the mesh, this moves the ray by less than 2^-37 times the
// size.
const MIN_ENTRY: f64 = 9.094947017729282e-13;

function transformed(row: usize, at: usize): f64 {
  return (
    load<f64>(row) * load<f64>(at) +
    load<f64>(row, 8) * load<f64>(at, 8) +
    load<f64>(row, 16) * load<f64>(at, 16)
  );
}

// @ts-ignore: decorator
@inline
function max3(x: f64, y: f64, z: f64): f64 {
  return max(max(abs(x), abs(y)), abs(z));
}

// @ts-ignore: decorator
@inline
function setAxis(local: usize, axis: usize, origin: f64, direction: f64): void {
  store<f64>(local + (axis << 3), origin, LocalRay.origin);
  store<f64>(local + (axis << 3), direction, LocalRay.direction);
  const entry = abs(direction) < MIN_ENTRY ? copysign<f64>(MIN_ENTRY, direction) : direction;
  const inverse = <f32>(1 / entry);
  store<f32>(local + (axis << 2), <f32>origin, LocalRay.floatOrigin);
  store<f32>(local + (axis << 2), <f32>direction, LocalRay.floatDirection);
  store<f32>(local + (axis << 2), inverse, LocalRay.inverse);
  store<f32>(local + (axis << 2), abs(inverse), LocalRay.absInverse);
}

/** Writes the LocalRay of a ray (6 f64) in the frame of a CastTarget. Returns MISSES, MAY_HIT or UNUSABLE. */
export function makeLocalRay(ray: usize, target: usize, local: usize): i32 {
  const rows = target + CastTarget.rows;
  const ox = transformed(rows, ray) + load<f64>(rows, 24);
  const oy = transformed(rows + 32, ray) + load<f64>(rows, 56);
  const oz = transformed(rows + 64, ray) + load<f64>(rows, 88);
  let dx = transformed(rows, ray + 24);
  let dy = transformed(rows + 32, ray + 24);
  let dz = transformed(rows + 64, ray + 24);
  const size = load<f64>(target, CastTarget.size);
  const reach = max3(load<f64>(ray), load<f64>(ray, 8), load<f64>(ray, 16));
  const error =
    load<f64>(target, CastTarget.frameError) +
    load<f64>(target, CastTarget.originError) * reach +
    ORIGIN_ERROR * max3(ox, oy, oz);
  const rate = max3(dx, dy, dz);
  if (!(error < 0.25 * size && rate > 1e-290 && rate < 1e290)) return UNUSABLE;
  dx /= rate;
  dy /= rate;
  dz /= rate;
  const inverseSquare = 1 / (dx * dx + dy * dy + dz * dz);
  const along = -(ox * dx + oy * dy + oz * dz) * inverseSquare;
  const nx = ox + along * dx;
  const ny = oy + along * dy;
  const nz = oz + along * dz;
  const limit = size + error;
  if (nx * nx + ny * ny + nz * nz > 3.1 * limit * limit) return MISSES;
  const slack = error + BOX_ERROR * size;
  // The distance of every point of the mesh from the nearest point is less than four times the size.
  if (along < -8 * size) return MISSES;
  setAxis(local, 0, nx, dx);
  setAxis(local, 1, ny, dy);
  setAxis(local, 2, nz, dz);
  store<f64>(local, inverseSquare, LocalRay.inverseSquare);
  store<f64>(local, along / rate, LocalRay.shift);
  store<f64>(local, rate, LocalRay.rate);
  store<f64>(local, error, LocalRay.error);
  store<f64>(local, slack, LocalRay.slack);
  store<f32>(local, <f32>slack * 1.000001, LocalRay.floatSlack);
  store<f32>(local, <f32>(-along - slack), LocalRay.near);
  return MAY_HIT;
}

/** Returns an upper bound of the local parameter of every wanted hit. */
export function farLimit(slice: usize, local: usize): f32 {
  const upper = load<f64>(slice, RaySlice.bestUpper);
  if (upper == Infinity) return Infinity;
  return <f32>(
    ((upper - load<f64>(local, LocalRay.shift)) * load<f64>(local, LocalRay.rate) +
      load<f64>(local, LocalRay.slack))
  );
}

/**
 * Tests a ray against the four child boxes of a node. Bit i of the result is set if the ray may hit box i
 * before `far`. Writes the parameters at which the ray enters the boxes to `nears` (4 f32).
 */
export function hitBoxes(node: usize, local: usize, far: f32, nears: usize): i32 {
  const slack = splatAt(local, LocalRay.floatSlack);
  let near = splatAt(local, LocalRay.near);
  let exit = splat(far);
  for (let axis: usize = 0; axis < 3; axis++) {
    const at = local + (axis << 2);
    const center = mul(
      sub(load4(node + (axis << 4), Node.centerX), splatAt(at, LocalRay.floatOrigin)),
      splatAt(at, LocalRay.inverse),
    );
    const half = mul(add(load4(node + (axis << 4), Node.halfX), slack), splatAt(at, LocalRay.absInverse));
    near = max4(near, sub(center, half));
    exit = min4(exit, add(center, half));
  }
  v128.store(nears, near);
  return maskBits(le(near, exit));
}

// Returns direction . (p x q) for four triangles.
// @ts-ignore: decorator
@inline
function volume(
  px: v128,
  py: v128,
  pz: v128,
  qx: v128,
  qy: v128,
  qz: v128,
  dx: v128,
  dy: v128,
  dz: v128,
): v128 {
  return add(
    add(mul(sub(mul(py, qz), mul(pz, qy)), dx), mul(sub(mul(pz, qx), mul(px, qz)), dy)),
    mul(sub(mul(px, qy), mul(py, qx)), dz),
  );
}

/** Tests a ray against the triangles of a leaf. Bit i of the result is set if the ray may hit triangle i. */
export function hitTriangles(leaf: usize, local: usize): i32 {
  // The point of the ray's line that is nearest to the leaf's origin, relative to this origin.
  const qx = load<f64>(local, LocalRay.origin) - <f64>load<f32>(leaf, Leaf.originX);
  const qy = load<f64>(local, LocalRay.origin + 8) - <f64>load<f32>(leaf, Leaf.originY);
  const qz = load<f64>(local, LocalRay.origin + 16) - <f64>load<f32>(leaf, Leaf.originZ);
  const ex = load<f64>(local, LocalRay.direction);
  const ey = load<f64>(local, LocalRay.direction + 8);
  const ez = load<f64>(local, LocalRay.direction + 16);
  const along = (qx * ex + qy * ey + qz * ez) * load<f64>(local, LocalRay.inverseSquare);
  const rx = qx - along * ex;
  const ry = qy - along * ey;
  const rz = qz - along * ez;
  const x = splat(<f32>rx);
  const y = splat(<f32>ry);
  const z = splat(<f32>rz);
  const dx = splatAt(local, LocalRay.floatDirection);
  const dy = splatAt(local, LocalRay.floatDirection + 4);
  const dz = splatAt(local, LocalRay.floatDirection + 8);
  const ax = sub(load4(leaf, Leaf.ax), x);
  const ay = sub(load4(leaf, Leaf.ay), y);
  const az = sub(load4(leaf, Leaf.az), z);
  const bx = sub(load4(leaf, Leaf.bx), x);
  const by = sub(load4(leaf, Leaf.by), y);
  const bz = sub(load4(leaf, Leaf.bz), z);
  const cx = sub(load4(leaf, Leaf.cx), x);
  const cy = sub(load4(leaf, Leaf.cy), y);
  const cz = sub(load4(leaf, Leaf.cz), z);
  // Every relative coordinate is at most m and has an error of at most e. Each of the three terms of a volume
  // is a difference of two products, so the errors change it by at most 4 m e + 2 e^2. The last two terms of
  // `bound` cover the rounding errors (2^-17 m^2) and underflow.
  const m = <f64>load<f32>(leaf, Leaf.size) + max3(rx, ry, rz);
  const e = load<f64>(local, LocalRay.error) + 2.384185791015625e-7 * m;
  const bound = splat(<f32>(12 * (m + e) * e + 7.62939453125e-6 * m * m + 1e-36));
  const ab = volume(ax, ay, az, bx, by, bz, dx, dy, dz);
  const bc = volume(bx, by, bz, cx, cy, cz, dx, dy, dz);
  const ca = volume(cx, cy, cz, ax, ay, az, dx, dy, dz);
  const isAbove = gt(max4(max4(ab, bc), ca), bound);
  const isBelow = lt(min4(min4(ab, bc), ca), f32x4.neg(bound));
  return (
    ~maskBits(and(isAbove, isBelow)) & maskBits(i32x4.ne(v128.load(leaf, Leaf.id), i32x4.splat(NOTHING)))
  );
}
