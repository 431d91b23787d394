// Decides exactly for each of many points whether it is inside, outside or on the surface of a closed mesh.
// The winding number around a point is the sum of the signed crossings of a ray in the direction +z. The ray
// is perturbed symbolically, as in bindings/contact/winding.ts: it is moved by an infinitesimal distance
// along x, and by a smaller infinitesimal distance along y. So it never hits an edge or a corner, and each
// crossing counts once.
import { makePlane, orient2d, PLANE_BYTES, sideOfPlane } from '../exact/orient';
import { placeTriangle } from '../exact/place';
import { INTERSECT, trianglesIntersect } from '../exact/trianglesIntersect';
import {
  INSIDE,
  LEAF_BIT,
  Leaf,
  MeshRecord,
  NOTHING,
  Node,
  ON_SURFACE,
  OUTSIDE,
  POINT_BLOCK,
  PointsJob,
  PointsSlice,
} from '../records';
import { add, and, ge, le, load4, max4, min4, splat, sub } from '../simd/lanes';
import { reachOf, stored } from './storedFrame';

/**
 * Layout of the scratch memory: the corners of a triangle, the point three times (as the corners of a
 * triangle without area), and working memory.
 */
const POINT: usize = 72;
const WORK: usize = 144;
// 2^-21: bounds the sum of the errors of a coordinate, a difference and a half extent, relative to the largest
// of these three values.
const GAP_ERROR: f64 = 4.76837158203125e-7;

/** Slice i repeatedly takes the next block of points from a shared counter, until no points are left. */
export function classifyPoints(jobAt: usize, begin: u32, end: u32): void {
  const count = load<u32>(jobAt, PointsJob.pointCount);
  for (let i = begin; i < end; i++) {
    const slice = <usize>load<u32>(jobAt, PointsJob.slicesAt) + <usize>i * PointsSlice.SIZE;
    for (;;) {
      const first = atomic.add<u32>(jobAt, POINT_BLOCK, PointsJob.cursor);
      if (first >= count) break;
      for (let point: usize = first; point < <usize>min(count, first + POINT_BLOCK); point++) {
        const at = <usize>load<u32>(jobAt, PointsJob.pointsAt) + point * 24;
        store<u8>(<usize>load<u32>(jobAt, PointsJob.sidesAt) + point, sideOf(jobAt, slice, at));
      }
    }
  }
}

function isOutsideBounds(job: usize, point: usize): bool {
  for (let axis: usize = 0; axis < 3; axis++) {
    const value = load<f64>(point + (axis << 3));
    const bounds = job + (axis << 2);
    if (
      value < <f64>load<f32>(bounds, PointsJob.bounds) ||
      value > <f64>load<f32>(bounds, PointsJob.bounds + 12)
    )
      return true;
  }
  return false;
}

function sideOf(job: usize, slice: usize, point: usize): u32 {
  if (isOutsideBounds(job, point)) return OUTSIDE;
  const mesh: usize = load<u32>(job, PointsJob.meshAt);
  const scratch: usize = load<u32>(slice, PointsSlice.scratchAt);
  for (let i: usize = 0; i < 72; i += 24) memory.copy(scratch + POINT + i, point, 24);
  const nodes: usize = load<u32>(mesh, MeshRecord.nodesAt);
  const leaves: usize = load<u32>(mesh, MeshRecord.leavesAt);
  const x = stored(mesh, point, 0);
  const y = stored(mesh, point, 4);
  const z = stored(mesh, point, 8);
  const reach = reachOf(mesh);
  const storedError = 2 * <f64>load<f32>(mesh, MeshRecord.storedError);
  const slack = splat(<f32>((max(abs(x), max(abs(y), abs(z))) + 2 * reach) * GAP_ERROR + storedError));
  const px = splat(<f32>x);
  const py = splat(<f32>y);
  const pz = splat(<f32>z);
  const stack: usize = load<u32>(slice, PointsSlice.stackAt);
  store<u32>(stack, 0);
  let top = stack + 4;
  let winding: i32 = 0;
  while (top > stack) {
    top -= 4;
    const handle = load<u32>(top);
    if ((handle & LEAF_BIT) != 0) {
      const leaf = leaves + <usize>(handle & ~LEAF_BIT) * Leaf.SIZE;
      let mask = lanesOnRay(leaf, x, y, z, storedError);
      for (; mask != 0; mask &= mask - 1) {
        const lane = <usize>ctz(mask);
        placeTriangle(mesh, load<u32>(leaf + (lane << 2), Leaf.id), 0, scratch);
        const crossing = crossingOf(scratch);
        if (crossing == ON_TRIANGLE) return ON_SURFACE;
        winding += crossing;
      }
      continue;
    }
    const node = nodes + <usize>handle * Node.SIZE;
    const onRay = and(
      and(
        le(f32x4.abs(sub(px, load4(node, Node.centerX))), add(load4(node, Node.halfX), slack)),
        le(f32x4.abs(sub(py, load4(node, Node.centerY))), add(load4(node, Node.halfY), slack)),
      ),
      le(sub(pz, load4(node, Node.centerZ)), add(load4(node, Node.halfZ), slack)),
    );
    for (let mask = i32x4.bitmask(onRay); mask != 0; mask &= mask - 1) {
      store<u32>(top, load<u32>(node + ((<usize>ctz(mask)) << 2), Node.child));
      top += 4;
    }
  }
  return winding == 0 ? OUTSIDE : INSIDE;
}

// Returns a bit mask of the triangles of a leaf whose boxes the ray may hit. storedError: twice the error of a
// stored coordinate.
// @ts-ignore: decorator
@inline
function lanesOnRay(leaf: usize, x: f64, y: f64, z: f64, storedError: f64): i32 {
  const qx = <f32>(x - <f64>load<f32>(leaf, Leaf.originX));
  const qy = <f32>(y - <f64>load<f32>(leaf, Leaf.originY));
  const qz = <f32>(z - <f64>load<f32>(leaf, Leaf.originZ));
  const size = <f64>load<f32>(leaf, Leaf.size) + <f64>max(abs(qx), max(abs(qy), abs(qz)));
  const slack = <f32>(size * GAP_ERROR + storedError);
  const ax = load4(leaf, Leaf.ax);
  const bx = load4(leaf, Leaf.bx);
  const cx = load4(leaf, Leaf.cx);
  const ay = load4(leaf, Leaf.ay);
  const by = load4(leaf, Leaf.by);
  const cy = load4(leaf, Leaf.cy);
  const isBeside = and(
    and(le(min4(min4(ax, bx), cx), splat(qx + slack)), ge(max4(max4(ax, bx), cx), splat(qx - slack))),
    and(le(min4(min4(ay, by), cy), splat(qy + slack)), ge(max4(max4(ay, by), cy), splat(qy - slack))),
  );
  const highest = max4(max4(load4(leaf, Leaf.az), load4(leaf, Leaf.bz)), load4(leaf, Leaf.cz));
  const isUsed = i32x4.ne(load4(leaf, Leaf.id), i32x4.splat(NOTHING));
  return i32x4.bitmask(and(and(isBeside, ge(highest, splat(qz - slack))), isUsed));
}

/** The result of crossingOf if the point lies on the triangle. */
const ON_TRIANGLE: i32 = 2;

// Returns the sign of the crossing of the ray with the triangle at `scratch`: 1 if the ray crosses the triangle
// in the direction of the normal, -1 if it crosses in the opposite direction, and 0 if it misses the triangle.
// Returns ON_TRIANGLE if the point lies on the triangle.
function crossingOf(scratch: usize): i32 {
  const point = scratch + POINT;
  const winds = windingSign(scratch, point);
  if (winds == 0 && !mayContain(scratch, point)) return 0;
  makePlane(scratch + WORK, scratch, scratch + 24, scratch + 48);
  const side = sideOfPlane(scratch + WORK, point, scratch + WORK + PLANE_BYTES);
  if (side == 0) return trianglesIntersect(scratch, scratch + WORK) == INTERSECT ? ON_TRIANGLE : 0;
  return side == -winds ? winds : 0;
}

// Returns whether the box of the triangle contains the point.
function mayContain(scratch: usize, point: usize): bool {
  for (let axis: usize = 0; axis < 24; axis += 8) {
    const value = load<f64>(point + axis);
    const a = load<f64>(scratch + axis);
    const b = load<f64>(scratch + axis, 24);
    const c = load<f64>(scratch + axis, 48);
    if (value < min(a, min(b, c)) || value > max(a, max(b, c))) return false;
  }
  return true;
}

// Returns 1 if the triangle, projected along z, winds counterclockwise around the perturbed point, -1 if it
// winds clockwise, and 0 if the perturbed point is outside the projection.
function windingSign(scratch: usize, point: usize): i32 {
  const y = load<f64>(point, 8);
  const work = scratch + WORK + PLANE_BYTES;
  let winds: i32 = 0;
  for (let i: usize = 0; i < 72; i += 24) {
    const from = scratch + i;
    const to = scratch + (i == 48 ? 0 : i + 24);
    const isFromBelow = load<f64>(from, 8) <= y;
    if (isFromBelow == load<f64>(to, 8) <= y) continue;
    // A point on an edge is perturbed in the direction +x. It is then to the right of an edge that goes
    // toward +y, and to the left of an edge that goes toward -y.
    const orientation = orient2d(from, to, point, 0, 8, work);
    if (isFromBelow ? orientation > 0 : orientation < 0) winds += isFromBelow ? 1 : -1;
  }
  return winds;
}
