// Measures 31 bodies of 10K to 80K triangles in random motion, without a hierarchy, with boxes, with spheres
// and with both; with lists and with rounds; by number of threads; and by threshold.
//
// This repeats experiments 1 to 3 of the S-AABB paper: 1,000 steps, each timed once, all methods alternating.
// Only 80K triangles without a hierarchy, which would take hours, runs every fiftieth step. All pairs of
// bodies are queried without a broad phase, so only hierarchies are compared.
//
// Words after the name of this file select the parts (ways, without, any, steps, lists, thresholds) and the
// sizes (10K, 20K, 40K, 80K) to run; without words, all run. Each scene's rows are saved as soon as it is
// done. All parts but `without` take four minutes on two cores; `without` takes 7, 26, 86 and 8 minutes for
// the four sizes.

import bunny from 'bunny';
import type { Engine, Mesh, MeshData, MeshOptions, PlacedPair, QueryStats } from '../../dist/index.js';
import { PairWriter } from '../../dist/mesh/pairWriter.js';
import { ResultGatherer } from '../../dist/narrowphase/resultGatherer.js';
import { createLaboratory } from '../../dist/papers/laboratory.js';
import { type TraversalStart, WorkFront } from '../../dist/papers/workFront.js';
import {
  randomPlacements,
  type MeshData as Shape,
  soup,
  sphere,
  torus,
  tumbling,
} from '../../dist/samples/index.js';
import { disposeEngines, type NamedEngine } from '../support/engines.js';
import { internalsOf } from '../support/internals.js';
import { coreCount, threadsText } from '../support/machine.js';
import { isQuick, Report, type Row } from '../support/report.js';
import { summarize } from '../support/statistics.js';
import { type Contender, interleave, interleaveBlocks, type Timing } from '../support/timing.js';

const BODIES = 31;
const STEPS = isQuick ? 2 : 1000;
const SEED = 31;
/** Steps that a method runs before the next one. */
const BLOCK = 100;
/** Imbalance is sampled at this interval of steps. */
const EVERY = 25;
/**
 * Without a hierarchy, a step of the largest scene takes seconds, so only one of this many steps is timed.
 */
const EVERY_WITHOUT: Record<number, number> = { 80000: 50 };
const words = process.argv.slice(2).filter(word => !word.startsWith('-'));
const SIZES = (isQuick ? [10_000] : [10_000, 20_000, 40_000, 80_000]).filter(
  size => !words.some(word => /^\d+K$/.test(word)) || words.includes(`${size / 1000}K`),
);
const THRESHOLDS = [0, 1, 1.5, 2, 2.5, 3, 4, 6, 10, Infinity];

type Volume = 'boxes' | 'spheres' | 'hybrid';
const optionsOf: Record<Volume, MeshOptions> = {
  boxes: {},
  spheres: { volume: 's-aabb', thresholds: [Infinity] },
  hybrid: { volume: 's-aabb' },
};
type Frame = readonly Float32Array[];

/** Makes 31 round bodies, of which every second one is a torus and therefore not convex. */
const bodiesOf = (triangleCount: number): Shape[] =>
  [torus, sphere].map(make => make(Math.round(triangleCount / BODIES / 2) * 2));

function framesOf(every = 1, count = Math.ceil(STEPS / every)): Frame[] {
  const matricesOf = tumbling(BODIES, 0.12, SEED);
  return Array.from({ length: count }, (_, i) => {
    const matrices = matricesOf(i * every);
    return Array.from({ length: BODIES }, (__, body) => matrices.subarray(16 * body, 16 * body + 16));
  });
}

const pairsOf = (meshes: readonly Mesh[], frame: Frame): PlacedPair[] =>
  frame.flatMap((transformA, i) =>
    frame
      .slice(i + 1)
      .map((transformB, k) => ({ a: meshes[i % 2], b: meshes[(i + 1 + k) % 2], transformA, transformB })),
  );

/** Traversal in rounds over one list of tasks, with its own working memory. */
class Rounds {
  private readonly front: WorkFront;
  private readonly writer: PairWriter;
  private readonly joiner: ResultGatherer;
  private readonly threads: number;

  constructor(engine: Engine) {
    const { context } = internalsOf(engine);
    this.threads = engine.info.threads;
    [this.front, this.writer, this.joiner] = [
      new WorkFront(context, 4096),
      new PairWriter(context, { has: () => true }),
      new ResultGatherer(context),
    ];
  }

  count(pairs: readonly PlacedPair[], start?: TraversalStart): number {
    this.front.run(this.writer.write(this.front, pairs), this.threads, start);
    return this.joiner.gather(this.front, pairs.length, this.writer.swapped, 'sorted').count;
  }

  countAny(pairs: readonly PlacedPair[]): number {
    return this.front
      .runAny(this.writer.write(this.front, pairs), this.threads)
      .reduce((sum, hit) => sum + hit, 0);
  }
}

interface Method extends Contender<Frame> {
  volume: Volume | 'none';
  walk: 'lists' | 'rounds';
  threads: number;
  run(frame: Frame): number;
}

function methodsOf(
  { engine, name: who }: NamedEngine,
  data: readonly MeshData[],
  want: 'pairs' | 'any',
): Method[] {
  const rounds = new Rounds(engine);
  const { threads } = engine.info;
  return (['boxes', 'spheres', 'hybrid'] as const).flatMap(volume => {
    const meshes = data.map(one => engine.createMesh(one, optionsOf[volume]));
    const lists = (frame: Frame): number =>
      want === 'any'
        ? engine.queryMany({ pairs: pairsOf(meshes, frame), want: 'any' }).reduce((sum, hit) => sum + hit, 0)
        : engine.queryMany({ pairs: pairsOf(meshes, frame) }).count;
    const inRounds = (frame: Frame): number =>
      want === 'any' ? rounds.countAny(pairsOf(meshes, frame)) : rounds.count(pairsOf(meshes, frame));
    return [
      { name: `${volume}, ${who}`, volume, walk: 'lists' as const, threads, run: lists },
      ...(volume === 'spheres'
        ? []
        : [{ name: `${volume}, rounds, ${who}`, volume, walk: 'rounds' as const, threads, run: inRounds }]),
    ];
  });
}

// Tests every leaf against every leaf, body pair by body pair, with the same triangle test.
function withoutHierarchy({ engine, name: who }: NamedEngine, data: readonly MeshData[]): Method {
  const rounds = new Rounds(engine);
  const meshes = data.map(one => engine.createMesh(one));
  return {
    name: `no hierarchy, ${who}`,
    volume: 'none',
    walk: 'rounds',
    threads: engine.info.threads,
    run: frame => pairsOf(meshes, frame).reduce((sum, pair) => sum + rounds.count([pair], 'leaves'), 0),
  };
}

// Makes the row of one method: times per step, and in the note the total of all steps and, by medians, the
// speed-up and efficiency over the same method on one thread.
function rowOf(
  scene: string,
  measure: string,
  timing: Timing,
  { threads }: Method,
  alone: Timing,
  note: string,
): Row {
  const { name, n, median, p95, mean, max } = timing;
  const speedUp = alone.median / median;
  const sampled = n < STEPS ? `, estimated from every ${STEPS / n}th step` : '';
  const byThreads =
    threads === 1 ? '' : `; speed-up ${speedUp.toFixed(2)}, efficiency ${(speedUp / threads).toFixed(2)}`;
  return {
    scene,
    measure,
    who: name,
    unit: 'ms',
    n,
    median,
    p95,
    mean,
    max,
    note: `${((mean * STEPS) / 1000).toFixed(2)} s for ${STEPS} steps${sampled}, ${(1000 / mean).toFixed(1)} steps per second${byThreads}${note}`,
  };
}

// Runs methods alternately, and checks that they find the same. every: one of this many steps is timed.
// looks: the number of timed steps, evenly spread, in which the results of all methods and of `also` are
// compared.
function compareMethods(
  report: Report,
  scene: string,
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
        scene,
        measure,
        timings[i],
        method,
        timings[methods.findIndex(({ volume, walk }) => volume === method.volume && walk === method.walk)],
        i === 0 ? `; ${counts[0]} found in ${looked.length} of the steps` : '',
      ),
    ),
  );
  report.savePiece();
}

const sceneOf = (size: number): string => `31 bodies, ${size / 1000}K`;

const testsOf = ({ threads }: QueryStats, name: 'boxTests' | 'leafPairs' | 'triangleTests'): number =>
  threads.reduce((sum, list) => sum + list[name], 0);

// Runs all steps, one after the other, and reports counters.
function overAllSteps(report: Report, { engine }: NamedEngine): void {
  const frames = framesOf();
  for (const size of SIZES) {
    for (const volume of ['boxes', 'spheres', 'hybrid'] as const) {
      const meshes = bodiesOf(size).map(data => engine.createMesh(data, optionsOf[volume]));
      const counters = { boxTests: 0, leafPairs: 0, triangleTests: 0 };
      let found = 0;
      for (const frame of frames) {
        const { count, stats } = engine.queryMany({ pairs: pairsOf(meshes, frame), parts: 1 });
        found += count;
        for (const field of ['boxTests', 'leafPairs', 'triangleTests'] as const)
          counters[field] += testsOf(stats, field);
      }
      report.add({
        scene: sceneOf(size),
        measure: `pairs of nodes tested in ${frames.length} steps`,
        who: volume,
        unit: 'count',
        n: frames.length,
        mean: counters.boxTests / frames.length,
        note: `${counters.boxTests} of nodes, ${counters.leafPairs} of leaves, ${counters.triangleTests} of triangles, ${found} found`,
      });
      for (const mesh of meshes) mesh.dispose();
    }
  }
}

// Computes, by counters, the speed-up that the loads of the lists allow on more processors than this machine
// has.
function byLists(report: Report, { engine }: NamedEngine): void {
  const size = SIZES.at(-1)!;
  const frames = framesOf(EVERY);
  for (const volume of ['boxes', 'hybrid'] as const) {
    const meshes = bodiesOf(size).map(data => engine.createMesh(data, optionsOf[volume]));
    for (const parts of [2, 4, 8, 16]) {
      const imbalances = frames.map(
        frame => engine.queryMany({ pairs: pairsOf(meshes, frame), parts, stealing: 'off' }).stats.imbalance,
      );
      const { mean, max, n, median, p95 } = summarize(imbalances);
      report.add({
        scene: sceneOf(size),
        measure: `imbalance, ${parts} lists`,
        who: volume,
        unit: 'x',
        n,
        median,
        p95,
        mean,
        max,
        note: `speed-up by counters at most ${(parts / mean).toFixed(2)}, efficiency ${(1 / mean).toFixed(2)}`,
      });
    }
  }
}

/** Makes scenes for choosing thresholds: two meshes and placements of B. */
function thresholdScenes(): { name: string; data: [MeshData, MeshData]; placements: Float64Array[] }[] {
  const scan: Shape = {
    positions: Float32Array.from(bunny.positions.flat()),
    indices: Uint32Array.from(bunny.cells.flat()),
  };
  const scene = (name: string, a: Shape, b: Shape) => ({
    name,
    data: [a, b] as [MeshData, MeshData],
    placements: randomPlacements(a, isQuick ? 2 : 24, SEED),
  });
  const [tori, spheres] = bodiesOf(80_000);
  return [
    scene('bunny 3K', scan, scan),
    scene('torus and sphere', tori, spheres),
    scene('soup 3K', soup(3000, 1), soup(3000, 2)),
    scene('torus 40K', torus(40_000), torus(40_000)),
  ];
}

function byThreshold(report: Report, { engine }: NamedEngine): void {
  for (const { name, data, placements } of thresholdScenes()) {
    const make = (options: MeshOptions): Mesh[] => data.map(one => engine.createMesh(one, options));
    const choices: [string, MeshOptions][] = [
      ['boxes', {}],
      ...THRESHOLDS.map((value): [string, MeshOptions] => [
        `from ${value} on`,
        { volume: 's-aabb', thresholds: [value] },
      ]),
      ['default', { volume: 's-aabb' }],
    ];
    const contenders = choices.map(([who, options]) => {
      const [a, b] = make(options);
      return { name: who, run: (transformB: Float64Array) => engine.query(a, b, { transformB, parts: 1 }) };
    });
    const counters = contenders.map(({ run }) =>
      placements.map(placement => {
        const { stats } = run(placement);
        return (['boxTests', 'leafPairs', 'triangleTests'] as const).map(field => testsOf(stats, field));
      }),
    );
    const timings = interleave(placements, contenders, isQuick ? 1 : 9);
    timings.forEach(({ name: who, n, median, p95, mean, max }, i) => {
      const [tests, leafPairs, triangles] = [0, 1, 2].map(field =>
        counters[i].reduce((sum, of) => sum + of[field], 0),
      );
      report.add({
        scene: name,
        measure: 'boxes by threshold',
        who,
        unit: 'ms',
        n,
        median,
        p95,
        mean,
        max,
        rival: 'boxes',
        ratio: timings[0].mean / mean,
        note: `${tests} pairs of nodes, ${leafPairs} pairs of leaves, ${triangles} pairs of triangles`,
      });
    });
  }
}

const report = new Report('spheres', SEED);
const engines: NamedEngine[] = [];
for (const threads of new Set([1, coreCount])) {
  const { engine } = await createLaboratory({ threads });
  engines.push({ name: threadsText(threads), engine });
}
const parts = words.filter(word => !/^\d+K$/.test(word));
const isQueried = (part: string): boolean => parts.length === 0 || parts.includes(part);
const runQuery = (want: 'pairs' | 'any', size: number): Method[] =>
  engines.flatMap(engine => methodsOf(engine, bodiesOf(size), want));
if (isQueried('ways'))
  for (const size of SIZES)
    compareMethods(report, sceneOf(size), 'all triangle pairs', runQuery('pairs', size));
if (isQueried('any'))
  for (const size of SIZES.slice(-1))
    compareMethods(report, sceneOf(size), 'which pairs meet', runQuery('any', size));
for (const [part, run] of [
  ['steps', overAllSteps],
  ['lists', byLists],
  ['thresholds', byThreshold],
] as const) {
  if (!isQueried(part)) continue;
  run(report, engines[0]);
  report.savePiece();
}
// Last, because it takes longest.
if (isQueried('without')) {
  for (const size of SIZES) {
    const methods = engines.map(engine => withoutHierarchy(engine, bodiesOf(size)));
    compareMethods(report, sceneOf(size), 'all triangle pairs', methods, {
      every: EVERY_WITHOUT[size],
      block: 2,
      looks: 1,
      also: runQuery('pairs', size).slice(0, 1),
    });
  }
}
disposeEngines(engines);
