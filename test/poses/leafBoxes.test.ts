// Tests that oriented boxes of leaves do not change the results of queryPoses. A scene adds such boxes to a
// mesh that is queried often.

import * as assert from 'uvu/assert';
import { internalsOf } from '../../bench/support/internals.js';
import { boxLeaves } from '../../dist/bvh/leafBoxes.js';
import { createEngine, type Mesh } from '../../dist/index.js';
import { createRandom, rotation, sphere, torus } from '../../dist/samples/index.js';
import { test } from '../support/test.js';

test('oriented boxes of leaves do not change the result of any pose', async () => {
  const engine = await createEngine({ threads: 2, warmUp: 'off' });
  const random = createRandom(1);
  const poses = Float64Array.from(
    Array.from({ length: 300 }, () => {
      const shift = [0, 1, 2].map(() => random.between(-1.8, 1.8)) as [number, number, number];
      return [...rotation(random.direction(), random.between(0, 3), shift)];
    }).flat(),
  );
  const makeMeshes = (): Mesh[] => [torus(400), sphere(300)].map(data => engine.createMesh(data));
  const bitsOf = (meshes: Mesh[]): number[] => [...engine.queryPoses({ meshes, moving: 1, poses }).hits];
  const expected = bitsOf(makeMeshes());
  const boxed = makeMeshes();
  for (const mesh of boxed) boxLeaves(internalsOf(engine).context, mesh);
  assert.equal(bitsOf(boxed), expected);
  const hits = engine.queryPoses({ meshes: boxed, moving: 1, poses }).count;
  assert.ok(hits > 50 && hits < 250, `${hits} hits`);
  engine.dispose();
});

test.run();
