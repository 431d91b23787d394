// Tests that the build removes stale outputs, and repeats a step only if its inputs or outputs have changed.

import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as assert from 'uvu/assert';
import { removeStaleFiles } from '../../bindings/build/removeStaleFiles.mjs';
import { digest, filesBelow, isCurrent, writeStamp } from '../../bindings/build/stamps.mjs';
import { test } from '../support/test.js';

test('outputs of removed sources are removed', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pfront-build-'));
  const at = (name: string): string => path.join(folder, ...name.split('/'));
  try {
    for (const name of ['kept', 'mixed', 'gone/below', 'others', 'empty'])
      mkdirSync(at(name), { recursive: true });
    const kept = ['index.js', 'index.d.ts', 'kept/scene.js', 'mixed/core.wasm', 'mixed/core.wasm.js'];
    const foreign = ['notes.txt', 'others/data.json', 'mixed/picture.png'];
    const gone = [
      'old.js',
      'old.d.ts',
      'mixed/old.wasm',
      'mixed/old.wasm.js',
      'gone/index.js',
      'gone/below/more.d.ts',
      'others/old.js',
    ];
    for (const name of [...kept, ...foreign, ...gone]) writeFileSync(at(name), '');
    assert.equal(removeStaleFiles(folder, new Set(kept.map(at))).sort(), gone.map(at).sort());
    const left = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name =>
      name.replaceAll(path.sep, '/'),
    );
    assert.equal(left.sort(), [...kept, ...foreign, 'kept', 'mixed', 'others', 'empty'].sort());
    assert.equal(removeStaleFiles(folder, new Set(kept.map(at))), []);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a build step is up to date until an input or an output changes', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pfront-stamps-'));
  const stamps = path.join(folder, 'cache', 'stamps.json');
  const write = (name: string, text: string): string => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const hash = (...texts: string[]): string => digest(filesBelow([path.join(folder, 'sources')]), ...texts);
  const current = (text = ''): boolean => isCurrent('step', hash(text), stamps);
  try {
    write('sources/deep/a.ts', 'a');
    const output = write('out.js', 'built');
    assert.is(current(), false);
    writeStamp('step', hash(''), [output], stamps);
    assert.is(current(), true);
    assert.is(isCurrent('other step', hash(''), stamps), false);
    assert.is(current('another option'), false);
    // The bytes of a source matter; its time stamp does not.
    utimesSync(path.join(folder, 'sources/deep/a.ts'), 1, 1);
    assert.is(current(), true);
    write('sources/deep/a.ts', 'b');
    assert.is(current(), false);
    write('sources/deep/a.ts', 'a');
    const added = write('sources/b.ts', '');
    assert.is(current(), false);
    rmSync(added);
    assert.is(current(), true);
    write('out.js', 'edited by hand');
    assert.is(current(), false);
    rmSync(output);
    assert.is(current(), false);
    writeFileSync(stamps, '{ "cut sho');
    assert.is(current(), false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.run();
