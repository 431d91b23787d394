// Builds the API reference from the docstrings of the public entry points. Tests that the build gives no
// warning (for example, about a method without a docstring), that the reference contains all exported names,
// and that each page has one title.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import * as cluster from '../../dist/cluster/index.js';
import * as debug from '../../dist/debug/index.js';
import * as pfront from '../../dist/index.js';
import * as papers from '../../dist/papers/index.js';
import * as samples from '../../dist/samples/index.js';
import * as verify from '../../dist/verify/index.js';
import { buildReference } from '../../docs/reference/reference.mjs';
import { test } from '../support/test.js';

const folder = mkdtempSync(path.join(tmpdir(), 'reference-'));
test.after(() => rmSync(folder, { recursive: true }));

/**
 * The names that each entry point exports. The names of `pfront/three` are written out, because this entry
 * point imports three.js.
 */
const entries: Readonly<Record<string, readonly string[]>> = {
  pfront: Object.keys(pfront),
  'pfront/samples': Object.keys(samples),
  'pfront/three': ['addObject3D', 'meshFromGeometry', 'acceleratedRaycast', 'ContactHelper', 'TreeHelper'],
  'pfront/cluster': Object.keys(cluster),
  'pfront/debug': Object.keys(debug),
  'pfront/verify': Object.keys(verify),
  'pfront/papers': Object.keys(papers),
};

test('the reference builds without a warning', async () => {
  await buildReference(folder);
  assert.ok(existsSync(path.join(folder, 'index.html')));
});

test('the reference contains every name that an entry point exports', () => {
  const { exports } = JSON.parse(
    readFileSync(fileURLToPath(new URL('../../package.json', import.meta.url)), 'utf8'),
  );
  // `./bundle` exports the same names as the package, and `./worker` and the files of `./wasm` are scripts and
  // data for pages.
  assert.equal(
    Object.keys(exports)
      .filter(name => !/^\.\/(bundle|worker|wasm\/\*|package\.json)$/.test(name))
      .map(name => `pfront${name.slice(1)}`)
      .sort(),
    Object.keys(entries).sort(),
  );
  for (const [entry, names] of Object.entries(entries)) {
    const page = readFileSync(path.join(folder, 'modules', `${entry.replace('/', '_')}.html`), 'utf8');
    assert.ok(names.length > 0, entry);
    assert.equal(
      names.filter(name => !page.includes(name)),
      [],
      entry,
    );
  }
});

test('each page of the reference has one title', () => {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file =>
    file.endsWith('.html'),
  );
  assert.ok(pages.length > 100, `${pages.length} pages`);
  const titleCounts = pages.map(file => ({
    file,
    titles: readFileSync(path.join(folder, file), 'utf8').match(/<h1[ >]/g)?.length ?? 0,
  }));
  assert.equal(
    titleCounts.filter(({ titles }) => titles !== 1),
    [],
  );
});

test.run();
