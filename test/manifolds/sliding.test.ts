// Tests the contact manifolds of bodies that slide over a flat ground of many triangles. The inner edges of the
// ground are the edges that two of its triangles share.

import * as assert from 'uvu/assert';
import { createEngine, type Mesh } from '../../dist/index.js';
import { box, type MeshData, rotation, translation } from '../../dist/samples/index.js';
import { test } from '../support/test.js';
import { type FoundManifold, manifoldsOf } from './checkManifolds.js';
import { ground } from './surfaces.js';

const engine = await createEngine({ threads: 1, warmUp: 'off' });
test.after(() => engine.dispose());

const makeBodies = (dataA: MeshData, dataB: MeshData): { a: Mesh; b: Mesh } => ({
  a: engine.createMesh(dataA),
  b: engine.createMesh(dataB),
});

// Slides and turns a box over a ground of many triangles, in small steps. Returns the manifolds of each step.
function slide(cells: number): FoundManifold[][] {
  const { a, b } = makeBodies(box(), ground(cells, 10));
  const steps = Array.from({ length: 60 }, (_, step) => {
    const transformA = rotation([0, 1, 0], 0.002 * step, [-3 + 0.1 * step, 0.99, 0.7 + 0.013 * step]);
    return manifoldsOf(engine.contacts(a, b, { transformA }));
  });
  a.dispose();
  b.dispose();
  return steps;
}

test('features stay the same while a body slides and turns by small steps', () => {
  for (const cells of [1, 6, 16]) {
    const features = slide(cells).map(([{ points }]) => points.map(({ feature }) => feature).sort());
    features.forEach((list, step) => assert.equal(list, features[0], `${cells} cells, step ${step}`));
    assert.equal(features[0].length, 4);
  }
});

test('a body that slides over a flat ground does not collide with the inner edges of the ground', () => {
  for (const cells of [1, 6, 16, 40])
    slide(cells).forEach((found, step) => checkGrounded(found, `${cells} cells, step ${step}`));
});

// Fails unless a body has exactly one manifold with the ground, whose normal is vertical.
const checkGrounded = (found: FoundManifold[], what: string): void =>
  assert.equal(
    found.map(({ normal }) => normal.map(value => value + 0)),
    [[0, -1, 0]],
    what,
  );

test('a body on a flat ground does not collide with inner edges that lie close to its sides', () => {
  const { a, b } = makeBodies(box(0.5, 0.5, 0.5), ground(2, 2));
  for (const beyond of [1e-7, 1e-5, 1e-3, 0.02, -1e-5, -1e-3])
    for (const other of [beyond, 0.2, 0]) {
      const transformA = translation([0.5 - beyond, 0.499, 0.5 - other]);
      checkGrounded(manifoldsOf(engine.contacts(a, b, { transformA })), `${beyond} and ${other}`);
    }
  a.dispose();
  b.dispose();
});

test('a box that slides along an axis in small steps has exactly one manifold with the ground', () => {
  const bad: string[] = [];
  for (const [cells, data] of [
    [6, box()],
    [16, box()],
    [40, box()],
    [40, box(4, 1, 0.3)],
  ] as const) {
    const { a, b } = makeBodies(data, ground(cells, 10));
    for (let step = 0; step < 600; step++) {
      const transformA = translation([-1 + step / 400, 0.99, 0.7]);
      const found = manifoldsOf(engine.contacts(a, b, { transformA }));
      if (found.length !== 1) bad.push(`${cells} cells, step ${step}: ${found.map(({ normal }) => normal)}`);
    }
    a.dispose();
    b.dispose();
  }
  assert.is(bad.length, 0, `${bad.length} steps, such as: ${bad[0]}`);
});

test('a box whose sides lie just beyond edges of the ground keeps all four corners', () => {
  const { a, b } = makeBodies(box(0.5, 0.5, 0.5), ground(4, 1));
  for (const x of [-0.0005, 0.0005])
    for (const z of [0.00002, -0.0003]) {
      const found = manifoldsOf(engine.contacts(a, b, { transformA: translation([x, 0.4985, z]) }));
      checkGrounded(found, `${x}, ${z}`);
      const corners = found[0].points.map(({ point }) => `${Math.sign(point[0])} ${Math.sign(point[2])}`);
      assert.equal(corners.sort(), ['-1 -1', '-1 1', '1 -1', '1 1'], `${x}, ${z}`);
      for (const { depth } of found[0].points) assert.ok(Math.abs(depth - 0.0015) < 1e-6, `depth ${depth}`);
    }
  a.dispose();
  b.dispose();
});

test.run();
