// Finds the largest ball that touches a given point, has its center in a given direction from there and crosses
// none of a set of triangles.

/** A node of the tree with at most this many triangles is a leaf. */
const LEAF_SIZE = 4;
/** A triangle is a sliver if the squared sine of the angle at its first corner is at most this. */
export const SLIVER = 2 ** -16;
/**
 * Upper bound of the relative rounding error of a foot of a perpendicular, for a right angle at the first
 * corner.
 */
const FOOT_ROUNDING = 2 ** -48;
/** A ball stops shrinking when its radius changes by at most this share. */
const CONVERGED = 1e-12;
/** Max number of steps in which one triangle shrinks a ball. */
const MAX_STEPS = 60;
/** Number of stack entries: more than the depth of a tree that halves its triangles at each node. */
const STACK = 64;

/** A ball that touches the point (x, y, z) and has its center in the unit direction (dx, dy, dz) from there. */
export interface GrowingBall {
  x: number;
  y: number;
  z: number;
  dx: number;
  dy: number;
  dz: number;
  radius: number;
  /** The triangle that limits the radius, or -1. */
  triangle: number;
}

/** Returns the radius with which a ball has a given point on its surface. */
function radiusTouching({ x, y, z, dx, dy, dz }: GrowingBall, point: ArrayLike<number>): number {
  const [px, py, pz] = [point[0] - x, point[1] - y, point[2] - z];
  const height = px * dx + py * dy + pz * dz;
  return height > 0 ? (px * px + py * py + pz * pz) / (2 * height) : Infinity;
}

/**
 * Writes the point of a triangle that is nearest to the point (x, y, z), up to rounding errors. Apart from the
 * rounding of coordinates, the distance is never too small. It may be too large, because the written point may
 * not be the nearest one; `squaredFootError` bounds the distance between both points.
 * @param corners Nine doubles from offset `at` on.
 * @returns the squared distance
 */
export function nearestOnTriangle(
  corners: Float64Array,
  at: number,
  x: number,
  y: number,
  z: number,
  out: Float64Array,
): number {
  const ax = corners[at];
  const ay = corners[at + 1];
  const az = corners[at + 2];
  const abx = corners[at + 3] - ax;
  const aby = corners[at + 4] - ay;
  const abz = corners[at + 5] - az;
  const acx = corners[at + 6] - ax;
  const acy = corners[at + 7] - ay;
  const acz = corners[at + 8] - az;
  const apx = x - ax;
  const apy = y - ay;
  const apz = z - az;
  // Barycentric coordinates of the foot of the perpendicular, times the square of twice the triangle's area.
  const bb = abx * abx + aby * aby + abz * abz;
  const cc = acx * acx + acy * acy + acz * acz;
  const bc = abx * acx + aby * acy + abz * acz;
  const bp = abx * apx + aby * apy + abz * apz;
  const cp = acx * apx + acy * apy + acz * apz;
  const area = bb * cc - bc * bc;
  const v = cc * bp - bc * cp;
  const w = bb * cp - bc * bp;
  let best = Infinity;
  if (area > 0 && v >= 0 && w >= 0 && v + w <= area) {
    const qx = ax + (abx * v + acx * w) / area;
    const qy = ay + (aby * v + acy * w) / area;
    const qz = az + (abz * v + acz * w) / area;
    out[0] = qx;
    out[1] = qy;
    out[2] = qz;
    best = (x - qx) ** 2 + (y - qy) ** 2 + (z - qz) ** 2;
    // The foot on a sliver is not accurate, so a point of an edge may be closer.
    if (area > SLIVER * bb * cc) return best;
  }
  for (let i = 0; i < 3; i++) {
    const from = at + 3 * i;
    const to = at + (i === 2 ? 0 : 3 * i + 3);
    const ex = corners[to] - corners[from];
    const ey = corners[to + 1] - corners[from + 1];
    const ez = corners[to + 2] - corners[from + 2];
    const length = ex * ex + ey * ey + ez * ez;
    const along = ex * (x - corners[from]) + ey * (y - corners[from + 1]) + ez * (z - corners[from + 2]);
    const t = length > 0 ? Math.min(1, Math.max(0, along / length)) : 0;
    const qx = corners[from] + t * ex;
    const qy = corners[from + 1] + t * ey;
    const qz = corners[from + 2] + t * ez;
    const distance = (x - qx) ** 2 + (y - qy) ** 2 + (z - qz) ** 2;
    if (distance >= best) continue;
    best = distance;
    out[0] = qx;
    out[1] = qy;
    out[2] = qz;
  }
  return best;
}

/**
 * Returns an upper bound of the squared distance between the point that `nearestOnTriangle` writes and the
 * nearest point. The foot of the perpendicular is accurate unless the triangle is a sliver. The edges of a
 * sliver are tested, too, and the distance of its nearest point from an edge is at most the sliver's width.
 */
function squaredFootError(corners: Float64Array, at: number): number {
  let [bb, cc, bc] = [0, 0, 0];
  for (let axis = 0; axis < 3; axis++) {
    const b = corners[at + 3 + axis] - corners[at + axis];
    const c = corners[at + 6 + axis] - corners[at + axis];
    bb += b * b;
    cc += c * c;
    bc += b * c;
  }
  if (bb === 0 || cc === 0) return 0;
  const area = Math.max(0, bb * cc - bc * bc) + FOOT_ROUNDING * bb * cc;
  const longest = Math.max(bb, cc);
  const sine = area / (bb * cc);
  const ofFoot = (FOOT_ROUNDING / sine) ** 2 * 4 * longest;
  return sine > 2 * SLIVER ? ofFoot : Math.min(ofFoot, area / longest);
}

/**
 * A tree of boxes over triangles. Each inner node divides its triangles into halves along the longest axis of
 * its box.
 */
export class TriangleTree {
  /** Nine doubles per triangle. */
  readonly corners: Float64Array;
  // Upper bound of the squared error of a nearest point (see squaredFootError).
  readonly #squaredError: number;
  readonly #order: Uint32Array;
  // Six doubles per node: minimum, then maximum. The children of node i are 2 i + 1 and 2 i + 2.
  readonly #boxes: Float64Array;
  readonly #stack = new Int32Array(3 * STACK);
  readonly #point = new Float64Array(3);

  constructor(corners: Float64Array) {
    const count = corners.length / 9;
    this.corners = corners;
    this.#order = Uint32Array.from({ length: count }, (_, i) => i);
    const levels = Math.max(0, Math.ceil(Math.log2(Math.max(1, count) / LEAF_SIZE)));
    this.#boxes = new Float64Array(6 * 2 ** (levels + 1));
    let squaredError = 0;
    for (let at = 0; at < corners.length; at += 9)
      squaredError = Math.max(squaredError, squaredFootError(corners, at));
    this.#squaredError = squaredError;
    if (count > 0) this.#build(0, 0, count);
  }

  /**
   * Returns by how much the radius that `grow` has found must be reduced so that no triangle crosses the ball
   * with this center. The reduction is needed because nearest points are not exact. The slack and rounding
   * errors are not included.
   */
  errorOf(radius: number): number {
    // Let e be the error of the nearest point. It is perpendicular to the direction of the center, so the true
    // distance is sqrt(radius^2 - e^2), which is at least radius - e and at least radius - e^2 / radius.
    return Math.min(Math.sqrt(this.#squaredError), this.#squaredError / Math.max(radius, Number.MIN_VALUE));
  }

  #build(node: number, from: number, to: number): void {
    const { corners } = this;
    const order = this.#order;
    const boxes = this.#boxes;
    const box = 6 * node;
    for (let axis = 0; axis < 3; axis++) {
      let min = Infinity;
      let max = -Infinity;
      for (let i = from; i < to; i++) {
        for (let at = 9 * order[i] + axis, end = at + 9; at < end; at += 3) {
          if (corners[at] < min) min = corners[at];
          if (corners[at] > max) max = corners[at];
        }
      }
      boxes[box + axis] = min;
      boxes[box + 3 + axis] = max;
    }
    if (to - from <= LEAF_SIZE) return;
    const extents = [0, 1, 2].map(axis => boxes[box + 3 + axis] - boxes[box + axis]);
    const axis = extents.indexOf(Math.max(...extents));
    const middle = (triangle: number): number =>
      corners[9 * triangle + axis] + corners[9 * triangle + 3 + axis] + corners[9 * triangle + 6 + axis];
    order.subarray(from, to).sort((one, other) => middle(one) - middle(other));
    const half = (from + to) >> 1;
    this.#build(2 * node + 1, from, half);
    this.#build(2 * node + 2, half, to);
  }

  /**
   * Finds the largest ball that touches a point, has its center in a direction from there and crosses no
   * triangle by more than a slack.
   *
   * A triangle that crosses the ball shrinks it until the ball only touches the triangle. The smaller ball lies
   * in the larger one, so triangles that have not crossed the larger ball need not be tested again.
   * @param ball Gives the point, the direction and the max radius. Receives the radius that was found, and the
   * triangle that stops the ball.
   */
  grow(ball: GrowingBall, slack: number): void {
    const order = this.#order;
    const stack = this.#stack;
    if (order.length === 0) return;
    const { x, y, z } = ball;
    let size = 0;
    stack[size++] = 0;
    stack[size++] = 0;
    stack[size++] = order.length;
    while (size > 0) {
      const to = stack[--size];
      const from = stack[--size];
      const node = stack[--size];
      const { radius } = ball;
      const limit = radius - slack;
      if (limit <= 0) return;
      const distance = this.#distanceTo(
        node,
        x + radius * ball.dx,
        y + radius * ball.dy,
        z + radius * ball.dz,
      );
      if (distance >= limit * limit) continue;
      if (to - from <= LEAF_SIZE) {
        for (let i = from; i < to; i++) this.#shrink(ball, order[i], slack);
        continue;
      }
      const half = (from + to) >> 1;
      // The child that is nearer to the point is tested first: its triangles shrink the ball most.
      const isLeftNearer = this.#distanceTo(2 * node + 1, x, y, z) < this.#distanceTo(2 * node + 2, x, y, z);
      for (let i = 0; i < 2; i++) {
        const isLeft = isLeftNearer === (i === 1);
        stack[size++] = isLeft ? 2 * node + 1 : 2 * node + 2;
        stack[size++] = isLeft ? from : half;
        stack[size++] = isLeft ? half : to;
      }
    }
  }

  // Shrinks a ball until a triangle crosses it by at most the slack.
  #shrink(ball: GrowingBall, triangle: number, slack: number): void {
    const { x, y, z, dx, dy, dz } = ball;
    const foot = this.#point;
    for (let step = 0; step < MAX_STEPS; step++) {
      const { radius } = ball;
      const limit = radius - slack;
      const [cx, cy, cz] = [x + radius * dx, y + radius * dy, z + radius * dz];
      if (limit <= 0 || nearestOnTriangle(this.corners, 9 * triangle, cx, cy, cz, foot) >= limit * limit)
        return;
      ball.triangle = triangle;
      const smaller = radiusTouching(ball, foot);
      ball.radius = Math.min(radius, Math.max(0, smaller));
      if (smaller >= radius * (1 - CONVERGED)) return;
    }
  }

  /**
   * Returns the number of a triangle of the tree that may intersect a given triangle, or -1.
   * @param corners The nine doubles of the given triangle.
   * @param margin Triangles count as apart only if a gap of more than this length separates them.
   */
  findMeeting(corners: Float64Array, margin: number): number {
    const order = this.#order;
    const stack = this.#stack;
    if (order.length === 0) return -1;
    const min = [0, 1, 2].map(axis => Math.min(corners[axis], corners[3 + axis], corners[6 + axis]) - margin);
    const max = [0, 1, 2].map(axis => Math.max(corners[axis], corners[3 + axis], corners[6 + axis]) + margin);
    const boxes = this.#boxes;
    let size = 0;
    stack[size++] = 0;
    stack[size++] = 0;
    stack[size++] = order.length;
    while (size > 0) {
      const to = stack[--size];
      const from = stack[--size];
      const node = stack[--size];
      const at = 6 * node;
      if (
        boxes[at] > max[0] ||
        boxes[at + 1] > max[1] ||
        boxes[at + 2] > max[2] ||
        boxes[at + 3] < min[0] ||
        boxes[at + 4] < min[1] ||
        boxes[at + 5] < min[2]
      )
        continue;
      if (to - from <= LEAF_SIZE) {
        for (let i = from; i < to; i++)
          if (!areSeparated(this.corners, 9 * order[i], corners, 0, margin)) return order[i];
        continue;
      }
      const half = (from + to) >> 1;
      stack[size++] = 2 * node + 1;
      stack[size++] = from;
      stack[size++] = half;
      stack[size++] = 2 * node + 2;
      stack[size++] = half;
      stack[size++] = to;
    }
    return -1;
  }

  // Returns the squared distance of a point from a node's box.
  #distanceTo(node: number, x: number, y: number, z: number): number {
    const boxes = this.#boxes;
    const at = 6 * node;
    const dx = Math.max(boxes[at] - x, 0, x - boxes[at + 3]);
    const dy = Math.max(boxes[at + 1] - y, 0, y - boxes[at + 4]);
    const dz = Math.max(boxes[at + 2] - z, 0, z - boxes[at + 5]);
    return dx * dx + dy * dy + dz * dz;
  }
}

/**
 * Returns whether a gap of more than `margin` separates two triangles along one of these axes: the normals of
 * both triangles, and the cross products of an edge of one and an edge of the other.
 */
function areSeparated(p: Float64Array, i: number, q: Float64Array, j: number, margin: number): boolean {
  const edgesOfP = edgesOf(p, i);
  const edgesOfQ = edgesOf(q, j);
  const isSeparatedAlongCross = (
    a: readonly number[],
    k: number,
    b: readonly number[],
    l: number,
  ): boolean => {
    const x = a[k + 1] * b[l + 2] - a[k + 2] * b[l + 1];
    const y = a[k + 2] * b[l] - a[k] * b[l + 2];
    const z = a[k] * b[l + 1] - a[k + 1] * b[l];
    const gap = margin * Math.sqrt(x * x + y * y + z * z);
    if (gap === 0) return false;
    let [minP, maxP, minQ, maxQ] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let at = 0; at < 9; at += 3) {
      const ofP = p[i + at] * x + p[i + at + 1] * y + p[i + at + 2] * z;
      const ofQ = q[j + at] * x + q[j + at + 1] * y + q[j + at + 2] * z;
      minP = Math.min(minP, ofP);
      maxP = Math.max(maxP, ofP);
      minQ = Math.min(minQ, ofQ);
      maxQ = Math.max(maxQ, ofQ);
    }
    return minP - maxQ > gap || minQ - maxP > gap;
  };
  if (isSeparatedAlongCross(edgesOfP, 0, edgesOfP, 3) || isSeparatedAlongCross(edgesOfQ, 0, edgesOfQ, 3))
    return true;
  for (let k = 0; k < 9; k += 3)
    for (let l = 0; l < 9; l += 3) if (isSeparatedAlongCross(edgesOfP, k, edgesOfQ, l)) return true;
  return false;
}

// Returns the vectors of a triangle's three edges, one after the other.
function edgesOf(corners: Float64Array, at: number): number[] {
  const [ax, ay, az] = [corners[at], corners[at + 1], corners[at + 2]];
  const [bx, by, bz] = [corners[at + 3], corners[at + 4], corners[at + 5]];
  const [cx, cy, cz] = [corners[at + 6], corners[at + 7], corners[at + 8]];
  return [bx - ax, by - ay, bz - az, cx - bx, cy - by, cz - bz, ax - cx, ay - cy, az - cz];
}
