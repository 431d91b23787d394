// Finds the best thresholds for trees whose nodes have a sphere and a box. The threshold of a level decides
// which nodes of the level test the box in addition to the sphere (`MeshOptions.thresholds`). Varies the
// threshold of one level at a time, and models the cost of queries from their counters. The costs of the
// counted operations are fitted to times that are measured first, with the same threshold for all levels.

import type { Engine, MeshOptions, QueryStats } from '../../dist/index.js';
import { randomPlacements, type MeshData as Shape, soup, torus } from '../../dist/samples/index.js';
import { createEngines, disposeEngines } from '../support/engines.js';
import { fitCosts } from '../support/fitCosts.js';
import { loadMesh, smallBunny } from '../support/meshes.js';
import { isQuick, Report } from '../support/report.js';
import { sum, summarize } from '../support/statistics.js';
import { contendersOf, THRESHOLDS, thresholdScenes, withThreshold } from '../support/thresholdScenes.js';
import { interleave } from '../support/timing.js';
import { framesOf, pairsOf, SEED, sceneName, shapesOf } from '../support/tumblingBodies.js';

const LEVELS = 9;
const VALUES = isQuick ? [0, Infinity] : [0, 1.25, 1.5, 1.75, 2, 2.5, 3, Infinity];

/** The default threshold, used for every level that is not varied. */
const DEFAULT_THRESHOLD = 1.5;
/** The counted operations, in the order of `countsOf`. */
const OPERATIONS = ['sphere test', 'box test', 'test of a box and a sphere', 'leaf pair', 'triangle pair'];
const FIT = 'modeled: least squares of (counts * costs / measured time - 1), costs >= 0';

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
  const scan = smallBunny();
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

/** Returns how often each of OPERATIONS was run in a query. */
function countsOf({ threads, spheres }: QueryStats): number[] {
  const inSpheres = (count: (level: NonNullable<QueryStats['spheres']>[number]) => number): number =>
    sum(spheres!.map(count));
  return [
    inSpheres(of => of.apart + of.spheres + of.boxBox + of.boxSphere + of.sphereBox),
    inSpheres(of => of.boxBox),
    inSpheres(of => of.boxSphere + of.sphereBox),
    sum(threads.map(({ leafPairs }) => leafPairs)),
    sum(threads.map(({ triangleTests }) => triangleTests)),
  ];
}

const scalarProduct = (a: readonly number[], b: readonly number[]): number => sum(a.map((x, i) => x * b[i]!));

// Measures queries on one thread, with the same threshold for all levels, and fits the nanoseconds of each
// operation to the measured times. Reports these costs, and the ratio of the fitted to the measured times.
function measureCosts(report: Report, engine: Engine): number[] {
  const measured = thresholdScenes().flatMap(scene => {
    const { placements } = scene;
    const contenders = contendersOf(engine, scene, THRESHOLDS.map(withThreshold));
    const counts = contenders.map(({ run }) => placements.map(placement => countsOf(run(placement).stats)));
    return interleave(placements, contenders, isQuick ? 1 : 9).map(({ perCase }, k) => ({
      threshold: THRESHOLDS[k]!,
      nanoseconds: 1e6 * sum([...perCase]),
      counts: OPERATIONS.map((_, i) => sum(counts[k]!.map(of => of[i]!))),
    }));
  });
  const costs = fitCosts(
    measured.map(({ counts }) => counts),
    measured.map(({ nanoseconds }) => nanoseconds),
  );
  OPERATIONS.forEach((operation, i) =>
    report.add({
      scene: 'threshold scenes',
      measure: `cost of a ${operation}`,
      variant: '1 thread',
      unit: 'ns',
      n: measured.length,
      mean: costs[i]!,
      how: FIT,
    }),
  );
  for (const [variant, isIn] of [
    ['thresholds up to 10', (threshold: number) => threshold <= 10],
    ['spheres alone', (threshold: number) => threshold === Infinity],
  ] as const)
    report.add({
      scene: 'threshold scenes',
      measure: 'fitted time / measured time',
      variant,
      unit: 'x',
      ...summarize(
        measured
          .filter(({ threshold }) => isIn(threshold))
          .map(({ counts, nanoseconds }) => scalarProduct(counts, costs) / nanoseconds),
      ),
      how: FIT,
    });
  return costs;
}

/** Returns the threshold of every level: its value in `changed`, or the default. */
const thresholdsOf = (changed: ReadonlyMap<number, number>): number[] =>
  Array.from({ length: LEVELS + 1 }, (_, level) => changed.get(level) ?? DEFAULT_THRESHOLD);

function byLevel(report: Report, scenes: readonly Scene[], costs: readonly number[]): void {
  const how =
    `modeled: counts * costs in ns: ${OPERATIONS.map((name, i) => `${name} ${costs[i]!.toFixed(1)}`).join(', ')}` as const;
  const costIn = (scene: Scene, changed: ReadonlyMap<number, number>): number =>
    sum(
      scene
        .query({ volume: 's-aabb', thresholds: thresholdsOf(changed) })
        .map(of => scalarProduct(countsOf(of), costs)),
    );
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
        measure: `cost with the best threshold of level ${level}`,
        variant: `threshold ${VALUES[at]}`,
        unit: 'x',
        n: 1,
        mean: own[at],
        how,
        note: VALUES.map((value, k) => `${value}: ${own[k].toFixed(4)}`).join(', '),
      });
    });
  }
  scenes.forEach((scene, i) =>
    report.add({
      scene: scene.name,
      measure: 'cost with the best threshold of every level',
      variant: [...best.values()].join(' '),
      unit: 'x',
      n: 1,
      mean: costIn(scene, best) / usual[i],
      how,
      note: `compared with ${DEFAULT_THRESHOLD} at all levels`,
    }),
  );
}

const report = new Report('sphereLevels', SEED);
const engines = await createEngines(1);
const [first] = engines;
byLevel(report, await scenesOf(first!.engine), measureCosts(report, first!.engine));
disposeEngines(engines);
report.save();
