// Tests lists with more items than the number of arguments that JavaScript can pass to one function call (about
// 120,000).

import * as assert from 'uvu/assert';
import { junitText } from '../../dist/cli/clash/junit.js';
import { gltfMechanism } from '../../dist/cli/motion/gltfMechanism.js';
import type { SceneNode } from '../../dist/formats/animation.js';
import { identity } from '../../dist/formats/part.js';
import { test } from '../support/test.js';

const COUNT = 200_000;

test('a JUnit report may have 200,000 test cases in one suite, and 200,000 suites', () => {
  const cases = Array.from({ length: COUNT }, (_, i) => ({ name: `case ${i}` }));
  const one = junitText([{ name: 'hard', cases }], 0);
  assert.is(one.split('<testcase ').length - 1, COUNT);
  const many = junitText(
    cases.map(({ name }, i) => ({ name, cases: i === 0 ? [{ name }] : [] })),
    0,
  );
  assert.is(many.split('<testsuite ').length - 1, COUNT);
});

test('an animation may move 200,000 children of one node', () => {
  const nodes = Array.from(
    { length: COUNT + 1 },
    (_, i): SceneNode => ({
      name: undefined,
      parent: i === 0 ? undefined : 0,
      matrix: undefined,
      translation: [0, 0, 0],
      rotation: [0, 0, 0, 1],
      scale: [1, 1, 1],
      joints: [],
    }),
  );
  const channels = nodes.slice(1).map((_, i) => ({
    where: 'animations[0]',
    node: i + 1,
    path: 'translation' as const,
    interpolation: 'LINEAR' as const,
    times: Float64Array.of(i === 7 ? 0 : 1, i === 8 ? 5 : 2),
    values: Float64Array.of(0, 0, 0, i, 0, 0),
  }));
  const scene = { nodes, animations: [{ name: undefined, channels }] };
  const mechanism = gltfMechanism({ path: 'a.glb', scene, root: identity() }, 0, 'all', []);
  assert.is(mechanism?.frames.length, COUNT + 2);
  assert.equal([mechanism?.start, mechanism?.end], [0, 5]);
});

test.run();
