// Tests that the queries of the suite `determinism` call every method that a module adds to an engine.

import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { moduleTable } from '../../dist/engine/moduleTable.js';
import { test } from '../support/test.js';

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

test.run();
