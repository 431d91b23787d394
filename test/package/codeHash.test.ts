// Tests which code of the package counts as the code that a bench measures.
import * as assert from 'uvu/assert';
import { benchFiles } from '../../bench/support/benchFiles.mjs';
import { hashedFiles, usedModules, withoutMessages } from '../../bench/support/codeHash.mjs';
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

test('the code of used modules is hashed, and the lists of all modules and kernels are not', () => {
  const files = hashedFiles(`bench/${benchFiles.get('octree')}`);
  assert.ok(files.includes('dist/scene/scenes.js') && files.includes('dist/wasm/scenes.wasm.js'));
  assert.ok(files.includes('dist/engine/modules.js') && files.includes('dist/wasm/pfront.wasm.js'));
  assert.not.ok(files.includes('dist/engine/moduleTable.js') || files.includes('dist/records/kernels.js'));
  assert.not.ok(files.includes('dist/rays/rays.js'));
});

test('comments and messages of the package are not hashed; its shaders and the strings of benches are', () => {
  const shader = '"fn main() {\\n  return;\\n}"';
  const bundle = (message: string): string =>
    [
      '// dist/core/a.js',
      `class Pool {\n  /** ${message} */\n  size = 4;\n  // ${message}\n}`,
      `function f(x) { throw new Error("${message}".concat(x, "is 1 or 2")); }`,
      `var kind = "spheres", code = ${shader};`,
      '// bench/core/b.ts',
      'var scene = "dragon 810K";',
    ].join('\n');
  const hashed = withoutMessages(bundle('the value must be finite: '));
  assert.is(hashed, withoutMessages(bundle('not finite: ')));
  assert.ok(hashed.includes('size=4') && hashed.includes('Error("".concat(x,""))'), hashed);
  for (const kept of ['"spheres"', shader, '"dragon 810K"']) assert.ok(hashed.includes(kept), kept);
  assert.not.ok(hashed.includes('//'));
});

test.run();
