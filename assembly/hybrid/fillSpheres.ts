// Computes the spheres of a tree that was built or refitted. Each box gets a sphere around the corners of all
// triangles below the box. Also decides for each child whether its box is tested in addition to its sphere.
import { FillSpheresJob, LEAF_BIT, Leaf, MeshRecord, NOTHING, Node, SphereNode } from '../records';
import { add, gt, load4, mul, splat } from '../simd/lanes';
import { BOXES, COLUMNS, ROWS } from './spheres';

/**
 * Number of steps of the search for a sphere's center. Each step moves the center toward the farthest corner,
 * by a smaller fraction of the distance than the step before.
 */
const STEPS: u32 = 4;
/**
 * Each radius is multiplied by GROWTH = 1 + 64 * 2^-24. This covers the relative rounding errors: in units of
 * 2^-24, at most 14 from differences, 3 from squares and roots, and less than 8 from a test. UNDERFLOW_MARGIN
 * is then added to the radius. It covers values that are too small for float32.
 */
const GROWTH: f32 = 1.0000038146972656;
const UNDERFLOW_MARGIN: f32 = 8.470329472543003e-22;
const UNIT_SPHERE_VOLUME: f64 = 4.1887902047863905;

/**
 * Slice s processes nodes s, s + sliceCount, s + 2 * sliceCount, and so on. The scratch memory of a slice
 * holds the vector to the farthest corner (16 bytes), then the numbers of the leaves below a box.
 */
export function fillSpheres(jobAt: usize, begin: u32, end: u32): void {
  const mesh: usize = load<u32>(jobAt, FillSpheresJob.meshAt);
  const nodeCount = load<u32>(mesh, MeshRecord.nodeCount);
  const nodes: usize = load<u32>(mesh, MeshRecord.nodesAt);
  const spheres: usize = load<u32>(jobAt, FillSpheresJob.spheresAt);
  const sliceCount = load<u32>(jobAt, FillSpheresJob.sliceCount);
  for (let slice = begin; slice < end; slice++) {
    const scratch =
      <usize>load<u32>(jobAt, FillSpheresJob.scratchAt) +
      <usize>slice * <usize>load<u32>(jobAt, FillSpheresJob.scratchBytes);
    for (let node = slice; node < nodeCount; node += sliceCount)
      fillNode(
        jobAt,
        mesh,
        nodes,
        nodes + <usize>node * Node.SIZE,
        spheres + <usize>node * SphereNode.SIZE,
        scratch,
      );
  }
}

function fillNode(job: usize, mesh: usize, nodes: usize, node: usize, to: usize, scratch: usize): void {
  const level = levelOf(nodes, node);
  const threshold = thresholdOf(job, level);
  let boxes: u32 = 0;
  let rows: u32 = 0;
  let columns: u32 = 0;
  for (let lane: u32 = 0; lane < 4; lane++) {
    const at = node + ((<usize>lane) << 2);
    const handle = load<u32>(at, Node.child);
    const sphere = to + ((<usize>lane) << 2);
    if (handle == NOTHING) {
      put(sphere, Infinity, Infinity, Infinity, 0);
      continue;
    }
    const radius = <f64>enclose(mesh, at, listLeaves(nodes, handle, scratch), scratch, sphere);
    const volume =
      8 * <f64>load<f32>(at, Node.halfX) * <f64>load<f32>(at, Node.halfY) * <f64>load<f32>(at, Node.halfZ);
    // The box is used if the sphere's volume is at least `threshold` times the box's volume. For a flat box,
    // whose volume is 0, this ratio is infinite.
    if (!((UNIT_SPHERE_VOLUME * radius * radius * radius) / volume >= threshold)) continue;
    boxes |= 1 << lane;
    rows |= 0x1111 << lane;
    columns |= 15 << (lane << 2);
  }
  store<u32>(node, boxes | (level << 4), BOXES);
  store<u32>(node, rows, ROWS);
  store<u32>(node, columns, COLUMNS);
}

function put(to: usize, x: f32, y: f32, z: f32, radius: f32): void {
  store<f32>(to, x, SphereNode.centerX);
  store<f32>(to, y, SphereNode.centerY);
  store<f32>(to, z, SphereNode.centerZ);
  store<f32>(to, radius, SphereNode.radius);
}

function levelOf(nodes: usize, node: usize): u32 {
  let level: u32 = 0;
  for (
    let slot = load<u32>(node, Node.parent);
    slot != NOTHING;
    slot = load<u32>(nodes + <usize>(slot >> 2) * Node.SIZE, Node.parent)
  )
    level++;
  return level;
}

function thresholdOf(job: usize, level: u32): f64 {
  const last = load<u32>(job, FillSpheresJob.thresholdCount) - 1;
  return <f64>(
    load<f32>(<usize>load<u32>(job, FillSpheresJob.thresholdsAt) + ((<usize>min(level, last)) << 2))
  );
}

// Lists the leaves below the inner node that `handle` identifies. If `handle` identifies a leaf, lists only
// this leaf. Writes the numbers of the leaves from `scratch + 16` on, and returns how many there are.
function listLeaves(nodes: usize, handle: u32, scratch: usize): u32 {
  const first = scratch + 16;
  if ((handle & LEAF_BIT) == 0) return listBelow(nodes, handle, first, 0);
  store<u32>(first, handle & ~LEAF_BIT);
  return 1;
}

function listBelow(nodes: usize, number: u32, first: usize, found: u32): u32 {
  const node = nodes + <usize>number * Node.SIZE;
  let count = found;
  for (let lane: usize = 0; lane < 16; lane += 4) {
    const child = load<u32>(node + lane, Node.child);
    if (child == NOTHING) continue;
    if (child & LEAF_BIT) {
      store<u32>(first + ((<usize>count) << 2), child & ~LEAF_BIT);
      count++;
    } else count = listBelow(nodes, child, first, count);
  }
  return count;
}

// Finds a small sphere around the corners of all triangles in the leaves listed in `scratch`. The center
// starts at the box's center and moves toward the farthest corner in several steps; the smallest sphere found
// is kept. Writes this sphere to `to` and returns its radius.
function enclose(mesh: usize, lane: usize, count: u32, scratch: usize, to: usize): f32 {
  const leaves: usize = load<u32>(mesh, MeshRecord.leavesAt);
  let x = load<f32>(lane, Node.centerX);
  let y = load<f32>(lane, Node.centerY);
  let z = load<f32>(lane, Node.centerZ);
  let minSquare: f32 = Infinity;
  for (let step: u32 = 0; step <= STEPS; step++) {
    const square = farthest(leaves, scratch, count, x, y, z);
    if (square < minSquare) {
      minSquare = square;
      put(to, x, y, z, 0);
    }
    const fraction: f32 = 1 / <f32>(step + 4);
    x += fraction * load<f32>(scratch);
    y += fraction * load<f32>(scratch, 4);
    z += fraction * load<f32>(scratch, 8);
  }
  const radius = sqrt<f32>(minSquare) * GROWTH + UNDERFLOW_MARGIN;
  store<f32>(to, radius, SphereNode.radius);
  return radius;
}

// Returns the squared distance from the point (x, y, z) to the farthest triangle corner in the leaves listed
// in `scratch`. Writes the vector from the point to that corner to `scratch`.
function farthest(leaves: usize, scratch: usize, count: u32, x: f32, y: f32, z: f32): f32 {
  let best = splat(-1);
  let bestX = splat(0);
  let bestY = splat(0);
  let bestZ = splat(0);
  const list = scratch + 16;
  for (let k: u32 = 0; k < count; k++) {
    const leaf = leaves + <usize>load<u32>(list + ((<usize>k) << 2)) * Leaf.SIZE;
    const offX = splat(load<f32>(leaf, Leaf.originX) - x);
    const offY = splat(load<f32>(leaf, Leaf.originY) - y);
    const offZ = splat(load<f32>(leaf, Leaf.originZ) - z);
    for (let corner: usize = 0; corner < 144; corner += 48) {
      const dx = add(load4(leaf, corner), offX);
      const dy = add(load4(leaf + corner, Leaf.ay), offY);
      const dz = add(load4(leaf + corner, Leaf.az), offZ);
      const square = add(add(mul(dx, dx), mul(dy, dy)), mul(dz, dz));
      const isFarther = gt(square, best);
      best = v128.bitselect(square, best, isFarther);
      bestX = v128.bitselect(dx, bestX, isFarther);
      bestY = v128.bitselect(dy, bestY, isFarther);
      bestZ = v128.bitselect(dz, bestZ, isFarther);
    }
  }
  let maxSquare = f32x4.extract_lane(best, 0);
  putVector(
    scratch,
    f32x4.extract_lane(bestX, 0),
    f32x4.extract_lane(bestY, 0),
    f32x4.extract_lane(bestZ, 0),
  );
  if (f32x4.extract_lane(best, 1) > maxSquare) {
    maxSquare = f32x4.extract_lane(best, 1);
    putVector(
      scratch,
      f32x4.extract_lane(bestX, 1),
      f32x4.extract_lane(bestY, 1),
      f32x4.extract_lane(bestZ, 1),
    );
  }
  if (f32x4.extract_lane(best, 2) > maxSquare) {
    maxSquare = f32x4.extract_lane(best, 2);
    putVector(
      scratch,
      f32x4.extract_lane(bestX, 2),
      f32x4.extract_lane(bestY, 2),
      f32x4.extract_lane(bestZ, 2),
    );
  }
  if (f32x4.extract_lane(best, 3) > maxSquare) {
    maxSquare = f32x4.extract_lane(best, 3);
    putVector(
      scratch,
      f32x4.extract_lane(bestX, 3),
      f32x4.extract_lane(bestY, 3),
      f32x4.extract_lane(bestZ, 3),
    );
  }
  return maxSquare;
}

function putVector(to: usize, x: f32, y: f32, z: f32): void {
  store<f32>(to, x);
  store<f32>(to, y, 4);
  store<f32>(to, z, 8);
}
