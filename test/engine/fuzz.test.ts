// Calls the methods of engines, meshes, scenes and broad phases with one argument or option replaced by a
// value that is usually invalid. Each call must give a result or a CollisionError, never another error.
import * as assert from 'uvu/assert';
import { CollisionError, createEngine, type Mesh } from '../../dist/index.js';
import { box, translation } from '../../dist/samples/index.js';
import { caught } from '../support/engines.js';
import { test } from '../support/test.js';

const engine = await createEngine({ threads: 1, warmUp: 'off' });
const other = await createEngine({ threads: 1, warmUp: 'off' });
test.after(() => {
  engine.dispose();
  other.dispose();
});
const mesh = engine.createMesh(box());
const soft = engine.createMesh(box(), { deformable: true });
const gone = engine.createMesh(box());
const strange = other.createMesh(box());
gone.dispose();
const stored = mesh.serialize();

function detached<List extends { buffer: ArrayBufferLike }>(list: List): List {
  structuredClone(list.buffer, { transfer: [list.buffer as ArrayBuffer] });
  return list;
}

const near = translation([1, 0, 0]);
const armChain = { joints: [{ type: 'revolute', axis: [0, 0, 1], origin: near }] };
const boxes = Float32Array.of(0, 0, 0, 1, 1, 1, 0, 0, 0, 2, 2, 2);
const ends = Float64Array.from(box().positions);
const placed = { transformA: near, transformB: near };

/** Functions that make values. Each value is invalid for all or most arguments and options. */
const wrongs: readonly (() => unknown)[] = [
  () => null,
  () => NaN,
  () => -1,
  () => 0.5,
  () => 2 ** 53,
  () => Infinity,
  () => -0,
  () => 1e308,
  () => '',
  () => 'pairs',
  () => '16',
  () => true,
  () => 7n,
  () => Symbol('x'),
  () => () => 0,
  () => ({}),
  () => ({ length: 16 }),
  () => ({ length: -1 }),
  () => ({ length: 2 ** 40 }),
  () => [],
  () => [null],
  () => [[]],
  () => [[7n, 1]],
  () => [-1, NaN],
  () => ['a'],
  () => Array(16),
  () => Array(16).fill(NaN),
  () => Object.create(null),
  () => new Proxy({}, {}),
  () => new Float32Array(0),
  () => new Float32Array(5),
  () => new Float32Array(24).fill(NaN),
  () => new Float64Array(16).fill(1e300),
  () => new Float64Array(48),
  () => new Uint32Array(6).fill(2 ** 32 - 1),
  () => new Uint8Array(7),
  () => new BigInt64Array(16),
  () => new DataView(new ArrayBuffer(64)),
  () => new ArrayBuffer(64),
  () => new SharedArrayBuffer(64),
  () => detached(new Float32Array(24)),
  () => detached(new Float64Array(24)),
  () => detached(new Uint32Array(4)),
  () => new Date(NaN),
  () => new Map([[1, 2]]),
  () => Promise.resolve(1),
  () => engine,
  () => mesh,
  () => gone,
  () => strange,
];

interface Method {
  name: string;
  call: (...given: never[]) => unknown;
  given: () => unknown[];
}

const scene = engine.createScene();
const broad = engine.createBroadPhase();
const ids = [0, 1, 2].map(() => scene.add(mesh));
broad.set(boxes);
const matrices = (): Float64Array =>
  Float64Array.from({ length: 16 * scene.slotCount }, (_, i) => near[i % 16]);

/** The tested methods, each with valid arguments. */
const methods: readonly Method[] = [
  {
    name: 'createMesh',
    call: (...given) => disposed(engine.createMesh(...(given as unknown as [never]))),
    given: () => [
      { positions: box().positions, indices: box().indices },
      { builder: 'morton', deformable: true, volume: 's-aabb', thresholds: undefined },
    ],
  },
  {
    name: 'createMeshAsync',
    call: async (...given) => disposed(await engine.createMeshAsync(...(given as unknown as [never]))),
    given: () => [box(), { builder: 'sah', onProgress: () => {}, signal: new AbortController().signal }],
  },
  { name: 'loadMesh', call: (bytes: never) => disposed(engine.loadMesh(bytes)), given: () => [stored] },
  {
    name: 'mesh.update',
    call: (...given) => soft.update(...(given as unknown as [never])),
    given: () => [box().positions, { tree: 'refit' }],
  },
  {
    name: 'query',
    call: engine.query.bind(engine) as never,
    given: () => [
      mesh,
      mesh,
      {
        ...placed,
        want: 'pairs',
        order: 'any',
        coherence: 'off',
        parts: 2,
        stealing: 'off',
        clearance: undefined,
      },
    ],
  },
  {
    name: 'query near',
    call: engine.query.bind(engine) as never,
    given: () => [mesh, mesh, { ...placed, clearance: 0.5 }],
  },
  {
    name: 'query segments',
    call: engine.query.bind(engine) as never,
    given: () => [mesh, mesh, { ...placed, want: 'segments' }],
  },
  {
    name: 'queryMany',
    call: engine.queryMany.bind(engine) as never,
    given: () => [{ a: mesh, b: mesh, transforms: near, want: 'bitset', order: 'any' }],
  },
  {
    name: 'queryMany of pairs',
    call: (pair: never, ...pairs: never[]) => engine.queryMany({ pairs: [pair, ...pairs] }),
    given: () => [
      { a: mesh, b: mesh, ...placed },
      { a: mesh, b: mesh },
    ],
  },
  {
    name: 'selfQuery',
    call: engine.selfQuery as never,
    given: () => [mesh, { want: 'any', neighbors: 'position', order: 'any' }],
  },
  { name: 'distance', call: engine.distance as never, given: () => [mesh, mesh, { ...placed, max: 5 }] },
  {
    name: 'castRays',
    call: engine.castRays as never,
    given: () => [
      mesh,
      new Float64Array(6).fill(2),
      new Float64Array(6).fill(-1),
      { want: 'all', max: 9, side: 'front' },
    ],
  },
  { name: 'contacts', call: engine.contacts as never, given: () => [mesh, mesh, { ...placed }] },
  {
    name: 'closestPoints',
    call: engine.closestPoints as never,
    given: () => [mesh, new Float64Array(6).fill(2), { max: 9, signed: true }],
  },
  {
    name: 'containsPoints',
    call: engine.containsPoints as never,
    given: () => [mesh, new Float64Array(6).fill(2)],
  },
  { name: 'contains', call: engine.contains as never, given: () => [mesh, mesh, placed] },
  { name: 'penetration', call: engine.penetration as never, given: () => [mesh, mesh, placed] },
  {
    name: 'classify',
    call: engine.classify as never,
    given: () => [mesh, mesh, { ...placed, tolerance: 0.1, clearance: 0.1 }],
  },
  {
    name: 'queryPoses',
    call: engine.queryPoses as never,
    given: () => [
      {
        meshes: [mesh, mesh],
        moving: 1,
        poses: near,
        fixed: near,
        pairs: undefined,
        allowed: [[0, 1]],
        want: 'first',
      },
    ],
  },
  {
    name: 'queryPoses, chain',
    call: engine.queryPoses as never,
    given: () => [{ meshes: [mesh, mesh], chain: armChain, jointValues: [0.5], want: 'distance', max: 2 }],
  },
  {
    name: 'queryEdges',
    call: engine.queryEdges as never,
    given: () => [
      {
        meshes: [mesh, mesh],
        chain: armChain,
        from: [0],
        to: [1],
        want: 'first',
        clearance: 0.1,
        tolerance: 0.1,
      },
    ],
  },
  { name: 'placeChain', call: engine.placeChain as never, given: () => [armChain, [0.5]] },
  {
    name: 'sweep',
    call: engine.sweep as never,
    given: () => [
      mesh,
      mesh,
      {
        fromA: near,
        toA: near,
        fromB: near,
        toB: near,
        motion: 'rigid',
        want: 'all',
        minSeparation: 0.1,
        tolerance: 0.01,
      },
    ],
  },
  {
    name: 'sweepVertices',
    call: engine.sweepVertices as never,
    given: () => [mesh, ends, ends, { want: 'all', exact: true }],
  },
  {
    name: 'sweepFeatures',
    call: engine.sweepFeatures as never,
    given: () => ['VF', new Float64Array(24), { tolerance: 0.01 }],
  },
  {
    name: 'contactTimes',
    call: engine.contactTimes as never,
    given: () => ['EE', new Float64Array(48), { exact: true }],
  },
  { name: 'edgesOf', call: engine.edgesOf as never, given: () => [mesh] },
  {
    name: 'boxPairs',
    call: engine.boxPairs as never,
    given: () => [
      boxes,
      {
        against: boxes,
        order: 'any',
        countOnly: false,
        forEachChunk: () => {},
        chunkPairs: 4,
        method: 'sap',
      },
    ],
  },
  {
    name: 'createBroadPhase',
    call: (options: never) => disposed(engine.createBroadPhase(options)),
    given: () => [{ method: 'tree', events: 'off' }],
  },
  {
    name: 'broadPhase.set',
    call: (given: never) => {
      broad.set(given);
      broad.set(boxes);
    },
    given: () => [boxes],
  },
  {
    name: 'broadPhase.move',
    call: broad.move.bind(broad) as never,
    given: () => [Uint32Array.of(0, 1), boxes],
  },
  { name: 'broadPhase.pairs', call: broad.pairs.bind(broad) as never, given: () => [{ order: 'any' }] },
  {
    name: 'createScene',
    call: (options: never) => disposed(engine.createScene(options)),
    given: () => [{ broadPhase: 'tree' }],
  },
  {
    name: 'scene.add',
    call: (...given) => scene.remove(scene.add(...(given as unknown as [Mesh]))),
    given: () => [mesh, { transform: near, group: 1, mask: 1 }],
  },
  {
    name: 'scene.remove',
    call: (id: never) => {
      if (!ids.includes(id)) scene.remove(id);
    },
    given: () => [ids[0]],
  },
  { name: 'scene.slotOf', call: scene.slotOf.bind(scene) as never, given: () => [ids[0]] },
  { name: 'scene.setTransform', call: scene.setTransform.bind(scene) as never, given: () => [ids[0], near] },
  { name: 'scene.setTransforms', call: scene.setTransforms.bind(scene) as never, given: () => [matrices()] },
  {
    name: 'scene.setTransforms of some',
    call: scene.setTransforms.bind(scene) as never,
    given: () => [matrices().subarray(0, 16), [ids[0]]],
  },
  {
    name: 'scene.setTransforms from',
    call: scene.setTransforms.bind(scene) as never,
    given: () => [matrices(), { from: matrices() }],
  },
  {
    name: 'scene.detect',
    call: scene.detect.bind(scene) as never,
    given: () => [{ narrow: 'counts', onProgress: () => {}, continuous: false, parts: 1 }],
  },
  {
    name: 'scene.detect continuous',
    call: scene.detect.bind(scene) as never,
    given: () => [{ continuous: true, motion: 'linear', want: 'all' }],
  },
  ...(
    [
      'query',
      'queryMany',
      'selfQuery',
      'boxPairs',
      'detect',
      'sweep',
      'sweepVertices',
      'sweepFeatures',
      'contactTimes',
    ] as const
  ).map(
    (name): Method => ({
      name: `async.${name}`,
      call: (engine.async[name] as (...given: never[]) => unknown).bind(engine.async),
      given: () =>
        ({
          query: [mesh, mesh, placed],
          queryMany: [{ a: mesh, b: mesh, transforms: near }],
          selfQuery: [mesh, {}],
          boxPairs: [boxes, { against: boxes }],
          detect: [scene, { narrow: 'any' }],
          sweep: [mesh, mesh, { toA: near }],
          sweepVertices: [mesh, ends, ends, {}],
          sweepFeatures: ['EE', new Float64Array(24), {}],
          contactTimes: ['VF', new Float64Array(24), {}],
        })[name],
    }),
  ),
];

function disposed<T extends { dispose(): void }>(made: T): void {
  made.dispose();
}

// Generates lists of arguments. In each list, one argument, or one property of an options object, is replaced
// by one of `wrongs`.
function* wrongArguments({ given }: Method): Generator<{ where: string; wrong: unknown; all: unknown[] }> {
  for (const make of wrongs) {
    for (let i = 0; i < given().length; i++) {
      const all = given();
      const wrong = make();
      const argument = all[i];
      yield { where: `argument ${i}`, wrong, all: all.with(i, wrong) };
      if (Object.getPrototypeOf(argument) !== Object.prototype) continue;
      for (const name of Object.keys(argument as object))
        yield { where: `${i}.${name}`, wrong, all: all.with(i, { ...(argument as object), [name]: wrong }) };
    }
  }
}

const describeValue = (value: unknown): string => {
  try {
    return `${typeof value} ${Object.prototype.toString.call(value)} ${typeof value === 'object' ? JSON.stringify(value)?.slice(0, 60) : String(value)}`;
  } catch {
    return typeof value;
  }
};

test('a call with one invalid argument or option gives a result or a CollisionError', async () => {
  const raw: string[] = [];
  let refused = 0;
  let answered = 0;
  const truth = engine.query(mesh, mesh, placed).count;
  for (const method of methods) {
    await method.call(...(method.given() as never[]));
    for (const { where, wrong, all } of wrongArguments(method)) {
      try {
        await method.call(...(all as never[]));
        answered++;
      } catch (error) {
        if (error instanceof CollisionError && error.code !== 'Internal') refused++;
        else
          raw.push(
            `${method.name}, ${where} ${describeValue(wrong)}: ${String((error as Error).stack)
              .split('\n')
              .slice(0, 3)
              .join(' | ')}`,
          );
      }
    }
  }
  assert.is(
    raw.length,
    0,
    `${raw.length} calls threw an untyped or internal error, ${refused} were refused, ${answered} gave a result:\n${raw.slice(0, 40).join('\n')}`,
  );
  assert.is(engine.query(mesh, mesh, placed).count, truth);
});

test('lists with holes, and null for a list, are refused', () => {
  const poses = { meshes: [mesh, mesh], moving: 1, poses: near, fixed: near };
  for (const call of [
    () => engine.queryPoses({ ...poses, pairs: Array(1) }),
    () => engine.queryPoses({ ...poses, allowed: Array(2) }),
    () => engine.queryPoses({ ...poses, allowed: null as never }),
    () => engine.createMesh(box(), { volume: 's-aabb', thresholds: Array(3) }),
  ]) {
    assert.is(caught(call).code, 'Unsupported');
  }
});

test.run();
