// Bounds how much two pieces of a contact (segments or polygons) have in common, in doubles. Most pieces only
// touch, and for most of these the bounds suffice, so that exact arithmetic is needed for few pairs.

import { type Face, FaceSums, type ProvenBounds, U } from '../volume/faceSums.js';

/** The common part of two boxes counts as short along an axis if its computed length is at most this. */
const SHORT = 2 ** -50;
/** The common part of the boxes of two pieces along an axis exceeds its computed length by at most this. */
const EXTENT_ERROR = 2 ** -52;
/**
 * A common part that is at most this long or wide is not computed exactly. Instead, an upper bound of its size
 * is subtracted from the lower bound of the result.
 */
const NARROW = 2 ** -44;
/** Pieces whose computed boxes are farther apart than this along some axis have nothing in common. */
export const BOX_ERROR = 2 ** -51;

/** A linear function of a point, given by its coefficients of x, y and z. */
type Linear = Float64Array;

/**
 * The pieces of a contact, in a unit in which no coordinate exceeds 1. Each coordinate of a point is rounded to
 * the nearest double, so its error is at most 2^-53. Pieces are named by the numbers of their triangle pairs.
 *
 * The methods `commonOf...` return an upper bound of the length or area that two pieces have in common: 0 if
 * they certainly have none in common, and Infinity if exact arithmetic has to decide. Their parameter `extents`
 * says how far the boxes of the pieces overlap along each axis.
 */
export class PieceFilter {
  readonly #points: Float64Array;
  readonly #pointsAt: Uint32Array;
  readonly #sums: FaceSums;
  readonly #faces = new Map<number, Face>();

  constructor(points: Float64Array, pointsAt: Uint32Array) {
    this.#points = points;
    this.#pointsAt = pointsAt;
    const box = [0, 0, 0, 0, 0, 0];
    for (let i = 0; i < points.length; i++) {
      const axis = i % 3;
      box[axis] = Math.min(box[axis], points[i]);
      box[3 + axis] = Math.max(box[3 + axis], points[i]);
    }
    this.#sums = new FaceSums(box);
  }

  /** Writes the box of a piece: minimum x, y, z, then maximum x, y, z. */
  writeBox(piece: number, boxes: Float64Array, to: number): void {
    boxes.fill(Infinity, to, to + 3).fill(-Infinity, to + 3, to + 6);
    for (let at = 3 * this.#pointsAt[piece]; at < 3 * this.#pointsAt[piece + 1]; at += 3) {
      for (let axis = 0; axis < 3; axis++) {
        boxes[to + axis] = Math.min(boxes[to + axis], this.#points[at + axis]);
        boxes[to + 3 + axis] = Math.max(boxes[to + 3 + axis], this.#points[at + axis]);
      }
    }
  }

  /** Returns bounds of the length of a segment. */
  lengthOf(segment: number): ProvenBounds {
    const at = 3 * this.#pointsAt[segment];
    return this.#sums.lengthOf(this.#points, at, at + 3);
  }

  /** Returns bounds of the area of a polygon. */
  areaOf(polygon: number): ProvenBounds {
    return this.#sums.areaOf(this.#faceOf(polygon));
  }

  /** Bounds the length that two segments have in common. */
  commonOfSegments(one: number, other: number, extents: Float64Array): number {
    const p = this.#points;
    const at = 3 * this.#pointsAt[one];
    const from = 3 * this.#pointsAt[other];
    if (!areParallel(p, at, at + 3, from, from + 3) || !areParallel(p, at, at + 3, at, from)) return 0;
    return areAllShort(extents) ? sizeOf(extents) : Infinity;
  }

  /** Bounds the length of the part of a segment that lies in a polygon. */
  commonOfSegmentAndPolygon(segment: number, polygon: number, extents: Float64Array): number {
    const p = this.#points;
    const from = 3 * this.#pointsAt[segment];
    const face = this.#faceOf(polygon);
    if (isOffPlane(face, p, from) || isOffPlane(face, p, from + 3)) return 0;
    if (areAllShort(extents)) return sizeOf(extents);
    let [min, max] = [0, 1];
    const start = 3 * this.#pointsAt[polygon];
    const end = 3 * this.#pointsAt[polygon + 1];
    for (let at = start; at < end; at += 3) {
      const inward = across(face, p, at, at + 3 < end ? at + 3 : start);
      // At each point of the polygon, the function `inward` is at least `lowest`.
      const lowest = minValue(inward, p, start, end) - errorOf(inward);
      const first = valueAt(inward, p, from);
      const last = valueAt(inward, p, from + 3);
      if (first < lowest && last < lowest) return 0;
      if (first < lowest) min = Math.max(min, (lowest - first) / (last - first));
      else if (last < lowest) max = Math.min(max, (lowest - first) / (last - first));
    }
    const share = max - min + 2 ** -49;
    const length = Math.max(0, share) * this.lengthOf(segment).upper * (1 + SHORT);
    return length <= NARROW ? length : Infinity;
  }

  /** Bounds the area that two polygons have in common. */
  commonOfPolygons(one: number, other: number, extents: Float64Array): number {
    const p = this.#points;
    const face = this.#faceOf(one);
    const [start, end] = [3 * this.#pointsAt[one], 3 * this.#pointsAt[one + 1]];
    const [otherStart, otherEnd] = [3 * this.#pointsAt[other], 3 * this.#pointsAt[other + 1]];
    for (let at = otherStart; at < otherEnd; at += 3) if (isOffPlane(face, p, at)) return 0;
    if (!isAccurate(face)) return Infinity;
    let width = Infinity;
    for (const [from, to] of [
      [start, end],
      [otherStart, otherEnd],
    ]) {
      for (let at = from; at < to; at += 3) {
        const next = at + 3 < to ? at + 3 : from;
        const inward = across(face, p, at, next);
        const size = inward[0] ** 2 + inward[1] ** 2 + inward[2] ** 2;
        if (size < TINY_SQUARE || size < (squareOf(face.sum) * distanceSquare(p, at, next)) / 4) continue;
        const common =
          Math.min(maxValue(inward, p, start, end), maxValue(inward, p, otherStart, otherEnd)) -
          Math.max(minValue(inward, p, start, end), minValue(inward, p, otherStart, otherEnd)) +
          errorOf(inward);
        if (common <= 0) return 0;
        width = Math.min(width, common / Math.sqrt(size));
      }
    }
    // The width is measured at right angles to the computed normal. The angle between the computed and the
    // exact normal is at most 0.13 rad (see isAccurate). So in the plane of the polygons, the common part is at
    // most 1 % wider.
    return width <= NARROW ? 1.25 * width * sizeOf(extents) : Infinity;
  }

  #faceOf(polygon: number): Face {
    let face = this.#faces.get(polygon);
    if (!face) {
      const p = this.#points;
      const start = 3 * this.#pointsAt[polygon];
      const end = 3 * this.#pointsAt[polygon + 1];
      face = this.#sums.faceAt(p, start);
      for (let at = start + 3; at < end - 3; at += 3) this.#sums.addTriangle(face, p, at, p, at + 3, 1);
      this.#faces.set(polygon, face);
    }
    return face;
  }
}

/** A sum of squares that is less than this may have lost digits by underflow. */
const TINY_SQUARE = 2 ** -600;

const areAllShort = (extents: Float64Array): boolean =>
  extents[0] <= SHORT && extents[1] <= SHORT && extents[2] <= SHORT;

// Returns an upper bound of the diagonal of a box with these computed extents.
const sizeOf = (extents: Float64Array): number =>
  (Math.max(0, extents[0]) + Math.max(0, extents[1]) + Math.max(0, extents[2]) + 3 * EXTENT_ERROR) *
  (1 + SHORT);

const squareOf = (v: ArrayLike<number>): number => v[0] * v[0] + v[1] * v[1] + v[2] * v[2];

const distanceSquare = (p: Float64Array, a: number, b: number): number =>
  (p[b] - p[a]) ** 2 + (p[b + 1] - p[a + 1]) ** 2 + (p[b + 2] - p[a + 2]) ** 2;

// Returns whether the vectors from a to b and from c to d may be parallel. Each coordinate of these vectors has
// an error of at most 2^-51 and a magnitude of at most 2. So the error of each coordinate of the cross product
// is below 2^-100 plus 2^-48 times the sum of the magnitudes of all six coordinates.
function areParallel(p: Float64Array, a: number, b: number, c: number, d: number): boolean {
  let error = 2 ** -100;
  for (let axis = 0; axis < 3; axis++)
    error += 2 ** -48 * (Math.abs(p[b + axis] - p[a + axis]) + Math.abs(p[d + axis] - p[c + axis]));
  for (let u = 0, v = 1; u < 3; u++, v = v === 2 ? 0 : v + 1) {
    const product = (p[b + u] - p[a + u]) * (p[d + v] - p[c + v]);
    if (Math.abs(product - (p[b + v] - p[a + v]) * (p[d + u] - p[c + u])) > error) return false;
  }
  return true;
}

// Returns whether the point at offset `at` is certainly not in the plane of a face. The error of each
// difference of coordinates is at most 5 U, and the products and their sum are rounded.
function isOffPlane({ base, sum, error }: Face, p: Float64Array, at: number): boolean {
  let [height, bound] = [0, 2 ** -200];
  for (let axis = 0; axis < 3; axis++) {
    const apart = p[at + axis] - base[axis];
    height += sum[axis] * apart;
    bound += error[axis] * (Math.abs(apart) + 8 * U) + 16 * U * Math.abs(sum[axis]);
  }
  return Math.abs(height) > bound;
}

// Returns whether the computed normal of a face differs from the exact one by at most an eighth of its length.
const isAccurate = ({ sum, error }: Face): boolean =>
  8 * (error[0] + error[1] + error[2]) <= Math.max(Math.abs(sum[0]), Math.abs(sum[1]), Math.abs(sum[2]));

// Returns a function that is constant along the edge from a to b, and grows toward the inner side of the face.
function across({ sum }: Face, p: Float64Array, a: number, b: number): Linear {
  const [x, y, z] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
  return Float64Array.of(sum[1] * z - sum[2] * y, sum[2] * x - sum[0] * z, sum[0] * y - sum[1] * x);
}

const valueAt = (linear: Linear, p: Float64Array, at: number): number =>
  linear[0] * p[at] + linear[1] * p[at + 1] + linear[2] * p[at + 2];

// Bounds the error of the difference of two values of a function. The error of a value is at most U because the
// coordinates of its point are rounded, plus at most 4 U because the value itself is rounded. Both bounds are
// relative to the sum of the magnitudes of the coefficients.
const errorOf = (linear: Linear): number =>
  16 * U * (Math.abs(linear[0]) + Math.abs(linear[1]) + Math.abs(linear[2])) + 2 ** -900;

function minValue(linear: Linear, p: Float64Array, from: number, to: number): number {
  let min = Infinity;
  for (let at = from; at < to; at += 3) min = Math.min(min, valueAt(linear, p, at));
  return min;
}

function maxValue(linear: Linear, p: Float64Array, from: number, to: number): number {
  let max = -Infinity;
  for (let at = from; at < to; at += 3) max = Math.max(max, valueAt(linear, p, at));
  return max;
}
