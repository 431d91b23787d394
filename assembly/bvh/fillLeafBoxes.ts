// Leaves -> boxes around them, turned as their triangles lie: one axis upright on them, two along them
// (Gottschalk et al. 1996, by angles instead of a covariance).
import { difference, dot } from '../narrowphase/judgeTriangles';
import { Leaf, LeafBox, MeshRecord } from '../records';
import { add, greatest, least, load4, most, mul, neg, splat, sub } from '../simd/lanes';

/** Quarter turns are symmetries of a rectangle: this many angles share one. */
const ANGLES: u32 = 8;
// Cosine and sine of a quarter turn / ANGLES.
const COSINE: f32 = 0.98078528;
const SINE: f32 = 0.19509032;
/**
 * Of a leaf's size: 1024 roundings of a float, more than what is lost here, and what axes lack to be of unit
 * length and upright on each other, some forty, three times over.
 */
const MARGIN: f32 = 6.103515625e-5;

/** jobAt: the MeshRecord. Leaves begin <= i < end. */
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
  // Triangles without area, or too small for floats: any axes will do.
  if (length > 1e-18) {
    nx /= length;
    ny /= length;
    nz /= length;
  } else {
    nx = 0;
    ny = 0;
    nz = 1;
  }
  // Across the axis from which it is farthest.
  const isAlongX = abs(nx) > 0.6;
  const flat: f32 = 1 / Mathf.sqrt(isAlongX ? nx * nx + nz * nz : ny * ny + nz * nz);
  const tx: f32 = isAlongX ? -nz * flat : 0;
  const ty: f32 = isAlongX ? 0 : nz * flat;
  const tz: f32 = isAlongX ? nx * flat : -ny * flat;
  const sx = ny * tz - nz * ty;
  const sy = nz * tx - nx * tz;
  const sz = nx * ty - ny * tx;

  // Corners by these axes.
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
    const low1 = leastOf(least(least(a, b), d));
    const high1 = mostOf(most(most(a, b), d));
    const low2 = leastOf(least(least(e, f), g));
    const high2 = mostOf(most(most(e, f), g));
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
  const lowN = leastOf(least(least(na, nb), nc));
  const highN = mostOf(most(most(na, nb), nc));
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
  put(box, nx, px, qx, load<f32>(leaf, Leaf.originX) + (n * nx + p * px + q * qx));
  put(box + LeafBox.y, ny, py, qy, load<f32>(leaf, Leaf.originY) + (n * ny + p * py + q * qy));
  put(box + LeafBox.z, nz, pz, qz, load<f32>(leaf, Leaf.originZ) + (n * nz + p * pz + q * qz));
  put(
    box + LeafBox.half,
    0.5 * (highN - lowN) + margin,
    0.5 * (highP - lowP) + margin,
    0.5 * (highQ - lowQ) + margin,
    0,
  );
}

// Four corners, whose first coordinates are at leaf + corner, along an axis.
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
function put(to: usize, a: f32, b: f32, c: f32, d: f32): void {
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
function leastOf(v: v128): f32 {
  return -mostOf(neg(v));
}
function mostOf(v: v128): f32 {
  return f32x4.extract_lane(greatest(v), 0);
}
