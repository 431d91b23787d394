// Generates closed solids: unions of the cells of a grid, such as walls with openings, and profiles that are
// swept along paths, such as pipes.

import { hypot } from './portableMath.js';
import type { Vector } from './transforms.js';
import type { MeshData } from './types.js';

/**
 * Returns the union of the grid cells for which `isFull` returns true, such as a wall with openings or steps.
 * `planes`: the coordinates of the grid's planes along x, y and z, increasing. The mesh is closed. If two full
 * cells share only an edge, this edge belongs to four triangles.
 */
export function gridSolid(
  planes: readonly [readonly number[], readonly number[], readonly number[]],
  isFull: (x: number, y: number, z: number) => boolean = () => true,
): MeshData {
  const positions: number[] = [];
  const indices: number[] = [];
  const vertices = new Map<string, number>();
  const vertex = (corner: readonly number[]): number => {
    const key = corner.join();
    let found = vertices.get(key);
    if (found === undefined) {
      found = vertices.size;
      vertices.set(key, found);
      positions.push(...corner.map((plane, axis) => planes[axis][plane]));
    }
    return found;
  };
  const counts = planes.map(axis => axis.length - 1);
  const fills = (cell: readonly number[]): boolean =>
    cell.every((value, axis) => value >= 0 && value < counts[axis]) && isFull(cell[0], cell[1], cell[2]);
  const addFace = (cell: readonly number[], axis: number, side: 0 | 1): void => {
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    const corners = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ].map(([alongU, alongV]) => {
      const corner = [...cell];
      corner[axis] += side;
      corner[u] += alongU;
      corner[v] += alongV;
      return vertex(corner);
    });
    const [a, b, c, d] = side === 1 ? corners : corners.reverse();
    indices.push(a, b, c, a, c, d);
  };
  for (let z = 0; z < counts[2]; z++)
    for (let y = 0; y < counts[1]; y++)
      for (let x = 0; x < counts[0]; x++) {
        const cell = [x, y, z];
        if (!fills(cell)) continue;
        for (let axis = 0; axis < 3; axis++)
          for (const side of [0, 1] as const) {
            const beside = [...cell];
            beside[axis] += 2 * side - 1;
            if (!fills(beside)) addFace(cell, axis, side);
          }
      }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const along = (a: Vector, d: Vector, length: number): Vector => [
  a[0] + d[0] * length,
  a[1] + d[1] * length,
  a[2] + d[2] * length,
];
const unit = (a: Vector): Vector => {
  const length = hypot(...a);
  return [a[0] / length, a[1] / length, a[2] / length];
};

/**
 * Rounds the bends of a path. Each bend is replaced by a curve that begins and ends at distance `radius` from
 * the bend, and consists of `steps` segments.
 */
export function roundBends(path: readonly Vector[], radius: number, steps = 6): Vector[] {
  return path.flatMap((bend, i) => {
    if (i === 0 || i === path.length - 1) return [bend];
    const before = unit(minus(path[i - 1], bend));
    const after = unit(minus(path[i + 1], bend));
    // A quadratic Bezier curve, whose control point is the bend.
    return Array.from({ length: steps + 1 }, (_, step) => {
      const t = step / steps;
      return along(along(bend, before, radius * (1 - t) * (1 - t)), after, radius * t * t);
    });
  });
}

/**
 * Sweeps a profile along a path with mitered bends. At the start of the sweep, the origin of the profile is
 * the first point of the path, the x axis of the profile is `right`, and its y axis is the cross product of
 * the direction of the path's first segment and `right`. The points of the profile are in counterclockwise
 * order. Returns a closed solid with 2 * points * segments + 2 * (points - 2) triangles.
 */
export function sweepProfile(
  profile: readonly (readonly [number, number])[],
  path: readonly Vector[],
  right: Vector,
): MeshData {
  const directions = path.slice(1).map((point, i) => unit(minus(point, path[i])));
  const [d] = directions;
  const above: Vector = [
    d[1] * right[2] - d[2] * right[1],
    d[2] * right[0] - d[0] * right[2],
    d[0] * right[1] - d[1] * right[0],
  ];
  let ring = profile.map(([x, y]) => along(along(path[0], right, x), above, y));
  const positions = ring.flat();
  const indices: number[] = [];
  const count = profile.length;
  directions.forEach((direction, segment) => {
    const end = path[segment + 1];
    const next = directions[segment + 1] ?? direction;
    const normal = along(direction, next, 1);
    ring = ring.map(point => {
      const length = dot(minus(end, point), normal) / dot(direction, normal);
      return along(point, direction, length);
    });
    positions.push(...ring.flat());
    for (let point = 0; point < count; point++) {
      const [a, b] = [segment * count + point, segment * count + ((point + 1) % count)];
      indices.push(a, b, b + count, a, b + count, a + count);
    }
  });
  const last = directions.length * count;
  for (let point = 2; point < count; point++)
    indices.push(0, point, point - 1, last, last + point - 1, last + point);
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}
