// Makes pairs of meshes whose coordinates are doubles. If the coordinates are rounded to float32, different
// triangles intersect. The meshes are made from the pairs of small meshes of placedScenes.ts.

import { createRandom, type Random } from '../../dist/samples/index.js';
import type { DoubleOracleMesh } from '../oracle/place.js';
import { meshPairs } from './placedScenes.js';

/** Maps a coordinate of a small mesh, which is a float of magnitude about 1, to a double. */
type Change = (value: number, axis: number, random: Random) => number;

const FAR = [5e6, -7e5, 3e4];

/**
 * 'thirds': equal coordinates stay equal, so triangles that touch in axis-parallel planes still touch. 'close':
 * coordinates of touching triangles differ by at most about 1e-12. 'ulps': coordinates of touching
 * triangles differ by a few units in the last place. 'far': as 'thirds', but far from the origin.
 */
export const changes: Record<string, Change> = {
  thirds: value => value / 3 + 0.1,
  close: (value, _axis, random) => value / 3 + 0.1 + 1e-12 * (random.below(3) - 1),
  ulps: (value, _axis, random) => (value / 3 + 0.1) * (1 + 2 ** -52 * (random.below(3) - 1)),
  far: (value, axis) => value / 3 + FAR[axis],
};

/** Moves meshes of the change 'far' back to the origin. */
export const fromFar = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -FAR[0], -FAR[1], -FAR[2], 1);

/** Returns the product of two transforms; undefined stands for the identity. */
export function product(a: Float64Array | undefined, b: Float64Array): Float64Array {
  if (!a) return b;
  return Float64Array.from({ length: 16 }, (_, i) =>
    [0, 1, 2, 3].reduce((sum, k) => sum + a[4 * k + (i % 4)] * b[4 * Math.floor(i / 4) + k], 0),
  );
}

const names = [
  'soup',
  'lattice',
  'slivers',
  'touching plates',
  'touching boxes',
  'degenerate',
  'degenerate and lattice',
];

/**
 * Copies both meshes of a pair to several places, and makes the copies so small that rounding to float32
 * changes them visibly.
 */
function tinyCopiesOf([a, b]: readonly DoubleOracleMesh[]): DoubleOracleMesh[] {
  const random = createRandom(1);
  const places = Array.from({ length: 3 }, () => [0, 1, 2].map(() => random.between(-1, 1)));
  return [a, b].map(({ positions, indices }) => ({
    positions: Float64Array.from(
      places.flatMap(place => Array.from(positions, (value, at) => 2e-6 * value + place[at % 3])),
    ),
    indices: Uint32Array.from(
      places.flatMap((_, copy) => Array.from(indices, vertex => vertex + (copy * positions.length) / 3)),
    ),
  }));
}

const pairOf = (name: string): DoubleOracleMesh[] =>
  meshPairs[name].map(({ positions, indices }) => ({
    positions: Float64Array.from(positions),
    indices: Uint32Array.from(indices ?? positions.filter((_, at) => at % 3 === 0).keys()),
  }));

const pairs = [
  ...names.map(name => [name, pairOf(name)] as const),
  ['tiny copies of a lattice', tinyCopiesOf(pairOf('lattice'))] as const,
  ['tiny copies of plates', tinyCopiesOf(pairOf('touching plates'))] as const,
];

/** Returns the pairs of meshes with changed coordinates. */
export const doublePairs = (change: Change): [name: string, a: DoubleOracleMesh, b: DoubleOracleMesh][] =>
  pairs.map(([name, meshes], i) => {
    const random = createRandom(i + 1);
    const [a, b] = meshes.map(({ positions, indices }) => ({
      positions: positions.map((value, at) => change(value, at % 3, random)),
      indices,
    }));
    return [name, a, b];
  });

/** Returns the mesh with its coordinates rounded to float32. */
export const rounded = ({
  positions,
  indices,
}: DoubleOracleMesh): { positions: Float32Array; indices: Uint32Array } => ({
  positions: Float32Array.from(positions),
  indices,
});
