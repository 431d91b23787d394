// Tests two ways to detect collisions of moving bodies on threads without shared memory: threads that pass
// messages, called ranks as in MPI, and a pipeline of threads. In every step, both ways must find the same
// triangle pairs as the engine.

import * as assert from 'uvu/assert';
import { createEngine } from '../../dist/index.js';
import type { MovingBodies } from '../../dist/papers/bodyMessages.js';
import { pairCountOf, pairOfIndex, type StepPairs } from '../../dist/papers/bodyPairs.js';
import { Pipeline, Ranks } from '../../dist/papers/bodyThreads.js';
import { sphere, torus, tumbling } from '../../dist/samples/index.js';
import { test } from '../support/test.js';

const engine = await createEngine({ threads: 1, warmUp: 'off' });
test.after(() => engine.dispose());

const bodiesOf = (count: number): MovingBodies => ({
  shapes: [
    { data: torus(300), options: {} },
    { data: sphere(200), options: { volume: 's-aabb' } },
  ],
  meshOf: Array.from({ length: count }, (_, body) => body % 2),
});

/** Returns the placements of all bodies for each step. Some bodies are close enough to intersect. */
function stepsOf(count: number, steps: number): Float32Array[] {
  const matricesOf = tumbling(count, 0.5, 4);
  return Array.from({ length: steps }, (_, step) => matricesOf(10 * step));
}

function truthOf({ shapes, meshOf }: MovingBodies, placements: Float32Array): StepPairs {
  const meshes = shapes.map(({ data, options }) => engine.createMesh(data, options));
  const at = (body: number): Float32Array => placements.subarray(16 * body, 16 * body + 16);
  const pairs = Array.from({ length: pairCountOf(meshOf.length) }, (_, index) => {
    const [i, j] = pairOfIndex(index, meshOf.length);
    return { a: meshes[meshOf[i]], b: meshes[meshOf[j]], transformA: at(i), transformB: at(j) };
  });
  const { pairsAt, a, b } = engine.queryMany({ pairs }).copy();
  for (const mesh of meshes) mesh.dispose();
  return { pairsAt, a, b };
}

test('pairs of bodies are numbered in lexicographic order', () => {
  for (const count of [0, 1, 2, 5, 31]) {
    const pairs = Array.from({ length: count }, (_, i) =>
      Array.from({ length: count - i - 1 }, (__, k) => [i, i + 1 + k]),
    ).flat();
    assert.equal(
      Array.from({ length: pairCountOf(count) }, (_, index) => pairOfIndex(index, count)),
      pairs,
    );
  }
});

test('one rank, several ranks and more ranks than pairs find the pairs that the engine finds', async () => {
  for (const [count, ranks] of [
    [12, 1],
    [12, 3],
    [3, 5],
    [1, 2],
    [0, 1],
  ] as const) {
    const bodies = bodiesOf(count);
    const steps = stepsOf(count, 4);
    const group = await Ranks.start(bodies, ranks);
    try {
      for (const placements of steps) {
        const found = await group.step(placements);
        assert.equal(found, truthOf(bodies, placements));
        assert.is(group.costs.length, ranks);
        if (count === 12) assert.ok(found.a.length > 0);
      }
      assert.ok(group.bytes >= 4 * ranks * 64 * count);
    } finally {
      await group.end();
    }
  }
});

test('a pipeline finds the pairs that the engine finds, in order, with one and several threads in its second stage', async () => {
  for (const [count, threads, length] of [
    [12, 1, 9],
    [12, 3, 9],
    [12, 3, 2],
    [1, 2, 3],
    [0, 1, 1],
    [4, 2, 0],
  ] as const) {
    const bodies = bodiesOf(count);
    const steps = stepsOf(count, length);
    const pipeline = await Pipeline.start(bodies, threads);
    assert.is(pipeline.depth, threads + 1);
    try {
      const found: StepPairs[] = [];
      for await (const pairs of pipeline.run(steps)) found.push(pairs);
      assert.equal(
        found,
        steps.map(placements => truthOf(bodies, placements)),
      );
    } finally {
      await pipeline.end();
    }
  }
});

test('an error in a thread is passed on to the caller', async () => {
  const error = await Ranks.start({ shapes: [], meshOf: [0, 0] }, 1)
    .then(ranks => ranks.step(new Float32Array(32)).finally(() => ranks.end()))
    .then(
      () => undefined,
      (thrown: Error) => thrown,
    );
  assert.ok(error instanceof Error);
});

test.run();
