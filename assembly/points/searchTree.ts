// Searches a mesh's tree for the triangles that are nearest to a point: depth first, nearer boxes first. Boxes and
// leaves are compared in floats, with bounds of all errors; triangles that remain are measured in doubles.
import { LEAF_BIT, Leaf, MeshRecord, NearTriangle, NOTHING, Node, POINT_ENTRY_BYTES, PointsJob } from '../records';
import { add, and, le, load4, max4, mul, splat, sub } from '../simd/lanes';
import { leafSquares } from './leafDistances';
import { DISTANCE, ERROR_BOUND, finishMeasure, LEAF_SQUARES, measure, NEAREST, offer, POINT, UPPER } from './nearestTriangle';

const ENTRY: usize = POINT_ENTRY_BYTES;
const MAX_FLOAT: f32 = 3.4028234663852886e38;
/** Points farther from the mesh's frame than this many times the mesh's reach are compared in doubles. */
const NEAR: f64 = 8;
// 2^-22: bounds the error of a gap on an axis, which has three roundings, relative to the coordinates.
const GAP_ERROR: f64 = 2.384185791015625e-7;
// 2^-50: the same for doubles, with room for the roundings of the length.
const FAR_ERROR: f64 = 8.881784197001252e-16;
// 1 + 2^-20: covers the roundings of squares and of their sum.
const ROUND_UP: f64 = 1.00000095367431640625;
// 2^-100: more than what the square of a float loses by underflow.
const UNDERFLOW: f64 = 7.888609052210118e-31;
// 2^-16: the error of leafSquares relative to the extent of leaf and point, and the roundings of the point and of the
// corners. 2^-50: more than the width of triangles for which a square in leafSquares underflows.
const LEAF_ERROR: f64 = 1.52587890625e-5;
const LEAF_UNDERFLOW: f64 = 8.881784197001252e-16;

// Returns the largest stored |coordinate| of the mesh on an axis; axis: byte offset, 0, 4 or 8.
function reachAlong(mesh: usize, axis: usize): f64 {
  return abs(<f64>load<f32>(mesh + axis, MeshRecord.middleX)) + <f64>load<f32>(mesh + axis, MeshRecord.halfX);
}

function stored(scratch: usize, mesh: usize, axis: usize): f64 {
  return (
    (load<f64>(scratch + (axis << 1), POINT) - <f64>load<f32>(mesh + axis, MeshRecord.centerX)) *
    <f64>load<f32>(mesh, MeshRecord.scale)
  );
}

function limitOfSquare(length: f64): f32 {
  return min<f32>(<f32>(length * length * ROUND_UP + UNDERFLOW), MAX_FLOAT);
}

// Sorts the children of a node whose bounds are at most the limit, and pushes them so that the one with the smallest
// bound is on top. bounds: four floats, not negative. Their lowest two bits are replaced by the number of the lane,
// which makes a bound smaller or leaves it as it is.
// @ts-ignore: decorator
@inline
function pushChildren(node: usize, bounds: v128, limit: f32, top: usize): usize {
  const mask = i32x4.bitmask(and(le(bounds, splat(limit)), i32x4.ne(load4(node, Node.child), i32x4.splat(NOTHING))));
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

// Appends the triangle to the list of the job if its distance may be at most UPPER. A full list only counts.
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
 * Offers all triangles whose distance from the point may be at most UPPER, which decreases meanwhile. If `job` is not
 * 0, lists them instead. stack: room for three PointEntries for each level of the tree, and one more.
 */
// @ts-ignore: decorator
@inline
export function searchTree(scratch: usize, mesh: usize, stack: usize, job: usize): void {
  const x = stored(scratch, mesh, 0);
  const y = stored(scratch, mesh, 4);
  const z = stored(scratch, mesh, 8);
  const reach = max(reachAlong(mesh, 0), max(reachAlong(mesh, 4), reachAlong(mesh, 8)));
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
      visitLeaf(scratch, mesh, leaf, x, y, z, scale, storedError, job);
      limit = limitOfSquare(load<f64>(scratch, UPPER) * scale);
      continue;
    }
    const node = nodes + <usize>handle * Node.SIZE;
    const zero = splat(0);
    const gx = max4(sub(f32x4.abs(sub(px, load4(node, Node.centerX))), add(load4(node, Node.halfX), slack)), zero);
    const gy = max4(sub(f32x4.abs(sub(py, load4(node, Node.centerY))), add(load4(node, Node.halfY), slack)), zero);
    const gz = max4(sub(f32x4.abs(sub(pz, load4(node, Node.centerZ))), add(load4(node, Node.halfZ), slack)), zero);
    top = pushChildren(node, add(add(mul(gx, gx), mul(gy, gy)), mul(gz, gz)), limit, top);
  }
}

// Visits the triangles of a leaf, nearest first.
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
): void {
  const qx = <f32>(x - <f64>load<f32>(leaf, Leaf.originX));
  const qy = <f32>(y - <f64>load<f32>(leaf, Leaf.originY));
  const qz = <f32>(z - <f64>load<f32>(leaf, Leaf.originZ));
  const size = <f64>load<f32>(leaf, Leaf.size) + <f64>max(abs(qx), max(abs(qy), abs(qz)));
  const error = size * LEAF_ERROR + 4 * storedError + LEAF_UNDERFLOW;
  const squares = leafSquares(leaf, splat(qx), splat(qy), splat(qz));
  let limit = limitOfSquare(load<f64>(scratch, UPPER) * scale + error);
  let mask = i32x4.bitmask(
    and(le(squares, splat(limit)), i32x4.ne(load4(leaf, Leaf.id), i32x4.splat(NOTHING))),
  );
  if (mask == 0) return;
  v128.store(scratch + LEAF_SQUARES, squares);
  while (mask != 0) {
    let nearest: usize = <usize>ctz(mask);
    for (let rest = mask & (mask - 1); rest != 0; rest &= rest - 1) {
      const lane = <usize>ctz(rest);
      if (load<f32>(scratch + (lane << 2), LEAF_SQUARES) < load<f32>(scratch + (nearest << 2), LEAF_SQUARES))
        nearest = lane;
    }
    if (!(load<f32>(scratch + (nearest << 2), LEAF_SQUARES) <= limit)) return;
    visit(job, scratch, mesh, load<u32>(leaf + (nearest << 2), Leaf.id));
    limit = limitOfSquare(load<f64>(scratch, UPPER) * scale + error);
    mask &= ~(1 << <i32>nearest);
  }
}

// Returns the squared gaps between the point's coordinate and two boxes, in doubles.
// @ts-ignore: decorator
@inline
function farGap(p: f64, centers: v128, halves: v128, slack: f64): v128 {
  const gap = f64x2.sub(
    f64x2.abs(f64x2.sub(f64x2.splat(p), f64x2.promote_low_f32x4(centers))),
    f64x2.add(f64x2.promote_low_f32x4(halves), f64x2.splat(slack)),
  );
  const positive = f64x2.pmax(gap, f64x2.splat(0));
  return f64x2.mul(positive, positive);
}

// @ts-ignore: decorator
@inline
function highPair(v: v128): v128 {
  return v128.shuffle<u32>(v, v, 2, 3, 2, 3);
}

// Returns the lower bounds of the distances of two boxes, minus `base`.
// @ts-ignore: decorator
@inline
function farBounds(
  node: usize,
  isHigh: bool,
  x: f64,
  y: f64,
  z: f64,
  slack: f64,
  base: f64,
): v128 {
  const cx = load4(node, Node.centerX);
  const cy = load4(node, Node.centerY);
  const cz = load4(node, Node.centerZ);
  const hx = load4(node, Node.halfX);
  const hy = load4(node, Node.halfY);
  const hz = load4(node, Node.halfZ);
  const square = f64x2.add(
    f64x2.add(
      farGap(x, isHigh ? highPair(cx) : cx, isHigh ? highPair(hx) : hx, slack),
      farGap(y, isHigh ? highPair(cy) : cy, isHigh ? highPair(hy) : hy, slack),
    ),
    farGap(z, isHigh ? highPair(cz) : cz, isHigh ? highPair(hz) : hz, slack),
  );
  return f32x4.demote_f64x2_zero(
    f64x2.pmax(
      f64x2.mul(f64x2.sub(f64x2.sqrt(square), f64x2.splat(base)), f64x2.splat(1 / ROUND_UP)),
      f64x2.splat(0),
    ),
  );
}

// Like searchNear, for a point that is far from the mesh compared with the mesh's size. All bounds are distances minus
// a lower bound of the distance of the whole mesh, so that floats suffice to order the boxes.
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
  const error = size * FAR_ERROR;
  const slack = error + 2 * <f64>load<f32>(mesh, MeshRecord.storedError);
  // The distance is at least the largest |coordinate| minus the reach; size is their sum, with twice the reach.
  const reach = max(reachAlong(mesh, 0), max(reachAlong(mesh, 4), reachAlong(mesh, 8)));
  const base = max<f64>(0, (size - 3 * reach) * (2 - ROUND_UP) - 4 * slack);
  let limit = farLimit(scratch, scale, base, error);
  store<i32>(stack, 0);
  store<u32>(stack, 0, 4);
  let top = stack + ENTRY;
  while (top > stack) {
    top -= ENTRY;
    if (!(load<f32>(top) <= limit)) continue;
    const handle = load<u32>(top, 4);
    if ((handle & LEAF_BIT) != 0) {
      const leaf = leaves + <usize>(handle & ~LEAF_BIT) * Leaf.SIZE;
      for (let lane: usize = 0; lane < 16; lane += 4) {
        const triangle = load<u32>(leaf + lane, Leaf.id);
        if (triangle != NOTHING) visit(job, scratch, mesh, triangle);
      }
      limit = farLimit(scratch, scale, base, error);
      continue;
    }
    const node = nodes + <usize>handle * Node.SIZE;
    const bounds = v128.shuffle<u64>(
      farBounds(node, false, x, y, z, slack, base),
      farBounds(node, true, x, y, z, slack, base),
      0,
      2,
    );
    top = pushChildren(node, bounds, limit, top);
  }
}

function farLimit(scratch: usize, scale: f64, base: f64, error: f64): f32 {
  const excess = load<f64>(scratch, UPPER) * scale - base + 4 * error;
  return min<f32>(<f32>(excess * ROUND_UP + UNDERFLOW), MAX_FLOAT);
}
