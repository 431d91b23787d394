// Tests `pfront clash --animation --baseline`: which pairs are new, still open, resolved or unchecked.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse as parseCsv } from 'csv-parse/sync';
import { unzipSync } from 'fflate';
import * as assert from 'uvu/assert';
import { box } from '../../dist/samples/index.js';
import { gltf, type TestChannel } from '../support/animatedGltf.js';
import { test } from '../support/test.js';
import { readJUnit } from './junitSchema.js';
import { assertValid, clash, file, folder, json } from './motionSupport.js';

test.after(() => rmSync(folder, { recursive: true, force: true }));

/** A cube of edge length 2 m that slides along x from 0 to 20 m, at the given y. */
interface Cart {
  name: string;
  y: number;
}
const slide = (node: number, y: number): TestChannel => ({
  node,
  path: 'translation',
  times: [0, 2],
  values: [0, y, 0, 20, y, 0],
});
const wallAt = (name: string, x: number, y: number) => ({ name, mesh: 1, translation: [x, y, 0] });

/** Writes a file with carts that slide, each in its own lane, and with walls that the carts may hit. */
function track(name: string, carts: Cart[], walls: ReturnType<typeof wallAt>[], motion = 'run'): string {
  const nodes = [...carts.map(({ name, y }) => ({ name, mesh: 0, translation: [0, y, 0] })), ...walls];
  const channels = carts.map(({ y }, node) => slide(node, y));
  return file(
    name,
    gltf([box(1, 1, 1), box(0.5, 2, 2)], nodes, [
      { name: motion, channels },
      { name: 'first', channels: channels.slice(0, 1) },
    ]),
  );
}
const CARTS = [
  { name: 'a', y: 0 },
  { name: 'b', y: 50 },
];
const WALLS = [wallAt('wall a', 10, 0), wallAt('wall b', 10, 50)];
const ALL = ['--animation', 'all'];

/** Runs on a file, stores the JSON as a baseline for later runs, and returns its path. */
function baselineOf(path: string, ...args: string[]): string {
  const { stdout, stderr, status } = clash(path, ...args, '--json');
  assert.not.equal(status, 2, stderr);
  return file(`old ${path.split('/').at(-1)}.json`, stdout);
}
const statuses = ({ motions }: any) =>
  motions.flatMap(({ name, pairs }: any) =>
    pairs.map(({ nameA, nameB, status }: any) => `${name}: ${nameA}, ${nameB} ${status}`),
  );
const names = (pairs: any[]) =>
  pairs.map(({ motion, partA, partB }) => `${motion}: ${partA.name}, ${partB.name}`);

test('if a model is unchanged, all its pairs are open, in any order of its parts, and the run does not fail', () => {
  const before = baselineOf(track('same.gltf', CARTS, WALLS), ...ALL);
  const path = track('same2.gltf', CARTS.toReversed(), WALLS.toReversed());
  const run = json(path, '--animation', 'run', '--baseline', before, '--fail-on', 'any');
  assertValid(run);
  assert.equal(statuses(run), ['run: b, wall b open', 'run: a, wall a open']);
  assert.equal([run.status, run.baseline, run.resolved, run.unchecked], [0, before, [], []]);
  assert.is(clash(path, ...ALL, '--fail-on', 'contact').status, 1, 'without the baseline, it fails');
});

test('new pairs fail the run, and pairs that no longer meet are resolved', () => {
  const before = baselineOf(track('old.gltf', CARTS, WALLS), ...ALL);
  const path = track('new.gltf', CARTS, [WALLS[0]!, wallAt('wall c', 15, 0)]);
  const run = json(path, ...ALL, '--baseline', before, '--fail-on', 'contact');
  assertValid(run);
  assert.is(run.status, 1);
  assert.equal(statuses(run), [
    'run: a, wall a open',
    'run: a, wall c new',
    'first: a, wall a open',
    'first: a, wall c new',
  ]);
  assert.equal(names(run.resolved), ['run: b, wall b']);
  const [gone] = run.resolved;
  assert.ok(gone.class === 'contact' && Math.abs(gone.first - 0.85) < 1e-3 && gone.duration > 0.29);
  assert.match(
    clash(path, ...ALL, '--baseline', before).stdout,
    /compared with .*: 2 new, 2 still open, 1 resolved/,
  );
  const only = json(path, '--animation', 'first', '--baseline', before, '--fail-on', 'near');
  assert.equal([only.status, only.resolved], [0, []], 'pairs of other animations are not compared');
});

test('the page and the BCF file say which pairs are new, and the page lists resolved pairs', () => {
  const before = baselineOf(track('old.gltf', CARTS, WALLS), ...ALL);
  const path = track('new.gltf', CARTS, [WALLS[0]!, wallAt('wall c', 15, 0)]);
  const [page, bcf] = [join(folder, 'compared.html'), join(folder, 'compared.bcf')];
  const { status, stderr } = clash(path, ...ALL, '--baseline', before, '--report', page, '--bcf', bcf);
  assert.is(status, 0, stderr);
  const html = readFileSync(page, 'utf8');
  const rows = [...html.matchAll(/<tr data-pair.*?<svg/g)].map(([row]) =>
    row
      .split('</td>')
      .slice(0, 3)
      .map(cell => cell.replaceAll(/<[^>]*>/g, '')),
  );
  assert.equal(rows, [
    ['a', 'wall a', 'contact'],
    ['a', 'wall c', 'contact new'],
    ['a', 'wall a', 'contact'],
    ['a', 'wall c', 'contact new'],
  ]);
  const name = basename(before);
  assert.match(html, `4 pairs in 2 motions; compared with ${name}: 2 new, 2 still open, 1 resolved. `);
  assert.match(
    html,
    `<summary>1 pair of ${name} resolved</summary><ul><li class="quiet">contact: <bdi>b</bdi>, <bdi>wall b</bdi> (<bdi>run</bdi>)</li></ul>`,
  );
  const topics = Object.entries(unzipSync(new Uint8Array(readFileSync(bcf))))
    .filter(([file]) => file.endsWith('markup.bcf'))
    .map(([, bytes]) => new TextDecoder().decode(bytes));
  const said = topics.map(topic => [
    topic.includes('<Labels>new</Labels>'),
    /compared with the baseline: (.*)/.exec(topic)![1],
    topic.includes('wall c'),
  ]);
  assert.equal(said.sort(), [
    [false, 'still open', false],
    [false, 'still open', false],
    [true, 'new', true],
    [true, 'new', true],
  ]);
});

test('a pair with a worse class than before is new', () => {
  const gap = (y: number) => track(`gap${y}.gltf`, CARTS, [WALLS[0]!, wallAt('wall b', 10, y)]);
  const options = ['--animation', 'run', '--clearance', '100mm'];
  const before = baselineOf(gap(53.05), ...options);
  const run = json(gap(52), ...options, '--baseline', before, '--fail-on', 'contact');
  assert.is(run.status, 1);
  const [, pair] = run.motions[0].pairs;
  assert.equal(
    [pair.nameB, pair.class, pair.status, pair.previousClass],
    ['wall b', 'contact', 'new', 'clearance'],
  );
  const worse = baselineOf(gap(52), ...options);
  const better = json(gap(53.05), ...options, '--baseline', worse, '--fail-on', 'any');
  const [, now] = better.motions[0].pairs;
  assert.equal([better.status, now.status, now.previousClass], [0, 'open', 'contact']);
});

test('parts with the same name are told apart by the times at which they meet', () => {
  const pins = (...xs: number[]) => xs.map(x => wallAt('pin', x, 0));
  const before = baselineOf(track('pins.gltf', [CARTS[0]!], pins(6, 16)), '--animation', 'run');
  const run = json(
    track('pins2.gltf', [CARTS[0]!], pins(16, 11, 6)),
    ...['--animation', 'run', '--baseline', before],
  );
  const byTime = run.motions[0].pairs
    .map(({ first, status }: any) => [Math.round(10 * first), status])
    .sort();
  assert.equal(byTime, [
    [14, 'open'],
    [4, 'open'],
    [9, 'new'],
  ]);
});

test('pairs of an animation that can no longer be checked are unchecked, not resolved', () => {
  const path = track('fine.gltf', CARTS, WALLS);
  const before = baselineOf(path, ...ALL);
  const content = JSON.parse(readFileSync(path, 'utf8'));
  const [run] = content.animations;
  run.channels.push({ sampler: 0, target: { node: 0, path: 'scale' } });
  const changed = json(file('deforms.gltf', content), ...ALL, '--baseline', before);
  assertValid(changed);
  assert.is(changed.status, 4);
  assert.equal(names(changed.unchecked), ['run: a, wall a', 'run: b, wall b']);
  assert.equal([changed.resolved, statuses(changed)], [[], ['first: a, wall a open']]);
});

test('allowed pairs are neither new nor resolved', () => {
  const path = track('allowed.gltf', CARTS, WALLS);
  const before = baselineOf(path, ...ALL);
  const run = json(path, ...ALL, '--baseline', before, '--allow', file('allow.txt', 'b, wall b\n'));
  assert.equal([statuses(run), run.resolved], [['run: a, wall a open', 'first: a, wall a open'], []]);
});

test('CSV and JUnit have the status; in JUnit, open pairs are skipped tests, and resolved pairs are passed tests', () => {
  const before = baselineOf(track('old.gltf', CARTS, WALLS), '--animation', 'run');
  const path = track('new.gltf', CARTS, [WALLS[0]!, wallAt('wall c', 15, 0)]);
  const [table, xml] = ['status.csv', 'status.xml'].map(name => join(folder, name));
  clash(path, '--animation', 'run', '--baseline', before, '--csv', table!, '--junit', xml!);
  const rows = parseCsv(readFileSync(table!, 'utf8'), { bom: true, columns: true }) as any[];
  assert.equal(
    rows.map(({ status, nameA, nameB }) => `${status} ${nameA}, ${nameB}`),
    ['open a, wall a', 'new a, wall c', 'resolved b, wall b'],
  );
  const { text, counts } = readJUnit(xml!);
  assert.equal(counts, { failures: 1, errors: 0, skipped: 1, tests: 3 });
  assert.match(text, /name="resolved: b \/ wall b"/);
});

test('a baseline that is damaged, of another kind, or of a run with other options is refused', () => {
  const path = track('plain.gltf', CARTS, WALLS);
  const text = readFileSync(baselineOf(path, ...ALL), 'utf8');
  const changed = (change: object): string => JSON.stringify({ ...JSON.parse(text), ...change });
  const { motions } = JSON.parse(text);
  const withPair = (change: object): string =>
    changed({ motions: [{ ...motions[0], pairs: [{ ...motions[0].pairs[0], ...change }] }] });
  const written = join(folder, 'never.csv');
  // The command in the fix writes a baseline of motions.
  const fix =
    /\nfix: Write it again with pfront clash --json with --animation or --robot, to a different file/;
  for (const [content, message, more] of [
    ['', /is empty/],
    ['', fix],
    ['{"format"', /is not JSON/],
    [changed({ format: 'pfront clash' }), /"format" is not "pfront motion"/],
    [changed({ version: 1 }), /has version "1", but/],
    [changed({ motions: 1 }), /motions is not a list/],
    [withPair({ a: 99 }), /motions\[0\]\.pairs\[0\]\.a is not the index of a part/],
    [withPair({ class: 'hard' }), /motions\[0\]\.pairs\[0\]\.class is not a class/],
    [withPair({ first: 'x' }), /motions\[0\]\.pairs\[0\]\.first is not a number/],
    [withPair({ first: undefined }), /motions\[0\]\.pairs\[0\]\.min is not an object/],
    [changed({ animation: 'first' }), /was written with --animation first, so the contacts of all other/],
    [changed({ animation: undefined }), /was written with --robot/],
    [text, /was written with --margin 0\.00001m, but this run has --margin 0\.001m/, ['--margin', '1mm']],
    [text, /was written with --clearance 0m/, ['--clearance', '1mm']],
    [text, /was written without --up/, ['--up', 'z']],
  ] as [string, RegExp, string[]?][]) {
    const { status, stdout, stderr } = clash(
      ...[path, ...ALL, '--baseline', file('bad.json', content), '--csv', written, ...(more ?? [])],
    );
    assert.equal([status, stdout], [2, ''], `${message} ${stderr}`);
    assert.match(stderr, message);
    assert.match(stderr, /^pfront: bad\.json: [^\n]+\nfix: [^\n]+\n$/);
  }
  assert.not.ok(existsSync(written));
  assert.match(
    clash(path, ...ALL, '--baseline', join(folder, 'no.json')).stderr,
    /no\.json: cannot be read \(ENOENT\)/,
  );
});

test.run();
