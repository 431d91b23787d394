// Tests that `pfront clash --baseline` reports which clashes are new, still open or resolved, regardless of the
// order of the elements, and that it refuses baselines that cannot be compared.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { Baseline } from '../../dist/cli/clash/baseline.js';
import { compareWithBaseline } from '../../dist/cli/clash/compareWithBaseline.js';
import { InvalidBaseline } from '../../dist/cli/clash/earlierRun.js';
import { writeGlb } from '../../dist/cli/writeGlb.js';
import { type Beam, beam, ifc } from '../formats/smallIfc.js';
import { test } from '../support/test.js';
import { all, type Box, clash, cube, file, folder, json, mesh, near, obj } from './clashSupport.js';

test.after(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
/** Runs without a baseline, stores the JSON as a baseline for later runs, and returns its path. */
function baselineOf(...args: string[]): string {
  const { status, stdout, stderr } = clash(...args, '--json');
  assert.is.not(status, 2, stderr);
  return file(`baseline${count++}.json`, stdout);
}

const pair = ({ nameA, nameB }: any): string => [nameA, nameB].sort().join('/');
/** Returns the clashes of a run as strings `nameA/nameB status`, sorted. */
const statuses = ({ clashes }: any): string[] =>
  clashes.map((one: any) => `${pair(one)} ${one.status}`).sort();
const ended = (list: any[]): string[] =>
  list.map(({ partA, partB }: any) => [partA.name, partB.name].sort().join('/')).sort();

const BEAMS = [
  beam('a', [0, 0, 0], [1, 1, 1]),
  beam('b', [0.5, 0, 0], [1, 1, 1]),
  beam('c', [10, 0, 0], [1, 1, 1]),
  beam('d', [10.5, 0, 0], [1, 1, 1]),
];
const house = (name: string, beams: Beam[], unit?: string): string => file(name, ifc(beams, unit));
const moved = (beams: Beam[], changes: Record<string, [number, number, number]>): Beam[] =>
  beams.map(one => ({ ...one, at: changes[one.name] ?? one.at }));

/** Reverses the order of the elements of an IFC file. Record numbers and GlobalIds stay. */
function reversed(text: string): string {
  const lines = text.split('\n');
  const isElement = (line: string): boolean => /^#\d+=IFCBEAM\(/.test(line);
  const elements = lines.filter(isElement).reverse();
  return lines.map(line => (isElement(line) ? elements.shift() : line)).join('\n');
}

test('if a model is unchanged, all its clashes are open, in any order of its elements, and the run does not fail', () => {
  const before = baselineOf(house('before.ifc', BEAMS));
  const now = json(file('after.ifc', reversed(ifc(BEAMS))), '--baseline', before, '--fail-on', 'any');
  assert.is(now.status, 0);
  assert.is(now.parts[0].name, 'IfcBeam d', 'the order of the parts has changed');
  assert.equal(statuses(now), ['IfcBeam a/IfcBeam b open', 'IfcBeam c/IfcBeam d open']);
  assert.equal([now.resolved, now.unchecked, now.baseline], [[], [], before]);
});

test('a clash with a new pair of GUIDs is new and fails the run; a clash that no longer exists is resolved', () => {
  const before = baselineOf(house('before.ifc', BEAMS));
  const path = house('after.ifc', moved(BEAMS, { a: [10, 0.5, 0] }));
  const now = json(path, '--baseline', before, '--fail-on', 'hard');
  assert.is(now.status, 1);
  assert.equal(statuses(now), [
    'IfcBeam a/IfcBeam c new',
    'IfcBeam a/IfcBeam d new',
    'IfcBeam c/IfcBeam d open',
  ]);
  assert.equal(ended(now.resolved), ['IfcBeam a/IfcBeam b']);
  assert.is(now.resolved[0].partA.id.length, 22);
  const { stdout } = clash(path, '--baseline', before);
  assert.match(stdout, /^status +part/);
  assert.match(stdout, /compared with .*: 2 new, 1 still open, 1 resolved\n/);
});

test('elements that have GUIDs are recognized by these GUIDs, even if their names and places change', () => {
  const before = baselineOf(house('before.ifc', BEAMS));
  const after = moved(BEAMS, { a: [500, 0, 0], b: [500.5, 0, 0] });
  after[0] = { ...after[0]!, name: 'renamed' };
  const now = json(house('after.ifc', after), '--baseline', before, '--fail-on', 'any');
  assert.equal([now.status, now.resolved], [0, []]);
});

test('elements without GUIDs are recognized by their names and places', () => {
  const boxes = [cube('x', 0), cube('y', 50), cube('p', 1000), cube('q', 1050)];
  const before = baselineOf(obj('before.obj', boxes));
  const far = [cube('x', 0), cube('y', 50), cube('p', 3000), cube('q', 3050)];
  const now = json(obj('after.obj', far.reverse()), '--baseline', before);
  assert.equal(statuses(now), ['p/q new', 'x/y open']);
  assert.equal(ended(now.resolved), ['p/q']);
});

// Makes a pair of boxes at each place. All pairs have the same two names, so the reader adds numbers to the
// names, in the order of the file.
const twins = (...places: number[]): Box[] => places.flatMap(x => [cube('box', x), cube('pin', x + 50)]);

test('parts with equal names are told apart by their places, in any order of the elements', () => {
  const before = baselineOf(obj('before.obj', twins(0, 1000, 2000)));
  for (const order of [twins(3000, 2000, 0), twins(0, 2000, 3000)]) {
    const now = json(obj('after.obj', order), '--baseline', before, '--fail-on', 'any');
    assert.is(now.status, 1);
    const at = (status: string): number[] =>
      now.clashes
        .filter((one: any) => one.status === status)
        .map((one: any) => one.box.min[0])
        .sort();
    assert.equal([at('open'), at('new')], [[2050, 50], [3050]]);
    assert.equal(
      now.resolved.map(({ box }: any) => box.min[0]),
      [1050],
    );
  }
});

test('places that differ only because an export rounds coordinates differently count as the same place', () => {
  const before = baselineOf(
    obj('before.obj', [cube('x', 5000), cube('y', 5100, 100, 100)]),
    ...['--classes', 'all'],
  );
  const rounded = obj('after.obj', [cube('x', 5000.001), cube('y', 5100.001, 100, 100)]);
  assert.equal(statuses(json(rounded, '--classes', 'all', '--baseline', before)), ['x/y open']);
});

test('a clash with a worse class than before is new', () => {
  const before = baselineOf(obj('before.obj', [cube('x', 0), cube('y', 100)]), '--classes', 'all');
  const now = json(
    obj('after.obj', [cube('x', 0), cube('y', 99)]),
    '--classes',
    'all',
    '--baseline',
    before,
    '--fail-on',
    'hard',
  );
  assert.is(now.status, 1);
  assert.equal([now.clashes[0].status, now.clashes[0].previousClass, now.resolved], ['new', 'coplanar', []]);
  const back = json(
    obj('back.obj', [cube('x', 0), cube('y', 100)]),
    ...['--baseline', baselineOf(obj('deep.obj', [cube('x', 0), cube('y', 99)]), '--classes', 'all')],
    ...['--classes', 'all', '--fail-on', 'any'],
  );
  assert.equal([back.status, back.clashes[0].status, back.clashes[0].previousClass], [0, 'open', 'hard']);
});

test('allowed clashes are neither new nor resolved; a clash that is no longer allowed is new', () => {
  const allow = file('allow.txt', 'deep 1, deep 2\n');
  const before = baselineOf(all);
  const now = json(all, '--allow', allow, '--baseline', before, '--fail-on', 'any');
  assert.equal([now.status, now.resolved, now.allowed.length], [0, [], 1]);
  const later = json(all, '--baseline', baselineOf(all, '--allow', allow), '--fail-on', 'any');
  assert.is(later.status, 1);
  assert.equal(
    statuses(later).filter(text => text.endsWith('new')),
    ['deep 1/deep 2 new'],
  );
});

test('clashes of elements that could not be read are unchecked, not resolved', () => {
  const before = baselineOf(house('before.ifc', BEAMS));
  const faulty = file('faulty.ifc', ifc(BEAMS).replace('#206=IFCEXTRUDEDAREASOLID(', '#206=IFCSOLID('));
  const { status, stdout } = clash(faulty, '--baseline', before, '--json');
  const now = JSON.parse(stdout);
  assert.is(status, 4);
  assert.equal([now.resolved, ended(now.unchecked)], [[], ['IfcBeam a/IfcBeam b']]);
  assert.match(clash(faulty, '--baseline', before).stdout, /0 new, 1 still open, 0 resolved, 1 unchecked/);
});

test('the lengths of the baseline are converted if an added file changes the unit of the run', () => {
  const glb = file(
    'meters.glb',
    writeGlb(
      [cube('x', 0), cube('y', 50)].map(box => ({
        name: box.name,
        ...mesh(box, 1e-3),
        transform: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 7, 0, 0, 1),
      })),
    ),
  );
  const before = baselineOf(glb, '--tolerance', '1mm');
  const far = house('far.ifc', [beam('far', [1e6, 0, 0], [1, 1, 1])], 'MILLI');
  const now = json(glb, far, '--tolerance', '1mm', '--baseline', before);
  assert.equal([now.unit, statuses(now)], ['mm', ['x/y open']]);
  const gone = json(far, '--tolerance', '1mm', '--baseline', before);
  near(gone.resolved[0].depth, 50);
  near(gone.resolved[0].box.min[0], 7050);
});

test('CSV and JUnit have the status; in JUnit, open clashes are skipped tests, and resolved clashes are passed tests', () => {
  const [table, xml] = ['status.csv', 'status.xml'].map(name => join(folder, name));
  const before = baselineOf(house('before.ifc', BEAMS));
  const path = house('after.ifc', moved(BEAMS, { a: [10, 0.5, 0] }));
  const { status } = clash(path, '--baseline', before, '--csv', table!, '--junit', xml!);
  assert.is(status, 0, 'without --fail-on, new clashes do not fail');
  const rows = readFileSync(table!, 'utf8').trimEnd().split('\r\n').slice(1);
  assert.equal(rows.map(row => row.split(',')[0]).sort(), ['new', 'new', 'open', 'resolved']);
  const columns = new Set(rows.map(row => row.split(',').length));
  assert.is(columns.size, 1);
  const text = readFileSync(xml!, 'utf8');
  assert.match(text, /<testsuite name="hard" tests="4" failures="2" errors="0" skipped="1">/);
  assert.match(text, /name="resolved: IfcBeam a \[/);
});

test('a baseline that is missing, damaged or of another kind is refused, and no file is written', async () => {
  const good = JSON.parse(readFileSync(baselineOf(all), 'utf8'));
  const [first] = good.clashes;
  const changed = (change: object): string => JSON.stringify({ ...good, ...change });
  const written = join(folder, 'never.csv');
  for (const [text, message] of [
    ['', /is empty/],
    ['{"format": "pfront', /is not JSON/],
    ['[]', /is not the output of pfront clash --json/],
    ['null', /is not the output of pfront clash --json/],
    [changed({ format: 'pfront certificate' }), /"format" is not "pfront clash"/],
    [changed({ version: 2 }), /has version "2", but/],
    [changed({ parts: 1 }), /parts is not a list/],
    [changed({ parts: [{ ...good.parts[0], id: 5 }] }), /parts\[0\]\.id is not a string/],
    [changed({ clashes: [{ ...first, a: 99 }] }), /clashes\[0\]\.a is not the index of a part/],
    [changed({ clashes: [{ ...first, b: 'length' }] }), /clashes\[0\]\.b is not the index of a part/],
    [changed({ clashes: [{ ...first, class: 'soft' }] }), /clashes\[0\]\.class is not a class/],
    [changed({ clashes: [{ ...first, box: undefined }] }), /clashes\[0\]\.box is not an object/],
    [changed({ clashes: [{ ...first, point: [1, 2, null] }] }), /point is not a list of three numbers/],
    [changed({ tolerance: 'x' }), /tolerance is not a number/],
    [changed({ unit: 'parsec' }), /unit is not a unit/],
  ] as const) {
    const error = await Baseline.read(file('bad.json', text)).catch(problem => problem);
    assert.instance(error, InvalidBaseline);
    assert.match(error.message, message);
    assert.match(error.message, /^bad\.json: /);
    assert.match(error.fix, / with pfront clash --json, to a different file/);
  }
  const other = await Baseline.read(file('bad.json', '[]')).catch(problem => problem);
  assert.is(other.fix, 'Write it with pfront clash --json, to a different file than the output of this run.');
  const { status, stderr, stdout } = clash(all, '--baseline', file('bad.json', ''), '--csv', written);
  assert.equal([status, stdout], [2, '']);
  assert.match(stderr, /^pfront: bad\.json: is empty\nfix: /);
  assert.match(
    clash(all, '--baseline', join(folder, 'no.json')).stderr,
    /no\.json: cannot be read \(ENOENT\)/,
  );
  assert.not.ok(existsSync(written));
});

test('a baseline of a run with other options is refused, because clashes would seem new or resolved', () => {
  const plain = baselineOf(all);
  const hard = baselineOf(all, '--classes', 'hard');
  for (const [before, args, message] of [
    [plain, ['--tolerance', '1'], /was written with --tolerance 0, but this run has --tolerance 1/],
    [plain, ['--units', 'mm'], /its unit is unknown, but the unit of this run is mm/],
    [plain, ['--up', 'z'], /was written without --up/],
    [plain, ['--clearance', '10'], /was written with --clearance 0/],
    [hard, ['--classes', 'all'], /does not list the classes contained, coplanar, touch/],
    [hard, ['--classes', 'hard', '--fail-on', 'touch'], /does not list the class touch/],
  ] as const) {
    const { status, stderr } = clash(all, '--baseline', before, ...args);
    assert.is(status, 2, `${message}`);
    assert.match(stderr, message);
  }
  assert.is(json(all, '--baseline', plain, '--classes', 'hard', '--fail-on', 'hard').status, 0);
});

test('a clearance clash between parallel faces is still open if the order of the faces in the file changes', () => {
  const plates = [cube('low', 0), { ...cube('high', 0), at: [0, 0, 105] as [number, number, number] }];
  const text = readFileSync(obj('plates.obj', plates), 'utf8');
  const lines = text.split('\n');
  const faces = lines.filter(line => line.startsWith('f '));
  const own = (first: number): string[] => faces.slice(first, first + faces.length / 2).reverse();
  const swapped = [...own(0), ...own(faces.length / 2)];
  const turned = lines.map(line => (line.startsWith('f ') ? swapped.shift()! : line)).join('\n');
  assert.is.not(turned, text);
  const before = baselineOf(file('plates.obj', text), '--clearance', '10');
  const now = json(file('turned.obj', turned), '--clearance', '10', '--baseline', before);
  assert.equal(statuses(now), ['high/low open']);
});

test('clashes of classes that a run does not list are neither resolved nor unchecked', () => {
  const before = baselineOf(all);
  const now = json(all, '--classes', 'hard,hard', '--baseline', before);
  assert.equal(now.classes, ['hard']);
  assert.equal([now.resolved, now.unchecked], [[], []]);
});

test('clashes of a part stay open if the names of its parents are added to its name', () => {
  const before = baselineOf(obj('one.obj', [cube('bolt', 0), cube('plate', 50)]));
  const now = json(obj('two.obj', [cube('frame/bolt', 0), cube('plate', 50)]), '--baseline', before);
  assert.equal(statuses(now), ['frame/bolt/plate open']);
});

test('a baseline with another deflection is refused', () => {
  const content = JSON.parse(clash(all, '--json').stdout);
  const other = file('fine.json', JSON.stringify({ ...content, deflection: 1 }));
  return Baseline.read(other).then(baseline => {
    const run = {
      unit: undefined,
      up: undefined,
      measures: { clearance: 0, tolerance: 0 },
      classes: [],
      includesRelated: false,
      rules: undefined,
    };
    assert.throws(
      () => baseline.clashesFor({ ...run, deflection: 0.1 }),
      (error: Error) =>
        error instanceof InvalidBaseline && /--deflection 1mm, but this run has/.test(error.message),
    );
    assert.equal(baseline.clashesFor({ ...run, deflection: 1 }), []);
  });
});

test('a clash that is no longer found is unchecked, not resolved, if the file of one of its two parts was read incompletely and it is unknown which parts are missing', () => {
  const parts = ['a', 'b', 'c', 'd'].map((name, i) => ({ name, file: i < 2 ? 'old/x.stp' : 'y.stp' }));
  const box = { min: [0, 0, 0], max: [1, 1, 1] };
  const baseline = [0, 2].map(i => ({ a: parts[i], b: parts[i + 1], class: 'hard', box }));
  const unread = [{ name: 'the file', reason: 'has 2 solids', isAnyPart: true, file: 'new/x.stp' }];
  const found = compareWithBaseline('old.json', baseline as never, [], parts, new Map(), unread);
  assert.equal(
    [found.unchecked, found.resolved].map(list => list.map(({ a }) => a.name)),
    [['a'], ['c']],
  );
});

test('an output file must not be an input', () => {
  const list = file('allow.csv', 'a,b\n');
  const { status, stderr } = clash(all, '--allow', list, '--csv', list);
  assert.is(status, 2);
  assert.match(stderr, /allow\.csv is an input file, so it cannot also be an output file/);
  assert.is(readFileSync(list, 'utf8'), 'a,b\n');
});

test.run();
