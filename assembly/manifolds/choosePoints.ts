// Computes the normal of a manifold and chooses its contact points, four at most, among the candidates that
// contactTriangles.ts computed for its contacts. The first point is a deep candidate, and the others are chosen
// so that all points together span a large area.

import { ContactCandidate, Manifold, ManifoldSlice, NOTHING, TriangleContact } from '../records';
import { WORK_BYTES } from './contactTriangles';
import { featureOf } from './featureOf';
import { writeVector } from './writeVector';

/**
 * A candidate is chosen only if its distance from the points chosen before exceeds this fraction of the extent
 * of the manifold: 2^-20.
 */
const NEGLIGIBLE: f64 = 9.5367431640625e-7;

/** The distance must also exceed this many times the tolerance of the first contact of the manifold. */
const ROUNDING: f64 = 1024;

/**
 * A candidate is nearly as deep as the deepest one if its depth is at least this fraction of the depth of the
 * deepest one: 1 - 2^-10.
 */
const NEARLY_AS_DEEP: f64 = 0.9990234375;

const POINT: usize = 24;

// Layout of the working memory: the line through two chosen points, or the three sides of the triangle of three
// chosen points. Each side has a start (3 f64) and a unit vector (3 f64). The vector lies in the plane of the
// manifold, is perpendicular to the side, and points outward.
const SIDE_BYTES: usize = 48;
const OUTWARD: usize = 24;

/** Size in bytes of the working memory of choosePoints, which follows the WORK_BYTES of contactTriangles. */
export const SIDES_BYTES: usize = 3 * SIDE_BYTES;

/**
 * Writes the normal and the points of a manifold of the current placed pair. first: the first contact of the
 * manifold.
 */
export function choosePoints(slice: usize, first: u32, manifold: usize): void {
  const contacts: usize = load<u32>(slice, ManifoldSlice.contactsAt);
  const sides = <usize>load<u32>(slice, ManifoldSlice.clipAt) + WORK_BYTES;
  writeNormal(contacts, first, manifold);
  store<u32>(manifold, 0, Manifold.count);
  const contact = contacts + <usize>first * TriangleContact.SIZE;
  const rounding = ROUNDING * load<f64>(contact, TriangleContact.tolerance);
  const deepest = findBest(slice, first, manifold, sides, 0, 0);
  keep(slice, manifold, deepest);
  // If several candidates are nearly as deep as the deepest one, prefer one at the border of the manifold. For
  // example, a corner of a box is better than a point between two corners.
  const minDepth = NEARLY_AS_DEEP * load<f64>(deepest, ContactCandidate.depth);
  const better = findBest(slice, first, manifold, sides, rounding, minDepth);
  if (better != 0) {
    store<u32>(manifold, 0, Manifold.count);
    keep(slice, manifold, better);
  }
  const negligible = max(NEGLIGIBLE * measureExtent(slice, first, manifold), rounding);
  for (let count: u32 = 1; count < 4; count++) {
    const next = findBest(slice, first, manifold, sides, negligible, 0);
    if (next == 0) return;
    keep(slice, manifold, next);
    if (count < 3) writeSides(manifold, sides);
  }
}

// Writes the weighted sum of the normals of all contacts, scaled to length 1. If the sum is 0, writes the
// normal of the first contact.
function writeNormal(contacts: usize, first: u32, manifold: usize): void {
  let x: f64 = 0;
  let y: f64 = 0;
  let z: f64 = 0;
  let sum: f64 = 0;
  for (let i = first; i != NOTHING; ) {
    const contact = contacts + <usize>i * TriangleContact.SIZE;
    sum += load<f64>(contact, TriangleContact.depth);
    i = load<u32>(contact, TriangleContact.next);
  }
  for (let i = first; i != NOTHING; ) {
    const contact = contacts + <usize>i * TriangleContact.SIZE;
    const weight: f64 = sum > 0 ? load<f64>(contact, TriangleContact.depth) / sum : 1;
    x += weight * load<f64>(contact, TriangleContact.normal);
    y += weight * load<f64>(contact, TriangleContact.normal + 8);
    z += weight * load<f64>(contact, TriangleContact.normal + 16);
    i = load<u32>(contact, TriangleContact.next);
  }
  const length = Math.sqrt(x * x + y * y + z * z);
  const out = manifold + Manifold.normal;
  if (length > 0) return writeVector(out, x / length, y / length, z / length);
  memory.copy(out, contacts + <usize>first * TriangleContact.SIZE + TriangleContact.normal, 24);
}

// Returns the greatest distance of a candidate from the first point.
function measureExtent(slice: usize, first: u32, manifold: usize): f64 {
  const contacts: usize = load<u32>(slice, ManifoldSlice.contactsAt);
  const candidates: usize = load<u32>(slice, ManifoldSlice.candidatesAt);
  let extent: f64 = 0;
  for (let i = first; i != NOTHING; ) {
    const contact = contacts + <usize>i * TriangleContact.SIZE;
    let at = candidates + <usize>load<u32>(contact, TriangleContact.firstCandidate) * ContactCandidate.SIZE;
    const end = at + <usize>load<u32>(contact, TriangleContact.candidateCount) * ContactCandidate.SIZE;
    for (; at < end; at += ContactCandidate.SIZE) extent = max(extent, distanceFromFirst(manifold, at));
    i = load<u32>(contact, TriangleContact.next);
  }
  return extent;
}

// Returns the address of the candidate with the greatest sum of its depth and its distance from the chosen
// points, or 0 if there is none. Considers only candidates that are at least `minDepth` deep, that are farther
// than `negligible` from the chosen points, and whose feature was not chosen yet. The first of several equal
// candidates wins.
function findBest(
  slice: usize,
  first: u32,
  manifold: usize,
  sides: usize,
  negligible: f64,
  minDepth: f64,
): usize {
  const contacts: usize = load<u32>(slice, ManifoldSlice.contactsAt);
  const candidates: usize = load<u32>(slice, ManifoldSlice.candidatesAt);
  const count = load<u32>(manifold, Manifold.count);
  let best: usize = 0;
  let bestScore: f64 = -1;
  for (let i = first; i != NOTHING; ) {
    const contact = contacts + <usize>i * TriangleContact.SIZE;
    let at = candidates + <usize>load<u32>(contact, TriangleContact.firstCandidate) * ContactCandidate.SIZE;
    const end = at + <usize>load<u32>(contact, TriangleContact.candidateCount) * ContactCandidate.SIZE;
    for (; at < end; at += ContactCandidate.SIZE) {
      if (load<f64>(at, ContactCandidate.depth) < minDepth) continue;
      let distance: f64 = 0;
      if (count != 0) {
        distance = count == 1 ? distanceFromFirst(manifold, at) : distanceFromSides(sides, count, at);
        if (!(distance > negligible)) continue;
      }
      const score = distance + load<f64>(at, ContactCandidate.depth);
      if (score > bestScore && !isChosen(slice, manifold, at)) {
        bestScore = score;
        best = at;
      }
    }
    i = load<u32>(contact, TriangleContact.next);
  }
  return best;
}

// Returns the distance of a candidate from the first point, perpendicular to the normal.
function distanceFromFirst(manifold: usize, candidate: usize): f64 {
  const first = manifold + Manifold.points;
  const x = load<f64>(candidate) - load<f64>(first);
  const y = load<f64>(candidate, 8) - load<f64>(first, 8);
  const z = load<f64>(candidate, 16) - load<f64>(first, 16);
  const nx = load<f64>(manifold, Manifold.normal);
  const ny = load<f64>(manifold, Manifold.normal + 8);
  const nz = load<f64>(manifold, Manifold.normal + 16);
  const along = x * nx + y * ny + z * nz;
  const px = x - along * nx;
  const py = y - along * ny;
  const pz = z - along * nz;
  return Math.sqrt(px * px + py * py + pz * pz);
}

// Returns the distance of a candidate from the line through the two chosen points. If there are three points,
// returns the greatest of the candidate's signed distances from the three sides of their triangle. A signed
// distance is positive on the outer side.
function distanceFromSides(sides: usize, count: u32, candidate: usize): f64 {
  if (count == 2) return abs(distanceFromSide(sides, candidate));
  return max(
    max(distanceFromSide(sides, candidate), distanceFromSide(sides + SIDE_BYTES, candidate)),
    distanceFromSide(sides + 2 * SIDE_BYTES, candidate),
  );
}

function distanceFromSide(side: usize, candidate: usize): f64 {
  return (
    (load<f64>(candidate) - load<f64>(side)) * load<f64>(side, OUTWARD) +
    (load<f64>(candidate, 8) - load<f64>(side, 8)) * load<f64>(side, OUTWARD + 8) +
    (load<f64>(candidate, 16) - load<f64>(side, 16)) * load<f64>(side, OUTWARD + 16)
  );
}

// Writes the line through two points, or the three sides of the triangle of three points.
function writeSides(manifold: usize, sides: usize): void {
  const points = manifold + Manifold.points;
  if (load<u32>(manifold, Manifold.count) == 2)
    return writeSide(manifold, points, points + POINT, points, sides);
  for (let i: usize = 0; i < 3; i++)
    writeSide(
      manifold,
      points + POINT * i,
      points + POINT * ((i + 1) % 3),
      points + POINT * ((i + 2) % 3),
      sides + SIDE_BYTES * i,
    );
}

// Writes the side from `from` to `to`. `inner`: a point on the inner side.
function writeSide(manifold: usize, from: usize, to: usize, inner: usize, side: usize): void {
  const ex = load<f64>(to) - load<f64>(from);
  const ey = load<f64>(to, 8) - load<f64>(from, 8);
  const ez = load<f64>(to, 16) - load<f64>(from, 16);
  const nx = load<f64>(manifold, Manifold.normal);
  const ny = load<f64>(manifold, Manifold.normal + 8);
  const nz = load<f64>(manifold, Manifold.normal + 16);
  let x = ny * ez - nz * ey;
  let y = nz * ex - nx * ez;
  let z = nx * ey - ny * ex;
  const length = Math.sqrt(x * x + y * y + z * z);
  // If the normal is 0, this vector is 0, too. All distances from the side are then 0, so no third point is
  // chosen.
  const scale = length > 0 ? 1 / length : 0;
  x *= scale;
  y *= scale;
  z *= scale;
  memory.copy(side, from, POINT);
  writeVector(side + OUTWARD, x, y, z);
  if (distanceFromSide(side, inner) > 0) writeVector(side + OUTWARD, -x, -y, -z);
}

// Returns whether a chosen point has the same feature as the candidate.
function isChosen(slice: usize, manifold: usize, candidate: usize): bool {
  const count = <usize>load<u32>(manifold, Manifold.count);
  if (count == 0) return false;
  const feature = featureOf(slice, candidate);
  const features = manifold + Manifold.features;
  for (let at = features; at < features + (count << 2); at += 4) if (load<u32>(at) == feature) return true;
  return false;
}

// Appends a candidate to the points of a manifold.
function keep(slice: usize, manifold: usize, candidate: usize): void {
  const count = load<u32>(manifold, Manifold.count);
  memory.copy(manifold + Manifold.points + POINT * <usize>count, candidate + ContactCandidate.point, POINT);
  store<f64>(manifold + ((<usize>count) << 3), load<f64>(candidate, ContactCandidate.depth), Manifold.depths);
  store<u32>(manifold + ((<usize>count) << 2), featureOf(slice, candidate), Manifold.features);
  store<u32>(manifold, count + 1, Manifold.count);
}
