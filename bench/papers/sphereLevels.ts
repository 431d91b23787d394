// Finds the best thresholds for trees whose nodes have a sphere and a box. The threshold of a level decides
// which nodes of the level test the box in addition to the sphere (`MeshOptions.thresholds`). Varies the
// threshold of one level at a time, and models the cost of queries from their counters.

import bunny from 'bunny';
import type { Engine, MeshOptions, QueryStats } from '../../dist/index.js';
import { randomPlacements, type MeshData as Shape, soup, torus } from '../../dist/samples/index.js';
import { createEngines, disposeEngines } from '../support/engines.js';
import { loadMesh } from '../support/meshes.js';
import { isQuick, Report } from '../support/report.js';
import { sum } from '../support/statistics.js';
import { framesOf, pairsOf, SEED, sceneName, shapesOf } from '../support/tumblingBodies.js';

const LEVELS = 9;
const VALUES = isQuick ? [0, Infinity] : [0, 1.25, 1.5, 1.75, 2, 2.5, 3, Infinity];

/** The default threshold, used for every level that is not varied. */
const DEFAULT_THRESHOLD = 1.5;
/**
 * Nanoseconds per test. They were fitted to the times and counters of the rows 'boxes by threshold' of the
 * bench `spheres` (11 thresholds, four scenes, one thread). Most fitted times are within 5 % of the measured
 * ones.
 */
const COSTS = { spheres: 4.4, boxBox: 4.9, mixed: 9.1, leafPair: 20, triangles: 42 } as const;
const FORMULA =
  `modeled: ${COSTS.spheres} ns per sphere test + ${COSTS.boxBox} per box test + ${COSTS.mixed} per mixed test + ${COSTS.leafPair} per leaf pair + ${COSTS.triangles} per triangle pair` as const;

interface Scene {
  name: string;
  query(options: MeshOptions): QueryStats[];
}

function meshesInPlaces(engine: Engine, name: string, a: Shape, b: Shape, count: number): Scene {
  const placements = randomPlacements(a, isQuick ? 2 : count, SEED);
  return {
    name,
    query: options => {
      using first = engine.createMesh(a, options);
      using second = engine.createMesh(b, options);
      return placements.map(transformB => engine.query(first, second, { transformB, parts: 1 }).stats);
    },
  };
}

function bodiesInMotion(engine: Engine, triangleCount: number): Scene {
  const data = shapesOf(triangleCount);
  const frames = framesOf(50, isQuick ? 1 : 20);
  return {
    name: sceneName(triangleCount),
    query: options => {
      const meshes = data.map(one => engine.createMesh(one, options));
      const stats = frames.map(frame => engine.queryMany({ pairs: pairsOf(meshes, frame), parts: 1 }).stats);
      for (const mesh of meshes) mesh.dispose();
      return stats;
    },
  };
}

async function scenesOf(engine: Engine): Promise<Scene[]> {
  const scan: Shape = {
    positions: Float32Array.from(bunny.positions.flat()),
    indices: Uint32Array.from(bunny.cells.flat()),
  };
  const scenes = [
    meshesInPlaces(engine, 'bunny 3K', scan, scan, 24),
    meshesInPlaces(engine, 'soup 3K', soup(3000, 1), soup(3000, 2), 24),
  ];
  if (isQuick) return scenes;
  for (const name of ['bunny', 'dragon 203K'] as const) {
    const mesh = await loadMesh(name);
    if (mesh) scenes.push(meshesInPlaces(engine, mesh.name, mesh.data, mesh.data, 10));
  }
  return [
    ...scenes,
    meshesInPlaces(engine, 'torus 40K', torus(40_000), torus(40_000), 24),
    bodiesInMotion(engine, 80_000),
  ];
}

const costOf = ({ threads, spheres }: QueryStats): number =>
  sum(
    threads.map(
      ({ leafPairs, triangleTests }) => COSTS.leafPair * leafPairs + COSTS.triangles * triangleTests,
    ),
  ) +
  sum(
    spheres!.map(
      of =>
        COSTS.spheres * (of.apart + of.spheres + of.boxBox + of.boxSphere + of.sphereBox) +
        COSTS.boxBox * of.boxBox +
        COSTS.mixed * (of.boxSphere + of.sphereBox),
    ),
  );

/** Returns the threshold of every level: its value in `changed`, or the default. */
const thresholdsOf = (changed: ReadonlyMap<number, number>): number[] =>
  Array.from({ length: LEVELS + 1 }, (_, level) => changed.get(level) ?? DEFAULT_THRESHOLD);

function byLevel(report: Report, scenes: readonly Scene[]): void {
  const costIn = (scene: Scene, changed: ReadonlyMap<number, number>): number =>
    sum(scene.query({ volume: 's-aabb', thresholds: thresholdsOf(changed) }).map(costOf));
  const usual = scenes.map(scene => costIn(scene, new Map()));
  const best = new Map<number, number>();
  for (let level = 0; level < LEVELS; level++) {
    const ratios = VALUES.map(value =>
      value === DEFAULT_THRESHOLD
        ? scenes.map(() => 1)
        : scenes.map((scene, i) => costIn(scene, new Map([[level, value]])) / usual[i]),
    );
    const means = ratios.map(of => sum(of) / of.length);
    const minimum = means.indexOf(Math.min(...means));
    best.set(level, VALUES[minimum]);
    scenes.forEach(({ name }, i) => {
      const own = ratios.map(of => of[i]);
      const at = own.indexOf(Math.min(...own));
      report.add({
        scene: name,
        measure: `cost by threshold of level ${level} alone`,
        variant: `from ${VALUES[at]} on`,
        unit: 'x',
        n: 1,
        mean: own[at],
        how: FORMULA,
        note: VALUES.map((value, k) => `${value}: ${own[k].toFixed(4)}`).join(', '),
      });
    });
  }
  scenes.forEach((scene, i) =>
    report.add({
      scene: scene.name,
      measure: 'cost, each level at its best of all scenes',
      variant: [...best.values()].join(' '),
      unit: 'x',
      n: 1,
      mean: costIn(scene, best) / usual[i],
      how: FORMULA,
      note: `compared with ${DEFAULT_THRESHOLD} at all levels`,
    }),
  );
}

const report = new Report('sphereLevels', SEED);
const engines = await createEngines(1);
const [first] = engines;
byLevel(report, await scenesOf(first!.engine));
disposeEngines(engines);
report.save();
