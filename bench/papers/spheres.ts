// Measures queries for the intersecting triangle pairs of 31 bodies in random motion. The bodies have 10K to
// 80K triangles together. Compares bounding volumes (boxes, spheres, both, and no hierarchy at all),
// traversals (work lists and breadth-first rounds), numbers of threads, and thresholds (which decide which
// nodes test a box in addition to a sphere).
//
// Repeats experiments 1 to 3 of the S-AABB paper: 1,000 steps, each timed once. The methods alternate. Without
// a hierarchy, 1,000 steps with 80K triangles would take hours, so in scenes of 20K, 40K and 80K triangles only
// every 50th, 200th or 500th step runs. All pairs of bodies are queried without a broad phase, so only
// hierarchies are compared.
//
// Command-line words select the parts of the bench (ways, without, any, steps, lists, thresholds) and the
// sizes (10K, 20K, 40K, 80K) to run. Default: all parts and sizes. Finished rows are saved before the next
// scene or part starts. On two cores, the part `without` takes about ten minutes, and all other parts
// together take about two.

import type { MeshData } from '../../dist/index.js';
import { createLaboratory, type Laboratory } from '../../dist/papers/laboratory.js';
import { disposeEngines } from '../support/engines.js';
import { coreCount, threadsText } from '../support/machine.js';
import { isQuick, Report, type Row } from '../support/report.js';
import { summarize } from '../support/statistics.js';
import { contendersOf, THRESHOLDS, thresholdScenes, withThreshold } from '../support/thresholdScenes.js';
import { type Contender, interleave, interleaveBlocks, type Timing } from '../support/timing.js';
import {
  SIZES as ALL_SIZES,
  type Frame,
  framesOf,
  optionsOf,
  pairsOf,
  SEED,
  STEPS,
  sceneName,
  shapesOf,
  testsOf,
  type Volume,
  withTraversal,
} from '../support/tumblingBodies.js';

/** Number of consecutive steps that one method runs before the next method runs the same steps. */
const BLOCK = 100;
/** Interval, in steps, at which the imbalance is measured. */
const STEP_INTERVAL = 25;
/**
 * Interval, in steps, at which the method without a hierarchy is timed, by number of triangles. Default: 1. A
 * step of the largest scene takes seconds.
 */
const STEP_INTERVALS_WITHOUT_HIERARCHY: Record<number, number> = { 20000: 50, 40000: 200, 80000: 500 };
const words = process.argv.slice(2).filter(word => !word.startsWith('-'));
const SIZES = ALL_SIZES.filter(
  size => !words.some(word => /^\d+K$/.test(word)) || words.includes(`${size / 1000}K`),
);

/**
 * Table 1 of the paper: seconds for 1,000 steps of the largest scene, by method. PCDA ran on several
 * processors.
 */
const PAPER_SIZE = 80_000;
const PAPER_SECONDS: Partial<Record<Volume | 'none', { name: string; seconds: number }>> = {
  none: { name: 'BCDA', seconds: 5109 },
  spheres: { name: 'SPHERE', seconds: 3265 },
  hybrid: { name: 'SCDA', seconds: 185 },
};
const PCDA = { name: 'PCDA', seconds: 74 };

const ALL_PAIRS = 'all triangle pairs';

interface NamedLaboratory extends Laboratory {
  name: string;
}

interface Method extends Contender<Frame> {
  volume: Volume | 'none';
  walk: 'lists' | 'rounds';
  threads: number;
  run(frame: Frame): number;
}

function methodsOf(laboratory: NamedLaboratory, data: readonly MeshData[], want: 'pairs' | 'any'): Method[] {
  const { engine, name: variant } = laboratory;
  const { threads } = engine.info;
  return (['boxes', 'spheres', 'hybrid'] as const).flatMap(volume => {
    const meshes = data.map(one => engine.createMesh(one, optionsOf[volume]));
    const lists = (frame: Frame): number =>
      want === 'any'
        ? engine.queryMany({ pairs: pairsOf(meshes, frame), want: 'any' }).reduce((sum, hit) => sum + hit, 0)
        : engine.queryMany({ pairs: pairsOf(meshes, frame) }).count;
    const inRounds = (frame: Frame): number => withTraversal(laboratory, 'work-front', () => lists(frame));
    return [
      { name: `${volume}, ${variant}`, volume, walk: 'lists' as const, threads, run: lists },
      ...(volume === 'spheres'
        ? []
        : [
            {
              name: `${volume}, rounds, ${variant}`,
              volume,
              walk: 'rounds' as const,
              threads,
              run: inRounds,
            },
          ]),
    ];
  });
}

// Makes the method without a hierarchy. For each pair of bodies, it tests every leaf of one body against
// every leaf of the other, with the triangle test of the other methods.
function withoutHierarchy(laboratory: NamedLaboratory, data: readonly MeshData[]): Method {
  const { engine, name: variant } = laboratory;
  const meshes = data.map(one => engine.createMesh(one));
  return {
    name: `no hierarchy, ${variant}`,
    volume: 'none',
    walk: 'rounds',
    threads: engine.info.threads,
    run: frame =>
      withTraversal(laboratory, 'no-hierarchy', () =>
        pairsOf(meshes, frame).reduce(
          (sum, pair) => sum + engine.queryMany({ pairs: [pair], parts: engine.info.threads }).count,
          0,
        ),
      ),
  };
}

// Makes the row of one method, with its times per step. The note gives the total time of all steps, and the
// speed-up and efficiency relative to the same method on one thread (`oneThread`), computed from medians.
function rowOf(
  size: number,
  measure: string,
  timing: Timing,
  { threads, volume }: Method,
  oneThread: Timing,
  note: string,
): Row {
  const { name, ...times } = timing;
  const speedUp = oneThread.median / times.median;
  const sampled = times.n < STEPS ? `, estimated from every ${STEPS / times.n}th step` : '';
  const byThreads =
    threads === 1 ? '' : `; speed-up ${speedUp.toFixed(2)}, efficiency ${(speedUp / threads).toFixed(2)}`;
  const paper = volume === 'hybrid' && threads > 1 ? PCDA : PAPER_SECONDS[volume];
  const isInPaper =
    paper && size === PAPER_SIZE && measure === ALL_PAIRS && (threads === 1 || paper === PCDA);
  const papers = isInPaper && ` (paper: ${paper.name} ${paper.seconds} s)`;
  return {
    scene: sceneName(size),
    measure,
    variant: name,
    unit: 'ms',
    ...times,
    ...(isInPaper ? { rival: 'paper', ratio: paper.seconds / times.mean } : {}),
    figure: `S-AABB, ${size === PAPER_SIZE ? 'Table 1 and ' : ''}Fig. 3 (${threads === 1 ? 'a' : 'b'})`,
    note: `${((times.mean * STEPS) / 1000).toFixed(2)} s for ${STEPS} steps${papers || ''}${sampled}, ${(1000 / times.mean).toFixed(1)} steps per second${byThreads}${note}`,
  };
}

// Runs methods alternately, and checks that they find the same number of pairs. every: interval, in steps, at
// which the methods are timed. looks: max number of timed steps in which the numbers of pairs are compared;
// these steps are evenly spread. also: methods whose numbers of pairs are compared, but which are not timed.
function compareMethods(
  report: Report,
  size: number,
  measure: string,
  methods: readonly Method[],
  { every = 1, block = BLOCK, looks = 40, also = [] as readonly Method[] } = {},
): void {
  const frames = framesOf(every);
  const looked = frames.filter((_, i) => i % Math.ceil(frames.length / looks) === 0);
  const counts = [...methods, ...also].map(method =>
    looked.reduce((sum, frame) => sum + method.run(frame), 0),
  );
  if (new Set(counts).size !== 1)
    throw new Error(`the methods find different numbers of pairs: ${counts.join(' ')}`);
  const timings = interleaveBlocks(frames, methods, block);
  methods.forEach((method, i) =>
    report.add(
      rowOf(
        size,
        measure,
        timings[i],
        method,
        timings[methods.findIndex(({ volume, walk }) => volume === method.volume && walk === method.walk)],
        i === 0 ? `; ${counts[0]} found in ${looked.length} of the steps` : '',
      ),
    ),
  );
  report.saveFinished();
}

interface Counters {
  boxTests: number;
  leafPairs: number;
  triangleTests: number;
  /**
   * `apart`: node pairs whose spheres are disjoint. `second`: node pairs whose spheres overlap and that needed
   * a second test, which uses the box of at least one of the two nodes.
   */
  apart: number;
  second: number;
  found: number;
}

function countSteps(
  { engine }: Laboratory,
  frames: readonly Frame[],
  size: number,
  volume: Volume,
): Counters {
  const meshes = shapesOf(size).map(data => engine.createMesh(data, optionsOf[volume]));
  const counters: Counters = {
    boxTests: 0,
    leafPairs: 0,
    triangleTests: 0,
    apart: 0,
    second: 0,
    found: 0,
  };
  for (const frame of frames) {
    const { count, stats } = engine.queryMany({ pairs: pairsOf(meshes, frame), parts: 1 });
    counters.found += count;
    for (const field of ['boxTests', 'leafPairs', 'triangleTests'] as const)
      counters[field] += testsOf(stats, field);
    for (const { apart, boxBox, boxSphere, sphereBox } of stats.spheres ?? []) {
      counters.apart += apart;
      counters.second += boxBox + boxSphere + sphereBox;
    }
  }
  for (const mesh of meshes) mesh.dispose();
  return counters;
}

// Runs all steps, one after the other. Reports counters, and the max gain of the hybrid, computed from these
// counters.
function overAllSteps(report: Report, laboratory: Laboratory): void {
  const frames = framesOf();
  const n = frames.length;
  for (const size of SIZES) {
    const boxes = countSteps(laboratory, frames, size, 'boxes');
    for (const volume of ['boxes', 'spheres', 'hybrid'] as const) {
      const own = volume === 'boxes' ? boxes : countSteps(laboratory, frames, size, volume);
      const row = { scene: sceneName(size), variant: volume, n, figure: 'S-AABB, Fig. 3 (a)' };
      report.add({
        ...row,
        measure: `pairs of nodes tested in ${n} steps`,
        unit: 'count',
        mean: own.boxTests / n,
        note: `${own.boxTests} of nodes, ${own.leafPairs} of leaves, ${own.triangleTests} of triangles, ${own.found} found`,
      });
      if (volume === 'hybrid') explainHybrid(report, row, boxes, own);
    }
  }
}

// Reports what limits the gain of the hybrid (trees with spheres and boxes). Let a box test cost as much as r
// sphere tests. Then, in units of a sphere test, trees with boxes cost r * boxes.boxTests, and the hybrid
// costs hybrid.boxTests + r * hybrid.second.
function explainHybrid(
  report: Report,
  row: Pick<Row, 'scene' | 'variant' | 'n' | 'figure'>,
  boxes: Counters,
  hybrid: Counters,
): void {
  const spared = (from: number, to: number): string => `${(100 * (1 - to / from)).toFixed(2)} %`;
  report.add(
    {
      ...row,
      measure: 'node pairs that spheres separate',
      unit: 'share',
      mean: hybrid.apart / hybrid.boxTests,
      note: `${hybrid.second} of ${hybrid.boxTests} node pairs need a second test; in total ${((hybrid.boxTests + hybrid.second) / boxes.boxTests).toFixed(2)} times as many tests as with boxes`,
    },
    {
      ...row,
      measure: 'max gain of volume tests',
      unit: 'x',
      mean: boxes.boxTests / hybrid.second,
      how: 'modeled: box tests of boxes / second tests of the hybrid, as if sphere tests cost nothing',
      note: `leaf pairs fall by ${spared(boxes.leafPairs, hybrid.leafPairs)}, triangle pairs by ${spared(boxes.triangleTests, hybrid.triangleTests)}`,
    },
    {
      ...row,
      measure: 'break-even cost of a box test',
      unit: 'x',
      mean: hybrid.boxTests / (boxes.boxTests - hybrid.second),
      how: 'modeled: sphere tests of the hybrid / (box tests of boxes - second tests of the hybrid)',
      note: 'in sphere tests; the hybrid is faster only if a box test costs more',
    },
  );
}

// Computes the max speed-up on up to 16 processors from the counted costs of work lists, one list for each
// processor. The machine may have fewer processors.
function byLists(report: Report, { engine }: Laboratory): void {
  const size = SIZES.at(-1)!;
  const frames = framesOf(STEP_INTERVAL);
  for (const volume of ['boxes', 'hybrid'] as const) {
    const meshes = shapesOf(size).map(data => engine.createMesh(data, optionsOf[volume]));
    for (const parts of [2, 4, 8, 16]) {
      const imbalances = frames.map(
        frame => engine.queryMany({ pairs: pairsOf(meshes, frame), parts, stealing: 'off' }).stats.imbalance,
      );
      const imbalance = summarize(imbalances);
      report.add({
        scene: sceneName(size),
        measure: `imbalance, ${parts} lists`,
        variant: volume,
        unit: 'x',
        ...imbalance,
        figure: 'S-AABB, Fig. 4',
        how: "modeled: max over mean of the lists' costs in box tests; a leaf pair costs 12",
        note: `speed-up by counters at most ${(parts / imbalance.mean).toFixed(2)}, efficiency ${(1 / imbalance.mean).toFixed(2)}`,
      });
    }
  }
}

function byThreshold(report: Report, { engine }: Laboratory): void {
  for (const scene of thresholdScenes()) {
    const { name, placements } = scene;
    const contenders = contendersOf(engine, scene, [
      ['boxes', {}],
      ...THRESHOLDS.map(withThreshold),
      ['default', { volume: 's-aabb' }],
    ]);
    const counters = contenders.map(({ run }) =>
      placements.map(placement => {
        const { stats } = run(placement);
        return (['boxTests', 'leafPairs', 'triangleTests'] as const).map(field => testsOf(stats, field));
      }),
    );
    const timings = interleave(placements, contenders, isQuick ? 1 : 9);
    timings.forEach(({ name: variant, ...times }, i) => {
      const [tests, leafPairs, triangles] = [0, 1, 2].map(field =>
        counters[i].reduce((sum, of) => sum + of[field], 0),
      );
      report.add({
        scene: name,
        measure: 'query by threshold',
        variant,
        unit: 'ms',
        ...times,
        rival: 'boxes',
        ratio: timings[0].mean / times.mean,
        note: `${tests} pairs of nodes, ${leafPairs} pairs of leaves, ${triangles} pairs of triangles`,
      });
    });
  }
}

const report = new Report('spheres', SEED);
const laboratories: NamedLaboratory[] = [];
for (const threads of new Set([1, coreCount]))
  laboratories.push({ name: threadsText(threads), ...(await createLaboratory({ threads })) });
const parts = words.filter(word => !/^\d+K$/.test(word));
const isSelected = (part: string): boolean => parts.length === 0 || parts.includes(part);
const makeMethods = (want: 'pairs' | 'any', size: number): Method[] =>
  laboratories.flatMap(laboratory => methodsOf(laboratory, shapesOf(size), want));
if (isSelected('ways'))
  for (const size of SIZES) compareMethods(report, size, ALL_PAIRS, makeMethods('pairs', size));
if (isSelected('any'))
  for (const size of SIZES.slice(-1))
    compareMethods(report, size, 'which pairs intersect', makeMethods('any', size));
for (const [part, run] of [
  ['steps', overAllSteps],
  ['lists', byLists],
  ['thresholds', byThreshold],
] as const) {
  if (!isSelected(part)) continue;
  run(report, laboratories[0]);
  report.saveFinished();
}
// This part runs last, because it takes longest.
if (isSelected('without')) {
  for (const size of SIZES) {
    const methods = laboratories.map(laboratory => withoutHierarchy(laboratory, shapesOf(size)));
    compareMethods(report, size, ALL_PAIRS, methods, {
      every: STEP_INTERVALS_WITHOUT_HIERARCHY[size],
      block: 2,
      looks: 1,
      also: makeMethods('pairs', size).slice(0, 1),
    });
  }
}
disposeEngines(laboratories);
