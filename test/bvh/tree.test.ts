// Tests that both builders and the refit give valid trees of easy and difficult meshes, and the same trees
// for any number of threads.

import bunny from 'bunny';
import * as assert from 'uvu/assert';
import { validateTree } from '../../dist/debug/validateTree.js';
import { loadMesh } from '../../dist/mesh/loadMesh.js';
import { createMesh, type Mesh, type MeshData } from '../../dist/mesh/mesh.js';
import { Leaf, MeshRecord, Node } from '../../dist/records/layout.js';
import { hashBytes } from '../support/hash.js';
import { bend, hardMeshes, makeRandom, makeSoup } from '../support/meshes.js';
import { test } from '../support/test.js';
import { makeTestContext, type TestContext } from '../support/testContext.js';

const builders = ['sah', 'morton'] as const;
const bunnyMesh: MeshData = {
  positions: Float32Array.from(bunny.positions.flat()),
  indices: Uint32Array.from(bunny.cells.flat()),
};

let one: TestContext;
let three: TestContext;
test.before(async () => {
  one = await makeTestContext(1);
  three = await makeTestContext(3);
});
test.after(async () => {
  assert.is(one.pool.threadCount, 1);
  assert.is(three.pool.threadCount, 3);
  await one.close();
  await three.close();
});

// Hashes the bytes of all leaves and nodes. In each node, the bytes from `sphereBoxes` on, which only meshes
// with a sphere tree use, are hashed as zeros.
function hashTree({ arena }: TestContext, mesh: Mesh): string {
  const word = (field: 'nodesAt' | 'leavesAt') => arena.u32[(mesh.recordAt + MeshRecord.at[field]) / 4];
  const nodes = new Uint8Array(arena.u8.slice(word('nodesAt'), word('nodesAt') + mesh.nodeCount * Node.size));
  for (let node = 0; node < mesh.nodeCount; node++)
    nodes.fill(0, node * Node.size + Node.at.sphereBoxes, (node + 1) * Node.size);
  return hashBytes(nodes, arena.u8.slice(word('leavesAt'), word('leavesAt') + mesh.leafCount * Leaf.size));
}

for (const builder of builders) {
  for (const [name, data] of [...hardMeshes(), ['the bunny', bunnyMesh] as const]) {
    test(`${builder}: the tree is valid, and equal for 1 and 3 threads: ${name}`, () => {
      const before = one.arena.usedBytes;
      const mesh = createMesh(one, data, { builder });
      assert.equal(validateTree(one, mesh), []);
      const onThree = createMesh(three, data, { builder });
      assert.is(hashTree(three, onThree), hashTree(one, mesh));
      mesh.dispose();
      onThree.dispose();
      assert.is(one.arena.usedBytes, before);
    });
  }

  test(`${builder}: a refitted tree is valid, and equal for 1 and 3 threads`, () => {
    for (const data of [makeSoup(30_000, 4, 0.02), bunnyMesh, makeSoup(3, 1), makeSoup(0, 1)]) {
      const meshes = [one, three].map(backend => createMesh(backend, data, { builder, deformable: true }));
      for (let frame = 1; frame <= 3; frame++) {
        const moved = bend(data.positions, frame);
        for (const mesh of meshes) assert.is(mesh.update(moved).rebuilt, false);
        assert.equal(validateTree(one, meshes[0]), []);
        assert.is(hashTree(three, meshes[1]), hashTree(one, meshes[0]));
      }
      for (const mesh of meshes) mesh.dispose();
    }
  });
}

test('a loaded tree equals the stored one, also after a refit', () => {
  for (const data of [bunnyMesh, makeSoup(30_000, 4, 0.02), makeSoup(3, 1), makeSoup(0, 1)]) {
    const mesh = createMesh(one, data, { deformable: true });
    const loaded = loadMesh(three, mesh.serialize());
    assert.is(hashTree(three, loaded), hashTree(one, mesh));
    for (const each of [mesh, loaded]) assert.is(each.update(bend(data.positions, 1)).rebuilt, false);
    assert.is(hashTree(three, loaded), hashTree(one, mesh));
    mesh.dispose();
    loaded.dispose();
  }
});

test('refitting to the same positions changes no byte', () => {
  const mesh = createMesh(three, bunnyMesh, { deformable: true });
  const before = hashTree(three, mesh);
  assert.equal(mesh.update(bunnyMesh.positions), { refitted: true, rebuilt: false, quality: 1 });
  assert.is(hashTree(three, mesh), before);
  mesh.dispose();
});

test('a tree is rebuilt if refitting has degraded it', () => {
  const data = makeSoup(5000, 9, 0.01);
  const mesh = createMesh(one, data, { deformable: true });
  const { version, treeVersion } = mesh;
  const scattered = makeSoup(5000, 10, 0.01).positions;
  assert.equal(mesh.update(scattered), { refitted: true, rebuilt: true, quality: 1 });
  assert.is(mesh.treeVersion, treeVersion + 1);
  assert.is(mesh.version, version + 1);
  assert.equal(validateTree(one, mesh), []);
  const fresh = createMesh(one, { positions: scattered });
  assert.is(hashTree(one, mesh), hashTree(one, fresh));
  fresh.dispose();
  mesh.dispose();
});

test('many triangles with the same coordinates on the widest axis are split on another axis', () => {
  const random = makeRandom(7);
  const positions = Float32Array.from(
    Array.from({ length: 30_000 }, random).flatMap(y => [0, y, 0, 100, y, 0, 50, y, 0.001]),
  );
  const mesh = createMesh(one, { positions });
  const onThree = createMesh(three, { positions });
  assert.equal(validateTree(one, mesh), []);
  assert.is(hashTree(three, onThree), hashTree(one, mesh));
  const halves = (one.arena.u32[(mesh.recordAt + MeshRecord.at.nodesAt) / 4] + Node.at.halfY) / 4;
  const whole = one.arena.f32[(mesh.recordAt + MeshRecord.at.halfY) / 4];
  for (let lane = 0; lane < 4; lane++) assert.ok(one.arena.f32[halves + lane] < 0.6 * whole);
  mesh.dispose();
  onThree.dispose();
});

test('the surface area heuristic builds leaves that are nearly full', () => {
  const mesh = createMesh(one, bunnyMesh);
  assert.ok(
    mesh.triangleCount / mesh.leafCount > 3.2,
    `${mesh.triangleCount / mesh.leafCount} triangles per leaf`,
  );
  mesh.dispose();
});

test.run();
