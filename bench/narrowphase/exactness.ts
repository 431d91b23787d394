// Measures how many triangle pairs the float filter leaves to the exact test, and the share of the time that
// exact tests take.
//
// The time per exact test is measured with the exact kernel alone, on a sample of the pairs that the float
// filter leaves. This time does not include the conversion of vertices to doubles. Share = exact tests of a
// query x time per exact test / time of the query.

import { createEngine, type PlacedPair } from '../../dist/index.js';
import { lattice, type MeshData, randomPlacements, slivers } from '../../dist/samples/index.js';
import { measureExactTest, uncertainPoints } from '../support/exactTestTime.js';
import { loadMesh, loadMeshes } from '../support/meshes.js';
import { type Motion, Placed, path, runQuery, totals, train, worm } from '../support/motion.js';
import { isQuick, Report } from '../support/report.js';
import { sum, summarize } from '../support/statistics.js';
import { interleave } from '../support/timing.js';

const SEED = 1;
const report = new Report('exactness', SEED);
const engine = await createEngine({ threads: 1 });
const query = (pairs: PlacedPair[]) => runQuery(engine, pairs, { order: 'any' });

function measure(scene: string, cases: PlacedPair[][]): void {
  const counters = cases.map(pairs => totals(query(pairs)));
  const exactTests = sum(counters.map(test => test.exactTests)) / cases.length;
  const shares = summarize(counters.map(test => test.exactTests / Math.max(1, test.triangleTests)));
  const timing = measureExactTest(engine, uncertainPoints(engine, cases));
  const [time] = interleave(cases, [{ name: scene, run: query }], isQuick ? 1 : 5);
  report.add(
    {
      scene,
      measure: 'share of exact triangle tests',
      variant: 'pfront',
      unit: 'share',
      ...shares,
      note: `${Math.round(exactTests)} exact tests per query`,
    },
    {
      scene,
      measure: 'one exact test',
      variant: 'decideTriangles',
      unit: 'ns',
      n: timing.pairCount,
      mean: timing.nanoseconds,
      note: `${timing.intersectingCount} of the sample intersect`,
    },
    {
      scene,
      measure: 'share of the exact stage, order any',
      variant: 'pfront',
      unit: 'share',
      how: 'measured',
      n: time!.n,
      mean: (exactTests * timing.nanoseconds) / 1e6 / time!.mean,
    },
  );
}

function measureMotion(what: Motion): void {
  const placed = new Placed(engine, what);
  measure(what.name, placed.frames(isQuick ? 3 : 20));
  placed.dispose();
}

function measureMesh(scene: string, data: MeshData, transforms: (Float64Array | undefined)[]): void {
  const mesh = engine.createMesh(data);
  measure(
    scene,
    transforms.map(transformB => [{ a: mesh, b: mesh, transformB }]),
  );
  mesh.dispose();
}

const bunny = (await loadMesh('bunny'))!;
measureMesh(bunny.name, bunny.data, randomPlacements(bunny.data, isQuick ? 6 : 50, SEED));
for (const { name, data } of await loadMeshes('dragon 203K', ...(isQuick ? [] : ['dragon 810K' as const])))
  measureMesh(name, data, randomPlacements(data, isQuick ? 4 : 20, SEED));
for (const mesh of await loadMeshes('dragon 203K')) measureMotion(path(mesh));
measureMotion(worm(64_000));
measureMotion(train());
const needles = slivers(isQuick ? 1_000 : 10_000, SEED);
measureMesh('slivers', needles, randomPlacements(needles, isQuick ? 2 : 10, SEED));
// The lattice is tested against itself without a transform: nearly all triangles that are close to each
// other touch or are coplanar.
measureMesh('lattice', lattice(1000, SEED), [undefined]);
engine.dispose();
report.save();
