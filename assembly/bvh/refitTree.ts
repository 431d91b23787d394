// Refits the tree of a mesh: recomputes the leaves' corners and all boxes from the vertex positions,
// bottom-up. Nodes are processed in descending order of their numbers, because children have larger numbers
// than their parents. The same code fills the boxes of a newly built tree.
import {
  CORNERS_BYTES,
  CORNERS_SLOT,
  Leaf,
  MeshRecord,
  NOTHING,
  Node,
  RefitJob,
  RefitRange,
} from '../records';
import { add, load4, max4, min4, mul, splat, sub } from '../simd/lanes';

// A factor that rounds half extents up. It adds at least one unit in the last place of a normal float, and the
// subtraction that computes a half extent loses at most half a unit. Zero stays zero.
const ROUND_UP: f32 = 1.0 + 1.1920928955078125e-7;

// Returns the normalized x, y, z of a vertex. The vertex's byte offset is stored at `from + index`.
function corner(positions: usize, from: usize, index: usize, center: v128, scale: v128): v128 {
  return mul(sub(load4(positions + <usize>load<u32>(from + index)), center), scale);
}

function boxLane(node: usize, lane: u32, low: v128, high: v128): void {
  const center = mul(add(low, high), splat(0.5));
  const half = mul(max4(sub(high, center), sub(center, low)), splat(ROUND_UP));
  const to = node + ((<usize>lane) << 2);
  v128.store_lane<f32>(to, center, 0, Node.centerX);
  v128.store_lane<f32>(to, center, 1, Node.centerY);
  v128.store_lane<f32>(to, center, 2, Node.centerZ);
  v128.store_lane<f32>(to, half, 0, Node.halfX);
  v128.store_lane<f32>(to, half, 1, Node.halfY);
  v128.store_lane<f32>(to, half, 2, Node.halfZ);
}

// r0 to r3 are one corner of each of four triangles, each with the lanes x, y, z and an unused lane. Transposes
// them to three vectors, one each for x, y and z, and stores these one after another at `to + offset`.
function storeCorners(to: usize, offset: usize, r0: v128, r1: v128, r2: v128, r3: v128): void {
  const xy0 = v128.shuffle<f32>(r0, r1, 0, 4, 1, 5);
  const xy1 = v128.shuffle<f32>(r2, r3, 0, 4, 1, 5);
  v128.store(to + offset, v128.shuffle<f32>(xy0, xy1, 0, 1, 4, 5));
  v128.store(to + offset, v128.shuffle<f32>(xy0, xy1, 2, 3, 6, 7), 16);
  const z0 = v128.shuffle<f32>(r0, r1, 2, 6, 3, 7);
  const z1 = v128.shuffle<f32>(r2, r3, 2, 6, 3, 7);
  v128.store(to + offset, v128.shuffle<f32>(z0, z1, 0, 1, 4, 5), 32);
}

function maxOfXyz(v: v128): v128 {
  return max4(v, max4(v128.shuffle<f32>(v, v, 1, 1, 1, 1), v128.shuffle<f32>(v, v, 2, 2, 2, 2)));
}

// Fills each leaf i with first <= i < last, and writes its box to its parent node. Access to memory is nearly
// sequential: leaves and vertex offsets are visited in the order in which they are stored, and successive
// leaves have parents that are close together.
function fillLeaves(mesh: usize, corners: usize, first: u32, last: u32): void {
  const nodes: usize = load<u32>(mesh, MeshRecord.nodesAt);
  const leaves: usize = load<u32>(mesh, MeshRecord.leavesAt);
  const at: usize = load<u32>(mesh, MeshRecord.positionsAt);
  const center = load4(mesh, MeshRecord.centerX);
  const scale = v128.load32_splat(mesh, MeshRecord.scale);
  let from = corners + <usize>first * CORNERS_BYTES;
  for (
    let leaf = leaves + <usize>first * Leaf.SIZE, end = leaves + <usize>last * Leaf.SIZE;
    leaf < end;
    leaf += Leaf.SIZE, from += CORNERS_BYTES
  ) {
    const a0 = corner(at, from, 0, center, scale);
    const a1 = corner(at, from, 4, center, scale);
    const a2 = corner(at, from, 8, center, scale);
    const a3 = corner(at, from, 12, center, scale);
    storeCorners(leaf, Leaf.ax, sub(a0, a0), sub(a1, a0), sub(a2, a0), sub(a3, a0));
    let low = min4(min4(a0, a1), min4(a2, a3));
    let high = max4(max4(a0, a1), max4(a2, a3));
    const b0 = corner(at, from, 16, center, scale);
    const b1 = corner(at, from, 20, center, scale);
    const b2 = corner(at, from, 24, center, scale);
    const b3 = corner(at, from, 28, center, scale);
    storeCorners(leaf, Leaf.bx, sub(b0, a0), sub(b1, a0), sub(b2, a0), sub(b3, a0));
    low = min4(low, min4(min4(b0, b1), min4(b2, b3)));
    high = max4(high, max4(max4(b0, b1), max4(b2, b3)));
    const c0 = corner(at, from, 32, center, scale);
    const c1 = corner(at, from, 36, center, scale);
    const c2 = corner(at, from, 40, center, scale);
    const c3 = corner(at, from, 44, center, scale);
    storeCorners(leaf, Leaf.cx, sub(c0, a0), sub(c1, a0), sub(c2, a0), sub(c3, a0));
    low = min4(low, min4(min4(c0, c1), min4(c2, c3)));
    high = max4(high, max4(max4(c0, c1), max4(c2, c3)));
    // Write the origin and the size with a single store: a later store to a part of the vector would delay its
    // loads (failed store forwarding).
    v128.store(
      leaf,
      f32x4.replace_lane(a0, 3, f32x4.extract_lane(maxOfXyz(max4(sub(high, a0), sub(a0, low))), 0)),
      Leaf.originX,
    );
    const slot = load<u32>(from, CORNERS_SLOT);
    boxLane(nodes + <usize>(slot >> 2) * Node.SIZE, slot & 3, low, high);
  }
}

// Returns the minimum of the four lanes of x in lane 0, of the lanes of y in lane 1, and of the lanes of z in
// lane 2. Lane 3 is unused.
function minOfLanes(x: v128, y: v128, z: v128): v128 {
  const xy = min4(v128.shuffle<f32>(x, y, 0, 1, 4, 5), v128.shuffle<f32>(x, y, 2, 3, 6, 7));
  const zz = min4(z, v128.shuffle<f32>(z, z, 2, 3, 0, 1));
  return min4(v128.shuffle<f32>(xy, zz, 0, 2, 4, 4), v128.shuffle<f32>(xy, zz, 1, 3, 5, 5));
}

function maxOfLanes(x: v128, y: v128, z: v128): v128 {
  const xy = max4(v128.shuffle<f32>(x, y, 0, 1, 4, 5), v128.shuffle<f32>(x, y, 2, 3, 6, 7));
  const zz = max4(z, v128.shuffle<f32>(z, z, 2, 3, 0, 1));
  return max4(v128.shuffle<f32>(xy, zz, 0, 2, 4, 4), v128.shuffle<f32>(xy, zz, 1, 3, 5, 5));
}

function boxMesh(mesh: usize, low: v128, high: v128): void {
  const middle = mul(add(low, high), splat(0.5));
  const half = mul(max4(sub(high, middle), sub(middle, low)), splat(ROUND_UP));
  v128.store_lane<f32>(mesh, middle, 0, MeshRecord.middleX);
  v128.store_lane<f32>(mesh, middle, 1, MeshRecord.middleY);
  v128.store_lane<f32>(mesh, middle, 2, MeshRecord.middleZ);
  v128.store_lane<f32>(mesh, half, 0, MeshRecord.halfX);
  v128.store_lane<f32>(mesh, half, 1, MeshRecord.halfY);
  v128.store_lane<f32>(mesh, half, 2, MeshRecord.halfZ);
}

// Computes the box of each node i with begin <= i < end, from last to first. Stores each box in a lane of the
// node's parent, and the root's box in the mesh record. Lane k of the result is the sum of the surface areas of
// the child boxes in lane k of all these nodes, divided by 8.
function refitBoxNodes(mesh: usize, begin: u32, end: u32): v128 {
  const nodes: usize = load<u32>(mesh, MeshRecord.nodesAt);
  let area = splat(0);
  for (let i = end; i > begin; i--) {
    const node = nodes + <usize>(i - 1) * Node.SIZE;
    const cx = load4(node, Node.centerX);
    const cy = load4(node, Node.centerY);
    const cz = load4(node, Node.centerZ);
    const hx = load4(node, Node.halfX);
    const hy = load4(node, Node.halfY);
    const hz = load4(node, Node.halfZ);
    // Rounding is monotonic and every corner is a float32, so the rounded box still contains every corner.
    const low = minOfLanes(sub(cx, hx), sub(cy, hy), sub(cz, hz));
    const high = maxOfLanes(add(cx, hx), add(cy, hy), add(cz, hz));
    const sx = max4(splat(0), hx);
    const sy = max4(splat(0), hy);
    const sz = max4(splat(0), hz);
    area = add(area, add(mul(sx, sy), mul(sz, add(sx, sy))));
    const parent = load<u32>(node, Node.parent);
    if (parent == NOTHING) boxMesh(mesh, low, high);
    else boxLane(nodes + <usize>(parent >> 2) * Node.SIZE, parent & 3, low, high);
  }
  return area;
}

/** Refits the leaves and boxes of a range, and sets the range's area. */
export function refitRange(mesh: usize, corners: usize, range: usize): void {
  // Fill all leaves before the boxes of nodes. Lanes that were written one by one cannot be loaded as vectors
  // until they have left the store buffer.
  fillLeaves(mesh, corners, load<u32>(range, RefitRange.firstLeaf), load<u32>(range, RefitRange.lastLeaf));
  const area = refitBoxNodes(mesh, load<u32>(range, RefitRange.begin), load<u32>(range, RefitRange.end));
  const pairs = add(area, v128.shuffle<f32>(area, area, 2, 3, 0, 1));
  store<f32>(range, f32x4.extract_lane(pairs, 0) + f32x4.extract_lane(pairs, 1), RefitRange.area);
}

export function refitTree(jobAt: usize, begin: u32, end: u32): void {
  const mesh: usize = load<u32>(jobAt, RefitJob.meshAt);
  const order: usize = load<u32>(jobAt, RefitJob.orderAt);
  const lists: usize = load<u32>(jobAt, RefitJob.listsAt);
  const ranges: usize = load<u32>(jobAt, RefitJob.rangesAt);
  const last = load<u32>(lists + ((<usize>end) << 2));
  for (let i = load<u32>(lists + ((<usize>begin) << 2)); i < last; i++) {
    refitRange(
      mesh,
      load<u32>(jobAt, RefitJob.cornersAt),
      ranges + <usize>load<u32>(order + ((<usize>i) << 2)) * RefitRange.SIZE,
    );
  }
}
