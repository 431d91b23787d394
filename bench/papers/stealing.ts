// Measures the effect of work stealing: the balance of up to 64 work lists, computed from counters, and the
// time on several threads. The scene of nested shells has very unbalanced trees: on one long path, each
// node contains most triangles of its parent. The other scenes have ordinary trees.
//
// Balance is the max cost of p lists divided by their mean cost. The lists run in virtual time, so the
// balance is the same on every machine. Efficiency is the speed-up on p threads divided by p. Runs on one
// thread and on p threads alternate. Source: Zhang and Kim 2014. Section 6 names stealing as future work. Eq. 6
// gives the number of lists that is worthwhile for a query.

import type { QueryManyOptions } from '../../dist/index.js';
import { createLaboratory, type Laboratory } from '../../dist/papers/laboratory.js';
import { rotation, type Scene, skewed } from '../../dist/samples/index.js';
import { coreCount, threadsText } from '../support/machine.js';
import { loadMeshes } from '../support/meshes.js';
import { type Motion, Placed, path, runQuery, totals, train, worm } from '../support/motion.js';
import { isQuick, Report } from '../support/report.js';
import { summarize } from '../support/statistics.js';
import { interleave } from '../support/timing.js';

const SEED = 5;
const WARM_UP = 4;
const FRAMES = isQuick ? 4 : 10;
const ITERATIONS = isQuick ? 1 : 5;
const report = new Report('stealing', SEED);

type Options = Pick<QueryManyOptions, 'coherence' | 'stealing'>;

/**
 * Makes two meshes of nested shells, from different seeds. The meshes overlap almost only at their innermost
 * shells, and the place of the overlap moves from frame to frame.
 */
function shells(triangles: number): Motion {
  const meshes = [skewed(triangles, SEED), skewed(triangles, SEED + 1)];
  const frame = (t: number): Float64Array =>
    Float64Array.from([
      ...rotation([0, 0, 1], 0),
      ...rotation([0.6, 0, 0.8], 0.7 + 0.05 * t, [1e-5 * t, 0, 2e-5]),
    ]);
  const scene: Scene = {
    parts: [
      { name: 'still', mesh: 0 },
      { name: 'turning', mesh: 1 },
    ],
    meshes,
    frame,
  };
  return { name: `shells ${triangles / 1000}K`, scene, firstFrame: 0 };
}

const settings: readonly { variant: string; options: Options; grain?: number }[] = (
  [['on'], ['on', 2], ['off']] as const
).flatMap(([coherence, grain]) =>
  (['off', 'on'] as const).map(stealing => ({
    variant: `coherence ${coherence}${grain ? ', g = 2' : ''}, stealing ${stealing}`,
    options: { coherence, stealing },
    grain,
  })),
);

function measureBalance({ engine, study }: Laboratory, motion: Motion): void {
  const placed = new Placed(engine, motion);
  const frames = placed.frames(WARM_UP + FRAMES);
  for (const parts of [2, 4, 8, 16, 32, 64]) {
    for (const { variant, options, grain } of settings) {
      study.grain = grain;
      const samples: number[] = [];
      let worthwhileLists = 0;
      let nodes = 0;
      let boxTests = 0;
      frames.forEach((pairs, frame) => {
        const result = runQuery(engine, pairs, { order: 'any', ...options, parts });
        if (frame < WARM_UP) return;
        samples.push(result.stats.imbalance);
        worthwhileLists += result.stats.threadsWorthwhile / FRAMES;
        nodes += result.stats.frontNodes / FRAMES;
        boxTests += totals(result).boxTests / FRAMES;
      });
      report.add({
        scene: motion.name,
        measure: `max/mean, p = ${parts}`,
        variant,
        unit: 'x',
        ...summarize(samples),
        note: `eq. 6: ${worthwhileLists.toFixed(1)} lists are worthwhile; front of ${Math.round(nodes)} nodes, ${Math.round(boxTests)} box tests`,
        how: 'counted',
      });
    }
  }
  placed.dispose();
}

async function measureEfficiency(motion: Motion): Promise<void> {
  if (coreCount === 1) return;
  const one = { name: threadsText(1), ...(await createLaboratory({ threads: 1 })) };
  const many = await createLaboratory({ threads: coreCount });
  const threads = many.engine.info.threads;
  const onOneThread = new Placed(one.engine, motion);
  const onManyThreads = new Placed(many.engine, motion);
  const frames = Array.from({ length: FRAMES }, (_, frame) => frame);
  const ofOne = onOneThread.frames(FRAMES);
  const ofMany = onManyThreads.frames(FRAMES);
  const timings = interleave(
    frames,
    [
      {
        name: one.name,
        run: (frame: number) => runQuery(one.engine, ofOne[frame], { order: 'any', parts: 1 }).count,
      },
      ...settings.map(({ variant, options, grain }) => ({
        name: variant,
        run: (frame: number) => {
          many.study.grain = grain;
          return runQuery(many.engine, ofMany[frame], { order: 'any', ...options, parts: threads }).count;
        },
      })),
    ],
    ITERATIONS,
  );
  for (const { name, ...times } of timings) {
    report.add({
      scene: motion.name,
      measure: name === one.name ? 'one thread' : `${threads} threads`,
      variant: name,
      unit: 'ms',
      ...times,
      ...(name === one.name
        ? {}
        : {
            rival: one.name,
            ratio: timings[0].mean / times.mean,
            note: `efficiency ${(timings[0].mean / times.mean / threads).toFixed(3)}`,
          }),
    });
  }
  for (const { engine } of [one, many]) {
    for (const { message, fix } of engine.info.notes) console.log(`  ${message}; ${fix}`);
    engine.dispose();
  }
}

const dragons = isQuick ? [] : await loadMeshes('dragon 203K');
const laboratory = await createLaboratory({ threads: 1 });
for (const motion of [
  shells(isQuick ? 2000 : 10_000),
  ...(isQuick ? [] : [train()]),
  worm(64_000),
  ...dragons.map(path),
]) {
  measureBalance(laboratory, motion);
  await measureEfficiency(motion);
}
laboratory.engine.dispose();
report.save();
