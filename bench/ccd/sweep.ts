// Measures queries for the contacts of moving meshes and bodies: the time, the number of feature pairs, the
// number of these pairs that are left after the float filter and have to be searched, and the number of
// separating directions that each search computes. No other package for the web finds these contacts. So only
// the first contact of two meshes has a rival: pfront's own sweep for all contacts of these meshes, which uses
// no trees. For each feature pair, at least 192 bytes must be read: the positions of its four points at the
// start and at the end of the motion. The two positions of a point are stored together, so these bytes are at
// four places.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Engine, PlacedSweepOptions, SweepStats } from '../../dist/index.js';
import { rotation, torus, translation, tumbling } from '../../dist/samples/index.js';
import { readFrames } from '../../test/support/frames.js';
import { createEngines, disposeEngines } from '../support/engines.js';
import { coreCount } from '../support/machine.js';
import { isQuick, Report } from '../support/report.js';
import { summarize } from '../support/statistics.js';
import { interleave } from '../support/timing.js';

const SEED = 1;
const TRIANGLES = 700;
/** Bodies per unit volume. At this density, each body has about one contact. */
const DENSITY = 0.05;
const ITERATIONS = isQuick ? 2 : 7;
const report = new Report('sweep', SEED, []);
const engines = await createEngines(1, coreCount);

interface Samples {
  milliseconds: number[];
  stats?: SweepStats;
  count: number;
}

function add(scene: string, measure: string, variant: string, { milliseconds, stats, count }: Samples): void {
  const { featurePairs, searchedPairs, directions, stages } = stats!;
  const { median, ...rest } = summarize(milliseconds);
  report.add({
    scene,
    measure,
    variant,
    unit: 'ms',
    ...rest,
    median,
    note: `${count} contacts; ${featurePairs} pairs of features, ${((1e6 * median) / featurePairs).toFixed(0)} ns each, ${searchedPairs} searched, ${(directions / searchedPairs).toFixed(1)} directions each; ${Object.entries(
      stages,
    )
      .map(([stage, time]) => `${stage} ${time.toFixed(1)}`)
      .join(', ')}`,
  });
}

/** Runs all engines alternately; the first iteration warms up. */
function runAlternately(
  scene: string,
  measure: string,
  iterations: number,
  runQuery: (engine: Engine, iteration: number) => { count: number; stats: SweepStats },
): void {
  const samples = engines.map((): Samples => ({ milliseconds: [], count: 0 }));
  for (let iteration = -1; iteration < iterations; iteration++) {
    engines.forEach(({ engine }, i) => {
      const startedAt = performance.now();
      const { count, stats } = runQuery(engine, iteration + 1);
      const own = samples[i];
      if (iteration >= 0) own.milliseconds.push(performance.now() - startedAt);
      Object.assign(own, { count, stats });
    });
  }
  engines.forEach(({ name }, i) => add(scene, measure, name, samples[i]));
}

const data = fileURLToPath(new URL('../../../shared/data/', import.meta.url));
for (const [name, from, to] of [
  ['cloth-ball', 'cloth_ball92', 'cloth_ball93'],
  ['rod-twist', '3036', '3037'],
] as const) {
  if (!existsSync(data)) {
    console.log(`  ${name}: skipped, the data set is missing`);
    continue;
  }
  const step = readFrames(`sccd/${name}/frames/${from}.ply.gz`, `sccd/${name}/frames/${to}.ply.gz`);
  const meshes = new Map(
    engines.map(({ engine }) => [
      engine,
      engine.createMesh({ positions: Float32Array.from(step.from), indices: step.faces }),
    ]),
  );
  for (const exact of [false, true])
    runAlternately(name, exact ? 'all contacts, exact' : 'all contacts', ITERATIONS, engine =>
      engine.sweepVertices(meshes.get(engine)!, step.from, step.to, { want: 'all', exact }),
    );
}

for (const count of isQuick ? [1000] : [1000, 10_000]) {
  const matricesOf = tumbling(count, DENSITY, SEED);
  const start = matricesOf(0);
  const scenes = new Map(
    engines.map(({ engine }) => {
      const mesh = engine.createMesh(torus(TRIANGLES));
      const scene = engine.createScene();
      for (let body = 0; body < count; body++)
        scene.add(mesh, { transform: start.subarray(16 * body, 16 * body + 16) });
      return [engine, scene];
    }),
  );
  const frames = Array.from({ length: ITERATIONS + 1 }, (_, frame) => matricesOf(frame + 1));
  runAlternately(
    `${count} tori of ${TRIANGLES}`,
    'first contact of each pair',
    frames.length - 1,
    (engine, iteration) => {
      const scene = scenes.get(engine)!;
      scene.setTransforms(frames[iteration]);
      return scene.detect({ continuous: true });
    },
  );
  for (const scene of scenes.values()) scene.dispose();
}

// Two meshes: the second moves into the first, or past it.
for (const triangles of isQuick ? [720] : [720, 4000, 20_000]) {
  const { engine } = engines[0]!;
  const mesh = engine.createMesh(torus(triangles));
  for (const motion of ['linear', 'rigid'] as const)
    for (const [what, end] of [
      ['contact', [0, 0, 0.1]],
      ['no contact', [1.5, 3.2, 0.1]],
    ] as const) {
      const query: Omit<PlacedSweepOptions, 'want'> = {
        fromB: translation([4, 0.3, 0.2]),
        toB: motion === 'linear' ? translation(end) : rotation([0.6, 0, 0.8], 1, end),
        motion,
      };
      const found = engine.sweep(mesh, mesh, query)?.toi ?? 'none';
      // A sweep for all contacts takes long, so it runs less often.
      const [timing] = interleave(
        Array.from({ length: 9 }, (_, i) => i),
        [{ name: 'first', run: () => engine.sweep(mesh, mesh, query) }],
        ITERATIONS,
      );
      const runAll = (): unknown => engine.sweep(mesh, mesh, { ...query, want: 'all' });
      const [all] = interleave([0], [{ name: 'all', run: runAll }], 3);
      const { name: _, ...times } = timing!;
      report.add({
        scene: `two tori of ${mesh.triangleCount}, ${motion} motion, ${what}`,
        measure: 'first contact',
        variant: 'pfront, 1 thread',
        unit: 'ms',
        ...times,
        rival: "pfront, want: 'all'",
        ratio: all!.median / times.median,
        note: `toi ${found}`,
      });
    }
  mesh.dispose();
}
disposeEngines(engines);
report.save();
