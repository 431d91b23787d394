// Runs the built command `pfront clash` as users run it, and checks tables, JSON, exit codes and messages.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { writeGlb } from '../../dist/cli/writeGlb.js';
import { readParts } from '../../dist/formats/readParts.js';
import { text } from '../formats/smallFiles.js';
import { trianglePairs } from '../oracle/bruteForce.js';
import { MAIN } from '../support/commandLine.js';
import { dataPath, dataTest } from '../support/data.js';
import { test } from '../support/test.js';

const folder = mkdtempSync(join(tmpdir(), 'clash-'));
test.after(() => rmSync(folder, { recursive: true }));

function pfront(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return { status, stdout, stderr };
}

function json(...args: string[]) {
  const { status, stdout, stderr } = pfront('clash', ...args, '--json');
  assert.is(status, 0, stderr);
  return JSON.parse(stdout);
}

function file(name: string, bytes: Uint8Array): string {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
}

// A unit cube of 12 triangles, centered at the origin.
const CUBE = {
  positions: Float32Array.from({ length: 24 }, (_, i) => ((Math.floor(i / 3) >> (i % 3)) & 1) - 0.5),
  indices: Uint32Array.of(
    0,
    2,
    3,
    0,
    3,
    1,
    4,
    5,
    7,
    4,
    7,
    6,
    0,
    1,
    5,
    0,
    5,
    4,
    2,
    6,
    7,
    2,
    7,
    3,
    0,
    4,
    6,
    0,
    6,
    2,
    1,
    3,
    7,
    1,
    7,
    5,
  ),
};
const cubeAt = (name: string, x: number, y = 0, z = 0) => ({
  name,
  ...CUBE,
  transform: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1),
});

const row = file(
  'row.glb',
  writeGlb([
    cubeAt('left', 0),
    cubeAt('middle', 0.75, 0.25, 0.125),
    cubeAt('touching', 1.75, 0.25, 0.125),
    cubeAt('far', 9),
  ]),
);
const apart = file('apart.glb', writeGlb([cubeAt('left', 0), cubeAt('right', 1.0000001)]));
const left = file('left.glb', writeGlb([cubeAt('cube', 0)]));
const single = {
  name: 'cube',
  positions: Float32Array.of(0.2, 0, 0, 2, 0, 0, 2, 1, 0),
  indices: Uint32Array.of(0, 1, 2),
  transform: cubeAt('', 0).transform,
};
const all = [
  cubeAt('left', 0),
  cubeAt('middle', 0.75, 0.25, 0.125),
  cubeAt('touching', 1.75, 0.25, 0.125),
  cubeAt('far', 9),
  cubeAt('cube', 0),
  single,
  cubeAt('left', 0),
  cubeAt('right', 1.0000001),
  cubeAt('cube', 0),
];
const right = file(
  'right.obj.gz',
  new Uint8Array(gzipSync(text('o cube', 'v 0.2 0 0', 'v 2 0 0', 'v 2 1 0', 'f 1 2 3'))),
);

test('the table lists the clashes with names and classes, worst first, and then totals', () => {
  const { status, stdout, stderr } = pfront('clash', row, '--classes', 'all');
  assert.is(status, 0, stderr);
  assert.is(stderr, '');
  const lines = stdout.split('\n');
  assert.match(lines[0], /part +clashes with +class +detail +volume +size +triangle pairs/);
  assert.equal(
    lines.slice(2, 4).map(line => /^(\w+) +(\w+) +(\w+) /.exec(line)!.slice(1).join(' ')),
    ['left middle hard', 'middle touching coplanar'],
  );
  assert.match(lines[2], /hard +overlap depth 250 mm, penetration depth 250 mm +[\d.,]+ c?m³ +875 mm +\d+$/);
  assert.match(
    stdout,
    /2 clashes: 1 hard, 1 coplanar; \d+ triangle pairs\n4 parts, 48 triangles, 2 pairs of overlapping boxes; \d+ ms on \d+ thread/,
  );
  assert.not.match(stdout, /\x1b/);
});

test('JSON lists parts, totals, and clashes with indices and names; clashes are the same for any number of threads', () => {
  const { parts, clashes, totals, threads, ms, notes } = json(row, '--classes', 'all', '--threads', '1');
  assert.equal(
    parts.map(({ name, triangles }: any) => [name, triangles]),
    [
      ['left', 12],
      ['middle', 12],
      ['touching', 12],
      ['far', 12],
    ],
  );
  assert.equal(
    clashes.map(({ a, b, nameA, nameB }: any) => [a, b, nameA, nameB]),
    [
      [0, 1, 'left', 'middle'],
      [1, 2, 'middle', 'touching'],
    ],
  );
  assert.is(
    clashes.reduce((sum: number, { trianglePairs }: any) => sum + trianglePairs, 0),
    totals.trianglePairs,
  );
  assert.equal([totals.parts, totals.triangles, totals.boxPairs, totals.clashes], [4, 48, 2, 2]);
  assert.is(threads, 1);
  assert.type(ms, 'number');
  assert.equal(notes, []);
  const again = json(row, '--classes', 'all', '--threads', '3');
  assert.is(again.threads, 3);
  assert.equal(again.clashes, clashes);
});

test('a scene without a clash, or with one part, is reported in a sentence', () => {
  const none = pfront('clash', apart, '--fail-on', 'any');
  assert.is(none.status, 0, none.stderr);
  assert.match(none.stdout, /^No clashes: no two of the 2 parts share a point\./);
  const single = pfront('clash', left);
  assert.match(single.stdout, /only one part, cube.*--split components/);
  assert.is(single.status, 0);
});

test('two files form one scene, and equal names are made different', () => {
  const { parts, clashes } = json(left, right);
  assert.equal(
    parts.map(({ name, file }: any) => [name, file]),
    [
      ['cube', left],
      ['cube (2)', right],
    ],
  );
  assert.is(clashes.length, 1);
});

test('any number of files form one scene, and parts of one file are also compared', () => {
  const files = [row, left, right, apart, left];
  const { parts, clashes, totals } = json(...files, '--classes', 'all');
  assert.equal(
    parts.map((part: any) => part.file),
    [row, row, row, row, left, right, apart, apart, left],
  );
  const pairs = clashes.map(({ a, b }: any) => `${a}-${b}`);
  assert.ok(pairs.includes('0-1') && pairs.includes('1-2'), 'within the first file');
  assert.ok(pairs.includes('0-4') && pairs.includes('4-8') && pairs.includes('0-6'), 'between files');
  assert.not.ok(pairs.includes('6-7'));
  // One file that contains the same parts gives the same result.
  const one = json(
    file('one.glb', writeGlb(parts.map((_: any, i: number) => ({ ...all[i], name: `${i}` })))),
    '--classes',
    'all',
  );
  assert.equal(
    [one.clashes.map(({ a, b, trianglePairs }: any) => [a, b, trianglePairs]), one.totals.trianglePairs],
    [clashes.map(({ a, b, trianglePairs }: any) => [a, b, trianglePairs]), totals.trianglePairs],
  );
});

test('--fail-on any gives exit code 1 if a clash is listed', () => {
  assert.is(pfront('clash', row, '--fail-on', 'any').status, 1);
  assert.is(pfront('clash', row, '--fail-on=any', '--json').status, 1);
  assert.is(pfront('clash', row).status, 0);
});

test('--split components splits parts', () => {
  const both = {
    name: 'both',
    positions: Float32Array.of(...CUBE.positions, ...CUBE.positions.map(value => value + 0.5)),
    indices: Uint32Array.of(...CUBE.indices, ...CUBE.indices.map(vertex => vertex + 8)),
    transform: cubeAt('', 0).transform,
  };
  const whole = file('both.glb', writeGlb([both]));
  assert.is(json(whole).clashes.length, 0);
  const { parts, clashes } = json(whole, '--split', 'components');
  assert.equal(
    parts.map(({ name }: any) => name),
    ['both #1', 'both #2'],
  );
  assert.is(clashes.length, 1);
});

test('--stats draws the work of every thread, and adds the statistics to JSON', () => {
  const { stdout } = pfront('clash', row, '--stats', '--threads', '2');
  assert.match(stdout, /thread +box tests +triangle tests +exact +pairs/);
  assert.match(stdout, /\u2588/);
  for (const word of ['imbalance', 'starting nodes', 'threads worthwhile', 'bytes in total'])
    assert.match(stdout, word);
  const { stats, totals } = json(row, '--classes', 'all', '--stats', '--threads', '2');
  assert.is(
    stats.threads.reduce((sum: number, { pairs }: any) => sum + pairs, 0),
    totals.trianglePairs,
  );
  assert.match(pfront('clash', apart, '--stats').stdout, /none, because no oriented boxes/);
});

test.slow('invalid input gives exit code 2, one line and a fix, and nothing on standard output', () => {
  const broken = file('broken.ply', text('ply', 'format ascii 1.0', 'element vertex 9'));
  const brokenOff = file('broken.off', text('OFF', '3 1 0', '0 0 0', '1 0'));
  const brokenThreeMf = file('broken.3mf', text('PK'));
  const points = file('points.obj', text('v 0 0 0'));
  const cases: [string[], RegExp][] = [
    [[], /no command/],
    [['crash'], /"crash" is not a command/],
    [['clash'], /requires a file/],
    [['clash', row, row, join(folder, 'gone.stl')], /gone\.stl/],
    [['clash', '--frobnicate', row], /--frobnicate/],
    [['clash', row, '--threads', '0'], /--threads 0/],
    [['clash', row, '--threads', 'many'], /--threads many/],
    [['clash', row, '--threads'], /threads/],
    [['clash', row, '--split', 'atoms'], /--split atoms/],
    [['clash', row, '--fail-on', 'none'], /--fail-on none/],
    [['clash', row, '--json=yes'], /json/],
    [['clash', join(folder, 'gone.stl')], /gone\.stl: does not exist/],
    [['clash', join(folder, 'notes.txt')], /has no file extension that can be read/],
    [['clash', folder], /has no file extension that can be read/],
    [['clash', broken], /broken\.ply: the header has no end_header line/],
    [['clash', row, broken], /broken\.ply/],
    [['clash', brokenOff], /broken\.off: line 4: the vertex has 2 numbers, not 3/],
    [['clash', brokenThreeMf], /broken\.3mf: is not a complete zip archive/],
    [['clash', points], /contains no triangles/],
    [['doctor', 'now'], /now/],
  ];
  for (const [args, message] of cases) {
    const { status, stdout, stderr } = pfront(...args);
    assert.is(status, 2, `${args.join(' ')}: ${stderr}`);
    assert.is(stdout, '');
    assert.match(stderr, /^pfront: [^\n]+\nfix: [^\n]+\n$/);
    assert.match(stderr, message);
  }
});

test.slow('help, --version and doctor print the options, the version, the checks and the headers', () => {
  assert.match(pfront('--help').stdout, /pfront clash FILE \[FILE \.\.\.\]/);
  for (const option of [
    '--json',
    '--report',
    '--stats',
    '--threads',
    '--split components',
    '--fail-on LIST',
    '--clearance',
    '--tolerance',
    '--units',
    '--up',
    '--classes',
    '--allow',
    '--between A B',
    '--rules FILE.json',
    '--include-related',
    '--group BY',
    '--regions',
  ])
    assert.match(pfront('clash', '--help').stdout, option);
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  assert.is(pfront('--version').stdout, `${version}\n`);
  const { status, stdout } = pfront('doctor');
  assert.is(status, 0);
  for (const word of [
    process.version,
    'SIMD',
    'threads',
    'cores',
    'memory',
    'WebGPU',
    'Cross-Origin-Opener-Policy: same-origin',
    'Cross-Origin-Embedder-Policy: require-corp',
  ])
    assert.ok(stdout.includes(word), word);
});

test.slow(
  'control characters in names are not written to the terminal, and only 20 of 1,035 clashes have rows',
  () => {
    const stack = Array.from({ length: 46 }, (_, i) => cubeAt(`evil \x1b[31m${i}\n`, i / 1000));
    const { stdout } = pfront('clash', file('stack.glb', writeGlb(stack)));
    assert.not.match(stdout, /\x1b/);
    assert.is(stdout.split('\n').filter(line => line.startsWith('evil ?[31m')).length, 20);
    assert.match(stdout, /\n1,015 more in --report FILE.html or --json\n/);
  },
);

// The published data lists 82 part pairs, computed from vertices that were rounded to float32. pfront places
// vertices in double precision. With this precision, the parts of two of the 82 pairs are disjoint. The end of
// the test confirms this by brute force.
dataTest('parts of an assembly have their names, and their clashes have an overlap depth', () => {
  // Many faces of the parts do not quite meet. Clashes are measured with closed gaps.
  const { clashes, parts, totals } = json(
    dataPath('assembly/2CylinderEngine.glb'),
    ...['--classes', 'all', '--between', 'name:rod_*', '*'],
  );
  assert.equal([totals.parts, totals.triangles, clashes.length], [67, 121_496, 5]);
  assert.ok(clashes.every(({ overlapDepth }: any) => overlapDepth));
  assert.ok(parts.some(({ gaps }: any) => gaps));
  assert.equal(
    parts.slice(0, 3).map(({ name }: any) => name),
    ['body', 'body (2)', 'Lifter_123-923_0_Parts_1'],
  );
  assert.ok(
    clashes.some(
      ({ nameA, nameB }: any) => nameA === 'rod_123-699_0_Parts_1' && nameB === 'Piston_123-844_0_Parts_1',
    ),
  );
});

dataTest.proof('the correct pairs of an assembly clash, each with an overlap depth', async () => {
  const path = dataPath('assembly/2CylinderEngine.glb');
  const truth = JSON.parse(
    readFileSync(dataPath('assembly/2CylinderEngine-truth-corrected.json'), 'utf8'),
  ) as { part_pairs: number[][] };
  const { clashes, parts, totals } = json(path, '--classes', 'all');
  assert.equal([totals.parts, totals.triangles, clashes.length], [67, 121_496, 80]);
  assert.is(totals.trianglePairs, 27_003);
  // Many faces of the parts do not quite meet. Clashes are measured with closed gaps.
  assert.is(clashes.filter(({ overlapDepth }: any) => overlapDepth).length, 80);
  assert.ok(parts.filter(({ gaps }: any) => gaps).length > 30);
  const found = new Set(clashes.map(({ a, b }: any) => `${a}-${b}`));
  assert.equal(
    truth.part_pairs.map(([a, b]) => `${a}-${b}`).filter(pair => !found.has(pair)),
    ['45-46', '54-55'],
  );
  assert.ok(clashes.every(({ a, b }: any) => truth.part_pairs.some(pair => pair[0] === a && pair[1] === b)));
  const read = await readParts(path);
  for (const [a, b] of [
    [45, 46],
    [54, 55],
  ])
    assert.is(trianglePairs(read[a], read[a].transform, read[b], read[b].transform).length, 0);
});

test.run();
