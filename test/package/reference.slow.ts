// Builds the API reference from the docstrings of the public entries. Tests that there is no warning, for
// example about a method without a docstring, and that the reference contains the exported names.

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as assert from 'uvu/assert';
import * as cluster from '../../dist/cluster/index.js';
import * as pfront from '../../dist/index.js';
import * as scenes from '../../dist/samples/index.js';
import { buildReference } from '../../docs/reference/reference.mjs';
import { test } from '../support/test.js';

const folder = mkdtempSync(path.join(tmpdir(), 'reference-'));
test.after(() => rmSync(folder, { recursive: true }));

test('the reference builds without a warning', async () => {
  await buildReference(folder);
  assert.ok(existsSync(path.join(folder, 'index.html')));
});

test('the reference contains every name of the entries', () => {
  const pageOf = (entry: string): string =>
    readFileSync(path.join(folder, 'modules', `${entry}.html`), 'utf8');
  for (const [entry, names] of [
    ['pfront', Object.keys(pfront)],
    ['pfront_samples', Object.keys(scenes)],
    ['pfront_cluster', Object.keys(cluster)],
    ['pfront_three', ['addObject3D', 'meshFromGeometry', 'ContactHelper', 'TreeHelper']],
  ] as const) {
    const page = pageOf(entry);
    assert.equal(
      names.filter(name => !page.includes(name)),
      [],
      entry,
    );
  }
});

test.run();
