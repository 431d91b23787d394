// Tests what the commands print if they run out of memory, at every stage at which this may happen. The message
// says how much memory is needed, and the fix is one that a user of the command line can apply.

import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { fixOf } from '../../dist/cli/capacityFix.js';
import { createMeshes } from '../../dist/cli/findClashes.js';
import { Capacity, Unsupported } from '../../dist/core/errors.js';
import { type MeshData, sphere } from '../../dist/samples/index.js';
import { gltf } from '../support/animatedGltf.js';
import { test } from '../support/test.js';
import { all, clash, file, folder, MAIN } from './clashSupport.js';

test.after(() => rmSync(folder, { recursive: true, force: true }));

const MIB = 2 ** 20;
const MORE =
  'Make \\d+ MiB of memory available: close other programs, or raise the memory limit of the process\\.';

/** Runs `pfront` in a process in which a WebAssembly memory can have at most `limit` bytes. */
function withMemory(limit: number, ...args: string[]) {
  const script = `const { Memory } = WebAssembly, { grow } = Memory.prototype;
    WebAssembly.Memory = class extends Memory {
      constructor(size) {
        if (size.initial * 65536 > ${limit}) throw new RangeError('no memory');
        super(size);
      }
      grow(pages) {
        if (this.buffer.byteLength + pages * 65536 > ${limit}) throw new RangeError('no memory');
        return grow.call(this, pages);
      }
    };`;
  const words = ['--import', `data:text/javascript,${encodeURIComponent(script)}`, MAIN, ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
  return { status, stdout, stderr };
}

/** Runs a command that must fail for lack of memory, and compares its message and its fix. */
function refused(limit: number, message: string, less: string, ...args: string[]): void {
  const { status, stdout, stderr } = withMemory(limit, ...args);
  assert.equal([status, stdout], [2, ''], stderr);
  assert.match(stderr, new RegExp(`^pfront: ${message}[^\\n]*\\nfix: ${MORE}${less}\\n$`));
}

// Two meshes that overlap; the second one moves in the animation.
const model = (name: string, first: MeshData, second: MeshData): string =>
  file(
    name,
    JSON.stringify(
      gltf(
        [first, second],
        [
          { name: 'still', mesh: 0 },
          { name: 'moving', mesh: 1 },
        ],
        [
          {
            name: 'move',
            channels: [{ node: 1, path: 'translation', times: [0, 1], values: [0, 0, 0, 1, 0, 0] }],
          },
        ],
      ),
    ),
  );

// Makes parallel triangles that are perpendicular to an axis. Each triangle of the comb of axis 0 crosses each
// triangle of the comb of axis 1, so the pairs need much more memory than the trees.
function comb(count: number, axis: 0 | 1): MeshData {
  const corners = [
    [-1, -1],
    [3 * count, -1],
    [-1, 3 * count],
  ];
  const place = (i: number, [u, v]: number[]): number[] => (axis === 0 ? [i, u!, v!] : [u!, i, v!]);
  return {
    positions: Float32Array.from(
      Array.from({ length: count }, (_, i) => corners.flatMap(corner => place(i, corner))).flat(),
    ),
    indices: Uint32Array.from({ length: 3 * count }, (_, i) => i),
  };
}

const balls = model('balls.gltf', sphere(6000), sphere(6100));
const combs = model('combs.gltf', comb(200, 0), comb(200, 1));
const FEWER = ' Or: search fewer or simpler parts at once\\.';

test('pfront clash says how much memory is needed, whether memory runs out while trees are built or later', () => {
  refused(1.5 * MIB, 'part "moving": memory cannot hold \\d+ more bytes', FEWER, 'clash', balls);
  for (const limit of [1, 1.25, 2])
    refused(limit * MIB, 'memory cannot hold \\d+ more bytes', FEWER, 'clash', combs);
  refused(0, 'no WebAssembly memory of 536870912 bytes could be reserved', FEWER, 'clash', combs);
});

test('a search for contacts of moving parts prints the same messages', () => {
  const move = ['--animation', 'move'];
  refused(1.5 * MIB, 'part "moving": memory cannot hold \\d+ more bytes', FEWER, 'clash', balls, ...move);
  refused(0, 'no WebAssembly memory', FEWER, 'clash', balls, ...move);
});

test('the fix of pfront bench is to add --quick, unless this option is already given', () => {
  const bench = ['bench', 'boxes-10k', '--threads', '1'];
  refused(1.5 * MIB, 'memory cannot hold', ' Or: add --quick\\.', ...bench);
  refused(1.5 * MIB, 'memory cannot hold', '', ...bench, '--quick');
});

test('if the engine cannot start for lack of memory, pfront doctor prints the fix', () => {
  const { stdout } = withMemory(0, 'doctor');
  assert.match(
    stdout,
    new RegExp(
      `engine +cannot start: no WebAssembly memory of 536870912 bytes could be reserved\\n +fix: ${MORE}\\n`,
    ),
  );
});

test('pfront verify does not use the engine, so it needs no WebAssembly memory', () => {
  const certificate = join(folder, 'all.certificate.json');
  assert.is(clash(all, '--certify', certificate).status, 0);
  assert.is(withMemory(0, 'verify', certificate, all).status, 0);
});

test('if a scan has too many triangles, the fix says how many fit', () => {
  const { positions, indices } = sphere(500);
  const scan: any = { name: 'scan', positions, indices, transform: new Float64Array(16) };
  const refuse = (neededBytes: number): Capacity => {
    const engine: any = {
      createMesh() {
        throw new Capacity('memory cannot hold 9 more bytes', 'raise maximumMemoryBytes', neededBytes);
      },
    };
    try {
      createMeshes(engine, [scan, { ...scan, indices: indices.slice(3) }, scan], {
        begin() {},
        step() {},
      } as any);
    } catch (error) {
      return error as Capacity;
    }
    throw new Error('no error');
  };
  const error = refuse(4096 * MIB + 1);
  assert.is(error.message, 'part "scan": memory cannot hold 9 more bytes');
  // A mesh that two parts share counts once.
  const count = ((2 * indices.length) / 3 - 1).toLocaleString('en-US');
  assert.is(
    fixOf(error, ['clash', 'scan.ply']),
    `The model has ${count} triangles, but only about 25 million fit into 4 GiB of memory. Decimate its largest parts, or split it into files that are searched one after another.`,
  );
  assert.match(fixOf(refuse(700 * MIB), ['clash', 'scan.ply']), /^Make 700 MiB of memory available/);
});

test('the fix in an error of the engine is replaced only if memory runs out; the new fix asks for more memory only if the need is known and is within the limit of an engine', () => {
  const capacity = (bytes: number) => new Capacity('no room', 'raise maximumMemoryBytes', bytes);
  const onCluster = ['cluster', 'run', 'a.ifc'];
  assert.match(
    fixOf(capacity(700.5 * MIB), onCluster),
    /^Make 701 MiB .* Or: search fewer or simpler parts at once, or move fewer --bodies\.$/,
  );
  assert.match(fixOf(capacity(4096 * MIB), ['clash', 'a.ifc']), /^Make 4096 MiB /);
  for (const bytes of [0, 4096 * MIB + 1])
    assert.is(fixOf(capacity(bytes), ['clash', 'a.ifc']), 'Search fewer or simpler parts at once.');
  assert.is(fixOf(capacity(0), ['cluster', 'join']), 'Run a smaller task.');
  assert.is(fixOf(new Unsupported('no', 'do this'), ['clash']), 'do this');
});

test.run();
