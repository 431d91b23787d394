// Two triangles that meet -> the ends of what they share, in doubles: a point, a segment's ends, or a polygon's corners.
import { facedAxis, OPPOSITE, SAME_WAY } from './pairKind.js';
import { acrossAxes } from './orientation.js';

const B = 9;

type Point = [number, number, number];

const pointAt = (p: Float64Array, at: number): Point => [p[at]!, p[at + 1]!, p[at + 2]!];

/** p, sides: as kindOf had and wrote them. Rounded; where the planes are almost one a point may be off along their line. */
export function contactPoints(p: Float64Array, sides: Int8Array, kind: number): Point[] {
  if (kind === SAME_WAY || kind === OPPOSITE) return clip(p);
  const onA = throughPlane(p, B, sides, 0, 0), onB = throughPlane(p, 0, sides, 3, B);
  if (onA.length === 0 || onB.length === 0) return [];
  return middleOf(onA, onB);
}

// Where the triangle from number s on meets the plane of the one from number t on. sides: of s's corners.
function throughPlane(p: Float64Array, s: number, sides: Int8Array, at: number, t: number): Point[] {
  const found: Point[] = [];
  for (let i = 0; i < 3; i++) {
    const j = (i + 1) % 3, side = sides[at + i]!, next = sides[at + j]!;
    if (side === 0) found.push(pointAt(p, s + 3 * i));
    if (side * next < 0) found.push(through(p, s + 3 * i, s + 3 * j, t));
  }
  return found;
}

function through(p: Float64Array, from: number, to: number, t: number): Point {
  const u = [0, 1, 2].map((axis) => p[t + 3 + axis]! - p[t + axis]!), v = [0, 1, 2].map((axis) => p[t + 6 + axis]! - p[t + axis]!);
  const normal = [u[1]! * v[2]! - u[2]! * v[1]!, u[2]! * v[0]! - u[0]! * v[2]!, u[0]! * v[1]! - u[1]! * v[0]!];
  const height = (at: number): number => Math.abs(normal.reduce((sum, part, axis) => sum + part * (p[at + axis]! - p[t + axis]!), 0));
  const start = height(from), end = height(to), part = start + end > 0 ? start / (start + end) : 0.5;
  return [0, 1, 2].map((axis) => p[from + axis]! + (p[to + axis]! - p[from + axis]!) * part) as Point;
}

// Both lie on one line: what they share lies between the second and the third of their ends.
function middleOf(onA: Point[], onB: Point[]): Point[] {
  const all = [...onA, ...onB], spread = [0, 1, 2].map((axis) => Math.max(...all.map((point) => point[axis]!)) - Math.min(...all.map((point) => point[axis]!)));
  const axis = spread.indexOf(Math.max(...spread));
  const ends = (points: Point[]): [Point, Point] => {
    const sorted = [...points].sort((a, b) => a[axis]! - b[axis]!);
    return [sorted[0]!, sorted[sorted.length - 1]!];
  };
  const [a, b] = [ends(onA), ends(onB)];
  return [a[0][axis]! > b[0][axis]! ? a[0] : b[0], a[1][axis]! < b[1][axis]! ? a[1] : b[1]];
}

// A within B, edge of B by edge, in the plane of both.
function clip(p: Float64Array): Point[] {
  const axis = facedAxis(p, 0), [u, v] = acrossAxes(axis);
  const turn = (a: Point, b: Point, c: Point): number => (b[u]! - a[u]!) * (c[v]! - a[v]!) - (b[v]! - a[v]!) * (c[u]! - a[u]!);
  const corners = [pointAt(p, B), pointAt(p, B + 3), pointAt(p, B + 6)] as const, own = Math.sign(turn(...corners));
  let polygon = [pointAt(p, 0), pointAt(p, 3), pointAt(p, 6)];
  for (let i = 0; i < 3; i++) {
    const from = corners[i]!, to = corners[(i + 1) % 3]!, heights = polygon.map((point) => own * turn(from, to, point));
    polygon = polygon.flatMap((point, k) => {
      const next = (k + 1) % polygon.length, height = heights[k]!, other = heights[next]!, kept = height >= 0 ? [point] : [];
      if (height * other >= 0) return kept;
      const part = height / (height - other);
      return [...kept, [0, 1, 2].map((i3) => point[i3]! + (polygon[next]![i3]! - point[i3]!) * part) as Point];
    });
  }
  return polygon;
}
