// Computes an oriented bounding box (OBB) for each leaf of a mesh's tree. The first axis of the box is the
// mean normal of the leaf's triangles, weighted by area. The other two axes are perpendicular to the normal.
// They are rotated about the normal by several trial angles. The triangles have a bounding rectangle along the
// two rotated axes, and the angle with the smallest rectangle is kept. Based on Gottschalk, Lin and Manocha,
// OBBTree, 1996, but with trial angles instead of a covariance matrix.
import { difference, dot } from '../narrowphase/filterTriTri';
import { Leaf, LeafBox, MeshRecord } from '../records';
import { add, load4, max4, min4, mul, neg, splat, splatMax, sub } from '../simd/lanes';

/**
 * Number of trial angles. They divide 90 degrees into equal parts, since a rotation by 90 degrees gives the
 * same rectangle.
 */
const ANGLES: u32 = 8;
// Cosine and sine of 90 degrees / ANGLES.
const COSINE: f32 = 0.98078528;
const SINE: f32 = 0.19509032;
/**
 * Margin added to each half extent, relative to the size of the leaf: 1024 half ulps of float32, 2^-24 each.
 * This is more than the rounding errors of this file plus three times the deviation of the axes from an
 * orthonormal basis. This deviation is about 40 half ulps.
 */
const MARGIN: f32 = 6.103515625e-5;

/** Fills the boxes of the leaves from `begin` to end - 1. jobAt: the MeshRecord. */
export function fillLeafBoxes(jobAt: usize, begin: u32, end: u32): void {
  const leaves: usize = load<u32>(jobAt, MeshRecord.leavesAt);
  const boxes: usize = load<u32>(jobAt, MeshRecord.leafBoxesAt);
  for (let i = begin; i < end; i++) fillBox(leaves + <usize>i * Leaf.SIZE, boxes + <usize>i * LeafBox.SIZE);
}

function fillBox(leaf: usize, box: usize): void {
  const ax = load4(leaf, Leaf.ax);
  const ay = load4(leaf, Leaf.ay);
  const az = load4(leaf, Leaf.az);
  const ux = sub(load4(leaf, Leaf.bx), ax);
  const uy = sub(load4(leaf, Leaf.by), ay);
  const uz = sub(load4(leaf, Leaf.bz), az);
  const vx = sub(load4(leaf, Leaf.cx), ax);
  const vy = sub(load4(leaf, Leaf.cy), ay);
  const vz = sub(load4(leaf, Leaf.cz), az);
  let nx = sum(difference(uy, vz, uz, vy));
  let ny = sum(difference(uz, vx, ux, vz));
  let nz = sum(difference(ux, vy, uy, vx));
  const length = Mathf.sqrt(nx * nx + ny * ny + nz * nz);
  // If the triangles are degenerate, or too small for floats, any axes are valid.
  if (length > 1e-18) {
    nx /= length;
    ny /= length;
    nz /= length;
  } else {
    nx = 0;
    ny = 0;
    nz = 1;
  }
  // Before its rotation, the second axis (tx, ty, tz) is perpendicular to the normal and to a coordinate axis
  // that is not nearly parallel to the normal. The third axis (sx, sy, sz) is perpendicular to both.
  const isAlongX = abs(nx) > 0.6;
  const inverseLength: f32 = 1 / Mathf.sqrt(isAlongX ? nx * nx + nz * nz : ny * ny + nz * nz);
  const tx: f32 = isAlongX ? -nz * inverseLength : 0;
  const ty: f32 = isAlongX ? 0 : nz * inverseLength;
  const tz: f32 = isAlongX ? nx * inverseLength : -ny * inverseLength;
  const sx = ny * tz - nz * ty;
  const sy = nz * tx - nx * tz;
  const sz = nx * ty - ny * tx;

  // Coordinates of the corners along the two axes of the plane.
  const pa = along(leaf, Leaf.ax, tx, ty, tz);
  const pb = along(leaf, Leaf.bx, tx, ty, tz);
  const pc = along(leaf, Leaf.cx, tx, ty, tz);
  const qa = along(leaf, Leaf.ax, sx, sy, sz);
  const qb = along(leaf, Leaf.bx, sx, sy, sz);
  const qc = along(leaf, Leaf.cx, sx, sy, sz);
  let best: f32 = Infinity;
  let bestCosine: f32 = 1;
  let bestSine: f32 = 0;
  let cosine: f32 = 1;
  let sine: f32 = 0;
  let lowP: f32 = 0;
  let highP: f32 = 0;
  let lowQ: f32 = 0;
  let highQ: f32 = 0;
  for (let k: u32 = 0; k < ANGLES; k++) {
    const c = splat(cosine);
    const s = splat(sine);
    const a = add(mul(c, pa), mul(s, qa));
    const b = add(mul(c, pb), mul(s, qb));
    const d = add(mul(c, pc), mul(s, qc));
    const e = sub(mul(c, qa), mul(s, pa));
    const f = sub(mul(c, qb), mul(s, pb));
    const g = sub(mul(c, qc), mul(s, pc));
    const low1 = minLane(min4(min4(a, b), d));
    const high1 = maxLane(max4(max4(a, b), d));
    const low2 = minLane(min4(min4(e, f), g));
    const high2 = maxLane(max4(max4(e, f), g));
    const area = (high1 - low1) * (high2 - low2);
    if (area < best) {
      best = area;
      bestCosine = cosine;
      bestSine = sine;
      lowP = low1;
      highP = high1;
      lowQ = low2;
      highQ = high2;
    }
    const next = cosine * COSINE - sine * SINE;
    sine = sine * COSINE + cosine * SINE;
    cosine = next;
  }
  const na = along(leaf, Leaf.ax, nx, ny, nz);
  const nb = along(leaf, Leaf.bx, nx, ny, nz);
  const nc = along(leaf, Leaf.cx, nx, ny, nz);
  const lowN = minLane(min4(min4(na, nb), nc));
  const highN = maxLane(max4(max4(na, nb), nc));
  const px = bestCosine * tx + bestSine * sx;
  const py = bestCosine * ty + bestSine * sy;
  const pz = bestCosine * tz + bestSine * sz;
  const qx = bestCosine * sx - bestSine * tx;
  const qy = bestCosine * sy - bestSine * ty;
  const qz = bestCosine * sz - bestSine * tz;
  const n: f32 = 0.5 * (lowN + highN);
  const p: f32 = 0.5 * (lowP + highP);
  const q: f32 = 0.5 * (lowQ + highQ);
  const margin = MARGIN * load<f32>(leaf, Leaf.size);
  store4(box, nx, px, qx, load<f32>(leaf, Leaf.originX) + (n * nx + p * px + q * qx));
  store4(box + LeafBox.y, ny, py, qy, load<f32>(leaf, Leaf.originY) + (n * ny + p * py + q * qy));
  store4(box + LeafBox.z, nz, pz, qz, load<f32>(leaf, Leaf.originZ) + (n * nz + p * pz + q * qz));
  store4(
    box + LeafBox.half,
    0.5 * (highN - lowN) + margin,
    0.5 * (highP - lowP) + margin,
    0.5 * (highQ - lowQ) + margin,
    0,
  );
}

// Returns the coordinates of four corners along the axis (x, y, z). Their x coordinates are at `leaf +
// corner`; their y and z coordinates follow.
function along(leaf: usize, corner: usize, x: f32, y: f32, z: f32): v128 {
  return dot(
    splat(x),
    splat(y),
    splat(z),
    load4(leaf + corner),
    load4(leaf + corner, 16),
    load4(leaf + corner, 32),
  );
}
function store4(to: usize, a: f32, b: f32, c: f32, d: f32): void {
  store<f32>(to, a);
  store<f32>(to, b, 4);
  store<f32>(to, c, 8);
  store<f32>(to, d, 12);
}
function sum(v: v128): f32 {
  return (
    f32x4.extract_lane(v, 0) +
    f32x4.extract_lane(v, 1) +
    (f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3))
  );
}
function minLane(v: v128): f32 {
  return -maxLane(neg(v));
}
function maxLane(v: v128): f32 {
  return f32x4.extract_lane(splatMax(v), 0);
}
