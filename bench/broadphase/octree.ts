// Measures the stages of the linear octree, a method that finds box pairs. In some measurements, it starts from
// scratch; in others, boxes move, and it keeps the octants of the previous frame. The scenes are the bounding
// boxes of spheres, and crowds of boxes. Also compares two ways to sort octants: a radix sort on all threads,
// and separately sorted runs that are merged in a tree (Lucchesi 2002, sections 5.2 and 6.2).

import { BoxSet } from '../../dist/broadphase/boxSet.js';
import { LinearOctree } from '../../dist/broadphase/octree/octree.js';
import { sortByMerging } from '../../dist/broadphase/runMerge.js';
import { StageClock } from '../../dist/core/stageClock.js';
import type { BoxPairsStats, BroadPhase } from '../../dist/index.js';
import { octreeScenes } from '../../dist/papers/scenes/octreeScenes.js';
import { type Columns, sortByDigits } from '../../dist/runtime/digitSort.js';
import { boxCrowd, sphereBoxes } from '../../dist/samples/index.js';
import { createRandom } from '../../dist/samples/random.js';
import { createEngines, disposeEngines, type NamedEngine } from '../support/engines.js';
import { internalsOf } from '../support/internals.js';
import { plural } from '../support/machine.js';
import { isQuick, Report } from '../support/report.js';
import { summarize } from '../support/statistics.js';

const SEED = 1;
const RADIUS = 0.5;
const SIDE = 1000;
const KEY_BITS = 31;
/**
 * Distance that a box moves per frame (boxes are 1 wide on average), and the fraction of boxes that move.
 */
const MOTIONS: readonly (readonly [step: number, share: number])[] = [
  [0.001, 1],
  [0.01, 1],
  [0.1, 1],
  [1, 1],
  [0.1, 0.01],
  [1, 0.01],
  [0.1, 0.1],
];
const NOTHING = 2 ** 32 - 1;
const report = new Report('octree', SEED, []);
// Two threads even if there are more cores, because Lucchesi's thesis has a table for two processors.
const engines = await createEngines(1, 2);

interface Scene {
  name: string;
  boxes: Float32Array;
  paper?: Readonly<Record<number, number>>;
}
interface Samples {
  milliseconds: number[];
  stages: Record<string, number[]>;
  stats?: BoxPairsStats;
  count: number;
}

function scenesOf(): Scene[] {
  if (isQuick)
    return [
      { name: 'spheres 10K', boxes: sphereBoxes(10_000, { radius: RADIUS, side: 100 }, SEED) },
      { name: 'uniform 10K', boxes: boxCrowd('uniform', 10_000, SEED) },
    ];
  return [100_000, 1_000_000].flatMap((count): Scene[] => {
    const size = count < 1e6 ? `${count / 1e3}K` : `${count / 1e6}M`;
    const paper = octreeScenes.find(({ name }) => name === `spheres-${size.toLowerCase()}`)!.paper!;
    return [
      {
        name: `spheres ${size}`,
        boxes: sphereBoxes(count, { radius: RADIUS, side: SIDE }, SEED),
        paper: paper.series[0].milliseconds,
      },
      { name: `uniform ${size}`, boxes: boxCrowd('uniform', count, SEED) },
    ];
  });
}

/**
 * Runs all contenders in every iteration, with the order reversed in every other iteration. The first iteration
 * warms up.
 */
function runAlternately<Who extends string>(
  iterations: number,
  contenders: Record<Who, () => { milliseconds: number; count: number; stats?: BoxPairsStats }>,
): Map<Who, Samples> {
  const names = Object.keys(contenders) as Who[];
  const samples = new Map(
    names.map((name): [Who, Samples] => [name, { milliseconds: [], stages: {}, count: 0 }]),
  );
  for (let iteration = -1; iteration < iterations; iteration++) {
    for (const name of iteration % 2 === 0 ? names : [...names].reverse()) {
      const { milliseconds, count, stats } = contenders[name]();
      const own = samples.get(name)!;
      if (iteration < 0) continue;
      own.milliseconds.push(milliseconds);
      own.count = count;
      own.stats = stats;
      for (const [stage, time] of Object.entries(stats?.stages ?? {})) (own.stages[stage] ??= []).push(time);
    }
  }
  return samples;
}

const stagesText = (stages: Readonly<Record<string, number[]>>): string =>
  Object.entries(stages)
    .map(([stage, times]) => `${stage} ${summarize(times).median.toFixed(2)}`)
    .join(', ');

function measureFromScratch({ name: scene, boxes, paper }: Scene, iterations: number): void {
  const samples = runAlternately(
    iterations,
    Object.fromEntries(
      engines.flatMap(({ name, engine }) =>
        (['octree', 'sap'] as const).map(method => [
          `${method}, ${name}`,
          () => {
            const { stats, count } = engine.boxPairs(boxes, { method, order: 'any' });
            return { milliseconds: stats.milliseconds, count, stats };
          },
        ]),
      ),
    ),
  );
  for (const [variant, { milliseconds, stages, count, stats }] of samples) {
    report.add({
      scene,
      measure: 'from scratch',
      variant,
      unit: 'ms',
      ...summarize(milliseconds),
      note: `${count} pairs, ${stats!.places} places, ${stats!.tests} tests; ${stagesText(stages)}`,
    });
  }
  for (const threads of [1, 2]) {
    const theirs = paper?.[threads];
    const ours = samples.get(`octree, ${engines[threads - 1].name}`)!;
    if (theirs !== undefined)
      report.add({
        scene,
        measure: 'from scratch',
        variant: `thesis, ${plural(threads, 'processor')}`,
        unit: 'ms',
        n: 1,
        median: theirs,
        rival: 'octree',
        ratio: summarize(ours.milliseconds).median / theirs,
        note: 'as published; another machine, twenty years older',
        how: 'published',
      });
  }
}

/**
 * Returns the keys and the box numbers of the octants of a scene, in the order of the boxes. Both ways of
 * sorting start from this order.
 */
function collectUnsortedOctants(
  { engine }: NamedEngine,
  boxes: Float32Array,
): [keys: Uint32Array, ids: Uint32Array] {
  const { context } = internalsOf(engine);
  const set = new BoxSet(context);
  const octree = new LinearOctree(context, new StageClock());
  const stats = set.take(boxes);
  octree.run(set, stats, NOTHING, { first: 0, last: set.count, passiveFrom: NOTHING }, 0);
  const { keysAt, idsAt, octantCount } = octree.octants.all;
  const { u32 } = context.arena;
  const keys = u32.slice(keysAt / 4, keysAt / 4 + octantCount);
  const ids = u32.slice(idsAt / 4, idsAt / 4 + octantCount);
  const order = Float64Array.from(ids, (id, i) => id * 2 ** 24 + i)
    .sort()
    .map(value => value % 2 ** 24);
  octree.dispose();
  set.dispose();
  return [Uint32Array.from(order, i => keys[i]), Uint32Array.from(order, i => ids[i])];
}

function measureSorts({ name: scene, boxes }: Scene, iterations: number): void {
  const [keys, ids] = collectUnsortedOctants(engines[0], boxes);
  const count = keys.length;
  for (const { name, engine } of engines) {
    const { context } = internalsOf(engine);
    const { arena } = context;
    const [a, b, c, d] = [0, 0, 0, 0].map(() => arena.allocate(4 * count + 4));
    const timed = (sort: (from: Columns, to: Columns) => unknown) => () => {
      arena.u32.set(keys, a / 4);
      arena.u32.set(ids, b / 4);
      const startedAt = performance.now();
      sort([a, b], [c, d]);
      return { milliseconds: performance.now() - startedAt, count };
    };
    // An engine with p threads would sort p runs. More runs than this engine has threads simulate an engine
    // with more threads: merging p runs causes the same memory traffic on every engine.
    const inRuns = (runs: number) => timed((from, to) => sortByMerging(context, from, to, count, runs));
    const samples = runAlternately(iterations, {
      'radix sort': timed((from, to) =>
        sortByDigits(context, from, to, count, KEY_BITS, engine.info.threads),
      ),
      'merged, 1 run': inRuns(1),
      'merged, 2 runs': inRuns(2),
      'merged, 4 runs': inRuns(4),
      'merged, 16 runs': inRuns(16),
    });
    const base = summarize(samples.get('radix sort')!.milliseconds).median;
    for (const [variant, { milliseconds }] of samples) {
      const own = summarize(milliseconds);
      report.add({
        scene,
        measure: `sort octants, ${name}`,
        variant,
        unit: 'ms',
        ...own,
        rival: 'radix sort',
        ratio: base / own.median,
        note: `${count} octants`,
      });
    }
    for (const at of [a, b, c, d]) arena.release(at);
  }
}

/**
 * Makes two frames. In the first frame, each moving box is displaced by `step` in its own random direction.
 * In the second frame, the boxes are back at their start.
 */
function framesOf(
  boxes: Float32Array,
  step: number,
  share: number,
): { ids: Uint32Array; frames: Float32Array[] } {
  const random = createRandom(SEED);
  const ids = Uint32Array.from({ length: boxes.length / 6 }, (_, i) => i).filter(
    () => share === 1 || random.between(0, 1) < share,
  );
  const home = Float32Array.from(
    { length: 6 * ids.length },
    (_, i) => boxes[6 * ids[Math.floor(i / 6)] + (i % 6)],
  );
  const away = home.slice();
  for (let at = 0; at < away.length; at += 6) {
    const direction = random.direction();
    for (let k = 0; k < 6; k++) away[at + k] += step * direction[k % 3];
  }
  return { ids, frames: [away, home] };
}

function measureCoherent({ name: scene, boxes }: Scene, iterations: number): void {
  for (const [step, share] of MOTIONS) {
    const { ids, frames } = framesOf(boxes, step, share);
    const broads: BroadPhase[] = [];
    const contenders = Object.fromEntries(
      engines.flatMap(({ name, engine }) => {
        const broad = engine.createBroadPhase({ method: 'octree', events: 'off' });
        broads.push(broad);
        broad.set(boxes);
        broad.pairs();
        let frame = 0;
        return [
          [
            `octants kept, ${name}`,
            () => {
              broad.move(ids, frames[frame++ % 2]);
              const { stats, count } = broad.pairs({ order: 'any' });
              return { milliseconds: stats.milliseconds, count, stats };
            },
          ],
          [
            `from scratch, ${name}`,
            () => {
              const { stats, count } = engine.boxPairs(boxes, { method: 'octree', order: 'any' });
              return { milliseconds: stats.milliseconds, count, stats };
            },
          ],
        ];
      }),
    );
    const samples = runAlternately(iterations, contenders);
    for (const { name } of engines) {
      const own = samples.get(`octants kept, ${name}`)!;
      const base = summarize(samples.get(`from scratch, ${name}`)!.milliseconds).median;
      const { stats } = own;
      report.add({
        scene,
        measure: `${share === 1 ? 'all' : `${100 * share} % of the`} boxes move by ${step} x their size`,
        variant: `octants kept, ${name}`,
        unit: 'ms',
        ...summarize(own.milliseconds),
        rival: 'from scratch',
        ratio: base / summarize(own.milliseconds).median,
        note: `${stats!.changed} octants changed, ${stats!.places} scanned; ${stagesText(own.stages)}; ${stats!.reason}`,
      });
    }
    for (const broad of broads) broad.dispose();
  }
}

for (const scene of scenesOf()) {
  const iterations = isQuick ? 1 : scene.boxes.length > 3e6 ? 5 : 11;
  measureFromScratch(scene, iterations);
  measureSorts(scene, iterations);
  measureCoherent(scene, iterations);
}
disposeEngines(engines);
report.save();
