// Makes small seeded meshes and placements with every kind of degeneracy, to compare queries with brute force
// in exact arithmetic.

import {
  box,
  createRandom,
  lattice,
  latticeBoxes,
  type MeshData,
  type Random,
  rotation,
  skewed,
  slivers,
  soup,
  sphere,
  torus,
  touchingPlates,
} from '../../dist/samples/index.js';
import { hardPairs, type Kind, kinds } from '../oracle/random.js';

export interface Placed {
  transformA?: Float64Array;
  transformB?: Float64Array;
}

type Vector = [number, number, number];

export const unshared = (positions: ArrayLike<number>): MeshData => ({
  positions: Float32Array.from(positions),
  indices: Uint32Array.from({ length: positions.length / 3 }, (_, corner) => corner),
});

/** Returns the mesh with every coordinate multiplied by `factor`, then moved. */
export function changed(
  { positions, indices }: MeshData,
  factor: number,
  [x, y, z]: Vector = [0, 0, 0],
): MeshData {
  const offset = [x, y, z];
  return { positions: positions.map((value, at) => value * factor + offset[at % 3]), indices };
}

/**
 * Makes a mesh with duplicate triangles, triangles that are only a point or a segment, and an unreferenced
 * vertex.
 */
export function degenerate(seed: number): MeshData {
  const { positions } = lattice(24, seed, 3);
  const indices = Array.from({ length: 24 }, (_, triangle) => {
    const [a, b, c] = [triangle * 3, triangle * 3 + 1, triangle * 3 + 2];
    return [
      [a, a, a],
      [a, b, b],
      [a, b, a],
      [a, b, c],
      [a, b, c, c, b, a],
    ][triangle % 5];
  });
  return { positions: Float32Array.from([...positions, 9, 9, 9]), indices: Uint32Array.from(indices.flat()) };
}

/**
 * Makes two meshes from `count` hard pairs of triangles. The first mesh has the first triangle of each pair,
 * and the second mesh has the second triangle of each pair.
 */
export function degenerateMeshes(kind: Kind, seed: number, count: number): [MeshData, MeshData] {
  const pairs = [...hardPairs(kind, seed, count, 'float32')];
  return [
    unshared(pairs.flatMap(pair => [...pair.subarray(0, 9)])),
    unshared(pairs.flatMap(pair => [...pair.subarray(9, 18)])),
  ];
}

export const degenerateKinds = kinds;

const plates = touchingPlates(60);
const boxes = latticeBoxes(8, 1);

/** Pairs of meshes that intersect, or nearly do, without a transform. */
export const meshPairs: Record<string, [MeshData, MeshData]> = {
  soup: [soup(90, 1), soup(110, 2)],
  lattice: [lattice(60, 3, 4), lattice(50, 4, 4)],
  slivers: [slivers(60, 5), slivers(40, 6)],
  skewed: [skewed(80, 7), skewed(80, 8)],
  spheres: [sphere(120), changed(sphere(90), 0.9, [0.4, 0.3, 0.2])],
  'torus and box': [torus(150), box(0.7, 0.6, 0.5)],
  'touching plates': [plates.meshes[0], plates.meshes[1]],
  'touching boxes': [boxes.meshes[0], changed(boxes.meshes[0], 1, [1, 0, 0])],
  'a mesh and itself': [torus(100), torus(100)],
  degenerate: [degenerate(9), degenerate(10)],
  'degenerate and lattice': [degenerate(11), lattice(40, 12, 3)],
  'one triangle each': [
    unshared([0, 0, 0, 1, 0, 0, 0, 1, 0]),
    unshared([0.25, 0.25, -1, 0.25, 0.25, 1, 3, 3, 0]),
  ],
  'one triangle and many': [unshared([-1, -1, 0.5, 2, 0.5, 0.4, 0.2, 2, 0.6]), soup(100, 13)],
  'far from the origin': [
    changed(soup(60, 14), 64, [2 ** 20, -(2 ** 21), 2 ** 19]),
    changed(soup(60, 15), 64, [2 ** 20, -(2 ** 21), 2 ** 19]),
  ],
  'float32 denormals': [changed(lattice(40, 16, 4), 2 ** -147), changed(lattice(40, 17, 4), 2 ** -147)],
  tiny: [changed(soup(50, 18), 2 ** -120), changed(soup(50, 19), 2 ** -120)],
  huge: [changed(soup(50, 20), 2 ** 125), changed(soup(50, 21), 2 ** 125)],
  'large and small': [changed(soup(60, 22), 2 ** 30), soup(60, 23)],
};

export const emptyMesh: MeshData = { positions: new Float32Array(0), indices: new Uint32Array(0) };

const between = (random: Random, from: number, to: number): number => random.between(from, to);
const shift = (random: Random, size: number): Vector => [
  between(random, -size, size),
  between(random, -size, size),
  between(random, -size, size),
];
const rigid = (random: Random, size = 0.2): Float64Array =>
  rotation(random.direction(), between(random, 0, 7), shift(random, size));

// Multiplies the columns of the linear part by the `factors` of their axes, which scales the mesh before it
// is rotated.
function scaled(transform: Float64Array, factors: Vector): Float64Array {
  return transform.map((value, at) => (at < 12 ? value * factors[Math.floor(at / 4)] : value));
}

// Multiplies all placed coordinates by a power of two.
const grown = (transform: Float64Array, factor: number): Float64Array =>
  transform.map((value, at) => (at < 15 ? value * factor : value));

const moved = (transform: Float64Array, [x, y, z]: Vector): Float64Array => {
  const result = transform.slice();
  result[12] += x;
  result[13] += y;
  result[14] += z;
  return result;
};

const affine = (columns: number[][]): Float64Array =>
  Float64Array.from(columns.flatMap((column, at) => [...column, at === 3 ? 1 : 0]));
const sheared = (random: Random): Float64Array =>
  affine([shift(random, 2), shift(random, 2), shift(random, 2), shift(random, 0.2)]);

// Makes a matrix whose linear part has at most the given rank: rank 2 maps everything into a plane, rank 1
// onto a line, rank 0 to one point.
function flattened(random: Random, rank: 0 | 1 | 2): Float64Array {
  const [u, v] = [shift(random, 1), shift(random, 1)];
  const mix = (): Vector => [0, 1, 2].map(() => 0) as Vector;
  const column = (): Vector => {
    const [p, q] = [random.below(5) - 2, random.below(5) - 2];
    if (rank === 0) return mix();
    return [0, 1, 2].map(axis => p * u[axis] + (rank === 2 ? q * v[axis] : 0)) as Vector;
  };
  return affine([column(), column(), column(), [0.5, 0.5, 0.5]]);
}

// Makes a matrix of rank 1 except for rounding: no two columns are exact multiples of each other in doubles.
function slanted(random: Random): Float64Array {
  const line = shift(random, 1);
  return affine([...shift(random, 1).map(factor => line.map(value => factor * value)), [0.5, 0.5, 0.5]]);
}

// Makes a projection along a random coordinate axis.
const crushed = (random: Random): Float64Array => {
  const axis = random.below(3);
  return affine(
    [0, 1, 2, 3].map(column =>
      [0, 1, 2].map(row => (row === axis || column === 3 ? 0 : row === column ? 1 : 0)),
    ),
  );
};

// Makes a matrix that permutes the axes, mirrors some of them, and moves by small integers.
function gridRotation(random: Random): Float64Array {
  const first = random.below(3);
  const step = 1 + random.below(2);
  const sign = () => (random.below(2) === 0 ? 1 : -1);
  const order = [first, (first + step) % 3, (first + 2 * step) % 3];
  const columns = order.map(row => [0, 1, 2].map(axis => (axis === row ? sign() : 0)));
  return affine([
    ...columns,
    [random.below(3) - 1, random.below(3) - 1, random.below(3) - 1].map(value => value + 1),
  ]);
}

const far = (random: Random, power: number): Vector =>
  [0, 1, 2].map(() => (random.below(3) - 1) * 2 ** power + random.below(3)) as Vector;

/**
 * Placements of every kind. Under most of them, meshes near the origin still intersect. Each function makes
 * one random placement.
 */
export const placements: Record<string, (random: Random) => Placed> = {
  none: () => ({}),
  identities: () => ({ transformA: rotation([1, 0, 0], 0), transformB: rotation([0, 1, 0], 0) }),
  'B rigid': random => ({ transformB: rigid(random) }),
  'A rigid': random => ({ transformA: rigid(random) }),
  'both rigid': random => ({ transformA: rigid(random), transformB: rigid(random) }),
  'the same for both': random => {
    const transform = rigid(random);
    return { transformA: transform, transformB: transform };
  },
  'B scaled': random => ({
    transformB: scaled(rigid(random), Array(3).fill(between(random, 0.4, 2.5)) as Vector),
  }),
  'B mirrored': random => ({ transformB: scaled(rigid(random), [-1, 1, 1]) }),
  'both mirrored and scaled': random => ({
    transformA: scaled(rigid(random), [1, -1, 1]),
    transformB: scaled(rigid(random), [-0.7, -0.7, -0.7]),
  }),
  'scaled by axis': random => ({
    transformA: scaled(rigid(random), [3, 1, 0.1]),
    transformB: scaled(rigid(random), [0.2, 2, 1]),
  }),
  'needle and disk': random => ({
    transformA: scaled(rigid(random), [1, 2 ** -12, 1]),
    transformB: scaled(rigid(random), [2 ** -14, 2 ** -15, 1]),
  }),
  'both sheared': random => ({ transformA: sheared(random), transformB: sheared(random) }),
  'grid rotations': random => ({ transformA: gridRotation(random), transformB: gridRotation(random) }),
  'B touching in a grid': random => ({ transformB: gridRotation(random) }),
  'A in a plane': random => ({ transformA: flattened(random, 2), transformB: rigid(random) }),
  'B in a plane': random => ({ transformA: rigid(random), transformB: flattened(random, 2) }),
  'A crushed': random => ({ transformA: crushed(random) }),
  'B crushed': random => ({ transformB: crushed(random) }),
  'A on a line': random => ({ transformA: flattened(random, 1) }),
  'B on a line': random => ({ transformB: flattened(random, 1), transformA: sheared(random) }),
  'A in a point': random => ({ transformA: flattened(random, 0) }),
  'B in a point': random => ({ transformB: flattened(random, 0) }),
  tiny: random => ({
    transformA: grown(rigid(random), 2 ** -100),
    transformB: grown(rigid(random), 2 ** -100),
  }),
  huge: random => ({
    transformA: grown(rigid(random), 2 ** 100),
    transformB: grown(rigid(random), 2 ** 100),
  }),
  'A huge, B itself': random => ({
    transformA: grown(rigid(random, 0), 2 ** 40),
    transformB: rigid(random, 0),
  }),
  'A itself, B tiny': random => ({ transformB: grown(rigid(random, 0), 2 ** -60) }),
  'A tiny, B huge': random => ({
    transformA: grown(rigid(random, 0), 2 ** -100),
    transformB: grown(rigid(random, 0), 2 ** 100),
  }),
  'axes far apart in scale': random => ({
    transformA: scaled(rotation([1, 0, 0], 0), [2 ** 60, 1, 2 ** -60]),
    transformB: scaled(rotation([1, 0, 0], 0, shift(random, 0.1)), [2 ** 60, 1, 2 ** -60]),
  }),
  'both far off': random => {
    const to = far(random, 30);
    return { transformA: moved(rigid(random), to), transformB: moved(rigid(random), to) };
  },
  'both very far off': random => {
    const to = far(random, 51);
    return { transformA: moved(rigid(random), to), transformB: moved(rigid(random), to) };
  },
  'so far that all is one point': random => {
    const to = far(random, 80);
    return { transformA: moved(rigid(random), to), transformB: moved(rigid(random), to) };
  },
  // The scales 2^198 and 2^-198 are nearly the largest and the smallest that transforms allow. Some coordinates
  // that are scaled by 2^-198 are below the range of expansions, so only BigInt arithmetic can test them.
  'as huge as can be': random => ({
    transformA: grown(gridRotation(random), 2 ** 198),
    transformB: grown(gridRotation(random), 2 ** 198),
  }),
  'as tiny as can be': random => ({
    transformA: grown(gridRotation(random), 2 ** -198),
    transformB: grown(gridRotation(random), 2 ** -198),
  }),
  apart: random => ({ transformB: moved(rigid(random), [1000, 0, 0]) }),
};

/**
 * Placements that flatten both meshes, or that give a mesh a volume only because of rounding. Boxes cannot be
 * tested in the coordinate frame of such a mesh.
 */
export const flatPlacements: Record<string, (random: Random) => Placed> = {
  'both in planes': random => ({ transformA: flattened(random, 2), transformB: flattened(random, 2) }),
  'both crushed': random => {
    const transform = crushed(random);
    return { transformA: transform, transformB: transform };
  },
  'both crushed along axes': random => ({ transformA: crushed(random), transformB: crushed(random) }),
  'plane and line': random => ({ transformA: flattened(random, 2), transformB: flattened(random, 1) }),
  lines: random => {
    const transform = flattened(random, 1);
    return { transformA: transform, transformB: transform };
  },
  'line and point': random => ({ transformA: flattened(random, 1), transformB: flattened(random, 0) }),
  'two points': random => ({ transformA: flattened(random, 0), transformB: flattened(random, 0) }),
  'A on a slanted line': random => ({ transformA: slanted(random) }),
  'B on a slanted line': random => ({ transformB: slanted(random), transformA: rigid(random) }),
  'slanted lines': random => {
    const transform = slanted(random);
    return { transformA: transform, transformB: transform };
  },
};

export const seeded = (seed: number): Random => createRandom(seed);

/** Returns the numbers of all matrices in one array. */
export const joinMatrices = (matrices: readonly ArrayLike<number>[]): Float64Array =>
  Float64Array.from(matrices.flatMap(matrix => Array.from(matrix)));
