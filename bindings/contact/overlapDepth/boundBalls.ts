// Bounds the diameter of the largest ball that touches a surface and fits between triangles, by branch and
// bound over the pieces of the surface (see piece.ts).
//
// From the mean point of a piece, a ball grows in the mean direction until it meets a triangle. If its inside
// belongs to the solid, its diameter is a lower bound. If all balls of some radius that belong to the piece
// meet that triangle, this radius is an upper bound for the piece. If the ball's inside does not belong to the
// solid, neither does the inside of a ball that overlaps it and meets no triangle, which bounds the piece as
// well. All balls of a piece are tested at once: the distance from a convex set is a convex function, so over
// the centers of all balls of one radius it is greatest at a corner of their convex hull.

import {
  bisect,
  centerOf,
  clipToBox,
  cross,
  cutAt,
  dot,
  hullOfDirections,
  lengthOf,
  longestEdge,
  minus,
  type Piece,
  rangeOfDirections,
  scaled,
  unit,
  type Vector,
} from './piece.js';
import { provenRadius } from './provenRadius.js';
import { CONVERGED, type GrowingBall, nearestOnTriangle, type TriangleTree } from './triangleTree.js';

/** Upper bound of the rounding errors of lengths, relative to the largest coordinate. */
const ROUNDING = 2 ** -43;
/** The least share by which a radius grows until all balls of a piece meet an obstacle. */
const MIN_GROWTH = 2 ** -30;

/** Balls that are larger than the largest one by this share of the gap need not be examined further. */
const GOAL_SHARE = 0.75;
/** Balls of this share of a limit need not be examined further. */
const LIMIT_SHARE = 0.95;
/** The shortest step of the search for a larger ball, as a share of an edge. */
const MIN_STEP = 2 ** -8;

/** The balls to bound. */
export interface BallSearch {
  /**
   * The triangles that the balls must not cross: at least all whose boxes are, along each axis, at most twice
   * the largest diameter away from the box.
   */
  tree: TriangleTree;
  pieces: readonly Piece[];
  /** Minimum and maximum corner of a box that contains all balls to bound. */
  box: readonly [Vector, Vector];
  /** Returns whether a point, which lies on no triangle, belongs to the solid in which the balls must lie. */
  isInside(point: Vector): boolean;
  /** No ball is larger than this. */
  maxDiameter: number;
  /** The search may end as soon as the bounds decide whether the diameter exceeds this limit. */
  limit?: number;
  /** The search ends if the upper bound exceeds the lower bound by at most this share. */
  gap: number;
  /** The search ends after it has examined this many pieces; the bounds are then farther apart. */
  maxPieces: number;
}

/** Bounds of the largest ball's diameter, and the center of a ball whose diameter is the lower bound. */
export interface BallBounds {
  lower: number;
  upper: number;
  /** Omitted if no ball was found. */
  center?: [number, number, number];
}

/** A set of points that balls must not contain: a triangle, or a ball. */
type Obstacle = { triangle: number } | { center: Vector; radius: number };

interface Candidate {
  piece: Piece;
  /** Upper bound of the radius. */
  radius: number;
  /** Where to divide the piece. */
  cut?: Cut;
  /** Whether a ball has been grown at the piece. */
  isExamined: boolean;
}

/**
 * A place to divide a piece: at the plane of a triangle that lies between the centers of the piece's balls of a
 * radius; or, without a radius, where the points of the piece are no longer above a triangle.
 */
interface Cut {
  triangle: number;
  radius?: number;
}

/** Bounds the diameter of the largest ball of a search. */
export const boundBalls = (search: BallSearch): BallBounds => new BallBounder(search).run();

class BallBounder {
  readonly #search: BallSearch;
  readonly #tolerance: number;
  readonly #maxRadius: number;
  readonly #foot = new Float64Array(3);
  readonly #queue: Candidate[] = [];
  // The largest radius up to which balls were not examined further.
  #dropped = 0;
  #radius = 0;
  #center: Vector | undefined;
  #examined = 0;

  constructor(search: BallSearch) {
    this.#search = search;
    let largest = Math.max(...search.box.flat().map(Math.abs));
    for (const value of search.tree.corners) largest = Math.max(largest, Math.abs(value));
    this.#tolerance = ROUNDING * largest;
    this.#maxRadius = search.maxDiameter / 2 + this.#tolerance;
  }

  run(): BallBounds {
    this.#enqueueAll();
    while (this.#queue.length > 0 && this.#queue[0].radius > this.#end) {
      if (this.#examined >= this.#search.maxPieces || this.#isLimitExceeded) break;
      const next = pop(this.#queue);
      if (!next.isExamined) this.#examine(next);
      else for (const half of this.#divide(next)) this.#examine({ ...next, piece: half });
    }
    const rest = this.#queue.length > 0 ? this.#queue[0].radius : 0;
    const center = this.#center;
    const lower = center ? 2 * provenRadius(this.#search.tree.corners, center, this.#radius) : 0;
    return {
      lower,
      upper: 2 * (Math.max(rest, this.#dropped, this.#radius) + this.#tolerance),
      ...(center && lower > 0 && { center: [...center] }),
    };
  }

  // Queues all pieces with bounds that are cheap to compute. Many pieces are never examined.
  #enqueueAll(): void {
    const { pieces, box } = this.#search;
    for (const piece of pieces) {
      for (const part of clipToBox(piece, box, 4 * this.#tolerance)) {
        const radius = Math.min(this.#maxRadius, this.#boundByBox(part));
        push(this.#queue, { piece: part, radius, isExamined: false });
      }
    }
  }

  // Whether a ball is larger than the limit that the search has to decide.
  get #isLimitExceeded(): boolean {
    const { limit } = this.#search;
    return limit !== undefined && 2 * this.#radius > limit;
  }

  // Notes that balls of at most this radius are not examined further.
  #drop(radius: number): void {
    this.#dropped = Math.max(this.#dropped, radius);
  }

  // The search ends if no ball is larger than this.
  get #end(): number {
    const { gap } = this.#search;
    return Math.max(this.#radius * (1 + gap), this.#radius + 4 * this.#tolerance, this.#limitRadius);
  }

  // Pieces whose balls are at most this large need not be examined further. This is less than the end: pieces are cut
  // where their balls have this size, so the bounds of many parts are slightly larger.
  get #goal(): number {
    const { gap } = this.#search;
    return Math.max(this.#radius * (1 + GOAL_SHARE * gap), LIMIT_SHARE * this.#limitRadius);
  }

  // The radius from which on a ball exceeds the limit. The upper bound exceeds the largest radius by a tolerance.
  get #limitRadius(): number {
    const { limit = 0 } = this.#search;
    return limit / 2 - 2 * this.#tolerance;
  }

  // Bounds the balls of a piece, and queues it if they may be larger than the largest ball so far. The cheapest bounds
  // are tried first.
  #examine({ piece, radius, cut: hint }: Candidate): void {
    this.#examined++;
    let bound = Math.min(radius, this.#boundByBox(piece));
    if (hint && bound > this.#goal) bound = this.#boundBy({ triangle: hint.triangle }, piece, bound);
    if (bound <= this.#goal) {
      this.#drop(bound);
      return;
    }
    let cut: Cut | undefined;
    const { point, direction } = centerOf(piece);
    const ball = this.#grow(point, direction, bound, hint?.triangle ?? -1);
    if (ball.triangle >= 0) {
      if (ball.triangle !== hint?.triangle) bound = this.#boundBy({ triangle: ball.triangle }, piece, bound);
      cut = { triangle: ball.triangle };
    }
    const free = ball.radius - this.#search.tree.errorOf(ball.radius) - 3 * this.#tolerance;
    if (bound > this.#goal && free > 0) {
      const center = along(point, direction, ball.radius);
      if (!this.#search.isInside(center)) {
        bound = this.#boundBy({ center, radius: free }, piece, bound);
        if (bound > this.#goal && ball.radius > this.#goal) {
          const meeting = this.#meetingCenters(piece);
          if (meeting === -1) {
            this.#drop(this.#goal);
            return;
          }
          if (meeting !== undefined) cut = { triangle: meeting, radius: this.#goal };
        }
      } else if (free > this.#radius) {
        this.#radius = free;
        this.#center = center;
        this.#climb(piece, point, direction);
      }
    }
    if (bound > this.#goal) push(this.#queue, { piece, radius: bound, cut, isExamined: true });
    else this.#drop(bound);
  }

  // Looks for a larger ball near the largest one so far: moves the ball's point along the edges of its piece, by steps
  // that become shorter. A larger lower bound leaves fewer pieces to examine.
  #climb({ points }: Piece, start: Vector, direction: Vector): void {
    if (points.length < 2) return;
    const edges = points.map((point, i) => minus(points[(i + 1) % points.length], point));
    let point = start;
    for (let step = 1; step > MIN_STEP; step /= 2) {
      for (const edge of edges) {
        for (const share of [step, -step]) {
          const moved = along(point, edge, share);
          const ball = this.#grow(moved, direction, this.#maxRadius, -1);
          const free = ball.radius - this.#search.tree.errorOf(ball.radius) - 3 * this.#tolerance;
          const center = along(moved, direction, ball.radius);
          if (free <= this.#radius || !this.#search.isInside(center)) continue;
          this.#radius = free;
          this.#center = center;
          point = moved;
        }
      }
    }
  }

  // Returns a radius such that each larger ball of the piece reaches out of the box. Along an axis, a ball of radius r
  // at a point p with the direction v reaches from p + r (v - 1) to p + r (v + 1).
  #boundByBox(piece: Piece): number {
    const [min, max] = this.#search.box;
    let bound = Infinity;
    for (let axis = 0; axis < 3; axis++) {
      const [least, most] = rangeOfDirections(piece, axis);
      let [before, beyond] = [0, 0];
      for (const point of piece.points) {
        before = Math.max(before, point[axis] - min[axis]);
        beyond = Math.max(beyond, max[axis] - point[axis]);
      }
      if (most < 1) bound = Math.min(bound, before / (1 - most));
      if (least > -1) bound = Math.min(bound, beyond / (1 + least));
    }
    return bound + 2 * this.#tolerance;
  }

  // Finds the largest ball that touches `point`, has its center in `direction` and crosses no triangle by more
  // than two tolerances, up to a radius. If the ball stops and the piece is tiny, #boundBy therefore finds that all
  // balls of the piece meet the triangle.
  // hint: a triangle that may stop the ball, or -1.
  #grow(point: Vector, direction: Vector, radius: number, hint: number): GrowingBall {
    const ball = ballAt(point, direction, radius);
    this.#search.tree.grow(ball, 2 * this.#tolerance, hint);
    return ball;
  }

  // Returns a radius such that each larger ball of the piece meets the obstacle, or `bound` if none smaller than
  // `bound` is found.
  #boundBy(obstacle: Obstacle, piece: Piece, bound: number): number {
    const hull = hullOfDirections(piece);
    if (!hull) return bound;
    // Where pieces are cut beside a triangle, they are a few tolerances away from it.
    let radius = 16 * this.#tolerance;
    for (const point of piece.points) {
      for (const direction of piece.directions) {
        radius = Math.max(radius, this.#stop(obstacle, point, direction, bound));
        if (radius >= bound) return bound;
      }
    }
    // Where directions differ, balls between the corners may be larger. The hull's corners decide, at growing radii.
    for (let growth = MIN_GROWTH; radius < bound; growth = Math.min(1, growth * 16)) {
      const isMet = piece.points.every(point =>
        hull.every(
          direction => this.#gapTo(obstacle, along(point, direction, radius)) <= radius - this.#tolerance,
        ),
      );
      if (isMet) return radius;
      radius *= 1 + growth;
    }
    return bound;
  }

  // Finds a triangle between the centers of those balls of a piece that have the least radius of interest. If no
  // triangle lies between them, and one of them does not belong to the solid, then none does. Neither do the
  // centers of larger balls, because those balls contain the smaller ones. Where directions differ, points between the
  // centers may be closer to the surface, but each of them lies in a ball of the piece.
  // @returns the triangle, or -1; undefined if the centers do not span a triangle or a parallelogram
  #meetingCenters({ points, directions }: Piece): number | undefined {
    const goal = this.#goal;
    const centers = points.flatMap(point => directions.map(one => along(point, one, goal)));
    const isStrip = points.length === 2 && directions.length === 2;
    if (centers.length !== 3 && !isStrip) return undefined;
    for (const corners of isStrip ? [centers.slice(0, 3), centers.slice(1)] : [centers]) {
      const meeting = this.#search.tree.findMeeting(Float64Array.from(corners.flat()), this.#tolerance);
      if (meeting >= 0) return meeting;
    }
    return -1;
  }

  // Divides a piece where its cut says, or else in halves.
  #divide({ piece, radius, cut }: Candidate): Piece[] {
    if (!cut || piece.points.length < 3 || piece.directions.length > 1) return bisect(piece, radius);
    const { corners } = this.#search.tree;
    const triangle = [0, 3, 6].map((from): Vector => {
      const at = 9 * cut.triangle + from;
      return [corners[at], corners[at + 1], corners[at + 2]];
    });
    const parts =
      cut.radius === undefined
        ? this.#cutAbove(piece, triangle)
        : this.#cutBetween(piece, triangle, cut.radius);
    return parts.length > 1 ? parts : bisect(piece, radius);
  }

  // Divides a piece at the plane of a triangle. The parts keep a distance from the plane, so that their centers
  // are apart from the triangle. The narrow part between them has no room for balls.
  #cutBetween(piece: Piece, [a, b, c]: readonly Vector[], radius: number): Piece[] {
    const normal = unit(cross(minus(b, a), minus(c, a)));
    if (!normal) return [];
    const height = dot(normal, a) - dot(normal, piece.directions[0]) * radius;
    const margin = 4 * this.#tolerance;
    return cutAt(piece, normal, [height - margin, height + margin]);
  }

  // Divides a piece above that edge of a triangle beyond which the piece reaches farthest. If the whole piece is
  // above the triangle, divides it where balls of the least radius of interest no longer reach the triangle's
  // plane. Does neither if the triangle is too small for that.
  #cutAbove(piece: Piece, triangle: readonly Vector[]): Piece[] {
    const [direction] = piece.directions;
    const size = longestEdge(triangle).length;
    if (2 * size < longestEdge(piece.points).length || size < this.#goal * this.#goal) return [];
    let farthest = 4 * this.#tolerance;
    let best: { normal: Vector; height: number } | undefined;
    for (let i = 0; i < 3; i++) {
      const from = triangle[i];
      const normal = unit(cross(minus(triangle[(i + 1) % 3], from), direction));
      if (!normal) continue;
      const inner = dot(normal, minus(triangle[(i + 2) % 3], from));
      const out = inner > 0 ? scaled(normal, -1) : normal;
      const heights = piece.points.map(point => dot(out, minus(point, from)));
      const reach = Math.max(...heights);
      if (reach <= farthest || Math.min(...heights) >= -4 * this.#tolerance) continue;
      farthest = reach;
      best = { normal: out, height: dot(out, from) };
    }
    if (best) return cutAt(piece, best.normal, [best.height]);
    if (size < 16 * longestEdge(piece.points).length) return [];
    const [a, b, c] = triangle;
    const normal = unit(cross(minus(b, a), minus(c, a)));
    if (!normal) return [];
    const radius = this.#goal * (1 - CONVERGED);
    const side = dot(normal, minus(along(centerOf(piece).point, direction, radius), a)) < 0 ? -1 : 1;
    const up = scaled(normal, side);
    return cutAt(piece, up, [dot(up, a) + radius - dot(up, direction) * radius]);
  }

  // Returns the radius from which on a ball that touches a point meets the obstacle, or `bound`.
  #stop(obstacle: Obstacle, point: Vector, direction: Vector, bound: number): number {
    if ('radius' in obstacle) {
      // |p + r v - c| = r + R, solved for r.
      const from: Vector = [
        point[0] - obstacle.center[0],
        point[1] - obstacle.center[1],
        point[2] - obstacle.center[2],
      ];
      const numerator = dot(from, from) - obstacle.radius * obstacle.radius;
      const denominator = 2 * (obstacle.radius - dot(direction, from));
      if (numerator <= 0) return this.#tolerance;
      return denominator > 0 ? Math.min(bound, numerator / denominator) : bound;
    }
    const ball = ballAt(point, direction, bound);
    this.#search.tree.shrink(ball, obstacle.triangle, this.#tolerance);
    return ball.radius;
  }

  // Returns the distance of a point from the obstacle.
  #gapTo(obstacle: Obstacle, [x, y, z]: Vector): number {
    if ('radius' in obstacle) return lengthOf(minus([x, y, z], obstacle.center)) - obstacle.radius;
    return Math.sqrt(
      nearestOnTriangle(this.#search.tree.corners, 9 * obstacle.triangle, x, y, z, this.#foot),
    );
  }
}

const along = (point: Vector, direction: Vector, radius: number): Vector => [
  point[0] + direction[0] * radius,
  point[1] + direction[1] * radius,
  point[2] + direction[2] * radius,
];

const ballAt = ([x, y, z]: Vector, [dx, dy, dz]: Vector, radius: number): GrowingBall => ({
  x,
  y,
  z,
  dx,
  dy,
  dz,
  radius,
  triangle: -1,
});

// Whether a piece is taken first: that with the larger bound, or else that at which no ball has been grown.
const isBefore = (one: Candidate, other: Candidate): boolean =>
  one.radius > other.radius || (one.radius === other.radius && !one.isExamined && other.isExamined);

// Adds to a binary heap.
function push(heap: Candidate[], candidate: Candidate): void {
  let at = heap.push(candidate) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isBefore(heap[at], heap[parent])) break;
    [heap[parent], heap[at]] = [heap[at], heap[parent]];
    at = parent;
  }
}

function pop(heap: Candidate[]): Candidate {
  const [first] = heap;
  const last = heap.pop()!;
  if (heap.length === 0) return first;
  heap[0] = last;
  for (let at = 0; ; ) {
    let largest = at;
    for (const child of [2 * at + 1, 2 * at + 2])
      if (child < heap.length && isBefore(heap[child], heap[largest])) largest = child;
    if (largest === at) return first;
    [heap[largest], heap[at]] = [heap[at], heap[largest]];
    at = largest;
  }
}
