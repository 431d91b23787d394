// Measures how unevenly the work of moving scenes is divided into p work lists, and explains the causes. The
// imbalance is the max cost of the lists divided by their mean cost. Costs are counted tests, not times, so
// the results are the same on every machine, even on a busy one.
//
// One thread runs all lists in virtual time, so p may exceed the number of cores. The first 4 frames are a
// warm-up; the next 20 are counted (4 with --quick). The box tests of a frame are counted in a traversal from
// the roots. If there are fewer than 2,000 * p box tests per frame on average, there is too little work to
// share, so the row is marked and has no goal. The front is the set of node pairs that are divided among the
// lists. Some of the box tests are done while the front is made, before the lists run; the note gives the
// percentage of these tests. Reproduces Zhang and Kim 2014, sections 5.2 and 5.3. The bench `sceneSpeedUps`
// measures what share of the tests each list has (Fig. 4).
//
// In the function `balance`, each row without stealing is followed by two rows that explain it. The row 'with
// true costs' is the imbalance that the same front would have if the costs of its nodes had been known in
// advance. Only the granularity of the front keeps this imbalance above 1. The row 'expected from prediction
// errors' is the imbalance that the errors of the predicted costs alone would cause. If a row without stealing
// misses its goal, its frames run again with a finer front: g of eq. 1 is set to the next of 48, 96, 192 and so
// on, until the goal is met or g is MAX_GRAIN. Making and distributing a finer front takes longer, so two rows then give the
// modeled time of a frame on p threads, one for the default front and one for this finer front
// (`support/frontModel.ts`).

import type { QueryManyOptions } from '../../dist/index.js';
import { grainOf } from '../../dist/narrowphase/front.js';
import { createLaboratory, type OverlapWeight } from '../../dist/papers/laboratory.js';
import { type Causes, causesOf } from '../support/frontErrors.js';
import { frontTimeOnThreads, TIME_MODEL, timeOnThreads, timeQuery } from '../support/frontModel.js';
import { loadMeshes } from '../support/meshes.js';
import { type Motion, Placed, path, runQuery, totals, train, worm } from '../support/motion.js';
import { isQuick, Report } from '../support/report.js';
import { timeStages } from '../support/stageTimes.js';
import { summarize } from '../support/statistics.js';

const WARM_UP = 4;
const FRAMES = isQuick ? 4 : 20;
const MIN_TESTS = 2000;
const PARTS = [2, 4, 8, 16, 32, 64];
const MAX_GRAIN = 3072;
/** How often the frames run when their times are compared. */
const ITERATIONS = isQuick ? 1 : 3;

interface Options extends Pick<QueryManyOptions, 'coherence' | 'stealing'> {
  parts: number;
  grain?: number;
  weight?: OverlapWeight;
}

const report = new Report('imbalance');
const { engine, study } = await createLaboratory({ threads: 1 });
const stageTimes = timeStages(engine);

/**
 * A scene whose meshes are in the engine. boxTests: the mean number of box tests per frame in a traversal
 * from the roots.
 */
interface PlacedScene {
  name: string;
  placed: Placed;
  boxTests: number;
}

function setUp(motion: Motion): PlacedScene {
  const placed = new Placed(engine, motion);
  let boxTests = 0;
  for (let frame = WARM_UP; frame < WARM_UP + FRAMES; frame++)
    boxTests += totals(runQuery(engine, placed.pairsAt(frame), { order: 'any', parts: 1 })).boxTests;
  return { name: motion.name, placed, boxTests: boxTests / FRAMES };
}

interface Balance {
  /** The imbalance of each counted frame. */
  samples: number[];
  /** The modeled milliseconds of each counted frame on p threads. */
  times: number[];
  /** The share of this time that is spent on making the front and storing its costs. */
  shares: number[];
  /** This field and those below are means over the counted frames. */
  causes: Causes;
  tests: number;
  nodes: number;
}

function run(stage: PlacedScene, { grain, weight, ...options }: Options): Balance {
  study.grain = grain;
  study.overlap = weight;
  const balance: Balance = {
    samples: [],
    times: [],
    shares: [],
    causes: { trueCosts: 0, heaviest: 0, error: 0, byErrors: 0 },
    tests: 0,
    nodes: 0,
  };
  for (let frame = 0; frame < WARM_UP + FRAMES; frame++) {
    const pairs = stage.placed.pairsAt(frame);
    const { result, times } = timeQuery(engine, stageTimes, options.parts, () =>
      runQuery(engine, pairs, { order: 'any', ...options }),
    );
    if (frame < WARM_UP) continue;
    const { imbalance, threads } = result.stats;
    const time = timeOnThreads(times, imbalance / threads.length);
    balance.samples.push(imbalance);
    balance.times.push(time);
    balance.shares.push(frontTimeOnThreads(times) / time);
    balance.tests += totals(result).boxTests / FRAMES;
    balance.nodes += result.stats.frontNodes / FRAMES;
    const causes = causesOf(engine, options.parts);
    for (const name of Object.keys(causes) as (keyof Causes)[]) balance.causes[name] += causes[name] / FRAMES;
  }
  return balance;
}

const isTooSmall = (stage: PlacedScene, parts: number): boolean => stage.boxTests < MIN_TESTS * parts;

function measure(stage: PlacedScene, options: Options, variant: string, goal?: number): void {
  const { parts, stealing } = options;
  const balance = run(stage, options);
  const limit = goal === undefined || isTooSmall(stage, parts) ? undefined : goal;
  add(stage, options, variant, balance, limit);
  if (stealing === 'on' || goal === undefined) return;
  explain(stage, parts, variant, balance.causes);
  if (limit !== undefined && summarize(balance.samples).mean > limit)
    increaseGrain(stage, options, variant, limit);
}

function add(
  stage: PlacedScene,
  { parts, stealing }: Options,
  variant: string,
  balance: Balance,
  limit?: number,
): void {
  const before = Math.round(100 * (1 - balance.tests / stage.boxTests));
  const note = `${Math.round(stage.boxTests)} box tests, ${before} % of them before the lists run; front of ${Math.round(balance.nodes)} nodes${isTooSmall(stage, parts) ? `; fewer than ${MIN_TESTS} p tests` : ''}`;
  report.add({
    scene: stage.name,
    measure: `max/mean, p = ${parts}`,
    variant,
    unit: 'x',
    ...summarize(balance.samples),
    limit: limit === undefined ? undefined : `<= ${limit.toFixed(2)}`,
    note,
    figure: stealing === 'off' ? figureOf(stage) : undefined,
    how: 'counted',
  });
}

const figureOf = ({ name }: PlacedScene): string =>
  name.startsWith('worm gear') ? 'Zhang and Kim, Fig. 4' : 'Zhang and Kim, s5.2';

// Adds two rows: the imbalance if the costs had been known, and the imbalance that the prediction errors
// explain.
function explain(stage: PlacedScene, parts: number, variant: string, causes: Causes): void {
  const row = { scene: stage.name, variant, unit: 'x', n: FRAMES } as const;
  report.add(
    {
      ...row,
      measure: `with true costs, p = ${parts}`,
      mean: causes.trueCosts,
      note: `cost of the most expensive node: ${causes.heaviest.toFixed(3)} of the mean cost of a list`,
      how: 'counted',
    },
    {
      ...row,
      measure: `expected from prediction errors, p = ${parts}`,
      mean: causes.byErrors,
      note: `mean prediction error: ${causes.error.toFixed(2)} of the mean cost of a node`,
      how: 'modeled: 1 + E(max of p normals) sqrt(p * sum of squared errors) / total',
    },
  );
}

// Starts with g = 48 and doubles it until the goal is met or g is MAX_GRAIN. Adds a row for the last g.
function increaseGrain(stage: PlacedScene, options: Options, variant: string, limit: number): void {
  const { parts, coherence = 'on', stealing = 'on' } = options;
  const usual = options.grain ?? grainOf(parts, coherence, stealing, 1);
  for (let grain = 48; grain <= MAX_GRAIN; grain *= 2) {
    if (grain <= usual) continue;
    const balance = run(stage, { ...options, grain });
    if (summarize(balance.samples).mean > limit && 2 * grain <= MAX_GRAIN) continue;
    add(stage, options, `${variant}, g = ${grain}`, balance, limit);
    compareTimes(stage, options, variant, grain);
    return;
  }
}

// Adds the modeled times of a frame with the default front, and with the finer front of the given grain. The
// frames of both fronts run alternately.
function compareTimes(stage: PlacedScene, options: Options, variant: string, grain: number): void {
  const runs: Balance[][] = [[], []];
  for (let iteration = 0; iteration < ITERATIONS; iteration++)
    for (const [i, each] of [options.grain, grain].entries())
      runs[i]!.push(run(stage, { ...options, grain: each }));
  const [usual, finer] = runs.map(front => ({
    times: summarize(front.flatMap(({ times }) => times)),
    share: summarize(front.flatMap(({ shares }) => shares)).median,
  }));
  for (const [front, others] of [
    [usual!, { variant, rival: `g = ${grain}`, ratio: finer!.times.median / usual!.times.median }],
    [finer!, { variant: `${variant}, g = ${grain}` }],
  ] as const)
    report.add({
      scene: stage.name,
      measure: `a frame, p = ${options.parts}`,
      unit: 'ms',
      ...front.times,
      ...others,
      how: `modeled: ${TIME_MODEL}`,
      note: `of medians; the front takes ${front.share.toPrecision(2)} of the time`,
    });
}

function goalOf(parts: number, coherence: 'on' | 'off'): number {
  if (coherence === 'off') return 1.15;
  return parts <= 16 ? 1.05 : 1.1;
}

function balance(stage: PlacedScene): void {
  for (const stealing of ['off', 'on'] as const) {
    for (const coherence of ['on', 'off'] as const) {
      for (const parts of PARTS)
        measure(
          stage,
          { parts, coherence, stealing },
          `coherence ${coherence}, stealing ${stealing}`,
          goalOf(parts, coherence),
        );
    }
  }
}

// Measures the effects of the paper's choices: the grain g = 2 (eq. 1), and the ways of estimating a node's
// cost from the overlap of its boxes (alpha of eq. 2).
function measurePaperChoices(stage: PlacedScene): void {
  for (const parts of [8, 16, 64]) {
    for (const coherence of ['on', 'off'] as const)
      measure(stage, { parts, coherence, stealing: 'off', grain: 2 }, `coherence ${coherence}, g = 2`);
    for (const weight of ['root', 'volume', 'depth'] as const)
      measure(stage, { parts, coherence: 'off', stealing: 'off', weight }, `coherence off, ${weight}`);
  }
}

const dragons = await loadMeshes('dragon 203K', ...(isQuick ? [] : ['dragon 810K' as const]));
for (const motion of [worm(64_000), ...(isQuick ? [] : [worm(256_000)]), train(), ...dragons.map(path)]) {
  const stage = setUp(motion);
  balance(stage);
  measurePaperChoices(stage);
  stage.placed.dispose();
}
engine.dispose();
report.save();
