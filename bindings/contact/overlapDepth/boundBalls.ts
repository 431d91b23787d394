// Bounds the diameter of the largest ball that touches a surface, lies in a solid and crosses no triangle, by
// branch and bound over the pieces of the surface (see piece.ts).
//
// Why an upper bound holds: the gap between a ball and a triangle is the distance of the ball's center from the
// triangle, minus the radius. If no triangle crosses a ball, all its gaps are 0 or more, and so is each
// weighted mean of its gaps. The distance from a convex set, such as a triangle, is a convex function of the
// center. So for balls of one radius, a weighted mean of gaps is a convex function, too. Take the convex hull
// of the centers of all balls of one piece and one radius: in this hull, the mean is greatest at a corner. If
// the mean is below 0 at all corners, the piece has no ball of this radius that no triangle crosses. The piece
// has no larger such ball either, because a larger ball contains the ball of this radius that touches the
// surface at the same point in the same direction.
//
// A ball outside the solid that crosses no triangle is an obstacle, too: no ball in the solid overlaps it, and
// the distance from a ball is a convex function.
//
// The order in which pieces are examined does not depend on the limit that the search has to decide, and bounds
// only get closer. So if a search proves that the diameter is at most its limit, a search with a larger limit
// proves the same for that limit, and does not examine more pieces.

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
/**
 * How far the goal for the bound of a piece exceeds the largest radius so far, as a share of `gap` of the
 * search (see #goalBelow).
 */
const GOAL_SHARE = 0.75;
/** The search ends if the bounds of the radius differ by at most this many tolerances (see #tolerance). */
const END_TOLERANCES = 32;
/** The smallest radius that is searched, in tolerances. */
const MIN_RADIUS_TOLERANCES = 16;
/** The steps of the search for a larger ball are longer than this share of an edge (see #climb). */
const MIN_STEP = 2 ** -8;
/** Max number of balls that are grown each time a piece is examined, besides those that #climb grows. */
const MAX_BALLS = 3;
/** Max number of radii between the goal and the bound at which #boundBy weighs the same obstacles. */
const MAX_RADII = 6;
/**
 * A piece is not cut at the regions of a triangle whose error (see Bounded.errors) is at most this share of the
 * largest error.
 */
const MIN_ERROR = 2 ** -10;
/** Max number of obstacles that a piece keeps for the next time that it, or a part of it, is examined. */
const MAX_OBSTACLES = 6;

/**
 * A side of the box bounds the balls of a piece only if the cosines between their directions and the inward
 * normal of the side are less than this. If a cosine is almost 1, rounding errors of the bound would be large.
 */
const MAX_COSINE = 1 - 2 ** -8;

/** The balls to bound. */
export interface BallSearch {
  /**
   * The triangles that the balls must not cross: at least all triangles whose bounding boxes are, along each
   * axis, at most `2 * maxDiameter` away from `box`.
   */
  tree: TriangleTree;
  pieces: readonly Piece[];
  /** Minimum and maximum corner of a box that contains all balls to bound. */
  box: readonly [Vector, Vector];
  /** Returns whether a point, which lies on no triangle, belongs to the solid in which the balls must lie. */
  isInside(point: Vector): boolean;
  /** No ball is larger than this. */
  maxDiameter: number;
  /**
   * If set, the search ends as soon as the bounds decide whether the diameter exceeds this limit. It does not
   * end because of `gap`.
   */
  limit?: number;
  /** The search ends if the upper bound exceeds the lower bound by at most this share of the lower bound. */
  gap: number;
  /** The search ends after it has examined at least this many pieces. The bounds may then be farther apart. */
  maxPieces: number;
}

/** Bounds of the largest ball's diameter, and the center of a ball whose diameter is the lower bound. */
export interface BallBounds {
  lower: number;
  upper: number;
  /** Omitted if no ball was found. */
  center?: [number, number, number];
}

/** A convex set of points that no ball in the solid overlaps: a triangle, or a ball outside the solid. */
type Obstacle = { triangle: number } | { center: Vector; radius: number };

interface Candidate {
  piece: Piece;
  /** Upper bound of the radius of the piece's balls. */
  radius: number;
  /** Obstacles that may bound the balls. */
  obstacles: readonly Obstacle[];
  /** Where to divide the piece. */
  cut?: Cut;
  /** Whether the piece has to be divided, because the last examination did not lower its bound to the goal. */
  isExamined: boolean;
}

/** Describes where to divide a piece: a plane divides the centers of the piece's balls of one radius. */
interface Cut {
  /** Numbers of triangles. The first one with a plane that divides the piece is taken. */
  triangles: readonly number[];
  /** The radius of the balls. */
  radius: number;
  /**
   * Whether the triangle lies between the centers, so that the plane is the triangle's own plane. If not, the
   * plane is one at which the formula for the distance from the triangle changes (see cutAtRegions).
   */
  isBetween: boolean;
}

/**
 * Upper bound of the radius that some obstacles permit, and where in the piece a ball may be almost that large.
 */
interface Bounded {
  radius: number;
  place?: { point: Vector; direction: Vector };
  /**
   * For each obstacle: the error of its gap at the place if the gap is interpolated between the corners (see
   * #boundBy), times its weight.
   */
  errors?: number[];
  /** The weight of each obstacle. */
  weights?: number[];
}

/** The weights of obstacles for the balls of one radius. */
interface Weighed extends Weighing {
  radius: number;
  /** For each obstacle: its distance from the center that belongs to each corner (see #boundBy). */
  distances: readonly (readonly number[])[];
}

/** Bounds the diameter of the largest ball of a search. */
export const boundBalls = (search: BallSearch): BallBounds => new BallBounder(search).run();

class BallBounder {
  readonly #search: BallSearch;
  // Upper bound of the rounding errors of lengths.
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
    let maxCoordinate = Math.max(...search.box.flat().map(Math.abs));
    for (const value of search.tree.corners) maxCoordinate = Math.max(maxCoordinate, Math.abs(value));
    this.#tolerance = ROUNDING * maxCoordinate;
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

  // Queues pieces, with bounds that are cheap to compute. The largest ball touches at least one of these
  // pieces. Many pieces are never examined.
  #enqueueAll(): void {
    const { box } = this.#search;
    for (const piece of oneSided(this.#search.pieces)) {
      for (const part of clipToBox(piece, box, 4 * this.#tolerance)) {
        const radius = Math.min(this.#maxRadius, this.#boundByBox(part));
        push(this.#queue, { piece: part, radius, obstacles: [], isExamined: false });
      }
    }
  }

  // Upper bound of the radius of the balls of all queued pieces.
  get #rest(): number {
    return this.#queue.length > 0 ? this.#queue[0].radius : 0;
  }

  // Upper bound of the diameter of all balls.
  get #upper(): number {
    return 2 * (Math.max(this.#rest, this.#radius) + this.#tolerance);
  }

  // Whether the bounds decide if the diameter of the largest ball exceeds the limit.
  get #isLimitDecided(): boolean {
    const { limit } = this.#search;
    return limit !== undefined && (2 * this.#radius > limit || this.#upper <= limit);
  }

  // The search ends if no ball of a queued piece has a larger radius than this. With a limit, `gap` does not
  // end the search, because the bounds may have to be closer to decide the limit.
  get #end(): number {
    const { gap, limit } = this.#search;
    const minEnd = this.#radius + END_TOLERANCES * this.#tolerance;
    return limit === undefined ? Math.max(this.#radius * (1 + gap), minEnd) : minEnd;
  }

  // Returns the goal: the radius to which the bound of a piece should be lowered. It exceeds the largest radius
  // so far by a share of `gap`. If the bound is already lower than that, the goal is halfway between the bound
  // and the largest radius so far.
  #goalBelow(bound: number): number {
    const goal = this.#radius * (1 + GOAL_SHARE * this.#search.gap);
    return Math.max(this.#minRadius, bound > goal ? goal : (this.#radius + bound) / 2);
  }

  // Lowers the bound of a piece toward the goal, and queues the piece again. To lower the bound, a ball is
  // grown at the place where the known obstacles permit the largest ball. The grown ball may be the largest so
  // far. If not, it usually yields another obstacle: the triangle that stops it, or the ball itself if it lies
  // outside the solid.
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
          // The ball with the same point and direction, but with the radius `goal`, has its center in the ball
          // that was just added to the obstacles. So this center does not belong to the solid, which is the
          // condition of #meetingCenters.
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

  // Looks for a larger ball near the largest one so far. The point at which the ball touches the surface is
  // moved in the directions of the piece's edges, by shorter and shorter steps. With a larger lower bound,
  // fewer pieces have to be examined.
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

  // Returns a radius such that each larger ball of the piece reaches out of the box. Let p and v be the
  // coordinates of a ball's point and direction on an axis. On this axis, a ball of radius r has its minimum at
  // p + r (v - 1) and its maximum at p + r (v + 1).
  #boundByBox(piece: Piece): number {
    const [min, max] = this.#search.box;
    let bound = Infinity;
    for (let axis = 0; axis < 3; axis++) {
      const [minCosine, maxCosine] = rangeOfDirections(piece, axis);
      let [before, beyond] = [this.#tolerance, this.#tolerance];
      for (const point of piece.points) {
        before = Math.max(before, point[axis] - min[axis]);
        beyond = Math.max(beyond, max[axis] - point[axis]);
      }
      if (maxCosine < MAX_COSINE) bound = Math.min(bound, before / (1 - maxCosine));
      if (minCosine > -MAX_COSINE) bound = Math.min(bound, beyond / (1 + minCosine));
    }
    return bound + this.#tolerance;
  }

  // Finds the largest ball that touches `point`, has its center in `direction`, crosses no triangle by more
  // than two tolerances, and has at most the given radius. For #boundBy, a ball meets a triangle if the gap is
  // at most minus one tolerance. So if a triangle stops the ball and the piece is tiny, #boundBy finds that all
  // larger balls of the piece meet the triangle.
  #grow(point: Vector, direction: Vector, radius: number): GrowingBall {
    const ball = ballAt(point, direction, radius);
    this.#search.tree.grow(ball, 2 * this.#tolerance);
    return ball;
  }

  // Finds a radius from `goal` to `bound` such that each larger ball of the piece meets an obstacle. The radius
  // is `bound` if no smaller one is found. A corner is a point with a direction: the centers of all balls of
  // one radius lie in the convex hull of the centers at the corners.
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
      // Interpolates, because gaps are nearly linear in the radius.
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

  // The smallest radius that is searched: goals are at least this.
  get #minRadius(): number {
    return MIN_RADIUS_TOLERANCES * this.#tolerance;
  }

  // Finds a triangle that meets a polygon or parallelogram, whose corners are centers of the piece's balls of
  // one radius. If there is no such triangle, and the center of one ball does not belong to the solid, then no
  // ball of the piece with this radius lies in the solid, because no triangle separates the centers. No larger
  // ball of the piece lies in the solid either, because each larger ball contains one of this radius. If there
  // are two directions, points of the parallelogram may be closer to the surface than the centers are, but each
  // of its points lies in a ball of the piece.
  // @returns the number of the triangle, or -1; undefined if the piece is neither a polygon with one direction
  // nor a segment with two directions
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

  // Divides a piece at its cut. Bisects the piece if it has no cut, if it is not a polygon with one direction,
  // or if no triangle of the cut has a plane that divides it.
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

  // Divides a piece at the plane of a triangle into a narrow part near the plane and the parts on both sides.
  // The centers of the outer parts keep a distance from the plane, so they are apart from the triangle. In the
  // narrow part, the centers near the triangle are so close to it that it crosses their balls.
  #cutBetween(piece: Piece, [a, b, c]: readonly Vector[], radius: number): Piece[] {
    const normal = unit(cross(minus(b, a), minus(c, a)));
    if (!normal) return [];
    const height = dot(normal, a) - dot(normal, piece.directions[0]) * radius;
    const margin = 4 * this.#tolerance;
    return cutAt(piece, normal, [height - margin, height + margin]);
  }

  // Returns the distance of a point from an obstacle; negative inside a ball.
  #gapTo(obstacle: Obstacle, [x, y, z]: Vector): number {
    if ('radius' in obstacle) return lengthOf(minus([x, y, z], obstacle.center)) - obstacle.radius;
    return Math.sqrt(
      nearestOnTriangle(this.#search.tree.corners, 9 * obstacle.triangle, x, y, z, this.#foot),
    );
  }
}

/**
 * The function oneSided chooses one of these directions. None of them is perpendicular to a coordinate axis:
 * many faces have normals along the axes, and a piece whose direction is perpendicular to the chosen direction
 * cannot be left out.
 */
const SIDES: readonly Vector[] = [
  [0.9, 0.3, 0.2],
  [0.2, 0.9, 0.3],
  [0.3, 0.2, 0.9],
]
  .flatMap(([x, y, z]) => [1, -1].flatMap(s => [1, -1].map((t): Vector => [s * x, t * y, z])))
  .flatMap(side => [side, scaled(side, -1)]);
/**
 * Directions count as perpendicular to a side if the magnitude of their cosine is at most this: a rounding
 * error.
 */
const PERPENDICULAR = 2 ** -40;

// Chooses a side, which is one of SIDES, and returns the pieces that do not face away from it. The chosen side
// leaves the fewest pieces. They suffice: the center of the largest ball lies in the convex hull of the points
// that the ball touches, because otherwise the ball could move away from all these points and grow. So for each
// side, the ball touches a point from which the direction to its center does not point away from the side.
function oneSided(pieces: readonly Piece[]): readonly Piece[] {
  const facing = SIDES.map(side =>
    pieces.filter(({ directions }) => directions.some(direction => dot(direction, side) >= -PERPENDICULAR)),
  );
  return facing.reduce((best, one) => (one.length < best.length ? one : best));
}

/** A piece is not cut if a part would be narrower than this share of the piece's longest edge. */
const MIN_SHARE = 2 ** -16;

// Divides a piece into two parts. The centers of the parts' balls of the given radius lie on opposite sides of
// a plane. The plane is one at which the formula for the distance from a triangle changes: the triangle's own
// plane, or a border between the Voronoi regions of its face, edges and corners. Of these planes, the one that
// divides the piece most evenly is taken.
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

// Returns whether `one` is taken from the queue before `other`. The piece with the larger bound is taken first;
// if the bounds are equal, a piece that is to be examined comes before one that is to be divided.
const isBefore = (one: Candidate, other: Candidate): boolean =>
  one.radius > other.radius || (one.radius === other.radius && !one.isExamined && other.isExamined);

// Adds a candidate to a binary heap, whose first element is the candidate to take next.
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
