// Tests scene.detect with narrow 'contacts': the contacts are those of narrow 'pairs', and the manifolds of
// each contact are those of engine.contacts.

import * as assert from 'uvu/assert';
import {
  type Contacts,
  type ContactsWithPoints,
  createEngine,
  type Engine,
  type EngineOptions,
  type Manifolds,
  type Mesh,
  type Scene,
} from '../../dist/index.js';
import { box, sphere, torus, translation, tumbling } from '../../dist/samples/index.js';
import { caught, pairsOf, withEngine } from '../support/engines.js';
import { hashBytes } from '../support/hash.js';
import { test } from '../support/test.js';
import { checkShape, manifoldsOf } from './checkManifolds.js';
import { ground } from './surfaces.js';

const engine = await createEngine({ threads: 2, warmUp: 'off' });
test.after(() => engine.dispose());

const bodyCount = 60;
const matricesOf = tumbling(bodyCount, 0.5, 3);
const contacts = { narrow: 'contacts' } as const;

interface World {
  scene: Scene;
  meshes: Mesh[];
  ids: number[];
}

// Makes a scene of tumbling bodies: every third body is a sphere, and the others are tori.
function makeWorld(from: Engine): World {
  const shapes = [from.createMesh(torus(160)), from.createMesh(sphere(120))];
  const scene = from.createScene();
  const meshes = Array.from({ length: bodyCount }, (_, i) => shapes[i % 3 === 0 ? 1 : 0]);
  return { scene, meshes, ids: meshes.map(mesh => scene.add(mesh)) };
}

function disposeWorld({ scene, meshes }: World): void {
  scene.dispose();
  for (const mesh of new Set(meshes)) mesh.dispose();
}

const arraysOf = (found: Manifolds): ArrayBufferView[] => [
  found.manifoldsAt,
  found.pointsAt,
  found.normals,
  found.points,
  found.depths,
  found.features,
];

// Returns the results of a frame, without its statistics and manifolds.
const plain = (found: Omit<Contacts, 'copy' | 'stats'>): unknown => [
  pairsOf(found),
  [...found.counts],
  [...found.pairsAt],
  pairsOf(found.triangles),
  [found.began, found.persisted, found.ended].map(pairsOf),
];

const hashFrame = (found: Omit<ContactsWithPoints, 'copy' | 'stats'>): string =>
  hashBytes(found.a, found.b, found.triangles.a, found.began.a, found.ended.a, ...arraysOf(found.manifolds));

test('contacts equal those of narrow pairs, and their manifolds equal those of engine.contacts', () => {
  const [world, other] = [makeWorld(engine), makeWorld(engine)];
  let total = 0;
  for (let frame = 0; frame < 5; frame++) {
    const matrices = matricesOf(4 * frame);
    world.scene.setTransforms(matrices);
    other.scene.setTransforms(matrices);
    const found = world.scene.detect(contacts);
    assert.equal(plain(found), plain(other.scene.detect({ narrow: 'pairs' })), `frame ${frame}`);
    const manifolds = found.manifolds;
    checkShape(manifolds, found.count);
    for (let i = 0; i < found.count; i++) {
      const [a, b] = [found.a[i], found.b[i]].map(id => world.ids.indexOf(id));
      const own = manifoldsOf(manifolds, i);
      assert.ok(own.length > 0, `frame ${frame}, contact ${i} has no manifold`);
      const single = engine.contacts(world.meshes[a], world.meshes[b], {
        transformA: matrices.subarray(16 * a, 16 * a + 16),
        transformB: matrices.subarray(16 * b, 16 * b + 16),
      });
      assert.equal(own, manifoldsOf(single), `frame ${frame}, contact ${i}`);
      total += own.length;
    }
    for (let m = 0; m < manifolds.count; m++) {
      const length = Math.hypot(...manifolds.normals.subarray(3 * m, 3 * m + 3));
      assert.ok(Math.abs(length - 1) < 1e-12, `normal ${m} has length ${length}`);
    }
  }
  assert.ok(total > 500, `${total} manifolds`);
  disposeWorld(world);
  disposeWorld(other);
});

// Detects several frames, some of which move only a few bodies or none. Returns a hash of each frame.
function playFrames(from: Engine): string[] {
  const world = makeWorld(from);
  const { scene, ids } = world;
  const hashes: string[] = [];
  for (const step of [0, 3, 3, 6]) {
    scene.setTransforms(matricesOf(step));
    hashes.push(hashFrame(scene.detect(contacts)));
  }
  const later = matricesOf(40);
  for (let i = 0; i < 9; i += 2) {
    scene.setTransform(ids[i], later.subarray(16 * i, 16 * i + 16));
    hashes.push(hashFrame(scene.detect(contacts)));
  }
  scene.remove(ids[1]);
  hashes.push(hashFrame(scene.detect(contacts)));
  disposeWorld(world);
  return hashes;
}

const truth = await withEngine({ threads: 1, warmUp: 'off' }, playFrames);

const variants: EngineOptions[] = [
  { threads: 2 },
  { threads: 4 },
  { memory: 'single' },
  { threads: 1, initialPairCapacity: 0 },
  { threads: 1, initialPairCapacity: 1 },
  { threads: 3, initialPairCapacity: 1 },
];
for (const options of variants)
  test(`the same bytes as with one thread: ${JSON.stringify(options)}`, () =>
    withEngine({ ...options, warmUp: 'off' }, from => assert.equal(playFrames(from), truth)));

test('an asynchronous detect gives the same result', async () => {
  const [world, other] = [makeWorld(engine), makeWorld(engine)];
  for (const [i, frame] of [0, 2, 2, 5].entries()) {
    for (const { scene } of [world, other]) scene.setTransforms(matricesOf(frame));
    const found = await engine.async.detect(world.scene, contacts);
    if (i !== 2) assert.is(found.stats.reason, 'contact points are computed on the CPU only');
    const expected = other.scene.detect(contacts);
    assert.equal(plain(found), plain(expected), `frame ${frame}`);
    assert.is(hashFrame(found), hashFrame(expected), `frame ${frame}`);
    assert.ok(found.manifolds.count > 0);
  }
  const early = await engine.async.detect(world.scene, contacts);
  const hash = hashFrame(early);
  world.scene.setTransforms(matricesOf(30));
  world.scene.detect(contacts);
  assert.is(hashFrame(early), hash, 'the arrays stay valid');
  disposeWorld(world);
  disposeWorld(other);
});

test('pairs of bodies that have not moved keep their manifolds', () => {
  const world = makeWorld(engine);
  const { scene, ids } = world;
  scene.setTransforms(matricesOf(0));
  const first = scene.detect(contacts).copy();
  const still = scene.detect(contacts);
  assert.is(still.stats.tested, 0);
  assert.equal(arraysOf(still.manifolds), arraysOf(first.manifolds));
  const moved = 7;
  scene.setTransform(ids[moved], matricesOf(3).subarray(16 * moved, 16 * moved + 16));
  const next = scene.detect(contacts);
  let kept = 0;
  for (let i = 0; i < next.count; i++) {
    if (next.a[i] === ids[moved] || next.b[i] === ids[moved]) continue;
    const before = first.a.findIndex((id, k) => id === next.a[i] && first.b[k] === next.b[i]);
    assert.equal(manifoldsOf(next.manifolds, i), manifoldsOf(first.manifolds, before));
    kept++;
  }
  assert.ok(kept > 0 && next.stats.tested < first.count);
  // A removed body takes its manifolds with it.
  const gone = next.a[0];
  scene.remove(gone);
  const rest = scene.detect(contacts);
  assert.not(rest.a.includes(gone));
  checkShape(rest.manifolds, rest.count);
  disposeWorld(world);
});

test('a copy stays valid, and the views of an older frame are refused', () => {
  const world = makeWorld(engine);
  world.scene.setTransforms(matricesOf(0));
  const found = world.scene.detect(contacts);
  const copy = found.copy();
  const hash = hashFrame(found);
  assert.is(hashFrame(copy), hash);
  for (const frame of [9, 18]) {
    world.scene.setTransforms(matricesOf(frame));
    assert.is.not(hashFrame(world.scene.detect(contacts)), hash);
  }
  assert.is(hashFrame(copy), hash);
  assert.is(caught(() => found.copy()).code, 'Stale');
  disposeWorld(world);
});

test('manifolds is undefined for other values of narrow, and narrow may change from frame to frame', () => {
  const world = makeWorld(engine);
  const { scene } = world;
  scene.setTransforms(matricesOf(0));
  const expected = hashBytes(...arraysOf(scene.detect(contacts).manifolds));
  for (const narrow of ['boxes', 'any', 'counts', 'pairs', undefined] as const) {
    const other = scene.detect(narrow && { narrow });
    assert.is(other.manifolds, undefined, narrow);
    assert.is(other.copy().manifolds, undefined, narrow);
    assert.is(hashBytes(...arraysOf(scene.detect(contacts).manifolds)), expected, `after ${narrow}`);
  }
  disposeWorld(world);
});

test('groups and masks are respected', () => {
  const mesh = engine.createMesh(box());
  using scene = engine.createScene();
  const add = (x: number, group: number, mask: number): number =>
    scene.add(mesh, { transform: translation([x, 0.1 * x, 0.2 * x]), group, mask });
  // The third body ignores the second, which ignores no body.
  const [a, b, c] = [add(0, 1, 3), add(0.5, 2, 3), add(1, 1, 1)];
  const found = scene.detect(contacts);
  assert.equal(pairsOf(found), [
    [a, b],
    [a, c],
  ]);
  checkShape(found.manifolds, found.count);
  scene.remove(b);
  const rest = scene.detect(contacts);
  assert.equal(pairsOf(rest), [[a, c]]);
  checkShape(rest.manifolds, 1);
  mesh.dispose();
});

test('scenes without contacts, empty scenes and empty meshes have no manifolds', () => {
  const mesh = engine.createMesh(box());
  const none = engine.createMesh({ positions: new Float32Array(0), indices: new Uint32Array(0) });
  using scene = engine.createScene();
  const checkEmpty = (): void => {
    const found = scene.detect(contacts);
    assert.equal([found.count, found.manifolds.count, found.manifolds.pointCount], [0, 0, 0]);
    checkShape(found.manifolds, 0);
  };
  checkEmpty();
  scene.add(none);
  checkEmpty();
  const first = scene.add(mesh);
  checkEmpty();
  const second = scene.add(mesh, { transform: translation([5, 0, 0]) });
  checkEmpty();
  scene.setTransform(second, translation([1.5, 0.2, 0.3]));
  assert.ok(scene.detect(contacts).manifolds.count > 0);
  scene.remove(first);
  checkEmpty();
  mesh.dispose();
  none.dispose();
});

test('a mesh that deforms gets new manifolds', () => {
  const soft = engine.createMesh(box(), { deformable: true });
  const flat = engine.createMesh(ground(1, 10));
  using scene = engine.createScene();
  scene.add(soft, { transform: translation([0.3, 0.9, 0.2]) });
  scene.add(flat);
  const depthOf = (): number => Math.max(...scene.detect(contacts).manifolds.depths);
  assert.ok(Math.abs(depthOf() - 0.1) < 1e-9);
  soft.update(box().positions.map((value, i) => (i % 3 === 1 ? 1.5 * value : value)));
  assert.ok(Math.abs(depthOf() - 0.6) < 1e-9);
  soft.dispose();
  flat.dispose();
});

test('an engine without the module says which module is missing, and its scenes continue to work', () =>
  withEngine({ threads: 1, modules: ['scenes'], warmUp: 'off' }, bare => {
    const mesh = bare.createMesh(box());
    const scene = bare.createScene();
    scene.add(mesh);
    scene.add(mesh, { transform: translation([1, 0.5, 0.25]) });
    const error = caught(() => scene.detect(contacts));
    assert.is(error.code, 'Unsupported');
    assert.match(error.message, /needs module 'manifolds'/);
    assert.is(scene.detect().count, 1);
  }));

test('if tables grow and three threads run slices, every contact of many bodies has a manifold', () =>
  withEngine({ threads: 3, initialPairCapacity: 1, warmUp: 'off' }, from => {
    const mesh = from.createMesh(box());
    using scene = from.createScene();
    const side = 12;
    for (let i = 0; i < side ** 3; i++) {
      const [x, y, z] = [i % side, Math.floor(i / side) % side, Math.floor(i / side ** 2)];
      scene.add(mesh, { transform: translation([1.97 * x + 0.1 * y, 1.98 * y, 1.99 * z + 0.07 * x]) });
    }
    const found = scene.detect(contacts);
    checkShape(found.manifolds, found.count);
    assert.ok(found.count > 3 * side ** 2 * (side - 1));
    const { manifoldsAt } = found.manifolds;
    for (let i = 0; i < found.count; i++) assert.ok(manifoldsAt[i + 1] > manifoldsAt[i]);
  }));

test.run();
