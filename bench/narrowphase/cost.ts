// Computes the cost ratio k of Zhang & Kim (section 2.2) from the times and counters of many queries. k is
// the time of a leaf pair divided by the time of a box test.
//
// Fits time = box tests x b + leaf pairs x l + constant to all placements by least squares; k = l / b. The
// time of exact tests is subtracted first, because a typical leaf pair needs none. This time is the number
// of exact tests times the time per exact test, which is measured on a sample.

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
const ITERATIONS = isQuick ? 3 : 9;
const CASES = isQuick ? 12 : 60;
const report = new Report('cost', SEED);
const engine = await createEngine({ threads: 1 });
const query = (pairs: PlacedPair[]) => runQuery(engine, pairs, { order: 'any' });

/** The counters of a query. milliseconds: its time without exact tests. all: its time with exact tests. */
interface Sample extends ReturnType<typeof totals> {
  milliseconds: number;
  all: number;
}

function sample(cases: PlacedPair[][], minLeafPairs = 1): Sample[] {
  const counters = cases.map(pairs => totals(query(pairs)));
  const [timing] = interleave(cases, [{ name: 'all pairs', run: query }], ITERATIONS);
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
    variant: 'pfront',
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

// Queries the pairs of the gear train one by one. In some pairs, the gears interlock; in others, they are
// disjoint.
function sampleTrain(): Sample[] {
  const placed = new Placed(engine, train());
  const samples = sample(placed.pairsAt(0).map(pair => [pair]));
  placed.dispose();
  return samples;
}

// Queries extreme scenes. In two concentric spheres with a growing gap, many boxes overlap, but few leaves do.
// In needles and soups, most leaves overlap. The counters of all other scenes are correlated, so without the
// extreme scenes the fit would not determine k well.
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
measure('all scenes of this bench', all);
engine.dispose();
report.save();
