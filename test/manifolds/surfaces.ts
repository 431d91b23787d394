// Makes small meshes for tests of contact manifolds: flat grounds, a room, and changed copies of meshes.

import type { MeshData } from '../../dist/samples/index.js';
import type { Vector } from './slowManifolds.js';

/** Returns the parts as one mesh. */
export function joined(parts: readonly MeshData[]): MeshData {
  const firsts = parts.map((_, i) =>
    parts.slice(0, i).reduce((sum, { positions }) => sum + positions.length / 3, 0),
  );
  return {
    positions: Float32Array.from(parts.flatMap(({ positions }) => [...positions])),
    indices: Uint32Array.from(parts.flatMap(({ indices }, i) => [...indices].map(v => v + firsts[i]))),
  };
}

/**
 * Returns a flat grid of cells x cells parallelograms, each made of two triangles. One corner of the grid is
 * `start`, its sides from this corner are u and v, and its triangles face along u x v.
 */
export function sheet(cells: number, start: Vector, u: Vector, v: Vector): MeshData {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let j = 0; j <= cells; j++)
    for (let i = 0; i <= cells; i++)
      positions.push(...start.map((value, k) => value + (u[k] * i) / cells + (v[k] * j) / cells));
  for (let j = 0; j < cells; j++)
    for (let i = 0; i < cells; i++) {
      const at = j * (cells + 1) + i;
      indices.push(at, at + 1, at + cells + 2, at, at + cells + 2, at + cells + 1);
    }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

/** Returns a ground at y = 0 that faces up and extends from -half to half along x and z. */
export const ground = (cells: number, half: number): MeshData =>
  sheet(cells, [-half, 0, -half], [0, 0, 2 * half], [2 * half, 0, 0]);

/** Returns the floor y = 0 and the walls x = 0 and z = 0 of a room as one mesh that faces into the room. */
export const room = (cells: number, size: number): MeshData =>
  joined([
    sheet(cells, [0, 0, 0], [0, 0, size], [size, 0, 0]),
    sheet(cells, [0, 0, 0], [0, size, 0], [0, 0, size]),
    sheet(cells, [0, 0, 0], [size, 0, 0], [0, size, 0]),
  ]);

/** Returns the mesh with every triangle facing the other way. */
export const insideOut = ({ positions, indices }: MeshData): MeshData => ({
  positions,
  indices: indices.map((_, i) => indices[[i, i + 1, i - 1][i % 3]]),
});

/** Returns the mesh without indices: each triangle has vertices of its own. */
export const unindexed = ({ positions, indices }: MeshData): { positions: Float32Array } => ({
  positions: Float32Array.from([...indices].flatMap(v => [...positions.subarray(3 * v, 3 * v + 3)])),
});
