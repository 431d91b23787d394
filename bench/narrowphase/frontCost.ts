// Measures, by p, which share of the time of long queries is spent on making, sorting and partitioning the
// front.
//
// One thread runs all lists, so a stage's time is its work. The time on p threads is computed as the
// traversal's time divided by p, plus the full time of everything else, which is serial. If p is the number
// of cores, it is also measured on that number of threads.

import { createEngine, type Engine } from '../../dist/index.js';
import { slivers } from '../../dist/samples/index.js';
import { coreCount } from '../support/machine.js';
import { loadMesh, loadMeshes } from '../support/meshes.js';
import { ask, crowd, type Motion, Placed, path, train } from '../support/motion.js';
import { isQuick, Report } from '../support/report.js';
import { type StageTimes, timeStages } from '../support/stageTimes.js';
import { summarize } from '../support/statistics.js';

const SEED = 1;
const WARM_UP = 2;
const FRAMES = isQuick ? 2 : 9;
const LONG_MILLISECONDS = 20;
const report = new Report('frontCost', SEED);

const single = await createEngine({ threads: 1 });
const spentAlone = timeStages(single);
const parallel = await createEngine({ threads: coreCount });
const spentTogether = timeStages(parallel);

// Returns milliseconds per frame, in total and for each stage.
function timeFrames(
  engine: Engine,
  stageTimes: StageTimes,
  placed: Placed,
  parts: number,
  coherence: 'on' | 'off',
): (StageTimes & { all: number })[] {
  return Array.from({ length: WARM_UP + FRAMES }, (_, frame) => {
    const pairs = placed.pairsAt(frame);
    const before = { ...stageTimes };
    const startedAt = performance.now();
    ask(engine, pairs, { order: 'any', parts, coherence });
    const all = performance.now() - startedAt;
    return {
      all,
      prepare: stageTimes.prepare - before.prepare,
      traverse: stageTimes.traverse - before.traverse,
      storeCosts: stageTimes.storeCosts - before.storeCosts,
    };
  }).slice(WARM_UP);
}

function measure(motion: Motion): void {
  const [alone, together] = [new Placed(single, motion), new Placed(parallel, motion)];
  const limitOf = (milliseconds: number): string | undefined =>
    milliseconds > LONG_MILLISECONDS ? '<= 0.01' : undefined;
  for (const coherence of ['on', 'off'] as const) {
    for (const parts of [2, 4, 8, 16]) {
      const frames = timeFrames(single, spentAlone, alone, parts, coherence);
      const time = summarize(frames.map(({ all }) => all)).median;
      const onThreads = frames.map(({ all, traverse }) => all - traverse + traverse / parts);
      const threadTime = summarize(onThreads).median;
      const row = { scene: motion.name, who: `coherence ${coherence}, p = ${parts}`, unit: 'share' as const };
      const costly = summarize(frames.map(({ storeCosts, all }) => storeCosts / all)).median;
      report.add(
        {
          ...row,
          measure: 'front, sort, deal: all work',
          ...summarize(frames.map(({ prepare, all }) => prepare / all)),
          limit: limitOf(time),
          note: `of ${time.toFixed(1)} ms; writing costs back takes another ${costly.toPrecision(2)}`,
        },
        {
          ...row,
          measure: 'on p threads, reckoned',
          ...summarize(frames.map(({ prepare }, i) => prepare / onThreads[i])),
          limit: limitOf(threadTime),
          note: `of ${threadTime.toFixed(1)} ms`,
        },
      );
      if (parts !== coreCount) continue;
      const measured = timeFrames(parallel, spentTogether, together, parts, coherence);
      const wall = summarize(measured.map(({ all }) => all)).median;
      report.add({
        ...row,
        measure: 'on p threads, measured',
        ...summarize(measured.map(({ prepare, all }) => prepare / all)),
        limit: limitOf(wall),
        note: `of ${wall.toFixed(1)} ms`,
      });
    }
  }
  alone.dispose();
  together.dispose();
}

const bunny = (await loadMesh('bunny'))!;
const dragons = isQuick ? [] : await loadMeshes('dragon 810K', 'dragon 3.2M');
const needles = { name: 'slivers', data: slivers(isQuick ? 2_000 : 10_000, SEED) };
for (const motion of [
  train(),
  crowd(bunny, isQuick ? 6 : 16),
  crowd(needles, 2),
  ...dragons.map(mesh => crowd(mesh, 8)),
  ...dragons.map(path),
])
  measure(motion);
single.dispose();
parallel.dispose();
report.save();
