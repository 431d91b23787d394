// pfront/debug -> no faults in meshes of every kind, and a sentence for each fault that is made.

import * as assert from 'uvu/assert';
import { checkMesh } from '../../dist/debug/index.js';
import { createEngine, type Mesh } from '../../dist/index.js';
import { Leaf, MeshRecord, Node } from '../../dist/records/layout.js';
import { box, sphere, torus } from '../../dist/samples/index.js';
import { test } from '../support/test.js';

const engine = await createEngine({ threads: 1, warmUp: 'off' });
test.after(() => engine.dispose());

test('meshes of every kind are right, also when they have moved or were loaded', () => {
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
function spoil(mesh: Mesh, record: 'nodes' | 'leaves', field: number, bits: number): void {
  const { u32 } = mesh.backend.arena;
  u32[u32[(mesh.recordAt + MeshRecord.at[`${record}At`]) / 4] / 4 + field / 4] ^= bits;
}

test('a spoiled box, link, corner and triangle number are each told', () => {
  for (const [record, field, bits, told] of [
    ['nodes', Node.at.parent, 1, /^node 0: parent/],
    ['nodes', Node.at.halfX, 0x800000, /does not hold|loose/],
    ['leaves', 0, 1, /corner 0/],
    ['leaves', Leaf.at.id, 1, /twice|lost|corner/],
  ] as const) {
    const mesh = engine.createMesh(sphere(200));
    spoil(mesh, record, field, bits);
    const faults = checkMesh(mesh);
    assert.ok(
      faults.some(fault => told.test(fault)),
      `${record} ${field}: ${faults.join('; ')}`,
    );
    mesh.dispose();
  }
});

test('a mesh that is gone is refused', () => {
  const mesh = engine.createMesh(box());
  mesh.dispose();
  assert.throws(() => checkMesh(mesh), /was disposed/);
});

test.run();
