// Bounds the diameter of the largest ball that touches a surface and fits between triangles, by branch and
// bound over the pieces of the surface (see piece.ts).
//
// Why an upper bound holds: the distance from a convex set, such as a triangle, is a convex function of the center.
// A ball of radius r that no triangle crosses has a center whose gap to each triangle, the distance minus r, is 0 or
// more; so has each weighted mean of these gaps. The mean is convex, too, so among the centers of all balls of one
// piece and one radius it is greatest at a corner of their convex hull. If it is below 0 at all corners, the piece has
// no ball of this radius. It has no larger one either, because a larger ball contains the smaller one that touches
// the surface at the same point in the same direction.
//
// A ball that crosses no triangle, but lies outside the solid, is an obstacle as well: no ball in the solid overlaps
// it. The distance from a ball is convex.
//
// The order in which pieces are examined does not depend on the limit that the search has to decide. Bounds only get
// closer, so if a limit is proven, each larger limit is proven no later.

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
  triangulated,
  unit,
  type Vector,
} from './piece.js';
import { provenRadius } from './provenRadius.js';
import { type GrowingBall, nearestOnTriangle, type TriangleTree } from './triangleTree.js';
import { type Weighing, weighObstacles } from './weighObstacles.js';

/** Upper bound of the rounding errors of lengths, relative to the largest coordinate. */
const ROUNDING = 2 ** -43;
/** Balls that are larger than the largest one by this share of the gap need not be examined further. */
const GOAL_SHARE = 0.75;
/** The search ends if the bounds of the radius differ by at most this many tolerances. */
const END_TOLERANCES = 32;
/** The least radius that is searched, in tolerances. */
const LEAST_TOLERANCES = 16;
/** The shortest step of the search for a larger ball, as a share of an edge. */
const MIN_STEP = 2 ** -8;
/** Limit of the balls that are grown in one piece, beside those of the search for a larger ball. */
const MAX_BALLS = 3;
/** Limit of the radii that are tried to bound a piece by the same obstacles. */
const MAX_RADII = 6;
/** Pieces are not cut beside a triangle whose gap is less inaccurate than this share of the most inaccurate one. */
const MIN_ERROR = 2 ** -10;
/** Limit of the obstacles that parts of a piece start with. */
const MAX_OBSTACLES = 6;

/** The box does not bound balls along an axis if their direction differs less from it: rounding would be large. */
const MAX_COSINE = 1 - 2 ** -8;

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
  /** If set, the search ends as soon as the bounds decide whether the diameter exceeds this limit, instead of by the gap. */
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
  /** Obstacles that may bound the balls. */
  obstacles: readonly Obstacle[];
  /** Where to divide the piece. */
  cut?: Cut;
  /** Whether obstacles alone cannot lower the bound, so that the piece has to be divided. */
  isExamined: boolean;
}

/**
 * A place to divide a piece, for the centers of its balls of a radius: at the plane of a triangle that lies between them;
 * or else where the distance from the triangle bends.
 */
interface Cut {
  /** The first triangle that permits a cut is taken. */
  triangles: readonly number[];
  radius: number;
  isBetween: boolean;
}

/** The greatest radius that some obstacles permit, and where the balls of a piece may be that large. */
interface Bounded {
  radius: number;
  place?: { point: Vector; direction: Vector };
  /** For each obstacle: by how much its interpolated gap exceeds its gap at the place, times its weight. */
  errors?: number[];
  /** The weight of each obstacle. */
  weights?: number[];
}

/** Obstacles weighed for the balls of a radius. */
interface Weighed extends Weighing {
  radius: number;
  /** For each obstacle: its distance from each corner. */
  distances: readonly (readonly number[])[];
}

/** Bounds the diameter of the largest ball of a search. */
export const boundBalls = (search: BallSearch): BallBounds => new BallBounder(search).run();

class BallBounder {
  readonly #search: BallSearch;
  readonly #tolerance: number;
  readonly #maxRadius: number;
  readonly #foot = new Float64Array(3);
  readonly #triangle = new Float64Array(9);
  readonly #queue: Candidate[] = [];
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
    while (this.#rest > this.#end && !this.#isLimitDecided && this.#examined < this.#search.maxPieces) {
      const next = pop(this.#queue);
      if (!next.isExamined) this.#examine(next);
      else for (const half of this.#divide(next)) this.#examine({ ...next, piece: half });
    }
    const center = this.#center;
    const lower = center ? 2 * provenRadius(this.#search.tree.corners, center, this.#radius) : 0;
    return {
      lower,
      upper: this.#upper,
      ...(center && lower > 0 && { center: [...center] }),
    };
  }

  // Queues all pieces with bounds that are cheap to compute. Many pieces are never examined.
  #enqueueAll(): void {
    const { box } = this.#search;
    for (const piece of oneSided(this.#search.pieces)) {
      for (const part of clipToBox(piece, box, 4 * this.#tolerance)) {
        const radius = Math.min(this.#maxRadius, this.#boundByBox(part));
        push(this.#queue, { piece: part, radius, obstacles: [], isExamined: false });
      }
    }
  }

  // Upper bound of the radius of all balls in the queue.
  get #rest(): number {
    return this.#queue.length > 0 ? this.#queue[0].radius : 0;
  }

  // Upper bound of the diameter of all balls.
  get #upper(): number {
    return 2 * (Math.max(this.#rest, this.#radius) + this.#tolerance);
  }

  // Whether it is known if a ball is larger than the limit that the search has to decide.
  get #isLimitDecided(): boolean {
    const { limit } = this.#search;
    return limit !== undefined && (2 * this.#radius > limit || this.#upper <= limit);
  }

  // The search ends if no ball is larger than this. To decide a limit, bounds may have to be closer than the gap.
  get #end(): number {
    const { gap, limit } = this.#search;
    const least = this.#radius + END_TOLERANCES * this.#tolerance;
    return limit === undefined ? Math.max(this.#radius * (1 + gap), least) : least;
  }

  // A radius to which the bound of a piece should be lowered: within the gap of the largest ball, or half way to that
  // ball if the bound is already within the gap.
  #goalBelow(bound: number): number {
    const goal = this.#radius * (1 + GOAL_SHARE * this.#search.gap);
    return Math.max(this.#least, bound > goal ? goal : (this.#radius + bound) / 2);
  }

  // Bounds the balls of a piece, and queues it if they may be larger than the largest ball so far. Grows balls where the
  // known obstacles permit the largest one. Such a ball may be larger than all before; if not, it meets another obstacle.
  #examine({ piece, radius, obstacles: known }: Candidate): void {
    this.#examined++;
    let bound = Math.min(radius, this.#boundByBox(piece));
    let obstacles = [...known];
    const goal = this.#goalBelow(bound);
    let errors: number[] | undefined;
    let weights: number[] | undefined;
    let cut: Cut | undefined;
    for (let balls = 0; balls <= MAX_BALLS && bound > goal; balls++) {
      const bounded = this.#boundBy(obstacles, piece, goal, bound);
      bound = bounded.radius;
      if (bound <= goal) break;
      ({ errors, weights } = bounded);
      if (balls === MAX_BALLS) break;
      const { point, direction } = bounded.place ?? centerOf(piece);
      const ball = this.#grow(point, direction, bound);
      const count = obstacles.length;
      const { triangle } = ball;
      if (triangle >= 0 && !obstacles.some(one => 'triangle' in one && one.triangle === triangle))
        obstacles.push({ triangle });
      const free = ball.radius - this.#search.tree.errorOf(ball.radius) - 3 * this.#tolerance;
      if (free > 0 && (balls === 0 || free > this.#radius)) {
        const center = along(point, direction, ball.radius);
        if (this.#search.isInside(center)) {
          if (free > this.#radius) {
            [this.#radius, this.#center] = [free, center];
            this.#climb(piece, point, direction);
          }
        } else {
          obstacles.push({ center, radius: free });
          // The smaller ball with the radius of the goal has its center in the free ball.
          if (ball.radius > goal && ball.radius - goal < free) {
            const meeting = this.#meetingCenters(piece, goal);
            if (meeting === -1) bound = goal;
            else if (meeting !== undefined) cut = { triangles: [meeting], radius: goal, isBetween: true };
          }
        }
      }
      if (obstacles.length === count) break;
    }
    if (errors && !cut && bound > goal) {
      const weighed = obstacles.map((obstacle, i) => ({ obstacle, error: errors[i] ?? 0 }));
      weighed.sort((one, other) => other.error - one.error);
      const triangles = weighed.flatMap(({ obstacle, error }) =>
        'triangle' in obstacle && error > MIN_ERROR * weighed[0].error ? [obstacle.triangle] : [],
      );
      if (triangles.length > 0) cut = { triangles, radius: bound, isBetween: false };
    }
    if (obstacles.length > MAX_OBSTACLES)
      obstacles = obstacles
        .filter((_, i) => i >= obstacles.length - 2 || (weights?.[i] ?? 0) > 0)
        .slice(-MAX_OBSTACLES);
    push(this.#queue, { piece, radius: bound, obstacles, cut, isExamined: bound > goal });
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
          const ball = this.#grow(moved, direction, this.#maxRadius);
          const free = ball.radius - this.#search.tree.errorOf(ball.radius) - 3 * this.#tolerance;
          const center = along(moved, direction, ball.radius);
          if (free <= this.#radius || !this.#search.isInside(center)) continue;
          [this.#radius, this.#center, point] = [free, center, moved];
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
      let [before, beyond] = [this.#tolerance, this.#tolerance];
      for (const point of piece.points) {
        before = Math.max(before, point[axis] - min[axis]);
        beyond = Math.max(beyond, max[axis] - point[axis]);
      }
      if (most < MAX_COSINE) bound = Math.min(bound, before / (1 - most));
      if (least > -MAX_COSINE) bound = Math.min(bound, beyond / (1 + least));
    }
    return bound + this.#tolerance;
  }

  // Finds the largest ball that touches `point`, has its center in `direction` and crosses no triangle by more
  // than two tolerances, up to a radius. If the ball stops and the piece is tiny, #boundBy therefore finds that all
  // balls of the piece meet the triangle.
  #grow(point: Vector, direction: Vector, radius: number): GrowingBall {
    const ball = ballAt(point, direction, radius);
    this.#search.tree.grow(ball, 2 * this.#tolerance);
    return ball;
  }

  // Finds a radius such that the piece has no ball that is larger and meets none of the obstacles: the goal or more, and
  // the bound if no smaller radius is found.
  #boundBy(obstacles: readonly Obstacle[], piece: Piece, goal: number, bound: number): Bounded {
    const hull = hullOfDirections(piece);
    if (!hull || obstacles.length === 0) return { radius: bound };
    const corners = piece.points.flatMap(point => hull.map(direction => ({ point, direction })));
    const weighAt = (radius: number): Weighed => {
      const centers = corners.map(({ point, direction }) => along(point, direction, radius));
      const distances = obstacles.map(obstacle => centers.map(center => this.#gapTo(obstacle, center)));
      const { value, weights, shares } = weighObstacles(
        distances.map(row => row.map(distance => distance - radius)),
      );
      return { radius, distances, value, weights, shares };
    };
    let low = weighAt(goal);
    if (low.value <= -this.#tolerance) return { radius: goal };
    let high = weighAt(bound);
    if (high.value > -this.#tolerance) low = high;
    else {
      // Gaps are nearly linear in the radius.
      const aim = -1.5 * this.#tolerance;
      for (let tries = 0; tries < MAX_RADII; tries++) {
        const width = high.radius - low.radius;
        if (width <= this.#tolerance) break;
        const share = (low.value - aim) / (low.value - high.value);
        const radius = low.radius + width * Math.min(0.99, Math.max(0.01, share));
        const next = weighAt(radius);
        if (next.value <= -this.#tolerance) {
          high = next;
          if (next.value >= 2 * aim) break;
        } else low = next;
      }
    }
    const total = (vectors: readonly Vector[]): Vector =>
      vectors.reduce<Vector>((sum, one, i) => along(sum, one, low.shares[i]), [0, 0, 0]);
    const point = total(corners.map(corner => corner.point));
    const direction = unit(total(corners.map(corner => corner.direction))) ?? piece.directions[0];
    const center = along(point, direction, low.radius);
    const errors = obstacles.map((obstacle, i) => {
      const interpolated = low.distances[i].reduce(
        (sum, distance, k) => (low.shares[k] > 0 ? sum + low.shares[k] * distance : sum),
        0,
      );
      return low.weights[i] * (interpolated - this.#gapTo(obstacle, center));
    });
    return { radius: high.radius, place: { point, direction }, errors, weights: low.weights };
  }

  // A tiny radius. Bounds below it are not searched.
  get #least(): number {
    return LEAST_TOLERANCES * this.#tolerance;
  }

  // Finds a triangle between the centers of the piece's balls of a radius. If no triangle lies between them,
  // and one of them does not belong to the solid, then none does. Neither do the centers of larger balls, because those
  // balls contain the smaller ones. Where directions differ, points between the centers may be closer to the surface,
  // but each of them lies in a ball of the piece.
  // @returns the triangle, or -1; undefined if the centers do not span a polygon or a parallelogram
  #meetingCenters({ points, directions }: Piece, radius: number): number | undefined {
    const centers = points.flatMap(point => directions.map(one => along(point, one, radius)));
    const isStrip = points.length === 2 && directions.length === 2;
    const isPolygon = points.length > 2 && directions.length === 1;
    if (!isPolygon && !isStrip) return undefined;
    for (const corners of isStrip ? [centers.slice(0, 3), centers.slice(1)] : triangulated(centers)) {
      corners.forEach((corner, i) => this.#triangle.set(corner, 3 * i));
      const meeting = this.#search.tree.findMeeting(this.#triangle, this.#tolerance);
      if (meeting >= 0) return meeting;
    }
    return -1;
  }

  // Divides a piece where its cut says, or else in halves.
  #divide({ piece, radius, cut }: Candidate): Piece[] {
    if (!cut || piece.points.length < 3 || piece.directions.length > 1) return bisect(piece, radius);
    const { corners } = this.#search.tree;
    for (const number of cut.triangles) {
      const triangle = [0, 3, 6].map((from): Vector => {
        const at = 9 * number + from;
        return [corners[at], corners[at + 1], corners[at + 2]];
      });
      const parts = cut.isBetween
        ? this.#cutBetween(piece, triangle, cut.radius)
        : cutAtRegions(piece, triangle, cut.radius);
      if (parts.length > 1) return parts;
    }
    return bisect(piece, radius);
  }

  // Divides a piece at the plane of a triangle. The parts keep a distance from the plane, so that their centers
  // are apart from the triangle. The narrow part between them has no room for balls where the triangle reaches.
  #cutBetween(piece: Piece, [a, b, c]: readonly Vector[], radius: number): Piece[] {
    const normal = unit(cross(minus(b, a), minus(c, a)));
    if (!normal) return [];
    const height = dot(normal, a) - dot(normal, piece.directions[0]) * radius;
    const margin = 4 * this.#tolerance;
    return cutAt(piece, normal, [height - margin, height + margin]);
  }

  // Returns the distance of a point from the obstacle.
  #gapTo(obstacle: Obstacle, [x, y, z]: Vector): number {
    if ('radius' in obstacle) return lengthOf(minus([x, y, z], obstacle.center)) - obstacle.radius;
    return Math.sqrt(
      nearestOnTriangle(this.#search.tree.corners, 9 * obstacle.triangle, x, y, z, this.#foot),
    );
  }
}

/** Directions toward which pieces may face; they are not perpendicular to the faces of most models. */
const SIDES: readonly Vector[] = [
  [0.9, 0.3, 0.2],
  [0.2, 0.9, 0.3],
  [0.3, 0.2, 0.9],
]
  .flatMap(([x, y, z]) => [1, -1].flatMap(s => [1, -1].map((t): Vector => [s * x, t * y, z])))
  .flatMap(side => [side, scaled(side, -1)]);
/** Directions count as perpendicular to a side if their cosine is at most this: a rounding error. */
const PERPENDICULAR = 2 ** -40;

// Returns those pieces that do not face away from a side, for the side with the fewest of them. They suffice: the center
// of the largest ball lies in the convex hull of the points that it touches, because otherwise the ball could move away
// from all of them and grow. So for each side, the ball touches a point from which its center lies toward the side.
function oneSided(pieces: readonly Piece[]): readonly Piece[] {
  const facing = SIDES.map(side =>
    pieces.filter(({ directions }) => directions.some(direction => dot(direction, side) >= -PERPENDICULAR)),
  );
  return facing.reduce((best, one) => (one.length < best.length ? one : best));
}

/** Pieces are not cut where that would leave a part narrower than this share of their extent. */
const MIN_SHARE = 2 ** -16;

// Divides a piece where the distance of the centers of its balls of a radius from a triangle bends: at the triangle's
// plane, or at a border between the Voronoi regions of its face, edges and corners. Takes the place that divides the piece
// most evenly.
function cutAtRegions(piece: Piece, triangle: readonly Vector[], radius: number): Piece[] {
  const [direction] = piece.directions;
  const [a, b, c] = triangle;
  const up = unit(cross(minus(b, a), minus(c, a)));
  if (!up) return [];
  const planes: [normal: Vector, through: Vector][] = [[up, a]];
  triangle.forEach((from, i) => {
    const to = triangle[(i + 1) % 3];
    const edge = unit(minus(to, from));
    if (edge) planes.push([cross(edge, up), from], [edge, from], [edge, to]);
  });
  let best: { normal: Vector; height: number } | undefined;
  let widest = MIN_SHARE * Math.sqrt(longestEdge(piece.points).length);
  for (const [normal, through] of planes) {
    const height = dot(normal, through) - dot(normal, direction) * radius;
    const heights = piece.points.map(point => dot(normal, point) - height);
    const width = Math.min(Math.max(...heights), -Math.min(...heights));
    if (width > widest) [widest, best] = [width, { normal, height }];
  }
  return best ? cutAt(piece, best.normal, [best.height]) : [];
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
