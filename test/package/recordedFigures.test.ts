// Tests that the figures in the tables of the README, of docs/benchmarks.md and of the guide to certificates
// are those of recorded rows, and that recorded rows name the code that they were measured with.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { readRows } from '../../bench/support/csv.mjs';
import { tableNames } from '../../bench/support/paperRows.mjs';
import { test } from '../support/test.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const rows: Record<string, string>[] = readRows('amd-epyc-2c');

const MESH_RIVAL = 'three-mesh-bvh';
const BOX_RIVAL = 'box-intersect';
const BODY_RIVAL = 'rapier3d-simd-compat';

interface Recorded {
  value: number;
  note: string;
}

/** Returns the value of the last row of `from` with these names, and its note. */
function recorded(
  bench: string,
  scene: string,
  measure: string,
  variant: string,
  column: 'mean' | 'median' | 'ratio' = 'median',
  from = rows,
): Recorded {
  const row = from.findLast(
    one => one.bench === bench && one.scene === scene && one.measure === measure && one.variant === variant,
  );
  assert.ok(row?.[column], `no row: ${bench}, ${scene}, ${measure}, ${variant}`);
  return { value: Number(row[column]), note: row.note };
}

/** Returns the cells of the first table below a heading, without its head. */
function tableOf(document: string, heading: string): string[][] {
  const text = readFileSync(root + document, 'utf8');
  const from = text.indexOf(`\n## ${heading}\n`);
  assert.ok(from >= 0, `${document} has no heading ${heading}`);
  const [, table] = /\n\|[^\n]*\n\|[-:| ]*\n((?:\|[^\n]*\n)+)/.exec(text.slice(from))!;
  return table
    .trim()
    .split('\n')
    .map(line =>
      line
        .split('|')
        .slice(1, -1)
        .map(cell => cell.trim()),
    );
}

const numbersOf = (cell: string): string[] =>
  [...cell.matchAll(/\d[\d,]*(?:\.\d+)?/g)].map(([text]) => text.replaceAll(',', ''));

/** Whether a number of a document is the recorded value, rounded. Recorded values have four digits. */
function isRounded(text: string, value: number): boolean {
  const decimals = text.split('.')[1]?.length ?? 0;
  return Math.abs(Number(text) - value) <= 0.5 * 10 ** -decimals + 1e-3 * value;
}

/** Checks the numbers of all cells of a table, except those of its first column. */
function checkTable(document: string, heading: string, expected: readonly (readonly number[][])[]): void {
  const table = tableOf(document, heading);
  assert.is(table.length, expected.length, `${document}, ${heading}: rows`);
  const wrong = table.flatMap(([name, ...cells], line) =>
    cells.flatMap((cell, column) => {
      const [found, values] = [numbersOf(cell), expected[line][column]];
      return found.length === values.length && found.every((text, i) => isRounded(text, values[i]))
        ? []
        : [`${name}: ${cell}, recorded ${values.join(' and ')}`];
    }),
  );
  assert.equal(wrong, [], `${document}, ${heading}`);
}

const withRatio = ({ value }: Recorded, rival: Recorded): number[] => [value, rival.value / value];
/** The number of pairs or contacts that a note states. */
const countIn = ({ note }: Recorded, what: string): number =>
  Number(new RegExp(`(\\d+) ${what}`).exec(note)![1]);

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

test('the figures of the README are recorded', () => {
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

test('the figures of triangle pairs, trees and box pairs are recorded', () => {
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

test('the figures of moving bodies, cloth and continuous collision are recorded', () => {
  const [few, many] = ['1000 tori of 700', '10000 tori of 700'];
  const robots = '10000 robots, random, 0.42 a unit volume';
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
  const folding = onThreads('cloth', 'folding cloth 92K', 'all contacts, a frame of 20');
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

test('the figures of first contacts of moving meshes are recorded', () => {
  const here = readRows('amd-epyc-zen5-2c');
  const valueIn = (scene: string, column: 'median' | 'ratio'): number =>
    recorded('sweep', scene, 'first contact', 'pfront, 1 thread', column, here).value;
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

test('the time of a step of 100,000 robots is recorded', () => {
  const [, one, two] = /100,000 robots takes ([\d,.]+) ms on one thread and ([\d,.]+) ms on two threads/.exec(
    readFileSync(`${root}docs/benchmarks.md`, 'utf8'),
  )!;
  const here = readRows('amd-epyc-zen5-2c');
  const [first, second] = ['1 thread', '2 threads'].map(
    variant =>
      recorded('nanorobots', '100000 robots, random', 'a continuous step', variant, 'median', here).value,
  );
  assert.ok(isRounded(one!.replace(',', ''), first!) && isRounded(two!, second!), `${one}, ${two}`);
});

test('the figures of imbalance are recorded', () => {
  const text = readFileSync(`${root}docs/benchmarks.md`, 'utf8');
  const meansOf = (bench: string, variant: string): number[] =>
    readRows('papers-amd-epyc-zen5-2c')
      .filter(
        (row: Record<string, string>) =>
          row.bench === bench && row.measure === 'max/mean, p = 16' && row.variant === variant,
      )
      .map((row: Record<string, string>) => Number(row.mean));
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

test('the figures of certificates are recorded', () => {
  const zen5: typeof rows = readRows('amd-epyc-zen5-2c');
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
        recorded('certificates', scene, what, 'certificate', 'median', zen5).value;
      const tested = ['boxes apart', 'triangles apart', 'triangles in common']
        .map(what => counted(`pairs of ${what}`))
        .reduce((sum, value) => sum + value);
      const check = recorded('certificates', scene, 'check', 'pfront/verify', 'ratio', zen5);
      return [
        [counted('steps')],
        [counted('steps') / (2 * count)],
        [(100 * tested) / count ** 2],
        [check.value],
      ];
    }),
  );
});

// Rows before this date have no columns for the commit and the code.
const FIRST_DATE = '2026-11-24';

test('rows name the commit and the code that they were measured with', () => {
  const all: Record<string, string>[] = tableNames
    .filter(file => !file.startsWith('figure'))
    .flatMap(file => readRows(file).map((row: object) => ({ ...row, file })));
  assert.ok(all.some(({ date }) => date < FIRST_DATE) && all.some(({ date }) => date >= FIRST_DATE));
  assert.equal(
    all
      .filter(({ date, commit, code }) => date >= FIRST_DATE && !(commit && code))
      .map(({ file, bench, scene, measure }) => `${file}: ${bench}, ${scene}, ${measure}`),
    [],
  );
});

test.run();
