// Tests that builds are reproducible. In a copy of this checkout, in another folder and environment, a build
// from scratch writes the same bytes as the build of this checkout, and npm packs the same tarball.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as assert from 'uvu/assert';
import { root } from '../support/pages.js';
import { test } from '../support/test.js';

const folder = mkdtempSync(path.join(tmpdir(), 'pfront-reproducible-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));

const copy = path.join(folder, 'another', 'and longer path');
/** Environment variables of the copy's build. */
const env = { TZ: 'America/Lima', LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8' };

/** Copies a folder without its caches. Makes hard links instead of copies where the file system allows it. */
function linkTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    // A build from scratch must not use the caches of earlier builds.
    if (entry.name === '.cache') continue;
    if (entry.isDirectory()) linkTree(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else
      try {
        linkSync(source, target);
      } catch {
        copyFileSync(source, target);
      }
  }
}

function copyCheckout(to: string): void {
  const left = ['.git', 'dist', 'dist-demo', 'node_modules'];
  cpSync(root, to, {
    recursive: true,
    filter: file => !left.includes(path.relative(root, file).split(path.sep).at(-1)!),
  });
  linkTree(path.join(root, 'node_modules'), path.join(to, 'node_modules'));
}

function run(cwd: string, env: object, program: string, ...words: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  assert.is(status, 0, error?.message ?? stderr);
  return stdout;
}

/** Returns the hash of each file in the folder `dist` of a checkout. */
function hashes(place: string): Record<string, string> {
  const dist = path.join(place, 'dist');
  const files = readdirSync(dist, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  return Object.fromEntries(
    files
      .map(({ parentPath, name }) => path.join(parentPath, name))
      .sort()
      .map(file => [
        path.relative(dist, file),
        createHash('sha256').update(readFileSync(file)).digest('hex'),
      ]),
  );
}

/** Packs a checkout as npm would publish it. @returns the names of the files, and the hash of the tarball */
function pack(place: string, env: object): { files: string[]; integrity: string } {
  const words = ['pack', '--json', '--dry-run', '--ignore-scripts'];
  const [{ integrity, files }] = JSON.parse(run(place, env, 'npm', ...words));
  return { files: files.map((file: { path: string }) => file.path), integrity };
}

test('a build from scratch in another folder writes the same bytes as this one', () => {
  copyCheckout(copy);
  run(copy, env, process.execPath, 'bindings/build/build.mjs');
  const expected = hashes(root);
  assert.ok(Object.keys(expected).length > 400);
  assert.equal(hashes(copy), expected);
});

test('the copy packs the same tarball', () => {
  const [here, there] = [pack(root, {}), pack(copy, env)];
  assert.ok(here.files.length > 400);
  assert.equal(there.files, here.files);
  assert.is(there.integrity, here.integrity);
});

test.run();
