// Computes the max cost of p lists divided by their mean cost, for scenes in motion. Costs are counters, so
// the results are the same on every machine, however busy.
//
// One thread runs all lists in virtual time, so p may exceed the number of cores. 4 frames warm up and 20
// count. If the mean frame has fewer than 2,000 p box tests, the row is marked and has no goal, because there
// is too little work to share. Tests are counted from the roots; the note gives the fraction of them that was
// done while the front was made, before the lists. Paper: Zhang & Kim s5.2, s5.3. Fig. 4
// is in `sceneSpeedUps`.

import type { QueryManyOptions } from '../../dist/index.js';
import { createLaboratory, type OverlapWeight } from '../../dist/papers/laboratory.js';
import { loadMeshes } from '../support/meshes.js';
import { ask, type Motion, Placed, path, totals, train, worm } from '../support/motion.js';
import { isQuick, Report } from '../support/report.js';
import { summarize } from '../support/statistics.js';

const WARM_UP = 4;
const FRAMES = isQuick ? 4 : 20;
const MIN_TESTS = 2000;
const PARTS = [2, 4, 8, 16, 32, 64];

interface Options extends Pick<QueryManyOptions, 'coherence' | 'stealing'> {
  parts: number;
  grain?: number;
  weight?: OverlapWeight;
}

const report = new Report('imbalance');
const { engine, study } = await createLaboratory({ threads: 1 });

/** A scene in the engine, with the mean number of box tests per frame from the roots down. */
interface Stage {
  name: string;
  placed: Placed;
  boxTests: number;
}

function setUp(motion: Motion): Stage {
  const placed = new Placed(engine, motion);
  let boxTests = 0;
  for (let frame = WARM_UP; frame < WARM_UP + FRAMES; frame++)
    boxTests += totals(ask(engine, placed.pairsAt(frame), { order: 'any', parts: 1 })).boxTests;
  return { name: motion.name, placed, boxTests: boxTests / FRAMES };
}

function measure(
  stage: Stage,
  { grain, weight = 'volume', ...options }: Options,
  who: string,
  limit?: string,
): void {
  study.grain = grain;
  study.overlap = weight;
  const samples: number[] = [];
  let tests = 0;
  let nodes = 0;
  for (let frame = 0; frame < WARM_UP + FRAMES; frame++) {
    const result = ask(engine, stage.placed.pairsAt(frame), { order: 'any', ...options });
    if (frame < WARM_UP) continue;
    samples.push(result.stats.imbalance);
    tests += totals(result).boxTests / FRAMES;
    nodes += result.stats.frontNodes / FRAMES;
  }
  const isTooSmall = stage.boxTests < MIN_TESTS * options.parts;
  const before = Math.round(100 * (1 - tests / stage.boxTests));
  const note = `${Math.round(stage.boxTests)} box tests, ${before} % before the lists; front of ${Math.round(nodes)}${isTooSmall ? `; fewer than ${MIN_TESTS} p tests` : ''}`;
  report.add({
    scene: stage.name,
    measure: `greatest/mean, p = ${options.parts}`,
    who,
    unit: 'x',
    ...summarize(samples),
    limit: isTooSmall ? undefined : limit,
    note,
  });
}

function goalOf(parts: number, coherence: 'on' | 'off'): string {
  if (coherence === 'off') return '<= 1.15';
  return parts <= 16 ? '<= 1.05' : '<= 1.10';
}

function balance(stage: Stage): void {
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

// Measures the effects of the paper's choices: g = 2, and alpha of eq. 2.
function choices(stage: Stage): void {
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
  choices(stage);
  stage.placed.dispose();
}
engine.dispose();
report.save();
