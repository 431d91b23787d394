// Makes the scenes in which thresholds are compared: the thresholds decide which nodes of a tree test their
// box in addition to their sphere.

import type { Engine, MeshOptions, TrianglePairs } from '../../dist/index.js';
import { type MeshData, randomPlacements, soup, torus } from '../../dist/samples/index.js';
import { smallBunny } from './meshes.js';
import { isQuick } from './report.js';
import { SEED, shapesOf } from './tumblingBodies.js';

/** The compared thresholds, each of which applies to all levels. */
export const THRESHOLDS = [0, 1, 1.5, 2, 2.5, 3, 4, 6, 10, Number.POSITIVE_INFINITY];

/** Two meshes A and B, and placements of B. */
export interface ThresholdScene {
  name: string;
  data: [MeshData, MeshData];
  placements: Float64Array[];
}

export function thresholdScenes(): ThresholdScene[] {
  const scan = smallBunny();
  const scene = (name: string, a: MeshData, b: MeshData): ThresholdScene => ({
    name,
    data: [a, b],
    placements: randomPlacements(a, isQuick ? 2 : 24, SEED),
  });
  const [tori, spheres] = shapesOf(80_000);
  return [
    scene('bunny 3K', scan, scan),
    scene('torus and sphere', tori, spheres),
    scene('soup 3K', soup(3000, 1), soup(3000, 2)),
    scene('torus 40K', torus(40_000), torus(40_000)),
  ];
}

/**
 * Returns a contender for each choice of options: a function that queries the two meshes of a scene, made with
 * these options, for a placement of B.
 */
export const contendersOf = (
  engine: Engine,
  { data }: ThresholdScene,
  choices: readonly (readonly [name: string, MeshOptions])[],
): { name: string; run(transformB: Float64Array): TrianglePairs }[] =>
  choices.map(([name, options]) => {
    const [a, b] = data.map(one => engine.createMesh(one, options));
    return { name, run: transformB => engine.query(a!, b!, { transformB, parts: 1 }) };
  });

/** Returns the options of trees with spheres and boxes that have the same threshold at all levels. */
export const withThreshold = (threshold: number): readonly [name: string, MeshOptions] => [
  `threshold ${threshold}`,
  { volume: 's-aabb', thresholds: [threshold] },
];
