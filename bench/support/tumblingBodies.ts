// Makes the scene of the benches that reproduce the S-AABB paper: 31 bodies in random motion. All pairs of
// the bodies are queried.

import type { Mesh, MeshOptions, PlacedPair, QueryStats } from '../../dist/index.js';
import type { Laboratory } from '../../dist/papers/laboratory.js';
import type { Traversal } from '../../dist/papers/workFront.js';
import { type MeshData, sphere, torus, tumbling } from '../../dist/samples/index.js';
import { isQuick } from './report.js';

export const BODIES = 31;
export const SEED = 31;
/** Number of steps: 1,000 as in the paper, or 2 with --quick. */
export const STEPS = isQuick ? 2 : 1000;
/** Triangle counts of the scenes: each is the total of all bodies of one scene. */
export const SIZES: readonly number[] = isQuick ? [10_000] : [10_000, 20_000, 40_000, 80_000];

/** Placements of all bodies in one step. */
export type Frame = readonly Float32Array[];

export type Volume = 'boxes' | 'spheres' | 'hybrid';
export const optionsOf: Record<Volume, MeshOptions> = {
  boxes: {},
  spheres: { volume: 's-aabb', thresholds: [Number.POSITIVE_INFINITY] },
  hybrid: { volume: 's-aabb' },
};

const trianglesPerBody = (triangleCount: number): number => Math.round(triangleCount / BODIES / 2) * 2;

/** Makes the two shapes of the bodies: a torus and a sphere, so that every second body is not convex. */
export const shapesOf = (triangleCount: number): MeshData[] =>
  [torus, sphere].map(make => make(trianglesPerBody(triangleCount)));

/** Makes the shape of bodies that are all convex. */
export const convexShapesOf = (triangleCount: number): MeshData[] => [
  sphere(trianglesPerBody(triangleCount)),
];

/** Makes `count` frames, at the steps 0, `every`, 2 * `every` and so on. */
export function framesOf(every = 1, count = Math.ceil(STEPS / every)): Frame[] {
  const matricesOf = tumbling(BODIES, 0.12, SEED);
  return Array.from({ length: count }, (_, i) => {
    const matrices = matricesOf(i * every);
    return Array.from({ length: BODIES }, (__, body) => matrices.subarray(16 * body, 16 * body + 16));
  });
}

/** Returns all pairs of bodies; body i has the mesh with index i mod meshes.length. */
export const pairsOf = (meshes: readonly Mesh[], frame: Frame): PlacedPair[] =>
  frame.flatMap((transformA, i) =>
    frame.slice(i + 1).map((transformB, k) => ({
      a: meshes[i % meshes.length],
      b: meshes[(i + 1 + k) % meshes.length],
      transformA,
      transformB,
    })),
  );

export const sceneName = (triangleCount: number): string => `${BODIES} bodies, ${triangleCount / 1000}K`;

/** Sets the given traversal, calls `run`, and then sets the default traversal again: p-partition fronts. */
export function withTraversal<Result>(
  { study }: Laboratory,
  traversal: Traversal,
  run: () => Result,
): Result {
  study.traversal = traversal;
  try {
    return run();
  } finally {
    study.traversal = 'front';
  }
}

export const testsOf = ({ threads }: QueryStats, name: 'boxTests' | 'leafPairs' | 'triangleTests'): number =>
  threads.reduce((sum, list) => sum + list[name], 0);
