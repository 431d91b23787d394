// Tests exactly whether two triangles with double coordinates, boundaries included, share a point. The result
// does not depend on the order of the triangles or of their vertices. For triangles in different planes, this
// is the test of Guigue and Devillers, Fast and robust triangle-triangle overlap test using orientation
// predicates, 2003, with exact signs.
import { APART, EXACT_SCRATCH_BYTES, INTERSECT, TOO_WIDE } from '../records';
import {
  findNormalAxis,
  isTooWide,
  makePlane,
  orient2d,
  PLANE_BYTES,
  sideOfPlane,
  WORK_BYTES,
} from './orient';
import { loneVertex, nextVertex, sideBits, sidesOfPlane } from './sides';

export { APART, EXACT_SCRATCH_BYTES, INTERSECT, TOO_WIDE };

const PAIR_BYTES: usize = 144;
const VERTEX: usize = 24;
const TRIANGLE: usize = 72;
const PLANE_OF_OTHER: usize = PLANE_BYTES;
const WORK: usize = 2 * PLANE_BYTES;

// Masks of the sides of a triangle's vertices relative to a plane. Bit i: vertex i is on the positive side.
// Bit 3 + i: vertex i is on the negative side.
const ALL_POSITIVE: u32 = 7;
const ALL_NEGATIVE: u32 = 56;

// Tests triangles A and B, given by 18 f64 at `p`: A's vertices, then B's. Returns INTERSECT or APART, or
// TOO_WIDE if a coordinate is outside the range in which this test is exact. `scratch`: EXACT_SCRATCH_BYTES
// bytes of 8-aligned memory, which need not be preserved between calls.
export function trianglesIntersect(p: usize, scratch: usize): u32 {
  if (WORK + WORK_BYTES > <usize>EXACT_SCRATCH_BYTES)
    ERROR('EXACT_SCRATCH_BYTES must hold two planes and the working memory');
  if (isTooWide(p, PAIR_BYTES)) return TOO_WIDE;
  const q = p + TRIANGLE;
  const sidesOfB = sidesOfPlane(scratch, p, q, scratch + WORK);
  if (sidesOfB == ALL_POSITIVE || sidesOfB == ALL_NEGATIVE) return APART;
  if (sidesOfB == 0) {
    const axis = findNormalAxis(scratch);
    if (axis >= 0)
      return verdictOf(boxesOverlap(p, q) && projectionsIntersect(p, q, <usize>axis, scratch + WORK));
  }

  const sidesOfA = sidesOfPlane(scratch + PLANE_OF_OTHER, q, p, scratch + WORK);
  if (sidesOfA == ALL_POSITIVE || sidesOfA == ALL_NEGATIVE) return APART;
  // The normal of a degenerate triangle is 0, so every point counts as lying on its plane. Therefore, a
  // triangle is not degenerate if a vertex of the other triangle does not lie on its plane.
  if (sidesOfA != 0 && sidesOfB != 0) return verdictOf(crossingIntersect(p, sidesOfA, q, sidesOfB, scratch));
  if (sidesOfB != 0) return verdictOf(degenerateIntersects(q, sidesOfB, p, scratch));
  if (sidesOfA != 0) return verdictOf(degenerateIntersects(p, sidesOfA, q, scratch));
  return verdictOf(boxesOverlap(p, q) && !areSkew(p, q, scratch) && coplanarIntersect(p, q, scratch + WORK));
}

function verdictOf(intersect: bool): u32 {
  return intersect ? INTERSECT : APART;
}

// Returns the side of d relative to the plane through a, b, c (orient3d).
function orientation(a: usize, b: usize, c: usize, d: usize, scratch: usize): i32 {
  makePlane(scratch, a, b, c);
  return sideOfPlane(scratch, d, scratch + WORK);
}

// Tests two triangles in different planes, each with vertices on both closed sides of the other's plane. Each
// triangle cuts the common line of the planes in a segment. The triangles intersect if and only if neither
// segment begins after the other ends.
function crossingIntersect(p: usize, sidesOfP: u32, q: usize, sidesOfQ: u32, scratch: usize): bool {
  const loneP = loneVertex(sidesOfP);
  const loneQ = loneVertex(sidesOfQ);
  const apexP = loneP >> 1;
  const apexQ = loneQ >> 1;
  const nextP = nextVertex(apexP);
  const nextQ = nextVertex(apexQ);
  const lastP = nextVertex(nextP);
  const lastQ = nextVertex(nextQ);
  // The lone vertex of a triangle is alone on its side of the other triangle's plane (see `loneVertex`). The
  // vertices of P are reordered so that the positive side of P's plane is the side of Q's lone vertex. The
  // vertices of Q are reordered so that the positive side of Q's plane is the side of P's lone vertex.
  const p0 = p + VERTEX * apexP;
  const q0 = q + VERTEX * apexQ;
  const p1 = p + VERTEX * ((loneQ & 1) != 0 ? nextP : lastP);
  const p2 = p + VERTEX * ((loneQ & 1) != 0 ? lastP : nextP);
  const q1 = q + VERTEX * ((loneP & 1) != 0 ? nextQ : lastQ);
  const q2 = q + VERTEX * ((loneP & 1) != 0 ? lastQ : nextQ);
  return orientation(p0, p1, q0, q1, scratch) <= 0 && orientation(p0, p2, q0, q2, scratch) >= 0;
}

// Tests a degenerate triangle s, whose points are all on one line, against a triangle t. The line crosses the
// plane of t. `sides`: the sides of the vertices of s relative to that plane.
function degenerateIntersects(s: usize, sides: u32, t: usize, scratch: usize): bool {
  const t1 = t + VERTEX;
  const t2 = t + 2 * VERTEX;
  for (let i: u32 = 0; i < 3; i++) {
    const j = nextVertex(i);
    const either = (sides >> i) | (sides >> j);
    // Skip an edge whose ends are both strictly on one side of the plane, or both on the plane. If both ends
    // are on the plane, the edge is the single point at which the line crosses the plane, and the other edges
    // contain this point, too.
    if ((either & 9) == 0 || ((sides >> i) & (sides >> j) & 9) != 0) continue;
    const from = s + VERTEX * i;
    const to = s + VERTEX * j;
    const around =
      sideBits(orientation(from, to, t, t1, scratch)) |
      sideBits(orientation(from, to, t1, t2, scratch)) |
      sideBits(orientation(from, to, t2, t, scratch));
    if (around != 9) return true;
  }
  return false;
}

// Returns true if two degenerate triangles lie on skew lines, that is, no plane contains both triangles.
function areSkew(p: usize, q: usize, scratch: usize): bool {
  for (let i: u32 = 0; i < 3; i++) {
    for (let j: u32 = 0; j < 3; j++) {
      const p0 = p + VERTEX * i;
      const p1 = p + VERTEX * nextVertex(i);
      const q0 = q + VERTEX * j;
      const q1 = q + VERTEX * nextVertex(j);
      if (orientation(p0, p1, q0, q1, scratch) != 0) return true;
    }
  }
  return false;
}

// Returns whether the bounding boxes of the two triangles overlap or touch. If both triangles are on one
// line, the line of an edge cannot separate them, so this test alone decides.
function boxesOverlap(p: usize, q: usize): bool {
  for (let axis: usize = 0; axis < VERTEX; axis += 8) {
    const p0 = load<f64>(p + axis);
    const p1 = load<f64>(p + axis, VERTEX);
    const p2 = load<f64>(p + axis, 2 * VERTEX);
    const q0 = load<f64>(q + axis);
    const q1 = load<f64>(q + axis, VERTEX);
    const q2 = load<f64>(q + axis, 2 * VERTEX);
    if (min(min(p0, p1), p2) > max(max(q0, q1), q2) || min(min(q0, q1), q2) > max(max(p0, p1), p2))
      return false;
  }
  return true;
}

// Tests two coplanar triangles whose boxes overlap. If the triangles intersect, so do their projections along
// each axis. If the triangles are disjoint, so are their projections along an axis that is not parallel to
// the plane. The triangles therefore intersect if and only if their projections along all three axes
// intersect.
function coplanarIntersect(p: usize, q: usize, work: usize): bool {
  return (
    projectionsIntersect(p, q, 0, work) &&
    projectionsIntersect(p, q, 8, work) &&
    projectionsIntersect(p, q, 16, work)
  );
}

// Tests whether the projections of two triangles along `axis` intersect. The boxes of the triangles must
// overlap. Then the projections intersect unless the line of an edge separates them.
function projectionsIntersect(p: usize, q: usize, axis: usize, work: usize): bool {
  const u: usize = axis == 16 ? 0 : axis + 8;
  const v: usize = u == 16 ? 0 : u + 8;
  return !edgeSeparates(p, q, u, v, work) && !edgeSeparates(q, p, u, v, work);
}

// Returns true if the line of some edge of t separates the triangles: t is on one side of the line, and s is
// strictly on the other side. t may be degenerate. `u` and `v`: byte offsets of the projection's axes.
function edgeSeparates(t: usize, s: usize, u: usize, v: usize, work: usize): bool {
  const own = orient2d(t, t + VERTEX, t + 2 * VERTEX, u, v, work);
  for (let i: u32 = 0; i < 3; i++) {
    const from = t + VERTEX * i;
    const to = t + VERTEX * nextVertex(i);
    const side = orient2d(from, to, s, u, v, work);
    if (side == 0 || side == own) continue;
    if (
      orient2d(from, to, s + VERTEX, u, v, work) == side &&
      orient2d(from, to, s + 2 * VERTEX, u, v, work) == side
    )
      return true;
  }
  return false;
}
