// Measures the scenes of Zhang and Kim's evaluation (section 5.2, Fig. 4 and 6 to 9): the time of a frame on
// 1 and 2 threads, the speed-up of up to 16 work lists (computed from counters), the balance of box and
// triangle tests, and the share of time that is spent on making the front (the node pairs that are divided
// among the lists).
//
// Counted speed-up: the cost of all lists divided by the cost of the most expensive list. Both costs are
// summed over the frames. The first frame and frames without work do not count. Costs consist of box tests
// and leaf pairs. One thread runs the lists in virtual time, so the result is the same on every machine.
// Without stealing, the partition alone has to balance the lists, as in the paper.
//
// Modeled time of p lists: one thread runs the query with p lists, and `support/frontModel.ts` computes the
// time on p threads from the times of the stages. The busiest thread has the most expensive list.

import { createEngine, type Engine } from '../../dist/index.js';
import { createLaboratory } from '../../dist/papers/laboratory.js';
import {
  frontTime,
  frontTimeOnThreads,
  TIME_MODEL,
  type TimedQuery,
  timeOnThreads,
  timeQuery,
} from '../support/frontModel.js';
import { internalsOf } from '../support/internals.js';
import { threadsText } from '../support/machine.js';
import {
  PAPER_SCENE_SEED,
  type PaperScene,
  type PaperSceneRun,
  paperScenes,
} from '../support/paperScenes.js';
import { isQuick, Report, type Row, saveFigure } from '../support/report.js';
import { type StageTimes, timeStages } from '../support/stageTimes.js';
import { sum, summarize } from '../support/statistics.js';
import { interleaveAsync } from '../support/timing.js';

const PARTS = [2, 4, 8, 12, 16];
const FIGURE_4 = 'Zhang and Kim, Fig. 4';
/** The number of lists in Fig. 4. The paper gives the speed-ups of the same scene in Fig. 6a (WORM_GEAR). */
const FIGURE_4_PARTS = 8;
const WORM_GEAR = 'Zhang and Kim, Fig. 6a';
const THREADS = 2;
const ITERATIONS = isQuick ? 1 : 3;

const report = new Report('sceneSpeedUps', PAPER_SCENE_SEED);

/** One frame with p lists: costs computed from counters, and milliseconds on the threads of the engine. */
interface Frame extends TimedQuery {
  frame: number;
  total: number;
  max: number;
  /** Eq. 6: the number of processors beyond which the most expensive node alone limits the speed-up. */
  bestCount: number;
  boxTests: number[];
  triangleTests: number[];
  /** Milliseconds of the same query with one list, measured immediately after the query with p lists. */
  single: number;
}

type About = Pick<Row, 'scene' | 'figure'>;

function runFrames(
  engine: Engine,
  stages: StageTimes,
  paperScene: PaperScene,
  run: PaperSceneRun,
  options: { parts: number; stealing: 'on' | 'off' },
): Frame[] {
  const { front } = internalsOf(engine);
  return Array.from({ length: paperScene.frames }, (_, frame) => {
    run.prepare(frame);
    const { result, times } = timeQuery(engine, stages, options.parts, () => run.query(frame, options));
    const { stats } = result;
    const costs = stats.threads.map((__, list) => front.listCost(list));
    const measured = {
      ...times,
      frame,
      total: sum(costs),
      max: Math.max(...costs),
      bestCount: front.maxNodeCost > 0 ? Math.ceil(sum(costs) / front.maxNodeCost) : 1,
      boxTests: stats.threads.map(({ boxTests }) => boxTests),
      triangleTests: stats.threads.map(({ triangleTests }) => triangleTests),
    };
    // A query with a single list makes no front, so it does not change the costs stored for the next frame.
    const singleFrom = performance.now();
    run.query(frame, { parts: 1 });
    return { ...measured, single: performance.now() - singleFrom };
  });
}

// Runs the frames several times, and returns for each frame the run with the median time.
function medianFrames(...args: Parameters<typeof runFrames>): Frame[] {
  const runs = Array.from({ length: ITERATIONS }, () => runFrames(...args));
  return runs[0].map(
    ({ frame }) => runs.map(frames => frames[frame]).sort((p, q) => p.all - q.all)[ITERATIONS >> 1],
  );
}

// Returns the frames that have work. Omits the first frame, for which no costs of an earlier frame are known.
const framesWithWork = (frames: readonly Frame[]): Frame[] =>
  frames.slice(1).filter(({ total }) => total > 0);

function addSpeedUps(
  about: About,
  parts: number,
  stealing: 'on' | 'off',
  frames: readonly Frame[],
  note: string,
): void {
  const used = framesWithWork(frames);
  report.add({
    ...about,
    measure: `speed-up, ${parts} lists`,
    variant: `stealing ${stealing}`,
    unit: 'x',
    ...summarize(used.map(({ total, max }) => total / max)),
    mean: sum(used.map(({ total }) => total)) / sum(used.map(({ max }) => max)),
    how: 'counted',
    note,
  });
}

// Adds the largest share of a frame's tests that any list has (Fig. 4). The note gives the smallest share.
function addShares(about: About, frames: readonly Frame[]): void {
  for (const [measure, testsOf] of [
    ['triangle tests', (frame: Frame) => frame.triangleTests],
    ['box tests', (frame: Frame) => frame.boxTests],
  ] as const) {
    const used = framesWithWork(frames).filter(frame => sum(testsOf(frame)) > 0);
    const shares = used.map(frame => {
      const tests = testsOf(frame);
      return { max: Math.max(...tests) / sum(tests), min: Math.min(...tests) / sum(tests) };
    });
    report.add({
      ...about,
      figure: about.figure === WORM_GEAR ? FIGURE_4 : about.figure,
      measure: `max share of ${measure}`,
      variant: `${FIGURE_4_PARTS} lists, stealing off`,
      unit: 'share',
      ...summarize(shares.map(({ max }) => max)),
      note: `min share ${summarize(shares.map(({ min }) => min)).mean.toFixed(3)} on average; even: ${1 / FIGURE_4_PARTS}; ${Math.round(sum(used.map(frame => sum(testsOf(frame)))) / used.length)} tests per frame`,
    });
  }
}

function saveShares(name: string, frames: readonly Frame[]): void {
  const rows = frames.flatMap(({ boxTests, triangleTests }, frame) =>
    boxTests.map((tests, list) => [
      frame,
      list,
      tests / Math.max(1, sum(boxTests)),
      triangleTests[list] / Math.max(1, sum(triangleTests)),
    ]),
  );
  saveFigure(name, ['frame', 'list', 'share of box tests', 'share of triangle tests'], rows);
}

// Adds the modeled time of a frame on p threads, and the share of this time that is spent on making the
// front.
function addModel(about: About, parts: number, frames: readonly Frame[]): void {
  const used = framesWithWork(frames);
  const times = used.map(frame => timeOnThreads(frame, frame.max / frame.total));
  const fronts = used.map(frontTimeOnThreads);
  report.add(
    {
      ...about,
      measure: 'a frame',
      variant: `${parts} lists, virtual time`,
      unit: 'ms',
      ...summarize(times),
      rival: '1 thread',
      ratio: sum(used.map(({ single }) => single)) / sum(times),
      how: `modeled: ${TIME_MODEL}`,
    },
    {
      ...about,
      measure: 'share of making the front',
      variant: `${parts} lists, virtual time`,
      unit: 'share',
      ...summarize(fronts.map((front, i) => front / times[i]!)),
      mean: sum(fronts) / sum(times),
      how: `modeled: front / all, both ${TIME_MODEL}`,
      note: 'the paper: typically less than 0.01',
    },
  );
}

async function addTimes(
  about: About,
  paperScene: PaperScene,
  virtualRun: PaperSceneRun,
  parallelRun: PaperSceneRun,
): Promise<void> {
  const frames = Array.from({ length: paperScene.frames }, (_, frame) => frame);
  const timings = await interleaveAsync(
    frames,
    [virtualRun, parallelRun].map((run, i) => ({
      name: threadsText(i === 0 ? 1 : THREADS),
      prepare: (frame: number) => run.prepare(frame),
      run: (frame: number) => run.query(frame),
    })),
    ITERATIONS,
  );
  for (const { name, ...times } of timings)
    report.add({
      ...about,
      measure: 'a frame',
      variant: name,
      unit: 'ms',
      ...times,
      rival: '1 thread',
      ratio: timings[0].mean / times.mean,
      note: `all triangle pairs, any order; ${paperScene.note}`,
    });
}

// Adds the measured share of time that is spent on making the front, in queries that run on several threads.
function addFrontOnThreads(about: About, frames: readonly Frame[]): void {
  const used = framesWithWork(frames);
  report.add({
    ...about,
    measure: 'share of making the front',
    variant: threadsText(THREADS),
    unit: 'share',
    ...summarize(used.map(frame => frontTime(frame) / frame.all)),
    mean: sum(used.map(frontTime)) / sum(used.map(({ all }) => all)),
    how: 'measured',
    note: 'the paper: typically less than 0.01',
  });
}

const { engine: virtual } = await createLaboratory({ threads: 1 });
const parallel = await createEngine({ threads: THREADS });
const [virtualStages, parallelStages] = [timeStages(virtual), timeStages(parallel)];

for await (const paperScene of paperScenes()) {
  const about: About = { scene: paperScene.name, figure: paperScene.figure };
  const [virtualRun, parallelRun] = [paperScene.start(virtual), paperScene.start(parallel)];
  await addTimes(about, paperScene, virtualRun, parallelRun);
  addFrontOnThreads(
    about,
    medianFrames(parallel, parallelStages, paperScene, parallelRun, { parts: THREADS, stealing: 'on' }),
  );
  for (const parts of PARTS) {
    for (const stealing of ['off', 'on'] as const) {
      const isModeled = stealing === 'on' && parts > THREADS;
      const runAll = isModeled ? medianFrames : runFrames;
      const frames = runAll(virtual, virtualStages, paperScene, virtualRun, { parts, stealing });
      addSpeedUps(about, parts, stealing, frames, paperScene.note);
      if (isModeled) addModel(about, parts, frames);
      if (stealing === 'on' || parts !== FIGURE_4_PARTS) continue;
      addShares(about, frames);
      if (paperScene.figure === WORM_GEAR) saveShares('figure4-worm-gear', frames);
      report.add({
        ...about,
        figure: 'Zhang and Kim, eq. 6',
        measure: 'best number of processors',
        variant: `front of ${parts} lists`,
        unit: 'count',
        ...summarize(framesWithWork(frames).map(({ bestCount }) => bestCount)),
        note: 'cost of all front nodes over that of the most expensive one; a finer front allows more',
      });
    }
  }
  virtualRun.dispose();
  parallelRun.dispose();
}
for (const engine of [virtual, parallel]) engine.dispose();
report.save();
