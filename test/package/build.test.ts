// A folder with outputs of an earlier build -> those that this build has written stay, and files that no build writes; the others go.

import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { removeOthers } from '../../bindings/build/removeOthers.mjs';

test('outputs of sources that are gone go', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pfront-build-')), at = (name: string): string => path.join(folder, ...name.split('/'));
  try {
    for (const name of ['kept', 'mixed', 'gone/below', 'others', 'empty']) mkdirSync(at(name), { recursive: true });
    const kept = ['index.js', 'index.d.ts', 'kept/scene.js', 'mixed/core.wasm', 'mixed/core.wasm.js'], foreign = ['notes.txt', 'others/data.json', 'mixed/picture.png'];
    const gone = ['old.js', 'old.d.ts', 'mixed/old.wasm', 'mixed/old.wasm.js', 'gone/index.js', 'gone/below/more.d.ts', 'others/old.js'];
    for (const name of [...kept, ...foreign, ...gone]) writeFileSync(at(name), '');
    assert.equal(removeOthers(folder, new Set(kept.map(at))).sort(), gone.map(at).sort());
    const left = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll(path.sep, '/'));
    assert.equal(left.sort(), [...kept, ...foreign, 'kept', 'mixed', 'others', 'empty'].sort());
    assert.equal(removeOthers(folder, new Set(kept.map(at))), []);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.run();
