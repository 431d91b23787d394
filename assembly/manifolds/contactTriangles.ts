// Computes the contact of two intersecting triangles: its normal, and candidates for contact points.

import { ContactCandidate, MAX_CANDIDATES, TriangleContact } from '../records';
import { CORNER, CORNER_BYTES, clipToPrism, OWN_VERTEX, POLYGON_BYTES } from './clipToPrism';
import { writeVector } from './writeVector';

// Layout of the working memory. First come the corners of A's triangle and of B's triangle (9 f64 each). For
// each of the two triangles, the unit normal (3 f64; 0 if the triangle has no area) and a sign (f64; -1 if the
// mesh is mirrored, otherwise 1) follow. A polygon and the scratch memory of clipToPrism come last.
export const CORNERS_B: usize = 72;
export const NORMAL_A: usize = 144;
export const NORMAL_B: usize = 176;
const SIGN: usize = 24;
const POLYGON: usize = 208;
const SCRATCH: usize = POLYGON + POLYGON_BYTES;
export const WORK_BYTES: usize = SCRATCH + POLYGON_BYTES;

/**
 * The tolerance with which a triangle is clipped, relative to the sizes of both triangles: 2^-40. If this
 * yields no candidate, the triangle is clipped again, each time with the tolerance multiplied by GROWTH.
 */
const TOLERANCE: f64 = 9.094947017729282e-13;
const GROWTH: f64 = 1024;

/** If a squared length is smaller than this, underflow may have destroyed most of its digits. */
const MIN_SQUARE: f64 = 1e-280;

/** Added to the name of a candidate (see clipToPrism.ts) if the triangle of B was clipped. */
export const IS_B_CLIPPED: u32 = 64;

/**
 * Writes the unit normal of a triangle (9 f64) to `out`, and the sign after it. The normal is 0, 0, 0 if the
 * triangle has no area. sign: -1 reverses the normal, because the triangle's mesh is mirrored.
 */
export function writeUnitNormal(corners: usize, sign: f64, out: usize): void {
  store<f64>(out, sign, SIGN);
  const ux = load<f64>(corners, 24) - load<f64>(corners);
  const uy = load<f64>(corners, 32) - load<f64>(corners, 8);
  const uz = load<f64>(corners, 40) - load<f64>(corners, 16);
  const vx = load<f64>(corners, 48) - load<f64>(corners);
  const vy = load<f64>(corners, 56) - load<f64>(corners, 8);
  const vz = load<f64>(corners, 64) - load<f64>(corners, 16);
  if (writeUnitCross(ux, uy, uz, vx, vy, vz, sign, out)) return;
  // Products of the scaled edges neither overflow nor underflow.
  const size = max(max(max(abs(ux), abs(uy)), max(abs(uz), abs(vx))), max(abs(vy), abs(vz)));
  if (
    size == 0 ||
    !writeUnitCross(ux / size, uy / size, uz / size, vx / size, vy / size, vz / size, sign, out)
  )
    writeVector(out, 0, 0, 0);
}

// Writes the cross product of two vectors, scaled to length 1 and multiplied by `sign`. Returns false if the
// length of the cross product is 0 or cannot be computed.
function writeUnitCross(ux: f64, uy: f64, uz: f64, vx: f64, vy: f64, vz: f64, sign: f64, out: usize): bool {
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  const square = x * x + y * y + z * z;
  if (!(square > MIN_SQUARE && square < Infinity)) return false;
  const scale = sign / Math.sqrt(square);
  writeVector(out, x * scale, y * scale, z * scale);
  return true;
}

/** Returns the dot product of the unit normals of both triangles. `work`: see contactTriangles. */
export function dotNormals(work: usize): f64 {
  return dot(work + NORMAL_A, work + NORMAL_B);
}

/**
 * Returns how far the two triangles overlap along a unit vector: how far A must move against the vector until a
 * plane perpendicular to the vector separates the triangles. `work`: see contactTriangles.
 */
export function overlapAlong(work: usize, vector: usize): f64 {
  let maxDistanceA: f64 = -Infinity;
  let minDistanceB: f64 = Infinity;
  for (let at = work; at < work + CORNERS_B; at += 24) {
    // Coordinates relative to the first corner keep their accuracy far from the origin.
    maxDistanceA = max(maxDistanceA, distanceOf(at, vector, work));
    minDistanceB = min(minDistanceB, distanceOf(at + CORNERS_B, vector, work));
  }
  return maxDistanceA - minDistanceB;
}

/**
 * Writes the normal, the depth and the number of candidates to the TriangleContact at `contact`, and the
 * candidates to `out`. `work`: the corners and normals of both triangles.
 */
export function contactTriangles(work: usize, contact: usize, out: usize): void {
  const hasNormalA = isNormal(work + NORMAL_A);
  const hasNormalB = isNormal(work + NORMAL_B);
  if (!hasNormalA && !hasNormalB) {
    writeCandidate(out, load<f64>(work), load<f64>(work, 8), load<f64>(work, 16), 0, OWN_VERTEX);
    writeVector(contact + TriangleContact.normal, 0, 0, 0);
    store<f64>(contact, 0, TriangleContact.depth);
    store<f64>(contact, toleranceOf(work), TriangleContact.tolerance);
    return store<u32>(contact, 1, TriangleContact.candidateCount);
  }
  // One of the triangles is the reference, and the other one is clipped to its prism. B is the reference if A
  // does not reach farther behind the plane of B than B reaches behind the plane of A. Otherwise, A is the
  // reference. If one of the triangles has no area and therefore no plane, the other one is the reference.
  const ownA = work;
  const ownB = work + CORNERS_B;
  const isB =
    hasNormalB &&
    (!hasNormalA || minDistance(ownA, work + NORMAL_B, ownB) >= minDistance(ownB, work + NORMAL_A, ownA));
  clipBehind(work, isB, contact, out);
}

/**
 * Computes the contact of two triangles again, for a manifold with the normal `normal`. Takes the dot products
 * of `normal` with the unit normal of A and with the reversed unit normal of B. The triangle with the greater
 * dot product is the reference. Returns false and writes nothing if neither dot product is greater than
 * `alike`.
 */
export function contactAlong(work: usize, normal: usize, alike: f64, contact: usize, out: usize): bool {
  const alongA = dot(work + NORMAL_A, normal);
  const alongB = -dot(work + NORMAL_B, normal);
  if (!(max(alongA, alongB) > alike)) return false;
  clipBehind(work, alongB >= alongA, contact, out);
  return true;
}

// Writes a contact and its candidates. isB: whether the triangle of B is the reference.
function clipBehind(work: usize, isB: bool, contact: usize, out: usize): void {
  const ownA = work;
  const ownB = work + CORNERS_B;
  const tolerance = toleranceOf(work);
  const count = isB
    ? writeCandidates(work, ownA, ownB, work + NORMAL_B, tolerance, out, 0)
    : writeCandidates(work, ownB, ownA, work + NORMAL_A, tolerance, out, IS_B_CLIPPED);
  const direction: f64 = isB ? -1 : 1;
  const normal = work + (isB ? NORMAL_B : NORMAL_A);
  writeVector(
    contact + TriangleContact.normal,
    direction * load<f64>(normal),
    direction * load<f64>(normal, 8),
    direction * load<f64>(normal, 16),
  );
  let depth: f64 = 0;
  const end = out + <usize>count * ContactCandidate.SIZE;
  for (; out < end; out += ContactCandidate.SIZE) depth = max(depth, load<f64>(out, ContactCandidate.depth));
  store<f64>(contact, depth, TriangleContact.depth);
  store<f64>(contact, tolerance, TriangleContact.tolerance);
  store<u32>(contact, count, TriangleContact.candidateCount);
}

// Returns the smallest signed distance of the three corners from a plane through the point `origin`.
function minDistance(corners: usize, normal: usize, origin: usize): f64 {
  return min(
    min(distanceOf(corners, normal, origin), distanceOf(corners + 24, normal, origin)),
    distanceOf(corners + 48, normal, origin),
  );
}

function dot(one: usize, other: usize): f64 {
  return (
    load<f64>(one) * load<f64>(other) +
    load<f64>(one, 8) * load<f64>(other, 8) +
    load<f64>(one, 16) * load<f64>(other, 16)
  );
}

function isNormal(at: usize): bool {
  return load<f64>(at) != 0 || load<f64>(at, 8) != 0 || load<f64>(at, 16) != 0;
}

/**
 * Returns a bound for rounding errors: 2^-40 times the sum of the sizes of both triangles. The size of a
 * triangle is the sum of the extents of two of its sides along the axes. `work`: see contactTriangles.
 */
export function toleranceOf(work: usize): f64 {
  return TOLERANCE * (sizeOf(work) + sizeOf(work + CORNERS_B));
}

function sizeOf(corners: usize): f64 {
  const x = load<f64>(corners);
  const y = load<f64>(corners, 8);
  const z = load<f64>(corners, 16);
  return (
    abs(load<f64>(corners, 24) - x) +
    abs(load<f64>(corners, 32) - y) +
    abs(load<f64>(corners, 40) - z) +
    abs(load<f64>(corners, 48) - x) +
    abs(load<f64>(corners, 56) - y) +
    abs(load<f64>(corners, 64) - z)
  );
}

// Returns the signed distance of a point from a plane through the point `origin`.
function distanceOf(point: usize, normal: usize, origin: usize): f64 {
  return (
    (load<f64>(point) - load<f64>(origin)) * load<f64>(normal) +
    (load<f64>(point, 8) - load<f64>(origin, 8)) * load<f64>(normal, 8) +
    (load<f64>(point, 16) - load<f64>(origin, 16)) * load<f64>(normal, 16)
  );
}

// Clips a triangle, `subject`, to the prism of the reference, whose unit normal is `normal`. A corner of the
// result becomes a candidate unless it lies in front of the plane of the reference by more than `tolerance`.
// Writes the candidates and returns their number. names: added to the name of each candidate; IS_B_CLIPPED if
// `subject` is the triangle of B, otherwise 0.
function writeCandidates(
  work: usize,
  subject: usize,
  reference: usize,
  normal: usize,
  tolerance: f64,
  out: usize,
  names: u32,
): u32 {
  const first = out;
  const polygon = work + POLYGON;
  // The triangles share a point, so only rounding errors can make the polygon empty or put all of it in front
  // of the plane. In that case, there is no candidate, and the tolerance is enlarged.
  for (; out == first; tolerance *= GROWTH) {
    const count = clipToPrism(
      subject,
      reference,
      normal,
      load<f64>(normal, SIGN),
      tolerance,
      polygon,
      work + SCRATCH,
    );
    const end = polygon + <usize>count * CORNER_BYTES;
    // Only the polygon of a needle can have more than MAX_CANDIDATES corners, which all lie on two lines, up to
    // rounding. The last corners are then left out.
    for (
      let at = polygon;
      at < end && out < first + <usize>MAX_CANDIDATES * ContactCandidate.SIZE;
      at += CORNER_BYTES
    ) {
      const distance = distanceOf(at, normal, reference);
      if (distance > tolerance) continue;
      writeCandidate(
        out,
        load<f64>(at) - 0.5 * distance * load<f64>(normal),
        load<f64>(at, 8) - 0.5 * distance * load<f64>(normal, 8),
        load<f64>(at, 16) - 0.5 * distance * load<f64>(normal, 16),
        distance < 0 ? -distance : 0,
        names + load<u32>(at, CORNER),
      );
      out += ContactCandidate.SIZE;
    }
  }
  return <u32>((out - first) / ContactCandidate.SIZE);
}

function writeCandidate(at: usize, x: f64, y: f64, z: f64, depth: f64, name: u32): void {
  writeVector(at + ContactCandidate.point, x, y, z);
  store<f64>(at, depth, ContactCandidate.depth);
  store<u32>(at, name, ContactCandidate.name);
}
