// Tests that readers round double coordinates to float32 only once, in one frame per file, and that the command
// prints the rounding error.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type Part, parseParts } from '../../dist/formats/readParts.js';
import { MAIN } from '../support/commandLine.js';
import { test } from '../support/test.js';
import { text } from './smallFiles.js';

const folder = mkdtempSync(join(tmpdir(), 'rounding-'));
test.after(() => rmSync(folder, { recursive: true }));

// Coordinates far from the origin. In the OBJ file, the triangle of part b begins at the x coordinate where the
// triangle of part a ends.
const X = [4500000.1, 4500000.3, 4500000.7];
const OBJ = text(
  'o a',
  `v ${X[0]} 0 0`,
  `v ${X[1]} 0 0`,
  `v ${X[1]} 1 0`,
  'f 1 2 3',
  'o b',
  `v ${X[1]} 0 0`,
  `v ${X[2]} 0 0`,
  `v ${X[1]} 1 0`,
  'f 4 5 6',
);

const stl = (...points: number[]) =>
  text(
    'solid',
    'facet',
    'outer loop',
    ...points.map(x => `vertex ${x} 0 0`),
    'endloop',
    'endfacet',
    'endsolid',
  );

const ply = (type: string, ...points: number[]) =>
  text(
    'ply',
    'format ascii 1.0',
    `element vertex ${points.length}`,
    `property ${type} x`,
    `property ${type} y`,
    `property ${type} z`,
    'element face 1',
    'property list uchar int vertex_indices',
    'end_header',
    ...points.map(x => `${x} 0 0`),
    '3 0 1 2',
    '',
  );

function assertClose({ positions, transform, rounding = 0 }: Part, expected: number[]): void {
  expected.forEach((x, i) => {
    const error = Math.abs(positions[3 * i] + transform[12] - x);
    assert.ok(error <= rounding + 1e-9, `${error}, but the rounding is ${rounding}`);
  });
}

test('far from the origin, double coordinates are rounded in a frame near the model', () => {
  const [a, b] = parseParts('far.obj', OBJ);
  assertClose(a, [X[0], X[1], X[1]]);
  assertClose(b, [X[1], X[2], X[1]]);
  assert.ok(a.rounding! > 0 && a.rounding! < 1e-7, String(a.rounding));
  assert.equal(a.transform, b.transform);
  // Coordinates that are equal in the file stay equal.
  assert.is(a.positions[3], b.positions[0]);
  for (const [name, bytes] of [
    ['far.off', text('OFF', '3 1 0', ...X.map(x => `${x} 0 0`), '3 0 1 2')],
    ['far.stl', stl(...X)],
    ['far.ply', ply('double', ...X)],
  ] as const) {
    const [part] = parseParts(name, bytes);
    assertClose(part, X);
    assert.ok(part.rounding! > 0 && part.rounding! < 1e-7, `${name}: ${part.rounding}`);
  }
});

test('near the origin, coordinates are rounded in the frame of the file', () => {
  const [part] = parseParts('near.off', text('OFF', '3 1 0', '0.1 0 0', '1 0 0', '0 1 0', '3 0 1 2'));
  assert.equal([...part.transform], [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
  assert.is(part.positions[0], Math.fround(0.1));
  assert.is(part.rounding, Math.abs(0.1 - Math.fround(0.1)));
});

test('coordinates that are float32 in the file are not rounded', () => {
  assert.is(parseParts('far.ply', ply('float', ...X))[0].rounding, undefined);
  assert.is(parseParts('short.ply', ply('short', 1, 2, 3))[0].rounding, undefined);
  assert.is(parseParts('int.ply', ply('int', 16777217, 0, 0))[0].rounding, 1);
  assert.is(parseParts('whole.off', text('OFF', '1 1 0', '7 0.5 0', '3 0 0 0'))[0].rounding, undefined);
});

test('readers keep doubles on request, in the frame of the file', () => {
  for (const [name, bytes] of [
    ['far.off', text('OFF', '3 1 0', ...X.map(x => `${x} 0 0`), '3 0 1 2')],
    ['far.stl', stl(...X)],
    ['far.ply', ply('double', ...X)],
  ] as const) {
    const [{ exact, rounding, positions }] = parseParts(name, bytes, undefined, { keepsDoubles: true });
    assert.equal([...exact!.positions], [X[0], 0, 0, X[1], 0, 0, X[2], 0, 0], name);
    assert.equal([...exact!.transform], [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    assert.is(rounding, undefined);
    assert.equal(positions, parseParts(name, bytes)[0].positions);
  }
  const [a, b] = parseParts('far.obj', OBJ, undefined, { keepsDoubles: true });
  assert.equal([...a.exact!.positions], [X[0], 0, 0, X[1], 0, 0, X[1], 1, 0]);
  assert.equal([...b.exact!.positions], [X[1], 0, 0, X[2], 0, 0, X[1], 1, 0]);
  // The coordinates of these files are float32 numbers, so no doubles are needed.
  for (const bytes of [ply('float', ...X), ply('double', 0.5, 1, 4)])
    assert.is(parseParts('whole.ply', bytes, undefined, { keepsDoubles: true })[0].exact, undefined);
});

test('far from the origin, all meshes of a file have doubles if they are requested', () => {
  // The coordinates of the first solid are float32 numbers. The solid has doubles, too, so that a placement
  // rounds equal points of both solids in the same way.
  const solids = Buffer.concat([stl(4500000, 4500001, 4500002), Buffer.from('\n'), stl(...X)]);
  const parts = parseParts('far.stl', solids, undefined, { keepsDoubles: true });
  assert.equal(
    parts.map(({ exact }) => exact?.positions[0]),
    [4500000, X[0]],
  );
});

test('the command prints the size of the rounding, in the unit of its output', () => {
  const path = join(folder, 'near.obj');
  // An engine keeps doubles whose magnitude is at least 2^-96, so only 1e-30 is rounded in this file.
  writeFileSync(path, text('o a', 'v 1e-30 0.1 0', 'v 1 0 0', 'v 0 1 0', 'f 1 2 3', 'o b', 'f 3 2 1'));
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [MAIN, 'clash', path, ...args], { encoding: 'utf8' });
  const change = Math.abs(1e-30 - Math.fround(1e-30));
  // Without a unit, lengths down to a millionth of the largest coordinate are shown.
  assert.match(run().stdout, '\ncoordinates rounded: by less than 0.000001 units\n');
  assert.match(run('--units', 'm').stdout, '\ncoordinates rounded: by less than 0.0001 mm\n');
  const { rounding } = JSON.parse(run('--json', '--units', 'm').stdout);
  assert.is(rounding, change);
  writeFileSync(path, text('v 0.5 0 0', 'v 1 0 0', 'v 0 1 0', 'f 1 2 3'));
  assert.not.match(run().stdout, /rounded/);
  assert.is(JSON.parse(run('--json').stdout).rounding, 0);
});

test.run();
