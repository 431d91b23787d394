// Compares casts of spheres and capsules with the exact reference over all triangles.

import * as assert from 'uvu/assert';
import { createEngine, type Engine } from '../../dist/index.js';
import { box, createRandom, type MeshData, rotation, torus, translation } from '../../dist/samples/index.js';
import { test } from '../support/test.js';
import { type Cast, checkCast, hardCasts, targetsOf, WorstErrors } from './castTruth.js';

const engine = await createEngine({ threads: 1 });
test.after(() => engine.dispose());

const numbered = (positions: number[]): MeshData => ({
  positions: Float32Array.from(positions),
  indices: Uint32Array.from({ length: positions.length / 3 }, (_, i) => i),
});

/** Returns random triangles of several sizes. Three of eight have no area: their corners lie on one line. */
function soup(count: number, seed: number): MeshData {
  const random = createRandom(seed);
  const positions: number[] = [];
  for (let i = 0; i < count; i++) {
    const base = [0, 1, 2].map(() => random.between(-1, 1));
    const size = 2 ** -random.below(4);
    const [u, v] = [random.direction(), random.direction()].map(d => d.map(value => value * size));
    const w = [v, u, u.map(value => 0.5 * value), [0, 0, 0]][i % 8 < 5 ? 0 : (i % 8) - 4];
    positions.push(...base, ...base.map((value, k) => value + u[k]), ...base.map((value, k) => value + w[k]));
  }
  return numbered(positions);
}

const scaled = ({ positions, indices }: MeshData, factor: number, shift = 0): MeshData => ({
  positions: positions.map(value => value * factor + shift) as Float32Array,
  indices,
});

function checkMesh(name: string, data: MeshData, size: number, seed: number, count = 220): void {
  const mesh = engine.createMesh(data);
  const targets = targetsOf(data as never);
  const worst = new WorstErrors();
  for (const cast of hardCasts(targets, count, createRandom(seed), size)) {
    checkCast(engine, mesh, targets, cast, worst);
    checkCast(engine, mesh, targets, cast, worst, { ignoreSeparating: true });
  }
  console.log(
    `  counted: ${name}: ${worst.casts} casts, ${worst.hits} hits, ${worst.atStart} at the start, ${worst.grazing} that only graze; worst errors 2^${Math.log2(Math.max(worst.early, worst.point, worst.normal, worst.separation)).toFixed(1)}`,
  );
  assert.ok(worst.hits > count / 4 && worst.hits < worst.casts, name);
  mesh.dispose();
}

for (const [name, data, size, seed] of [
  ['box', box(), 1, 1],
  ['torus', torus(120), 1, 2],
  ['soup with triangles without area', soup(48, 3), 1, 3],
  ['tiny', scaled(torus(60), 2 ** -60), 2 ** -60, 4],
  ['huge', scaled(torus(60), 2 ** 60), 2 ** 60, 5],
  ['far from the origin', scaled(box(), 1, 2 ** 20), 1, 6],
] as const)
  test(`hits and misses of casts equal the exact reference: ${name}`, () =>
    checkMesh(name, data, size, seed));

test('vertices in doubles: gaps of 1e-9 are seen', () => {
  const positions = Float64Array.from(box().positions, value => value * 0.1 + 1 / 3);
  const { indices } = box();
  const mesh = engine.createMesh({ positions, indices });
  const targets = targetsOf({ positions, indices });
  const worst = new WorstErrors();
  for (const cast of hardCasts(targets, 120, createRandom(8), 0.1))
    checkCast(engine, mesh, targets, cast, worst);
  const top = Math.max(...positions.filter((_, i) => i % 3 === 1));
  const sphere = { center: [1 / 3, top + 0.5 + 1e-9, 1 / 3], radius: 0.5 };
  assert.is(engine.castSphere(mesh, sphere, [0, -0.9e-9, 0]), undefined);
  assert.ok(engine.castSphere(mesh, sphere, [0, -1.1e-9, 0]));
  mesh.dispose();
});

test('bodies of a scene: mirrored, sheared, almost flat and moved placements', () => {
  const data = torus(60);
  const crate = box();
  const [ring, solid] = [engine.createMesh(data), engine.createMesh(crate)];
  const scene = engine.createScene();
  const random = createRandom(9);
  const placements = [
    translation([0.5, 0, 0]),
    rotation([0.6, 0, 0.8], 2, [-1, 0.5, 0]),
    Float64Array.of(-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 2, 1, 0, 1),
    Float64Array.of(1, 0.5, 0, 0, -0.25, 2, 0.125, 0, 0, 0.75, 0.5, 0, 0, -2, 1, 1),
    Float64Array.of(1, 0, 0, 0, 0, 2 ** -30, 0, 0, 0, 0, 1, 0, 0, 0, 2, 1),
    Float64Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 3, 0, 1),
  ];
  const meshes = placements.map((_, i) => (i % 2 === 0 ? data : crate));
  const ids = placements.map((transform, i) => scene.add(i % 2 === 0 ? ring : solid, { transform }));
  const worst = new WorstErrors();
  for (let round = 0; round < 2; round++) {
    const targets = placements.flatMap((transform, i) => targetsOf(meshes[i] as never, transform, ids[i]));
    // The triangles of an almost flat body are very thin, so their hits need a larger tolerance.
    for (const cast of hardCasts(targets, 110, random, 1))
      checkCast(engine, scene, targets, cast, worst, {}, 2 ** -18);
    const [cast] = hardCasts(targets, 1, random, 1);
    const hit = checkCast(engine, scene, targets, cast, worst, {}, 2 ** -18);
    if (hit) {
      const others = targets.filter(({ body }) => body !== hit.body);
      checkCast(engine, scene, others, cast, worst, { exclude: hit.body! }, 2 ** -18);
    }
    placements[0] = translation([-2, round, 0.25]);
    scene.setTransform(ids[0], placements[0]);
  }
  assert.ok(worst.hits > 60, `${worst.hits} hits`);
  scene.dispose();
  ring.dispose();
  solid.dispose();
});

test('a cast at a scene tests only bodies whose group and mask match its options', () => {
  const crate = engine.createMesh(box());
  const scene = engine.createScene();
  const near = scene.add(crate, { group: 2, mask: 4 });
  const far = scene.add(crate, { transform: translation([5, 0, 0]), group: 8 });
  const cast = (options: object): number | undefined =>
    engine.castSphere(scene, { center: [-5, 0, 0], radius: 0.5 }, [20, 0, 0], options)?.body;
  assert.is(cast({}), far);
  assert.is(cast({ group: 4 }), near);
  assert.is(cast({ group: 4, mask: 8 }), far);
  assert.is(cast({ group: 4, exclude: near }), far);
  assert.is(cast({ mask: 1 }), undefined);
  scene.remove(far);
  assert.is(cast({}), undefined);
  scene.remove(near);
  assert.is(cast({}), undefined);
  scene.dispose();
  crate.dispose();
});

test('a mesh without triangles is never hit, and a mesh whose vertices have moved is hit at its new place', () => {
  const empty = engine.createMesh({ positions: new Float32Array(), indices: new Uint32Array() });
  const sphere = { center: [0, 3, 0], radius: 0.5 };
  assert.is(engine.castSphere(empty, sphere, [0, -9, 0]), undefined);
  assert.is(engine.overlapSphere(empty, sphere).count, 0);
  const { positions, indices } = box();
  const mesh = engine.createMesh({ positions, indices }, { deformable: true });
  assert.ok(engine.castSphere(mesh, sphere, [0, -9, 0]));
  mesh.update(positions.map((value, i) => (i % 3 === 1 ? value - 20 : value)));
  assert.is(engine.castSphere(mesh, sphere, [0, -9, 0]), undefined);
  assert.ok(engine.castSphere(mesh, sphere, [0, -29, 0]));
  mesh.dispose();
  empty.dispose();
});

test('a sphere that overlaps a wall and moves away from it hits the wall, except with ignoreSeparating', () => {
  const wall = engine.createMesh(numbered([-5, 0, -5, 5, 0, -5, 0, 0, 5]));
  const sphere = { center: [0, 0.4, 0], radius: 0.5 };
  const hit = engine.castSphere(wall, sphere, [0, 1, 0]);
  assert.is(hit?.t, 0);
  assert.ok(Math.abs(hit!.separation + 0.1) < 1e-12);
  assert.equal([...hit!.normal], [0, 1, 0]);
  assert.is(engine.castSphere(wall, sphere, [0, 1, 0], { ignoreSeparating: true }), undefined);
  assert.is(engine.castSphere(wall, sphere, [0, -1, 0], { ignoreSeparating: true })?.t, 0);
  wall.dispose();
});

test('even if the center of a sphere is very close to a triangle, the normal points from the triangle to the center', () => {
  const floor = engine.createMesh(numbered([0, 0, 0, 4, 0, 0, 0, 0, 4]));
  const options = { ignoreSeparating: true };
  for (const below of [1e-4, 1e-8, 1e-10]) {
    // The center is beside an edge, and the sphere moves away from this edge.
    const sphere = { center: [2, 0, -below], radius: 0.25 };
    assert.is(engine.castSphere(floor, sphere, [0, 0.1, -1], options), undefined, String(below));
    assert.equal(
      engine.castSphere(floor, sphere, [0, 0.1, -1])!.normal.map(value => value + 0),
      [0, 0, -1],
    );
  }
  floor.dispose();
});

/** Returns the results of casts and overlap tests at a mesh, as a text. */
function allResults(of: Engine): string {
  const mesh = of.createMesh(torus(400));
  const targets = targetsOf(torus(400) as never);
  const results: unknown[] = [];
  for (const { start, end, radius, motion } of hardCasts(targets, 60, createRandom(12), 1) as Cast[]) {
    results.push(of.castCapsule(mesh, { start, end, radius }, motion));
    results.push(of.overlapCapsule(mesh, { start, end, radius }));
    results.push(
      of.castMesh(mesh, mesh, motion, { transform: translation(start as [number, number, number]) }),
    );
  }
  mesh.dispose();
  return JSON.stringify(results);
}

test('results do not depend on threads or memory, and memory does not grow', async () => {
  const expected = allResults(engine);
  for (const options of [
    { threads: 3 },
    { threads: 1, memory: 'shared' },
    { threads: 1, memory: 'single' },
  ] as const) {
    const other = await createEngine(options);
    assert.is(allResults(other), expected);
    other.dispose();
  }
  const mesh = engine.createMesh(torus(400));
  const used = (): number =>
    (engine as unknown as { context: { arena: { usedBytes: number } } }).context.arena.usedBytes;
  const cast = (): unknown => engine.castSphere(mesh, { center: [3, 0, 0], radius: 0.2 }, [-4, 0, 0]);
  cast();
  const before = used();
  for (let i = 0; i < 3000; i++) cast();
  assert.is(used(), before);
  mesh.dispose();
});

test.run();
