// Keeps the triangle that is nearest to a point, while a search offers one triangle after another. Of equally
// near triangles, keeps the one with the lowest number.
import { placeTriangle } from '../exact/place';
import { INTERSECT, trianglesIntersect } from '../exact/trianglesIntersect';
import { makeFace, nearestOnTriangle } from '../proximity/features';
import { EXACT_SCRATCH_BYTES, NOTHING, POINT_SCRATCH_BYTES } from '../records';
import { areEqual, FEATURE_BYTES, findNearestFeature, isPartOf, UNKNOWN_FEATURE } from './nearestFeature';

/**
 * Layout of the scratch memory of a search. CORNERS: the corners of the triangle that was measured last (nine
 * f64). POINT: the point three times, as a triangle without area. LOCAL: the corners of the measured
 * triangle, relative to the point. FACE: see makeFace. ORIGIN: three zeros. NEAREST: the nearest point of the
 * triangle, relative to the point. DISTANCE: the computed distance of the triangle. ERROR_BOUND: a bound of
 * the error of this distance.
 */
export const CORNERS: usize = 0;
export const POINT: usize = 72;
const LOCAL: usize = 144;
const FACE: usize = 216;
const ORIGIN: usize = 312;
const UNUSED: usize = 336;
export const NEAREST: usize = 360;
export const DISTANCE: usize = 384;
export const ERROR_BOUND: usize = 392;
/** Bytes from NEAREST to the end of ERROR_BOUND. */
const RESULT_BYTES: usize = 40;
/**
 * The best triangle so far: its corners; its NEAREST, DISTANCE and ERROR_BOUND; its number; its nearest
 * feature, or NOT_COMPUTED; a lower bound of its distance. UPPER: an upper bound of the distance of the
 * nearest triangle. OPEN: the smallest lower bound of the distance of a triangle that could not be compared
 * exactly.
 */
const BEST_CORNERS: usize = 400;
const BEST_RESULT: usize = 472;
const BEST_LOWER: usize = 512;
export const UPPER: usize = 520;
const OPEN: usize = 528;
export const BEST: usize = 536;
const BEST_FEATURE: usize = 540;
/** The squared distances of the four triangles of a leaf, computed in floats. */
export const LEAF_SQUARES: usize = 544;
const EXACT: usize = 576;
/** Candidates of a search: see searchTree.ts. */
export const CANDIDATES: usize = EXACT + EXACT_SCRATCH_BYTES;
export const CANDIDATES_BYTES: usize = 768;

const NOT_COMPUTED: u32 = 0xff;
const MIN_DISTANCE: f64 = 5e-324;
// The error of a computed distance is at most 2^-46 times the largest extent of triangle and point together
// (see computeTriangleDistance.ts: the point is a triangle whose corners are equal). This extent is at most
// twice the largest |coordinate| relative to the point.
const RELATIVE_ERROR: f64 = 2.842170943040401e-14;

/** Begins the search for a point, given by its three f64. limit: an upper bound of distances of interest. */
export function beginPoint(scratch: usize, point: usize, limit: f64): void {
  if (
    CANDIDATES + CANDIDATES_BYTES > <usize>POINT_SCRATCH_BYTES ||
    FEATURE_BYTES > <usize>EXACT_SCRATCH_BYTES
  )
    ERROR('POINT_SCRATCH_BYTES is too small for a search, or EXACT_SCRATCH_BYTES for findNearestFeature');
  for (let i: usize = 0; i < 72; i += 24) memory.copy(scratch + POINT + i, point, 24);
  memory.fill(scratch + ORIGIN, 0, 24);
  store<u32>(scratch, NOTHING, BEST);
  store<f64>(scratch, limit, UPPER);
  store<f64>(scratch, Infinity, BEST_LOWER);
  store<f64>(scratch, Infinity, OPEN);
}

/** Computes the distance of a triangle from the point, and its error bound. */
export function measure(scratch: usize, mesh: usize, triangle: u32): void {
  placeTriangle(mesh, triangle, 0, scratch + CORNERS);
  const x = load<f64>(scratch, POINT);
  const y = load<f64>(scratch, POINT + 8);
  const z = load<f64>(scratch, POINT + 16);
  let size: f64 = 0;
  for (let i: usize = 0; i < 72; i += 24) {
    const dx = load<f64>(scratch + i, CORNERS) - x;
    const dy = load<f64>(scratch + i, CORNERS + 8) - y;
    const dz = load<f64>(scratch + i, CORNERS + 16) - z;
    store<f64>(scratch + i, dx, LOCAL);
    store<f64>(scratch + i, dy, LOCAL + 8);
    store<f64>(scratch + i, dz, LOCAL + 16);
    size = max(size, max(abs(dx), max(abs(dy), abs(dz))));
  }
  makeFace(scratch + LOCAL, scratch + FACE);
  const square = nearestOnTriangle(
    scratch + FACE,
    scratch + ORIGIN,
    scratch + UNUSED,
    scratch + NEAREST,
    Infinity,
  );
  store<f64>(scratch, sqrt(square), DISTANCE);
  store<f64>(scratch, RELATIVE_ERROR * size, ERROR_BOUND);
}

/**
 * If the triangle measured last contains the point, sets its distance to 0. Otherwise, makes sure that the
 * distance is positive. Also converts the nearest point to the frame of the mesh.
 */
export function finishMeasure(scratch: usize): void {
  const distance = load<f64>(scratch, DISTANCE);
  const isOn = distance <= load<f64>(scratch, ERROR_BOUND) && containsPoint(scratch);
  store<f64>(scratch, isOn ? 0 : max(distance, MIN_DISTANCE), DISTANCE);
  for (let axis: usize = 0; axis < 24; axis += 8) {
    const from = load<f64>(scratch + axis, POINT);
    // Adding 0 converts -0 to 0.
    store<f64>(scratch + axis, (isOn ? from : from + load<f64>(scratch + axis, NEAREST)) + 0, NEAREST);
  }
}

// Returns whether the triangle measured last contains the point. Points at corners are common.
function containsPoint(scratch: usize): bool {
  for (let i: usize = 0; i < 72; i += 24) if (areEqual(scratch + CORNERS + i, scratch + POINT)) return true;
  return trianglesIntersect(scratch + CORNERS, scratch + EXACT) == INTERSECT;
}

// Makes the triangle measured last the best one.
function keep(scratch: usize, triangle: u32, feature: u32): void {
  memory.copy(scratch + BEST_CORNERS, scratch + CORNERS, 72);
  memory.copy(scratch + BEST_RESULT, scratch + NEAREST, RESULT_BYTES);
  store<f64>(scratch, load<f64>(scratch, DISTANCE) - load<f64>(scratch, ERROR_BOUND), BEST_LOWER);
  store<u32>(scratch, triangle, BEST);
  store<u32>(scratch, feature, BEST_FEATURE);
}

/** Measures a triangle and keeps it if it is the nearest so far. */
export function offer(scratch: usize, mesh: usize, triangle: u32): void {
  measure(scratch, mesh, triangle);
  const distance = load<f64>(scratch, DISTANCE);
  const error = load<f64>(scratch, ERROR_BOUND);
  const lower = distance - error;
  const upper = distance + error;
  const before = load<f64>(scratch, UPPER);
  if (lower > before) return;
  if (upper < before) store<f64>(scratch, upper, UPPER);
  if (upper < load<f64>(scratch, BEST_LOWER)) keep(scratch, triangle, NOT_COMPUTED);
  else compareExactly(scratch, triangle, lower);
}

// Compares the triangle measured last with the best one; the error intervals of the two distances overlap. If
// both have the same nearest feature, the distances are equal. If the nearest feature of one is only a part of
// the nearest feature of the other, the nearest point of the larger feature is in its interior. That point is
// nearer than all points of the border, so the triangle with the larger feature is nearer.
function compareExactly(scratch: usize, triangle: u32, lower: f64): void {
  const point = scratch + POINT;
  let best = load<u32>(scratch, BEST_FEATURE);
  if (best == NOT_COMPUTED) {
    best = findNearestFeature(scratch + BEST_CORNERS, point, scratch + EXACT);
    store<u32>(scratch, best, BEST_FEATURE);
  }
  const own = findNearestFeature(scratch + CORNERS, point, scratch + EXACT);
  if (own != UNKNOWN_FEATURE && best != UNKNOWN_FEATURE) {
    const isSmaller = isPartOf(scratch + CORNERS, own, scratch + BEST_CORNERS, best);
    if (isPartOf(scratch + BEST_CORNERS, best, scratch + CORNERS, own)) {
      if (!isSmaller || triangle < load<u32>(scratch, BEST)) keep(scratch, triangle, own);
      return;
    }
    if (isSmaller) return;
  }
  store<f64>(scratch, min(load<f64>(scratch, OPEN), min(lower, load<f64>(scratch, BEST_LOWER))), OPEN);
  if (lower < load<f64>(scratch, BEST_LOWER)) keep(scratch, triangle, own);
}

/**
 * Ends the search for a point: writes the final distance and nearest point of the best triangle to DISTANCE and
 * NEAREST. Returns false if another triangle may be nearer, or equally near with a lower number.
 */
export function endPoint(scratch: usize): bool {
  if (!(load<f64>(scratch, OPEN) > load<f64>(scratch, UPPER))) return false;
  memory.copy(scratch + CORNERS, scratch + BEST_CORNERS, 72);
  memory.copy(scratch + NEAREST, scratch + BEST_RESULT, RESULT_BYTES);
  finishMeasure(scratch);
  return true;
}
