// Runs npm run check, which checks the types of the package, its tests, benches and demo, and the format and
// lint rules of all sources.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { test } from '../support/test.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

test('npm run check passes', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bindings/build/check.mjs'], {
    cwd: root,
    encoding: 'utf8',
  });
  assert.is(status, 0, stdout + stderr);
});

test.run();
