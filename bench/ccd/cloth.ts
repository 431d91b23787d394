// Measures how long it takes, in each frame, to find the contacts of a cloth of 92K triangles with itself.
// The cloth folds up in 20 frames.
//
// A formula computes these 20 frames, because only two frames of the published cloth benchmark are available
// (bench/ccd/sweep.ts uses them). The cloth has wrinkles everywhere. From frame 18 on, its folds touch and
// cross.

import type { Engine } from '../../dist/index.js';
import { foldingCloth, triangleCount } from '../../dist/samples/index.js';
import { createEngines, disposeEngines } from '../support/engines.js';
import { coreCount } from '../support/machine.js';
import { isQuick, Report } from '../support/report.js';
import { sum, summarize } from '../support/statistics.js';
import { type Contender, interleave } from '../support/timing.js';

const SEED = 1;
const TRIANGLES = isQuick ? 2000 : 92_000;
const FRAMES = 20;
const ITERATIONS = isQuick ? 1 : 3;

const report = new Report('cloth', SEED, []);
const engines = await createEngines(1, coreCount);
const cloth = foldingCloth(TRIANGLES, FRAMES, SEED);
const positions = Array.from({ length: FRAMES + 1 }, (_, t) => cloth.frame(t));
const frames = Array.from({ length: FRAMES }, (_, frame) => frame);

interface Count {
  contacts: number;
  featurePairs: number;
  searchedPairs: number;
  stages: Record<string, number>;
}

const counts = new Map<string, Count[]>();

function contender(name: string, engine: Engine): Contender<number> {
  const mesh = engine.createMesh(cloth.mesh);
  const own: Count[] = [];
  counts.set(name, own);
  return {
    name,
    run: frame => {
      const {
        count,
        stats: { featurePairs, searchedPairs, stages },
      } = engine.sweepVertices(mesh, positions[frame], positions[frame + 1], { want: 'all' });
      own[frame] = { contacts: count, featurePairs, searchedPairs, stages };
    },
  };
}

for (const { name, perCase, ...summary } of interleave(
  frames,
  engines.map(({ name, engine }) => contender(name, engine)),
  ITERATIONS,
)) {
  const own = counts.get(name)!;
  const scene = `folding cloth ${Math.round(triangleCount(cloth.mesh) / 1000)}K`;
  const totalOf = (key: 'contacts' | 'featurePairs' | 'searchedPairs'): number =>
    sum(own.map(count => count[key]));
  const stages = Object.keys(own[0].stages).map(
    stage => `${stage} ${(sum(own.map(count => count.stages[stage] ?? 0)) / FRAMES).toFixed(1)}`,
  );
  report.add({
    scene,
    measure: 'all contacts of a frame, 20 frames',
    variant: name,
    unit: 'ms',
    ...summary,
    note: `${totalOf('contacts')} contacts in total; per frame ${Math.round(totalOf('featurePairs') / FRAMES)} pairs of features, ${((1e6 * sum(perCase)) / totalOf('featurePairs')).toFixed(0)} ns each, ${Math.round(totalOf('searchedPairs') / FRAMES)} searched; ${stages.join(', ')}`,
  });
  for (const [measure, hasContacts] of [
    ['frames without contact', false],
    ['frames with contact', true],
  ] as const) {
    const some = frames.filter(frame => own[frame].contacts > 0 === hasContacts);
    if (some.length === 0) continue;
    const pairs = sum(some.map(frame => own[frame].featurePairs));
    report.add({
      scene,
      measure,
      variant: name,
      unit: 'ms',
      ...summarize(some.map(frame => perCase[frame])),
      note: `${((1e6 * sum(some.map(frame => perCase[frame]))) / pairs).toFixed(0)} ns per pair of features`,
    });
  }
}
disposeEngines(engines);
report.save();
