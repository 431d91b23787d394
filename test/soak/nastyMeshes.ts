// Makes nasty meshes: random rules change a small base shape. The meshes may be non-manifold, intersect
// themselves, contain duplicates, needles and triangles without area, and have huge or tiny coordinates.

import { box, lattice, type Random, skewed, slivers, soup, sphere, torus } from '../../dist/samples/index.js';
import { crumpled, latticeMesh, type SelfMesh, unindexed } from '../support/selfMeshes.js';

export interface NastyMesh extends SelfMesh {
  /** The names of the base shape and of the rules that made the mesh, for error messages. */
  recipe: string;
}

const bases: Record<string, (random: Random) => SelfMesh> = {
  box: () => box() as SelfMesh,
  sphere: random => sphere(20 + 2 * random.below(20)) as SelfMesh,
  torus: random => torus(20 + 2 * random.below(20)) as SelfMesh,
  soup: random => soup(1 + random.below(40), random.bits()) as SelfMesh,
  slivers: random => slivers(1 + random.below(30), random.bits()) as SelfMesh,
  skewed: random => skewed(1 + random.below(40), random.bits()) as SelfMesh,
  lattice: random => lattice(1 + random.below(40), random.bits(), 3) as SelfMesh,
  points: random => latticeMesh(1 + random.below(40), 3 + random.below(30), random.bits()),
  plane: random => latticeMesh(1 + random.below(40), 3 + random.below(30), random.bits(), 2),
  crumpled: random => crumpled(2 + random.below(3), random.between(0, 2)),
};

const triangleCount = ({ indices }: SelfMesh): number => indices.length / 3;
const cornersOf = ({ indices }: SelfMesh, triangle: number): number[] =>
  Array.from(indices.subarray(3 * triangle, 3 * triangle + 3));
const extended = ({ positions, indices }: SelfMesh, points: number[], corners: number[]): SelfMesh => ({
  positions: Float32Array.of(...positions, ...points),
  indices: Uint32Array.of(...indices, ...corners),
});
const mapped = ({ positions, indices }: SelfMesh, map: (value: number, i: number) => number): SelfMesh => ({
  positions: positions.map(map),
  indices,
});
const vertexAt = ({ positions }: SelfMesh, vertex: number): number[] =>
  Array.from(positions.subarray(3 * vertex, 3 * vertex + 3));

/**
 * The largest absolute coordinate, chosen so that sums of a few transformed coordinates do not overflow
 * float32.
 */
const MAX_COORDINATE = 2 ** 120;
const bounded = (value: number): number => Math.max(-MAX_COORDINATE, Math.min(MAX_COORDINATE, value));

const rules: Record<string, (mesh: SelfMesh, random: Random) => SelfMesh> = {
  /** Repeats triangles, some with the other orientation. */
  duplicates(mesh, random) {
    const corners = Array.from({ length: 1 + random.below(5) }, () => {
      const [a, b, c] = cornersOf(mesh, random.below(triangleCount(mesh))) as [number, number, number];
      return random.below(2) === 0 ? [b, c, a] : [a, c, b];
    });
    return extended(mesh, [], corners.flat());
  },
  /** Adds triangles to one edge, so that more than two triangles may share it. */
  fan(mesh, random) {
    const [a, b, c] = cornersOf(mesh, random.below(triangleCount(mesh))) as [number, number, number];
    const first = mesh.positions.length / 3;
    const count = 1 + random.below(4);
    const points = Array.from({ length: count }, () =>
      vertexAt(mesh, c).map(value => value * random.between(-2, 2)),
    );
    const corners = Array.from({ length: count }, (_, i) => [a, b, first + i]);
    return extended(mesh, points.flat(), corners.flat());
  },
  /**
   * Replaces one vertex by another in all triangles, so that two parts of the surface may share only this
   * point.
   */
  merged({ positions, indices }, random) {
    const [from, to] = [indices[random.below(indices.length)], indices[random.below(indices.length)]!];
    return { positions, indices: indices.map(vertex => (vertex === from ? to : vertex)) };
  },
  /** Adds needles: triangles whose width is only a few times the spacing of float32 numbers. */
  needles(mesh, random) {
    const first = mesh.positions.length / 3;
    const count = 1 + random.below(4);
    const points: number[] = [];
    const corners: number[] = [];
    for (let i = 0; i < count; i++) {
      const [a, , c] = cornersOf(mesh, random.below(triangleCount(mesh))) as [number, number, number];
      points.push(...vertexAt(mesh, c).map(value => value * (1 + (random.below(5) - 2) * 2 ** -23)));
      corners.push(a, c, first + i);
    }
    return extended(mesh, points, corners);
  },
  /** Collapses triangles to a segment or a point. */
  collapsed({ positions, indices }, random) {
    const copy = indices.slice();
    for (let i = 0; i < 3; i++) {
      const triangle = random.below(indices.length / 3);
      copy[3 * triangle] = copy[3 * triangle + 1]!;
      if (random.below(3) === 0) copy[3 * triangle + 2] = copy[3 * triangle + 1]!;
    }
    return { positions, indices: copy };
  },
  /** Adds a shifted copy, which crosses or touches the mesh. */
  doubled(mesh, random) {
    const shift = [0, 1, 2].map(() => (random.below(3) - 1) * 2 ** -random.below(4));
    const first = mesh.positions.length / 3;
    return extended(
      mesh,
      Array.from(mesh.positions, (value, i) => value + shift[i % 3]!),
      Array.from(mesh.indices, vertex => vertex + first),
    );
  },
  /** Rounds coordinates to a lattice, so that many triangles are coplanar or touch. */
  snapped(mesh, random) {
    const cell = 2 ** -random.below(4);
    return mapped(mesh, value => Math.round(value / cell) * cell);
  },
  flattened(mesh, random) {
    const axis = random.below(3);
    return mapped(mesh, (value, i) => (i % 3 === axis ? (value < 0 ? -0 : 0) : value));
  },
  /** Multiplies all coordinates by a huge or tiny factor. With the smallest factors, they become denormal. */
  scaled(mesh, random) {
    const scale = 2 ** (random.below(2) === 0 ? random.below(100) : -random.below(149));
    return mapped(mesh, value => bounded(value * scale));
  },
  /** Moves the mesh far away, where rounding leaves few digits of its shape. */
  far(mesh, random) {
    const offset = 2 ** random.below(30);
    const axis = random.below(3);
    return mapped(mesh, (value, i) => (i % 3 === axis ? bounded(value + offset) : value));
  },
  /** Makes the coordinates of some vertices much larger or smaller than those of the others. */
  mixed(mesh, random) {
    const exponents = Array.from({ length: mesh.positions.length / 3 }, () =>
      random.below(4) === 0 ? random.below(81) - 40 : 0,
    );
    return mapped(mesh, (value, i) => bounded(value * 2 ** exponents[Math.floor(i / 3)]!));
  },
  unindexed: mesh => unindexed(mesh),
  /** Adds a vertex that no triangle uses, far away from the others. */
  unreferenced: (mesh, random) =>
    extended(mesh, [MAX_COORDINATE, -MAX_COORDINATE, random.between(-1, 1)], []),
};

const choose = <T>(random: Random, items: readonly T[]): T => items[random.below(items.length)]!;
export const baseNames = Object.keys(bases);
export const ruleNames = Object.keys(rules);

/** Makes a mesh of 1 to about 500 triangles. The same stream of random numbers always gives the same mesh. */
export function nastyMesh(random: Random): NastyMesh {
  const base = choose(random, baseNames);
  let mesh = bases[base]!(random);
  const names = Array.from({ length: random.below(5) }, () => choose(random, ruleNames));
  for (const name of names) mesh = rules[name]!(mesh, random);
  return { ...mesh, recipe: [base, ...names].join(' ') };
}

/**
 * Returns the largest absolute coordinate of a mesh's triangles, but at least the smallest float32 above 0.
 */
export const sizeOf = ({ positions, indices }: SelfMesh): number =>
  indices.reduce(
    (size, vertex) => Math.max(size, ...vertexAt({ positions, indices }, vertex).map(Math.abs)),
    2 ** -149,
  );
