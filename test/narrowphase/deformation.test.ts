// Tests meshes that deform: they fold, explode, are sheared, or have their triangles shuffled. In every
// frame, the results must equal those of a mesh newly created with the same coordinates, and the tree must
// stay efficient.

import * as assert from 'uvu/assert';
import type { Engine, Mesh } from '../../dist/index.js';
import { createRandom, sphere } from '../../dist/samples/index.js';
import { caught, hashInOrder, withEngine } from '../support/engines.js';
import { crumpled, type SelfMesh, unindexed } from '../support/selfMeshes.js';
import { test } from '../support/test.js';

const FRAMES = 14;
/**
 * A tree is rebuilt when its excess area, summed over all frames since it was built, reaches this multiple of
 * the area of a new tree. See bindings/bvh/rebuildPolicy.ts.
 */
const MAX_LOST = 18;
const ball = sphere(1500);

const base = unindexed(crumpled(24, 0.3));
const random = createRandom(5);
const order = Array.from({ length: base.indices.length / 3 }, (_, i) => ({ i, key: random.between(0, 1) }))
  .sort((a, b) => a.key - b.key)
  .map(({ i }) => i);
const away = Array.from(order, () => [0, 1, 2].map(() => random.between(-1, 1)));

/** Ways in which the mesh deforms. Each function returns the coordinates of a frame. */
const motions: Record<string, (frame: number) => SelfMesh['positions']> = {
  fold: frame => unindexed(crumpled(24, 0.3 + 0.15 * frame)).positions,
  explode: frame => base.positions.map((value, i) => value + 0.1 * frame * away[Math.floor(i / 9)][i % 3]),
  shear: frame =>
    base.positions.map((value, i) => value + (i % 3 === 0 ? 0.7 * frame * base.positions[i + 1] : 0)),
  // In each frame, 80 more triangles are moved to the places of other triangles.
  shuffle: frame =>
    base.positions.map((value, i) =>
      Math.floor(i / 9) < 80 * frame ? base.positions[9 * order[Math.floor(i / 9)] + (i % 9)] : value,
    ),
};

const hashOf = (engine: Engine, mesh: Mesh, other: Mesh): string[] =>
  [
    () => engine.query(mesh, other),
    () => engine.query(other, mesh),
    () => engine.selfQuery(mesh),
    () => engine.selfQuery(mesh, { neighbors: 'position' }),
  ].map(runQuery => {
    const found = runQuery();
    return `${found.count} ${hashInOrder(found)}`;
  });

const fresh = await withEngine({ threads: 1 }, engine => {
  const other = engine.createMesh(ball);
  return Object.values(motions).map(move =>
    Array.from({ length: FRAMES }, (_, frame) =>
      hashOf(engine, engine.createMesh({ positions: move(frame) }), other),
    ),
  );
});

for (const tree of ['auto', 'refit', 'rebuild'] as const) {
  test(`${tree}: every frame has the results of a newly created mesh`, async () => {
    for (const threads of [1, 3])
      await withEngine({ threads, warmUp: 'off' }, engine => {
        const other = engine.createMesh(ball);
        Object.entries(motions).forEach(([name, move], i) => {
          const mesh = engine.createMesh(
            { positions: base.positions },
            { deformable: true, builder: i % 2 ? 'sah' : 'morton' },
          );
          for (let frame = 0; frame < FRAMES; frame++) {
            const { treeVersion } = mesh;
            const { refitted, rebuilt, quality } = mesh.update(move(frame), { tree });
            assert.is(mesh.treeVersion, treeVersion + (rebuilt ? 1 : 0));
            assert.ok(quality > 0 && (!rebuilt || quality === 1), `${name}: ${quality}`);
            if (tree !== 'auto') assert.equal([refitted, rebuilt], [tree === 'refit', tree === 'rebuild']);
            assert.equal(hashOf(engine, mesh, other), fresh[i][frame], `${name}, frame ${frame}`);
          }
          mesh.dispose();
        });
      });
  });
}

test('a tree that becomes inefficient is rebuilt once the extra cost of queries equals the cost of a rebuild; a tree that stays efficient is not rebuilt', () =>
  withEngine({ threads: 1 }, engine => {
    const counts = Object.entries(motions).map(([name, move]) => {
      const mesh = engine.createMesh({ positions: base.positions }, { deformable: true });
      let [rebuilt, lost] = [0, 0];
      for (let frame = 0; frame < FRAMES; frame++) {
        const updated = mesh.update(move(frame));
        lost = updated.rebuilt ? 0 : lost + Math.max(0, updated.quality - 1);
        assert.ok(lost < MAX_LOST, `${name}, frame ${frame}: ${lost}`);
        if (updated.rebuilt) rebuilt++;
      }
      return [name, rebuilt] as const;
    });
    const of = Object.fromEntries(counts);
    assert.ok(of.shuffle! >= 1 && of.explode! >= 1, JSON.stringify(of));
    const still = engine.createMesh({ positions: base.positions }, { deformable: true });
    for (let frame = 0; frame < 50; frame++)
      assert.equal(still.update(base.positions), { refitted: true, rebuilt: false, quality: 1 });
    // The quality of a tree depends on the shape of the mesh, not on its size.
    assert.ok(still.update(base.positions.map(value => 8 * value)).quality === 1);
  }));

test('a mesh that grows from a point gets a new tree, and keeps this tree when the mesh shrinks again', () =>
  withEngine({ threads: 1 }, engine => {
    const flat = base.positions.map((value, i) => (i % 3 === 2 ? 0 : value));
    const mesh = engine.createMesh({ positions: base.positions.map(() => 0) }, { deformable: true });
    assert.is(mesh.update(flat).rebuilt, true);
    assert.is(mesh.update(base.positions.map(() => 0)).rebuilt, false);
  }));

test('an unknown value of the option `tree` is refused', () =>
  withEngine({ threads: 1 }, engine => {
    const mesh = engine.createMesh({ positions: base.positions }, { deformable: true });
    const { version } = mesh;
    assert.match(
      caught(() => mesh.update(base.positions, { tree: 'keep' as 'auto' })).message,
      /tree is 'keep', not 'auto' or 'refit' or 'rebuild'/,
    );
    assert.is(mesh.version, version);
  }));

test('without optional modules, trees are refitted and, if they degrade, rebuilt; errors name the module that is needed', async () => {
  await withEngine({ threads: 1, modules: [] }, engine => {
    const mesh = engine.createMesh({ positions: base.positions }, { deformable: true });
    assert.equal(mesh.update(base.positions), { refitted: true, rebuilt: false, quality: 1 });
    assert.is(mesh.update(motions.shuffle!(9)).rebuilt, true);
    const { version } = mesh;
    for (const tree of ['auto', 'refit', 'rebuild'] as const) {
      const refused = caught(() => mesh.update(base.positions, { tree }));
      assert.is(refused.code, 'Unsupported');
      assert.match(refused.message, /tree: '\w+' needs module 'deforming'/);
    }
    assert.is(mesh.version, version);
    assert.match(caught(() => mesh.serialize()).message, /serialize needs module 'stored'/);
  });
});

test.run();
