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
  cross,
  cutAt,
  dot,
  hullOfDirections,
  lengthOf,
  longestEdge,
  minus,
  type Piece,
  scaled,
  unit,
  type Vector,
} from './piece.js';
import { provenRadius } from './provenRadius.js';
import { type Nearest, nearestOnTriangle, type TriangleTree } from './triangleTree.js';

/** Upper bound of the rounding errors of lengths, relative to the largest coordinate. */
const ROUNDING = 2 ** -43;
/** A ball stops shrinking when its radius changes by at most this share. */
const CONVERGED = 1e-12;
/** The least share by which a radius grows until all balls of a piece meet an obstacle. */
const MIN_GROWTH = 2 ** -30;
/** Limit of the steps in which a ball shrinks. */
const MAX_STEPS = 60;

/** The balls to bound. */
export interface BallSearch {
  /**
   * The triangles that the balls must not cross: at least all whose boxes are, along each axis, at most twice
   * the box's smallest extent away from the box.
   */
  tree: TriangleTree;
  pieces: readonly Piece[];
  /** Minimum and maximum corner of a box that contains all balls to bound. */
  box: readonly [Vector, Vector];
  /** Returns whether a point, which lies on no triangle, belongs to the solid in which the balls must lie. */
  isInside(point: Vector): boolean;
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
  readonly #nearest: Nearest = { distance: 0, triangle: 0, x: 0, y: 0, z: 0 };
  readonly #foot = new Float64Array(3);
  readonly #queue: Candidate[] = [];
  // The largest radius up to which balls were not examined further.
  #dropped = 0;
  #radius = 0;
  #center: Vector | undefined;
  #examined = 0;

  constructor(search: BallSearch) {
    const [min, max] = search.box;
    this.#search = search;
    let largest = Math.max(...[...min, ...max].map(Math.abs));
    for (const value of search.tree.corners) largest = Math.max(largest, Math.abs(value));
    this.#tolerance = ROUNDING * largest;
    this.#maxRadius = Math.min(...max.map((value, axis) => value - min[axis])) / 2 + this.#tolerance;
  }

  run(): BallBounds {
    const { pieces, maxPieces } = this.#search;
    for (const piece of pieces) this.#examine({ piece, radius: this.#maxRadius });
    while (this.#queue.length > 0 && this.#examined < maxPieces) {
      const next = pop(this.#queue);
      if (next.radius <= this.#goal) {
        this.#drop(next.radius);
        continue;
      }
      for (const half of this.#divide(next)) this.#examine({ piece: half, radius: next.radius });
    }
    const rest = this.#queue.reduce((max, { radius }) => Math.max(max, radius), 0);
    const center = this.#center;
    const lower = center ? 2 * provenRadius(this.#search.tree.corners, center, this.#radius) : 0;
    return {
      lower,
      upper: 2 * (Math.max(rest, this.#dropped, this.#radius) + this.#tolerance),
      ...(center && lower > 0 && { center: [...center] }),
    };
  }

  // Notes that balls of at most this radius are not examined further.
  #drop(radius: number): void {
    this.#dropped = Math.max(this.#dropped, radius);
  }

  // Pieces whose balls are at most this large need not be examined further.
  get #goal(): number {
    return Math.max(this.#radius * (1 + this.#search.gap), this.#radius + 4 * this.#tolerance);
  }

  // Bounds the balls of a piece, and queues it if they may be larger than the largest ball so far.
  #examine({ piece, radius }: Candidate): void {
    this.#examined++;
    if (this.#isOutsideBox(piece)) return;
    const { point, direction } = centerOf(piece);
    let bound = radius;
    let cut: Cut | undefined;
    if (this.#isNearBox(point)) {
      const ball = this.#grow(point, direction, radius);
      if (ball.triangle >= 0) {
        bound = this.#boundBy({ triangle: ball.triangle }, piece, bound);
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
        }
      }
    }
    if (bound > this.#goal) push(this.#queue, { piece, radius: bound, cut });
    else this.#drop(bound);
  }

  // Returns whether all triangles that a ball at the point may meet are in the tree.
  #isNearBox(point: Vector): boolean {
    const [min, max] = this.#search.box;
    return point.every(
      (value, axis) => value >= min[axis] - this.#maxRadius && value <= max[axis] + this.#maxRadius,
    );
  }

  #isOutsideBox({ points }: Piece): boolean {
    const [min, max] = this.#search.box;
    return [0, 1, 2].some(
      axis =>
        points.every(point => point[axis] < min[axis] - this.#tolerance) ||
        points.every(point => point[axis] > max[axis] + this.#tolerance),
    );
  }

  // Finds the largest ball that touches `point`, has its center in `direction` and crosses no triangle by more
  // than two tolerances, up to a radius. If the ball stops and the piece is tiny, #boundBy therefore finds that all
  // balls of the piece meet the triangle. triangle: the triangle that stops the ball, or -1.
  #grow(point: Vector, direction: Vector, maxRadius: number): { radius: number; triangle: number } {
    const { tree } = this.#search;
    const nearest = this.#nearest;
    let radius = maxRadius;
    let triangle = -1;
    for (let step = 0; step < MAX_STEPS; step++) {
      const [x, y, z] = along(point, direction, radius);
      if (!tree.nearest(x, y, z, radius - 2 * this.#tolerance, nearest)) break;
      triangle = nearest.triangle;
      const smaller = touching(point, direction, nearest.x, nearest.y, nearest.z);
      const isConverged = smaller >= radius * (1 - CONVERGED);
      radius = Math.min(radius, Math.max(0, smaller));
      if (isConverged || radius <= this.#tolerance) break;
    }
    return { radius, triangle };
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
  // centers of larger balls, because those balls contain the smaller ones.
  // @returns the triangle, or -1; undefined if the centers do not form a triangle
  #meetingCenters({ points, directions }: Piece): number | undefined {
    if (points.length < 3 || directions.length > 1) return undefined;
    const corners = Float64Array.from(points.flatMap(point => along(point, directions[0], this.#goal)));
    return this.#search.tree.findMeeting(corners, this.#tolerance);
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
    let radius = bound;
    for (let step = 0; step < MAX_STEPS; step++) {
      const gap = this.#gapTo(obstacle, along(point, direction, radius));
      if (gap >= radius - this.#tolerance) return radius;
      const smaller = touching(point, direction, this.#foot[0], this.#foot[1], this.#foot[2]);
      const isConverged = smaller >= radius * (1 - CONVERGED);
      radius = Math.min(radius, Math.max(0, smaller));
      if (isConverged) break;
    }
    return radius;
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

// Returns the radius of the ball that touches `point`, has its center in `direction` and has the point
// (x, y, z) on its surface.
function touching(point: Vector, direction: Vector, x: number, y: number, z: number): number {
  const dx = x - point[0];
  const dy = y - point[1];
  const dz = z - point[2];
  const height = dx * direction[0] + dy * direction[1] + dz * direction[2];
  return height > 0 ? (dx * dx + dy * dy + dz * dz) / (2 * height) : Infinity;
}

// A binary heap with the largest radius first.
function push(heap: Candidate[], candidate: Candidate): void {
  let at = heap.push(candidate) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (heap[parent].radius >= heap[at].radius) break;
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
      if (child < heap.length && heap[child].radius > heap[largest].radius) largest = child;
    if (largest === at) return first;
    [heap[largest], heap[at]] = [heap[at], heap[largest]];
    at = largest;
  }
}
