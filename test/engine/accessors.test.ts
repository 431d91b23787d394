// Tests arguments that have accessor properties (getters). The accessors dispose of an object that the call
// uses, or return a different value at each read.

import * as assert from 'uvu/assert';
import { copyOptions, integer } from '../../dist/core/checkOptions.js';
import { checkMemory } from '../../dist/debug/index.js';
import { type BroadPhase, createEngine, type Engine, type Mesh, type Scene } from '../../dist/index.js';
import { rotation, torus } from '../../dist/samples/index.js';
import { caughtLater, contextOf, hashInOrder } from '../support/engines.js';
import { test } from '../support/test.js';

const data = torus(300);
const placement = rotation([1, 0, 0], 1, [0.4, 0, 0]);
const boxes = Float32Array.of(0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1);

/** An engine with a mesh, a scene with one body, and a broad phase with two boxes. */
interface World {
  engine: Engine;
  mesh: Mesh;
  scene: Scene;
  body: number;
  broad: BroadPhase;
}

async function makeWorld(): Promise<World> {
  const engine = await createEngine({ threads: 1, warmUp: 'off' });
  const mesh = engine.createMesh(data, { deformable: true });
  const scene = engine.createScene();
  const broad = engine.createBroadPhase();
  broad.set(boxes);
  return { engine, mesh, scene, body: scene.add(mesh), broad };
}

/**
 * A call that reads an accessor. `arm` returns a copy of `more` whose property `name` is an accessor. When the
 * accessor is read, it runs an action of the test, such as a disposal, and then returns `value`.
 */
type Call = (world: World, arm: (name: string, value: unknown, more?: object) => never) => unknown;

const list = Array.from(placement);

const ofScene: Record<string, Call> = {
  'scene.add, transform': ({ scene, mesh }, arm) => scene.add(mesh, arm('transform', placement)),
  'scene.add, group': ({ scene, mesh }, arm) => scene.add(mesh, arm('group', 1)),
  'scene.add, elements': ({ scene, mesh }, arm) => scene.add(mesh, { transform: arm('elements', list) }),
  'scene.setTransform, elements': ({ scene, body }, arm) => scene.setTransform(body, arm('elements', list)),
  'scene.setTransform, an entry': ({ scene, body }, arm) => scene.setTransform(body, arm('5', list[5], list)),
  'scene.setTransforms, from': ({ scene }, arm) => scene.setTransforms(placement, arm('from', placement)),
  'scene.setTransforms, an id': ({ scene, body }, arm) =>
    scene.setTransforms(placement, arm('0', body, [body])),
  'scene.setTransforms, length': ({ scene, body }, arm) =>
    scene.setTransforms(placement, arm('length', 1, { 0: body })),
  'scene.detect': ({ scene }, arm) => scene.detect(arm('narrow', 'any')),
  'scene.detect, continuous': ({ scene }, arm) => scene.detect(arm('continuous', true)),
  'castRays, scene': ({ engine, scene }, arm) => engine.castRays(scene, points, points, arm('max', 9)),
};
const points = Float64Array.of(1, 2, 3);
const ofBroadPhase: Record<string, Call> = {
  'broadPhase.pairs': ({ broad }, arm) => broad.pairs(arm('order', 'any')),
};
const ofMesh: Record<string, Call> = {
  'mesh.update': ({ mesh }, arm) => mesh.update(data.positions, arm('tree', 'rebuild')),
  'scene.add': ({ scene, mesh }, arm) => scene.add(mesh, arm('transform', placement)),
  query: ({ engine, mesh }, arm) => engine.query(mesh, mesh, arm('parts', 1)),
  'query, elements': ({ engine, mesh }, arm) =>
    engine.query(mesh, mesh, { transformB: arm('elements', list) }),
  'query, any': ({ engine, mesh }, arm) => engine.query(mesh, mesh, arm('order', 'any', { want: 'any' })),
  'query, segments': ({ engine, mesh }, arm) =>
    engine.query(mesh, mesh, arm('order', 'any', { want: 'segments' })),
  'query, figures': ({ engine, mesh }, arm) =>
    engine.query(mesh, mesh, arm('order', 'any', { want: 'segments', volume: true })),
  'query, clearance': ({ engine, mesh }, arm) => engine.query(mesh, mesh, arm('clearance', 0.1)),
  'query, certificate': ({ engine, mesh }, arm) => engine.query(mesh, mesh, arm('certificate', true)),
  queryMany: ({ engine, mesh }, arm) => engine.queryMany(arm('pairs', [{ a: mesh, b: mesh }])),
  'queryMany, a pair': ({ engine, mesh }, arm) => engine.queryMany({ pairs: [arm('a', mesh, { b: mesh })] }),
  'queryMany, bitset': ({ engine, mesh }, arm) =>
    engine.queryMany(arm('transforms', placement, { a: mesh, b: mesh, want: 'bitset' })),
  selfQuery: ({ engine, mesh }, arm) => engine.selfQuery(mesh, arm('parts', 1)),
  queryPoses: ({ engine, mesh }, arm) =>
    engine.queryPoses(arm('moving', 1, { meshes: [mesh, mesh], poses: placement })),
  'queryPoses, a mesh': ({ engine, mesh }, arm) =>
    engine.queryPoses({ meshes: arm('1', mesh, [mesh, mesh]), moving: 1, poses: placement }),
  'queryPoses, a chain': ({ engine, mesh }, arm) =>
    engine.queryPoses({ meshes: [mesh, mesh], chain: arm('joints', [{}]), jointValues: [1] }),
  queryEdges: ({ engine, mesh }, arm) =>
    engine.queryEdges(
      arm('moving', 1, { meshes: [mesh, mesh], chain: { joints: [{}] }, from: [0], to: [1] }),
    ),
  castRays: ({ engine, mesh }, arm) => engine.castRays(mesh, points, points, arm('max', 9)),
  contacts: ({ engine, mesh }, arm) => engine.contacts(mesh, mesh, arm('transformB', list)),
  closestPoints: ({ engine, mesh }, arm) => engine.closestPoints(mesh, points, arm('max', 9)),
  distance: ({ engine, mesh }, arm) => engine.distance(mesh, mesh, arm('max', 9)),
  contains: ({ engine, mesh }, arm) => engine.contains(mesh, mesh, arm('transformB', list)),
  penetration: ({ engine, mesh }, arm) => engine.penetration(mesh, mesh, arm('transformB', list)),
  'penetration, elements': ({ engine, mesh }, arm) =>
    engine.penetration(mesh, mesh, { transformB: arm('elements', list) }),
  classify: ({ engine, mesh }, arm) => engine.classify(mesh, mesh, arm('tolerance', 0)),
  sweep: ({ engine, mesh }, arm) => engine.sweep(mesh, mesh, arm('toB', placement)),
  'sweep, elements': ({ engine, mesh }, arm) => engine.sweep(mesh, mesh, { toB: arm('elements', list) }),
  sweepVertices: ({ engine, mesh }, arm) =>
    engine.sweepVertices(mesh, data.positions, data.positions, arm('want', 'all')),
};
const ofEngine: Record<string, Call> = {
  createMesh: ({ engine }, arm) => engine.createMesh(data, arm('deformable', true)),
  'createMesh, positions': ({ engine }, arm) => engine.createMesh(arm('positions', data.positions)),
  'createMesh, an index': ({ engine }, arm) =>
    engine.createMesh({ positions: boxes.slice(0, 9), indices: arm('0', 0, [0, 1, 2]) }),
  createMeshAsync: ({ engine }, arm) => engine.createMeshAsync(data, arm('deformable', true)),
  'scene.createMesh, positions': ({ scene }, arm) => scene.createMesh(arm('positions', data.positions)),
  createScene: ({ engine }, arm) => engine.createScene(arm('broadPhase', 'sap')),
  createBroadPhase: ({ engine }, arm) => engine.createBroadPhase(arm('events', 'on')),
  boxPairs: ({ engine }, arm) => engine.boxPairs(boxes, arm('order', 'any')),
  sweepFeatures: ({ engine }, arm) => engine.sweepFeatures('VF', new Float64Array(24), arm('tolerance', 1)),
  contactTimes: ({ engine }, arm) => engine.contactTimes('VF', new Float64Array(24), arm('exact', true)),
};

/** Returns a copy of `more` whose property `name` is an accessor with the getter `get`. */
const withAccessor = (more: object, name: string, get: () => unknown): never =>
  Object.defineProperty(Array.isArray(more) ? [...more] : { ...more }, name, {
    enumerable: true,
    get,
  }) as never;

async function errorOf(call: Call, world: World, act: () => void): Promise<{ code?: string }> {
  return caughtLater(async () =>
    call(world, (name, value, more = {}) =>
      withAccessor(more, name, () => {
        act();
        return value;
      }),
    ),
  ) as Promise<{ code?: string }>;
}

const disposals: [string, Record<string, Call>, (world: World) => { dispose(): void }][] = [
  ['scene', ofScene, ({ scene }) => scene],
  ['broad phase', ofBroadPhase, ({ broad }) => broad],
  ['mesh', ofMesh, ({ mesh }) => mesh],
];
for (const [what, calls, target] of disposals) {
  for (const [name, call] of Object.entries(calls)) {
    test(`${name}: if an accessor disposes of the ${what}, the call throws Disposed and damages nothing`, async () => {
      const world = await makeWorld();
      const { engine } = world;
      try {
        const kept = engine.createMesh(data);
        const hash = () => hashInOrder(engine.query(kept, kept, { transformB: placement }));
        const before = hash();
        assert.is((await errorOf(call, world, () => target(world).dispose())).code, 'Disposed');
        assert.is(hash(), before);
        // Nothing is ever allocated at address 0, so the bytes there stay 0.
        assert.ok(
          contextOf(engine)
            .arena.u8.subarray(0, 16)
            .every(byte => byte === 0),
        );
        assert.equal(checkMemory(engine), []);
      } finally {
        engine.dispose();
      }
    });
  }
}
for (const [name, call] of Object.entries({ ...ofScene, ...ofBroadPhase, ...ofMesh, ...ofEngine }))
  test(`${name}: if an accessor disposes of the engine, the call throws Disposed`, async () => {
    const world = await makeWorld();
    assert.is((await errorOf(call, world, () => world.engine.dispose())).code, 'Disposed');
  });

test('options are read once, and the values that were checked are used', () => {
  const table = { parts: integer(1, 9), order: integer(1, 9) };
  let reads = 0;
  const accessors = {
    get parts() {
      return ++reads;
    },
    order: undefined,
  };
  assert.equal(copyOptions(table, accessors), { parts: 1 });
  assert.is(reads, 1);
  class Options {
    get parts() {
      return ++reads;
    }
  }
  assert.equal(copyOptions<{ parts?: number }>({ parts: table.parts }, new Options()), { parts: 2 });
  assert.is(reads, 2);
});

for (const [name, call] of Object.entries({ ...ofScene, ...ofBroadPhase, ...ofMesh, ...ofEngine })) {
  // Meshes and lists may be read more often: they are copied, and the copy is checked. `continuous` is read
  // twice, because it decides which other options are valid.
  if (/elements|entry|length|positions|an index|setTransforms, an id|continuous/.test(name)) continue;
  test(`${name}: the call reads an option only once`, async () => {
    const world = await makeWorld();
    let reads = 0;
    try {
      await call(world, (key, value, more = {}) =>
        withAccessor(more, key, () => {
          reads++;
          return value;
        }),
      );
      assert.is(reads, 1);
    } finally {
      world.engine.dispose();
    }
  });
}

test.run();
