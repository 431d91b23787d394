// Computes exact sample points of a triangle that coplanar segments divide into cells: at least one point in
// every cell.
import { ceilLog2 } from '../core/exponent.js';
import { bitLength, type IntegerVector, signOf } from '../core/integers.js';
import { type GridPoint, integerShift, makeGridPoint, toInteger } from './gridPoint.js';
import { minHitFraction, orient2d, orient2dAt, projectionAxes } from './orientation.js';

type Point = readonly [bigint, bigint];
/**
 * The fraction `part / of`, with `of` above 0. Most fractions are positions on a segment: 0 is its start, 1 its
 * end.
 */
type Fraction = readonly [part: bigint, of: bigint];

/**
 * A segment's ends in integer grid coordinates: `from` and `to` in space, `start` and `end` in the
 * projection.
 */
interface IntegerLine {
  from: IntegerVector;
  to: IntegerVector;
  start: Point;
  end: Point;
}

const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1]];
const cross = (a: Point, b: Point): bigint => a[0] * b[1] - a[1] * b[0];
const dot = (a: Point, b: Point): bigint => a[0] * b[0] + a[1] * b[1];

const TRIANGLE_DOUBLES = 9;
const LINE_DOUBLES = 6;
/**
 * Upper bound of a relative rounding error. Two points have rounded coordinates: a grid point's `near`, and
 * the computed point halfway between `near` and a corner. On each axis, the error of either coordinate is at
 * most this fraction of the larger magnitude of the two.
 */
const MARGIN = 2 ** -48;

/**
 * Yields at least one point in every cell, and several points in some cells. Never yields one of `points`.
 * @param corners Nine doubles: a triangle whose projection along `axis` has an area.
 * @param segments Segments in the triangle's plane, six doubles each. Their parts outside the triangle do not
 * matter.
 * @param points Three doubles each: points to avoid.
 */
export function* cellSamplePoints(
  corners: Float64Array,
  segments: ArrayLike<number>,
  points: ArrayLike<number>,
  axis: number,
): Generator<GridPoint, void> {
  const cutter = new CellSampler(corners, segments, points, axis);
  if (cutter.cutCount === 0) yield cutter.middle();
  for (let cut = 0; cut < cutter.cutCount; cut++) yield* cutter.pointsBeside(cut);
}

class CellSampler {
  /** Number of cuts: the segments that have a point inside the triangle. */
  readonly cutCount: number;
  readonly #axis: number;
  readonly #across: readonly [number, number];
  // Nine doubles for the triangle, then six for each line: first the cuts, then the triangle's edges.
  readonly #p: Float64Array;
  readonly #lineCount: number;
  // Minimum and maximum of both coordinates of each line's projection.
  readonly #boxes: Float64Array;
  // Orientation sign of the triangle's corners in the projection.
  readonly #ownSign: number;
  readonly #avoided: ArrayLike<number>;
  readonly #shift: number;
  readonly #integerLines = new Map<number, IntegerLine>();
  readonly #path = new Float64Array(4);

  constructor(corners: Float64Array, segments: ArrayLike<number>, points: ArrayLike<number>, axis: number) {
    [this.#axis, this.#across, this.#avoided] = [axis, projectionAxes(axis), points];
    const p = (this.#p = new Float64Array(TRIANGLE_DOUBLES + segments.length + 3 * LINE_DOUBLES));
    p.set(corners);
    this.#ownSign = orient2d(p, 0, 3, 6, axis);
    let end = TRIANGLE_DOUBLES;
    for (let i = 0; i < segments.length; i += LINE_DOUBLES) {
      for (let k = 0; k < LINE_DOUBLES; k++) p[end + k] = segments[i + k];
      if (this.#isInside(end)) end += LINE_DOUBLES;
    }
    this.cutCount = (end - TRIANGLE_DOUBLES) / LINE_DOUBLES;
    this.#lineCount = this.cutCount + 3;
    for (let edge = 0; edge < 3; edge++) {
      for (let k = 0; k < LINE_DOUBLES; k++)
        p[end + LINE_DOUBLES * edge + k] = p[(3 * edge + k) % TRIANGLE_DOUBLES];
    }
    this.#shift = integerShift(p.subarray(0, end));
    this.#boxes = this.#boxesOfLines();
  }

  // Returns a point inside the triangle, on the path from the middle of an edge to the opposite corner. It is
  // used if there are no cuts.
  middle(): GridPoint {
    const [a, b, c] = [0, 3, 6].map(at => this.#integerPoint(at));
    for (let halvings = 2; ; halvings++) {
      const endWeight = 2n ** BigInt(halvings) - 2n;
      const at = (axis: number): bigint => a[axis] + b[axis] + endWeight * c[axis];
      const point = makeGridPoint([at(0), at(1), at(2)], this.#shift + halvings);
      if (!this.#isAvoided(point)) return point;
    }
  }

  // Takes one point between every two neighboring marks on the cut (see #marks). If this point lies inside the
  // triangle, yields two points near it, one on each side of the cut. No other cut lies between this point and
  // either of the two.
  *pointsBeside(cut: number): Generator<GridPoint, void> {
    const p = this.#p;
    const axis = this.#axis;
    const ownSign = this.#ownSign;
    const { from, to } = this.#integerLine(cut);
    const marks = this.#marks(cut);
    const start = TRIANGLE_DOUBLES + LINE_DOUBLES * cut;
    for (let i = 0; i + 1 < marks.length; i++) {
      const [part, bits] = between(marks[i], marks[i + 1]);
      const up = BigInt(bits);
      const at = (axis: number): bigint => (from[axis] << up) + (to[axis] - from[axis]) * part;
      const point = makeGridPoint([at(0), at(1), at(2)], this.#shift + bits);
      if (
        ![0, 3, 6].every(
          corner => orient2dAt(p, corner, (corner + 3) % TRIANGLE_DOUBLES, point, axis) === ownSign,
        )
      )
        continue;
      for (const side of [1, -1])
        yield this.#toward(
          point,
          cut,
          [0, 3, 6].find(corner => orient2d(p, start, start + 3, corner, axis) === side)!,
        );
    }
  }

  #boxesOfLines(): Float64Array {
    const p = this.#p;
    const lineCount = this.#lineCount;
    const across = this.#across;
    const boxes = new Float64Array(4 * lineCount);
    for (let line = 0; line < lineCount; line++) {
      for (let i = 0; i < 2; i++) {
        const start = p[TRIANGLE_DOUBLES + LINE_DOUBLES * line + across[i]];
        const end = p[TRIANGLE_DOUBLES + LINE_DOUBLES * line + 3 + across[i]];
        boxes[4 * line + 2 * i] = Math.min(start, end);
        boxes[4 * line + 2 * i + 1] = Math.max(start, end);
      }
    }
    return boxes;
  }

  #integerPoint(at: number): IntegerVector {
    const p = this.#p;
    const shift = this.#shift;
    return [toInteger(p[at], shift), toInteger(p[at + 1], shift), toInteger(p[at + 2], shift)];
  }

  #integerLine(line: number): IntegerLine {
    let known = this.#integerLines.get(line);
    if (!known) {
      const [u, v] = this.#across;
      const from = this.#integerPoint(TRIANGLE_DOUBLES + LINE_DOUBLES * line);
      const to = this.#integerPoint(TRIANGLE_DOUBLES + LINE_DOUBLES * line + 3);
      this.#integerLines.set(line, (known = { from, to, start: [from[u], from[v]], end: [to[u], to[v]] }));
    }
    return known;
  }

  #isAvoided({ near, rest }: GridPoint): boolean {
    const avoided = this.#avoided;
    if (rest[0] !== 0 || rest[1] !== 0 || rest[2] !== 0) return false;
    for (let i = 0; i < avoided.length; i += 3)
      if (near[0] === avoided[i] && near[1] === avoided[i + 1] && near[2] === avoided[i + 2]) return true;
    return false;
  }

  // Returns whether the segment at offset `at` has a point inside the triangle. It has no such point if the
  // segment and the triangle's interior are separated by the line through an edge of the triangle, or by the
  // segment's own line. Otherwise it has one (separating axis theorem).
  #isInside(at: number): boolean {
    const p = this.#p;
    const axis = this.#axis;
    const ownSign = this.#ownSign;
    for (let corner = 0; corner < TRIANGLE_DOUBLES; corner += 3) {
      const next = (corner + 3) % TRIANGLE_DOUBLES;
      if (
        orient2d(p, corner, next, at, axis) !== ownSign &&
        orient2d(p, corner, next, at + 3, axis) !== ownSign
      )
        return false;
    }
    const a = orient2d(p, at, at + 3, 0, axis);
    const b = orient2d(p, at, at + 3, 3, axis);
    const c = orient2d(p, at, at + 3, 6, axis);
    return Math.max(a, b, c) === 1 && Math.min(a, b, c) === -1;
  }

  // Returns the marks on a cut: its two ends, and the places where other cuts or edges of the triangle cross
  // it, or begin or end on it. A mark is a fraction of the cut's length. Marks are in ascending order, each
  // once.
  #marks(cut: number): Fraction[] {
    const p = this.#p;
    const axis = this.#axis;
    const boxes = this.#boxes;
    const lineCount = this.#lineCount;
    const marks: Fraction[] = [];
    const a = TRIANGLE_DOUBLES + LINE_DOUBLES * cut;
    const b = a + 3;
    const box = 4 * cut;
    for (let line = 0; line < lineCount; line++) {
      const other = 4 * line;
      if (
        boxes[box] > boxes[other + 1] ||
        boxes[other] > boxes[box + 1] ||
        boxes[box + 2] > boxes[other + 3] ||
        boxes[other + 2] > boxes[box + 3] ||
        line === cut
      )
        continue;
      const c = TRIANGLE_DOUBLES + LINE_DOUBLES * line;
      const d = c + 3;
      const sideC = orient2d(p, a, b, c, axis);
      const sideD = orient2d(p, a, b, d, axis);
      if (sideC * sideD > 0) continue;
      if (sideC === 0 && this.#isWithin(cut, c)) marks.push(this.#partAt(cut, c));
      if (sideD === 0 && this.#isWithin(cut, d)) marks.push(this.#partAt(cut, d));
      if (sideC * sideD < 0 && orient2d(p, c, d, a, axis) * orient2d(p, c, d, b, axis) < 0)
        marks.push(this.#partAcross(cut, line));
    }
    marks.push([0n, 1n], [1n, 1n]);
    if (marks.length === 2) return marks;
    marks.sort((one, other) => signOf(one[0] * other[1] - other[0] * one[1]));
    return marks.filter((mark, i) => i === 0 || mark[0] * marks[i - 1][1] !== marks[i - 1][0] * mark[1]);
  }

  // Returns whether the point at offset `at`, which must be on the cut's line, lies strictly between the
  // cut's ends. It suffices to compare one coordinate in which the ends differ.
  #isWithin(cut: number, at: number): boolean {
    const p = this.#p;
    const boxes = this.#boxes;
    const across = this.#across;
    const i = boxes[4 * cut] < boxes[4 * cut + 1] ? 0 : 1;
    const value = p[at + across[i]];
    return value > boxes[4 * cut + 2 * i] && value < boxes[4 * cut + 2 * i + 1];
  }

  #partAt(cut: number, at: number): Fraction {
    const { start, end } = this.#integerLine(cut);
    const [u, v] = this.#across;
    const point = this.#integerPoint(at);
    const along = minus(end, start);
    return [dot(minus([point[u], point[v]], start), along), dot(along, along)];
  }

  #partAcross(cut: number, line: number): Fraction {
    const { start, end } = this.#integerLine(cut);
    const other = this.#integerLine(line);
    const away = minus(other.end, other.start);
    const part = cross(minus(other.start, start), away);
    const of = cross(minus(end, start), away);
    return of < 0n ? [-part, -of] : [part, of];
  }

  // Moves a point on a cut toward a corner, by at most half the distance to the corner, and by less than the
  // distance to any other cut on the way.
  #toward(point: GridPoint, cut: number, corner: number): GridPoint {
    const p = this.#p;
    const { at, shift } = point;
    const step = [0, 1, 2].map(axis => toInteger(p[corner + axis], shift) - at[axis]);
    for (let halvings = this.#halvingsBefore(point, cut, corner, step); ; halvings++) {
      const down = BigInt(halvings);
      const moved = (axis: number): bigint => (at[axis] << down) + step[axis];
      const found = makeGridPoint([moved(0), moved(1), moved(2)], shift + halvings);
      if (!this.#isAvoided(found)) return found;
    }
  }

  // Returns a number of halvings, at least 1, after which the path from the point to the corner certainly ends
  // before it reaches any other cut, except cuts that contain the point. The number may be larger than
  // necessary. own: the cut on which the point lies.
  #halvingsBefore(point: GridPoint, own: number, corner: number, step: readonly bigint[]): number {
    const { cutCount } = this;
    const p = this.#p;
    const across = this.#across;
    const boxes = this.#boxes;
    const path = this.#path;
    const axis = this.#axis;
    const { near } = point;
    for (let i = 0; i < 2; i++) {
      const from = near[across[i]];
      const half = (from + p[corner + across[i]]) / 2;
      const margin = MARGIN * Math.max(Math.abs(from), Math.abs(half));
      path[2 * i] = Math.min(from, half) - margin;
      path[2 * i + 1] = Math.max(from, half) + margin;
    }
    let halvings = 1;
    for (let cut = 0; cut < cutCount; cut++) {
      const box = 4 * cut;
      if (
        path[0] > boxes[box + 1] ||
        boxes[box] > path[1] ||
        path[2] > boxes[box + 3] ||
        boxes[box + 2] > path[3] ||
        cut === own
      )
        continue;
      const lowerBound = minHitFraction(p, point, corner, TRIANGLE_DOUBLES + LINE_DOUBLES * cut, axis);
      if (lowerBound > 0.5) continue;
      halvings = Math.max(
        halvings,
        lowerBound > 0 ? 2 - ceilLog2(lowerBound) : this.#halvingsExactly(point, step, cut),
      );
    }
    return halvings;
  }

  #halvingsExactly({ at, shift }: GridPoint, step: readonly bigint[], cut: number): number {
    const [u, v] = this.#across;
    const up = BigInt(shift - this.#shift);
    const line = this.#integerLine(cut);
    const projectedStep: Point = [step[u], step[v]];
    const projectedPoint: Point = [at[u], at[v]];
    const start: Point = [line.start[0] << up, line.start[1] << up];
    const end: Point = [line.end[0] << up, line.end[1] << up];
    const away = minus(end, start);
    const offset = minus(start, projectedPoint);
    const denominator = cross(projectedStep, away);
    if (denominator === 0n)
      return cross(offset, projectedStep) === 0n
        ? Math.max(
            ...[start, end].map(other =>
              halvingsTo(dot(minus(other, projectedPoint), projectedStep), dot(projectedStep, projectedStep)),
            ),
          )
        : 1;
    const where = cross(offset, projectedStep);
    const isHit =
      denominator > 0n ? where >= 0n && where <= denominator : where <= 0n && where >= denominator;
    return isHit ? halvingsTo(cross(offset, away), denominator) : 1;
  }
}

// Returns a number n, at least 1, such that a path of length 1, halved n times, is shorter than the fraction
// `part / of`. Returns 1 if the fraction is 0 or less, because a cut at or behind the start of the path does
// not matter.
function halvingsTo(part: bigint, of: bigint): number {
  if (of < 0n) [part, of] = [-part, -of];
  return part > 0n ? Math.max(1, bitLength(of) - bitLength(part) + 1) : 1;
}

// Returns a numerator and `bits` such that numerator / 2^bits lies strictly between two fractions.
function between([a, ofA]: Fraction, [b, ofB]: Fraction): [part: bigint, bits: number] {
  for (let bits = 4; ; bits *= 2) {
    const up = BigInt(bits);
    const part = ((a * ofB + b * ofA) << up) / (2n * ofA * ofB);
    if (part * ofA > a << up && part * ofB < b << up) return [part, bits];
  }
}
