// Tests that invalid meshes and options, and calls after dispose, give typed errors. An error about a mesh
// states the invalid value and a fix. After a refused query, the engine continues to work.

import { inspect } from 'node:util';
import * as assert from 'uvu/assert';
import {
  CollisionError,
  createEngine,
  Disposed,
  InvalidMesh,
  type Mesh,
  Stale,
  Unsupported,
} from '../../dist/index.js';
import { box, type MeshData } from '../../dist/samples/index.js';
import { caught, caughtLater, withEngine } from '../support/engines.js';
import { test } from '../support/test.js';

const engine = await createEngine({ threads: 2 });
test.after(() => engine.dispose());

const three = [0, 0, 0, 1, 0, 0, 0, 1, 0];
const wrongMeshes: [string, unknown, RegExp][] = [
  [
    'a NaN among the positions',
    { positions: Float32Array.from([...three, 0, NaN, 0]), indices: Uint32Array.of(0, 1, 2) },
    /positions\[10\] is NaN/,
  ],
  [
    'an infinite position',
    { positions: Float32Array.from(three).with(8, -Infinity), indices: Uint32Array.of(0, 1, 2) },
    /positions\[8\] is -Infinity/,
  ],
  [
    'an index without a vertex',
    { positions: Float32Array.from(three), indices: Uint32Array.of(0, 1, 2, 0, 3, 1) },
    /indices\[4\] is 3, but there are 3 vertices/,
  ],
  [
    'indices that end within a triangle',
    { positions: Float32Array.from(three), indices: Uint32Array.of(0, 1, 2, 0) },
    /indices has length 4, not a multiple of 3/,
  ],
  [
    'positions that end within a vertex',
    { positions: Float32Array.from([...three, 1]), indices: Uint32Array.of(0, 1, 2) },
    /positions has length 10, not a multiple of 3/,
  ],
  [
    'positions that end within a triangle, without indices',
    { positions: Float32Array.from([...three, 1, 2, 3]) },
    /length 12, not a multiple of 9/,
  ],
  ['a plain array', { positions: three, indices: Uint32Array.of(0, 1, 2) }, /not a Float32Array/],
  [
    'an infinite double',
    { positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 0.1, -Infinity) },
    /positions\[8\]/,
  ],
  ['positions as integers', { positions: Int32Array.from(three) }, /Int32Array, not a Float32Array/],
  ['a negative index', { positions: Float32Array.from(three), indices: [0, 1, -2] }, /indices\[2\] is -2/],
  [
    'an index that is not an integer',
    { positions: Float32Array.from(three), indices: [0, 1.5, 2] },
    /indices\[1\] is 1\.5/,
  ],
  ['indices in a string', { positions: Float32Array.from(three), indices: '012' }, /indices is '012', not/],
  ['positions that are undefined', { positions: undefined }, /positions is undefined/],
];

for (const [name, data, message] of wrongMeshes) {
  test(`createMesh refuses ${name}`, () => {
    const error = caught(() => engine.createMesh(data as MeshData));
    assert.instance(error, InvalidMesh);
    assert.instance(error, CollisionError);
    assert.is(error.code, 'InvalidMesh');
    assert.match(error.message, message);
    assert.ok(error.fix!.length > 5);
  });
}

test('createMesh, queryMany and createEngine refuse invalid options', async () => {
  const [a, b] = [engine.createMesh(box()), engine.createMesh(box())];
  assert.instance(
    caught(() => engine.createMesh(box(), { builder: 'best' as 'sah' })),
    Unsupported,
  );
  assert.instance(
    caught(() => engine.createMesh(box(), { volume: 'ball' as 'aabb' })),
    Unsupported,
  );
  assert.instance(
    caught(() => engine.queryMany({ a, b, transforms: new Float32Array(15) })),
    Unsupported,
  );
  assert.instance(
    caught(() => engine.queryMany({ a })),
    Unsupported,
  );
  for (const threads of [0, -1, 1.5, 257, NaN, '2'])
    assert.instance(
      await caughtLater(() => createEngine({ threads: threads as number })),
      Unsupported,
      String(threads),
    );
});

const wrongOptions: [string, object][] = [
  ['want', { want: 'some' }],
  ['order', { order: 'random' }],
  ['coherence', { coherence: 'maybe' }],
  ['parts', { parts: 0 }],
  ['parts', { parts: 1.5 }],
  ['parts', { parts: NaN }],
  ['parts', { parts: -3 }],
  ['parts', { parts: 1e9 }],
  // The option `grain` exists only in bindings/papers.
  ['grain', { grain: 2 }],
  ['weight', { weight: 'root' }],
  ['hasOwnProperty', { hasOwnProperty: 1 }],
];
for (const [name, options] of wrongOptions) {
  test(`query refuses ${String(Object.entries(options)[0]).replace(',', ': ')}`, () => {
    const [a, b] = [engine.createMesh(box()), engine.createMesh(box())];
    const error = caught(() => engine.query(a, b, options));
    assert.instance(error, CollisionError);
    assert.match(error.message, new RegExp(name));
    assert.is(engine.query(a, b).count > 0, true);
  });
}

for (const [name, options] of [
  ['maximumMemoryBytes', { maximumMemoryBytes: NaN }],
  ['maximumMemoryBytes', { maximumMemoryBytes: -1 }],
  ['initialPairCapacity', { initialPairCapacity: -1 }],
  ['initialPairCapacity', { initialPairCapacity: 0.5 }],
  ['memory', { memory: 'plain' }],
  ['backend', { backend: 'cuda' }],
  ['module', { modules: ['flight'] }],
  ['modules', { modules: 'scenes' }],
  ['wasmUrl', { wasmUrl: new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)) }],
  ['wasmUrl', { wasmUrl: { pfront: 1 } }],
  ['wasmUrl', { wasmUrl: { flight: 'flight.wasm' } }],
  ['wasmModule', { wasmModule: new URL('file:///pfront.wasm') }],
  ['wasmModule', { wasmModule: [] }],
  ['wasmModule', { wasmModule: new Date(0) }],
  ['wasmModule', { wasmModule: { scenes: 'scenes.wasm' } }],
] as const) {
  test(`createEngine refuses ${inspect(options)}`, async () => {
    const error = await caughtLater(async () =>
      (await createEngine({ threads: 1, ...options } as object)).dispose(),
    );
    assert.instance(error, CollisionError);
    assert.match(error.message, new RegExp(name));
  });
}

test("options that only the module 'gpu' reads are refused without this module", async () => {
  const create = async (options: object): Promise<void> =>
    (await createEngine({ threads: 1, warmUp: 'off', modules: ['scenes'], ...options })).dispose();
  for (const [name, options] of [
    ["backend: 'webgpu'", { backend: 'webgpu' }],
    ['gpu', { gpu: {} }],
    ['storage', { storage: { getItem: () => null, setItem() {} } }],
  ] as const) {
    const error = await caughtLater(() => create(options));
    assert.instance(error, Unsupported);
    assert.is(error.message, `${name} needs module 'gpu'`);
  }
  for (const backend of ['auto', 'wasm']) await create({ backend });
});

test('a value that is not a mesh, and a mesh of another engine, are refused', async () => {
  const own = engine.createMesh(box());
  assert.instance(
    caught(() => engine.query(own, undefined as unknown as Mesh)),
    CollisionError,
  );
  await withEngine({ threads: 1 }, other => {
    const foreign = other.createMesh(box());
    assert.instance(
      caught(() => engine.query(own, foreign)),
      CollisionError,
    );
    assert.instance(
      caught(() => engine.query(foreign, own)),
      CollisionError,
    );
  });
});

test('disposed meshes and engines throw Disposed, and disposing twice does nothing', async () => {
  const [a, b] = [engine.createMesh(box()), engine.createMesh(box())];
  a.dispose();
  a.dispose();
  for (const run of [
    () => engine.query(a, b),
    () => engine.query(b, a),
    () => engine.query(a, b, { want: 'any' }),
    () => engine.queryMany({ pairs: [{ a: b, b: a }] }),
    () => a.nodeCount,
  ]) {
    assert.instance(caught(run), Disposed);
  }
  assert.ok(engine.query(b, b).count > 0);
  await withEngine({ threads: 2 }, other => {
    const mesh = other.createMesh(box());
    const hits = other.query(mesh, mesh);
    other.dispose();
    other.dispose();
    assert.instance(
      caught(() => other.query(mesh, mesh)),
      Disposed,
    );
    assert.instance(
      caught(() => other.createMesh(box())),
      Disposed,
    );
    assert.instance(
      caught(() => hits.a),
      Stale,
    );
    assert.instance(
      caught(() => mesh.nodeCount),
      Disposed,
    );
  });
});

test.run();
