// Tests what happens if a WebAssembly kernel traps while a mesh is made, loaded or updated: the caller gets a
// typed error, no memory is leaked, and the mesh is either complete or disposed.

import * as assert from 'uvu/assert';
import { validateTree } from '../../dist/debug/validateTree.js';
import { loadMesh } from '../../dist/mesh/loadMesh.js';
import { createMesh } from '../../dist/mesh/mesh.js';
import { DecideJob } from '../../dist/records/layout.js';
import { setWords } from '../../dist/records/record.js';
import { caught } from '../support/engines.js';
import { makeSoup } from '../support/meshes.js';
import { test } from '../support/test.js';
import { makeTestContext, type TestContext } from '../support/testContext.js';

let backend: TestContext;
test.before(async () => {
  backend = await makeTestContext(2);
});
test.after(() => backend.close());

// Calls `run` while `kernel` traps in its call number `from` (counted from 1) and in all later calls.
// Returns the error that `run` throws.
function trapping(kernel: string, from: number, run: () => unknown): ReturnType<typeof caught> {
  const { pool } = backend;
  const { kernels } = pool;
  const real = (kernels as unknown as Record<string, (...job: number[]) => void>)[kernel];
  let calls = 0;
  const trap = (...job: number[]): void => {
    if (++calls >= from) throw new WebAssembly.RuntimeError('unreachable');
    real(...job);
  };
  Object.assign(pool, { kernels: { ...kernels, [kernel]: trap } });
  try {
    return caught(run);
  } finally {
    Object.assign(pool, { kernels });
  }
}

test('a kernel that traps while a mesh is made, loaded or updated gives a typed error, and no memory is kept', () => {
  const before = backend.arena.usedBytes;
  const { positions } = makeSoup(300, 1);
  const check = (error: Error & { code?: string }): void => {
    assert.is(error.code, 'Internal');
    assert.match(error.message, /a kernel trapped: unreachable/);
  };
  for (const kernel of ['boundPositions', 'growSubtrees', 'fillTree', 'refitTree'])
    check(trapping(kernel, 1, () => createMesh(backend, { positions })));
  const first = createMesh(backend, { positions });
  const bytes = first.serialize();
  first.dispose();
  for (const kernel of ['boundPositions', 'refitTree'])
    check(trapping(kernel, 1, () => loadMesh(backend, bytes)));

  // If an update fails before anything has changed, the mesh stays usable; a mesh with a partially refitted
  // tree is disposed.
  const soft = createMesh(backend, { positions }, { deformable: true });
  check(trapping('boundPositions', 1, () => soft.update(positions.map(value => 2 * value))));
  assert.is(soft.isDisposed, false);
  assert.is(soft.update(positions).quality, 1);
  assert.equal(validateTree(backend, soft), []);
  check(trapping('refitTree', 2, () => soft.update(positions.map(value => 2 * value))));
  assert.is(soft.isDisposed, true);
  assert.is(backend.arena.usedBytes, before);
});

test("if a kernel traps in the caller's slice of a job, the error is thrown, and the pool continues to work", () => {
  const { pool, arena } = backend;
  const jobAt = arena.allocate(DecideJob.size);
  setWords(arena.u32, jobAt, DecideJob, {
    pointsAt: jobAt,
    verdictsAt: jobAt,
    scratchAt: jobAt,
    pairCount: 0,
    sliceCount: 2,
  });
  assert.instance(
    trapping('decideTriangles', 1, () => pool.run('decideTriangles', jobAt, 2)),
    WebAssembly.RuntimeError,
  );
  assert.is(pool.run('decideTriangles', jobAt, 2), true);
  assert.is(pool.threadCount, 2);
  arena.release(jobAt);
});

test.run();
