// Tests queries of boxes and scenes during which a worker dies or hangs: the results do not change, and the
// engine continues to work.

import * as assert from 'uvu/assert';
import type { Engine } from '../../dist/index.js';
import { SortJob } from '../../dist/records/layout.js';
import { boxCrowd, torus, tumbling } from '../../dist/samples/index.js';
import { hashInOrder, poolOf, withEngine } from '../support/engines.js';
import { faulty } from '../support/faultyWorkers.js';
import { hashBytes } from '../support/hash.js';
import { test } from '../support/test.js';

// There are so many boxes that the work of every job is distributed to several threads.
const boxes = boxCrowd('uniform', 30_000, 3);
const crowded = boxCrowd('scaleFree', 30_000, 4);
const bodyCount = 3000;
const matricesOf = tumbling(bodyCount, 0.05, 2);
const frames = [0, 5, 10].map(matricesOf);

const boxesOf = (engine: Engine) =>
  (['sap', 'cells', 'octree'] as const)
    .map(method => hashInOrder(engine.boxPairs(boxes, { method })))
    .join(' ');

// Finds pairs with a tree of boxes, moves a few or all boxes, and finds pairs again with the updated tree.
// Returns the hashes of the results.
function treeOf(engine: Engine): string {
  using broad = engine.createBroadPhase({ method: 'tree' });
  broad.set(crowded);
  const hashes = [hashInOrder(engine.boxPairs(crowded, { method: 'tree' })), hashInOrder(broad.pairs())];
  for (const share of [0.01, 0.02, 1, 0.01]) {
    const ids = Uint32Array.from({ length: (share * crowded.length) / 6 }, (_, i) => i);
    broad.move(
      ids,
      crowded.slice(0, 6 * ids.length).map(value => value * (1 + share)),
    );
    const { a, b } = broad.pairs();
    hashes.push(hashBytes(a, b, broad.began.a, broad.ended.b));
  }
  return hashes.join(' ');
}

function sceneOf(engine: Engine): string {
  const mesh = engine.createMesh(torus(60));
  const scene = engine.createScene();
  for (let i = 0; i < bodyCount; i++) scene.add(mesh);
  const hashes = frames.map(matrices => {
    scene.setTransforms(matrices);
    const { a, b, pairsAt, triangles, began, ended } = scene.detect();
    return hashBytes(a, b, pairsAt, triangles.a, triangles.b, began.a, ended.b);
  });
  const counted = scene.detect({ narrow: 'counts' });
  hashes.push(hashBytes(counted.a, counted.b, counted.counts));
  const any = scene.detect({ narrow: 'any' });
  scene.dispose();
  mesh.dispose();
  return [...hashes, hashBytes(any.a, any.b)].join(' ');
}

for (const [name, runQuery] of [
  ['boxes', boxesOf],
  ['a tree of boxes', treeOf],
  ['scene', sceneOf],
] as const) {
  test.slow(`${name}: a worker that fails at any job changes no result`, async () => {
    const truth = await withEngine({ threads: 1, warmUp: 'off' }, runQuery);
    let lost = 0;
    for (const order of [1, 2, 3, 4, 5, 7, 9, 12, 16, 20]) {
      for (const [kind, when] of [
        ['exit', 'after'],
        ['spin', 'after'],
        ['spin', 'before'],
      ] as const) {
        const workers = faulty(index => (index === 1 ? { kind, when, order } : undefined));
        await withEngine({ threads: 3, warmUp: 'off', createWorker: workers.createWorker }, engine => {
          poolOf(engine).deadlineMilliseconds = 60;
          workers.slowCaller(poolOf(engine));
          for (let iteration = 0; iteration < 2; iteration++)
            assert.is(runQuery(engine), truth, `${kind} ${when} job ${order}`);
          lost += workers.handles.length - 2;
        });
      }
    }
    assert.ok(lost > 10, `${lost} workers were replaced`);
  });
}

test('a worker that is lost while triangle pairs are sorted changes no result', async () => {
  const bodies = tumbling(400, 0.2, 3)(0);
  const runQuery = (engine: Engine): string => {
    const mesh = engine.createMesh(torus(300));
    using scene = engine.createScene();
    for (let i = 0; i < 400; i++) scene.add(mesh, { transform: bodies.subarray(16 * i, 16 * i + 16) });
    const { a, b, pairsAt, triangles } = scene.detect();
    return hashBytes(a, b, pairsAt, triangles.a, triangles.b);
  };
  const truth = await withEngine({ threads: 1, warmUp: 'off' }, runQuery);
  await withEngine({ threads: 2, warmUp: 'off' }, engine => {
    const pool = poolOf(engine);
    const run = pool.run.bind(pool);
    const { arena } = (engine as unknown as { context: { arena: { u32: Uint32Array } } }).context;
    let losses = 0;
    pool.run = (kernel, jobAt, sliceCount) => {
      if (kernel !== 'sortPairs' || sliceCount < 2 || losses++ > 0) return run(kernel, jobAt, sliceCount);
      arena.u32.fill(
        7,
        arena.u32[jobAt / 4 + SortJob.at.aAt / 4] / 4,
        arena.u32[jobAt / 4 + SortJob.at.aAt / 4] / 4 + 5000,
      );
      return false;
    };
    assert.is(runQuery(engine), truth);
    assert.ok(losses > 1, 'the pairs were not sorted again on two threads');
  });
});

test.run();
