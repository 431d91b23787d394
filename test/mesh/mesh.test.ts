// Tests creating, updating, storing and loading meshes from valid and invalid input. Invalid input must give
// a typed error that names the fault, and leave the engine usable.

import * as assert from 'uvu/assert';
import { CollisionError } from '../../dist/core/errors.js';
import { validateTree } from '../../dist/debug/validateTree.js';
import { loadMesh } from '../../dist/mesh/loadMesh.js';
import { createMesh, createMeshAsync, type Mesh, type MeshData } from '../../dist/mesh/mesh.js';
import { pairsOf, withEngine } from '../support/engines.js';
import { hardMeshes, makeRandom, makeSoup } from '../support/meshes.js';
import { overriding } from '../support/overriding.js';
import { test } from '../support/test.js';
import { makeTestContext, type TestContext } from '../support/testContext.js';

let backend: TestContext;
test.before(async () => {
  backend = await makeTestContext(2);
});
test.after(() => backend.close());

// Registers a test that fails if memory that `run` allocates in the engine is still allocated at the end.
function leakTest(name: string, run: () => void | Promise<void>): void {
  test(name, async () => {
    const before = backend.arena.usedBytes;
    await run();
    assert.is(backend.arena.usedBytes, before);
  });
}

function errorOf(run: () => unknown): CollisionError {
  try {
    run();
  } catch (error) {
    assert.instance(error, CollisionError);
    assert.ok((error as CollisionError).fix.length > 0);
    return error as CollisionError;
  }
  throw new Error('an error was expected, but none was thrown');
}

const triangle = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0);

leakTest('invalid input is refused with an error that names the input and what is wrong with it', () => {
  const cases: [data: unknown, message: RegExp][] = [
    [{ positions: [0, 0, 0] }, /positions is a plain Array, not a Float32Array/],
    [{ positions: new Float64Array(7) }, /positions has length 7, not a multiple of 3/],
    [{ positions: Float64Array.of(0, 0, NaN) }, /positions\[2\] is NaN/],
    [{}, /positions is undefined/],
    [{ positions: new Float32Array(7) }, /positions has length 7, not a multiple of 3/],
    [{ positions: new Float32Array(6) }, /length 6, not a multiple of 9, and indices is missing/],
    [{ positions: triangle, indices: new Uint32Array(4) }, /indices has length 4, not a multiple of 3/],
    [{ positions: triangle, indices: new Float32Array(3) }, /indices is a Float32Array/],
    [{ positions: triangle, indices: 'abc' }, /indices is 'abc', not/],
    [{ positions: triangle, indices: [0, 1, 3] }, /indices\[2\] is 3, but there are 3 vertices/],
    [{ positions: triangle, indices: [0, -1, 2] }, /indices\[1\] is -1/],
    [{ positions: triangle, indices: [0, 1.5, 2] }, /indices\[1\] is 1.5/],
    [{ positions: triangle, indices: Uint32Array.of(0, 0xffffffff, 2) }, /indices\[1\] is 4294967295/],
    [{ positions: new Float32Array(0), indices: [0, 0, 0] }, /indices\[0\] is 0, but there are 0 vertices/],
  ];
  for (const [data, message] of cases) {
    const error = errorOf(() => createMesh(backend, data as MeshData));
    assert.is(error.code, 'InvalidMesh');
    assert.match(error.message, message);
  }
});

leakTest('a non-finite value is found at any position', () => {
  for (const value of [NaN, -NaN, Infinity, -Infinity]) {
    for (const at of [0, 1, 11, 12, 35, 89_998, 89_999]) {
      const { positions } = makeSoup(10_000, 1);
      positions[at] = value;
      assert.match(
        errorOf(() => createMesh(backend, { positions })).message,
        new RegExp(`positions\\[${at}\\] is ${value}`),
      );
    }
  }
});

leakTest('indices of other types, and meshes without indices, are accepted', () => {
  const { positions } = makeSoup(6, 1);
  const numbers = [0, 1, 2, 3, 4, 5];
  for (const indices of [
    numbers,
    Uint8Array.from(numbers),
    Uint16Array.from(numbers),
    Int32Array.from(numbers),
    Uint32Array.from(numbers),
  ]) {
    const mesh = createMesh(backend, { positions, indices });
    assert.is(mesh.triangleCount, 2);
    assert.equal(validateTree(backend, mesh), []);
    mesh.dispose();
  }
  const mesh = createMesh(backend, { positions });
  assert.is(mesh.triangleCount, 6);
  mesh.dispose();
});

leakTest('the mesh owns its data and reports its properties', () => {
  const data = { positions: triangle.map(x => x * 3 - 1), indices: Uint32Array.of(0, 1, 2) };
  const mesh = createMesh(backend, data);
  data.positions.fill(NaN);
  data.indices.fill(9);
  assert.equal(validateTree(backend, mesh), []);
  assert.equal(
    [mesh.triangleCount, mesh.vertexCount, mesh.nodeCount, mesh.leafCount, mesh.depth],
    [1, 3, 1, 1, 1],
  );
  assert.equal(Array.from(mesh.bounds), [-1, -1, -1, 2, 2, -1]);
  assert.ok(mesh.bytes > 0);
  mesh.dispose();
  mesh.dispose();
  assert.is(errorOf(() => mesh.recordAt).code, 'Disposed');
  assert.is(errorOf(() => mesh.update(triangle)).code, 'Disposed');
});

leakTest('unknown values of builder and volume are refused', () => {
  for (const options of [{ builder: 'octree' }, { volume: 'sphere' }]) {
    assert.is(
      errorOf(() => createMesh(backend, { positions: triangle }, options as object)).code,
      'Unsupported',
    );
  }
});

leakTest('an update that is refused changes nothing', () => {
  const fixed = createMesh(backend, { positions: triangle });
  assert.is(errorOf(() => fixed.update(triangle)).code, 'Unsupported');
  fixed.dispose();
  const mesh = createMesh(backend, makeSoup(100, 1), { deformable: true });
  const { version } = mesh;
  assert.match(
    errorOf(() => mesh.update(new Float32Array(3))).message,
    /positions has length 3, but the mesh has 300 vertices/,
  );
  const { positions } = makeSoup(100, 2);
  positions[77] = NaN;
  assert.match(errorOf(() => mesh.update(positions)).message, /positions\[77\] is NaN/);
  assert.is(mesh.version, version);
  assert.equal(validateTree(backend, mesh), []);
  mesh.dispose();
});

leakTest('an update moves the bounds, which ignore unreferenced vertices', () => {
  const positions = Float32Array.of(...triangle, 50, 50, 50);
  const mesh = createMesh(backend, { positions, indices: [0, 1, 2] }, { deformable: true });
  assert.equal(Array.from(mesh.bounds), [0, 0, 0, 1, 1, 0]);
  mesh.update(positions.map(x => x * 2));
  assert.equal(Array.from(mesh.bounds), [0, 0, 0, 2, 2, 0]);
  assert.equal(validateTree(backend, mesh), []);
  positions[10] = NaN;
  assert.match(errorOf(() => mesh.update(positions)).message, /positions\[10\] is NaN/);
  mesh.dispose();
});

test('insufficient memory gives a Capacity error, and the engine continues to work', async () => {
  for (const pages of [2, 4, 8, 16, 24, 40, 64, 100, 160]) {
    const small = await makeTestContext(1, pages);
    const before = small.arena.usedBytes;
    for (const builder of ['sah', 'morton'] as const) {
      for (const triangleCount of [10, 300, 3000, 30_000, 100_000]) {
        let mesh: Mesh | undefined;
        try {
          mesh = createMesh(small, makeSoup(triangleCount, 1), { builder, deformable: true });
        } catch (error) {
          assert.is((error as CollisionError).code, 'Capacity');
        }
        if (mesh) assert.equal(validateTree(small, mesh), []);
        mesh?.dispose();
        assert.is(small.arena.usedBytes, before);
      }
    }
    const mesh = createMesh(small, makeSoup(10, 1));
    assert.equal(validateTree(small, mesh), []);
    await small.close();
  }
});

leakTest('an asynchronous build reports progress up to 1 and gives the same tree as createMesh', async () => {
  const data = makeSoup(60_000, 3, 0.01);
  for (const builder of ['sah', 'morton'] as const) {
    const progress: number[] = [];
    const mesh = await createMeshAsync(backend, data, { builder, onProgress: done => progress.push(done) });
    const same = createMesh(backend, data, { builder });
    assert.equal(mesh.serialize(), same.serialize());
    assert.ok(progress.length > 5, `${progress.length} reports`);
    assert.is(progress.at(-1), 1);
    assert.ok(
      progress.every((done, i) => done >= 0 && done <= 1 && (i === 0 || done >= progress[i - 1])),
      progress.join(' '),
    );
    mesh.dispose();
    same.dispose();
  }
});

leakTest('a build can be aborted at any step', async () => {
  const data = makeSoup(60_000, 3, 0.01);
  for (let steps = 0; steps < 6; steps++) {
    const control = new AbortController();
    let reports = 0;
    const build = createMeshAsync(backend, data, {
      signal: control.signal,
      onProgress: () => {
        if (++reports > steps) control.abort(new Error('enough'));
      },
    });
    if (steps === 0) control.abort(new Error('enough'));
    await build.then(
      () => assert.unreachable(),
      error => assert.is(error.message, 'enough'),
    );
  }
});

leakTest('a build whose onProgress throws, even at its end, keeps no memory', async () => {
  const data = makeSoup(1000, 3, 0.01);
  for (const limit of [0, 1])
    await createMeshAsync(backend, data, {
      onProgress: done => {
        if (done >= limit) throw new Error('of the caller');
      },
    }).then(
      () => assert.unreachable(),
      error => assert.is(error.message, 'of the caller'),
    );
});

// Makes a context whose thread pool simulates a lost worker: at its run number `lostAt` (counted from 0), the
// pool reports that a slice of the run was lost. The caller must then not use the output of this run.
function losing(lostAt: number): { backend: TestContext; runs: () => number } {
  let runCount = 0;
  const pool = overriding(backend.pool, {
    run: (...run: Parameters<typeof backend.pool.run>) => {
      const isWhole = backend.pool.run(...run);
      return runCount++ !== lostAt && isWhole;
    },
  });
  return { backend: { ...backend, pool }, runs: () => runCount };
}

leakTest('if a slice is lost at any step, the build restarts and ends with the same tree', () => {
  const data = makeSoup(20_000, 3, 0.01);
  for (const builder of ['sah', 'morton'] as const) {
    const whole = createMesh(backend, data, { builder, deformable: true });
    const bytes = whole.serialize();
    whole.dispose();
    for (let lostAt = 0, isOver = false; !isOver; lostAt++) {
      const { backend: other, runs } = losing(lostAt);
      const mesh = createMesh(other, data, { builder, deformable: true });
      isOver = runs() <= lostAt;
      assert.equal(mesh.serialize(), bytes);
      assert.equal(validateTree(backend, mesh), []);
      mesh.dispose();
    }
  }
});

test('a mesh that one engine has stored can be loaded by another and gives the same results', () =>
  withEngine({ threads: 1, warmUp: 'off' }, async engine => {
    const data = makeSoup(60, 4, 0.3);
    const mesh = engine.createMesh(data);
    const bytes = mesh.serialize();
    await withEngine({ threads: 1, warmUp: 'off' }, other => {
      const loaded = other.loadMesh(bytes);
      const fresh = other.createMesh(data);
      assert.ok(other.query(loaded, fresh).count > 60);
      assert.equal(pairsOf(other.query(loaded, fresh)), pairsOf(engine.query(mesh, engine.createMesh(data))));
      assert.equal(loaded.serialize(), bytes);
    });
  }));

leakTest('if a slice is lost while an update refits the tree, the tree is rebuilt', () => {
  const data = makeSoup(20_000, 3, 0.01);
  for (let lostAt = 0; lostAt < 3; lostAt++) {
    const { backend: other, runs } = losing(-1);
    const probe = createMesh(other, data, { deformable: true });
    const buildRuns = runs();
    probe.dispose();
    const mesh = createMesh(losing(buildRuns + lostAt).backend, data, { deformable: true });
    // The first run only computes statistics. If it loses a slice, the statistics are computed again, and the
    // tree is still refitted.
    assert.equal(mesh.update(data.positions), { refitted: lostAt === 0, rebuilt: lostAt > 0, quality: 1 });
    assert.equal(validateTree(backend, mesh), []);
    mesh.dispose();
  }
});

leakTest('a mesh that is stored and loaded again is unchanged', () => {
  for (const [name, data] of hardMeshes()) {
    for (const options of [
      { builder: 'sah', deformable: false },
      { builder: 'morton', deformable: true },
    ] as const) {
      const mesh = createMesh(backend, data, options);
      const bytes = mesh.serialize();
      const shifted = new Uint8Array(bytes.length + 1);
      shifted.set(bytes, 1);
      const loaded = loadMesh(backend, shifted.subarray(1));
      assert.equal(validateTree(backend, loaded), [], name);
      assert.equal(loaded.serialize(), bytes, name);
      assert.equal([loaded.bounds, loaded.isDeformable], [mesh.bounds, mesh.isDeformable], name);
      if (options.deformable) assert.equal(loaded.update(data.positions).refitted, true);
      mesh.dispose();
      loaded.dispose();
    }
  }
});

// Writes the checksum that the format defines: FNV-1a over 32-bit words, without word 3.
function fixChecksum(bytes: Uint8Array): void {
  const words = new Uint32Array(bytes.buffer, 0, Math.floor(bytes.length / 4));
  let hash = 0x811c9dc5;
  words.forEach((value, i) => {
    if (i !== 3) hash = Math.imul(hash ^ value, 0x01000193);
  });
  words[3] = hash;
}

leakTest('stored bytes that were changed are refused, or load as a mesh with a valid tree', () => {
  const random = makeRandom(11);
  const pick = (count: number) => Math.floor(random() * count);
  let loadedCount = 0;
  const codes = new Map<string, number>();
  const mesh = createMesh(backend, makeSoup(200, 1), { deformable: true });
  const bytes = mesh.serialize();
  mesh.dispose();
  for (let iteration = 0; iteration < 3000; iteration++) {
    let copy = bytes.slice();
    const kind = iteration % 4;
    if (kind === 0) copy = copy.slice(0, pick(copy.length));
    for (let flips = kind === 0 ? 0 : 1 + pick(3); flips > 0; flips--)
      copy[pick(copy.length)] ^= 1 << pick(8);
    // Small numbers, with or without the top bit, are likely to be valid links to nodes or leaves.
    if (kind === 3)
      new Uint32Array(copy.buffer)[4 + pick(copy.length / 4 - 4)] =
        pick(2) === 0 ? pick(250) : 0x80000000 + pick(250);
    if (kind >= 2) fixChecksum(copy);
    let loaded: Mesh | undefined;
    try {
      loaded = loadMesh(backend, copy);
    } catch (error) {
      assert.instance(error, CollisionError);
      const { code } = error as CollisionError;
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }
    if (!loaded) continue;
    loadedCount++;
    assert.equal(validateTree(backend, loaded), []);
    loaded.dispose();
  }
  assert.ok(kindsAreSound(codes, loadedCount), `${[...codes]} ${loadedCount}`);
});

// Returns whether some changed meshes load, most are refused, and all errors are InvalidMesh or Capacity.
const kindsAreSound = (codes: Map<string, number>, loadedCount: number): boolean =>
  loadedCount > 100 &&
  (codes.get('InvalidMesh') ?? 0) > 1500 &&
  [...codes.keys()].every(code => code === 'InvalidMesh' || code === 'Capacity');

test('positions and indices may be getters of a class, and positions may be floats or doubles', async () => {
  class Shape {
    constructor(readonly coordinates: Float32Array | Float64Array) {}
    get positions() {
      return this.coordinates;
    }
    get indices() {
      return [0, 1, 2];
    }
  }
  await withEngine({ threads: 1 }, engine => {
    const values = [0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 5, 5, 6, 5, 5, 5, 6, 0.1];
    for (const coordinates of [Float32Array.from(values), Float64Array.from(values)])
      assert.is(engine.createMesh(new Shape(coordinates) as MeshData).triangleCount, 1);
  });
});

test.run();
