// Tests unusual inputs: transforms of every kind, inverted boxes, detached arrays, accessors that call the
// engine, and options that change while a promise is pending. Each call gives a correct result or a typed
// error.

import { BufferGeometry, Matrix4 } from 'three';
import * as assert from 'uvu/assert';
import { makeHub, openBoxPairs, submitBoxPairs } from '../../dist/cluster/index.js';
import {
  CollisionError,
  collide,
  createEngine,
  InvalidBoxes,
  InvalidMesh,
  InvalidTransform,
  type Mesh,
  type PlacedPair,
  type QueryOptions,
} from '../../dist/index.js';
import { box, translation } from '../../dist/samples/index.js';
import { addObject3D, meshFromGeometry } from '../../dist/three/index.js';
import { caught, caughtLater, pairsOf, withEngine } from '../support/engines.js';
import { test } from '../support/test.js';

const engine = await createEngine({ threads: 1, warmUp: 'off' });
test.after(() => engine.dispose());
const a = engine.createMesh(box());
const b = engine.createMesh(box());
const near = translation([1, 0, 0]);
const far = translation([50, 0, 0]);

/** Detaches an array by transferring its buffer, and returns the array. */
function detached<List extends { buffer: ArrayBufferLike }>(list: List): List {
  structuredClone(list.buffer, { transfer: [list.buffer as ArrayBuffer] });
  return list;
}

test('a transform is any array of 16 numbers, or an object whose property elements is such an array', () => {
  const truth = pairsOf(engine.query(a, b, { transformB: near }));
  const kinds = [
    Array.from(near),
    { elements: Array.from(near) },
    new Matrix4().makeTranslation(1, 0, 0),
    Float32Array.from(near),
    Int32Array.from(near),
    Object.assign({}, Array.from(near), { length: 16 }),
  ];
  for (const transformB of kinds) {
    assert.equal(pairsOf(engine.query(a, b, { transformB })), truth);
    assert.equal(pairsOf(engine.queryMany({ pairs: [{ a, b, transformB }] })), truth);
    assert.is(
      engine.distance(a, b, { transformB: Array.from(far) })!.distance,
      engine.distance(a, b, { transformB: far })!.distance,
    );
    assert.is(engine.classify(a, b, { transformB }).class, engine.classify(a, b, { transformB: near }).class);
    assert.is(
      engine.sweep(a, b, { fromB: Array.from(far), toB: transformB })!.toi,
      engine.sweep(a, b, { fromB: far, toB: near })!.toi,
    );
    using scene = engine.createScene();
    scene.add(a);
    const id = scene.add(b, { transform: transformB });
    assert.is(scene.detect().count, 1);
    scene.setTransform(id, new Matrix4().makeTranslation(50, 0, 0));
    assert.is(scene.detect().count, 0);
    scene.setTransform(id, transformB);
    assert.is(scene.detect().count, 1);
  }
});

test('a value that is not a transform gives an error that names the option', () => {
  for (const transformB of [
    null,
    5,
    'x',
    {},
    { elements: 5 },
    Array(15).fill(0),
    Array(16).fill('0'),
    Array(16).fill(0n),
    Array(16).fill(null),
    new Set(near),
  ]) {
    const error = caught(() => engine.query(a, b, { transformB: transformB as never }));
    assert.instance(error, InvalidTransform);
    assert.match(error.message, /^transformB/);
  }
  assert.match(
    caught(() =>
      engine.queryMany({
        pairs: [
          { a, b },
          { a, b, transformA: [1] },
        ],
      }),
    ).message,
    /^pairs\[1\]\.transformA has length 1/,
  );
});

test('errors about invalid meshes name the value and give a fix', () => {
  const fixOf = (data: unknown): string => {
    const error = caught(() => engine.createMesh(data as never));
    assert.instance(error, InvalidMesh);
    return `${error.message}; ${error.fix}`;
  };
  assert.match(
    fixOf({ positions: [0, 0, 0] }),
    /positions is a plain Array, not a Float32Array; pass Float32Array\.from\(positions\)/,
  );
  assert.match(fixOf({}), /positions is undefined.*; pass \{ positions/);
  assert.match(fixOf(new BufferGeometry()), /BufferGeometry.*meshFromGeometry/);
  assert.match(fixOf(null), /the mesh is null/);
  for (const [value, reported] of [
    [{ constructor: {} }, 'a plain object'],
    [Object.create(null), 'a plain object'],
    [() => 0, 'a function'],
    ['x', "'x'"],
    [new Int8Array(1), 'an Int8Array'],
  ] as const)
    assert.match(fixOf({ positions: value }), `positions is ${reported}, not`);
  assert.match(
    caught(() => addObject3D(engine as never, new BufferGeometry() as never)).message,
    /the scene is an? .*, not a scene of pfront/,
  );
  assert.match(
    caught(() => meshFromGeometry(engine, new BufferGeometry())).message,
    /no attribute 'position'/,
  );
});

test('inverted boxes are refused in every call that takes boxes, and a broad phase then keeps its boxes', async () => {
  const good = Float32Array.of(0, 0, 0, 1, 1, 1, 0, 0, 0, 2, 2, 2);
  const wrong = Float32Array.of(0, 0, 0, 1, 1, 1, 0, 3, 0, 2, 2, 2);
  const many = Float32Array.from({ length: 6 * 70_000 }, (_, i) => Math.floor(i / 6) + (i % 6 < 3 ? 0 : 0.5));
  many.set([5, 5, 5, 5, 4, 5], 6 * 69_999);
  const errorText = (error: Error, name = 'boxes', at = 7): void => {
    assert.instance(error, InvalidBoxes);
    assert.match(error.message, `${name}[${at}] is`);
    assert.match(error.message, 'inverted');
  };
  for (const threads of [1, 2]) {
    await withEngine({ threads, warmUp: 'off' }, async own => {
      for (const method of ['auto', 'sap', 'cells', 'octree', 'tree'] as const) {
        errorText(caught(() => own.boxPairs(wrong, { method })));
        errorText(
          caught(() => own.boxPairs(good, { against: wrong, method })),
          'against',
        );
        errorText(caught(() => own.boxPairs(wrong, { method, countOnly: true })));
        errorText(caught(() => own.boxPairs(wrong, { method, forEachChunk: () => {} })));
        errorText(
          caught(() => own.boxPairs(many, { method })),
          'boxes',
          6 * 69_999 + 1,
        );
      }
      assert.is(own.boxPairs(good).count, 1);
      for (const method of ['auto', 'sap', 'cells', 'octree', 'tree', 'sap-persistent'] as const) {
        using broad = own.createBroadPhase({ method });
        errorText(caught(() => broad.set(wrong)));
        broad.set(good);
        assert.is(broad.pairs().count, 1);
        errorText(caught(() => broad.set(wrong)));
        errorText(caught(() => broad.move(Uint32Array.of(0, 1), wrong)));
        assert.is(broad.pairs().count, 1);
        broad.move(Uint32Array.of(1), Float32Array.of(9, 9, 9, 9, 9, 9));
        assert.is(broad.pairs().count, 0);
      }
      errorText(await caughtLater(() => own.async.boxPairs(wrong)));
    });
  }
  errorText(caught(() => submitBoxPairs(makeHub()(), wrong)));
  errorText(caught(() => openBoxPairs(makeHub()(), wrong)));
});

test('a scene with removed and empty bodies finds the contact of the other bodies', () => {
  using scene = engine.createScene();
  const first = scene.add(a);
  scene.add(b);
  scene.add(engine.createMesh({ positions: new Float32Array(0) }));
  scene.remove(first);
  scene.add(a, { transform: near });
  assert.is(scene.detect().count, 1);
});

test('detached arrays give a CollisionError in every call', async () => {
  const scene = engine.createScene();
  const broad = engine.createBroadPhase();
  const soft = engine.createMesh({ positions: new Float32Array(0) }, { deformable: true });
  const list = (length: number): Float32Array => detached(new Float32Array(length));
  const doubles = (length: number): Float64Array => detached(new Float64Array(length));
  const words = (): Uint32Array => detached(new Uint32Array(3));
  const uses: [string, () => unknown][] = [
    ['createMesh', () => engine.createMesh({ positions: list(9) })],
    ['indices', () => engine.createMesh({ positions: new Float32Array(9), indices: words() })],
    ['createMeshAsync', () => engine.createMeshAsync({ positions: list(9) })],
    ['collide', () => collide({ positions: list(9) }, box())],
    ['update', () => soft.update(list(9))],
    ['loadMesh', () => engine.loadMesh(detached(new Uint8Array(8)))],
    ['query', () => engine.query(a, b, { transformB: doubles(16) })],
    ['queryMany', () => engine.queryMany({ a, b, transforms: doubles(16) })],
    ['bitset', () => engine.queryMany({ a, b, transforms: doubles(16), want: 'bitset' })],
    ['any', () => engine.queryMany({ a, b, transforms: doubles(16), want: 'any' })],
    ['async.query', () => engine.async.query(a, b, { transformA: doubles(16) })],
    ['async.queryMany', () => engine.async.queryMany({ a, b, transforms: doubles(16) })],
    ['distance', () => engine.distance(a, b, { transformA: doubles(16) })],
    ['classify', () => engine.classify(a, b, { transformA: doubles(16) })],
    ['queryPoses', () => engine.queryPoses({ meshes: [a, b], poses: doubles(32) })],
    [
      'fixed',
      () => engine.queryPoses({ meshes: [a, b], moving: 1, poses: new Float64Array(16), fixed: doubles(16) }),
    ],
    [
      'allowed',
      () =>
        engine.queryPoses({
          meshes: [a, b],
          poses: new Float64Array(32),
          allowed: detached(new Uint8Array(4)),
        }),
    ],
    ['jointValues', () => engine.placeChain({ joints: [{}] }, doubles(1))],
    [
      'from',
      () =>
        engine.queryEdges({
          meshes: [a, b],
          chain: { joints: [{}] },
          from: doubles(1),
          to: new Float64Array(1),
        }),
    ],
    ['sweep', () => engine.sweep(a, b, { toA: doubles(16) })],
    ['sweepVertices', () => engine.sweepVertices(soft, doubles(3), new Float64Array(0))],
    ['sweepFeatures', () => engine.sweepFeatures('VF', doubles(24))],
    ['contactTimes', () => engine.contactTimes('VF', doubles(24))],
    ['async.contactTimes', () => engine.async.contactTimes('EE', doubles(24))],
    ['boxPairs', () => engine.boxPairs(list(6))],
    ['against', () => engine.boxPairs(new Float32Array(6), { against: list(6) })],
    ['async.boxPairs', () => engine.async.boxPairs(list(6))],
    ['broad.set', () => broad.set(list(6))],
    ['broad.move', () => broad.move(new Uint32Array(0), list(6))],
    ['broad.move ids', () => broad.move(words(), new Float32Array(0))],
    ['scene.add', () => scene.add(a, { transform: doubles(16) })],
    ['setTransforms', () => scene.setTransforms(doubles(16))],
    ['setTransforms ids', () => scene.setTransforms(new Float64Array(0), words())],
    ['cluster', () => submitBoxPairs(makeHub()(), list(6))],
    ['cluster, session', () => openBoxPairs(makeHub()(), list(6))],
  ];
  for (const [name, use] of uses) {
    const error = await caughtLater(async () => use());
    assert.instance(error, CollisionError, `${name}: ${String(error.stack)}`);
  }
  assert.is(engine.boxPairs(Float32Array.of(0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1)).count, 1);
  assert.ok(engine.query(a, b).count > 0);
});

/** Copies options. Each property of the copy is an accessor that queries the same engine when it is read. */
const calling = <Options extends object>(options: Options): Options => {
  const disturb = (): void => {
    engine.query(b, a, { transformA: far, want: 'any' });
    engine.queryMany({
      pairs: Array.from({ length: 50 }, (): PlacedPair => ({ a: b, b: a, transformA: far })),
      want: 'any',
    });
    engine.query(big, big);
  };
  const copy = {};
  for (const [name, value] of Object.entries(options))
    Object.defineProperty(copy, name, {
      enumerable: true,
      get: () => {
        disturb();
        return value;
      },
    });
  return copy as Options;
};
let big: Mesh;

test('accessors that call the engine change no result', () => {
  big = engine.createMesh({
    positions: Float32Array.from({ length: 9 * 120 }, (_, i) => [0, 0, 0, 1, 0, 0, 0, 1, 0][i % 9]),
  });
  const pairs = [
    { a, b, transformB: near },
    { a, b, transformB: far },
    { a, b: a, transformB: near },
    { a, b, transformA: far, transformB: far },
  ];
  const truth = engine.queryMany({ pairs }).copy();
  for (let iteration = 0; iteration < 3; iteration++) {
    const found = engine
      .queryMany(
        calling({
          pairs: pairs.map(pair => calling(pair)),
          order: 'sorted',
          coherence: 'on',
          parts: 1,
        } as const),
      )
      .copy();
    assert.equal([found.a, found.b, found.pairsAt], [truth.a, truth.b, truth.pairsAt]);
    assert.equal(
      [...engine.queryMany(calling({ pairs: pairs.map(pair => calling(pair)), want: 'any' } as const))],
      [1, 0, 1, 1],
    );
    const one = engine.query(a, b, { transformB: near }).copy();
    const again = engine
      .query(
        a,
        b,
        calling({
          transformB: near,
          order: 'sorted',
          want: 'pairs',
          stealing: 'on',
        } satisfies QueryOptions as { want: 'pairs' }),
      )
      .copy();
    assert.equal([one.a, one.b], [again.a, again.b]);
    const elements = new Proxy(Array.from(near), {
      get(list, name) {
        engine.query(big, big, { want: 'any' });
        return Reflect.get(list, name);
      },
    });
    assert.is(engine.query(a, b, { transformB: elements }).count, one.count);
    assert.is(
      engine.query(a, b, calling({ clearance: 1, transformB: near })).count,
      engine.query(a, b, { clearance: 1, transformB: near }).count,
    );
    assert.is(engine.query(a, b, calling({ want: 'segments', transformB: near } as const)).count, one.count);
    assert.is(
      engine.distance(a, b, calling({ transformB: far, max: 100 }))!.distance,
      engine.distance(a, b, { transformB: far })!.distance,
    );
    assert.is(
      engine.classify(a, b, calling({ transformB: near, tolerance: 0 })).class,
      engine.classify(a, b, { transformB: near }).class,
    );
    assert.is(
      engine.sweep(a, b, calling({ fromB: far, toB: near, want: 'first' } as const))!.toi,
      engine.sweep(a, b, { fromB: far, toB: near })!.toi,
    );
    assert.is(
      engine.boxPairs(
        Float32Array.of(0, 0, 0, 1, 1, 1),
        calling({ against: Float32Array.of(0, 0, 0, 1, 1, 1), method: 'sap', order: 'any' } as const),
      ).count,
      1,
    );
    using scene = engine.createScene();
    scene.add(a, calling({ transform: near, group: 1 }));
    scene.add(b);
    assert.is(scene.detect(calling({ narrow: 'any', parts: 1 } as const)).count, 1);
  }
});

test('a scene stays correct if an accessor moves another body while a transform is read', () => {
  using scene = engine.createScene();
  const first = scene.add(a);
  const second = scene.add(b, { transform: far });
  const meddling = new Proxy(Array.from(near), {
    get(list, name) {
      if (name === 'slice' || name === '3') scene.setTransform(first, far);
      return Reflect.get(list, name);
    },
  });
  scene.setTransform(second, meddling);
  assert.is(scene.detect().count, 0);
  scene.setTransform(first, translation([0, 0, 0]));
  assert.is(scene.detect().count, 1);
});

test('asynchronous calls use options as they are at the time of the call', async () => {
  const options: QueryOptions = { transformB: Array.from(near) };
  const pair: PlacedPair = { a, b, transformB: new Matrix4().makeTranslation(1, 0, 0) };
  const pairs = [pair];
  const sweep = { fromB: Float64Array.from(far), toB: Float64Array.from(near), want: 'first' as const };
  const boxes = Float32Array.of(0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1);
  const boxOptions: { order: 'sorted' | 'any'; against?: Float32Array } = { order: 'sorted' };
  const times = { minSeparation: 0 };
  const points = new Float64Array(24);
  const expected = engine.query(a, b, { transformB: near }).count;
  const toi = engine.sweep(a, b, sweep)!.toi;
  const answers = [
    engine.async.query(a, b, options as { want?: 'pairs' }),
    engine.async.queryMany({ pairs }),
    engine.async.sweep(a, b, sweep),
    engine.async.boxPairs(boxes, boxOptions),
    engine.async.contactTimes('VF', points, times),
  ] as const;
  options.transformB = far;
  options.order = 'nonsense' as never;
  (pair.transformB as Matrix4).makeTranslation(50, 0, 0);
  pairs.push({ a, b });
  sweep.toB.set(far);
  sweep.want = 'all' as never;
  boxOptions.against = new Float32Array(6);
  boxes.fill(7);
  times.minSeparation = -1;
  const [one, many, swept, found] = await Promise.all(answers);
  assert.equal(
    [one.count, many.count, many.pairsAt.length, (swept as { toi: number }).toi, found.count],
    [expected, expected, 2, toi, 1],
  );
});

test.run();
