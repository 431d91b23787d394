// Computes the exact intersection of two triangles whose coordinates are doubles, as a list of its corners.
// Each corner is a vertex, the point where an edge crosses a face, or the point where two edges cross.
// Triangles in different planes are handled as in Guigue and Devillers, "Fast and robust triangle-triangle
// overlap test using orientation predicates" (2003). Each triangle cuts the common line of the two planes in a
// segment, and each end of the first segment is compared with each end of the second.
import { makePlane, PLANE_BYTES, sideOfPlane, WORK_BYTES } from '../exact/orient';
import { loneVertex, nextVertex, sideBits, sidesOfPlane } from '../exact/sides';
import { CROSS, DISJOINT, TOUCH_POINT, TOUCH_SEGMENT } from '../records';
import { intersectCoplanar } from './intersectCoplanar';
import { commonProjectionAxis, projectionAxis, SIMPLEX_BYTES, writeSimplex } from './simplex';
import { addCorner, cornerCount, EDGE_FACE, TriangleIntersection, VERTEX } from './triangleIntersection';

const STRIDE: usize = 24;
const TRIANGLE: usize = 72;

const PLANE_OF_OTHER: usize = PLANE_BYTES;
const FIRST: usize = 2 * PLANE_BYTES;
const SECOND: usize = FIRST + SIMPLEX_BYTES;
const WORK: usize = SECOND + SIMPLEX_BYTES;
export const INTERSECTION_SCRATCH: usize = WORK + WORK_BYTES + 256;

// Masks of the sides of a triangle's vertices relative to a plane. Bit i: vertex i is on the positive side.
// Bit 3 + i: vertex i is on the negative side.
const ALL_POSITIVE: u32 = 7;
const ALL_NEGATIVE: u32 = 56;

// Writes the intersection of triangles A and B to the TriangleIntersection at `set`. `p`: 18 f64, A's
// vertices, then B's, each coordinate in the range that exact/orient.ts requires. `scratch`:
// INTERSECTION_SCRATCH bytes.
export function intersectTriangles(p: usize, set: usize, scratch: usize): void {
  store<u32>(set, 0, TriangleIntersection.count);
  store<u32>(set, DISJOINT, TriangleIntersection.kind);
  store<u32>(set, 0, TriangleIntersection.isDirected);
  const q = p + TRIANGLE;
  const sidesOfB = sidesOfPlane(scratch, p, q, scratch + WORK);
  if (sidesOfB == ALL_POSITIVE || sidesOfB == ALL_NEGATIVE) return;
  const sidesOfA = sidesOfPlane(scratch + PLANE_OF_OTHER, q, p, scratch + WORK);
  if (sidesOfA == ALL_POSITIVE || sidesOfA == ALL_NEGATIVE) return;
  // The normal of a degenerate triangle is 0, so every point counts as lying on its plane. Therefore, a
  // triangle is not degenerate if a vertex of the other triangle does not lie on its plane.
  if (sidesOfA != 0 && sidesOfB != 0) return intersectCrossing(p, sidesOfA, sidesOfB, set, scratch);
  intersectSpecial(p, sidesOfA, sidesOfB, set, scratch);
}

function orientation(a: usize, b: usize, c: usize, d: usize, scratch: usize): i32 {
  makePlane(scratch, a, b, c);
  return sideOfPlane(scratch, d, scratch + WORK);
}

function isOnPlane(sides: u32, vertex: u32): bool {
  return ((sides >> vertex) & 9) == 0;
}

// Returns the name of the point at which a triangle's edge from its lone vertex, `apex`, to its vertex `end`
// meets the other triangle's plane. `sides`: the sides of the triangle's vertices relative to that plane.
// `first`: the number of the triangle's first vertex, 0 or 3.
function crossingOf(sides: u32, apex: u32, end: u32, first: u32): u32 {
  if (isOnPlane(sides, apex)) return VERTEX | (first + apex);
  if (isOnPlane(sides, end)) return VERTEX | (first + end);
  return EDGE_FACE | (first + apex) | ((first + end) << 3);
}

// Returns the simpler of two names of the same point: the name that is a vertex, if there is one.
function simpler(one: u32, other: u32): u32 {
  return (other & VERTEX) != 0 ? other : one;
}

// Handles two triangles in different planes. Neither triangle lies strictly on one side of the other's plane.
// So each triangle cuts the common line of the planes in a segment. The triangles share the intersection of
// the two segments.
function intersectCrossing(p: usize, sidesOfP: u32, sidesOfQ: u32, set: usize, scratch: usize): void {
  const q = p + TRIANGLE;
  const loneP = loneVertex(sidesOfP);
  const loneQ = loneVertex(sidesOfQ);
  const apexP = loneP >> 1;
  const apexQ = loneQ >> 1;
  const nextP = nextVertex(apexP);
  const nextQ = nextVertex(apexQ);
  const lastP = nextVertex(nextP);
  const lastQ = nextVertex(nextQ);
  // The vertices of P are reordered so that the positive side of P's plane is the side of Q's lone vertex (see
  // `loneVertex`). The vertices of Q are reordered so that the positive side of Q's plane is the side of P's
  // lone vertex. Then P's segment begins on the edge from p0 to p1, and Q's segment ends on the edge from q0 to
  // q1.
  const keepsOrderP = (loneQ & 1) != 0;
  const keepsOrderQ = (loneP & 1) != 0;
  const endP1 = keepsOrderP ? nextP : lastP;
  const endP2 = keepsOrderP ? lastP : nextP;
  const endQ1 = keepsOrderQ ? nextQ : lastQ;
  const endQ2 = keepsOrderQ ? lastQ : nextQ;
  const p0 = p + STRIDE * apexP;
  const q0 = q + STRIDE * apexQ;
  const p1 = p + STRIDE * endP1;
  const p2 = p + STRIDE * endP2;
  const q1 = q + STRIDE * endQ1;
  const q2 = q + STRIDE * endQ2;
  const order11 = orientation(p0, p1, q0, q1, scratch);
  if (order11 > 0) return;
  const order22 = orientation(p0, p2, q0, q2, scratch);
  if (order22 < 0) return;
  const order12 = orientation(p0, p1, q0, q2, scratch);
  const order21 = orientation(p0, p2, q0, q1, scratch);
  const startP = crossingOf(sidesOfP, apexP, endP1, 0);
  const endP = crossingOf(sidesOfP, apexP, endP2, 0);
  const startQ = crossingOf(sidesOfQ, apexQ, endQ2, 3);
  const endQ = crossingOf(sidesOfQ, apexQ, endQ1, 3);
  const low = order12 > 0 ? startP : order12 < 0 ? startQ : simpler(startP, startQ);
  const high = order21 < 0 ? endP : order21 > 0 ? endQ : simpler(endP, endQ);
  if (isOnPlane(sidesOfP, apexP) || isOnPlane(sidesOfQ, apexQ) || order11 == 0 || order22 == 0) {
    store<u32>(set, TOUCH_POINT, TriangleIntersection.kind);
    // The shared point may have several names. If P's segment is a single point, that point may also be the
    // start or the end of Q's segment, and vice versa. If neither segment is a single point, the end of one
    // segment is the start of the other.
    let point = simpler(low, high);
    if (order11 == 0) point = simpler(simpler(startP, endQ), point);
    if (order22 == 0) point = simpler(simpler(endP, startQ), point);
    return addCorner(set, point);
  }
  const areThrough = (sidesOfP & 7) != 0 && sidesOfP >> 3 != 0 && (sidesOfQ & 7) != 0 && sidesOfQ >> 3 != 0;
  store<u32>(set, areThrough ? CROSS : TOUCH_SEGMENT, TriangleIntersection.kind);
  // The direction from low to high is opposite to the cross product of the normals of the reordered
  // triangles. Each triangle whose order was changed has a reversed normal, which reverses this product.
  store<u32>(set, 1, TriangleIntersection.isDirected);
  const isForward = keepsOrderP != keepsOrderQ;
  addCorner(set, isForward ? low : high);
  addCorner(set, isForward ? high : low);
}

// Handles coplanar triangles, and triangles without area.
function intersectSpecial(p: usize, sidesOfA: u32, sidesOfB: u32, set: usize, scratch: usize): void {
  const q = p + TRIANGLE;
  const work = scratch + WORK;
  const axisA = projectionAxis(p, work);
  const axisB = projectionAxis(q, work);
  const first = scratch + FIRST;
  const second = scratch + SECOND;
  writeSimplex(p, 0, axisA, first);
  writeSimplex(q, 3, axisB, second);
  if (axisA >= 0 && axisB >= 0) return intersectCoplanar(p, first, second, <usize>axisA, set, work);
  if (axisA >= 0) intersectDegenerate(p, first, second, sidesOfB, <usize>axisA, set, scratch);
  else if (axisB >= 0) intersectDegenerate(p, second, first, sidesOfA, <usize>axisB, set, scratch);
  else {
    const axis = commonProjectionAxis(p, first, second, scratch, work);
    if (axis >= 0) intersectCoplanar(p, first, second, <usize>axis, set, work);
  }
  const count = cornerCount(set);
  store<u32>(
    set,
    count == 0 ? DISJOINT : count == 1 ? TOUCH_POINT : TOUCH_SEGMENT,
    TriangleIntersection.kind,
  );
}

// Intersects a triangle that has an area with a degenerate triangle. `triangle`: the simplex of the triangle
// that has an area. `thin`: the simplex of the degenerate triangle, a segment or a point. `sidesOfThin`: the
// sides of the degenerate triangle's vertices relative to the plane of the other triangle.
function intersectDegenerate(
  p: usize,
  triangle: usize,
  thin: usize,
  sidesOfThin: u32,
  axis: usize,
  set: usize,
  scratch: usize,
): void {
  const count = load<u32>(thin);
  const u = load<u32>(thin, 4);
  const v = load<u32>(thin, 8);
  const shift = u >= 3 ? <u32>3 : 0;
  const sideU = (sidesOfThin >> (u - shift)) & 9;
  const sideV = count == 1 ? sideU : (sidesOfThin >> (v - shift)) & 9;
  if (sideU == 0 && sideV == 0) return intersectCoplanar(p, triangle, thin, axis, set, scratch + WORK);
  if (sideU == sideV) return;
  if (sideU == 0 || sideV == 0) {
    // Only one end is in the plane, so `thin` is reduced to that end.
    store<u32>(thin, 1);
    store<u32>(thin, sideU == 0 ? u : v, 4);
    return intersectCoplanar(p, triangle, thin, axis, set, scratch + WORK);
  }
  const from = p + STRIDE * u;
  const to = p + STRIDE * v;
  const t = p + STRIDE * load<u32>(triangle, 4);
  let around: u32 = 0;
  for (let i: usize = 0; i < 3; i++)
    around |= sideBits(orientation(from, to, t + STRIDE * i, t + STRIDE * (i == 2 ? 0 : i + 1), scratch));
  if (around != 9) addCorner(set, EDGE_FACE | u | (v << 3));
}
