// Tests that the figures in the tables and paragraphs of docs/papers.md on the paper of Du, Liu and Suzumura
// are those of recorded rows.

import {
  type Cells,
  type Column,
  checkSentences,
  checkTable,
  type Find,
  figuresIn,
  namedRows,
  rangeOf,
  type Sentence,
} from '../support/recordedRows.js';
import { test } from '../support/test.js';

const PAGE = 'docs/papers.md';
const { value, noted } = figuresIn('papers-amd-epyc-zen5-2c');
const { value: onXeon } = figuresIn('papers-intel-xeon-16c');
const { value: inModel } = figuresIn('amd-epyc-2c');

const MOVEMENTS = ['random', 'skewed'];
const modeledOn = (machines: number): string => `a step, modeled on ${machines} machines`;

/** The rows of steps 1 to 50, 51 to 100 and so on. */
const corner = (steps: string, variant: string): Parameters<Find> => [
  'swarmBalance',
  '2000 robots, corner',
  `max load / mean load on 4 nodes, steps ${steps}`,
  variant,
  'mean',
];
const BALANCED = 'balanced, columns: auto';
const COLUMNS_MOVED = /(\d+) columns moved/;
const BYTES_BETWEEN_NODES = /(\d+) bytes (?:in \d+ messages )?between nodes/;
const busiestCorner = (variant: string): [string, string, string, string] => [
  'swarmBalance',
  '2000 robots, corner',
  'feature pairs of the busiest node in a step, 4 nodes',
  variant,
];
const inThresholds = (variant: string): Parameters<Find> => [
  'swarmThresholds',
  '1000 robots, corner',
  'feature pairs of the busiest node in a step, 4 nodes',
  variant,
  'mean',
];
const withVoxels = (robots: number, movement: string, what: string): [string, string, string, string] => [
  'swarmBodies',
  `${robots} robots, ${movement}`,
  modeledOn(4),
  what,
];
const COLUMNS_AND_VOXELS = ['columns', 'voxels by hash'];
const inScaling = (movement: string, machines: number, column?: Column): number =>
  value('swarmNodes', `40000 robots, ${movement}`, modeledOn(machines), 'columns', column);

/** The tables by their places in the page. */
const tables: Record<string, () => Record<string, Cells>> = {
  'On 16 cores of an Intel Xeon': () =>
    namedRows({ 2: 2, 4: 4, 8: 8, 12: 12 }, nodes =>
      MOVEMENTS.flatMap(movement => {
        const scene = `10000 robots, ${movement}`;
        return [
          [onXeon('swarmProcesses', scene, modeledOn(nodes), 'nodes in one process')],
          [
            onXeon(
              'swarmProcesses',
              scene,
              `a step on ${nodes} nodes, all on this machine`,
              'node processes over NATS',
            ),
          ],
        ];
      }),
    ),
  'A crowd in one corner': () =>
    namedRows(
      Object.fromEntries(
        [0, 50, 100, 150, 200, 250, 300, 350, 400]
          .map(step => `${step + 1} to ${step + 50}`)
          .map(s => [s, s]),
      ),
      steps => [
        [value(...corner(steps, 'no balancing'))],
        [value(...corner(steps, BALANCED))],
        [noted(COLUMNS_MOVED, ...corner(steps, BALANCED))],
      ],
    ),
  'Columns and voxels': () =>
    namedRows({ '10,000': 10_000, '20,000': 20_000, '40,000': 40_000, '100,000': 100_000 }, robots => {
      const [random, skewed] = MOVEMENTS.map(movement => [
        ...COLUMNS_AND_VOXELS.map(what => value(...withVoxels(robots, movement, what))),
        value(...withVoxels(robots, movement, 'columns'), 'ratio'),
      ]);
      const megabytes = COLUMNS_AND_VOXELS.map(
        what => noted(BYTES_BETWEEN_NODES, ...withVoxels(robots, 'random', what)) / 1e6,
      );
      return [random, megabytes, skewed];
    }),
  'threshold | feature pairs of the busiest node in a step': () =>
    namedRows(
      {
        'no balancing': 'no balancing',
        '5 %': 'threshold 5 %',
        '10 %': 'threshold 10 %',
        '30 %': 'threshold 30 %',
      },
      variant => [
        [value(...inThresholds(variant))],
        ...[/([\d.]+) times the mean/, COLUMNS_MOVED, /([\d.]+) robots arrived/].map(pattern => [
          noted(pattern, ...inThresholds(variant)),
        ]),
      ],
    ),
  Scaling: () =>
    namedRows({ random: 'random', skewed: 'skewed' }, movement => [
      [inScaling(movement, 1)],
      ...[2, 3, 4].map(machines => [inScaling(movement, machines, 'ratio')]),
    ]),
};

for (const [place, expected] of Object.entries(tables))
  test(`the table is recorded: ${place}`, () => checkTable(PAGE, place, expected()));

const inLargeSwarm = (measure: string, variant: string): number[] =>
  MOVEMENTS.map(movement => value('swarmLarge', `100000 robots, ${movement}`, measure, variant));
const onManyMachines = (movement: string, machines: number, column?: Column): number =>
  value(
    'swarmNodes',
    `100000 robots, ${movement}`,
    modeledOn(machines),
    'columns, balanced, many machines',
    column,
  );
const messages = (nodes: number): number[] => {
  const names = [
    'swarmProcesses',
    '10000 robots, random',
    `bytes between nodes in a step, ${nodes} nodes`,
    'node processes over NATS',
  ] as const;
  return [noted(/in (\d+) messages/, ...names), value(...names, 'mean') / 1000];
};
const thresholdTime = (movement: string, variant: string): number =>
  value('swarmThresholds', `10000 robots, ${movement}`, modeledOn(4), variant);
const timesBy = (movement: string, percentages: number[]): [number, number] =>
  rangeOf(percentages.map(percent => thresholdTime(movement, `threshold ${percent} %`)));
const PERCENTAGES = [5, 10, 15, 20, 25, 30];

/** The sentences of paragraphs, by topic. */
const sentences: Record<string, () => Sentence[]> = {
  'large swarms': () => [
    [
      'a step of 100,000 robots takes # s (random) and # s (skewed) on two threads; on twelve nodes without GPUs, it is modeled at # and # ms',
      ...inLargeSwarm('a step in one process', '2 threads').map(time => time / 1000),
      ...inLargeSwarm(modeledOn(12), '12 nodes'),
    ],
    [
      'on twelve nodes without GPUs, a step is modeled at # ms (random) and # ms (skewed)',
      ...inLargeSwarm(modeledOn(12), '12 nodes'),
    ],
    [
      'finding the near pairs and filtering them is modeled at # ms',
      inModel(
        'gpuModel',
        'gpuSweep: 200 robots, random',
        'near pairs and filter of 100000 robots, extrapolated',
        'H100 (model)',
      ),
    ],
    [
      'a step with columns is # to # times as fast as one with voxels, and a step of 40,000 robots is # to # times as fast as on one machine',
      ...rangeOf(
        MOVEMENTS.flatMap(movement =>
          [10_000, 20_000, 40_000, 100_000].map(robots =>
            value(...withVoxels(robots, movement, 'columns'), 'ratio'),
          ),
        ),
      ),
      ...rangeOf(MOVEMENTS.map(movement => inScaling(movement, 4, 'ratio'))),
    ],
    [
      'a step of 100,000 robots is # times as fast as on one machine if they move at random, and # times as fast if they are skewed (# to # ms, and # to # ms). On 32 machines it is # and # times as fast',
      ...MOVEMENTS.map(movement => onManyMachines(movement, 64, 'ratio')),
      ...MOVEMENTS.flatMap(movement => [1, 64].map(machines => onManyMachines(movement, machines))),
      ...MOVEMENTS.map(movement => onManyMachines(movement, 32, 'ratio')),
    ],
    [
      'two nodes send # messages of # KB in total per step, and four nodes send # messages of # KB in total',
      ...messages(2),
      ...messages(4),
    ],
  ],
  'a crowd in one corner': () => {
    const [own, other] = [BALANCED, 'no balancing'].map(
      variant => noted(BYTES_BETWEEN_NODES, ...busiestCorner(variant)) / 1000,
    );
    return [
      [
        'the busiest node tests # times fewer feature pairs than without balancing, and nodes exchange # times the bytes (# instead of # KB per step)',
        value(...busiestCorner(BALANCED), 'ratio'),
        own / other,
        own,
        other,
      ],
      ['only one of # columns moves per step', noted(/, (\d+) columns/, ...corner('1 to 50', BALANCED))],
    ];
  },
  thresholds: () => {
    const pairs = PERCENTAGES.map(percent => value(...inThresholds(`threshold ${percent} %`)));
    const [fewest, most] = rangeOf(pairs);
    return [
      ['steps of a swarm with equal work took # to # ms', ...timesBy('random', [20, 25, 30])],
      [
        'a step of 10,000 robots that move at random takes # to # ms with thresholds from 5 to 30 %, and # ms without balancing',
        ...timesBy('random', PERCENTAGES),
        thresholdTime('random', 'no balancing'),
      ],
      ['the time of a step varies from # to # ms', ...timesBy('random', [20, 25, 30])],
      [
        'A step of skewed robots takes # to # ms with thresholds from 5 to 30 %, and # ms without balancing',
        ...timesBy('skewed', PERCENTAGES),
        thresholdTime('skewed', 'no balancing'),
      ],
      ['the busiest node tests # % fewer feature pairs than with 5 %', 100 * (1 - pairs.at(-1)! / pairs[0])],
      [
        'the numbers of feature pairs differ by at most # %; the smallest is that of # % (#)',
        100 * (most / fewest - 1),
        PERCENTAGES[pairs.indexOf(fewest)],
        fewest,
      ],
    ];
  },
};

for (const [topic, expected] of Object.entries(sentences))
  test(`the figures of paragraphs are recorded: ${topic}`, () => checkSentences(PAGE, expected()));

test.run();
