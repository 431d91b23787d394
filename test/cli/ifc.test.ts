// IFC files -> parts with names, types, ids and units; files that cannot be read -> typed errors; the house of the truth data to its last triangle pair.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { test } from '../support/test.js';
import * as assert from 'uvu/assert';
import { InvalidFile, readParts } from '../../dist/cli/files/readParts.js';
import { findClashes } from '../../dist/cli/findClashes.js';
import { dataPath, dataTest } from '../support/data.js';
import { withEngine } from '../support/engines.js';
import { beam, ifc, type Beam } from './smallIfc.js';

const SILENT = { begin() {}, step() {}, end() {} };
const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'ifc-'));
test.after(() => rmSync(folder, { recursive: true }));

function file(name: string, bytes: string | Uint8Array): string {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
}

const read = (beams: Beam[], unit?: string) => readParts(file('beams.ifc', ifc(beams, unit)));

function boxOf({ positions, transform }: { positions: Float32Array; transform: Float64Array }): number[] {
  const along = (axis: number) => [...positions].filter((_, i) => i % 3 === axis).map((value) => value + transform[12 + axis]!);
  return [0, 1, 2].flatMap((axis) => [Math.min(...along(axis)), Math.max(...along(axis))]);
}

test('an element is a part: its name and type, its GlobalId, z up, in the unit of the file', async () => {
  const parts = await read([beam('Lintel', [0, 0, 0], [3, 0.5, 0.25]), beam('Lintel', [0, 0, 1], [1, 1, 1], 'IFCCOLUMN'), beam('', [0, 0, 3], [1, 1, 1])]);
  const named = (name: string) => parts.find((part) => part.name === name)!;
  assert.equal(parts.map(({ name }) => name).sort(), ['IfcBeam #300', 'IfcBeam Lintel', 'IfcColumn Lintel']);
  const lintel = named('IfcBeam Lintel');
  assert.equal([lintel.type, lintel.unit, lintel.indices.length / 3], ['IfcBeam', 'm', 12]);
  assert.match(lintel.id!, /^[0-9A-Za-z_$]{22}$/);
  assert.equal(boxOf(lintel), [-1.5, 1.5, -0.25, 0.25, 0, 0.25]);
  assert.equal(boxOf(named('IfcColumn Lintel')), [-0.5, 0.5, -0.5, 0.5, 1, 2]);
});

test('units: millimetres and feet stay what they are, others become metres', async () => {
  for (const [unit, name, size] of [['MILLI', 'mm', 250], ['CENTI', 'cm', 30], ['FOOT', 'ft', 3], ['INCH', 'in', 12]] as const) {
    const [part] = await read([beam('Beam', [0, 0, 0], [size, size, size])], unit);
    assert.is(part!.unit, name);
    assert.equal(boxOf(part!).map((value) => Math.round(value * 1e4) / 1e4), [-size / 2, size / 2, -size / 2, size / 2, 0, size]);
  }
  const [part] = await read([beam('Beam', [0, 0, 0], [2, 2, 2])], 'KILO');
  assert.equal([part!.unit, ...boxOf(part!)], ['m', -1000, 1000, -1000, 1000, 0, 2000]);
});

test('far from the origin parts keep the digits of floats about their middle; what touches in the model touches here', async () => {
  const far = 4e6 + 0.125;
  const parts = await read([beam('a', [far, 0, 0], [1, 1, 1]), beam('b', [far + 1, 0, 0], [1, 1, 1]), beam('c', [far + 2.001, 0, 0], [1, 1, 1])]);
  assert.ok(Math.abs(boxOf(parts[2]!)[0]! - (far + 1.501)) < 1e-6);
  await withEngine({ threads: 1, warmUp: 'off' }, (engine) => assert.equal(findClashes(engine, parts, SILENT).clashes.map(({ a, b }) => [a, b]), [[0, 1]]));
});

test('elements whose shape gives no triangles are told; openings are not elements', async () => {
  const told: string[] = [];
  const text = ifc([beam('Whole', [0, 0, 0], [1, 1, 1]), beam('Shapeless', [0, 0, 0], [1, 1, 1]), beam('Hole', [0, 0, 0], [1, 1, 1], 'IFCOPENINGELEMENT')]);
  const path = file('shapeless.ifc', text.replace(/(?<=#206=)IFCEXTRUDEDAREASOLID.*;/, 'IFCSWEPTNOTHING(#207);'));
  const parts = await readParts(path, (message, fix) => { told.push(message, fix); });
  assert.equal(parts.map(({ name }) => name), ['IfcBeam Whole']);
  assert.is(told.length, 2);
  assert.match(told[0]!, /^shapeless\.ifc: 1 element has a shape that gives no triangles: IfcBeam #\d+$/);
});

test('packed, with a byte order mark, with blanks after the end', async () => {
  const text = ifc([beam('Beam', [0, 0, 0], [1, 1, 1])]);
  assert.is((await readParts(file('packed.ifc.gz', gzipSync(text)))).length, 1);
  assert.is((await readParts(file('marked.ifc', `\ufeff${text}\r\n\n`))).length, 1);
});

test('what is no whole IFC file is refused in one line', async () => {
  const text = ifc([beam('Beam', [0, 0, 0], [1, 1, 1])]);
  const cases: [string, string | Uint8Array, RegExp][] = [
    ['empty', '', /does not begin with ISO-10303-21/], ['words', 'hello world', /does not begin/], ['bytes', new Uint8Array(5000).map((_, i) => 7 * i), /does not begin/],
    ['cut', text.slice(0, text.length * 0.6), /is cut off/], ['bare', 'ISO-10303-21;\nEND-ISO-10303-21;\n', /web-ifc cannot read it|no IFC version/],
    ['headless', text.replace(/FILE_SCHEMA.*\n/, ''), /web-ifc cannot read it|no IFC version/], ['other', text.replace('IFC4', 'AUTOMOTIVE_DESIGN'), /no IFC version/],
  ];
  for (const [name, content, message] of cases) {
    const path = file(`${name}.ifc`, content);
    const error = await readParts(path).then(() => undefined, (thrown: unknown) => thrown);
    assert.instance(error, InvalidFile, name);
    assert.match((error as InvalidFile).message, message);
    assert.match((error as InvalidFile).message, new RegExp(`^${name}\\.ifc: [^\\n]+$`));
  }
});

test('without web-ifc the command says how to get it', () => {
  const place = join(folder, 'bare');
  cpSync(join(root, 'dist'), join(place, 'dist'), { recursive: true });
  cpSync(join(root, 'package.json'), join(place, 'package.json'));
  cpSync(join(root, 'node_modules/cli-progress'), join(place, 'node_modules/cli-progress'), { recursive: true });
  for (const name of ['string-width', 'strip-ansi', 'ansi-regex', 'emoji-regex', 'is-fullwidth-code-point']) symlinkSync(join(root, 'node_modules', name), join(place, 'node_modules', name), 'dir');
  const path = file('beam.ifc', ifc([beam('Beam', [0, 0, 0], [1, 1, 1])]));
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(place, 'dist/cli/main.js'), 'clash', path], { encoding: 'utf8' });
  assert.equal([status, stdout], [2, ''], stderr);
  assert.match(stderr, /^pfront: IFC files need the package web-ifc, which is not installed\nfix: Run npm install web-ifc, then this command again\.\n$/);
});

interface Truth { parts: { name: string; faces: number }[]; part_box_pairs: number; part_pairs: [number, number, number][] }

// The truth was computed of web-ifc's triangles, placed in doubles and rounded to float32; y up there, z up here, and nothing else is different.
dataTest('a house of 215 elements: every pair, counted to the last triangle pair', async () => {
  const truth = JSON.parse(readFileSync(dataPath('bim/duplex-truth.json'), 'utf8')) as Truth;
  const parts = await readParts(dataPath('bim/duplex.ifc.gz'));
  assert.equal(parts.map(({ type, indices }) => [type, indices.length / 3]), truth.parts.map(({ name, faces }) => [name.split(':')[1], faces]));
  assert.is(parts[0]!.name, 'IfcSlab Floor:127mm Slab on Grade:141232');
  assert.is(parts[0]!.id, '2O2Fr$t4X7Zf8NOew3FK4F');
  await withEngine({ warmUp: 'off' }, (engine) => {
    const { clashes, boxPairs } = findClashes(engine, parts, SILENT);
    assert.is(boxPairs, truth.part_box_pairs);
    assert.equal(clashes.map(({ a, b, trianglePairs }) => [a, b, trianglePairs]), truth.part_pairs.toSorted((x, y) => x[0] - y[0] || x[1] - y[1]));
  });
});

test.run();
