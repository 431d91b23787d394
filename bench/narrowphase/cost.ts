// Computes k of Zhang & Kim s2.2, the time of a leaf pair divided by the time of a box test, from the times
// and counters of many queries.
//
// Fits time = box tests x b + leaf pairs x l + constant to all placements by least squares; k = l / b. A
// usual leaf pair needs no exact tests, so their time is subtracted first: the number of exact tests times
// the time per test, which is measured on a sample.

import { mat4d } from 'wgpu-matrix';
import { createEngine, type PlacedPair } from '../../dist/index.js';
import { limits } from '../../dist/records/layout.js';
import { createRandom, randomPlacements, rotation, slivers, soup, sphere } from '../../dist/samples/index.js';
import { measureExactTest, uncertainPoints } from '../support/exactTestTime.js';
import { loadMesh, loadMeshes } from '../support/meshes.js';
import { type Motion, PATH_STEPS, Placed, path, runQuery, totals, train, worm } from '../support/motion.js';
import { isQuick, Report } from '../support/report.js';
import { fitLeastSquares, sum } from '../support/statistics.js';
import { interleave } from '../support/timing.js';

const SEED = 2;
const ROUNDS = isQuick ? 3 : 9;
const CASES = isQuick ? 12 : 60;
const report = new Report('cost', SEED);
const engine = await createEngine({ threads: 1 });
const query = (pairs: PlacedPair[]) => runQuery(engine, pairs, { order: 'any' });

/** A query's counters, its milliseconds without exact tests, and in `all` its milliseconds with them. */
interface Sample extends ReturnType<typeof totals> {
  milliseconds: number;
  all: number;
}

function sample(cases: PlacedPair[][], minLeafPairs = 1): Sample[] {
  const counters = cases.map(pairs => totals(query(pairs)));
  const [timing] = interleave(cases, [{ name: 'all pairs', run: query }], ROUNDS);
  const { nanoseconds } = measureExactTest(engine, uncertainPoints(engine, cases));
  return counters
    .map((counter, i) => {
      const all = timing!.perCase[i];
      return { ...counter, all, milliseconds: all - (counter.exactTests * nanoseconds) / 1e6 };
    })
    .filter(({ leafPairs, milliseconds }) => leafPairs >= minLeafPairs && milliseconds > 0);
}

function measure(scene: string, samples: Sample[]): void {
  const column = (name: keyof Sample): number[] => samples.map(at => at[name]);
  const { weights, error } = fitLeastSquares(
    [column('boxTests'), column('leafPairs'), samples.map(() => 1)],
    column('milliseconds'),
  );
  const [box, leaf] = weights;
  const isFit = box > 0 && leaf > 0;
  const exactShare = 1 - sum(column('milliseconds')) / sum(column('all'));
  const note = isFit
    ? `box test ${(1e6 * box).toFixed(2)} ns, leaf pair ${(1e6 * leaf).toFixed(1)} ns; error ${(100 * error).toFixed(1)} %; the engine's k is ${limits.LEAF_PAIR_COST}`
    : 'k is undetermined: the counters are correlated here';
  report.add({
    scene,
    measure: 'k',
    who: 'pfront',
    unit: 'x',
    n: samples.length,
    mean: isFit ? leaf / box : undefined,
    note: `${note}; exact tests ${(100 * exactShare).toFixed(1)} % of the time`,
  });
}

function sampleMesh({ data }: { data: Parameters<typeof randomPlacements>[0] }): Sample[] {
  const mesh = engine.createMesh(data);
  const samples = sample(
    randomPlacements(data, CASES, SEED).map(transformB => [{ a: mesh, b: mesh, transformB }]),
  );
  mesh.dispose();
  return samples;
}

function sampleMotion(motion: Motion, step: number): Sample[] {
  const placed = new Placed(engine, motion);
  const samples = sample(Array.from({ length: CASES }, (_, i) => placed.pairsAt(i * step)));
  placed.dispose();
  return samples;
}

// Queries the pairs of the train one by one: gears that mesh, and disjoint gears.
function sampleTrain(): Sample[] {
  const placed = new Placed(engine, train());
  const samples = sample(placed.pairsAt(0).map(pair => [pair]));
  placed.dispose();
  return samples;
}

// Queries two concentric spheres whose gap grows, so that many boxes overlap but few leaves do, and needles
// and soups, in which most leaves overlap. The counters of other scenes are correlated, so they determine k
// poorly.
function sampleExtremes(): Sample[] {
  const shell = sphere(10_000);
  const needles = slivers(500, SEED);
  const mixed = soup(5_000, SEED);
  const random = createRandom(SEED);
  const samples: Sample[] = [];
  for (const data of [shell, needles, mixed]) {
    const mesh = engine.createMesh(data);
    samples.push(
      ...sample(
        Array.from({ length: CASES }, (_, i) => {
          const transformB = rotation(random.direction(), random.between(0, 2 * Math.PI));
          if (data === shell) mat4d.uniformScale(transformB, 1 + (0.4 * (i + 1)) / CASES, transformB);
          return [{ a: mesh, b: mesh, transformB }];
        }),
        0,
      ),
    );
    mesh.dispose();
  }
  return samples;
}

const all: Sample[] = [];
const add = (scene: string, samples: Sample[]): void => {
  measure(scene, samples);
  all.push(...samples);
};
const bunny = (await loadMesh('bunny'))!;
add(bunny.name, sampleMesh(bunny));
for (const mesh of await loadMeshes('dragon 203K', ...(isQuick ? [] : ['dragon 810K' as const]))) {
  add(mesh.name, sampleMesh(mesh));
  add(`${mesh.name} path`, sampleMotion({ ...path(mesh), firstFrame: 0 }, PATH_STEPS / CASES));
}
add('worm gear 64K', sampleMotion(worm(64_000), 1));
add('epicyclic train 149K', sampleTrain());
add('shells, needles, soup', sampleExtremes());
measure('all of these', all);
engine.dispose();
report.save();
