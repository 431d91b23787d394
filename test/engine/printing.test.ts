// Tests how the console and JSON show results, meshes, engines, scenes and broad phases. The console shows
// the name, counts, first pairs and statistics of a result, but never engine memory.

import { inspect } from 'node:util';
import * as assert from 'uvu/assert';
import { createEngine, type Engine, type Mesh } from '../../dist/index.js';
import { sphere, translation } from '../../dist/samples/index.js';
import { test } from '../support/test.js';

const engine = await createEngine({ threads: 1, warmUp: 'off' });
const ball = engine.createMesh(sphere(300));
const transformB = translation([0.1, 0, 0]);
const boxes = Float32Array.of(0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1);

function sceneOfTwo(of: Engine, mesh: Mesh) {
  const scene = of.createScene();
  for (let i = 0; i < 2; i++) scene.add(mesh);
  return scene;
}

const scene = sceneOfTwo(engine, ball);
const broadPhase = engine.createBroadPhase();
broadPhase.set(boxes);

const pairsLater = await engine.async.query(ball, ball, { transformB });
const manyLater = await engine.async.queryMany({ pairs: [{ a: ball, b: ball, transformB }] });
const contactsLater = await engine.async.detect(scene);

// One entry per result: the name that the console must show, a function that returns the result, and the
// properties that both the console and JSON must show.
const results: readonly [name: string, run: () => object, keys: readonly string[]][] = [
  ['TrianglePairs', () => engine.query(ball, ball, { transformB }), ['count', 'a', 'b', 'stats']],
  [
    'ManyTrianglePairs',
    () => engine.queryMany({ pairs: [{ a: ball, b: ball, transformB }] }),
    ['pairCount', 'count', 'pairsAt', 'a', 'b', 'stats'],
  ],
  [
    'ContactSegments',
    () => engine.query(ball, ball, { transformB, want: 'segments' }),
    ['count', 'a', 'b', 'kind', 'pointsAt', 'points', 'stats'],
  ],
  [
    'ManyContactSegments',
    () => engine.queryMany({ pairs: [{ a: ball, b: ball }], want: 'segments' }),
    ['pairCount', 'pairsAt', 'kind', 'points'],
  ],
  [
    'NearPairs',
    () => engine.query(ball, ball, { transformB, clearance: 0.1 }),
    ['count', 'a', 'b', 'distances', 'stats'],
  ],
  [
    'ManyNearPairs',
    () => engine.queryMany({ pairs: [{ a: ball, b: ball }], clearance: 0.1 }),
    ['pairCount', 'pairsAt', 'distances'],
  ],
  ['BoxPairs', () => engine.boxPairs(boxes), ['count', 'a', 'b', 'stats']],
  [
    'PoseAnswers',
    () => engine.queryPoses({ meshes: [ball, ball], poses: Float64Array.of(...transformB, ...transformB) }),
    ['poseCount', 'pairCount', 'count', 'hits', 'pairs'],
  ],
  [
    'EdgeAnswers',
    () =>
      engine.queryEdges({ meshes: [ball, ball], chain: { joints: [{}] }, from: [0], to: [1], want: 'first' }),
    ['edgeCount', 'count', 'hits', 'pairs', 'times', 'first', 'tolerance', 'poseCount', 'nearCount'],
  ],
  [
    'Contacts',
    () => scene.detect(),
    ['count', 'a', 'b', 'counts', 'pairsAt', 'triangles', 'began', 'persisted', 'ended', 'stats'],
  ],
  ['PairsCopy', () => engine.query(ball, ball, { transformB }).copy(), ['count', 'a', 'b']],
  [
    'PairsCopy',
    () => engine.queryMany({ pairs: [{ a: ball, b: ball, transformB }] }).copy(),
    ['count', 'a', 'b', 'pairsAt'],
  ],
  [
    'PairsCopy',
    () => engine.query(ball, ball, { transformB, want: 'segments' }).copy(),
    ['count', 'kind', 'pointsAt', 'points'],
  ],
  [
    'PairsCopy',
    () => engine.query(ball, ball, { transformB, clearance: 0.1 }).copy(),
    ['count', 'distances'],
  ],
  ['PairsCopy', () => engine.boxPairs(boxes).copy(), ['count', 'a', 'b']],
  ['PairsCopy', () => pairsLater, ['count', 'a', 'b', 'stats']],
  ['PairsCopy', () => manyLater, ['count', 'a', 'b', 'pairsAt', 'stats']],
  ['Contacts', () => scene.detect().copy(), ['count', 'a', 'b', 'counts', 'triangles', 'began', 'stats']],
  ['Contacts', () => contactsLater, ['count', 'a', 'b', 'counts', 'triangles', 'began', 'stats']],
  [
    'Classification',
    () => engine.classify(ball, ball, { transformB }),
    ['class', 'depth', 'distance', 'size', 'pairs', 'duplicate'],
  ],
  [
    'Penetration',
    () => engine.penetration(ball, ball, { transformB })[0],
    ['depth', 'direction', 'pointA', 'pairs'],
  ],
  [
    'MeasuredPenetration',
    () => engine.penetration(ball, ball, { transformB, overlapDepth: true, depthBudget: 10 }),
    ['regions', 'overlapDepth'],
  ],
  [
    'ContactSegments',
    () => engine.query(ball, ball, { transformB, want: 'segments', volume: true }),
    ['count', 'kind', 'volume'],
  ],
  [
    'FeatureContacts',
    () => engine.sweepFeatures('VF', new Float64Array(24 * 20)),
    ['verdict', 'toi', 'bound', 'moments'],
  ],
  [
    'SweptContacts',
    () => engine.sweep(ball, ball, { toB: transformB, want: 'all' }),
    ['count', 'toi', 'kind', 'featureA', 'triangleB', 'stats'],
  ],
  ['SweptBodies', () => scene.detect({ continuous: true }), ['count', 'a', 'b', 'toi', 'stats']],
];

for (const [name, runQuery, keys] of results) {
  test(`${name} of ${keys.join(', ')}: the console shows its name, its properties and the first items of its lists`, () => {
    const text = inspect(runQuery(), { breakLength: Infinity });
    assert.ok(text.startsWith(`${name} {`), text);
    for (const key of keys) assert.match(text, new RegExp(`\\b${key}: `));
    assert.ok(text.length < 4000, `${text.length} characters`);
    assert.not.match(text, /arena|backend(?!: ')|clock|function/i);
  });

  test(`${name} of ${keys.join(', ')}: JSON has all items, as plain arrays`, () => {
    const result = runQuery() as Record<string, unknown>;
    const json = JSON.parse(JSON.stringify(result));
    for (const key of keys) {
      const value = result[key];
      if (ArrayBuffer.isView(value)) assert.equal(json[key], Array.from(value as Uint32Array), key);
      else if (typeof value !== 'object') assert.is(json[key], value, key);
      else assert.type(json[key], 'object', key);
    }
  });
}

test('nested typed arrays are also plain arrays in JSON', () => {
  const contacts = scene.detect();
  const json = JSON.parse(JSON.stringify({ contacts })).contacts;
  assert.equal(json.triangles.a, Array.from(contacts.triangles.a));
  assert.equal(json.began, { count: 0, a: [], b: [] });
});

test('a result that a pending promise made stale prints the reason and a fix', async () => {
  const large = engine.createMesh(sphere(40_000));
  const pending = engine.async.query(large, large, { transformB: translation([2, 0, 0]) });
  const hits = engine.query(ball, ball, { transformB });
  assert.ok(hits.a.length > 0);
  const { stats } = await pending;
  if (stats.backend === 'wasm')
    assert.match(inspect(hits), 'reused by a later call on its engine, or by a pending call of engine.async');
  large.dispose();
});

test('a stale result prints its count and why its other properties are unavailable', () => {
  const hits = engine.query(ball, ball);
  const { count } = hits;
  engine.query(ball, ball);
  assert.match(
    inspect(hits),
    new RegExp(`^TrianglePairs \\{\\s+count: ${count},\\s+Stale: 'the memory of this result was reused`),
  );
  const json = JSON.parse(JSON.stringify(hits));
  assert.equal(Object.keys(json), ['count', 'Stale']);
});

test('engines, meshes, scenes and broad phases print their names and counts', () => {
  assert.match(inspect(engine), /^Engine \{\s+info: \{\s+backend: 'wasm',\s+threads: 1,/);
  assert.equal(JSON.parse(JSON.stringify(engine)), { info: JSON.parse(JSON.stringify(engine.info)) });
  assert.match(inspect(ball), /^Mesh \{\s+id: \d+,\s+triangleCount: 300,/);
  assert.is(inspect(scene), 'Scene { slotCount: 2 }');
  assert.match(inspect(broadPhase), /^BroadPhase \{\s+count: 2,/);
  assert.is(inspect(engine.async), 'AsyncEngine {}');
});

test('a disposed mesh prints that it was disposed', () => {
  const mesh = engine.createMesh(sphere(12));
  mesh.dispose();
  assert.match(inspect(mesh), /Disposed: 'mesh \d+ or its engine was disposed'/);
  assert.match(JSON.stringify(mesh), '"Disposed":');
});

test('a result deep inside other objects prints only its name', () => {
  assert.is(
    inspect({ x: { y: { hits: engine.query(ball, ball) } } }),
    '{ x: { y: { hits: TrianglePairs [Object] } } }',
  );
});

test('results of an engine without modules print in the same way', async () => {
  const bare = await createEngine({ threads: 1, warmUp: 'off', modules: [] });
  const mesh = bare.createMesh(sphere(12));
  assert.match(inspect(bare.query(mesh, mesh)), /^TrianglePairs \{\s+count: \d+,\s+a: /);
  bare.dispose();
});

test.run();
