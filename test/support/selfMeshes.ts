// Makes seeded meshes that intersect themselves in every way, and finds the intersecting triangle pairs by
// testing all pairs in exact arithmetic.

import { createRandom } from '../../dist/samples/index.js';
import { type Pair, trianglePairs } from '../oracle/bruteForce.js';
import type { DoubleOracleMesh } from '../oracle/place.js';

export interface SelfMesh {
  positions: Float32Array;
  indices: Uint32Array;
}

/** Makes a square of cells x cells x 2 triangles; `at` maps the parameters u and v, in -1..1, to points. */
export function sheet(
  cells: number,
  at: (u: number, v: number) => readonly [number, number, number],
): SelfMesh {
  const side = cells + 1;
  const points = Array.from({ length: side * side }, (_, i) =>
    at((2 * (i % side)) / cells - 1, (2 * Math.floor(i / side)) / cells - 1),
  );
  const indices = Array.from(
    { length: cells * cells },
    (_, i) => Math.floor(i / cells) * side + (i % cells),
  ).flatMap(i => [i, i + 1, i + side, i + 1, i + side + 1, i + side]);
  return { positions: Float32Array.from(points.flat()), indices: Uint32Array.from(indices) };
}

/** Makes a sheet that is rolled up and crumpled more with each phase; phase 0 is flat. */
export const crumpled = (cells: number, phase: number): SelfMesh =>
  sheet(cells, (u, v) => [
    u * Math.cos(2 * phase * u),
    v + 0.2 * phase * Math.sin(5 * u + phase),
    Math.sin(2 * phase * u) * (0.3 + 0.2 * Math.cos(7 * v + 3 * phase)),
  ]);

/**
 * Makes triangles whose corners are on a small lattice. Most triangles touch others, many have no area, and
 * some are duplicates. axes: if 2, all triangles are in one plane.
 */
export function latticeMesh(triangleCount: number, vertexCount: number, seed: number, axes = 3): SelfMesh {
  const random = createRandom(seed);
  const positions = Float32Array.from({ length: 3 * vertexCount }, (_, i) =>
    i % 3 < axes ? random.below(5) - 2 : -0,
  );
  return {
    positions,
    indices: Uint32Array.from({ length: 3 * triangleCount }, () => random.below(vertexCount)),
  };
}

/** Gives every triangle its own three vertices. Each coordinate 0 at an even index becomes -0. */
export function unindexed({ positions, indices }: SelfMesh): SelfMesh {
  const own = Float32Array.from(
    Array.from(indices).flatMap(vertex => Array.from(positions.subarray(3 * vertex, 3 * vertex + 3))),
    (value, i) => (value === 0 && i % 2 === 0 ? -0 : value),
  );
  return { positions: own, indices: Uint32Array.from({ length: indices.length }, (_, i) => i) };
}

const moved = ({ positions, indices }: SelfMesh, scale: number, offset: number): SelfMesh => ({
  positions: positions.map(value => value * scale + offset),
  indices,
});

export function selfMeshes(): [name: string, mesh: SelfMesh][] {
  const flat = latticeMesh(60, 40, 4, 2);
  const solid = latticeMesh(90, 60, 1);
  const copies = { ...solid, indices: Uint32Array.from({ length: 3 * 60 }, (_, i) => solid.indices[i % 90]) };
  const folded = sheet(9, (u, v) => [Math.abs(u), v, u > 0 ? 0 : 0.125 * v]);
  const first = (count: number): SelfMesh => ({
    positions: solid.positions,
    indices: solid.indices.slice(0, 3 * count),
  });
  return [
    ...[0, 1, 2, 3, 4, 5, 17].map((count): [string, SelfMesh] => [`${count} triangles`, first(count)]),
    ['a lattice', solid],
    ['a plane', flat],
    [
      'a plane x = 0',
      { ...flat, positions: flat.positions.map((_, i) => flat.positions[i - (i % 3) + ((i + 2) % 3)]!) },
    ],
    [
      'a plane y = 0',
      { ...flat, positions: flat.positions.map((_, i) => flat.positions[i - (i % 3) + ((i + 1) % 3)]!) },
    ],
    ['triangles that occur twice', copies],
    [
      'one triangle 40 times',
      { positions: solid.positions, indices: new Uint32Array(120).map((_, i) => i % 3) },
    ],
    ['one point 30 times', { positions: solid.positions, indices: new Uint32Array(90) }],
    ['a folded sheet', folded],
    ['a sheet folded onto itself', sheet(8, (u, v) => [Math.abs(u), v, 0])],
    ['a crumpled sheet', crumpled(11, 1.4)],
    ['a flat sheet', sheet(9, (u, v) => [u, v, 0])],
    ['far away', moved(crumpled(9, 1.4), 1, 5000)],
    [
      'a tiny plane far away',
      { ...flat, positions: flat.positions.map((x, i) => (i % 3 < 2 ? x * 2 ** -60 : 1)) },
    ],
    ['huge', moved(crumpled(7, 1.4), 2 ** 125, 0)],
    ['tiny', moved(solid, 2 ** -149, 0)],
    ['soup', unindexed(latticeMesh(80, 50, 9))],
    ['a soup of a crumpled sheet', unindexed(crumpled(8, 1.4))],
    ['a soup of a plane', unindexed(flat)],
  ];
}

/** Returns a name for each corner of each triangle. Triangles are neighbors if they share a name. */
function vertexNames(
  { positions, indices }: SelfMesh | DoubleOracleMesh,
  neighbors: 'index' | 'position',
): (number | string)[] {
  if (neighbors === 'index') return Array.from(indices);
  return Array.from(indices, vertex =>
    Array.from(positions.subarray(3 * vertex, 3 * vertex + 3), value => (value === 0 ? 0 : value)).join(),
  );
}

/** Returns pairs a < b of triangles that intersect and share no vertex. */
export function selfPairs(mesh: SelfMesh | DoubleOracleMesh, neighbors: 'index' | 'position'): Pair[] {
  const names = vertexNames(mesh, neighbors);
  const ofTriangle = (triangle: number): (number | string)[] => names.slice(3 * triangle, 3 * triangle + 3);
  return trianglePairs(mesh, undefined, mesh, undefined).filter(
    ([a, b]) => a < b && !ofTriangle(a).some(name => ofTriangle(b).includes(name)),
  );
}
