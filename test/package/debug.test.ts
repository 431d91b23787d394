// Tests that pfront/debug finds no faults in valid meshes, scenes and memory, and reports faults that the
// tests introduce.

import * as assert from 'uvu/assert';
import { checkMemory, checkMesh, checkScene } from '../../dist/debug/index.js';
import { createEngine, type Mesh } from '../../dist/index.js';
import { Leaf, MeshRecord, Node } from '../../dist/records/layout.js';
import { box, rotation, sphere, torus, translation } from '../../dist/samples/index.js';
import { test } from '../support/test.js';

const engine = await createEngine({ threads: 1, warmUp: 'off' });
test.after(() => engine.dispose());

test('meshes of every kind have no faults, even after they deform or are loaded', () => {
  const soft = engine.createMesh(torus(900), { deformable: true });
  const meshes = [
    engine.createMesh(box()),
    engine.createMesh(sphere(500), { builder: 'morton' }),
    engine.createMesh({ positions: new Float32Array(0) }),
    soft,
    engine.loadMesh(soft.serialize()),
  ];
  for (const mesh of meshes) assert.equal(checkMesh(mesh), []);
  soft.update(torus(900).positions.map(value => 2 * value));
  assert.equal(checkMesh(soft), []);
});

/** Flips bits of a word of the mesh's first node or leaf. */
function corrupt(mesh: Mesh, record: 'nodes' | 'leaves', field: number, bits: number): void {
  const { u32 } = mesh.context.arena;
  u32[u32[(mesh.recordAt + MeshRecord.at[`${record}At`]) / 4] / 4 + field / 4] ^= bits;
}

test('a corrupted box, link, corner or triangle number is reported', () => {
  for (const [record, field, bits, reported] of [
    ['nodes', Node.at.parent, 1, /^node 0: parent/],
    ['nodes', Node.at.halfX, 0x800000, /does not contain|loose/],
    ['leaves', 0, 1, /corner 0/],
    ['leaves', Leaf.at.id, 1, /twice|lost|corner/],
  ] as const) {
    const mesh = engine.createMesh(sphere(200));
    corrupt(mesh, record, field, bits);
    const faults = checkMesh(mesh);
    assert.ok(
      faults.some(fault => reported.test(fault)),
      `${record} ${field}: ${faults.join('; ')}`,
    );
    mesh.dispose();
  }
});

test('a disposed mesh is refused', () => {
  const mesh = engine.createMesh(box());
  mesh.dispose();
  assert.throws(() => checkMesh(mesh), /was disposed/);
});

test('scenes have no faults before and after bodies move, and a box that is too small is reported', () => {
  const scene = engine.createScene();
  const soft = engine.createMesh(torus(300), { deformable: true });
  const meshes = [
    engine.createMesh(sphere(200)),
    soft,
    engine.createMesh({ positions: new Float32Array(0) }),
  ];
  const ids = Array.from({ length: 30 }, (_, i) =>
    scene.add(meshes[i % 3], { transform: translation([i, 0.1 * i, 1e5 * i]) }),
  );
  assert.equal(checkScene(scene), []);
  scene.detect();
  scene.setTransform(ids[3], rotation([0, 0.6, 0.8], 1.25));
  soft.update(torus(300).positions.map(value => 3 * value));
  scene.remove(ids[4]);
  assert.equal(checkScene(scene), []);
  scene.detect();
  assert.equal(checkScene(scene), []);
  const { bodies } = scene as unknown as { bodies: { boxesAt: number } };
  const { f32 } = soft.context.arena;
  f32[bodies.boxesAt / 4 + 6 * scene.slotOf(ids[0]) + 3] -= 0.5;
  assert.match(checkScene(scene).join(), /^body \d+: its box spans .* along x, but vertex \d+ is at/);
  corrupt(soft, 'nodes', Node.at.parent, 1);
  assert.match(checkScene(scene).join(), /mesh of body \d+: node 0: parent/);
  scene.dispose();
});

test('memory has no faults after meshes are created and disposed, and wrong numbers of used or free bytes are reported', async () => {
  const own = await createEngine({ threads: 1, warmUp: 'off' });
  assert.equal(checkMemory(own), []);
  const meshes = [5000, 20, 900, 300].map(count => own.createMesh(torus(count)));
  meshes[1].dispose();
  meshes[3].dispose();
  own.query(meshes[0], meshes[2]);
  assert.equal(checkMemory(own), []);
  const { arena } = meshes[0].context;
  arena.usedBytes += 64;
  assert.match(checkMemory(own).join(), /but usedBytes is/);
  arena.usedBytes -= 64;
  const { free } = arena as unknown as { free: { at: number; bytes: number }[] };
  free[0].bytes -= 64;
  assert.match(checkMemory(own).join(), /no block begins at/);
  free[0].bytes += 64;
  assert.equal(checkMemory(own), []);
  own.dispose();
});

test('a memory of 4 GiB has no block in its last 64 bytes', () => {
  // Only the parts of an arena that the check reads. One free block covers the whole memory.
  const arenaOf = (end: number) => ({
    memory: { buffer: { byteLength: 2 ** 32 } },
    free: [{ at: 64, bytes: end - 64 }],
    sizeOf: () => 0,
    usedBytes: 0,
  });
  assert.equal(checkMemory({ context: { arena: arenaOf(2 ** 32 - 64) } }), []);
  assert.match(checkMemory({ context: { arena: arenaOf(2 ** 32) } }).join(), /beyond the end of the memory/);
});

test.run();
