// Tests `pfront sample`: other commands read the file that it writes, and it never replaces a file.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NodeIO } from '@gltf-transform/core';
import * as assert from 'uvu/assert';
import { MAIN } from '../support/commandLine.js';
import { test } from '../support/test.js';

const folder = mkdtempSync(join(tmpdir(), 'sample-'));
test.after(() => rmSync(folder, { recursive: true }));

const run = (...args: string[]) =>
  spawnSync(process.execPath, [MAIN, ...args], { cwd: folder, encoding: 'utf8' });

test('the sample is written, and the commands of the guides find its clashes', async () => {
  const { status, stdout } = run('sample');
  assert.is(status, 0);
  const bytes = readFileSync(join(folder, 'machine.glb'));
  assert.is(
    stdout,
    `machine.glb: 18 parts, 149,012 triangles, ${bytes.length.toLocaleString('en-US')} bytes\n`,
  );
  // Another reader of glTF files finds the same number of parts, and the animation.
  const root = (await new NodeIO().readBinary(bytes)).getRoot();
  assert.equal(
    [root.listNodes().length, root.listAnimations().map(animation => animation.getName())],
    [18, ['inspect']],
  );
  const still = JSON.parse(run('clash', 'machine.glb', '--json').stdout);
  assert.equal([still.parts.length, still.clashes.length], [18, 22]);
  const moving = JSON.parse(run('clash', 'machine.glb', '--animation', 'all', '--json').stdout);
  const text = JSON.stringify(moving);
  assert.ok(text.includes('"stage 1 ring"') && text.includes('"probe"'), text);
});

test('an existing file, a second path and other extensions are refused, and --help prints the help', () => {
  writeFileSync(join(folder, 'mine.glb'), 'my file');
  for (const [args, message] of [
    [['mine.glb'], /^pfront: mine\.glb exists\nfix: /],
    [['a.glb', 'b.glb'], /^pfront: sample writes only one file, but b\.glb is a second path\nfix: /],
    [['a.obj'], /^pfront: a\.obj is not the name of a \.glb file\nfix: /],
    [['missing/a.glb'], /^pfront: missing\/a\.glb: cannot be written \(ENOENT.*\nfix: /],
    [['--force'], /--force/],
  ] as const) {
    const { status, stderr } = run('sample', ...args);
    assert.is(status, 2, stderr);
    assert.match(stderr, message);
  }
  assert.is(readFileSync(join(folder, 'mine.glb'), 'utf8'), 'my file');
  assert.equal(readdirSync(folder).sort(), ['machine.glb', 'mine.glb']);
  const { status, stdout } = run('sample', '--help');
  assert.is(status, 0);
  assert.match(stdout, /^pfront sample \[FILE\.glb\]\n/);
});

test.run();
