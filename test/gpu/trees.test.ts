// Triangles on a GPU -> trees that hold them all, refitted to the CPU's very bytes.

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createMesh } from '../../dist/mesh.js';
import { makeBackend, type TestBackend } from '../support/backend.js';
import { gpuTest, withGpu } from '../support/gpu.js';
import { buildOnGpu, exchangeTree, makeTrees } from '../support/gpuTrees.js';
import { hardMeshes } from '../support/meshes.js';
import { validateTree } from '../support/validateTree.js';

let backend: TestBackend;
test.before(async () => { backend = await makeBackend(1); });
test.after(async () => { await backend.close(); });

gpuTest('trees of meshes, easy and hard', async () => {
  await withGpu(async gpu => {
    const trees = await makeTrees(gpu);
    for (const [name, data] of hardMeshes()) {
      const t = performance.now();
      const mesh = createMesh(backend, data, { builder: 'morton' });
      const words = await buildOnGpu(gpu, trees, backend, mesh, data);
      const t2 = performance.now();
      const giveBack = exchangeTree(backend, mesh, words);
      const faults = validateTree(backend, mesh, 'by level');
      giveBack();
      console.log(name, mesh.nodeCount, mesh.depth, words.nodes.length / 32, words.leaves.length/44, words.depth, (t2 - t).toFixed(), faults.slice(0, 3));
      mesh.dispose();
    }
  });
});
test.run();
