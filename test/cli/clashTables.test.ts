// Tests the files of `pfront clash --csv` and `--junit`, as parsers of other packages read them: csv-parse for
// CSV, and libxml2 for XML.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { XmlDocument } from 'libxml2-wasm';
import * as assert from 'uvu/assert';
import { writeGlb } from '../../dist/cli/writeGlb.js';
import { beam, ifc } from '../formats/smallIfc.js';
import { test } from '../support/test.js';
import { all, BOXES, clash, cube, file, folder, json, MAIN, mesh, obj } from './clashSupport.js';
import { readJUnit } from './junitSchema.js';

test.after(() => rmSync(folder, { recursive: true, force: true }));

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
/** Writes two cubes that overlap, with these names, in meters. */
function named(path: string, first: string, second: string): string {
  const boxes = [cube(first, 0), cube(second, 50)];
  return file(
    path,
    writeGlb(
      boxes.map(box => ({ name: box.name, ...mesh(box, 1e-3), transform: Float64Array.from(IDENTITY) })),
    ),
  );
}

type Row = Record<string, string>;
function csv(...args: string[]): { text: string; rows: Row[] } {
  const path = join(folder, 'clashes.csv');
  const { status, stderr } = clash(...args, '--csv', path);
  assert.is.not(status, 2, stderr);
  const text = readFileSync(path, 'utf8');
  return { text, rows: parse(text, { bom: true, columns: true }) };
}

/** Runs with --junit, and validates the file. Returns its text, the names of its suites and its counts. */
async function junit(...args: string[]) {
  const path = join(folder, 'clashes.xml');
  const { status, stderr } = clash(...args, '--junit', path);
  assert.is.not(status, 2, stderr);
  const { text, counts } = readJUnit(path);
  const suites = [...text.matchAll(/<testsuite name="(\w+)"/g)].map(([, name]) => name);
  return { status, text, suites, counts };
}

test('CSV has the listed clashes, worst first, with the numbers of the JSON', () => {
  const args = [all, '--clearance', '10', '--units', 'mm', '--classes', 'all'];
  const { text, rows } = csv(...args);
  const { clashes } = json(...args);
  assert.ok(text.startsWith('\ufeffstatus,class,rule,group,nameA,idA'));
  assert.is(rows.length, clashes.length);
  assert.equal(
    rows.map(row => row.class),
    ['hard', 'hard', 'contained', 'clearance', 'coplanar', 'touch', 'touch'],
  );
  assert.ok(clashes.some(({ separation }: any) => separation));
  for (const row of rows) {
    const found = clashes.find(({ nameA, nameB }: any) => nameA === row.nameA && nameB === row.nameB);
    const numbers = [row.depth, row.distance, row.size, row.x, row.y, row.z, row.minX, row.minY, row.minZ];
    assert.equal(numbers.map(Number), [
      ...[found.depth, found.distance, found.size],
      ...found.point,
      ...found.box.min,
    ]);
    assert.equal([row.maxX, row.maxY, row.maxZ].map(Number), found.box.max);
    assert.equal([row.unit, row.fileA, row.status], ['mm', all, '']);
    assert.is(Number(row.trianglePairs), found.trianglePairs);
    for (const name of ['overlapDepth', 'separation', 'volume', 'contactLength', 'contactArea'])
      assert.equal(
        [row[`${name}Min`], row[`${name}Max`]],
        found[name] ? [`${found[name].lower}`, `${found[name].upper}`] : ['', ''],
        name,
      );
    assert.is(row.inner, found.inner === undefined ? '' : found.inner === found.a ? 'a' : 'b');
    assert.is(row.duplicate, found.duplicate ? 'true' : '');
  }
});

test('CSV has the identity of IFC elements', () => {
  const model = ifc([beam('a', [0, 0, 0], [1, 1, 1]), beam('b', [0.5, 0, 0], [1, 1, 1])]).replace(
    /ENDSEC;\nEND-ISO/,
    [
      "#5000=IFCBUILDINGSTOREY('0000000000000000000001',$,'Level, 1',$,$,$,$,$,.ELEMENT.,0.);",
      "#5001=IFCRELCONTAINEDINSPATIALSTRUCTURE('0000000000000000000002',$,$,$,(#100),#5000);",
      "#5002=IFCPRESENTATIONLAYERASSIGNMENT(' =1+1',$,(#205),$);",
      'ENDSEC;\nEND-ISO',
    ].join('\n'),
  );
  const path = file('house.ifc', model);
  const [row] = csv(path).rows;
  const { parts } = json(path);
  assert.equal(
    [row!.idA, row!.idB, row!.typeA, row!.storeyA, row!.storeyB, row!.layerA, row!.layerB],
    [parts[0].id, parts[1].id, 'IfcBeam', 'Level, 1', '', '', "' =1+1"],
  );
});

test('names with quotes, separators and line breaks are one cell each', () => {
  const [first, second] = ['a "quoted", name;\twith\r\nbreaks', "apostrophe's"];
  const { rows } = csv(named('separators.glb', first, second));
  assert.equal(
    rows.map(({ nameA, nameB }) => [nameA, nameB]),
    [[first, second]],
  );
});

test('texts that spreadsheet programs would run as formulas have an apostrophe in front; numbers do not', () => {
  for (const name of ['=1+1', '+1', '-1', '@SUM(A1)', '\uff1d1', '=HYPERLINK("http://a.b","c")']) {
    const [row] = csv(named('formula.glb', name, 'plain')).rows;
    assert.equal([row!.nameA, row!.nameB], [`'${name}`, 'plain']);
  }
  const [row] = csv(obj('negative.obj', [cube('x', -1000), cube('y', -950)])).rows;
  assert.is(row!.x!.startsWith('-9'), true);
});

test('CSV and JUnit do not show rounding noise as numbers with exponents', async () => {
  // The second cube is rotated, so its lower corners are not exactly at the height 0.
  const rotated = [1, 0, 0, 0, 0, 6e-17, 1, 0, 0, -1, 6e-17, 0, 0, 0, 0, 1];
  const cubes = [cube('lower', 0, 0, -100), cube('upper', 0, 0, -100)];
  const path = file(
    'noise.glb',
    writeGlb(
      cubes.map((box, i) => ({
        name: box.name,
        ...mesh(box, 1e-3),
        transform: Float64Array.from(i === 0 ? IDENTITY : rotated),
      })),
    ),
  );
  const args = [path, '--classes', 'all'];
  const { text, rows } = csv(...args);
  const { box } = json(...args).clashes[0];
  assert.ok(
    [...box.min, ...box.max].some(value => value !== 0 && Math.abs(value) < 1e-12),
    `no noise in ${JSON.stringify(box)}`,
  );
  assert.not.match(text, /\de-\d/);
  assert.equal([rows[0]!.minZ, rows[0]!.maxZ, rows[0]!.maxX], ['0', '0', String(box.max[0])]);
  assert.not.match((await junit(...args)).text, /\de-\d/);
});

test('JUnit: each class is a suite, and without --fail-on each listed clash is a failure', async () => {
  const { status, text, suites, counts } = await junit(all, '--classes', 'all');
  assert.is(status, 0);
  assert.equal(suites, ['hard', 'contained', 'coplanar', 'touch']);
  assert.equal(counts, { failures: 6, errors: 0, skipped: 0, tests: 6 });
  assert.match(
    text,
    /<testcase classname="pfront.hard" name="deep 1 \/ deep 2"><failure message="hard: overlap depth 2 units, penetration depth 2 units">/,
  );
});

test('JUnit: with --fail-on, the failures are the clashes that fail the run, including clashes of classes that --classes does not name', async () => {
  const allow = file('allow.txt', 'twice 1, twice 2\n');
  const some = await junit(all, '--classes', 'all', '--fail-on', 'hard', '--allow', allow);
  assert.equal([some.status, some.counts], [1, { failures: 1, errors: 0, skipped: 5, tests: 6 }]);
  const hidden = await junit(all, '--fail-on', 'touch', '--classes', 'hard');
  assert.equal([hidden.status, hidden.suites], [1, ['hard', 'touch']]);
  assert.equal(hidden.counts, { failures: 2, errors: 0, skipped: 2, tests: 4 });
});

test('JUnit: a run without clashes has one passed test for each class', async () => {
  const { counts, suites } = await junit(
    obj('one.obj', BOXES.slice(14)),
    ...['--clearance', '1', '--classes', 'all'],
  );
  assert.equal([counts, suites.length], [{ failures: 0, errors: 0, skipped: 0, tests: 5 }, 5]);
});

test('JUnit: elements that could not be read are errors', async () => {
  const beams = [0, 0.5, 9].map((x, i) => beam(`b${i}`, [x, 0, 0], [1, 1, 1]));
  const faulty = ifc(beams).replace('#306=IFCEXTRUDEDAREASOLID(', '#306=IFCSOLID(');
  const { status, counts, suites } = await junit(file('faulty.ifc', faulty));
  assert.equal([status, counts.errors, counts.failures, suites[0]], [4, 1, 1, 'reading']);
});

test('JUnit: names with markup and control characters give valid XML', async () => {
  const path = named('markup.glb', '<a> & "b" \x00\x1b[31m\n\ud800', "c'd ]]> \u{1f600}");
  const { text } = await junit(path);
  using document = XmlDocument.fromString(text);
  const name = document.get("//testcase[contains(@name, '31m')]/@name");
  assert.is(name?.content, '<a> & "b" \ufffd\ufffd[31m\n\ufffd / c\'d ]]> \u{1f600}');
});

test('the JSON has the paths and sizes of both files, and standard output names them', () => {
  const [table, xml] = ['sizes.csv', 'sizes.xml'].map(name => join(folder, name));
  const run = json(all, '--csv', table!, '--junit', xml!);
  assert.equal(run.csv, { path: table, bytes: readFileSync(table!).length });
  assert.equal(run.junit, { path: xml, bytes: readFileSync(xml!).length });
  const { stdout } = clash(all, '--csv', table!, '--junit', xml!);
  assert.ok(stdout.includes(`csv ${table}`) && stdout.includes(`junit ${xml}`));
});

test('an output file whose extension is not that of its format is refused, because it may be an input file', () => {
  for (const option of ['--csv', '--junit']) {
    const { status, stderr } = clash(all, option, all);
    assert.is(status, 2);
    assert.match(stderr, new RegExp(`${option} .* does not end in `));
  }
});

test('if a file cannot be written, the exit code is 2, and files of earlier runs are unchanged', () => {
  const missing = clash(all, '--csv', join(folder, 'missing/a.csv'));
  assert.is(missing.status, 2);
  assert.match(missing.stderr, /missing\/a\.csv: cannot be written \(ENOENT/);
  assert.is(clash(all, '--junit', join(folder, 'missing/a.xml')).status, 2);
  // A folder at the path of the file cannot be replaced by the finished file.
  const place = join(folder, 'place');
  mkdirSync(join(place, 'taken.csv/inside'), { recursive: true });
  const taken = clash(all, '--csv', join(place, 'taken.csv'));
  assert.is(taken.status, 2, taken.stderr);
  assert.equal(readdirSync(place), ['taken.csv'], 'no temporary file is left');
  writeFileSync(join(place, 'old.csv'), 'old');
  const bad = clash(file('bad.obj', 'f 1 2 3\n'), '--csv', join(place, 'old.csv'));
  assert.is(bad.status, 2);
  assert.is(readFileSync(join(place, 'old.csv'), 'utf8'), 'old');
  assert.not.ok(existsSync(join(folder, 'missing')));
});

test('if the disk is full, no partial file appears, and the file of an earlier run is unchanged', () => {
  const place = join(folder, 'full');
  mkdirSync(place);
  const old = join(place, 'old.csv');
  writeFileSync(old, 'old');
  const stack = obj(
    'stack.obj',
    Array.from({ length: 30 }, (_, i) => cube(`p${i}`, i)),
  );
  // The shell limits the size of files to eight blocks. The table is larger.
  const { status, stderr } = spawnSync(
    'bash',
    ['-c', 'ulimit -f 8; exec "$@"', 'limited', process.execPath, MAIN, 'clash', stack, '--csv', old],
    { encoding: 'utf8' },
  );
  assert.is(status, 2);
  assert.match(stderr, /old\.csv: cannot be written \(EFBIG/);
  assert.is(readFileSync(old, 'utf8'), 'old');
  assert.equal(readdirSync(place), ['old.csv']);
});

test.run();
