// Tests the examples of docs/examples: node-script and worker-threads print the expected results, and every
// example has a README, the tested versions of its dependencies, and correct types.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as assert from 'uvu/assert';
import { exampleNames, installExample, linesOf } from '../support/examples.js';
import { root } from '../support/pages.js';
import { test } from '../support/test.js';

const read = (file: string): string => readFileSync(path.join(root, 'docs/examples', file), 'utf8');
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

const TYPES = ['--noEmit', '--strict', '--checkJs', '--skipLibCheck', '--types', 'node'].concat([
  '--module',
  'nodenext',
  '--target',
  'es2022',
  '--lib',
  'es2023,esnext.disposable,dom',
]);

function check(name: string, expected: string[]): void {
  const example = installExample(name, ['wgpu-matrix']);
  try {
    assert.equal(linesOf(example), expected);
  } finally {
    example.remove();
  }
}

test('node-script prints the expected results', () =>
  check('node-script', [
    '147 pairs of triangles intersect',
    'the first pair: triangle 105 of the ball, triangle 555 of the ring',
    'the distance after the ring is moved away: 1.652',
  ]));

test('worker-threads prints the expected results', () =>
  check('worker-threads', [
    'x = 0.9: 147 pairs, first 105 and 555',
    'x = 1.5: 125 pairs, first 45 and 807',
    'x = 4: no pairs',
  ]));

test('each example has a README that says how to start it, and requires the versions that the tests use', () => {
  const index = read('README.md');
  for (const name of exampleNames) {
    assert.ok(index.includes(`(${name}/README.md)`), `docs/examples/README.md does not link to ${name}`);
    assert.match(read(`${name}/README.md`), '```sh\nnpm start\n```');
    const { scripts, dependencies } = JSON.parse(read(`${name}/package.json`));
    assert.match(scripts.prestart, /^npm install --install-links/);
    for (const [dependency, version] of Object.entries<string>(dependencies)) {
      if (dependency === 'pfront') assert.is(version, 'file:../../..');
      else if (dependency === 'deno') {
        assert.ok(
          readFileSync(path.join(root, 'test/bundlers/deno.slow.ts'), 'utf8').includes(
            `deno@${version.slice(1)}`,
          ),
        );
      } else assert.is(version, manifest.devDependencies[dependency], dependency);
    }
  }
});

test.slow('the examples have correct types', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pfront-types-'));
  try {
    mkdirSync(path.join(folder, 'node_modules'));
    symlinkSync(root, path.join(folder, 'node_modules/pfront'), 'junction');
    for (const name of ['@types', 'three', 'wgpu-matrix'])
      symlinkSync(path.join(root, 'node_modules', name), path.join(folder, 'node_modules', name), 'junction');
    cpSync(path.join(root, 'docs/examples'), folder, {
      recursive: true,
      filter: source => path.basename(source) !== 'node_modules',
    });
    const sources = exampleNames.flatMap(name =>
      readdirSync(path.join(folder, name))
        .filter(file => /\.[jt]s$/.test(file))
        .map(file => path.join(folder, name, file)),
    );
    const { status, stdout } = spawnSync(
      process.execPath,
      [path.join(root, 'node_modules/typescript/bin/tsc'), ...TYPES, ...sources],
      { cwd: folder, encoding: 'utf8' },
    );
    assert.is(status, 0, stdout);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.run();
