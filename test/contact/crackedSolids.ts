// Makes solids with narrow gaps between their faces, as exported CAD models have them: each face has its own
// vertices, and neighboring faces divide their common edge differently.

import type { Solid } from './solids.js';

type Vector = readonly number[];

/**
 * Makes a box whose six faces are separate grids. The number of cells along an edge differs from face to face.
 *
 * @param min - The corner with the smallest coordinates.
 * @param size - The extents.
 * @param place - Maps each vertex; rounding then moves the vertices of two faces apart.
 */
export function crackedBox(
  min: Vector,
  size: Vector,
  place: (point: number[]) => number[] = point => point,
): Solid {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let face = 0; face < 6; face++) {
    const axis = face % 3;
    const isFar = face >= 3;
    const cells = 2 + face;
    const first = positions.length / 3;
    for (let j = 0; j <= cells; j++) {
      for (let i = 0; i <= cells; i++) {
        const point = [0, 0, 0];
        point[axis] = min[axis] + (isFar ? size[axis] : 0);
        const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
        point[u] = min[u] + (size[u] * i) / cells;
        point[v] = min[v] + (size[v] * j) / cells;
        positions.push(...place(point));
      }
    }
    for (let j = 0; j < cells; j++) {
      for (let i = 0; i < cells; i++) {
        const at = first + j * (cells + 1) + i;
        const [a, b, c, d] = [at, at + 1, at + cells + 2, at + cells + 1];
        indices.push(...(isFar ? [a, b, c, a, c, d] : [a, c, b, a, d, c]));
      }
    }
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

/**
 * Makes a cylinder from three separate faces: the side, and two fans that close its ends. The circles of the fans
 * have another radius than the circles of the side.
 * @param gap - The difference of the radii.
 */
export function crackedCylinder(radius: number, height: number, sides: number, gap: number): Solid {
  const positions: number[] = [];
  const indices: number[] = [];
  const addCircle = (r: number, z: number): number => {
    const first = positions.length / 3;
    for (let i = 0; i < sides; i++) {
      const angle = (2 * Math.PI * i) / sides;
      positions.push(r * Math.cos(angle), r * Math.sin(angle), z);
    }
    return first;
  };
  const [low, high] = [addCircle(radius, 0), addCircle(radius, height)];
  const [bottom, top] = [addCircle(radius - gap, 0), addCircle(radius - gap, height)];
  const centers = positions.length / 3;
  positions.push(0, 0, 0, 0, 0, height);
  for (let i = 0; i < sides; i++) {
    const next = (i + 1) % sides;
    indices.push(low + i, low + next, high + next, low + i, high + next, high + i);
    indices.push(centers, bottom + next, bottom + i, centers + 1, top + i, top + next);
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}
