// Makes seeded meshes that are hard cases for trees: soups, copies, lines, slivers, and huge, tiny and mixed
// sizes.

import type { MeshData } from '../../dist/mesh/mesh.js';

// Makes a generator of uniform numbers in [0, 1), always the same for a seed (mulberry32).
export function makeRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), 1 | state);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}

// Makes small triangles distributed over a cube.
export function makeSoup(triangleCount: number, seed: number, size = 0.1): { positions: Float32Array } {
  const random = makeRandom(seed);
  const positions = new Float32Array(triangleCount * 9);
  for (let triangle = 0; triangle < triangleCount; triangle++) {
    const middle = [random(), random(), random()];
    for (let i = 0; i < 9; i++) positions[triangle * 9 + i] = middle[i % 3] + (random() - 0.5) * size;
  }
  return { positions };
}

const each = (count: number, value: (i: number) => number): { positions: Float32Array } => ({
  positions: Float32Array.from({ length: count * 9 }, (_, i) => value(i)),
});

export function hardMeshes(): [name: string, data: MeshData][] {
  const random = makeRandom(7);
  const shared = makeSoup(60, 3).positions;
  return [
    ...[0, 1, 2, 3, 4, 5, 6, 8, 9, 16, 17].map((count): [string, MeshData] => [
      `${count} triangles`,
      makeSoup(count, count),
    ]),
    ['a soup of 3,000', makeSoup(3000, 1)],
    ['a soup of 40,000', makeSoup(40_000, 2, 0.01)],
    ['large overlapping triangles', makeSoup(2000, 5, 3)],
    ['10,000 times the same triangle', each(10_000, i => [0, 0, 0, 1, 0, 0, 0, 1, 0][i % 9])],
    ['10,000 times the same point', each(10_000, () => 3)],
    ['20,000 on a line', each(20_000, i => (i % 3 === 0 ? random() : 5))],
    ['9,000 in a plane', each(9000, i => (i % 3 === 2 ? -0 : random()))],
    [
      'sizes from 2^-100 to 2^100',
      each(3000, i => (random() - 0.5) * 2 ** (((Math.floor(i / 9) * 7) % 200) - 100)),
    ],
    ['one cluster inside another', each(20_000, i => random() * 0.5 ** (Math.floor(i / 9) % 100))],
    [
      'the greatest numbers',
      each(500, () => (random() < 0.5 ? -1 : 1) * (2 - 2 ** -23) * 2 ** 127 * random()),
    ],
    ['denormal numbers', each(500, () => Math.floor(random() * 1000) * 2 ** -149)],
    ['far from the origin', each(3000, () => 1e6 + random())],
    [
      'vertices that no triangle uses, far away',
      {
        positions: Float32Array.of(...shared, 1e30, -1e30, 1e30),
        indices: Uint32Array.from({ length: 180 }, (_, i) => i),
      },
    ],
    [
      'shared vertices',
      { positions: shared, indices: Uint32Array.from({ length: 3000 }, () => Math.floor(random() * 180)) },
    ],
  ];
}

// Changes x, y and z of each vertex by at most 10 %, differently for each phase.
export const bend = (positions: Float32Array, phase: number): Float32Array =>
  positions.map((value, i) => value * (1 + 0.1 * Math.sin(phase + (i % 3) + value)));
