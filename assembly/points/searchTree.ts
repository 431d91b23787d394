// Searches a mesh's tree for the triangles that are nearest to a point: depth first, nearer boxes first. Lower
// bounds of the distances of boxes, and of the triangles in leaves, are computed in floats and allow for all
// errors. They are compared with the smallest upper bound so far (UPPER). Triangles that remain are measured in
// doubles.
import {
  LEAF_BIT,
  Leaf,
  MeshRecord,
  NearTriangle,
  NOTHING,
  Node,
  POINT_ENTRY_BYTES,
  PointsJob,
} from '../records';
import { add, le, load4, max4, min4, mul, splat, sub } from '../simd/lanes';
import { leafSquares } from './leafDistances';
import {
  CANDIDATES,
  DISTANCE,
  ERROR_BOUND,
  finishMeasure,
  LEAF_SQUARES,
  measure,
  NEAREST,
  offer,
  POINT,
  UPPER,
} from './nearestTriangle';
import { reachOf, stored } from './storedFrame';

const ENTRY: usize = POINT_ENTRY_BYTES;
const MAX_FLOAT: f32 = 3.4028234663852886e38;
/**
 * If a point is farther from the origin of the normalized frame than this many times the reach of the mesh,
 * searchFar is used. Its bounds are too low by about reach^2 / 2 / distance. The bounds of leaves in searchNear
 * are too low by LEAF_ERROR times the distance. At the distance NEAR * reach, both errors are about equal.
 */
const NEAR: f64 = 128;
// 2^-22: bounds the error of a gap on an axis, which has three roundings, relative to the coordinates.
const GAP_ERROR: f64 = 2.384185791015625e-7;
// 2^-50: bounds the error of a length in doubles, relative to the length.
const FAR_ERROR: f64 = 8.881784197001252e-16;
// 1 + 2^-20: covers the roundings of squares and of their sum.
const ROUND_UP: f64 = 1.00000095367431640625;
// 2^-100: more than the square of a float loses by underflow.
const UNDERFLOW: f64 = 7.888609052210118e-31;
// 2^-16: bounds the error of a distance whose square leafSquares returns, including the rounding of the point
// and of the corners. The bound is relative to the sum of two lengths: the size of the leaf, and the largest
// |coordinate| of the point as seen from the leaf's origin. 2^-50: more than the width of triangles for which a
// square in leafSquares underflows.
const LEAF_ERROR: f64 = 1.52587890625e-5;
const LEAF_UNDERFLOW: f64 = 8.881784197001252e-16;
// 2^-20: bounds the error of the projection of a box or a corner onto a direction that is given in floats,
// relative to the coordinates of the box or the corner.
const FAR_BOX_ERROR: f64 = 9.5367431640625e-7;
/** Number of candidates that are kept before they are measured. */
const CANDIDATE_COUNT: u32 = 96;

function limitOfSquare(length: f64): f32 {
  return min<f32>(<f32>(length * length * ROUND_UP + UNDERFLOW), MAX_FLOAT);
}

// Sorts those children of a node whose lower bounds are at most the limit, and pushes them so that the child
// with the smallest bound is on top. bounds: the lower bounds of the four children, not negative. In
// searchNear, they bound the squared distances; searchFar describes its own bounds. For the sort, the number of
// the lane replaces the lowest two bits of each bound. These bits are 0 in the pushed bounds, so no pushed
// bound is too large.
// @ts-ignore: decorator
@inline
function pushChildren(node: usize, bounds: v128, limit: f32, top: usize): usize {
  // The half extents of missing children are -Infinity, so their bounds are Infinity or, in searchFar, may be
  // NaN. Neither is at most the limit.
  const mask = i32x4.bitmask(le(bounds, splat(limit)));
  if (mask == 0) return top;
  const keys = v128.bitselect(
    v128.or(v128.and(bounds, i32x4.splat(~3)), i32x4(0, 1, 2, 3)),
    i32x4.splat(i32.MAX_VALUE),
    i32x4.ne(v128.and(i32x4.splat(mask), i32x4(1, 2, 4, 8)), i32x4.splat(0)),
  );
  const k0 = i32x4.extract_lane(keys, 0);
  const k1 = i32x4.extract_lane(keys, 1);
  const k2 = i32x4.extract_lane(keys, 2);
  const k3 = i32x4.extract_lane(keys, 3);
  const low01 = min(k0, k1);
  const high01 = max(k0, k1);
  const low23 = min(k2, k3);
  const high23 = max(k2, k3);
  const first = min(low01, low23);
  const last = max(high01, high23);
  const a = max(low01, low23);
  const b = min(high01, high23);
  const count = popcnt(mask);
  if (count > 3) top = push(node, last, top);
  if (count > 2) top = push(node, max(a, b), top);
  if (count > 1) top = push(node, min(a, b), top);
  return push(node, first, top);
}

// @ts-ignore: decorator
@inline
function push(node: usize, key: i32, top: usize): usize {
  store<i32>(top, key & ~3);
  store<u32>(top, load<u32>(node + ((<usize>(key & 3)) << 2), Node.child), 4);
  return top + ENTRY;
}

// Offers a triangle to a search for the nearest triangle, or lists it.
function visit(job: usize, scratch: usize, mesh: usize, triangle: u32): void {
  if (job == 0) offer(scratch, mesh, triangle);
  else list(job, scratch, mesh, triangle);
}

// Appends the triangle to the list of the job if its distance may be at most UPPER. If the list is full, the
// triangle is only counted.
function list(job: usize, scratch: usize, mesh: usize, triangle: u32): void {
  measure(scratch, mesh, triangle);
  if (load<f64>(scratch, DISTANCE) - load<f64>(scratch, ERROR_BOUND) > load<f64>(scratch, UPPER)) return;
  const count = load<u32>(job, PointsJob.listCount);
  store<u32>(job, count + 1, PointsJob.listCount);
  if (count >= load<u32>(job, PointsJob.listCapacity)) return;
  finishMeasure(scratch);
  const to = <usize>load<u32>(job, PointsJob.listAt) + <usize>count * NearTriangle.SIZE;
  store<u32>(to, triangle, NearTriangle.triangle);
  store<f64>(to, load<f64>(scratch, DISTANCE), NearTriangle.distance);
  memory.copy(to + NearTriangle.point, scratch + NEAREST, 24);
}

/**
 * Visits each triangle whose distance from the point may be at most UPPER. If `job` is 0, `offer` keeps the
 * nearest triangle; otherwise `list` lists the triangles. UPPER may decrease during the search. stack: room for
 * three PointEntries for each level of the tree, and one more.
 */
// @ts-ignore: decorator
@inline
export function searchTree(scratch: usize, mesh: usize, stack: usize, job: usize): void {
  const x = stored(mesh, scratch + POINT, 0);
  const y = stored(mesh, scratch + POINT, 4);
  const z = stored(mesh, scratch + POINT, 8);
  const reach = reachOf(mesh);
  const size = max(abs(x), max(abs(y), abs(z)));
  if (size <= NEAR * reach) searchNear(scratch, mesh, stack, x, y, z, size + 2 * reach, job);
  else searchFar(scratch, mesh, stack, x, y, z, size + 2 * reach, job);
}

// @ts-ignore: decorator
@inline
function searchNear(
  scratch: usize,
  mesh: usize,
  stack: usize,
  x: f64,
  y: f64,
  z: f64,
  size: f64,
  job: usize,
): void {
  const nodes: usize = load<u32>(mesh, MeshRecord.nodesAt);
  const leaves: usize = load<u32>(mesh, MeshRecord.leavesAt);
  const scale = <f64>load<f32>(mesh, MeshRecord.scale);
  const storedError = <f64>load<f32>(mesh, MeshRecord.storedError);
  const slack = splat(<f32>(size * GAP_ERROR + 2 * storedError));
  const px = splat(<f32>x);
  const py = splat(<f32>y);
  const pz = splat(<f32>z);
  let count: u32 = 0;
  let limit = limitOfSquare(load<f64>(scratch, UPPER) * scale);
  store<i32>(stack, 0);
  store<u32>(stack, 0, 4);
  let top = stack + ENTRY;
  while (top > stack) {
    top -= ENTRY;
    if (!(load<f32>(top) <= limit)) continue;
    const handle = load<u32>(top, 4);
    if ((handle & LEAF_BIT) != 0) {
      const leaf = leaves + <usize>(handle & ~LEAF_BIT) * Leaf.SIZE;
      count = visitLeaf(scratch, mesh, leaf, x, y, z, scale, storedError, job, count);
      limit = limitOfSquare(load<f64>(scratch, UPPER) * scale);
      continue;
    }
    const node = nodes + <usize>handle * Node.SIZE;
    const zero = splat(0);
    const gx = max4(
      sub(f32x4.abs(sub(px, load4(node, Node.centerX))), add(load4(node, Node.halfX), slack)),
      zero,
    );
    const gy = max4(
      sub(f32x4.abs(sub(py, load4(node, Node.centerY))), add(load4(node, Node.halfY), slack)),
      zero,
    );
    const gz = max4(
      sub(f32x4.abs(sub(pz, load4(node, Node.centerZ))), add(load4(node, Node.halfZ), slack)),
      zero,
    );
    top = pushChildren(node, add(add(mul(gx, gx), mul(gy, gy)), mul(gz, gz)), limit, top);
  }
  measureCandidates(job, scratch, mesh, scale, count);
}

// Lowers UPPER if the leaf gives a smaller upper bound of the distance. Then appends to the list of candidates
// those triangles of the leaf that may be nearest to the point. count: the number of candidates so far. Returns
// the new number of candidates.
// @ts-ignore: decorator
@inline
function visitLeaf(
  scratch: usize,
  mesh: usize,
  leaf: usize,
  x: f64,
  y: f64,
  z: f64,
  scale: f64,
  storedError: f64,
  job: usize,
  count: u32,
): u32 {
  const qx = <f32>(x - <f64>load<f32>(leaf, Leaf.originX));
  const qy = <f32>(y - <f64>load<f32>(leaf, Leaf.originY));
  const qz = <f32>(z - <f64>load<f32>(leaf, Leaf.originZ));
  const size = <f64>load<f32>(leaf, Leaf.size) + <f64>max(abs(qx), max(abs(qy), abs(qz)));
  const error = size * LEAF_ERROR + 4 * storedError + LEAF_UNDERFLOW;
  const squares = leafSquares(leaf, splat(qx), splat(qy), splat(qz));
  // Empty lanes repeat the first triangle, so all four lanes bound the distance.
  const lowest = f32x4.extract_lane(lowestLane(squares), 0);
  const upper = (sqrt(<f64>lowest) * ROUND_UP + error) / scale;
  if (upper < load<f64>(scratch, UPPER)) store<f64>(scratch, upper, UPPER);
  const limit = limitOfSquare(load<f64>(scratch, UPPER) * scale + error);
  let mask = i32x4.bitmask(le(squares, splat(limit)));
  if (mask == 0) return count;
  v128.store(scratch + LEAF_SQUARES, squares);
  for (; mask != 0; mask &= mask - 1) {
    const lane = (<usize>ctz(mask)) << 2;
    const triangle = load<u32>(leaf + lane, Leaf.id);
    if (triangle == NOTHING) continue;
    if (count == CANDIDATE_COUNT) {
      measureCandidates(job, scratch, mesh, scale, count);
      count = 0;
    }
    const to = scratch + CANDIDATES + <usize>count * ENTRY;
    store<f32>(to, <f32>((sqrt(<f64>load<f32>(scratch + lane, LEAF_SQUARES)) - error) * (2 - ROUND_UP)));
    store<u32>(to, triangle, 4);
    count++;
  }
  return count;
}

function lowestLane(v: v128): v128 {
  const w = min4(v, v128.shuffle<u32>(v, v, 2, 3, 0, 1));
  return min4(w, v128.shuffle<u32>(w, w, 1, 0, 3, 2));
}

// Visits the candidates whose lower bound is at most UPPER. A candidate consists of a triangle and a lower
// bound of the triangle's distance in the normalized frame. The bound may be negative.
function measureCandidates(job: usize, scratch: usize, mesh: usize, scale: f64, count: u32): void {
  const end = scratch + CANDIDATES + <usize>count * ENTRY;
  for (let at = scratch + CANDIDATES; at < end; at += ENTRY)
    if (<f64>load<f32>(at) * (2 - ROUND_UP) <= load<f64>(scratch, UPPER) * scale + LEAF_UNDERFLOW)
      visit(job, scratch, mesh, load<u32>(at, 4));
}

// Like searchNear, for a point whose distance from the mesh is large compared with the size of the mesh. Boxes
// and the point are projected onto the direction from the origin of the normalized frame to the point. The gap
// between the projections of a box and of the point is at most their distance. The bound of a box is this gap
// minus the smallest gap that any box of the mesh can have. So a bound is never negative, and its rounding
// error is relative to the size of the mesh, not to the distance of the point.
// @ts-ignore: decorator
@inline
function searchFar(
  scratch: usize,
  mesh: usize,
  stack: usize,
  x: f64,
  y: f64,
  z: f64,
  size: f64,
  job: usize,
): void {
  const nodes: usize = load<u32>(mesh, MeshRecord.nodesAt);
  const leaves: usize = load<u32>(mesh, MeshRecord.leavesAt);
  const scale = <f64>load<f32>(mesh, MeshRecord.scale);
  const length = sqrt(x * x + y * y + z * z);
  const ux = splat(<f32>(x / length));
  const uy = splat(<f32>(y / length));
  const uz = splat(<f32>(z / length));
  const reach = 2 * reachOf(mesh);
  // Covers the error of a projection of the point in doubles, and the error of a projection of a box in floats.
  const error = size * FAR_ERROR + reach * FAR_BOX_ERROR + 4 * <f64>load<f32>(mesh, MeshRecord.storedError);
  const farthest = splat(<f32>reach);
  const base = length - reach - error - LEAF_UNDERFLOW;
  let limit = farLimit(scratch, scale, base);
  store<i32>(stack, 0);
  store<u32>(stack, 0, 4);
  let top = stack + ENTRY;
  while (top > stack) {
    top -= ENTRY;
    if (!(load<f32>(top) <= limit)) continue;
    const handle = load<u32>(top, 4);
    if ((handle & LEAF_BIT) != 0) {
      const leaf = leaves + <usize>(handle & ~LEAF_BIT) * Leaf.SIZE;
      visitFarLeaf(job, scratch, mesh, leaf, ux, uy, uz, x, y, z, length, scale, error);
      limit = farLimit(scratch, scale, base);
      continue;
    }
    const node = nodes + <usize>handle * Node.SIZE;
    const center = along(
      ux,
      uy,
      uz,
      load4(node, Node.centerX),
      load4(node, Node.centerY),
      load4(node, Node.centerZ),
    );
    const half = along(
      f32x4.abs(ux),
      f32x4.abs(uy),
      f32x4.abs(uz),
      load4(node, Node.halfX),
      load4(node, Node.halfY),
      load4(node, Node.halfZ),
    );
    // Missing children have the bound Infinity, or NaN if a component of the direction is 0.
    top = pushChildren(node, max4(sub(sub(farthest, center), half), splat(0)), limit, top);
  }
}

// Returns the limit for searchFar: boxes with larger bounds are skipped. base: a box whose bound is 0 has at
// least this distance from the point, in the normalized frame.
function farLimit(scratch: usize, scale: f64, base: f64): f32 {
  return max<f32>(
    min<f32>(<f32>((load<f64>(scratch, UPPER) * scale - base) * ROUND_UP + UNDERFLOW), MAX_FLOAT),
    -1,
  );
}

// Visits the triangles of a leaf that may be nearest, according to the gaps between the projections that
// searchFar describes. (ux, uy, uz): the direction to the point. length: the length of the vector (x, y, z).
// error: see searchFar.
// @ts-ignore: decorator
@inline
function visitFarLeaf(
  job: usize,
  scratch: usize,
  mesh: usize,
  leaf: usize,
  ux: v128,
  uy: v128,
  uz: v128,
  x: f64,
  y: f64,
  z: f64,
  length: f64,
  scale: f64,
  error: f64,
): void {
  const highest = max4(
    max4(
      along(ux, uy, uz, load4(leaf, Leaf.ax), load4(leaf, Leaf.ay), load4(leaf, Leaf.az)),
      along(ux, uy, uz, load4(leaf, Leaf.bx), load4(leaf, Leaf.by), load4(leaf, Leaf.bz)),
    ),
    along(ux, uy, uz, load4(leaf, Leaf.cx), load4(leaf, Leaf.cy), load4(leaf, Leaf.cz)),
  );
  v128.store(scratch + LEAF_SQUARES, highest);
  const toOrigin =
    ((x - <f64>load<f32>(leaf, Leaf.originX)) * x +
      (y - <f64>load<f32>(leaf, Leaf.originY)) * y +
      (z - <f64>load<f32>(leaf, Leaf.originZ)) * z) /
    length;
  const slack = <f64>load<f32>(leaf, Leaf.size) * FAR_BOX_ERROR + error + LEAF_UNDERFLOW;
  for (let lane: usize = 0; lane < 16; lane += 4) {
    const triangle = load<u32>(leaf + lane, Leaf.id);
    const bound = toOrigin - <f64>load<f32>(scratch + lane, LEAF_SQUARES) - slack;
    if (triangle != NOTHING && bound <= load<f64>(scratch, UPPER) * scale)
      visit(job, scratch, mesh, triangle);
  }
}

function along(ux: v128, uy: v128, uz: v128, x: v128, y: v128, z: v128): v128 {
  return add(add(mul(ux, x), mul(uy, y)), mul(uz, z));
}
