// Triangles of two placed meshes that meet -> regions of contact: what hangs together, and where each lies.
import { contactPoints } from './contactPoints.js';
import { CROSS, kindOf, TOUCH } from './pairKind.js';
import type { Asked } from './asked.js';
import { Joined, shellsOf } from './shells.js';

/** Pairs that hang together: one's triangle of A and the other's are one or share a corner, and so are those of B. */
export interface Region {
  /** Numbers of its pairs. */
  pairs: number[];
  trianglesA: Set<number>;
  trianglesB: Set<number>;
  /** How many pairs cross, and share an area. */
  crossing: number;
  sharing: number;
  /** Ends of what triangles share: three doubles each. */
  points: number[];
  /** What the curve in which the surfaces cross goes around, as an area with a direction: about where A's outside points. */
  around: [number, number, number];
}

export function regionsOf({ a, b, pairs }: Asked): Region[] {
  const joined = hangTogether({ a, b, pairs }), regions = new Map<number, Region>(), p = new Float64Array(18), sides = new Int8Array(6);
  for (let i = 0; i < pairs.a.length; i++) {
    const first = joined.of(i), ta = pairs.a[i]!, tb = pairs.b[i]!;
    let region = regions.get(first);
    if (!region) regions.set(first, region = { pairs: [], trianglesA: new Set(), trianglesB: new Set(), crossing: 0, sharing: 0, points: [], around: [0, 0, 0] });
    a.corners(ta, p, 0);
    b.corners(tb, p, 9);
    const kind = kindOf(p, sides), points = contactPoints(p, sides, kind);
    region.pairs.push(i);
    region.trianglesA.add(ta);
    region.trianglesB.add(tb);
    if (kind === CROSS) region.crossing++;
    else if (kind !== TOUCH) region.sharing++;
    for (const point of points) region.points.push(...point);
    if (kind === CROSS) addAround(region, p, points[0]!, points[1]!);
  }
  return [...regions.values()];
}

// Two pairs that hang together have a corner of A and one of B in common.
function hangTogether({ a, b, pairs }: Asked): Joined {
  const joined = new Joined(pairs.a.length), first = new Map<number, number>(), pointsA = shellsOf(a.mesh).points, pointsB = shellsOf(b.mesh).points;
  for (let i = 0; i < pairs.a.length; i++) {
    for (const x of a.vertices(pairs.a[i]!)) {
      for (const y of b.vertices(pairs.b[i]!)) {
        const key = pointsA[x]! * pointsB.length + pointsB[y]!, known = first.get(key);
        if (known === undefined) first.set(key, i);
        else joined.join(known, i);
      }
    }
  }
  return joined;
}

// Half of the cross product of a segment's ends, seen from the region's first point; along the cross product of both normals.
function addAround(region: Region, p: Float64Array, from: readonly number[], to: readonly number[]): void {
  const origin = region.points, normals = [normalOf(p, 0), normalOf(p, 9)] as const, along = crossOf(...normals);
  const runs = [0, 1, 2].reduce((sum, axis) => sum + along[axis]! * (to[axis]! - from[axis]!), 0);
  const [start, end] = runs >= 0 ? [from, to] : [to, from];
  const area = crossOf([0, 1, 2].map((axis) => start[axis]! - origin[axis]!), [0, 1, 2].map((axis) => end[axis]! - origin[axis]!));
  for (let axis = 0; axis < 3; axis++) region.around[axis]! += area[axis]! / 2;
}

export const crossOf = (a: readonly number[], b: readonly number[]): [number, number, number] =>
  [a[1]! * b[2]! - a[2]! * b[1]!, a[2]! * b[0]! - a[0]! * b[2]!, a[0]! * b[1]! - a[1]! * b[0]!];

/** (b - a) x (c - a) of the triangle from number `at` on. */
export function normalOf(p: Float64Array, at: number): [number, number, number] {
  return crossOf([0, 1, 2].map((axis) => p[at + 3 + axis]! - p[at + axis]!), [0, 1, 2].map((axis) => p[at + 6 + axis]! - p[at + axis]!));
}
