// Tests that another library, @gltf-transform/core, can read the GLB files that pfront writes.
import { NodeIO } from '@gltf-transform/core';
import * as assert from 'uvu/assert';
import { writeGlb } from '../../dist/cli/writeGlb.js';
import { epicyclicTrain } from '../../dist/samples/index.js';
import { test } from '../support/test.js';

test('@gltf-transform/core reads the names, transforms and triangle count of an epicyclic train', async () => {
  const train = epicyclicTrain();
  const frame = train.frame(0);
  const parts = train.parts.map(({ name, mesh }, i) => ({
    name,
    ...train.meshes[mesh],
    transform: frame.slice(16 * i, 16 * i + 16),
  }));
  const document = await new NodeIO().readBinary(writeGlb(parts));
  const nodes = document
    .getRoot()
    .listNodes()
    .filter(node => node.getMesh());
  assert.is(nodes.length, 17);
  let triangles = 0;
  nodes.forEach((node, i) => {
    assert.is(node.getName(), parts[i].name);
    node
      .getWorldMatrix()
      .forEach((value, k) =>
        assert.ok(Math.abs(value - parts[i].transform[k]) <= 1e-9 * Math.max(1, Math.abs(value))),
      );
    for (const primitive of node.getMesh()!.listPrimitives())
      triangles += primitive.getIndices()!.getCount() / 3;
  });
  assert.is(triangles, 149_000);
});

test.run();
