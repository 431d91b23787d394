// Measures the time of each method that finds box pairs from scratch. Also compares the method 'auto', which
// chooses one of the other methods, with the fastest method. The inputs are crowds of boxes, one for each
// distribution in `crowdKinds`, and random scenes that mix two crowds.

import { type BoxPairs, createEngine } from '../../dist/index.js';
import { boxCrowd, type CrowdKind, crowdKinds } from '../../dist/samples/index.js';
import { createRandom, type Random } from '../../dist/samples/random.js';
import { isQuick, Report } from '../support/report.js';
import { interleave } from '../support/timing.js';

const METHODS = ['auto', 'sap', 'cells', 'tree', 'octree'] as const;
type Method = (typeof METHODS)[number];
/**
 * Max time of a method's first run, relative to the fastest first run. Slower methods are not run again,
 * except 'auto', which is always measured.
 */
const MAX_SLOWDOWN = 5;
/**
 * Target for the number of input floats that each method processes in all iterations together. So small
 * inputs get more iterations, because their times vary more.
 */
const FLOATS_PER_METHOD = 9e6;
const RANDOM_SCENES = isQuick ? 3 : 20;
const seed = Date.now() % 2 ** 31;
const report = new Report('methods', seed);
const engine = await createEngine({ threads: 1 });

const runQuery = (boxes: Float32Array, method: Method): BoxPairs =>
  engine.boxPairs(boxes, { method, order: 'any' });

// Returns the median milliseconds of 'auto'. uniform: the median milliseconds of 'auto' for the same number
// of uniform boxes, for comparison.
function measure(scene: string, boxes: Float32Array, uniform?: number): number {
  const first = METHODS.map(method => {
    const startedAt = performance.now();
    const { count } = runQuery(boxes, method);
    return { method, count, milliseconds: performance.now() - startedAt };
  });
  if (first.some(({ count }) => count !== first[0].count))
    throw new Error(`${scene}: ${first.map(({ method, count }) => `${method} finds ${count}`).join(', ')}`);
  const fastest = Math.min(...first.map(({ milliseconds }) => milliseconds));
  const candidates = first
    .filter(({ method, milliseconds }) => method === 'auto' || milliseconds <= MAX_SLOWDOWN * fastest)
    .map(({ method }) => method);
  const timings = interleave(
    [boxes],
    candidates.map(method => ({ name: method, run: () => runQuery(boxes, method) })),
    isQuick ? 3 : Math.round(Math.min(101, Math.max(7, FLOATS_PER_METHOD / boxes.length))),
  );
  const best = Math.min(...timings.filter(({ name }) => name !== 'auto').map(({ median }) => median));
  const auto = timings.find(({ name }) => name === 'auto')!;
  const { stats } = runQuery(boxes, 'auto');
  for (const { name, n, median } of timings) {
    report.add({
      scene,
      measure: 'all pairs from scratch',
      variant: name,
      unit: 'ms',
      n,
      median,
      rival: 'the best',
      ratio: best / median,
      limit: name === 'auto' ? '>= 0.87 x' : undefined,
      note:
        name === 'auto'
          ? `${first[0].count} pairs; ${stats.method}: ${stats.reason}${uniform ? `; ${(auto.median / uniform).toFixed(2)} x uniform` : ''}`
          : undefined,
    });
  }
  return auto.median;
}

// Makes a scene of two random crowds of boxes. Shrinks the second crowd toward the origin. Stretches both
// crowds along the axes by the same random factors.
function randomScene(random: Random): { name: string; boxes: Float32Array } {
  const kindOf = (): CrowdKind => crowdKinds[random.below(crowdKinds.length)];
  const kinds = [kindOf(), kindOf()] as const;
  const count = Math.round(1000 * 100 ** random.between(0, 1));
  const share = random.between(0, 1);
  const [large, small] = kinds.map((kind, i) =>
    boxCrowd(kind, Math.max(1, Math.round(count * (i === 0 ? share : 1 - share))), random.below(2 ** 31)),
  );
  const shrink = 10 ** random.between(-3, 0);
  const stretch = [0, 1, 2].map(() => 4 ** random.between(-1, 1));
  const boxes = Float32Array.from(
    [...large, ...small.map(value => value * shrink)],
    (value, i) => value * stretch[i % 3],
  );
  return { name: `${kinds.join(' + ')} ${(boxes.length / 6000).toFixed(1)}K`, boxes };
}

for (const count of isQuick ? [10_000] : [10_000, 100_000, 1_000_000]) {
  const uniform = measure(`uniform ${count / 1e3}K`, boxCrowd('uniform', count, 1));
  for (const kind of crowdKinds)
    if (kind !== 'uniform') measure(`${kind} ${count / 1e3}K`, boxCrowd(kind, count, 1), uniform);
}
const random = createRandom(seed);
for (let i = 0; i < RANDOM_SCENES; i++) {
  const { name, boxes } = randomScene(random);
  measure(name, boxes);
}
engine.dispose();
report.save();
