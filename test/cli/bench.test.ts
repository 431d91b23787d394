// Runs `pfront bench` as users run it, on a small version of every scene. Tests that the output shows the
// figures published in papers beside the measured ones, and tests the JSON output and the error messages.
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import * as assert from 'uvu/assert';
import { METHODS } from '../../dist/core/moduleOptions.js';
import { MAIN } from '../support/commandLine.js';
import { gpuTest } from '../support/gpu.js';
import { test } from '../support/test.js';

function bench(...args: string[]) {
  return run([MAIN, 'bench', ...args]);
}

function run(words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  return { status, stdout, stderr };
}

interface Row {
  measure: string;
  threads: number;
  paper?: { milliseconds?: number; speedUp?: number };
  ours?: { milliseconds: number; speedUp?: number };
}

function json(...args: string[]): {
  scene: string;
  seed: number;
  rows: Row[];
  remarks: string[];
  [key: string]: any;
} {
  const { status, stdout, stderr } = bench(...args, '--json');
  assert.is(status, 0, stderr);
  return JSON.parse(stdout);
}

// For each scene and measure: the published milliseconds by number of threads. For the spheres-* scenes, they
// are converted from microseconds, which Lucchesi's thesis prints.
const UPDATE = 'update of boxes (Table 1)';
const OVERLAP = 'overlapping pairs (Table 2)';
const WHOLE = 'linear octree, whole';
const published: Record<string, [measure: string, milliseconds: Record<number, number>][]> = {
  cubes: [
    [UPDATE, { 1: 8.89, 2: 4.96, 4: 2.76, 8: 1.52 }],
    [OVERLAP, { 1: 53.339, 2: 31.65, 4: 18.76, 8: 11.43 }],
  ],
  balls: [
    [UPDATE, { 1: 4.45, 2: 2.48, 4: 1.4, 8: 0.74 }],
    [OVERLAP, { 1: 26.7, 2: 15.748, 4: 9.51, 8: 5.82 }],
  ],
  skittles: [
    [UPDATE, { 1: 1.6, 2: 0.9, 4: 0.5, 8: 0.27 }],
    [OVERLAP, { 1: 10.71, 2: 6.35, 4: 3.742, 8: 2.314 }],
  ],
  'spheres-100k': [[WHOLE, { 1: 1460.885, 2: 761.157, 3: 685.805, 4: 571.763, 5: 502.234 }]],
  'spheres-199k': [[WHOLE, { 1: 2921.999, 2: 1471.116, 3: 1395.906, 4: 1140.158, 5: 986.878 }]],
  nanorobots: [
    ['random', { 12: 300 }],
    ['skewed', { 12: 300 }],
  ],
  'spheres-1m': [
    [WHOLE, { 1: 29537.415, 2: 15596.299, 10: 3615.147, 20: 2177.746, 30: 1682.112, 40: 1480.608 }],
  ],
  'spheres-2m': [
    [WHOLE, { 1: 59706.876, 2: 31332.31, 10: 7215.86, 20: 4298.207, 30: 3331.193, 40: 2889.864 }],
    ['recursive search: octal codes (ResolveObject)', { 40: 1307.631 }],
    ['recursive search: sort (qsort)', { 40: 88.953 }],
  ],
};
/** For some scenes, the measures that their report must contain. */
const steps: Record<string, string[]> = {
  cubes: [
    UPDATE,
    OVERLAP,
    ...['statistics', 'distribute', 'search', 'join'].map(stage => `overlapping pairs: ${stage}`),
    'both (Fig. 7)',
  ],
  'spheres-100k': [
    WHOLE,
    ...['bounds', 'octal codes', 'sort of codes', 'gather boxes', 'scan', 'list of pairs'].map(
      stage => `linear octree: ${stage}`,
    ),
    'sweep and prune, whole',
    'recursive search, whole',
  ],
  'boxes-10k': ['uniform', 'clustered', 'mixed'].flatMap(kind => METHODS.map(method => `${kind}, ${method}`)),
  nanorobots: ['random', 'skewed'].flatMap(movement => [
    movement,
    ...['place', 'bound', 'bodies', 'features', 'collect'].map(stage => `${movement}: ${stage}`),
  ]),
  'bodies-1k': [
    'contacts only',
    'all triangle pairs',
    'all pairs: place',
    'all pairs: broad phase',
    'all pairs: choose pairs',
    'all pairs: narrow phase',
  ],
};

const listed = json().scenes as { name: string; line: string }[];

test('if no scene is given, the scenes are listed, one per line', () => {
  const { status, stdout } = bench();
  assert.is(status, 0);
  const lines = stdout.trimEnd().split('\n');
  assert.equal(
    lines.slice(0, listed.length).map(line => line.split(/ {2,}/)[0]),
    listed.map(({ name }) => name),
  );
  assert.ok(
    listed.length >= 16 && Object.keys(published).every(name => listed.some(scene => scene.name === name)),
  );
  assert.match(bench('--help').stdout, '--quick');
});

for (const { name } of listed) {
  (name === listed[0].name ? test : test.slow)(
    `${name}: a quick run reports its measures with 1 and 2 threads, and the published times`,
    () => {
      const { rows, remarks, machine, seed, size, rounds } = json(name, '--quick', '--threads', '1,2');
      assert.equal([seed, size, rounds, machine.cores], [1, 'quick', 1, availableParallelism()]);
      assert.match(remarks[0], /^Quick: /);
      const measured = rows.filter(({ ours }) => ours !== undefined);
      assert.ok(measured.every(({ ours }) => ours!.milliseconds >= 0 && ours!.milliseconds < 60_000));
      assert.ok(
        [1, 2].every(threads => measured.some(row => row.threads === threads && row.ours!.milliseconds > 0)),
      );
      for (const measure of steps[name] ?? [])
        assert.ok(
          measured.some(row => row.measure === measure),
          measure,
        );
      for (const [measure, times] of published[name] ?? []) {
        const theirs = rows.filter(row => row.measure === measure && row.paper?.milliseconds !== undefined);
        assert.equal(
          Object.fromEntries(theirs.map(({ threads, paper }) => [threads, paper!.milliseconds])),
          times,
          measure,
        );
      }
    },
  );
}

test("the table has the paper's and the measured time in one row, below the citation and the machine", () => {
  const { status, stdout, stderr } = bench('cubes', '--quick', '--threads', '1,2', '--seed', '9');
  assert.is(status, 0, stderr);
  assert.is(stderr, '');
  assert.match(
    stdout,
    /paper: Avril, Gouranton and Arnaldi.*2014, Tables 1 and 2, Fig. 7; .*X5482, 3.20 GHz/,
  );
  assert.match(
    stdout,
    /here: .*cores?, .*pfront \d.*Node \d.*seed 9; median of 1 interleaved run, mean over 8 frames/,
  );
  assert.match(stdout, /measure +threads +paper ms +paper speed-up +here ms +here speed-up/);
  assert.match(stdout, /update of boxes \(Table 1\) +1 +8\.89 +1\.00 +\d+\.\d+ +1\.00\n/);
  assert.match(stdout, /\n +8 +1\.52 +5\.85\n/);
  assert.not.match(stdout, /\x1b/);
});

test('speed-ups that a paper gives without times are shown beside the measured ones', () => {
  const { rows } = json('worm-gear', '--quick', '--threads', '1');
  assert.equal(
    rows.map(({ threads, paper, ours }) => [threads, paper?.speedUp, ours?.speedUp]),
    [
      [1, undefined, 1],
      [8, 7.5, undefined],
    ],
  );
});

test.slow('the same seed gives the same results, and another seed gives different ones', () => {
  const counts = (...args: string[]): string => json(...args, '--quick', '--threads', '1').remarks.join('\n');
  for (const name of ['balls', 'spheres-2m', 'boxes-10k', 'bodies-1k', 'nanorobots-10k']) {
    assert.is(counts(name, '--seed', '5'), counts(name, '--seed', '5'), name);
    assert.is.not(counts(name, '--seed', '5'), counts(name, '--seed', '6'), name);
  }
});

test('more threads than cores are accepted, with a note', () => {
  const count = availableParallelism() + 1;
  const { rows, remarks } = json('skittles', '--quick', '--threads', `${count},1,1`);
  assert.ok(rows.some(({ threads, ours }) => threads === count && ours !== undefined));
  assert.ok(remarks.some(text => text.includes(`${count} threads are more than this machine's`)));
  assert.not.ok(
    json('skittles', '--quick', '--threads', '1').remarks.some(text =>
      text.includes('more than this machine'),
    ),
  );
});

test.slow('invalid input is refused with exit code 2, one line and a fix', () => {
  const refused = (message: RegExp, fix: RegExp, ...args: string[]): void => {
    const { status, stdout, stderr } = bench(...args);
    assert.is(status, 2, args.join(' '));
    assert.is(stdout, '');
    const [first, second] = stderr.split('\n');
    assert.match(first!, message);
    assert.match(second!, fix);
  };
  refused(/"cube" is not a scene/, /fix: Choose one of worm-gear, .*cubes, .*nanorobots\./, 'cube');
  for (const threads of ['0', '257', '2,', 'all', '1.5', '-1,2', '', '1, 2'])
    refused(
      /--threads .*is not a list of whole numbers from 1 to 256/,
      /--threads 1,2,4/,
      'cubes',
      `--threads=${threads}`,
    );
  for (const seed of ['-1', '4294967296', 'x', '1e3', ''])
    refused(/--seed .*is not a whole number/, /--seed 7/, 'cubes', `--seed=${seed}`);
  refused(/one scene, not 2/, /one after the other/, 'cubes', 'balls');
  refused(/--backend gpu is neither wasm nor webgpu/, /--backend webgpu/, 'worm-gear', '--backend', 'gpu');
  refused(
    /cubes runs only on the CPU/,
    /worm-gear, .*random-courses, or remove --backend/,
    'cubes',
    '--backend',
    'webgpu',
  );
  refused(/--fast/, /pfront bench --help/, 'cubes', '--fast');
});

gpuTest.proof(
  'with a GPU, the table has a row for it, and the remarks have its name and counters',
  async () => {
    for (const name of ['worm-gear', 'random-courses']) {
      const { rows, remarks } = json(name, '--quick', '--threads', '1', '--backend', 'webgpu');
      assert.ok(
        rows.some(({ measure, ours }) => measure === 'all triangle pairs, GPU' && ours!.milliseconds > 0),
        name,
      );
      assert.ok(
        rows.some(({ measure, ours }) => measure === 'all triangle pairs' && ours!.milliseconds > 0),
        name,
      );
      assert.ok(
        remarks.some(text => /^GPU: \S/.test(text)),
        name,
      );
      assert.match(
        remarks.find(text => text.startsWith('On average per frame'))!,
        /[1-9][\d,]* front nodes, \d+ passes below the front, [1-9][\d,]* box pairs tested, [1-9][\d,]* leaf pairs, [\d,]+ triangle pairs decided/,
      );
      assert.not.ok(
        remarks.some(text => text.includes('answered by the CPU')),
        name,
      );
    }
  },
);

test('without a GPU, --backend webgpu is refused with a message that says how to get one', () => {
  const none =
    "data:text/javascript,Object.defineProperty(globalThis,'navigator',{value:{gpu:{requestAdapter:async()=>null}}})";
  const { status, stdout, stderr } = run([
    '--import',
    none,
    MAIN,
    'bench',
    'worm-gear',
    '--quick',
    '--backend',
    'webgpu',
  ]);
  assert.is(status, 2, stderr);
  assert.is(stdout, '');
  assert.match(
    stderr,
    /^pfront: --backend webgpu: .*no adapter was found\nfix: .*npm install webgpu.*Vulkan.*omit --backend/,
  );
});

test.run();
