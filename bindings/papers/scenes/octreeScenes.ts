// Benchmark scenes of the bounding boxes of spheres in a cube. A scene measures the engine's linear octree,
// by stage and number of threads, and compares it with sweep and prune, with a recursive octree search, and
// with the times in Lucchesi's thesis (2002, sections 5.2 and 5.3).

import { formatCount } from '../../cli/terminal.js';
import type { BoxPairsStats, Engine } from '../../index.js';
import { sphereBoxes } from '../../samples/index.js';
import { cbrt } from '../../samples/portableMath.js';
import { RecursiveOctree, type RecursivePairs } from '../recursiveOctree.js';
import { type Contender, interleave, measureTime, type Run } from './measure.js';
import {
  type BenchScene,
  type Outcome,
  type PaperSeries,
  type Setup,
  type ThreadedEngine,
  withEngines,
} from './scene.js';

const WHOLE = 'linear octree, whole';
const RESOLVE = 'recursive search: octal codes (ResolveObject)';
const QSORT = 'recursive search: sort (qsort)';
const MERGE = 'recursive search: merge (MergeSlaveResults)';
const SIDE = 1000;
const LEVELS = 5;
const STAGES_REMARK =
  'Section 5.3 of the thesis gives the times of the stages on 40 processors, but does not say for how many spheres. The times add up to 2,227 ms. On 40 processors, the whole search of 1,000,000 spheres takes only 1,481 ms (Table 5.7), but that of 2,000,000 spheres takes 2,890 ms (Table 5.8). The times are therefore listed with 2,000,000 spheres.';
const RADIUS = 0.5;
const QUICK = 5000;
const ATHLON = 'dual Athlon MP 1.2 GHz';
const PENTIUM = 'dual Pentium III 1 GHz, networked';

interface Spheres {
  count: number;
  tables: string;
  machine: string;
  microseconds: Readonly<Record<number, number>>;
  rounds: number;
  more?: PaperSeries[];
}

// Tables 5.5 and 5.6 are omitted: the thesis prints the same times in both.
const scenes: Readonly<Record<string, Spheres>> = {
  'spheres-100k': {
    count: 100_000,
    tables: 'Tables 5.1 (1 and 2 threads) and 5.3 (3 to 5 threads)',
    machine: `${ATHLON}; 3 to 5 threads: 3 to 5 such machines in a network`,
    rounds: 9,
    microseconds: { 1: 1_460_885, 2: 761_157, 3: 685_805, 4: 571_763, 5: 502_234 },
  },
  'spheres-199k': {
    count: 199_000,
    tables: 'Tables 5.2 (1 and 2 threads) and 5.4 (3 to 5 threads)',
    machine: `${ATHLON}; 3 to 5 threads: 3 to 5 such machines in a network`,
    rounds: 7,
    microseconds: { 1: 2_921_999, 2: 1_471_116, 3: 1_395_906, 4: 1_140_158, 5: 986_878 },
  },
  'spheres-1m': {
    count: 1_000_000,
    tables: 'Table 5.7',
    machine: PENTIUM,
    rounds: 5,
    microseconds: {
      1: 29_537_415,
      2: 15_596_299,
      10: 3_615_147,
      20: 2_177_746,
      30: 1_682_112,
      40: 1_480_608,
    },
  },
  'spheres-2m': {
    count: 2_000_000,
    tables: 'Table 5.8 and section 5.3',
    machine: PENTIUM,
    rounds: 3,
    microseconds: {
      1: 59_706_876,
      2: 31_332_310,
      10: 7_215_860,
      20: 4_298_207,
      30: 3_331_193,
      40: 2_889_864,
    },
    more: [
      { measure: RESOLVE, milliseconds: { 40: 1_307.631 } },
      { measure: QSORT, milliseconds: { 40: 88.953 } },
      { measure: `${MERGE}, slave`, milliseconds: { 40: 38.622 } },
      { measure: `${MERGE}, master`, milliseconds: { 40: 791.49 } },
    ],
  },
};

export const octreeScenes: BenchScene[] = Object.entries(scenes).map(([name, spheres]) => ({
  name,
  line: `${formatCount(spheres.count)} spheres of radius 0.5 in a cube of side 1,000: linear octree by stage, and recursive search`,
  paper: {
    cite: `Lucchesi, A Parallel Linear Octree Collision Detection Algorithm, 2002, ${spheres.tables}`,
    machine: spheres.machine,
    series: [
      {
        measure: WHOLE,
        milliseconds: Object.fromEntries(
          Object.entries(spheres.microseconds).map(([count, time]) => [count, time / 1000]),
        ),
      },
      ...(spheres.more ?? []),
    ],
  },
  run: setup => run(spheres, setup),
}));

async function run(spheres: Spheres, setup: Setup): Promise<Outcome> {
  const isQuick = setup.size === 'quick';
  const rounds = isQuick ? 1 : spheres.rounds;
  const count = isQuick ? QUICK : spheres.count;
  // A quick run has the same density in a smaller cube.
  const side = SIDE * cbrt(count / spheres.count);
  const boxes = sphereBoxes(count, { radius: RADIUS, side }, setup.seed);
  const octree = new RecursiveOctree({ low: [0, 0, 0], side, levels: LEVELS });
  return withEngines(setup, async threadedEngines => {
    const baseline = octree.search(boxes);
    for (const { engine } of threadedEngines) checkSame(baseline, engine, boxes);
    const measured = await interleave(
      [boxes],
      [
        ...threadedEngines.flatMap(threadedEngine => [
          octreeContender(threadedEngine),
          sweepContender(threadedEngine),
        ]),
        recursiveContender(octree),
      ],
      rounds,
      setup.progress,
    );
    return {
      measured,
      cases: 1,
      rounds,
      remarks: [...remarks(count, baseline), ...(spheres.more ? [STAGES_REMARK] : [])],
    };
  });
}

// Throws an error unless the recursive search (the baseline) and the engine's linear octree find exactly the
// same pairs.
function checkSame({ a, b }: RecursivePairs, engine: Engine, boxes: Float32Array): void {
  const pairs = engine.boxPairs(boxes, { method: 'octree' });
  const isSame =
    pairs.count === a.length && a.every((first, i) => first === pairs.a[i] && b[i] === pairs.b[i]);
  if (!isSame)
    throw new Error(
      `recursive search (${a.length} pairs) and the linear octree (${pairs.count} pairs) found different pairs`,
    );
}

const STAGES: Readonly<Partial<Record<keyof BoxPairsStats['stages'], string>>> = {
  statistics: 'bounds',
  codes: 'octal codes',
  sort: 'sort of codes',
  gather: 'gather boxes',
  search: 'scan',
  join: 'list of pairs',
};

const octreeContender = ({ threads, engine }: ThreadedEngine): Contender<Float32Array> => ({
  threads,
  run: (boxes): Run => {
    const { count, stats } = engine.boxPairs(boxes, { method: 'octree' });
    const stages = Object.entries(STAGES).map(([stage, name]) => [
      `linear octree: ${name}`,
      stats.stages[stage as keyof typeof STAGES] ?? 0,
    ]);
    return { found: count, milliseconds: { [WHOLE]: stats.milliseconds, ...Object.fromEntries(stages) } };
  },
});

const sweepContender = ({ threads, engine }: ThreadedEngine): Contender<Float32Array> => ({
  threads,
  run: (boxes): Run => {
    const { count, stats } = engine.boxPairs(boxes, { method: 'sap' });
    return { found: count, milliseconds: { 'sweep and prune, whole': stats.milliseconds } };
  },
});

const recursiveContender = (octree: RecursiveOctree): Contender<Float32Array> => ({
  threads: 1,
  run: (boxes): Run => {
    const [
      {
        a,
        milliseconds: { codes, sort, scan },
      },
      whole,
    ] = measureTime(() => octree.search(boxes));
    return {
      found: a.length,
      milliseconds: {
        'recursive search, whole': whole,
        [RESOLVE]: codes,
        [QSORT]: sort,
        'recursive search: scan (CommonPath)': scan,
      },
    };
  },
});

const remarks = (count: number, { a, codes, commonPaths }: RecursivePairs): string[] => [
  `${formatCount(count)} spheres: ${formatCount(a.length)} overlapping box pairs. Recursive search and the linear octree find the same pairs; sweep and prune finds as many.`,
  `With five levels, as in the thesis, this run has ${formatCount(codes)} octal codes and ${formatCount(commonPaths)} pairs of codes on one path. The algorithm of the thesis returns these pairs; the recursive search here keeps only the pairs of overlapping boxes, each once.`,
  'Recursive search is plain TypeScript on one thread and sorts one list instead of merging several. The times in the thesis include sending objects to other processes (slaves) and receiving codes from them.',
];
