// Tests that the figures of docs/papers.md on jobs on separate machines (Lucchesi, Tables 5.7 and 5.8) are those of
// recorded rows.

import { checkSentences, checkTable, figuresIn, namedRows } from '../support/recordedRows.js';
import { test } from '../support/test.js';

const PAGE = 'docs/papers.md';
const { value, noted } = figuresIn('papers-amd-epyc-zen5-2c');

const onMachines = (scene: string, machines: string): [string, string, string, string] => [
  'clusterOctree',
  scene,
  'machines, 10 Gbit/s',
  machines,
];

test('the speed-ups of jobs on separate machines are recorded', () => {
  checkTable(
    PAGE,
    'here / thesis (Tables 5.7 and 5.8)',
    namedRows({ 'a million': 'spheres 1M', 'two million': 'spheres 2M' }, scene =>
      [2, 10, 20, 40].map(machines => {
        const names = onMachines(scene, `${machines} machines`);
        return [value(...names, 'ratio'), noted(/thesis, Table [\d.]+: \d+ ms, speedup ([\d.]+)/, ...names)];
      }),
    ),
  );
  const names = onMachines('spheres 1M', '1 machine');
  checkSentences(PAGE, [
    [
      'A machine of the thesis takes # s for a million spheres; here, one machine takes # s. So the fixed costs of the tasks (# ms each)',
      noted(/thesis, Table [\d.]+: (\d+) ms/, ...names) / 1000,
      value(...names) / 1000,
      noted(/a = ([\d.]+) ms per task/, ...names),
    ],
  ]);
});

test.run();
