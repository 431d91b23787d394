// Compares overlap tests of spheres, capsules and boxes with the exact reference over all triangles.

import * as assert from 'uvu/assert';
import { type Box, createEngine } from '../../dist/index.js';
import { box, createRandom, rotation, torus, translation } from '../../dist/samples/index.js';
import { test } from '../support/test.js';
import { hardCasts, type Target, targetsOf } from './castTruth.js';
import { boxOverlaps, overlaps, type SlowBox } from './slowShapes.js';

const engine = await createEngine({ threads: 1 });
test.after(() => engine.dispose());

const numbersOf = (targets: readonly Target[]): number[] => targets.map(({ triangle }) => triangle);

/** Returns the box that the reference tests. Its center and half axes are rounded as in the engine. */
function slowBox({ halfExtents, center = [0, 0, 0], transform }: Box): SlowBox {
  const half = halfExtents as number[];
  const at = center as number[];
  const m = (transform ?? translation([0, 0, 0])) as ArrayLike<number>;
  return {
    center: [0, 1, 2].map(row => m[row] * at[0] + m[4 + row] * at[1] + m[8 + row] * at[2] + m[12 + row]),
    axes: [0, 1, 2].flatMap(i => [0, 1, 2].map(row => m[4 * i + row] * half[i])),
  };
}

for (const [name, data, size] of [
  ['box', box(), 1],
  ['torus', torus(160), 1],
] as const)
  test(`overlaps of capsules and spheres equal the exact reference: ${name}`, () => {
    const mesh = engine.createMesh(data);
    const targets = targetsOf(data as never);
    let overlapping = 0;
    for (const { start, end, radius } of hardCasts(targets, 220, createRandom(21), size)) {
      const expected = numbersOf(targets.filter(({ corners }) => overlaps({ start, end, radius }, corners)));
      const found = engine.overlapCapsule(mesh, { start, end, radius });
      assert.equal([...found.triangle], expected);
      assert.is(engine.overlapCapsule(mesh, { start, end, radius }, { want: 'any' }), expected.length > 0);
      overlapping += expected.length;
    }
    assert.ok(overlapping > 300, String(overlapping));
    mesh.dispose();
  });

test('overlaps of boxes equal the exact reference: random, aligned, sharing corners, edges and faces', () => {
  const data = torus(160);
  const mesh = engine.createMesh(data);
  const targets = targetsOf(data as never);
  const random = createRandom(22);
  let overlapping = 0;
  for (let i = 0; i < 200; i++) {
    const corner = [...targets[random.below(targets.length)].corners.subarray(0, 3)] as [
      number,
      number,
      number,
    ];
    const halfExtents = [0, 1, 2].map(() => [0.25, 0.5, random.between(0.01, 1)][random.below(3)]);
    // The box is placed so that a vertex of the mesh is often on a corner, an edge or a face of the box.
    const place = halfExtents.map(half => half * [1, -1, 0, random.between(-1.5, 1.5)][random.below(4)]);
    const transform =
      i % 3 === 0 ? undefined : rotation([0.6, 0, 0.8], [0, Math.PI / 2, i][random.below(3)], corner);
    const given: Box = transform
      ? { halfExtents, center: place, transform }
      : { halfExtents, center: corner.map((value, k) => value + place[k]) };
    const slow = slowBox(given);
    const expected = numbersOf(targets.filter(({ corners }) => boxOverlaps(slow, corners)));
    assert.equal([...engine.overlapBox(mesh, given).triangle], expected, JSON.stringify(given));
    assert.is(engine.overlapBox(mesh, given, { want: 'any' }), expected.length > 0);
    overlapping += expected.length;
  }
  assert.ok(overlapping > 300, String(overlapping));
  mesh.dispose();
});

test('shapes that touch a triangle in one point overlap it; a box inside a solid overlaps nothing', () => {
  const mesh = engine.createMesh({ positions: Float32Array.of(0, 0, 0, 4, 0, 0, 0, 0, 4) });
  const touches = (center: number[], radius: number): number =>
    engine.overlapSphere(mesh, { center, radius }).count;
  assert.equal([touches([1, 0.5, 1], 0.5), touches([1, 0.5, 1], 0.5 - 2 ** -54)], [1, 0]);
  assert.equal([touches([-3, -4, 0], 5), touches([-3, -4, 0], 5 - 2 ** -50)], [1, 0]);
  assert.equal([touches([2, 3, -4], 5), touches([2, 3, -4], 5 - 2 ** -50)], [1, 0]);
  const at = (center: number[]): number => engine.overlapBox(mesh, { center, halfExtents: [1, 1, 1] }).count;
  assert.equal([at([1, 1, 1]), at([1, 1 + 2 ** -50, 1])], [1, 0]);
  assert.equal([at([-1, 0, 2]), at([-1 - 2 ** -50, 0, 2])], [1, 0]);
  assert.equal([at([-1, -1, -1]), at([-1 - 2 ** -50, -1, -1])], [1, 0]);
  assert.is(engine.overlapBox(mesh, { halfExtents: [9, 9, 9] }).count, 1);
  const solid = engine.createMesh(box(5, 5, 5));
  assert.is(engine.overlapBox(solid, { halfExtents: [1, 1, 1] }).count, 0);
  assert.is(engine.overlapSphere(solid, { center: [0, 0, 0], radius: 1 }, { want: 'any' }), false);
  mesh.dispose();
  solid.dispose();
});

test('lists grow for thousands of overlapping triangles, and for hundreds that doubles cannot decide', () => {
  const ring = engine.createMesh(torus(4000));
  assert.is(engine.overlapSphere(ring, { center: [0, 0, 0], radius: 3 }).count, 4000);
  // A fan of triangles that all touch the sphere at the fan's center.
  const count = 700;
  const positions: number[] = [];
  for (let i = 0; i < count; i++) {
    const [a, b] = [i, i + 1].map(k => (2 * Math.PI * k) / count);
    positions.push(0, 0, 0, Math.cos(a), 0, Math.sin(a), Math.cos(b), 0, Math.sin(b));
  }
  const fan = engine.createMesh({ positions: Float32Array.from(positions) });
  assert.is(engine.overlapSphere(fan, { center: [0, 0.5, 0], radius: 0.5 }).count, count);
  assert.is(engine.overlapSphere(fan, { center: [0, 0.5, 0], radius: 0.5 - 2 ** -54 }).count, 0);
  ring.dispose();
  fan.dispose();
});

test('a scene reports bodies and triangles in order, and results are copies', () => {
  const crate = engine.createMesh(box());
  const scene = engine.createScene();
  const ids = [0, 1, 2].map(i => scene.add(crate, { transform: translation([3 * i, 0, 0]), group: 1 << i }));
  const all = engine.overlapBox(scene, { halfExtents: [9, 9, 9] });
  assert.is(all.count, 36);
  assert.equal(
    [...all.body!],
    ids.flatMap(id => new Array(12).fill(id)),
  );
  assert.equal(
    [...all.triangle],
    ids.flatMap(() => [...Array(12).keys()]),
  );
  const kept = [...all.triangle];
  const some = engine.overlapSphere(scene, { center: [3, 1, 0], radius: 0.5 }, { mask: 2 });
  assert.equal([...new Set(some.body)], [ids[1]]);
  assert.is(engine.overlapSphere(scene, { center: [3, 1, 0], radius: 0.5 }, { exclude: ids[1] }).count, 0);
  assert.equal([...all.triangle], kept);
  scene.dispose();
  crate.dispose();
});

test.run();
