// Tests the errors of casts and overlap tests: they name the argument, the value and the rule.

import * as assert from 'uvu/assert';
import { createEngine, type Engine, type Mesh } from '../../dist/index.js';
import { box, torus } from '../../dist/samples/index.js';
import { caught } from '../support/engines.js';
import { test } from '../support/test.js';

const engine = await createEngine({ threads: 1 });
const crate = engine.createMesh(box());
test.after(() => engine.dispose());

const sphere = { center: [0, 3, 0], radius: 0.5 };
const down = [0, -5, 0];

/** Calls the methods without types, as JavaScript does. */
const call = (name: keyof Engine, ...given: unknown[]): unknown =>
  (engine[name] as (...all: unknown[]) => unknown)(...given);

for (const [what, run, code, pattern] of [
  ['no target', () => call('castSphere', undefined, sphere, down), 'Unsupported', /the target is undefined/],
  ['no sphere', () => call('castSphere', crate, undefined, down), 'Unsupported', /sphere is undefined/],
  [
    'no center',
    () => call('castSphere', crate, { radius: 1 }, down),
    'Unsupported',
    /sphere\.center is undefined/,
  ],
  [
    'two numbers',
    () => call('castSphere', crate, { center: [0, 1], radius: 1 }, down),
    'Unsupported',
    /sphere\.center is .*not three numbers/,
  ],
  [
    'NaN',
    () => call('castSphere', crate, { center: [0, NaN, 1], radius: 1 }, down),
    'Unsupported',
    /sphere\.center\[1\] is NaN/,
  ],
  [
    'an object with a string',
    () => call('castSphere', crate, { center: { x: 0, y: '1', z: 0 }, radius: 1 }, down),
    'Unsupported',
    /sphere\.center\.y is '1'/,
  ],
  [
    'a huge number',
    () => call('castCapsule', crate, { start: [0, 0, 0], end: [2 ** 300, 0, 0], radius: 1 }, down),
    'Unsupported',
    /capsule\.end\[0\] is .*2\^200/,
  ],
  [
    'a negative radius',
    () => call('castCapsule', crate, { start: [0, 0, 0], end: [0, 1, 0], radius: -1 }, down),
    'Unsupported',
    /capsule\.radius is -1, not 0 or more/,
  ],
  [
    'an unknown key',
    () => call('castSphere', crate, { ...sphere, raduis: 1 }, down),
    'Unsupported',
    /sphere has an unknown key 'raduis'.*'radius'/,
  ],
  ['no motion', () => call('castSphere', crate, sphere), 'Unsupported', /motion is undefined/],
  [
    'an infinite motion',
    () => call('castSphere', crate, sphere, [0, Infinity, 0]),
    'Unsupported',
    /motion\[1\]/,
  ],
  [
    'an unknown option',
    () => call('castSphere', crate, sphere, down, { ignoreSeperating: true }),
    'Unsupported',
    /ignoreSeperating.*ignoreSeparating/,
  ],
  [
    'group with a mesh',
    () => call('castSphere', crate, sphere, down, { group: 1 }),
    'Unsupported',
    /group, mask or exclude was given together with a mesh/,
  ],
  [
    'a wrong id',
    () => call('castSphere', crate, sphere, down, { exclude: -1 }),
    'Unsupported',
    /exclude is -1/,
  ],
  [
    'an extra argument',
    () => call('castSphere', crate, sphere, down, {}, {}),
    'Unsupported',
    /castSphere\(mesh or scene, sphere, motion, options\)/,
  ],
  [
    'a flat box',
    () => call('overlapBox', crate, { halfExtents: [1, 0, 1] }),
    'Unsupported',
    /box\.halfExtents\[1\] is 0, but must be greater than 0/,
  ],
  [
    'a transform without an inverse',
    () =>
      call('overlapBox', crate, {
        halfExtents: [1, 1, 1],
        transform: [1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
      }),
    'Unsupported',
    /flat/,
  ],
  [
    'a wrong transform',
    () => call('castMesh', crate, crate, down, { transform: [1] }),
    'InvalidTransform',
    /transform has length 1/,
  ],
  [
    'no moving mesh',
    () => call('castMesh', crate, undefined, down),
    'Unsupported',
    /the moving mesh is missing/,
  ],
  [
    'a wrong want',
    () => call('overlapSphere', crate, sphere, { want: 'first' }),
    'Unsupported',
    /want is 'first'/,
  ],
] as const)
  test(`rejected: ${what}`, () => {
    const error = caught(run);
    assert.is(error.code, code, error.message);
    assert.match(error.message, pattern);
    assert.ok(error.fix);
  });

test('vectors may be arrays, typed arrays or objects, and a later cast does not change an earlier hit', () => {
  const hit = engine.castSphere(crate, sphere, down);
  for (const center of [
    Float32Array.from(sphere.center),
    Float64Array.from(sphere.center),
    { x: 0, y: 3, z: 0 },
  ])
    assert.equal(engine.castSphere(crate, { center, radius: 0.5 }, { x: 0, y: -5, z: 0 }), hit);
  const kept = JSON.stringify(hit);
  engine.castSphere(crate, { center: [9, 9, 9], radius: 1 }, [-9, -9, -9]);
  assert.is(JSON.stringify(hit), kept);
});

test('disposed meshes, and meshes and scenes of another engine, are rejected', async () => {
  const other = await createEngine({ threads: 1 });
  const foreign = other.createMesh(box());
  const scene = other.createScene();
  for (const at of [foreign, scene])
    assert.match(
      caught(() => engine.castSphere(at, sphere, down)).message,
      /not a mesh or a scene of this engine/,
    );
  assert.match(caught(() => engine.castMesh(crate, foreign, down)).message, /belongs to another engine/);
  const gone = engine.createMesh(box());
  gone.dispose();
  for (const run of [
    () => engine.castSphere(gone, sphere, down),
    () => engine.castMesh(gone, crate, down),
    () => engine.castMesh(crate, gone, down),
    () => engine.overlapSphere(gone, sphere),
  ])
    assert.is(caught(run).code, 'Disposed');
  other.dispose();
  assert.is(caught(() => other.castSphere(foreign, sphere, down)).code, 'Disposed');
});

test('an engine whose memory is full throws Capacity, and remains usable', async () => {
  const small = await createEngine({ threads: 1, maximumMemoryBytes: 4 * 2 ** 20, warmUp: 'off' });
  const ring = small.createMesh(torus(2000));
  const meshes: Mesh[] = [];
  const fill = caught(() => {
    for (;;) meshes.push(small.createMesh(torus(200)));
  });
  assert.is(fill.code, 'Capacity');
  const around = { center: [0, 0, 0], radius: 3 };
  const count = (): number => {
    try {
      return small.overlapSphere(ring, around).count;
    } catch (error) {
      assert.is((error as { code?: string }).code, 'Capacity');
      return 2000;
    }
  };
  assert.is(count(), 2000);
  for (const mesh of meshes) mesh.dispose();
  assert.is(small.overlapSphere(ring, around).count, 2000);
  small.dispose();
});

test.run();
