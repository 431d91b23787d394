// Makes seeded scenes of moving bodies with many contacts, and formats contacts as rows of text.

import type { Engine, Mesh, MeshData, SweptContact, SweptContacts } from '../../dist/index.js';
import { createRandom, type Random } from '../../dist/samples/random.js';

export type Indexed = MeshData & { indices: Uint32Array };

/**
 * Makes triangles whose corners are random choices from a few lattice points. So they share vertices, fold
 * onto each other, or have no area. If the placements are also on a lattice, many triangles touch.
 */
export function soup(random: Random, count: number): Indexed {
  const vertices = Math.max(3, Math.round(0.7 * count));
  return {
    positions: Float32Array.from({ length: 3 * vertices }, () => random.below(9) / 4 - 1),
    indices: Uint32Array.from({ length: 3 * count }, () => random.below(vertices)),
  };
}

export function placement(random: Random): Float64Array {
  const isLattice = random.below(2) === 0;
  const matrix = new Float64Array(16);
  for (let i = 0; i < 3; i++)
    for (let k = 0; k < 3; k++) matrix[4 * k + i] = isLattice ? Number(i === k) : random.between(-1, 1);
  for (let i = 12; i < 15; i++) matrix[i] = isLattice ? random.below(9) / 2 - 2 : random.between(-2, 2);
  matrix[15] = 1;
  return matrix;
}

/** Returns the vertices of each edge, in the order in which contacts number edges. */
export function edgesOf(indices: Uint32Array): [number, number][] {
  const edges = new Map<string, [number, number]>();
  indices.forEach((from, side) => {
    const to = indices[side % 3 === 2 ? side - 2 : side + 1];
    const edge: [number, number] = [Math.min(from, to), Math.max(from, to)];
    if (from !== to) edges.set(edge.join(), edge);
  });
  return [...edges.values()].sort((a, b) => a[1] - b[1] || a[0] - b[0]);
}

export const rowsOf = (contacts: SweptContacts): string[] =>
  Array.from({ length: contacts.count }, (_, i) =>
    [
      contacts.kind[i],
      contacts.featureA[i],
      contacts.featureB[i],
      contacts.toi[i],
      contacts.bound[i],
      contacts.triangleA[i],
      contacts.triangleB[i],
    ].join(' '),
  );

interface Body {
  mesh: Mesh;
  id: number;
  group: number;
  mask: number;
}

/**
 * Makes a scene with `count` bodies of three meshes. froms, tos: placements at the start and at the end of
 * the motion. start: all of `froms` in one array. all: all of `tos` in one array.
 */
export function crowd(made: Engine, seed: number, count: number) {
  const random = createRandom(seed);
  const meshes = Array.from({ length: 3 }, () => made.createMesh(soup(random, 2 + random.below(12))));
  const scene = made.createScene();
  const froms = Array.from({ length: count }, () => placement(random));
  const tos = Array.from({ length: count }, () => placement(random));
  const bodies = froms.map(
    (transform, i): Body => ({
      mesh: meshes[i % 3],
      id: scene.add(meshes[i % 3], { transform, group: 1 + (i % 2), mask: i % 5 === 0 ? 1 : 3 }),
      group: 1 + (i % 2),
      mask: i % 5 === 0 ? 1 : 3,
    }),
  );
  return {
    scene,
    bodies,
    froms,
    tos,
    meshes,
    all: Float64Array.from(tos.flatMap(matrix => [...matrix])),
    start: Float64Array.from(froms.flatMap(matrix => [...matrix])),
  };
}

/** Returns the pairs of bodies that may collide, by their indices. */
export function pairsOf(bodies: readonly Body[]): [number, number][] {
  return bodies.flatMap((p, i) =>
    bodies
      .slice(i + 1)
      .flatMap((q, k): [number, number][] =>
        (p.group & q.mask) === 0 || (q.group & p.mask) === 0 ? [] : [[i, i + 1 + k]],
      ),
  );
}

/** The kinds of contacts, by their numbers. */
export const KINDS = ['VF', 'FV', 'EE', 'start'] as const;

/** Returns the first contact of a list. At equal times, contacts at the start come before the others. */
export function firstOf(all: SweptContacts): SweptContact | undefined {
  const contacts = Array.from(
    { length: all.count },
    (_, i): SweptContact => ({
      toi: all.toi[i]!,
      bound: all.bound[i]!,
      kind: KINDS[all.kind[i]!]!,
      featureA: all.featureA[i]!,
      featureB: all.featureB[i]!,
      triangleA: all.triangleA[i]!,
      triangleB: all.triangleB[i]!,
    }),
  );
  const keyOf = ({ toi, kind, triangleA, triangleB, featureA, featureB }: SweptContact): number[] => [
    toi,
    kind === 'start' ? 0 : 1,
    triangleA,
    triangleB,
    KINDS.indexOf(kind),
    featureA,
    featureB,
  ];
  return contacts.sort((x, y) => {
    const [own, other] = [keyOf(x), keyOf(y)];
    const i = own.findIndex((value, k) => value !== other[k]);
    return i < 0 ? 0 : own[i]! - other[i]!;
  })[0];
}
