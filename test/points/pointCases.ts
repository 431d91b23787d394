// Meshes and points that are hard for point queries: ties, points on the surface, triangles without area,
// coordinates of very different magnitude.

import { box, createRandom, type MeshData, sphere, torus } from '../../dist/samples/index.js';

export interface PointCase {
  name: string;
  mesh: ({ positions: Float32Array } | { positions: Float64Array }) & { indices: Uint32Array };
  points: Float64Array;
  isClosed: boolean;
}

type Random = ReturnType<typeof createRandom>;

const meshOf = (positions: ArrayLike<number>, indices: ArrayLike<number>): MeshData => ({
  positions: Float32Array.from(positions),
  indices: Uint32Array.from(indices),
});

/** A plate of `size` x `size` squares in the plane z = 0; a diagonal divides each square into two triangles. */
function plate(size: number): MeshData {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let y = 0; y <= size; y++) for (let x = 0; x <= size; x++) positions.push(x, y, 0);
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const at = y * (size + 1) + x;
      const up = at + size + 1;
      indices.push(at, at + 1, up + 1, at, up + 1, up);
    }
  return meshOf(positions, indices);
}

// Triangles with small integer coordinates: many share corners, cross, lie in one plane or have no area.
function soup(random: Random, count: number, range: number): MeshData {
  const positions = Array.from({ length: 9 * count }, () => Math.floor(random.between(0, range)));
  return meshOf(
    positions,
    Array.from({ length: 3 * count }, (_, i) => i),
  );
}

// Long, thin triangles.
function needles(random: Random, count: number): MeshData {
  const positions: number[] = [];
  for (let i = 0; i < count; i++) {
    const from = random.direction();
    const to = random.direction();
    const aside = random.direction().map((value, axis) => from[axis] + 1e-6 * value);
    positions.push(...from, ...to, ...aside);
  }
  return meshOf(
    positions,
    Array.from({ length: 3 * count }, (_, i) => i),
  );
}

// Points at corners, on edges and on faces; near these; halfway between two corners; and at random places.
function pointsFor(
  random: Random,
  { positions, indices }: PointCase['mesh'],
  count: number,
  far: number,
): Float64Array {
  const points: number[] = [];
  const corner = (): number[] => {
    const vertex = indices[Math.floor(random.between(0, indices.length))];
    return Array.from(positions.subarray(3 * vertex, 3 * vertex + 3));
  };
  const mix = (parts: readonly (readonly number[])[], weights: readonly number[]): number[] =>
    [0, 1, 2].map(axis => parts.reduce((sum, part, i) => sum + weights[i] * part[axis], 0));
  for (let i = 0; i < count; i++) {
    const first = 3 * Math.floor(random.between(0, indices.length / 3));
    const [a, b, c] = [0, 1, 2].map(j =>
      Array.from(positions.subarray(3 * indices[first + j], 3 * indices[first + j] + 3)),
    );
    const kinds = [
      () => a!,
      () => mix([a!, b!], [0.5, 0.5]),
      () => mix([a!, b!, c!], [0.25, 0.25, 0.5]),
      () => mix([a!, b!, c!], [0.3, 0.3, 0.4]),
      () => mix([corner(), corner()], [0.5, 0.5]),
      () => mix([a!, b!], [0.5, 0.5]).map(value => value + Math.round(random.between(-3, 3)) / 2),
      () => a!.map(value => Math.round(value) + Math.round(random.between(-3, 3)) / 2),
      () => mix([a!, b!, c!], [0.3, 0.3, 0.4]).map(value => value + random.between(-1e-9, 1e-9)),
      () => mix([a!, b!, c!], [0.2, 0.3, 0.5]).map(value => value + random.between(-0.5, 0.5)),
      () => random.direction().map(value => value * far * random.between(0, 1)),
    ];
    points.push(...kinds[i % kinds.length]!());
  }
  return Float64Array.from(points, value => (Math.abs(value) < 1e-20 ? 0 : value));
}

const moved = ({ positions, indices }: MeshData, factor: number, offset: number): PointCase['mesh'] => ({
  positions: positions.map(value => value * factor + offset),
  indices,
});

/** Returns all cases. count: the number of points of each case. */
export function pointCases(count: number): PointCase[] {
  const random = createRandom(41);
  const cases: [name: string, mesh: PointCase['mesh'], isClosed: boolean, far: number][] = [
    ['box', box(1, 1, 1), true, 4],
    ['large box', moved(box(1, 1, 1), 2 ** 60, 0), true, 2 ** 64],
    ['small box', moved(box(1, 1, 1), 2 ** -60, 0), true, 2 ** -50],
    ['sphere', sphere(60), true, 1e3],
    ['sphere far from the origin', moved(sphere(60), 1, 1e5), true, 1e6],
    ['torus, points very far away', torus(60), true, 1e12],
    ['plate', plate(5), false, 10],
    ['soup', soup(random, 40, 5), false, 12],
    ['dense soup', soup(random, 40, 3), false, 1e30],
    ['needles', needles(random, 30), false, 3],
    [
      'doubles',
      {
        positions: Float64Array.from(sphere(60).positions, value => value * 1.1 + 1000.1),
        indices: sphere(60).indices,
      },
      true,
      2e3,
    ],
    ['one triangle without area', meshOf([0, 0, 0, 1, 1, 1, 2, 2, 2], [0, 1, 2]), false, 4],
    ['one point', meshOf([1, 2, 3], [0, 0, 0]), true, 4],
  ];
  return cases.map(([name, mesh, isClosed, far]) => ({
    name,
    mesh,
    isClosed,
    points: pointsFor(random, mesh, count, far),
  }));
}
