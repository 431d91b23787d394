// Tests that the figures in README.md, docs/benchmarks.md, docs/modules/ccd.md and the guide to certificates
// are those of recorded rows, that recorded rows name the code that they were measured with, and that the
// files of recorded rows are well-formed CSV.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { tableNames } from '../../bench/support/paperRows.mjs';
import {
  checkTable,
  isRounded,
  numberIn,
  numbersOf,
  type Recorded,
  type Row,
  recordedIn,
  rowsOf,
  tableOf,
} from '../support/recordedRows.js';
import { test } from '../support/test.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const recorded = recordedIn('amd-epyc-2c');
const recordedOnZen5 = recordedIn('amd-epyc-zen5-2c');

const MESH_RIVAL = 'three-mesh-bvh';
const BOX_RIVAL = 'box-intersect';
const BODY_RIVAL = 'rapier3d-simd-compat';

const withRatio = ({ value }: Recorded, rival: Recorded): number[] => [value, rival.value / value];
/** Returns the number that is before the text `what` in a note, such as a number of pairs. */
const countIn = ({ note }: Recorded, what: string): number => numberIn(note, new RegExp(`(\\d+) ${what}`));

const queries = (scene: string): number[][] =>
  [
    ['all pairs, order any', 'all pairs'],
    ['first hit', 'first hit'],
  ].flatMap(([ours, theirs]) => {
    const own = recorded('meshMesh', scene, ours, 'pfront', 'mean');
    const rival = recorded('meshMesh', scene, theirs, MESH_RIVAL, 'mean');
    return [[own.value], [rival.value], [rival.value / own.value]];
  });

const boxes = (scene: string, variant: string): Recorded =>
  recorded('boxes', scene, 'all pairs from scratch', variant);
const bodies = (scene: string, variant: string): Recorded => recorded('bodies', scene, 'a frame', variant);
const cloth = (variant: string): Recorded =>
  recorded('selfQuery', 'crumpling cloth 92K', 'refit and self pairs', variant);

test('the figures of the README agree with the recorded rows', () => {
  const table = tableOf('README.md', 'How fast').map(cells => cells[0]);
  const pairs = boxes('uniform 100K', 'sap, any order');
  assert.is(Number(numbersOf(table[2])[0]), countIn(pairs, 'pairs'));
  const [bunny, dragon] = [queries('bunny 69K'), queries('dragon 810K')];
  const line = (own: Recorded, rival: Recorded): number[][] => [
    [own.value],
    [rival.value],
    [rival.value / own.value],
  ];
  checkTable('README.md', 'How fast', [
    bunny.slice(0, 3),
    dragon.slice(3),
    line(pairs, boxes('uniform 100K', BOX_RIVAL)),
    line(bodies('1000 tori of 700', 'any, 1 thread'), bodies('1000 tori of 700', BODY_RIVAL)),
    line(cloth('1 thread, refit'), cloth(MESH_RIVAL)),
  ]);
});

test('the figures of triangle pairs, trees and box pairs agree with the recorded rows', () => {
  checkTable(
    'docs/benchmarks.md',
    'Triangle pairs of two meshes',
    ['bunny 69K', 'dragon 203K', 'dragon 810K', 'worm gear 64K', 'epicyclic train 149K'].map(queries),
  );
  checkTable(
    'docs/benchmarks.md',
    'Trees',
    ['bunny 69K', 'dragon 203K', 'dragon 810K'].map(mesh => {
      const tree = (measure: string, variant: string): Recorded => recorded('build', mesh, measure, variant);
      const [built, refitted] = [tree('build', MESH_RIVAL), tree('refit', MESH_RIVAL)];
      return [
        withRatio(tree('build', 'pfront sah'), built),
        withRatio(tree('build', 'pfront morton'), built),
        withRatio(tree('refit', 'pfront sah'), refitted),
        [built.value],
        [refitted.value],
      ];
    }),
  );
  const scaleFree = recorded('methods', 'scaleFree 100K', 'all pairs from scratch', 'auto');
  checkTable('docs/benchmarks.md', 'Box pairs', [
    ...['10K', '100K', '1M'].flatMap(count =>
      ['uniform', 'clustered', 'mixed'].map(kind => {
        const scene = `${kind} ${count}`;
        const [own, rival] = [boxes(scene, 'sap, any order'), boxes(scene, BOX_RIVAL)];
        return [
          [countIn(own, 'pairs')],
          withRatio(own, rival),
          withRatio(boxes(scene, 'sap, sorted'), rival),
          [boxes(scene, 'sap, any order, 2 threads').value],
          [rival.value],
        ];
      }),
    ),
    [[countIn(scaleFree, 'pairs')], [scaleFree.value], [], [], []],
  ]);
});

test('the figures of moving bodies, cloth and continuous collision agree with the recorded rows', () => {
  const [few, many] = ['1000 tori of 700', '10000 tori of 700'];
  const robots = '10000 robots, random, 0.42 per unit volume';
  const rival = bodies(few, BODY_RIVAL);
  const scenes = [few, many, robots];
  assert.equal(
    tableOf('docs/benchmarks.md', 'Moving bodies').map(([name]) => Number(numbersOf(name).at(-1))),
    scenes.map(scene => countIn(bodies(scene, 'any, 1 thread'), 'contacts')),
  );
  checkTable('docs/benchmarks.md', 'Moving bodies', [
    [withRatio(bodies(few, 'any, 1 thread'), rival), [bodies(few, 'pairs, 1 thread').value], [rival.value]],
    [[bodies(many, 'any, 1 thread').value], [bodies(many, 'pairs, 1 thread').value], []],
    [
      [bodies(robots, 'any, 1 thread').value],
      [bodies(robots, 'pairs, 1 thread').value, bodies(robots, 'pairs, 2 threads').value],
      [],
    ],
  ]);
  const onThreads = (bench: string, scene: string, measure: string): Recorded[] =>
    ['1 thread', '2 threads'].map(variant => recorded(bench, scene, measure, variant));
  const values = (pair: Recorded[]): number[][] => pair.map(({ value }) => [value]);
  const folding = onThreads('cloth', 'folding cloth 92K', 'all contacts of a frame, 20 frames');
  const ball = onThreads('sweep', 'cloth-ball', 'all contacts');
  const steps = onThreads('nanorobots', '40000 robots, random', 'a continuous step');
  const thousands = steps.map(step => 1000 * Math.round(countIn(step, 'robots/s') / 1000));
  checkTable('docs/benchmarks.md', 'Cloth and continuous collision', [
    [[cloth('1 thread, refit').value], [cloth('2 threads, refit').value], [cloth(MESH_RIVAL).value]],
    [...values(folding), [countIn(folding[0], 'pairs of features') / 1e6]],
    [...values(ball), [countIn(ball[0], 'pairs of features') / 1e6]],
    [...values(steps), thousands],
  ]);
});

test('the figures of first contacts of moving meshes agree with the recorded rows', () => {
  const valueIn = (scene: string, column: 'median' | 'ratio'): number =>
    recordedOnZen5('sweep', scene, 'first contact', 'pfront, 1 thread', column).value;
  checkTable(
    'docs/modules/ccd.md',
    'Times of first contacts',
    tableOf('docs/modules/ccd.md', 'Times of first contacts').map(([count, motion]) => {
      const scene = `two tori of ${Number(numbersOf(count!)[0])}, ${motion} motion`;
      const first = valueIn(`${scene}, contact`, 'median');
      const all = first * valueIn(`${scene}, contact`, 'ratio');
      return [[], [first], [valueIn(`${scene}, no contact`, 'median')], [all]];
    }),
  );
});

test('the time of a step of 100,000 robots agrees with the recorded rows', () => {
  const [, one, two] = /100,000 robots takes ([\d,.]+) ms on one thread and ([\d,.]+) ms on two threads/.exec(
    readFileSync(`${root}docs/benchmarks.md`, 'utf8'),
  )!;
  const [first, second] = ['1 thread', '2 threads'].map(
    variant => recordedOnZen5('nanorobots', '100000 robots, random', 'a continuous step', variant).value,
  );
  assert.ok(isRounded(one!.replace(',', ''), first!) && isRounded(two!, second!), `${one}, ${two}`);
});

test('the figures of imbalance agree with the recorded rows', () => {
  const text = readFileSync(`${root}docs/benchmarks.md`, 'utf8');
  const meansOf = (bench: string, variant: string): number[] =>
    rowsOf('papers-amd-epyc-zen5-2c')
      .filter(row => row.bench === bench && row.measure === 'max/mean, p = 16' && row.variant === variant)
      .map(row => Number(row.mean));
  const maxOf = (bench: string, variant: string): number => Math.max(...meansOf(bench, variant));
  const minOf = (bench: string, variant: string): number => Math.min(...meansOf(bench, variant));
  const [known, unknown] = ['coherence on', 'coherence off'];
  for (const part of [
    `is ${maxOf('imbalance', `${known}, stealing on`).toFixed(3)} if the costs of the last run are known, and ${maxOf('imbalance', `${unknown}, stealing on`).toFixed(2)} if they are not`,
    `then ${minOf('imbalance', `${known}, stealing off`).toFixed(2)} to ${maxOf('imbalance', `${known}, stealing off`).toFixed(2)} with known costs, and at most ${maxOf('imbalance', `${unknown}, stealing off`).toFixed(2)} without`,
    `with work stealing and known costs, is ${maxOf('sceneBalance', `${known}, stealing on`).toFixed(3)}`,
  ])
    assert.ok(text.includes(part), `docs/benchmarks.md lacks: ${part}`);
});

test('the figures of certificates agree with the recorded rows', () => {
  const triangles = { 'tori 1K': 1000, 'tori 10K': 10_000, 'tori 100K': 100_000, 'bunny 69K': 69_451 };
  const guide = 'docs/guides/certificates.md';
  assert.equal(
    tableOf(guide, 'Limits').map(([name]) => [/^\w+/.exec(name)![0], Number(numbersOf(name)[0])]),
    Object.entries(triangles).map(([scene, count]) => [scene.startsWith('tori') ? 'torus' : 'bunny', count]),
  );
  checkTable(
    guide,
    'Limits',
    Object.entries(triangles).map(([scene, count]) => {
      const counted = (what: string): number =>
        recordedOnZen5('certificates', scene, what, 'certificate').value;
      const tested = [
        'disjoint pairs of boxes',
        'disjoint pairs of triangles',
        'intersecting pairs of triangles',
      ]
        .map(what => counted(what))
        .reduce((sum, value) => sum + value);
      const check = recordedOnZen5('certificates', scene, 'check', 'pfront/verify', 'ratio');
      return [
        [counted('steps')],
        [counted('steps') / (2 * count)],
        [(100 * tested) / count ** 2],
        [check.value],
      ];
    }),
  );
});

// In rows before this date, the fields for the commit and the code are empty.
const FIRST_DATE = '2026-11-24';

test('rows name the commit and the code that they were measured with', () => {
  const all: Row[] = tableNames
    .filter(file => !file.startsWith('figure'))
    .flatMap(file => rowsOf(file).map(row => ({ ...row, file })));
  assert.ok(all.some(({ date }) => date < FIRST_DATE) && all.some(({ date }) => date >= FIRST_DATE));
  assert.equal(
    all
      .filter(({ date, commit, code }) => date >= FIRST_DATE && !(commit && code))
      .map(({ file, bench, scene, measure }) => `${file}: ${bench}, ${scene}, ${measure}`),
    [],
  );
});

test('every row of a table has as many fields as the head, so that any CSV parser reads it', () => {
  const field = '(?:"(?:[^"]|"")*"|[^",]*)';
  const line = new RegExp(`^${field}(?:,${field})*$`);
  for (const name of tableNames) {
    const [head, ...lines] = readFileSync(`${root}bench/results/${name}.csv`, 'utf8').trimEnd().split('\n');
    const countFields = (text: string): number => text.match(new RegExp(`(?:^|,)${field}`, 'g'))!.length;
    assert.equal(
      lines.filter(text => !line.test(text) || countFields(text) !== countFields(head!)),
      [],
      name,
    );
  }
});

test.run();
