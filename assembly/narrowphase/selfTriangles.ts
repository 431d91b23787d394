// Filters candidates, that is, pairs of triangles of one mesh. dropSeparated drops a pair if the plane of one
// triangle separates the two triangles. placeFour then converts four pairs to the form that filterTriTri4
// reads.

import {
  BLOCK_BYTES,
  CANDIDATE_STRIDE,
  ERROR_AT,
  Leaf,
  LeafVertices,
  MeshRecord,
  PairRecord,
} from '../records';
import { gt, load4, lt, maskBits, mul, neg, or, splat, sub } from '../simd/lanes';
import { all3, coarseBound, difference, dot, gather, maxAbs } from './filterTriTri';

// Each of these functions returns one coordinate of four corners, given as rows (x, y, z, unused).
function rowsX(r0: v128, r1: v128, r2: v128, r3: v128): v128 {
  return v128.shuffle<f32>(
    v128.shuffle<f32>(r0, r1, 0, 4, 1, 5),
    v128.shuffle<f32>(r2, r3, 0, 4, 1, 5),
    0,
    1,
    4,
    5,
  );
}
function rowsY(r0: v128, r1: v128, r2: v128, r3: v128): v128 {
  return v128.shuffle<f32>(
    v128.shuffle<f32>(r0, r1, 0, 4, 1, 5),
    v128.shuffle<f32>(r2, r3, 0, 4, 1, 5),
    2,
    3,
    6,
    7,
  );
}
function rowsZ(r0: v128, r1: v128, r2: v128, r3: v128): v128 {
  return v128.shuffle<f32>(
    v128.shuffle<f32>(r0, r1, 2, 6, 3, 7),
    v128.shuffle<f32>(r2, r3, 2, 6, 3, 7),
    0,
    1,
    4,
    5,
  );
}

// Returns the coordinates of one corner of a triangle as they are stored at positionsAt. lane: the address of
// the triangle's lane in LeafVertices. offset: which corner (LeafVertices.first, second or third).
function corner(positions: usize, lane: usize, offset: usize): v128 {
  return load4(positions + <usize>load<u32>(lane + offset) * 12);
}

// Returns the error bound of the coordinates at positionsAt, multiplied by the mesh's scale; 0 unless the mesh
// has vertices in doubles. An underflow does no harm, because coarseBound adds far more than an underflow
// loses.
function errorOf(mesh: usize): v128 {
  return splat(load<f32>(mesh, MeshRecord.rounding) * load<f32>(mesh, MeshRecord.scale));
}

/**
 * Drops candidates in which one triangle surely lies on one side of the other triangle's plane. These are
 * most of the candidates. Dropping them first lets filterTriTri4 work on full groups of four. This function
 * also reads candidates in groups of four, so it first pads the list after `count` entries with copies of the
 * first candidate. Returns how many candidates remain.
 */
export function dropSeparated(pair: usize, table: usize, candidates: usize, count: u32): u32 {
  const mesh: usize = load<u32>(pair, PairRecord.meshA);
  const scale = v128.load32_splat(mesh, MeshRecord.scale);
  const positions: usize = load<u32>(mesh, MeshRecord.positionsAt);
  const error = errorOf(mesh);
  const end = candidates + ((<usize>count) << 2);
  v128.store(end, v128.load32_splat(candidates));
  v128.store(end, v128.load32_splat(candidates, <usize>CANDIDATE_STRIDE), <usize>CANDIDATE_STRIDE);
  let top = candidates;
  for (let at = candidates; at < end; at += 4 * 4) {
    const a = load4(at);
    const b = load4(at, <usize>CANDIDATE_STRIDE);
    const left = <u32>(end - at) >> 2;
    const kept = ~separatedLanes(positions, scale, error, at) & (left < 4 ? (1 << left) - 1 : 15);
    const pack = v128.load(table + ((<usize>kept) << 4));
    v128.store(top, i8x16.swizzle(a, pack));
    v128.store(top, i8x16.swizzle(b, pack), <usize>CANDIDATE_STRIDE);
    top += (<usize>popcnt(kept)) << 2;
  }
  return <u32>((top - candidates) >> 2);
}

// Tests four candidates, each of which consists of a triangle A and a triangle B. Bit i of the result is set
// if, in candidate i, all of B surely lies on one side of A's plane, or all of A on one side of B's plane. The
// coordinates used are differences of the coordinates at positionsAt, rounded once and scaled by a power of
// two. error: see errorOf.
function separatedLanes(positions: usize, scale: v128, error: v128, at: usize): i32 {
  const a0: usize = load<u32>(at);
  const a1: usize = load<u32>(at, 4);
  const a2: usize = load<u32>(at, 8);
  const a3: usize = load<u32>(at, 12);
  const b0: usize = load<u32>(at, <usize>CANDIDATE_STRIDE);
  const b1: usize = load<u32>(at, <usize>CANDIDATE_STRIDE + 4);
  const b2: usize = load<u32>(at, <usize>CANDIDATE_STRIDE + 8);
  const b3: usize = load<u32>(at, <usize>CANDIDATE_STRIDE + 12);
  const o0 = corner(positions, a0, LeafVertices.first);
  const o1 = corner(positions, a1, LeafVertices.first);
  const o2 = corner(positions, a2, LeafVertices.first);
  const o3 = corner(positions, a3, LeafVertices.first);
  const u0 = mul(sub(corner(positions, a0, LeafVertices.second), o0), scale);
  const u1 = mul(sub(corner(positions, a1, LeafVertices.second), o1), scale);
  const u2 = mul(sub(corner(positions, a2, LeafVertices.second), o2), scale);
  const u3 = mul(sub(corner(positions, a3, LeafVertices.second), o3), scale);
  const ux = rowsX(u0, u1, u2, u3);
  const uy = rowsY(u0, u1, u2, u3);
  const uz = rowsZ(u0, u1, u2, u3);
  const v0 = mul(sub(corner(positions, a0, LeafVertices.third), o0), scale);
  const v1 = mul(sub(corner(positions, a1, LeafVertices.third), o1), scale);
  const v2 = mul(sub(corner(positions, a2, LeafVertices.third), o2), scale);
  const v3 = mul(sub(corner(positions, a3, LeafVertices.third), o3), scale);
  const vx = rowsX(v0, v1, v2, v3);
  const vy = rowsY(v0, v1, v2, v3);
  const vz = rowsZ(v0, v1, v2, v3);
  const nx = difference(uy, vz, uz, vy);
  const ny = difference(uz, vx, ux, vz);
  const nz = difference(ux, vy, uy, vx);
  const p0 = mul(sub(corner(positions, b0, LeafVertices.first), o0), scale);
  const p1 = mul(sub(corner(positions, b1, LeafVertices.first), o1), scale);
  const p2 = mul(sub(corner(positions, b2, LeafVertices.first), o2), scale);
  const p3 = mul(sub(corner(positions, b3, LeafVertices.first), o3), scale);
  const px = rowsX(p0, p1, p2, p3);
  const py = rowsY(p0, p1, p2, p3);
  const pz = rowsZ(p0, p1, p2, p3);
  const q0 = mul(sub(corner(positions, b0, LeafVertices.second), o0), scale);
  const q1 = mul(sub(corner(positions, b1, LeafVertices.second), o1), scale);
  const q2 = mul(sub(corner(positions, b2, LeafVertices.second), o2), scale);
  const q3 = mul(sub(corner(positions, b3, LeafVertices.second), o3), scale);
  const qx = rowsX(q0, q1, q2, q3);
  const qy = rowsY(q0, q1, q2, q3);
  const qz = rowsZ(q0, q1, q2, q3);
  const r0 = mul(sub(corner(positions, b0, LeafVertices.third), o0), scale);
  const r1 = mul(sub(corner(positions, b1, LeafVertices.third), o1), scale);
  const r2 = mul(sub(corner(positions, b2, LeafVertices.third), o2), scale);
  const r3 = mul(sub(corner(positions, b3, LeafVertices.third), o3), scale);
  const rx = rowsX(r0, r1, r2, r3);
  const ry = rowsY(r0, r1, r2, r3);
  const rz = rowsZ(r0, r1, r2, r3);
  const size = maxAbs(
    maxAbs(maxAbs(maxAbs(maxAbs(splat(0), ux, uy, uz), vx, vy, vz), px, py, pz), qx, qy, qz),
    rx,
    ry,
    rz,
  );
  const tau = coarseBound(size, error);
  const apart = areBeyond(
    dot(nx, ny, nz, px, py, pz),
    dot(nx, ny, nz, qx, qy, qz),
    dot(nx, ny, nz, rx, ry, rz),
    tau,
  );
  if (maskBits(apart) == 15) return 15;
  // Vectors from B's first corner are differences of the differences above. They are up to twice as long and
  // have less than 4 times the error, so a determinant of three of them has less than 16 times the error.
  const ex = sub(qx, px);
  const ey = sub(qy, py);
  const ez = sub(qz, pz);
  const fx = sub(rx, px);
  const fy = sub(ry, py);
  const fz = sub(rz, pz);
  const mx = difference(ey, fz, ez, fy);
  const my = difference(ez, fx, ex, fz);
  const mz = difference(ex, fy, ey, fx);
  return maskBits(
    or(
      apart,
      areBeyond(
        neg(dot(mx, my, mz, px, py, pz)),
        dot(mx, my, mz, sub(ux, px), sub(uy, py), sub(uz, pz)),
        dot(mx, my, mz, sub(vx, px), sub(vy, py), sub(vz, pz)),
        mul(tau, splat(16)),
      ),
    ),
  );
}

function areBeyond(x: v128, y: v128, z: v128, tau: v128): v128 {
  const minus = neg(tau);
  return or(all3(gt(x, tau), gt(y, tau), gt(z, tau)), all3(lt(x, minus), lt(y, minus), lt(z, minus)));
}

/**
 * Writes four candidates to the two blocks that filterTriTri4 reads: the triangles given at `a` to the block
 * at `block`, and the triangles given at `b` to the block BLOCK_BYTES later. Coordinates are relative to the
 * first corner of the candidate's first triangle. The addresses of the lanes in the blocks replace the four
 * candidates at `a` and `b`. Each relative coordinate is a difference that is rounded once. filterTriTri4
 * always allows for one rounding of each difference, so the second block stores only the error of the mesh's
 * own coordinates (see errorOf).
 */
export function placeFour(pair: usize, a: usize, b: usize, block: usize): void {
  const mesh: usize = load<u32>(pair, PairRecord.meshA);
  const scale = v128.load32_splat(mesh, MeshRecord.scale);
  const positions: usize = load<u32>(mesh, MeshRecord.positionsAt);
  const o0 = corner(positions, load<u32>(a), LeafVertices.first);
  const o1 = corner(positions, load<u32>(a, 4), LeafVertices.first);
  const o2 = corner(positions, load<u32>(a, 8), LeafVertices.first);
  const o3 = corner(positions, load<u32>(a, 12), LeafVertices.first);
  placeCorners(positions, scale, a, o0, o1, o2, o3, block);
  placeCorners(positions, scale, b, o0, o1, o2, o3, block + <usize>BLOCK_BYTES);
  v128.store(block + <usize>BLOCK_BYTES, errorOf(mesh), <usize>ERROR_AT);
  const lanes = i32x4.add(i32x4.splat(<i32>block), i32x4(0, 4, 8, 12));
  v128.store(a, lanes);
  v128.store(b, i32x4.add(lanes, i32x4.splat(BLOCK_BYTES)));
}

function placeCorners(
  positions: usize,
  scale: v128,
  at: usize,
  o0: v128,
  o1: v128,
  o2: v128,
  o3: v128,
  to: usize,
): void {
  const t0: usize = load<u32>(at);
  const t1: usize = load<u32>(at, 4);
  const t2: usize = load<u32>(at, 8);
  const t3: usize = load<u32>(at, 12);
  v128.store(to, gather(t0, t1, t2, t3, LeafVertices.id), Leaf.id);
  for (let k: usize = 0; k < LeafVertices.id; k += LeafVertices.second, to += Leaf.bx) {
    const r0 = mul(sub(corner(positions, t0, k), o0), scale);
    const r1 = mul(sub(corner(positions, t1, k), o1), scale);
    const r2 = mul(sub(corner(positions, t2, k), o2), scale);
    const r3 = mul(sub(corner(positions, t3, k), o3), scale);
    v128.store(to, rowsX(r0, r1, r2, r3));
    v128.store(to, rowsY(r0, r1, r2, r3), 16);
    v128.store(to, rowsZ(r0, r1, r2, r3), 32);
  }
}
