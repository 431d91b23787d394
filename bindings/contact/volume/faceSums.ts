// Adds up, in doubles, the volumes of cones over plane faces, and measures faces and segments, with a proven
// bound of the rounding error.

/** The unit roundoff of doubles. */
export const U = 2 ** -53;
/** Bounds of errors are themselves rounded. This factor covers their rounding for up to 2^30 terms. */
const SLACK = 1 + 2 ** -20;
/** Bound of the error that underflow can cause in one term. */
const UNDERFLOW = 2 ** -700;
/**
 * Bound of the error that underflow can cause in the length of a vector: its squared coordinates may become 0.
 */
const LENGTH_UNDERFLOW = 2 ** -500;

type Point = ArrayLike<number>;

/**
 * One plane face. `base`: a point of its plane. `sum`: twice its vector area, measured from the base. `error`:
 * bound of the rounding error of `sum`, for each coordinate.
 */
export interface Face {
  readonly base: readonly [number, number, number];
  readonly sum: [number, number, number];
  readonly error: [number, number, number];
}

/** Proven bounds of a number that is 0 or more. The two differ only because of rounding errors. */
export interface ProvenBounds {
  /** The number is at least this. */
  lower: number;
  /** The number is at most this. */
  upper: number;
}

/**
 * The total volume of cones over faces, all with the same fixed apex. Every point is the rounded value of an
 * exact point: the error of each coordinate is at most 2^-53 of its magnitude. All points lie in the box that
 * the constructor gets. Nothing overflows, because placed coordinates are less than 2^330: coordinates of
 * meshes are less than 2^128, and entries of transforms are at most 2^200.
 *
 * The vector area of a face does not depend on the point from which it is measured, and the height of the apex
 * above the plane can be measured from any point of the plane. So both are measured from the base of the face.
 */
export class FaceSums {
  readonly #apex: [number, number, number];
  // Bound of the error of a computed difference of two coordinates: the two coordinates are rounded, each by at
  // most u * max, and the difference, whose magnitude is at most 2 * max, is rounded once. Together, these
  // errors are at most 4 u * max plus terms of second order. The factor 5 covers all of this. u: the unit
  // roundoff.
  readonly #alpha: [number, number, number];
  #total = 0;
  #error = 0;

  /** @param box Minimum x, y, z, then maximum x, y, z. */
  constructor(box: ArrayLike<number>) {
    const max = [0, 1, 2].map(axis => Math.max(Math.abs(box[axis]), Math.abs(box[3 + axis])));
    this.#apex = [box[0] / 2 + box[3] / 2, box[1] / 2 + box[4] / 2, box[2] / 2 + box[5] / 2];
    this.#alpha = [5 * U * max[0], 5 * U * max[1], 5 * U * max[2]];
  }

  /** Makes a face that has no triangles yet. Its base is the point at offset `at` of `base`. */
  faceAt(base: Point, at = 0): Face {
    return { base: [base[at], base[at + 1], base[at + 2]], sum: [0, 0, 0], error: [0, 0, 0] };
  }

  /**
   * Adds a triangle to a face, `weight` times. Its corners are the base of the face, the point at offset `a` of
   * p and the point at offset `b` of q.
   */
  addTriangle({ base, sum, error }: Face, p: Point, a: number, q: Point, b: number, weight: number): void {
    for (let axis = 0; axis < 3; axis++) {
      const u = axis === 2 ? 0 : axis + 1;
      const v = u === 2 ? 0 : u + 1;
      const pu = p[a + u] - base[u];
      const pv = p[a + v] - base[v];
      const qu = q[b + u] - base[u];
      const qv = q[b + v] - base[v];
      const left = pu * qv;
      const right = pv * qu;
      sum[axis] += weight * (left - right);
      // The factors have the errors alpha. The products, their difference, and `weight` times this difference
      // are rounded.
      const alphaU = this.#alpha[u];
      const alphaV = this.#alpha[v];
      error[axis] +=
        Math.abs(weight) *
          (alphaU * (Math.abs(qv) + Math.abs(pv)) +
            alphaV * (Math.abs(pu) + Math.abs(qu)) +
            2 * alphaU * alphaV +
            4 * U * (Math.abs(left) + Math.abs(right))) +
        2 * U * Math.abs(sum[axis]);
    }
  }

  /** Adds six times the volume of the cone over a face to the total. */
  addCone({ base, sum, error }: Face): void {
    let cone = 0;
    for (let axis = 0; axis < 3; axis++) {
      const alpha = this.#alpha[axis];
      const height = base[axis] - this.#apex[axis];
      cone += height * sum[axis];
      this.#error +=
        (Math.abs(height) + alpha) * error[axis] +
        alpha * Math.abs(sum[axis]) +
        4 * U * Math.abs(height * sum[axis]) +
        UNDERFLOW;
    }
    this.#total += cone;
    this.#error += 2 * U * Math.abs(this.#total);
  }

  /** Returns bounds of the magnitude of the sum of the volumes. */
  get volume(): ProvenBounds {
    const [lower, upper] = this.signedVolume;
    return { lower: Math.max(0, lower, -upper), upper: Math.max(upper, -lower) };
  }

  /**
   * Returns bounds of the sum of the volumes. The volumes of cones over faces that face the apex are negative.
   */
  get signedVolume(): readonly [lower: number, upper: number] {
    const sum = this.#total / 6;
    const error = (this.#error / 6 + 4 * U * Math.abs(sum)) * SLACK;
    return [sum - error, sum + error];
  }

  /** Returns bounds of the area of a face. No coordinate may exceed 1 in magnitude. */
  areaOf({ sum, error }: Face): ProvenBounds {
    const { lower, upper } = lengthBounds(sum, error[0] + error[1] + error[2]);
    return { lower: lower / 2, upper: upper / 2 };
  }

  /**
   * Returns bounds of the distance between the points at the offsets `from` and `to` of p. No coordinate may
   * exceed 1 in magnitude.
   */
  lengthOf(p: Point, from: number, to: number): ProvenBounds {
    const apart = [p[to] - p[from], p[to + 1] - p[from + 1], p[to + 2] - p[from + 2]];
    return lengthBounds(apart, this.#alpha[0] + this.#alpha[1] + this.#alpha[2]);
  }
}

// Returns bounds of the length of a vector. given: at least the sum of the errors of its coordinates. This
// bounds the error of the length, because the lengths of two vectors differ by at most the length of their
// difference.
function lengthBounds([x, y, z]: readonly number[], given: number): ProvenBounds {
  const size = Math.sqrt(x * x + y * y + z * z);
  const error = (given + 8 * U * size + LENGTH_UNDERFLOW) * SLACK;
  return { lower: Math.max(0, size - error), upper: size + error };
}
