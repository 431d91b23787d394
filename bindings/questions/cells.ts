// A triangle and segments in its plane -> a point of every part that they cut it into, exactly.
import { bitsOf, gridPoint, shiftOf, signOf, wholeOf, type GridPoint, type Whole } from './grid.js';
import { acrossAxes, turnOfWhole } from './orientation.js';

type Point = readonly [bigint, bigint];

/** A segment: its ends as whole numbers, the same in the projection, and the projection's least and greatest coordinates. */
interface Cut { from: Whole; to: Whole; start: Point; end: Point; box: readonly number[] }

const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1]];
const cross = (a: Point, b: Point): bigint => a[0] * b[1] - a[1] * b[0];
const dot = (a: Point, b: Point): bigint => a[0] * b[0] + a[1] * b[1];

/**
 * corners: nine doubles, a triangle that faces `axis`. segments: six doubles each, in its plane; what they do outside of the
 * triangle does not matter. Every part gets a point, some get several; none of them is one of `points`, three doubles each.
 */
export function pointsOfParts(corners: Float64Array, segments: readonly Float64Array[], points: readonly Float64Array[], axis: number): GridPoint[] {
  return new Cutter(corners, segments, points, axis).points();
}

class Cutter {
  private readonly axes: readonly [number, number];
  private readonly shift: number;
  private readonly corners: Whole[];
  private readonly flat: Point[];
  private readonly own: number;
  private readonly cuts: Cut[];
  private readonly lines: Cut[];
  private readonly avoided: readonly Float64Array[];

  constructor(corners: Float64Array, segments: readonly Float64Array[], points: readonly Float64Array[], axis: number) {
    this.avoided = points;
    this.axes = acrossAxes(axis);
    this.shift = segments.reduce((shift, segment) => shiftOf(segment, shift), shiftOf(corners));
    this.corners = [0, 3, 6].map((at) => this.whole(corners, at));
    this.flat = this.corners.map((corner) => this.project(corner));
    this.own = turnOfWhole(this.flat);
    this.cuts = segments.map((segment) => this.cut(segment)).filter((cut) => this.isInside(cut));
    const edges = [0, 1, 2].map((i) => this.cut(Float64Array.of(...corners.subarray(3 * i, 3 * i + 3), ...corners.subarray(3 * ((i + 1) % 3), 3 * ((i + 1) % 3) + 3))));
    this.lines = [...this.cuts, ...edges];
  }

  points(): GridPoint[] {
    if (this.cuts.length === 0) return [this.middle()];
    return this.cuts.flatMap((cut) => this.beside(cut));
  }

  private whole(values: Float64Array, at: number): Whole {
    return [wholeOf(values[at]!, this.shift), wholeOf(values[at + 1]!, this.shift), wholeOf(values[at + 2]!, this.shift)];
  }

  private project(point: Whole): Point { return [point[this.axes[0]]!, point[this.axes[1]]!]; }

  private cut(segment: Float64Array): Cut {
    const from = this.whole(segment, 0), to = this.whole(segment, 3), [u, v] = this.axes;
    const box = [u, v].flatMap((axis) => [Math.min(segment[axis]!, segment[3 + axis]!), Math.max(segment[axis]!, segment[3 + axis]!)]);
    return { from, to, start: this.project(from), end: this.project(to), box };
  }

  // On the way from an edge's middle to the third corner.
  private middle(): GridPoint {
    const [a, b, c] = this.corners as [Whole, Whole, Whole];
    for (let halvings = 2; ; halvings++) {
      const most = 2n ** BigInt(halvings) - 2n, at = (axis: number): bigint => a[axis]! + b[axis]! + most * c[axis]!;
      const point = gridPoint([at(0), at(1), at(2)], this.shift + halvings);
      if (!this.isAvoided(point)) return point;
    }
  }

  private isAvoided({ near, rest }: GridPoint): boolean {
    return this.avoided.some((point) => [0, 1, 2].every((axis) => rest[axis] === 0 && near[axis] === point[axis]));
  }

  // Whether it has a point within the triangle: no line through an edge, nor its own, parts them.
  private isInside({ start, end }: Cut): boolean {
    const outside = [0, 1, 2].some((i) => [start, end].every((point) => turnOfWhole([this.flat[i]!, this.flat[(i + 1) % 3]!, point]) !== this.own));
    if (outside) return false;
    const sides = this.flat.map((corner) => turnOfWhole([start, end, corner]));
    return sides.includes(1) && sides.includes(-1);
  }

  // Between each two neighbours of what it meets, a point on either side of it, nearer than all else.
  private beside(cut: Cut): GridPoint[] {
    const marks = this.marks(cut), found: GridPoint[] = [];
    for (let i = 0; i + 1 < marks.length; i++) {
      const [part, bits] = between(marks[i]!, marks[i + 1]!), up = BigInt(bits);
      const at = (axis: number): bigint => (cut.from[axis]! << up) + (cut.to[axis]! - cut.from[axis]!) * part;
      const point: Whole = [at(0), at(1), at(2)], flat = this.project(point);
      const corners = this.flat.map((corner): Point => [corner[0] << up, corner[1] << up]);
      if (![0, 1, 2].every((j) => turnOfWhole([corners[j]!, corners[(j + 1) % 3]!, flat]) === this.own)) continue;
      for (const side of [1, -1]) {
        const corner = this.flat.findIndex((other) => turnOfWhole([cut.start, cut.end, other]) === side);
        found.push(this.towards(point, up, corner));
      }
    }
    return found;
  }

  // Where the others begin, end or cross on it, as parts of its length, in order.
  private marks({ start, end, box }: Cut): [number: bigint, of: bigint][] {
    const along = minus(end, start), marks: [bigint, bigint][] = [[0n, 1n], [1n, 1n]];
    const add = (part: bigint, of: bigint): void => {
      if (of < 0n) [part, of] = [-part, -of];
      if (part > 0n && part < of) marks.push([part, of]);
    };
    for (const other of this.lines) {
      if (other.start === start || areApart(box, other.box)) continue;
      const away = minus(other.end, other.start), offset = minus(other.start, start), turned = cross(along, away);
      if (turned !== 0n) {
        const where = cross(offset, along), within = turned > 0n ? where >= 0n && where <= turned : where <= 0n && where >= turned;
        if (within) add(cross(offset, away), turned);
      } else if (cross(offset, along) === 0n) {
        for (const point of [other.start, other.end]) add(dot(minus(point, start), along), dot(along, along));
      }
    }
    marks.sort((a, b) => signOf(a[0] * b[1] - b[0] * a[1]));
    return marks.filter((mark, i) => i === 0 || mark[0] * marks[i - 1]![1] !== marks[i - 1]![0] * mark[1]);
  }

  // From a point on a cut towards a corner, as far as half way but not as far as any cut.
  private towards(point: Whole, up: bigint, corner: number): GridPoint {
    const target = this.corners[corner]!, flat = this.project(point);
    const step: Whole = [(target[0] << up) - point[0], (target[1] << up) - point[1], (target[2] << up) - point[2]], way = this.project(step);
    let halvings = 1;
    const stopBefore = (part: bigint, of: bigint): void => {
      if (of < 0n) [part, of] = [-part, -of];
      if (part > 0n) halvings = Math.max(halvings, bitsOf(of) - bitsOf(part) + 1);
    };
    for (const cut of this.cuts) {
      const start: Point = [cut.start[0] << up, cut.start[1] << up], end: Point = [cut.end[0] << up, cut.end[1] << up];
      const away = minus(end, start), offset = minus(start, flat), turned = cross(way, away);
      if (turned !== 0n) {
        const where = cross(offset, way), within = turned > 0n ? where >= 0n && where <= turned : where <= 0n && where >= turned;
        if (within) stopBefore(cross(offset, away), turned);
      } else if (cross(offset, way) === 0n) {
        for (const other of [start, end]) stopBefore(dot(minus(other, flat), way), dot(way, way));
      }
    }
    for (; ; halvings++) {
      const down = BigInt(halvings), at = (axis: number): bigint => (point[axis]! << down) + step[axis]!;
      const found = gridPoint([at(0), at(1), at(2)], this.shift + Number(up) + halvings);
      if (!this.isAvoided(found)) return found;
    }
  }
}

const areApart = (a: readonly number[], b: readonly number[]): boolean => a[1]! < b[0]! || b[1]! < a[0]! || a[3]! < b[2]! || b[3]! < a[2]!;

// part / 2^bits strictly between two fractions.
function between([a, ofA]: readonly [bigint, bigint], [b, ofB]: readonly [bigint, bigint]): [part: bigint, bits: number] {
  for (let bits = 4; ; bits *= 2) {
    const up = BigInt(bits), part = ((a * ofB + b * ofA) << up) / (2n * ofA * ofB);
    if (part * ofA > a << up && part * ofB < b << up) return [part, bits];
  }
}
