// Tests that `pfront clash` compares coordinates of files in doubles. A copy of an assembly, which stores the
// placed vertices as doubles, has the same clashes as the assembly. Rounding the vertices to float32 would add
// two clashes.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { findClashes } from '../../dist/cli/findClashes.js';
import { splitComponents } from '../../dist/cli/splitComponents.js';
import { type Part, parseParts, readParts } from '../../dist/formats/readParts.js';
import { createEngine } from '../../dist/index.js';
import type { Finding } from '../../dist/report/clashClasses.js';
import { findContacts } from '../../dist/report/contacts.js';
import { place } from '../oracle/place.js';
import { MAIN } from '../support/commandLine.js';
import { dataPath, dataTest } from '../support/data.js';
import { test } from '../support/test.js';

const SILENT = { begin() {}, step() {}, end() {} };
const folder = mkdtempSync(join(tmpdir(), 'doubles-'));
test.after(() => rmSync(folder, { recursive: true }));

const run = (...args: string[]) =>
  spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8', maxBuffer: 2 ** 28 });
const json = (...args: string[]) => JSON.parse(run('clash', ...args, '--json').stdout);

/** Writes all parts to one OBJ file, with placed vertices. */
function objOf(parts: readonly Part[]): string {
  const lines: string[] = [];
  let first = 1;
  parts.forEach(({ positions, indices, transform }, number) => {
    const placed = place(positions, transform);
    lines.push(`o part ${number}`);
    for (let i = 0; i < placed.length; i += 3) lines.push(`v ${placed.subarray(i, i + 3).join(' ')}`);
    for (let i = 0; i < indices.length; i += 3)
      lines.push(`f ${[0, 1, 2].map(k => first + indices[i + k]).join(' ')}`);
    first += positions.length / 3;
  });
  return lines.join('\n');
}

/** Returns a binary PLY file of one part, with placed vertices. */
function plyOf({ positions, indices, transform }: Part): Buffer {
  const header = [
    'ply',
    'format binary_little_endian 1.0',
    `element vertex ${positions.length / 3}`,
    ...['x', 'y', 'z'].map(axis => `property double ${axis}`),
    `element face ${indices.length / 3}`,
    'property list uchar int vertex_indices',
    'end_header\n',
  ].join('\n');
  const faces = Buffer.alloc((13 * indices.length) / 3);
  indices.forEach((vertex, i) => {
    if (i % 3 === 0) faces.writeUInt8(3, (13 * i) / 3);
    faces.writeInt32LE(vertex, 13 * Math.floor(i / 3) + 1 + 4 * (i % 3));
  });
  return Buffer.concat([Buffer.from(header), Buffer.from(place(positions, transform).buffer), faces]);
}

const clashesOf = ({ clashes }: { clashes: { a: number; b: number; trianglePairs: number }[] }) =>
  clashes.map(({ a, b, trianglePairs }) => [a, b, trianglePairs].join(' ')).sort();

dataTest('a copy of an assembly with its placed vertices in doubles has the same clashes', async () => {
  const path = dataPath('assembly/2CylinderEngine.glb');
  const parts = await readParts(path);
  const text = Buffer.from(objOf(parts));
  const exact = parseParts('engine.obj', text, undefined, { keepsDoubles: true });
  const baked = parts.flatMap((part, number) =>
    parseParts(`${number}.ply`, plyOf(part), undefined, { keepsDoubles: true }),
  );
  assert.ok(baked.some(({ exact }) => exact));
  const engine = await createEngine({ threads: 2 });
  try {
    const truth = clashesOf(findClashes(engine, parts, SILENT));
    assert.is(truth.length, 80);
    assert.equal(clashesOf(findClashes(engine, exact, SILENT)), truth);
    assert.equal(clashesOf(findClashes(engine, baked, SILENT)), truth);
    // Without doubles, two more pairs of parts touch, only because their vertices are rounded.
    const rounded = parseParts('engine.obj', text);
    assert.is(findClashes(engine, rounded, SILENT).clashes.length, 82);
  } finally {
    engine.dispose();
  }
});

dataTest.proof('the command finds the same clashes in an OBJ file with the placed vertices', async () => {
  const path = dataPath('assembly/2CylinderEngine.glb');
  const truth = clashesOf(json(path, '--classes', 'all'));
  assert.is(truth.length, 80);
  const obj = join(folder, 'engine.obj');
  writeFileSync(obj, objOf(await readParts(path)));
  const found = json(obj, '--classes', 'all', '--clearance', '0.001');
  assert.is(found.rounding, 0);
  assert.equal(
    clashesOf({
      clashes: found.clashes.filter((clash: { trianglePairs: number }) => clash.trianglePairs > 0),
    }),
    truth,
  );
});

// Two boxes, one above the other, far from the origin, with this gap between them. If the gap is negative, the
// boxes overlap.
function boxesObj(gap: number): string {
  const lines: string[] = [];
  [0, 0.1 + gap].forEach((bottom, box) => {
    lines.push(`o box ${box}`);
    for (let corner = 0; corner < 8; corner++) {
      const [x, y, z] = [0, 1, 2].map(axis => (corner >> axis) & 1);
      lines.push(`v ${4500000.1 + x} ${0.1 * y} ${0.3 + bottom + 0.1 * z}`);
    }
    const quads = [
      [0, 2, 3, 1],
      [4, 5, 7, 6],
      [0, 1, 5, 4],
      [2, 6, 7, 3],
      [0, 4, 6, 2],
      [1, 3, 7, 5],
    ];
    for (const quad of quads) lines.push(`f ${quad.map(corner => 8 * box + corner + 1).join(' ')}`);
  });
  return lines.join('\n');
}

test('an overlap of 1e-12 is a hard clash, which the certificate confirms, and a gap of 1e-12 is no clash', () => {
  const path = join(folder, 'boxes.obj');
  const certificate = join(folder, 'certificate.json');
  const page = join(folder, 'page.html');
  writeFileSync(path, boxesObj(1e-12));
  assert.equal(json(path, '--classes', 'all').clashes, []);
  const { clashes: near, rounding } = json(path, '--classes', 'all', '--clearance', '1e-6');
  assert.equal([near.length, rounding], [1, 0]);
  const args = ['--classes', 'all', '--certify', certificate, '--report', page, '--up', 'y', '--units', 'mm'];
  writeFileSync(path, boxesObj(-1e-12));
  const { clashes, totals } = json(path, ...args, '--split', 'components');
  assert.is(totals.parts, 2);
  assert.is(clashes.length, 1);
  assert.is(clashes[0].class, 'hard');
  const checked = run('verify', certificate, path);
  assert.is(checked.status, 0, checked.stdout + checked.stderr);
});

test('if parts have coordinates in doubles, the page draws their contacts at the correct place', async () => {
  const parts = parseParts('boxes.obj', Buffer.from(boxesObj(-0.05)), undefined, { keepsDoubles: true });
  const engine = await createEngine({ threads: 1 });
  try {
    const meshes = parts.map(({ exact, indices }) => engine.createMesh({ ...exact!, indices }));
    const { clashes } = findClashes(engine, parts, SILENT);
    const point: [number, number, number] = [4500000, 0, 0];
    const places = new Map(clashes.map(clash => [clash, { point }]));
    const [contact] = findContacts(engine, meshes, parts, clashes as Finding[], places as never, SILENT);
    const drawn = [...contact.linePoints, ...contact.regionCorners];
    assert.ok(drawn.length > 0);
    assert.ok(
      drawn.every(value => Math.abs(value) < 2),
      String(Math.max(...drawn)),
    );
  } finally {
    engine.dispose();
  }
});

test('a part is split into components by its coordinates in doubles', () => {
  const soup = (gap: number) =>
    `v 0.1 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nv ${0.1 + gap} 0 0\nv 2 0 1\nv 0 1 1\nf 4 5 6`;
  for (const [gap, count] of [
    [0, 1],
    [1e-12, 2],
  ]) {
    const [part] = parseParts('soup.obj', Buffer.from(soup(gap)), undefined, { keepsDoubles: true });
    const pieces = splitComponents(part);
    assert.is(pieces.length, count);
    if (count === 2) assert.equal([...pieces[1].exact!.positions], [0.1 + gap, 0, 0, 2, 0, 1, 0, 1, 1]);
  }
});

test.run();
