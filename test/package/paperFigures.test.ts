// Tests that the figures in the tables and paragraphs of docs/papers.md on the papers of Zhang and Kim, of
// Avril, Gouranton and Arnaldi, and of Lucchesi are those of recorded rows. `gpuFigures.test.ts` tests the
// figures of the model of GPUs.

import * as assert from 'uvu/assert';
import {
  type Cells,
  type Column,
  checkSentences,
  checkTable,
  type Find,
  figuresIn,
  namedRows,
  numberIn,
  rangeOf,
  rowsOf,
  type Sentence,
} from '../support/recordedRows.js';
import { test } from '../support/test.js';

const PAGE = 'docs/papers.md';
const rows = rowsOf('papers-amd-epyc-zen5-2c');
const { value, noted } = figuresIn('papers-amd-epyc-zen5-2c');
const { value: onXeon } = figuresIn('intel-xeon-16c');
const { value: papersOnXeon } = figuresIn('papers-intel-xeon-16c');

const TRAIN = 'epicyclic train 149K';
const DRAGON = 'dragon 810K path';
const LARGE_DRAGON = 'dragon 3.2M path';
const WORM = 'worm gear 256K';
const HEAVIEST = /most expensive node: ([\d.]+)/;
const STATIC = 'coherence on, stealing off';
const STATIC_UNKNOWN = 'coherence off, stealing off';
const imbalance = (scene: string, parts: number, variant: string): number =>
  value('imbalance', scene, `max/mean, p = ${parts}`, variant, 'mean');

const inFrontRows = (measure: string, scene: string, parts: number, column?: Column): number =>
  value('frontCost', scene, measure, `coherence on, p = ${parts}`, column);
const stages = (scene: string, parts: number, stage: string): number =>
  noted(new RegExp(`${stage} (\\d+)`), 'frontCost', scene, 'front: all work', `coherence on, p = ${parts}`);
const HAND_OFF = /one hand-off of ([\d.]+) us/;
const FRONT_SHARE = 'front on p threads';

/** The times of frames with finer fronts, relative to the default fronts, of all rows that miss their limits. */
const finerFronts = (): number[] =>
  rows
    .filter(({ bench, measure, rival }) => bench === 'imbalance' && /^a frame/.test(measure!) && rival)
    .map(({ ratio }) => Number(ratio));
/** The least and the greatest share of the front in percent, if all its stages were divided evenly. */
const evenFronts = (scenes: readonly string[], parts: number): [min: number, max: number] =>
  rangeOf(
    scenes.map(scene => 100 * inFrontRows('front on p threads, if divided evenly', scene, parts, 'median')),
  );

const stealing = (scene: string, parts: number, variant: string): number =>
  value('stealing', scene, `max/mean, p = ${parts}`, variant, 'mean');
const EQUATION_6 = /eq\. 6: ([\d.]+)/;
const MOVING_SCENES = ['worm gear 64K', TRAIN, 'dragon 203K path'];
const SHELLS = 'shells 10K';

const ofThreads = (scene: string): Cells => {
  const on = (threads: string, column: Column): number[] => [
    onXeon('threads', scene, 'all pairs, coherence on', threads, column),
  ];
  return [on('1 thread', 'median'), ...[2, 4, 8, 16].map(count => on(`${count} threads`, 'ratio'))];
};

const sorting = (scene: string, threads: string, variant: string, column?: Column): number =>
  value('octree', scene, `sort octants, ${threads}`, variant, column);
const octreeMoves = (share: string, step: number): [string, string, string] => [
  'spheres 100K',
  `${share} boxes move by ${step} x their size`,
  'octants kept, 1 thread',
];
const frames = (step: number, changes: number[]): Cells => [
  changes,
  [value('octree', ...octreeMoves('all', step))],
  [value('octree', ...octreeMoves('all', step), 'ratio')],
];
const CHANGED_OCTANTS = /^(\d+) octants changed/;
const changedIn = (step: number): number[] => [noted(CHANGED_OCTANTS, 'octree', ...octreeMoves('all', step))];
const framesOnNodes = (motion: string, areAllSorted = false): Cells => {
  const ofFrame = (measure: string): Parameters<Find> => [
    'octreeFrames',
    'spheres 100K',
    `${motion}: ${measure}`,
    '2 machines',
  ];
  return [
    areAllSorted ? [] : [value(...ofFrame('octants changed'))],
    [noted(/caller to nodes (\d+)/, ...ofFrame('bytes'))],
    [noted(/between nodes (\d+)/, ...ofFrame('bytes'))],
    [value(...(ofFrame('machines, 10 Gbit/s') as [string, string, string, string]), 'ratio')],
  ];
};

/** The tables by their places in the page. */
const tables: Record<string, () => readonly Cells[] | Record<string, Cells>> = {
  'scene | 1 thread | speed-up on 2 threads, measured': () =>
    namedRows(
      {
        'worm gear 64K': 'worm gear 64K',
        [TRAIN]: TRAIN,
        'dragon 203K passes a dragon': 'dragon 203K passage',
        'dragon 810K': 'dragon 810K passage',
        'dragon 3.2M': 'dragon 3.2M passage',
        'cloth on a ball 92K': 'cloth-ball 92K',
        'crumpling cloth 92K': 'crumpling cloth 92K',
        'bunnies 69K on a random course': 'bunny 69K random course',
      },
      scene => {
        const of = (measure: string, variant: string, column: Column = 'mean'): number =>
          value('sceneSpeedUps', scene, measure, variant, column);
        return [
          [of('a frame', '1 thread')],
          [of('a frame', '2 threads', 'ratio')],
          ...[8, 16].map(lists =>
            ['off', 'on'].map(isOn => of(`speed-up, ${lists} lists`, `stealing ${isOn}`)),
          ),
        ];
      },
    ),
  'max over mean cost, no stealing': () =>
    namedRows(
      Object.fromEntries(
        ['coherence', 'no coherence'].flatMap(kind => [
          [`${kind}, train 149K`, [kind, TRAIN]],
          [`${kind}, worm gear 256K`, [kind, WORM]],
          [`${kind}, dragon 810K`, [kind, DRAGON]],
        ]),
      ) as Record<string, [string, string]>,
      ([kind, scene]) =>
        [4, 8, 16, 32].map(lists => [
          imbalance(scene, lists, kind === 'coherence' ? STATIC : STATIC_UNKNOWN),
        ]),
    ),
  'scene, with coherence; modeled from one thread': () => ({
    ...namedRows(
      {
        [TRAIN]: TRAIN,
        [DRAGON]: DRAGON,
        [LARGE_DRAGON]: LARGE_DRAGON,
        '2 meshes of slivers': '2 x slivers',
        '16 bunnies 69K': '16 x bunny 69K',
        '8 dragons 810K': '8 x dragon 810K',
        '8 dragons 3.2M': '8 x dragon 3.2M',
      },
      scene => [
        [noted(/of ([\d.]+) ms/, 'frontCost', scene, 'front: all work', 'coherence on, p = 8')],
        ...['front: all work', FRONT_SHARE, 'serial share'].map(measure =>
          [8, 16].map(threads => 100 * inFrontRows(measure, scene, threads)),
        ),
        [8, 12, 16].map(threads => inFrontRows('speed-up allowed', scene, threads)),
      ],
    ),
    paper: [
      [],
      undefined,
      undefined,
      [],
      [8, 12].map(threads =>
        noted(
          /the paper: ([\d.]+) times/,
          'frontCost',
          TRAIN,
          'speed-up allowed',
          `coherence on, p = ${threads}`,
        ),
      ),
    ],
  }),
  'On 16 cores': () =>
    namedRows(
      {
        'bunny 69K path': 'bunny 69K path',
        'worm gear 64K': 'worm gear 64K',
        'dragon 203K path': 'dragon 203K path',
        [DRAGON]: DRAGON,
        [TRAIN]: TRAIN,
        '8 bunnies 69K': '8 x bunny 69K',
      },
      ofThreads,
    ),
  'max over mean cost of the lists, with coherence': () => {
    const range = (lists: number, isOn: string): number[] =>
      rangeOf(MOVING_SCENES.map(scene => stealing(scene, lists, `coherence on, stealing ${isOn}`)));
    return {
      'worm gear, train and dragon, 16 lists': [range(16, 'off'), range(16, 'on')],
      'worm gear, train and dragon, 64 lists': [range(64, 'off'), range(64, 'on')],
      'nested shells, 8 lists': ['off', 'on'].map(isOn => [
        stealing(SHELLS, 8, `coherence on, stealing ${isOn}`),
      ]),
    };
  },
  'Sort or merge': () =>
    namedRows({ '100,000 spheres': 'spheres 100K', 'a million spheres': 'spheres 1M' }, scene =>
      ['radix sort', 'merged, 2 runs', 'merged, 4 runs', 'merged, 16 runs'].map(variant => [
        sorting(scene, '1 thread', variant),
      ]),
    ),
  Coherence: () => ({
    'a thousandth of their size': frames(0.001, changedIn(0.001)),
    'a tenth': frames(0.1, changedIn(0.1)),
    'a whole size': frames(1, []),
  }),
  'Boxes stay on their nodes even if they move far': () => ({
    'all move by a hundredth of a diameter': framesOnNodes('all spheres move by 0.01 x their diameter'),
    'all move by a diameter': framesOnNodes('all spheres move by 1 x their diameter', true),
    '1 % move by a tenth of a diameter': framesOnNodes('1 % of the spheres move by 0.1 x their diameter'),
    'no sphere moves': framesOnNodes('no sphere moves'),
  }),
};

for (const [place, expected] of Object.entries(tables))
  test(`the table is recorded: ${place}`, () => checkTable(PAGE, place, expected()));

/** Returns the rows of `imbalance` whose measure and variant match. */
const imbalanceRows = (measure: RegExp, variant: RegExp): (typeof rows)[number][] =>
  rows.filter(row => row.bench === 'imbalance' && measure.test(row.measure) && variant.test(row.variant));
const meansOf = (measure: RegExp, variant: RegExp): number[] =>
  imbalanceRows(measure, variant).map(({ mean }) => Number(mean));
const notesOf = (measure: RegExp, variant: RegExp, pattern: RegExp): number[] =>
  imbalanceRows(measure, variant).map(({ note }) => numberIn(note, pattern));

/** Returns the row of a front that is finer than the default, and its g. */
function finerFront(
  scene: string,
  lists: number,
): { grain: number; nodes: number; share: number; mean: number } {
  const row = imbalanceRows(
    new RegExp(`^max/mean, p = ${lists}$`),
    /^coherence on, stealing off, g =/,
  ).findLast(one => one.scene === scene);
  const { note, variant, mean } = row!;
  return {
    grain: numberIn(variant, /g = (\d+)/),
    nodes: numberIn(note, /front of (\d+) nodes/),
    share: numberIn(note, /(\d+) % of them/),
    mean: Number(mean),
  };
}

/** Returns the counted ratios less the ratios that prediction errors explain, from large to small. */
function unexplained(): number[] {
  const isStatic = /^coherence o(n|ff), stealing off$/;
  return imbalanceRows(/^expected from prediction errors/, isStatic)
    .map(({ scene, measure, variant, mean }) =>
      Math.abs(imbalance(scene, numberIn(measure, /p = (\d+)/), variant) - Number(mean)),
    )
    .sort((a, b) => b - a);
}

const stealingCases = rows.filter(
  ({ bench, measure, variant }) =>
    bench === 'stealing' && measure.startsWith('max/mean') && variant.endsWith('stealing off'),
);
/** Returns the cases in which stealing did not improve the mean balance. */
const unimproved = (): typeof rows =>
  stealingCases.filter(
    ({ scene, measure, variant, mean }) =>
      value('stealing', scene, measure, variant.replace('stealing off', 'stealing on'), 'mean') >=
      Number(mean),
  );

const inThousands = (count: number): number => 1000 * Math.round(count / 1000);
const copies = (scene: string, cuts: string): number =>
  noted(/(\d+) of 20000 boxes copied/, 'spaceSplits', scene, 'max/mean boxes, 4 parts', cuts);
const PAPER_CUTS = 'split by pair count';
const OWN_CUTS = 'split by box starts';
const inSplits = (scene: string, what: string): number[] =>
  [PAPER_CUTS, OWN_CUTS].map(cuts => value('spaceSplits', scene, `max/mean ${what}, 4 parts`, cuts));
const encoded = (variant: string): number =>
  value('clusterOctree', 'spheres 1M', 'encoding of a list', variant) /
  noted(/(\d+) octants/, 'clusterOctree', 'spheres 1M', 'encoding of a list', variant);
const worthwhile = (variant: string): number =>
  noted(/links below ([\d.]+)/, 'clusterOctree', 'spheres 1M', 'encoding of a list', variant);
const processes = (scene: string, count: string): number =>
  papersOnXeon('clusterOctree', scene, 'whole', `${count}, 16 cores`);
const fewMove = (scene: string, column?: Column): number[] =>
  [0.1, 1].map(step =>
    value('octree', scene, octreeMoves('1 % of the', step)[1], 'octants kept, 1 thread', column),
  );

/** The sentences of paragraphs, by topic. */
const sentences: Record<string, () => Sentence[]> = {
  'eq. 6, speed-ups and grain': () => [
    [
      'eq. 6 allows # and # processors on average for a front that was made for # lists',
      ...['cloth-ball 92K', 'crumpling cloth 92K'].map(scene =>
        value('sceneSpeedUps', scene, 'best number of processors', 'front of 8 lists', 'mean'),
      ),
      8,
    ],
    [
      'because their frames take only # ms',
      value('sceneSpeedUps', 'bunny 69K random course', 'a frame', '1 thread', 'mean'),
    ],
    [
      'the mean of this ratio over the frames is # to # with measured costs, and # to # with estimated costs',
      ...rangeOf(meansOf(/, p = 8$/, /^coherence on, g = 2$/)),
      ...rangeOf(meansOf(/, p = 8$/, /^coherence off, g = 2$/)),
    ],
  ],
  'static balance': () => {
    const [dragon, worm] = [finerFront(DRAGON, 16), finerFront(WORM, 16)];
    const finest = finerFront(DRAGON, 64);
    const [largest, , third] = unexplained();
    const anyVariant = /stealing off$/;
    return [
      [
        "costs of all its nodes were known: at most # in all rows. With up to 32 lists, the heaviest node has # to # % of a list's mean cost; with 64 lists, at most # %",
        Math.max(...meansOf(/^with true costs/, anyVariant)),
        ...rangeOf(notesOf(/^with true costs, p = (2|4|8|16|32)$/, anyVariant, HEAVIEST)).map(x => 100 * x),
        100 * Math.max(...notesOf(/^with true costs, p = 64$/, anyVariant, HEAVIEST)),
      ],
      [
        'agrees with the counted ratio within #, except in two rows (#: dragon of 810K, 64 lists',
        third,
        largest,
      ],
      ['all scenes but the dragon of 810K (#) meet it', imbalance(DRAGON, 64, STATIC_UNKNOWN)],
      [
        'predicted from the last run is then # to # times the mean cost of a node',
        ...rangeOf(
          imbalanceRows(/^expected from prediction errors, p = (8|16|32|64)$/, /^coherence on, stealing off$/)
            .filter(({ scene }) => scene !== TRAIN)
            .map(({ note }) => numberIn(note, /error: ([\d.]+)/)),
        ),
      ],
      [
        'For 16 lists, the dragon of 810K needs g = # and a front of # nodes; # % of all box tests are then done while the front is made. The worm gear of 256K needs g = #, and # % of the box tests',
        dragon.grain,
        inThousands(dragon.nodes),
        dragon.share,
        worm.grain,
        worm.share,
      ],
      ['the dragon of 810K exceeds 1.10 even at g = # (#)', finest.grain, finest.mean],
    ];
  },
  'time of finer fronts': () => [
    [
      'With these fronts, a frame on 16 threads is modeled to take # times as long as with the default front (dragon of 810K) and # times as long (worm gear of 256K)',
      ...[DRAGON, WORM].map(scene => value('imbalance', scene, 'a frame, p = 16', STATIC, 'ratio')),
    ],
    [
      'In all # rows that miss their limits, the frame takes longer with the finer front, by factors of # to #',
      finerFronts().length,
      ...rangeOf(finerFronts()),
    ],
  ],
  'time of the front': () => {
    const dragons = [DRAGON, LARGE_DRAGON];
    const coarse = (parts: number): [string, string, string][] =>
      dragons.map(scene => [scene, FRONT_SHARE, `coherence on, p = ${parts}, g = 1`]);
    const balance = (parts: number, which: string): number =>
      Math.max(...coarse(parts).map(names => noted(new RegExp(`${which} ([\\d.]+)`), 'frontCost', ...names)));
    const usually = (stage: string): number[] =>
      rangeOf(dragons.flatMap(scene => [8, 12, 16].map(parts => stages(scene, parts, stage))));
    const handOff = noted(HAND_OFF, 'frontCost', DRAGON, FRONT_SHARE, 'coherence on, p = 8');
    const [modeled, measured] = rowsOf('intel-xeon-16c')
      .filter(
        ({ bench, scene, measure, variant }) =>
          bench === 'frontCost' &&
          scene === '16 x bunny 69K' &&
          measure === FRONT_SHARE &&
          variant === 'coherence on, p = 16',
      )
      .map(({ note }) => note);
    const handOffOnXeon = numberIn(modeled, HAND_OFF);
    return [
      [
        'their share is # % (dragon of 810K) and # % (3.2M) on 8 threads, and # % and # % on 16 threads',
        ...[8, 16].flatMap(parts => coarse(parts).map(names => 100 * value('frontCost', ...names))),
      ],
      [
        'the heaviest list then costs # times the mean with 8 lists, and # times with 16 lists (medians; at most #)',
        balance(8, 'median'),
        balance(16, 'median'),
        Math.max(balance(8, 'max'), balance(16, 'max')),
      ],
      [
        'estimating the costs of the starting front takes # to # us and distributing nodes takes # to # us, while 1 % of the time on 8 threads is # us (810K) and # us (3.2M)',
        ...usually('weigh'),
        ...usually('distribute'),
        ...dragons.map(
          scene => 10 * noted(/of ([\d.]+) ms/, 'frontCost', scene, FRONT_SHARE, 'coherence on, p = 8'),
        ),
      ],
      ['two hand-offs take # us', 2 * handOffOnXeon],
      [
        'the bound is # to # % on 8 threads and # to # % on 16 threads',
        ...[8, 16].flatMap(parts => evenFronts([TRAIN, '2 x slivers', ...dragons], parts)),
      ],
      [
        'it is # to # % and # to # %',
        ...[8, 16].flatMap(parts =>
          evenFronts(['16 x bunny 69K', '8 x dragon 810K', '8 x dragon 3.2M'], parts),
        ),
      ],
      ['a hand-off takes about # us', handOff],
      ['it takes # us on the Xeon, and about # us on the machine with two cores', handOffOnXeon, handOff],
      [
        'the model of `frontCost` gives # ms on 16 threads, and # ms were measured',
        ...[modeled, measured].map(note => numberIn(note, /of ([\d.]+) ms/)),
      ],
    ];
  },
  stealing: () => {
    const shells = (variant: string): Parameters<Find> => ['stealing', SHELLS, 'max/mean, p = 8', variant];
    const best = ['on', 'off'].map(isOn => noted(EQUATION_6, ...shells(`coherence on, stealing ${isOn}`)));
    const unknown = 'coherence off, stealing on';
    return [
      [
        'improved the mean balance in # of # cases of the bench `stealing`',
        stealingCases.length - unimproved().length,
        stealingCases.length,
      ],
      ['nested shells, 8 lists (eq. 6: # to # processors are best)', ...rangeOf(best)],
      [
        'the max cost of 8 lists stays at # times the mean (by eq. 6, # processors are best)',
        stealing(SHELLS, 8, unknown),
        noted(EQUATION_6, ...shells(unknown)),
      ],
    ];
  },
  'GPUs, recorded on the Xeon': () => [
    [
      'the query of two tori of 100,000 triangles takes # ms end to end, and # ms on one CPU thread',
      ...['nvidia-h100-80gb-hbm3', '1 thread'].map(variant =>
        onXeon('gpuQueries', 'two tori 100K', 'all pairs, end to end', variant),
      ),
    ],
    [
      'the speed-up over one CPU thread is # measured (`papers-intel-xeon-16c.csv`)',
      papersOnXeon('deviceRuns', 'cubes 20000', 'all pairs', '1 queue of one adapter', 'ratio'),
    ],
  ],
  'cuts by pairs or by boxes': () => [
    [
      "On 20,000 cubes, four regions need # copies of boxes with the paper's cuts and # with pfront's cuts. On the letters of the alphabet scene, they need # and # copies",
      ...['cubes 20K', 'alphabet 20K'].flatMap(scene => [copies(scene, PAPER_CUTS), copies(scene, OWN_CUTS)]),
    ],
    [
      "has # times the mean with the paper's cuts, and # times the mean with pfront's cuts; on the letters, the two values are # and #. On the torus scene (# instead of #) and the spheres scene (# instead of #)…more evenly: # instead of # on the torus scene, and # instead of # on the spheres scene",
      ...inSplits('cubes 20K', 'pairs'),
      ...inSplits('alphabet 20K', 'pairs'),
      ...['pairs', 'boxes'].flatMap(what =>
        ['torus 20K', 'spheres 20K'].flatMap(scene => inSplits(scene, what).reverse()),
      ),
    ],
  ],
  'octree on a cluster': () => [
    [
      'ten processes take # ms for a million spheres and # ms for two million, and one process takes # and # ms',
      ...['10 processes', '1 process'].flatMap(count =>
        ['spheres 1M', 'spheres 2M'].map(scene => processes(scene, count)),
      ),
    ],
    [
      'For a million spheres, an octant takes # bytes instead of #, or # bytes if deflated',
      ...['delta', 'raw', 'deflate'].map(encoded),
    ],
    [
      'pay off only on links below # Gbit/s, or below # Gbit/s with deflate',
      worthwhile('delta'),
      worthwhile('deflate'),
    ],
    [
      'A job from scratch sends # MB in total, of which the caller sends # MB',
      value('clusterOctree', 'spheres 100K', 'bytes', '2 processes') / 1e6,
      noted(/caller to nodes (\d+)/, 'clusterOctree', 'spheres 100K', 'bytes', '2 processes') / 1e6,
    ],
    [
      'octants removed and inserted, of # | bytes from the caller',
      noted(/(\d+) octants/, 'octreeFrames', 'spheres 100K', 'first frame: stages', '2 machines'),
    ],
  ],
  'sorted octants': () => {
    const octants = noted(/(\d+) octants/, 'octree', 'spheres 100K', 'sort octants, 1 thread', 'radix sort');
    const merged = (scene: string): number[] =>
      [2, 4, 16].map(runs => sorting(scene, '2 threads', `merged, ${runs} runs`, 'ratio'));
    return [
      ['| 100,000 spheres (# octants) |', octants],
      ['octants removed and inserted, of # | frame', octants],
      [
        'merging 2 to 16 runs of a million spheres is # to # times as fast as the radix sort',
        ...rangeOf(merged('spheres 1M')),
      ],
      [
        'merging is # times as fast as the radix sort for 2 runs, # times for 4 runs and # times for 16 runs',
        ...merged('spheres 100K'),
      ],
      ['a frame takes # to # ms: pairs of resting boxes are kept', ...rangeOf(fewMove('spheres 100K'))],
      [
        'Such a frame is # to # times as fast as a frame from scratch',
        ...rangeOf(fewMove('spheres 100K', 'ratio')),
      ],
      ['with a million spheres, it is # to # times as fast', ...rangeOf(fewMove('spheres 1M', 'ratio'))],
    ];
  },
};

for (const [topic, expected] of Object.entries(sentences))
  test(`the figures of paragraphs are recorded: ${topic}`, () => checkSentences(PAGE, expected()));

test('the statements about limits of the balance and of the front are true', () => {
  const scenes = [...new Set(rows.filter(({ bench }) => bench === 'imbalance').map(({ scene }) => scene))];
  const exceeding = (variant: string, parts: number, limit: number): string[] =>
    scenes.filter(scene => imbalance(scene, parts, variant) > limit);
  for (const parts of [2, 4, 8, 16, 32])
    assert.equal(exceeding(STATIC_UNKNOWN, parts, 1.15), [], `without coherence, ${parts} lists`);
  assert.equal(exceeding(STATIC_UNKNOWN, 64, 1.15), [DRAGON], 'without coherence, 64 lists');
  const allButTrain = scenes.filter(scene => scene !== TRAIN);
  for (const parts of [8, 16, 32, 64])
    assert.equal(exceeding(STATIC, parts, parts <= 16 ? 1.05 : 1.1), allButTrain, `${parts} lists`);

  const frontScenes = [
    ...new Set(rows.filter(({ bench }) => bench === 'frontCost').map(({ scene }) => scene)),
  ];
  const withShare = (measure: string, parts: number, isBelow: boolean): string[] =>
    frontScenes.filter(scene => inFrontRows(measure, scene, parts) < 0.01 === isBelow);
  assert.equal(withShare('front: all work', 8, false), [], 'work, 8 lists');
  assert.equal(withShare('front: all work', 16, false), [TRAIN, DRAGON], 'work, 16 lists');
  const even = 'front on p threads, if divided evenly';
  assert.equal(withShare(even, 8, false), [TRAIN, DRAGON], 'even front on 8 threads');
  assert.equal(withShare(even, 16, false), [TRAIN, '2 x slivers', DRAGON, LARGE_DRAGON], 'on 16 threads');
  assert.equal(withShare(FRONT_SHARE, 8, true), ['8 x dragon 810K', '8 x dragon 3.2M'], 'time on 8 threads');
  assert.equal(withShare(FRONT_SHARE, 16, true), [], 'time on 16 threads');

  assert.equal(
    unimproved()
      .filter(({ scene, variant }) => scene !== SHELLS || variant !== STATIC_UNKNOWN)
      .map(({ scene, measure, variant }) => [scene, measure, variant]),
    [[TRAIN, 'max/mean, p = 64', STATIC]],
    'cases that stealing does not improve',
  );
});

test.run();
