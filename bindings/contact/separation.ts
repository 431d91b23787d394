// A region of contact -> the least translation of A, of those that are tried, which surely takes it out of B.
import { type Asked, askKinds, crosses } from './asked.js';
import { directionsOf } from './directions.js';
import { pointOf } from './grid.js';
import { Parts } from './inside.js';
import { holds, isClosed, reachIn } from './overlap.js';
import type { Region } from './regions.js';
import type { SegmentFinder } from './segmentFinder.js';
import { Surface } from './surface.js';
import { Witnesses } from './witnesses.js';

export type Vector = [number, number, number];

/** How far A has to go, and which way. */
export interface Separation {
  depth: number;
  direction: Vector;
  /** What rounding may add to the depth. */
  bound: number;
  /**
   * The point of A that lies deepest against the direction, and of B along it; of those known to be in the
   * region.
   */
  pointA: Vector;
  pointB: Vector;
}

/** Of the greatest coordinate: more than rounding of placed points and of their heights takes. */
const ROUNDING = 2 ** -48;
/** Smaller entries than this a transform may not have. */
const LEAST_ENTRY = 2 ** -200;

/**
 * One region's points: three doubles each, of A or B within the other; and which parts of the surfaces they
 * are of.
 */
interface Within {
  ofA: Float64Array;
  ofB: Float64Array;
  partsA: Set<number>;
  partsB: Set<number>;
}

/** Takes one placed pair apart, region by region. */
export class Separator {
  readonly #finder: SegmentFinder;
  readonly #asked: Asked;
  readonly #regions: readonly Region[];
  readonly #partsA: Parts;
  readonly #partsB: Parts;
  readonly #closedA: boolean;
  readonly #closedB: boolean;
  // B as it is placed for every try.
  readonly #transformB: Float64Array;
  readonly #still: Surface;

  constructor(finder: SegmentFinder, asked: Asked, regions: readonly Region[]) {
    this.#finder = finder;
    this.#asked = asked;
    this.#regions = regions;
    this.#partsA = new Parts(asked.a, new Set(asked.pairs.a));
    this.#partsB = new Parts(asked.b, new Set(asked.pairs.b));
    this.#closedA = isClosed(asked.a);
    this.#closedB = isClosed(asked.b);
    this.#transformB = matrixOf(asked.b.rows, [0, 0, 0]);
    this.#still = new Surface(asked.b.mesh, this.#transformB);
  }

  /** region: none where surfaces do not meet, and one holds parts of the other. */
  separate(region: Region | undefined): Separation {
    const { a, b } = this.#asked;
    const within = this.#within(region);
    const bound = ROUNDING * Math.max(...[...a.bounds, ...b.bounds].map(Math.abs));
    const tries = directionsOf(this.#asked, region).flatMap(direction => {
      const sure = overlapAlong(b.placed, a.placed, direction);
      const hoped = overlapAlong(within.ofB, within.ofA, direction);
      return [0, 1].flatMap(way => {
        const along = way === 0 ? direction : opposite(direction);
        return [
          { depth: hoped[way], direction: along, isSure: hoped[way] >= sure[way] },
          { depth: sure[way], direction: along, isSure: true },
        ];
      });
    });
    tries.sort((left, right) => left.depth - right.depth);
    const witnesses = this.#witnessesOf(region);
    const { depth, direction } = tries.find(
      one =>
        one.isSure ||
        this.#isOut(
          region,
          within,
          witnesses,
          one.direction.map(part => part * (one.depth + bound)) as Vector,
        ),
    )!;
    return {
      depth,
      direction,
      bound,
      pointA: top(within.ofA, opposite(direction)),
      pointB: top(within.ofB, direction),
    };
  }

  // What of either is in the other; where the other has no inside, all that the region's triangles span.
  #within(region: Region | undefined): Within {
    const { a, b } = this.#asked;
    if (!region) return { ofA: a.placed, ofB: b.placed, partsA: new Set(), partsB: new Set() };
    const partsA = this.#partsA.at(region.trianglesA);
    const partsB = this.#partsB.at(region.trianglesB);
    const points = (
      own: Surface,
      parts: Parts,
      reached: Set<number>,
      triangles: Set<number>,
      other: Surface,
      isOtherClosed: boolean,
    ): Float64Array => {
      if (!isOtherClosed)
        return joinLists([
          region.points,
          ...[...triangles].map(triangle => {
            const corners = new Float64Array(9);
            own.corners(triangle, corners, 0);
            return corners;
          }),
        ]);
      return joinLists([
        region.points,
        ...[...reached].filter(part => parts.isWithin(part, other)).map(part => parts.pointsOf(part)),
      ]);
    };
    return {
      ofA: points(a, this.#partsA, partsA, region.trianglesA, b, this.#closedB),
      ofB: points(b, this.#partsB, partsB, region.trianglesB, a, this.#closedA),
      partsA,
      partsB,
    };
  }

  // What crosses now may still do so after a short way.
  #witnessesOf(region: Region | undefined): Witnesses {
    const {
      pairs: { a, b, kind },
    } = this.#asked;
    const witnesses = new Witnesses(this.#asked.a, this.#still);
    const crossing = region?.pairs.filter(pair => crosses(kind[pair])) ?? [];
    witnesses.add(
      crossing.map(pair => a[pair]),
      crossing.map(pair => b[pair]),
    );
    return witnesses;
  }

  // Whether A, moved, has nothing of the region in B any more.
  #isOut(region: Region | undefined, within: Within, witnesses: Witnesses, by: Vector): boolean {
    const finder = this.#finder;
    const { a, b } = this.#asked;
    const regions = this.#regions;
    const transformB = this.#transformB;
    const transformA = matrixOf(a.rows, by);
    if (witnesses.surelyCross(new Surface(a.mesh, transformA), by)) return false;
    const moved = askKinds(finder, a.mesh, b.mesh, { transformA, transformB });
    const isAlone = regions.length < 2 || !region;
    const crossingA: number[] = [];
    const crossingB: number[] = [];
    for (let i = 0; i < moved.pairs.a.length; i++) {
      const ta = moved.pairs.a[i];
      const tb = moved.pairs.b[i];
      if (!crosses(moved.pairs.kind[i]) || !(isAlone || this.#concerns(region, ta, tb))) continue;
      crossingA.push(ta);
      crossingB.push(tb);
    }
    witnesses.add(crossingA, crossingB);
    if (crossingA.length > 0) return false;
    if (isAlone) return !reachIn(moved.a, moved.b, moved.pairs);
    const isIn = (parts: Parts, reached: Set<number>, other: Surface, sign: number): boolean =>
      [...reached].some(part => {
        return holds(other, pointOf(parts.pointOf(part).map((value, axis) => value + sign * by[axis])));
      });
    return (
      !(this.#closedB && isIn(this.#partsA, within.partsA, b, 1)) &&
      !(this.#closedA && isIn(this.#partsB, within.partsB, a, -1))
    );
  }

  // A pair that both meshes' triangles had in another region, and not in this one, is that one's.
  #concerns(region: Region, ta: number, tb: number): boolean {
    const inA = region.trianglesA.has(ta);
    const inB = region.trianglesB.has(tb);
    if (!inA && !inB) return false;
    return (inA && inB) || !this.#regions.some(other => other.trianglesA.has(ta) && other.trianglesB.has(tb));
  }
}

function joinLists(lists: readonly ArrayLike<number>[]): Float64Array {
  const all = new Float64Array(lists.reduce((sum, list) => sum + list.length, 0));
  let to = 0;
  for (const list of lists) {
    all.set(list, to);
    to += list.length;
  }
  return all;
}

const opposite = ([x, y, z]: Vector): Vector => [0 - x, 0 - y, 0 - z];

/** Least and greatest height of points, three doubles each, along a direction. */
function heightsOf(points: Float64Array, [x, y, z]: Vector): [least: number, most: number] {
  let least = Infinity;
  let most = -Infinity;
  for (let i = 0; i < points.length; i += 3) {
    const height = points[i] * x + points[i + 1] * y + points[i + 2] * z;
    if (height < least) least = height;
    if (height > most) most = height;
  }
  return [least, most];
}

// How far A has to go along a direction, and against it, until its points are beyond those of B.
function overlapAlong(b: Float64Array, a: Float64Array, direction: Vector): [along: number, against: number] {
  const [leastA, mostA] = heightsOf(a, direction);
  const [leastB, mostB] = heightsOf(b, direction);
  return [Math.max(0, mostB - leastA), Math.max(0, mostA - leastB)];
}

// The first of those that reach farthest.
function top(points: Float64Array, direction: Vector): Vector {
  const [x, y, z] = direction;
  const [, height] = heightsOf(points, direction);
  let at = 0;
  while (at < points.length && points[at] * x + points[at + 1] * y + points[at + 2] * z !== height) at += 3;
  return [points[at], points[at + 1], points[at + 2]];
}

// Three rows of four, moved -> a transform, column by column.
function matrixOf(rows: Float64Array, by: Vector): Float64Array {
  const matrix = new Float64Array(16);
  matrix[15] = 1;
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 4; column++) {
      const value = rows[4 * row + column] + (column === 3 ? by[row] : 0);
      matrix[4 * column + row] = Math.abs(value) < LEAST_ENTRY ? 0 : value;
    }
  }
  return matrix;
}
