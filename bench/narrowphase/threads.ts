// Measures the speed-up and the efficiency of queries of several sizes, by number of threads. Engines with
// 1, 2, 4 ... threads run the same frames in alternation.

import { createEngine } from '../../dist/index.js';
import { coreCount, threadsText } from '../support/machine.js';
import { loadMesh, loadMeshes } from '../support/meshes.js';
import { crowd, type Motion, Placed, path, runQuery, train, worm } from '../support/motion.js';
import { isQuick, Report } from '../support/report.js';
import { interleave } from '../support/timing.js';

const SEED = 1;
const report = new Report('threads', SEED);
const threadCounts = [
  ...new Set([1, ...[2, 4, 8, 16, 32, 64].filter(count => count < coreCount), coreCount]),
];
const engines = await Promise.all(threadCounts.map(threads => createEngine({ threads })));

// Returns the efficiency goal on 2 threads for a query that takes the given time on one thread: 0.93 above 1
// ms, 0.8 from 0.25 ms to 1 ms, and no goal below 0.25 ms.
const goalOf = (milliseconds: number): number | undefined =>
  milliseconds > 1 ? 0.93 : milliseconds >= 0.25 ? 0.8 : undefined;

function measure(motion: Motion, coherence: 'on' | 'off'): void {
  const scenes = engines.map(engine => new Placed(engine, motion));
  const frames = Array.from({ length: isQuick ? 4 : 20 }, (_, frame) =>
    scenes.map(placed => placed.pairsAt(frame)),
  );
  const contenders = engines.map((engine, i) => ({
    name: threadsText(threadCounts[i]),
    run: (pairs: (typeof frames)[number]) => runQuery(engine, pairs[i], { order: 'any', coherence }),
  }));
  const timings = interleave(frames, contenders, isQuick ? 3 : 11);
  const [singleTiming] = timings;
  for (const [i, times] of timings.entries()) {
    const speedUp = singleTiming.mean / times.mean;
    const efficiency = speedUp / threadCounts[i];
    const goal = threadCounts[i] === 2 ? goalOf(singleTiming.mean) : undefined;
    report.add({
      scene: motion.name,
      measure: `all pairs, coherence ${coherence}`,
      variant: threadsText(threadCounts[i]),
      unit: 'ms',
      ...times,
      rival: '1 thread',
      ratio: speedUp,
      limit: goal === undefined ? undefined : `efficiency >= ${goal}`,
      note: `efficiency ${efficiency.toFixed(3)}`,
    });
  }
  for (const placed of scenes) placed.dispose();
}

const bunny = (await loadMesh('bunny'))!;
const dragons = await loadMeshes('dragon 203K', ...(isQuick ? [] : ['dragon 810K' as const]));
const motions = [path(bunny), worm(64_000), ...dragons.map(path), train(), crowd(bunny, isQuick ? 4 : 8)];
for (const motion of motions) {
  for (const coherence of ['on', 'off'] as const) measure(motion, coherence);
}
for (const engine of engines) engine.dispose();
report.save();
