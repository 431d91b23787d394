// Tests that the figures of docs/papers.md on the tables and the persistent method of Avril, Gouranton and Arnaldi
// are those of recorded rows.

import {
  checkSentences,
  checkTable,
  figuresIn,
  namedRows,
  numberIn,
  rangeOf,
  rowsOf,
} from '../support/recordedRows.js';
import { test } from '../support/test.js';

const PAGE = 'docs/papers.md';
const FILE = 'papers-amd-epyc-zen5-2c';
const { value, noted } = figuresIn(FILE);
const rows = rowsOf(FILE);
const BREAK_EVEN = 'break-even number of threads';

const SCENES = ['cubes 20000', 'balls 10000', 'skittles 3500'];
const inTables = (
  scene: string,
  measure: string,
  variant: string,
): [bench: string, scene: string, measure: string, variant: string] => [
  'sweepTables',
  scene,
  measure,
  variant,
];
const speedUp = (scene: string, measure: string): number =>
  noted(/speed-up ([\d.]+)/, ...inTables(scene, measure, '2 threads'));

test('the speed-ups of sweep and prune are recorded', () => {
  checkTable(
    PAGE,
    'speed-up, here / paper',
    namedRows(Object.fromEntries(SCENES.map(scene => [scene, scene])), scene =>
      ['2 threads', '2 threads, virtual time', '4 threads, virtual time', '8 threads, virtual time'].map(
        variant => {
          const names = inTables(scene, 'both', variant);
          return [noted(/speed-up ([\d.]+)/, ...names), noted(/the paper ([\d.]+)/, ...names)];
        },
      ),
    ),
  );
  const updates = SCENES.slice(0, 2).map(scene => 1 / speedUp(scene, 'update of boxes'));
  checkSentences(PAGE, [
    [
      'Both stages of the skittles take only # ms on one thread',
      value(...inTables('skittles 3500', 'both', '1 thread'), 'mean'),
    ],
    [
      'The search for pairs is # to # times as fast as on one thread, and the update of the boxes of cubes and balls takes # to # times as long',
      ...rangeOf(SCENES.map(scene => speedUp(scene, 'overlapping pairs'))),
      ...rangeOf(updates),
    ],
  ]);
});

test('the numbers of threads with which sweep and prune from scratch wins are recorded', () => {
  const breakEven = (scene: string, motion: string): number => value('persistent', scene, motion, BREAK_EVEN);
  checkTable(
    PAGE,
    'boxes, all of which move by a part of their size in each frame',
    namedRows({ '10K': 'uniform 10K', '100K': 'uniform 100K' }, scene =>
      [0.0001, 0.001, 0.01, 0.1, 1].map(step => [breakEven(scene, `all boxes move by ${step} x their size`)]),
    ),
  );
  checkSentences(PAGE, [
    ...['0.1 %', '1 %'].map(
      share =>
        [
          'of 10K boxes move by a tenth of their size, # threads do not suffice',
          numberIn(
            rows.find(
              ({ bench, scene, measure, variant }) =>
                bench === 'persistent' &&
                scene === 'uniform 10K' &&
                measure === `${share} of the boxes move by 0.1 x their size` &&
                variant === BREAK_EVEN,
            )!.note,
            /not reached with up to (\d+) threads/,
          ),
        ] as const,
    ),
    ['for 10 %, # thread does', breakEven('uniform 10K', '10 % of the boxes move by 0.1 x their size')],
  ]);
});

test.run();
