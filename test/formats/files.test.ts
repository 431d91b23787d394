// Tests that small valid GLB, OBJ, STL and PLY files give the expected parts, and broken files are refused.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { InvalidFile, parseParts, readParts } from '../../dist/formats/readParts.js';
import { test } from '../support/test.js';
import { changed, refusal, TWO_TRIANGLES } from './refusal.js';
import { binaryStl, concatenate, corners, squarePly, text, triangleCount } from './smallFiles.js';

test('GLB, OBJ, STL and PLY files of a square give the same triangles', () => {
  const files: Record<string, Uint8Array> = {
    'square.glb': changed(() => {}),
    'square.obj': text('v 0 0 0', 'v 1 0 0', 'v 1 1 0', 'v 0 1 0', 'f 1 2 3 4'),
    'text.stl': text(
      'solid square',
      ...[0, 9].flatMap(at => [
        'facet normal 0 0 1',
        ' outer loop',
        ...[0, 3, 6].map(i => `  vertex ${TWO_TRIANGLES.slice(at + i, at + i + 3).join(' ')}`),
        ' endloop',
        'endfacet',
      ]),
      'endsolid square',
    ),
    'square.stl': binaryStl(TWO_TRIANGLES),
    'text.ply': squarePly(),
    'little.ply': squarePly(true),
    'big.PLY': squarePly(false),
  };
  for (const [name, bytes] of Object.entries(files)) {
    for (const [fileName, fileBytes] of [
      [name, bytes],
      [`${name}.gz`, new Uint8Array(gzipSync(bytes))],
    ] as const) {
      const parts = parseParts(fileName, fileBytes);
      assert.is(parts.length, 1, fileName);
      assert.equal(corners(parts[0]), TWO_TRIANGLES, fileName);
      assert.equal([...parts[0].transform], [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    }
  }
});

test('a file name without a known extension, and invalid gzip data, are refused', () => {
  assert.match(refusal('square.dae', text('OFF')).fix, /\.glb, \.gltf, \.obj, \.stl, \.ply, \.off/);
  refusal('obj', text('v 0 0 0'));
  refusal('square.obj.gz', text('v 0 0 0'));
  refusal('square.obj.gz', new Uint8Array(gzipSync(text('v 0 0 0'))).subarray(0, 20));
});

test('gzip: members are joined, and only padding with zeros is allowed after the last member', () => {
  const first = gzipSync(text('v 0 0 0', 'v 1 0 0', 'v 0 1 0', 'f 1 2 3', ''));
  const second = gzipSync(text('f 1 3 2'));
  const zeros = new Uint8Array(4);
  const count = (...pieces: Uint8Array[]) => triangleCount(parseParts('a.obj.gz', concatenate(...pieces)));
  assert.equal([count(first), count(first, second), count(first, second, zeros)], [1, 2, 2]);
  const damaged = Uint8Array.from(second).fill(0, 0, 1);
  for (const rest of [[damaged], [zeros, second], [zeros, Uint8Array.of(1)]])
    assert.match(
      refusal('a.obj.gz', concatenate(first, ...rest)).message,
      /has data after the end of its compressed content/,
    );
});

test('folders and missing files are refused, and valid files are read by path', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parts-'));
  try {
    writeFileSync(join(folder, 'a.stl'), binaryStl(TWO_TRIANGLES));
    mkdirSync(join(folder, 'b.stl'));
    assert.is(triangleCount(await readParts(join(folder, 'a.stl'))), 2);
    for (const [name, word] of [
      ['b.stl', /folder/],
      ['c.stl', /does not exist/],
    ] as const) {
      const error = await readParts(join(folder, name)).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      assert.instance(error, InvalidFile);
      assert.match((error as InvalidFile).message, word);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('OBJ: objects and groups are parts, names are made unique, and unused vertices are omitted', () => {
  const parts = parseParts(
    'house.obj',
    text(
      'v 9 9 9',
      'v 0 0 0',
      'v 1 0 0',
      'v 0 1 0',
      'f 2 3 4',
      'o Wall',
      'f -3 -2 -1',
      'g North side',
      'f 2 3 4',
      'o Wall',
      'v 5 0 0',
      'f 2 3 5',
      'g a',
      'f 2 3 4',
      'g b',
      'f 2 3 4',
      'g a',
      'f 4 3 2',
      'o Empty',
    ),
  );
  assert.equal(
    parts.map(({ name }) => name),
    ['house', 'Wall', 'Wall/North side', 'Wall (2)', 'Wall/a', 'Wall/b'],
  );
  assert.equal(
    parts.map(({ indices }) => indices.length / 3),
    [1, 1, 1, 1, 2, 1],
  );
  assert.equal(corners(parts[1]), [0, 0, 0, 1, 0, 0, 0, 1, 0]);
  assert.equal(corners(parts[3]), [0, 0, 0, 1, 0, 0, 5, 0, 0]);
  assert.ok(parts.every(({ positions }) => positions.length === 9));
});

test('OBJ: all forms of faces, numbers and lines are read', () => {
  const parts = parseParts(
    'forms.obj',
    text(
      'mtllib a.mtl',
      'v -1.5e-3 +2. .25 0.1 0.2 nan',
      'v\t123456789012345678 1e2 0 1\r',
      'v 0 0 1',
      'vt 0 0',
      'vn 0 0 1',
      'f 1/1 2//1 3/1/1 # a comment',
      'f 1 2 \\',
      '3 1',
      's off',
      'l 1 2',
      'usemtl steel',
    ),
  );
  assert.is(triangleCount(parts), 3);
  assert.equal(
    [...parts[0].positions],
    [-1.5e-3, 2, 0.25, 123456789012345678, 100, 0, 0, 0, 1].map(Math.fround),
  );
});

test('a byte order mark before a comment is skipped', () => {
  const triangle = ['v 0 0 0', 'v 1 0 0', 'v 0 1 0', 'f 1 2 3'];
  const mark = Uint8Array.of(0xef, 0xbb, 0xbf);
  for (const [name, ...lines] of [
    ['a.obj', '# exported', ...triangle],
    ['b.obj', ...triangle],
    ['c.off', '# exported', 'OFF', '3 1 0', '0 0 0', '1 0 0', '0 1 0', '3 0 1 2'],
    ['d.off', 'OFF', '3 1 0', '0 0 0', '1 0 0', '0 1 0', '3 0 1 2'],
  ] as const)
    assert.is(triangleCount(parseParts(name, concatenate(mark, text(...lines)))), 1, name);
  // A backslash at the end of a comment does not join the next line.
  const file = concatenate(mark, text('# C:\\models\\', ...triangle));
  assert.is(triangleCount(parseParts('e.obj', file)), 1);
  assert.match(refusal('f.obj', concatenate(mark, text('# a', 'v 0 0'))).message, /line 2/);
});

test('progress is a number, also for an empty file', () => {
  const shares: number[] = [];
  parseParts('empty.obj', new Uint8Array(0), undefined, { onProgress: share => shares.push(share) });
  assert.ok(shares.length > 0);
  assert.ok(
    shares.every(share => share >= 0 && share <= 1),
    String(shares),
  );
});

test('OBJ: the error for an invalid line names the line', () => {
  const vertices = ['v 0 0 0', 'v 1 0 0', 'v 0 1 0'];
  for (const face of [
    'f 1 2',
    'f 1 2 4',
    'f 0 1 2',
    'f 1 2 3.5',
    'f 1 2 -4',
    'f 1 2 x',
    'f 1 2 3/a',
    'f',
    'f1 2 3',
    'v 1 2',
    'v 1 2 nan',
    'v 1 2 1e39',
    'v 1 2 0x10',
    'v 1 2 -Infinity',
    'surf 0 1 0 1 1 2 3',
    'f 1 2 99999999999999999999',
  ]) {
    assert.match(refusal('bad.obj', text(...vertices, face)).message, /line 4/, face);
  }
});

test('STL: each solid of a text file is a part, and the triangle count of a binary file must match its size', () => {
  const solid = (name: string) => [
    `solid ${name}`,
    'facet normal nan 0 0',
    'OUTER LOOP',
    'vertex 0 0 0',
    'vertex 1 0 0',
    'vertex 0 1 0',
    'endloop',
    'endfacet',
    `endsolid ${name}`,
  ];
  assert.equal(
    parseParts('two.stl', text(...solid('bolt'), ...solid('nut'), ...solid(''))).map(({ name }) => name),
    ['bolt', 'nut', 'two'],
  );
  refusal('open.stl', text(...solid('bolt').slice(0, -1)));
  refusal('four.stl', text(...solid('bolt').toSpliced(5, 0, 'vertex 3 3 3')));
  for (const count of [0, 1, 3, 0xffffffff])
    assert.match(
      refusal('count.stl', binaryStl(TWO_TRIANGLES, count)).message,
      /declares \d+ triangles, but has room for 2/,
    );
  for (const value of [NaN, Infinity, -Infinity])
    refusal('wild.stl', binaryStl([...TWO_TRIANGLES.slice(0, 17), value]));
});

test('PLY: strips become triangles with the right orientation, and other elements are skipped', () => {
  const parts = parseParts(
    'strip.ply',
    text(
      'ply',
      'format ascii 1.0',
      'element material 1',
      'property list uchar float colours',
      'element tristrips 1',
      'property list int int vertex_indices',
      'element vertex 5',
      'property double z',
      'property double y',
      'property double x',
      'end_header',
      '2 0.5 0.5',
      '8 0 1 2 3 -1 4 3 2',
      '0 0 0',
      '0 0 1',
      '0 1 0',
      '0 1 1',
      '5 5 5',
    ),
  );
  assert.equal(
    corners(parts[0]),
    [
      [0, 0, 0, 1, 0, 0, 0, 1, 0],
      [0, 1, 0, 1, 0, 0, 1, 1, 0],
      [5, 5, 5, 1, 1, 0, 0, 1, 0],
    ].flat(),
  );
  const colored = (red: number): Uint8Array =>
    text(new TextDecoder().decode(squarePly()).replace(/ 9$/gm, ` ${red}`));
  for (const red of [0, 255])
    assert.equal(corners(parseParts('colored.ply', colored(red))[0]), TWO_TRIANGLES);
  for (const red of [-1, 256])
    assert.match(refusal('beyond.ply', colored(red)).message, `${red} is not in 0..255`);
});

test('PLY: wrong headers, rows and indices are refused', () => {
  const whole = new TextDecoder().decode(squarePly());
  const broken: [string, string][] = [
    ['vertex 4', 'vertex 5'],
    ['vertex 4', 'vertex 3'],
    ['vertex 4', 'vertex -4'],
    ['face 1', 'face 2'],
    ['face 1', 'face 0'],
    ['face 1', 'face 4000000000'],
    ['0 1 2 3\n', '0 1 2 4\n'],
    ['0 1 2 3\n', '0 1 2 -1\n'],
    ['4 0 1 2 3', '2 0 1'],
    ['1 0 0 9', '1 0 9'],
    ['1 0 0 9', '1 0 0 9 9'],
    ['1 0 0 9', 'inf 0 0 9'],
    ['1 0 0 9', '1e39 0 0 9'],
    ['4 0 1 2 3', '4 0 1 2 3.5'],
    ['float x', 'float w'],
    ['list uchar', 'list float'],
    ['int vertex', 'float vertex'],
    ['vertex_indices', 'corners'],
    ['property float y', 'property float x'],
    ['1.0', '2.0'],
    ['end_header', 'end'],
    ['float x', 'constructor x'],
    ['element face 1', 'element vertex 1'],
  ];
  for (const [from, to] of broken) {
    assert.ok(whole.includes(from));
    refusal(`${to.replace(/\W/g, '_')}.ply`, text(whole.replace(from, to)));
  }
  refusal('more.ply', concatenate(squarePly(true), Uint8Array.of(0, 0, 0)));
});

test('a binary file cut at any byte is refused', () => {
  for (const [name, bytes] of [
    ['cut.glb', changed(() => {})],
    ['cut.stl', binaryStl(TWO_TRIANGLES)],
    ['cut.ply', squarePly(true)],
    ['text.ply', squarePly().slice(0, -1)],
  ] as const) {
    for (let length = 0; length < bytes.length; length++) {
      refusal(name, bytes.subarray(0, length));
    }
  }
});

test('a file with one to three changed bytes is refused with a typed error, or read', () => {
  let seed = 7;
  const random = (limit: number) => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) % limit;
  for (const [name, bytes] of [
    ['fuzz.glb', changed(() => {})],
    ['fuzz.stl', binaryStl(TWO_TRIANGLES)],
    ['fuzz.ply', squarePly(true)],
    ['text.ply', squarePly()],
    ['fuzz.obj', text('v 0 0 0', 'v 1 0 0', 'v 0 1 0', 'o a', 'f 1 2 3', 'f -1 -2 -3')],
  ] as const) {
    for (let iteration = 0; iteration < 3000; iteration++) {
      const copy = bytes.slice();
      for (let flips = 1 + random(3); flips > 0; flips--) copy[random(copy.length)] = random(256);
      try {
        for (const { positions, indices } of parseParts(name, copy)) {
          assert.ok(positions.every(Number.isFinite));
          assert.ok(indices.every(vertex => vertex < positions.length / 3));
        }
      } catch (error) {
        assert.instance(error, InvalidFile, `${name}: ${(error as Error).stack}`);
      }
    }
  }
});

test.run();
