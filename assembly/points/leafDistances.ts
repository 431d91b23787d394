// Computes in floats, with an error bound, the distances of the four triangles of a leaf from a point. The
// algorithm is the same as in nearestOnTriangle (proximity/features.ts), for four triangles at a time. So the
// error bound is the same multiple of the rounding unit in both files, but here it is the unit of floats. The
// bound is therefore 2^-17 times the largest extent of a triangle and the point together.
import { Leaf } from '../records';
import { add, and, ge, le, load4, max4, min4, mul, neg, splat, sub } from '../simd/lanes';

function dot(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
  return add(add(mul(ax, bx), mul(ay, by)), mul(az, bz));
}

// Returns the squared distance of a point from an edge. (wx, wy, wz) is the vector from the start of the edge
// to the point, (ex, ey, ez) the vector from the start of the edge to its end, and `square` the squared length
// of the edge. If the edge is a point, 0 / 0 gives NaN, which min4 replaces with 1.
// @ts-ignore: decorator
@inline
function edgeSquare(wx: v128, wy: v128, wz: v128, ex: v128, ey: v128, ez: v128, square: v128): v128 {
  const t = max4(splat(0), min4(splat(1), f32x4.div(dot(wx, wy, wz, ex, ey, ez), square)));
  const dx = sub(wx, mul(t, ex));
  const dy = sub(wy, mul(t, ey));
  const dz = sub(wz, mul(t, ez));
  return dot(dx, dy, dz, dx, dy, dz);
}

function select(a: v128, b: v128, mask: v128): v128 {
  return v128.bitselect(a, b, mask);
}

/**
 * Returns the squared distances of the four triangles from the point (x, y, z), which is relative to the leaf's
 * origin. Empty lanes have the distance of the leaf's first triangle.
 */
export function leafSquares(leaf: usize, x: v128, y: v128, z: v128): v128 {
  const ax = load4(leaf, Leaf.ax);
  const ay = load4(leaf, Leaf.ay);
  const az = load4(leaf, Leaf.az);
  const bx = load4(leaf, Leaf.bx);
  const by = load4(leaf, Leaf.by);
  const bz = load4(leaf, Leaf.bz);
  const cx = load4(leaf, Leaf.cx);
  const cy = load4(leaf, Leaf.cy);
  const cz = load4(leaf, Leaf.cz);
  // Edges ab, bc, ca, and the vectors from a, b and c to the point.
  const abx = sub(bx, ax);
  const aby = sub(by, ay);
  const abz = sub(bz, az);
  const bcx = sub(cx, bx);
  const bcy = sub(cy, by);
  const bcz = sub(cz, bz);
  const cax = sub(ax, cx);
  const cay = sub(ay, cy);
  const caz = sub(az, cz);
  const apx = sub(x, ax);
  const apy = sub(y, ay);
  const apz = sub(z, az);
  const bpx = sub(x, bx);
  const bpy = sub(y, by);
  const bpz = sub(z, bz);
  const cpx = sub(x, cx);
  const cpy = sub(y, cy);
  const cpz = sub(z, cz);
  const ab = dot(abx, aby, abz, abx, aby, abz);
  const bc = dot(bcx, bcy, bcz, bcx, bcy, bcz);
  const ca = dot(cax, cay, caz, cax, cay, caz);
  const edges = min4(
    min4(edgeSquare(apx, apy, apz, abx, aby, abz, ab), edgeSquare(bpx, bpy, bpz, bcx, bcy, bcz, bc)),
    edgeSquare(cpx, cpy, cpz, cax, cay, caz, ca),
  );
  // The face: u is the longest edge, v the vector from its start to the third corner, w from its start to the
  // point.
  const isAb = and(ge(ab, bc), ge(ab, ca));
  const isBc = ge(bc, ca);
  const ux = select(abx, select(bcx, cax, isBc), isAb);
  const uy = select(aby, select(bcy, cay, isBc), isAb);
  const uz = select(abz, select(bcz, caz, isBc), isAb);
  const vx = neg(select(cax, select(abx, bcx, isBc), isAb));
  const vy = neg(select(cay, select(aby, bcy, isBc), isAb));
  const vz = neg(select(caz, select(abz, bcz, isBc), isAb));
  const wx = select(apx, select(bpx, cpx, isBc), isAb);
  const wy = select(apy, select(bpy, cpy, isBc), isAb);
  const wz = select(apz, select(bpz, cpz, isBc), isAb);
  const inverse = f32x4.div(splat(1), max4(max4(ab, bc), ca));
  const along = mul(dot(ux, uy, uz, vx, vy, vz), inverse);
  const hx = sub(vx, mul(along, ux));
  const hy = sub(vy, mul(along, uy));
  const hz = sub(vz, mul(along, uz));
  const r = mul(dot(wx, wy, wz, ux, uy, uz), inverse);
  const acrossX = sub(wx, mul(r, ux));
  const acrossY = sub(wy, mul(r, uy));
  const acrossZ = sub(wz, mul(r, uz));
  const t = f32x4.div(dot(acrossX, acrossY, acrossZ, hx, hy, hz), dot(hx, hy, hz, hx, hy, hz));
  const s = sub(r, mul(t, along));
  const dx = sub(sub(wx, mul(s, ux)), mul(t, vx));
  const dy = sub(sub(wy, mul(s, uy)), mul(t, vy));
  const dz = sub(sub(wz, mul(s, uz)), mul(t, vz));
  const isInside = and(and(ge(t, splat(0)), ge(s, splat(0))), le(add(s, t), splat(1)));
  return select(min4(edges, dot(dx, dy, dz, dx, dy, dz)), edges, isInside);
}
