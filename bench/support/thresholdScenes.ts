// Makes the scenes in which thresholds are compared: the thresholds decide which nodes of a tree test their
// box in addition to their sphere.

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
