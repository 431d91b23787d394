// Tests that the figures in the tables and paragraphs of docs/papers.md on the S-AABB paper are those of
// recorded rows.

import * as assert from 'uvu/assert';
import {
  type Cells,
  type Column,
  checkSentences,
  checkTable,
  type Find,
  figuresIn,
  namedRows,
  rangeOf,
  rowsOf,
  type Sentence,
} from '../support/recordedRows.js';
import { test } from '../support/test.js';

const PAGE = 'docs/papers.md';
const rows = rowsOf('papers-amd-epyc-zen5-2c');
const { value, noted } = figuresIn('papers-amd-epyc-zen5-2c');
const { value: inOtherBench } = figuresIn('amd-epyc-zen5-2c');

const TRIANGLES = ['10K', '20K', '40K', '80K'];
const ALL_PAIRS = 'all triangle pairs';
const inSpheres = (size: string, measure: string, variant: string, column?: Column): number =>
  value('spheres', `31 bodies, ${size}`, measure, variant, column);
const notedInSpheres = (pattern: RegExp, measure: string, variant: string, size = '80K'): number =>
  noted(pattern, 'spheres', `31 bodies, ${size}`, measure, variant);
const onOneAndTwo = (size: string, method: string, column: Column): number[] =>
  ['1 thread', '2 threads'].map(threads => inSpheres(size, ALL_PAIRS, `${method}, ${threads}`, column));
/** The time of 1,000 steps in seconds is the mean time of a step in milliseconds. */
const secondsOf = (method: string): number[][] => TRIANGLES.map(size => onOneAndTwo(size, method, 'mean'));
const speedUp = (size: string, method: string): number => {
  const [one, two] = onOneAndTwo(size, method, 'median');
  return one / two;
};
const PAPER_SECONDS = /\(paper: \w+ ([\d.]+) s\)/;
const inPaper = (...variants: string[]): number[] =>
  variants.map(variant => notedInSpheres(PAPER_SECONDS, ALL_PAIRS, variant));

const COUNTERS = 'pairs of nodes tested in 1000 steps';
const millions = (method: string, what: string, size?: string): number =>
  notedInSpheres(new RegExp(`(\\d+) of ${what}`), COUNTERS, method, size) / 1e6;
const nodesAndLeaves = (method: string): number[][] =>
  TRIANGLES.map(size => ['nodes', 'leaves'].map(what => millions(method, what, size)));
const inLists = (method: string): number[][] =>
  [2, 4, 8, 16].map(lists => [notedInSpheres(/at most ([\d.]+)/, `imbalance, ${lists} lists`, method)]);

const inThreshold = (scene: string, variant: string): [string, string, string, string] => [
  'spheres',
  scene,
  'query by threshold',
  variant,
];
const timeOf = (scene: string, threshold: number): number =>
  value(...inThreshold(scene, `threshold ${threshold}`), 'mean');
const MODELS = {
  'bunny 3K': 'bunny 3K',
  'torus and sphere, 2.6K': 'torus and sphere',
  'soup 3K': 'soup 3K',
  'torus 40K': 'torus 40K',
};
const relativeTime = (scene: string): number =>
  timeOf(scene, 1.5) / value(...inThreshold(scene, 'boxes'), 'mean');

const inParallel = (measure: string, variant: string): [string, string, string, string] => [
  'spheresParallel',
  '31 bodies, 80K',
  measure,
  variant,
];
const EFFICIENCY = /efficiency ([\d.]+)/;
const speedUps = (variant: string): number[][] =>
  [2, 3, 4].map(count => {
    const names = inParallel(`speed-up, ${count} processors`, variant);
    return [value(...names, 'mean'), ...(count === 4 ? [noted(EFFICIENCY, ...names)] : [])];
  });
const PAPER_SPEED_UP = [/paper: ([\d.]+),/, /paper: [\d.]+, ([\d.]+)\)/].map(
  pattern => () => noted(pattern, ...inParallel('speed-up, 4 processors', 'work front')),
);
const seconds = (...variants: string[]): number[] =>
  variants.map(variant => value(...inParallel(ALL_PAIRS, variant), 'mean'));
const secondsInPaper = (...variants: string[]): number[] =>
  variants.map(variant => noted(PAPER_SECONDS, ...inParallel(ALL_PAIRS, variant)));

const SECOND_TESTS = /^(\d+) of/;
const SEPARATED = 'node pairs that spheres separate';
const MAX_GAIN = 'max gain of volume tests';

/** The tables by their places in the page. */
const tables: Record<string, () => Record<string, Cells>> = {
  'speed-up by counters': () => ({
    'work front': [...speedUps('work front'), PAPER_SPEED_UP.map(of => of())],
    ranks: [...speedUps('messages'), []],
    'ranks: bytes of messages per step': [
      ...[2, 3, 4].map(count => [value(...inParallel(`bytes of messages, ${count} processors`, 'messages'))]),
      [],
    ],
  }),
  'The next table has the seconds for 1,000 steps at 80K': () => ({
    'work front': [
      seconds('work front, 1 thread', 'work front, 2 threads'),
      secondsInPaper('work front, 1 thread', 'work front, 2 threads'),
    ],
    ranks: [seconds('messages, 1 rank', 'messages, 2 ranks'), secondsInPaper('messages, 2 ranks')],
    pipeline: [
      seconds('pipeline, 1 + 1 thread', 'pipeline, 1 + 2 threads'),
      secondsInPaper('pipeline, 1 + 1 thread'),
    ],
  }),
  Times: () => ({
    'no hierarchy': [...secondsOf('no hierarchy'), inPaper('no hierarchy, 1 thread')],
    boxes: [...secondsOf('boxes'), []],
    spheres: [...secondsOf('spheres'), inPaper('spheres, 1 thread')],
    both: [...secondsOf('hybrid'), inPaper('hybrid, 1 thread', 'hybrid, 2 threads')],
    'both, in rounds': [...secondsOf('hybrid, rounds'), []],
    'boxes, in rounds': [...secondsOf('boxes, rounds'), []],
  }),
  'The next table has counters of all 1,000 steps': () =>
    namedRows({ boxes: 'boxes', spheres: 'spheres', both: 'hybrid' }, nodesAndLeaves),
  'Speed-up': () => {
    const [first, second, third, last] = TRIANGLES.map(size => speedUp(size, 'hybrid'));
    const step = (size: string): number => onOneAndTwo(size, 'hybrid', 'median')[0];
    return {
      both: [[first, step('10K')], [second], [third], [last, step('80K'), last / 2]],
      boxes: [[], [], [], [speedUp('80K', 'boxes')]],
      'both, in rounds': [[], [], [], [speedUp('80K', 'hybrid, rounds')]],
    };
  },
  lists: () => namedRows({ both: 'hybrid', boxes: 'boxes' }, inLists),
  'Which is faster': () =>
    namedRows(MODELS, scene => [
      ...['boxes', 'threshold 0', 'threshold 1.5', 'threshold 3', 'threshold Infinity'].map(variant =>
        ['nodes', 'leaves'].map(what =>
          noted(new RegExp(`(\\d+) pairs of ${what}`), ...inThreshold(scene, variant)),
        ),
      ),
      [relativeTime(scene)],
    ]),
  'Why spheres in addition to boxes do not give a factor of 27': () => {
    const secondTests = notedInSpheres(SECOND_TESTS, SEPARATED, 'hybrid') / 1e6;
    return {
      'first tests of node pairs, millions': [[millions('boxes', 'nodes')], [millions('hybrid', 'nodes')]],
      'of which separated by spheres': [[], [100 * inSpheres('80K', SEPARATED, 'hybrid')]],
      'second tests, with a box': [[], [secondTests]],
      'all tests': [
        [millions('boxes', 'nodes')],
        [
          millions('hybrid', 'nodes') + secondTests,
          notedInSpheres(/in total ([\d.]+) times/, SEPARATED, 'hybrid'),
        ],
      ],
      ...namedRows(
        { 'leaf pairs': ['leaves', 'leaf'], 'triangle pairs': ['triangles', 'triangle'] },
        ([what, kind]) => [
          [millions('boxes', what)],
          [
            millions('hybrid', what),
            notedInSpheres(new RegExp(`${kind} pairs (?:fall )?by ([\\d.]+) %`), MAX_GAIN, 'hybrid'),
          ],
        ],
      ),
    };
  },
  operation: () =>
    namedRows(
      {
        'node pair: spheres': 'sphere test',
        'in addition, if both nodes use their boxes': 'box test',
        'in addition, if one node uses its box': 'test of a box and a sphere',
        'leaf pair': 'leaf pair',
        'triangle pair': 'triangle pair',
      },
      operation => [[value('sphereLevels', 'threshold scenes', `cost of a ${operation}`, '1 thread')]],
    ),
};

for (const [place, expected] of Object.entries(tables))
  test(`the table is recorded: ${place}`, () => checkTable(PAGE, place, expected()));

const nearPairs = (size: string): Parameters<Find> => [
  'spheresConvex',
  `31 bodies, ${size}`,
  'search steps per near pair',
  'sweep and prune, features',
];
const shareOfNear = (size: string): number => {
  const names = nearPairs(size);
  return (100 * noted(/(\d+) near pairs decided/, ...names)) / noted(/^(\d+) near pairs/, ...names);
};
const micro = (measure: string): number =>
  inOtherBench('micro', 'sphere and torus with spheres, 10K each', measure, 'kernel, 1 thread');

/** Returns costs with another threshold of one level, relative to the default, on the soup or elsewhere. */
function relativeCosts(isOnSoup: boolean, minThreshold = 0): number[] {
  return rows
    .filter(
      ({ bench, scene, measure }) =>
        bench === 'sphereLevels' &&
        scene.startsWith('soup') === isOnSoup &&
        /best threshold of level/.test(measure),
    )
    .flatMap(({ note }) => [...note.matchAll(/([\d.]+|Infinity): ([\d.]+)/g)])
    .filter(([, threshold]) => Number(threshold) >= minThreshold)
    .map(([, , cost]) => Number(cost));
}
const bestRows = rows.filter(({ measure }) => measure === 'cost with the best threshold of every level');
const bestCosts = (isOnSoup: boolean): number[] =>
  bestRows.filter(({ scene }) => scene.startsWith('soup') === isOnSoup).map(({ mean }) => Number(mean));

/** The sentences of paragraphs, by topic. */
const sentences: Record<string, () => Sentence[]> = {
  'experiments of the S-AABB paper': () => [
    [
      'The paper has a speed-up S = # and an efficiency E = # on four processors',
      ...PAPER_SPEED_UP.map(of => of()),
    ],
    [
      'In its steps, # % of all pairs are near',
      (100 * noted(/^(\d+) near pairs/, ...nearPairs('80K'))) / noted(/pairs of (\d+)/, ...nearPairs('80K')),
    ],
    [
      'The stand-in needs # search steps per near pair at 10K and # at 80K; # to # % of the near pairs are decided by the engine',
      value(...nearPairs('10K')),
      value(...nearPairs('80K')),
      ...rangeOf(TRIANGLES.map(shareOfNear)),
    ],
    [
      'is extrapolated from every #th step at 20K, every #th at 40K and every #th at 80K',
      ...['20K', '40K', '80K'].map(size =>
        notedInSpheres(/every (\d+)th step/, ALL_PAIRS, 'no hierarchy, 1 thread', size),
      ),
    ],
    [
      'Boxes here take 1/# of the time without a hierarchy',
      100 *
        Math.round(
          inSpheres('80K', ALL_PAIRS, 'no hierarchy, 1 thread', 'mean') /
            inSpheres('80K', ALL_PAIRS, 'boxes, 1 thread', 'mean') /
            100,
        ),
    ],
    [
      'On one thread it takes # to # times as long, because tasks go through memory',
      ...rangeOf(
        TRIANGLES.flatMap(size =>
          ['boxes', 'hybrid'].map(
            method =>
              onOneAndTwo(size, `${method}, rounds`, 'mean')[0] / onOneAndTwo(size, method, 'mean')[0],
          ),
        ),
      ),
    ],
    [
      "With `want: 'any'` it takes # times as long at 80K on one thread",
      inSpheres('80K', 'which pairs intersect', 'hybrid, rounds, 1 thread', 'mean') /
        inSpheres('80K', 'which pairs intersect', 'hybrid, 1 thread', 'mean'),
    ],
  ],
  'spheres and boxes': () => {
    const scenes = Object.values(MODELS);
    const slower = (ratios: number[]): number => 100 * (Math.max(...ratios) - 1);
    const maxGain = inSpheres('80K', MAX_GAIN, 'hybrid');
    const [boxStep, sphereStep, bothStep] = [
      'box step of a tree with spheres (16 pairs)',
      'sphere step (16 pairs)',
      'sphere and box step (16 pairs)',
    ].map(micro);
    return [
      [
        'boxes alone are faster everywhere, by # to # % with a threshold of 1.5',
        ...rangeOf(scenes.map(scene => 100 * (relativeTime(scene) - 1))),
      ],
      [
        'With thresholds from 0 to 1.5, the times differ by at most # %; with 2, queries take up to # % longer than with 0',
        slower(
          scenes.map(scene => {
            const [min, max] = rangeOf([0, 1, 1.5].map(threshold => timeOf(scene, threshold)));
            return max / min;
          }),
        ),
        slower(scenes.map(scene => timeOf(scene, 2) / timeOf(scene, 0))),
      ],
      [
        'The hybrid makes # times fewer box tests. So even if sphere tests were free, its tests of volumes could be at most # times as fast. The hybrid is faster only if a box test costs more than # sphere tests',
        maxGain,
        maxGain,
        inSpheres('80K', 'break-even cost of a box test', 'hybrid'),
      ],
      [
        'measures # ns for a step of 16 box tests and # ns for a step of 16 sphere tests, so a box test costs # sphere tests',
        boxStep,
        sphereStep,
        boxStep / sphereStep,
      ],
      [
        'a step with spheres and boxes takes # ns, # times as long as a step with boxes alone',
        bothStep,
        bothStep / boxStep,
      ],
    ];
  },
  'one threshold for all levels': () => [
    [
      'No such change reduces the cost by more than # %, except on the soup, where changes reduce the cost by up to # %',
      ...[false, true].map(isOnSoup => 100 * (1 - Math.min(...relativeCosts(isOnSoup)))),
    ],
    [
      'At middle levels, they increase the cost by up to # %',
      100 * (Math.max(...[false, true].flatMap(isOnSoup => relativeCosts(isOnSoup, 2.5))) - 1),
    ],
    [
      'With a threshold of 0 on every level, the cost is # to # of the cost with 1.5, and # on the soup',
      ...rangeOf(bestCosts(false)),
      bestCosts(true)[0],
    ],
  ],
  'fitted costs': () => [
    [
      'With thresholds up to 10, the fitted times are # times the measured times on average (at most #), and with spheres alone, # times (at most #)',
      ...['thresholds up to 10', 'spheres alone'].flatMap(variant =>
        (['mean', 'max'] as const).map(column =>
          value('sphereLevels', 'threshold scenes', 'fitted time / measured time', variant, column),
        ),
      ),
    ],
  ],
};

for (const [topic, expected] of Object.entries(sentences))
  test(`the figures of paragraphs are recorded: ${topic}`, () => checkSentences(PAGE, expected()));

test('the best threshold of every level is 0, on average over all scenes', () => {
  assert.ok(bestRows.length > 0);
  assert.equal(
    bestRows.map(({ variant }) => variant).filter(variant => variant !== Array(9).fill(0).join(' ')),
    [],
  );
});

test.run();
