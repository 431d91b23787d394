// Tests that the queries of the suite `determinism` call every method that a module adds to an engine, and that
// the table of platforms in docs/determinism.md is about the present hashes.

import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { moduleTable } from '../../dist/engine/moduleTable.js';
import { test } from '../support/test.js';
import { DIGEST, digestOfHashes, HEAD, pagePath } from './page.mjs';

const sources = ['answers', 'castAnswers', 'contactAnswers', 'queryMethods'].map(name =>
  readFileSync(new URL(`../support/${name}.ts`, import.meta.url), 'utf8'),
);
// Only calls on objects named `engine` or `methods` count: `scenes` has methods with similar names, which are
// not methods of an engine.
const called = new Set(
  sources.flatMap(text => [...text.matchAll(/\b(?:engine|methods)\.(\w+)/g)].map(([, name]) => name)),
);

test('the queries call every method of an engine', () => {
  const names = Object.values(moduleTable).flatMap(({ methods }) => [...methods] as string[]);
  assert.ok(names.length > 20, names.join());
  assert.equal(
    ['createMesh', 'query', 'queryMany', ...names].filter(name => !called.has(name)),
    [],
  );
});

// `npm run determinism -- --write` runs this suite before it writes the table.
if (!process.env.PFRONT_DETERMINISM)
  test('docs/determinism.md shows a run with the present hashes', () => {
    const page = readFileSync(pagePath, 'utf8');
    assert.ok(page.includes(HEAD.join('\n')));
    assert.is(
      DIGEST.exec(page)?.[1],
      digestOfHashes(),
      'the hashes have changed since the table was recorded; run npm run determinism -- --write',
    );
  });

test.run();
