// Tests small files that would take a naive reader much memory or time. Each must be read or refused within
// the memory budget, which is 64 MiB plus 20 times the size of the unpacked file.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { InvalidFile, parseParts } from '../../dist/formats/readParts.js';
import { MAIN } from '../support/commandLine.js';
import { test } from '../support/test.js';
import { glb, squareGltf, text } from './smallFiles.js';

const MIB = 2 ** 20;
const READER = new URL('../../dist/formats/readParts.js', import.meta.url).href;
// Naive readers take minutes for these files on any machine; the limit has a margin for slow machines.
const MAX_CPU_SECONDS = 60;
const folder = mkdtempSync(join(tmpdir(), 'limits-'));
test.after(() => rmSync(folder, { recursive: true }));

interface Outcome {
  message: string;
  parts: number;
  peakBytes: number;
  cpuSeconds: number;
}

/** Reads a file in a separate process. */
function readInProcess(name: string, bytes: Uint8Array): Outcome {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const script = `
    import { existsSync, readFileSync } from 'node:fs';
    const { readParts } = await import(${JSON.stringify(READER)});
    let parts = 0, message = '';
    try { parts = (await readParts(${JSON.stringify(path)})).length; } catch (error) { message = error.name + ' ' + error.message; }
    const { maxRSS, userCPUTime } = process.resourceUsage();
    // On Linux maxRSS begins with the memory of the process that started this one; VmHWM does not.
    const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
    const peakBytes = 1024 * Number(/VmHWM:\\s+(\\d+) kB/.exec(status)?.[1] ?? maxRSS);
    console.log(JSON.stringify({ message, parts, peakBytes, cpuSeconds: userCPUTime / 1e6 }));`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  assert.is(status, 0, stderr.slice(0, 500));
  return JSON.parse(stdout) as Outcome;
}

const { peakBytes: EMPTY_BYTES } = readInProcess('empty.obj', text(''));

/** Reads a file and checks that it stays within the budget. */
function readWithinBudget(name: string, bytes: Uint8Array): Outcome {
  const outcome = readInProcess(name, bytes);
  const unpacked = name.endsWith('.gz') ? gunzipSync(bytes).length : bytes.length;
  const taken = outcome.peakBytes - EMPTY_BYTES;
  assert.ok(
    taken <= 64 * MIB + 20 * unpacked,
    `${name}: ${(taken / MIB).toFixed(0)} MiB for ${unpacked} bytes (${outcome.message})`,
  );
  assert.ok(outcome.cpuSeconds < MAX_CPU_SECONDS, `${name}: ${outcome.cpuSeconds} s`);
  return outcome;
}

const packed = (content: Uint8Array): Uint8Array => new Uint8Array(gzipSync(content));
const repeated = (line: string, times: number, before = ''): Uint8Array =>
  new Uint8Array(Buffer.from(before + line.repeat(times)));
const TRIANGLE = 'v 0 0 0\nv 1 0 0\nv 0 1 0\n';

test.proof('OBJ: ten million empty objects or groups in less than 60 KB stay within the budget', () => {
  for (const [name, line] of [
    ['objects.obj.gz', 'o\n'],
    ['groups.obj.gz', 'g a\n'],
    ['objects-after-faces.obj.gz', 'o \n'],
  ] as const) {
    const bytes = packed(repeated(line, 1e7, name.includes('faces') ? `${TRIANGLE}f 1 2 3\n` : ''));
    assert.ok(bytes.length < 60_000);
    assert.is(readWithinBudget(name, bytes).message, '');
  }
});

test.proof('OBJ: an object per face, and one face with eight million corners, stay within the budget', () => {
  assert.match(
    readWithinBudget('objects.obj', repeated('o\nf 1 1 1\n', 1e6, TRIANGLE)).message,
    /InvalidFile .*too much memory for its parts: in total more than \d+ bytes/,
  );
  assert.is(readWithinBudget('modest.obj', repeated('o\nf 1 1 1\n', 5000, TRIANGLE)).parts, 5000);
  assert.is(readWithinBudget('endless.obj', repeated(' 1', 8e6, `${TRIANGLE}f`)).parts, 1);
  assert.is(
    readWithinBudget('vertices.obj', repeated('v 1 1 1\n', 2e6, `${TRIANGLE}f 1 2 3\no a\nf 1 2 3\n`)).parts,
    2,
  );
});

test('OBJ: a long name in front of many groups stays within the budget', () => {
  const groups = Array.from({ length: 1000 }, (_, i) => `g ${i}\nf 1 2 3\n`).join('');
  assert.match(
    readWithinBudget('names.obj', text(`${TRIANGLE}o ${'x'.repeat(1e6)}\n${groups}`)).message,
    /InvalidFile/,
  );
});

test('GLB: accessors without data, and one accessor in many primitives, stay within the budget', () => {
  const { json } = squareGltf();
  const large = {
    ...json,
    bufferViews: [],
    buffers: [],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    accessors: [{ componentType: 5126, type: 'VEC3', count: 44_000_000 }],
  };
  assert.match(
    readWithinBudget('large.glb', glb(large)).message,
    /InvalidFile .*memory for the 44000000 elements of accessors\[0\]/,
  );
  const modest = { ...large, accessors: [{ componentType: 5126, type: 'VEC3', count: 300 }] };
  assert.is(readWithinBudget('modest.glb', glb(modest)).parts, 1);
  const strips = {
    ...modest,
    accessors: [{ componentType: 5126, type: 'VEC3', count: 100_000 }],
    meshes: [{ primitives: Array(20_000).fill({ attributes: { POSITION: 0 }, mode: 5 }) }],
  };
  assert.match(readWithinBudget('strips.glb', glb(strips)).message, /InvalidFile .*memory for its triangles/);
});

test.proof('glTF: JSON of many nodes, empty objects or lists stays within the budget', () => {
  const json = (key: string, item: string, count: number): Uint8Array =>
    text(`{"asset":{"version":"2.0"},"${key}":[${Array(count).fill(item).join(',')}]}`);
  for (const [key, item] of [
    ['nodes', '{}'],
    ['extras', '[]'],
    ['extras', '{}'],
    ['extras', '0'],
    ['nodes', '{"mesh":0}'],
    ['meshes', '{"primitives":[{"attributes":{}}]}'],
    ['accessors', '{"componentType":5126,"count":1,"type":"SCALAR"}'],
  ] as const) {
    readWithinBudget(`${key}-${item.length}.gltf`, json(key, item, 5e5));
  }
});

test('glTF: a long name that many nodes share stays within the budget', () => {
  const { json, binary } = squareGltf();
  json.nodes = [
    { name: 'x'.repeat(1e6), children: Array.from({ length: 2000 }, (_, i) => i + 1) },
    ...Array(2000).fill({ mesh: 0, name: 'same' }),
  ];
  assert.match(readWithinBudget('names.glb', glb(json, binary)).message, /InvalidFile .*names of its parts/);
});

test('glTF: deeply nested JSON is refused for its depth', () => {
  for (const deep of [
    `${'['.repeat(200_000)}`,
    `{"a":${'['.repeat(1e6)}${']'.repeat(1e6)}}`,
    `{"asset":{"version":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}}`,
  ]) {
    assert.throws(
      () => parseParts('deep.gltf', text(deep)),
      (error: Error) =>
        error instanceof InvalidFile &&
        /nested more than 500 levels deep/.test(error.message) &&
        !/machine/.test(error.message),
    );
  }
  const { json, binary } = squareGltf();
  json.extras = JSON.parse(`${'['.repeat(400)}"[[[\\"[["${']'.repeat(400)}`);
  json.nodes[0].name = '['.repeat(5000);
  assert.is(parseParts('flat.glb', glb(json, binary)).length, 1);
});

test('PLY: headers with many names, and counts that exceed the data, stay within the budget', () => {
  const names = Array.from({ length: 100_000 }, (_, i) => `property char p${i}`);
  const header = (lines: string[]): Uint8Array =>
    text(['ply', 'format binary_little_endian 1.0', ...lines, 'end_header', ''].join('\n'));
  assert.is(readWithinBudget('properties.ply', header(['element extra 0', ...names])).message, '');
  assert.is(readWithinBudget('elements.ply', header(names.map((_, i) => `element e${i} 0`))).message, '');
  for (const count of ['element vertex 9999999999', 'element vertex 3', 'element other 4']) {
    assert.match(
      readWithinBudget(
        'counts.ply',
        header([count, 'property double x', 'property double y', 'property double z']),
      ).message,
      /more than fit into the 0 bytes left/,
    );
  }
});

test.proof('PLY: one polygon with 30 million corners of one byte each stays within the budget', () => {
  const header = text(
    'ply',
    'format binary_little_endian 1.0',
    'element vertex 1',
    'property uchar x',
    'property uchar y',
    'property uchar z',
    'element face 1',
    'property list uint uchar vertex_indices',
    'end_header',
    '',
  );
  const corners = 3e7;
  const body = new Uint8Array(3 + 4 + corners);
  new DataView(body.buffer).setUint32(3, corners, true);
  readWithinBudget('polygon.ply', new Uint8Array(Buffer.concat([header, body])));
});

test.slow('STL: many solids stay within the budget', () => {
  const vertex = ' vertex 0 0 0';
  const facet = `facet outer loop${vertex.repeat(3)} endloop endfacet`.replace('facet ', 'facet\n');
  assert.is(readWithinBudget('empty.stl.gz', packed(repeated('solid\nendsolid\n', 1e6))).message, '');
  readWithinBudget('solids.stl', repeated(`solid\n${facet}\nendsolid\n`, 2e5));
});

test.slow(
  'gzip: data that unpacks to more than the limit is refused before it is unpacked, and an option raises the limit',
  () => {
    const bomb = packed(Buffer.concat([text('# '), Buffer.alloc(200 * MIB, 0x20)]));
    assert.ok(bomb.length < 300_000);
    const { message, peakBytes } = readInProcess('bomb.obj.gz', bomb);
    assert.match(
      message,
      /InvalidFile bomb\.obj\.gz: unpacks to more than 67108864 bytes, the limit for a \.gz file of \d+ bytes/,
    );
    assert.ok(peakBytes - EMPTY_BYTES < 200 * MIB, `${(peakBytes - EMPTY_BYTES) / MIB} MiB`);
    const options = { maxUnpackRatio: 1100 };
    assert.equal(parseParts('bomb.obj.gz', bomb, undefined, options), []);
  },
);

test.slow('the command accepts --max-unpack-ratio, and refuses values that are not a ratio', () => {
  const path = join(folder, 'spaces.obj.gz');
  writeFileSync(
    path,
    packed(
      Buffer.concat([text('v 0 0 0', 'v 1 0 0', 'v 0 1 0', 'f 1 2 3', ''), Buffer.alloc(65 * MIB, 0x20)]),
    ),
  );
  const clash = (...args: string[]) =>
    spawnSync(process.execPath, [MAIN, 'clash', path, '--threads', '1', ...args], { encoding: 'utf8' });
  const refused = clash();
  assert.is(refused.status, 2, refused.stderr);
  assert.match(refused.stderr, /unpacks to more than[^\n]*\nfix: [^\n]*--max-unpack-ratio 1000/);
  assert.is(clash('--max-unpack-ratio', '1100').status, 0);
  for (const ratio of ['0', '-1', '1.5', 'many', ''])
    assert.match(clash(`--max-unpack-ratio=${ratio}`).stderr, /is not a whole number from 1 to 9999/);
});

test('a file of more than 2 GiB is refused before it is read, in every format', () => {
  const endings = ['glb', 'gltf', 'obj', 'stl', 'ply', 'off', '3mf', 'ifc', 'step', 'iges'];
  for (const ending of endings) {
    const path = join(folder, `large.${ending}`);
    writeFileSync(path, '');
    truncateSync(path, 3 * 2 ** 30);
    const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'clash', path], {
      encoding: 'utf8',
    });
    rmSync(path);
    assert.is(status, 2, stderr);
    assert.is(stdout, '');
    assert.match(
      stderr,
      /^pfront: large\.\w+: has 3221225472 bytes, more than 2147483647\nfix: Split the file/,
    );
  }
});

test.slow('a file with a word that is longer than any JavaScript string can be is refused', () => {
  const { message } = readInProcess('word.obj', new Uint8Array(2 ** 29 + 2 ** 25).fill(0x61));
  assert.match(message, /^InvalidFile word\.obj: is too large for this machine/);
});

test.run();
