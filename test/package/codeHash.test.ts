// Tests which code of the package counts as the code that a bench measures.
import * as assert from 'uvu/assert';
import { benchFiles } from '../../bench/support/benchFiles.mjs';
import { usedModules } from '../../bench/support/codeHash.mjs';
import { test } from '../support/test.js';

const modulesOf = (name: string): string[] => usedModules(`bench/${benchFiles.get(name)}`);

test('only modules that a bench uses count as its code', () => {
  assert.equal(modulesOf('threads'), []);
  assert.ok(!modulesOf('imbalance').includes('proximity'));
  assert.equal(modulesOf('octree'), ['scenes']);
  assert.equal(modulesOf('distance'), ['proximity']);
  assert.equal(modulesOf('closestPoints'), ['points']);
  assert.ok(modulesOf('sweep').includes('continuous'));
  assert.equal(modulesOf('cloth'), ['scenes', 'continuous']);
  assert.ok(modulesOf('certificates').includes('proximity'));
  assert.ok(modulesOf('selfQuery').includes('deforming'));
  assert.ok(modulesOf('swarmLarge').includes('continuous'));
  assert.ok(modulesOf('spheres').includes('spheres'));
});

test.run();
