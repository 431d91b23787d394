// Tests how jobs read their input, such as lists with holes and objects that are reused. Also tests that counts
// above 2^32 are correct, and that results do not change when the engine reuses the memory that holds them.

import * as assert from 'uvu/assert';
import { openJobs } from '../../dist/cluster/index.js';
import { boxTasks } from '../../dist/cluster/jobs/boxTasks.js';
import { clash } from '../../dist/cluster/jobs/clash.js';
import type { NodePool, TaskContext } from '../../dist/cluster/jobs/jobKind.js';
import { type PairTaskValues, pairTasks } from '../../dist/cluster/jobs/pairTasks.js';
import { createEngine } from '../../dist/index.js';
import { rotation, sphereBoxes } from '../../dist/samples/index.js';
import { caught } from '../support/engines.js';
import { test } from '../support/test.js';

const engine = await createEngine({ threads: 1 });
const jobs = await openJobs({ where: 'here' });
test.after(() => {
  engine.dispose();
  return jobs.close();
});

const triangle = { positions: Float32Array.of(-1, 0, -1, 1, 0, -1, 0, 0, 1) };

test('contacts are counted correctly if their triangle pairs exceed 2^32 in total', async () => {
  // A mesh of 2^10 equal triangles: each of 4,186 pairs of bodies has 2^20 triangle pairs. The pool returns
  // these results without computing them.
  const mesh = { ...triangle, indices: Uint32Array.from({ length: 3 * 1024 }, (_, i) => i % 3) };
  const count = 92;
  const right = (count * (count - 1)) / 2;
  const bodies = Array.from({ length: count }, () => ({ mesh }));
  const firsts = bodies.flatMap((_, a) => new Array<number>(count - a - 1).fill(a));
  const seconds = bodies.flatMap((_, a) => Array.from({ length: count - a - 1 }, (__, i) => a + 1 + i));
  const none = new Uint32Array(0);
  const pool = {
    isTwofold: false,
    share: async () => new Uint32Array(8),
    run: async (kind: unknown, tasks: number, make: (i: number) => PairTaskValues) =>
      Array.from({ length: tasks }, (_, i) =>
        kind === boxTasks
          ? { a: Uint32Array.from(firsts), b: Uint32Array.from(seconds) }
          : {
              at: Uint32Array.from({ length: make(i).a.length + 1 }, (__, k) => k * 2 ** 20),
              a: none,
              b: none,
              distances: new Float64Array(0),
            },
      ),
  };
  const { coordinate } = clash.open({ kind: 'clash', bodies, narrow: 'counts' }, false, {});
  const answer = await coordinate(pool as unknown as NodePool);
  assert.equal([answer.count, answer.a.length, answer.boxPairs], [right, right, right]);
  assert.ok(answer.counts.every(pairs => pairs === 2 ** 20));
});

test('holes in lists of meshes and bodies are refused with the same error as undefined', async () => {
  const meshes = new Array(3);
  meshes[0] = meshes[2] = triangle;
  const bodies = new Array(3);
  bodies[0] = bodies[2] = { mesh: triangle };
  const job = { kind: 'meshPairs', pairs: [{ a: 1, b: 2 }] } as const;
  for (const [sparse, filled] of [
    [
      { ...job, meshes },
      { ...job, meshes: [...meshes] },
    ],
    [
      { kind: 'clash', bodies },
      { kind: 'clash', bodies: [...bodies] },
    ],
    [
      { kind: 'clash', bodies: new Array(3) },
      { kind: 'clash', bodies: [undefined] },
    ],
  ] as const) {
    const [error, expected] = [sparse, filled].map(given => caught(() => jobs.submit(given as never)));
    assert.equal([error!.code, error!.message], [expected!.code, expected!.message]);
  }
  assert.is(caught(() => jobs.submit({ ...job, meshes })).code, 'InvalidMesh');
  assert.is(caught(() => jobs.submit({ kind: 'clash', bodies })).code, 'Unsupported');
});

test('results of tasks do not change if the engine is used again before the results are encoded', async () => {
  const boxes = sphereBoxes(300, { radius: 0.5, side: 8 }, 1);
  // The first triangle of each mesh is far away, so that only the second triangles intersect: the pair (1, 1).
  const meshes = [50, 60].map(x =>
    engine.createMesh({ positions: Float32Array.of(x, 0, 0, x, 1, 0, x, 0, 1, ...triangle.positions) }),
  );
  const other = engine.createMesh(triangle);
  const context = {
    engine,
    bytes: () => new Uint8Array(boxes.buffer),
    mesh: (_: unknown, at = 0) => meshes[at / 8],
    countTests() {},
  } as unknown as TaskContext;
  // Other uses of the engine, which overwrite its results.
  const useEngine = (): void => {
    engine.boxPairs(sphereBoxes(200, { radius: 0.5, side: 5 }, 2));
    const pair = { a: other, b: other, transformB: rotation([0, 0, 1], 0.5) };
    engine.queryMany({ pairs: [pair, pair, pair] });
  };
  const hash = new Uint32Array(8);
  const { a, b } = engine.boxPairs(boxes).copy();
  const boxPart = boxTasks.run({ count: 300, hash }, context, undefined);
  useEngine();
  assert.equal(await boxPart, { a, b });
  const task = {
    want: 0,
    clearance: -1,
    hashes: new Uint32Array(16),
    a: Uint32Array.of(0, 0),
    b: Uint32Array.of(1, 1),
    placeA: new Uint32Array(2),
    placeB: Uint32Array.of(1, 2),
    // A half turn about z for the first pair. The second pair is far apart.
    places: Float64Array.of(-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 9, 0, 1, 0, 9, 0, 0, 1, 9),
  };
  const pairPart = pairTasks.run(task, context, undefined);
  useEngine();
  assert.equal(await pairPart, {
    at: Uint32Array.of(0, 1, 1),
    a: Uint32Array.of(1),
    b: Uint32Array.of(1),
    distances: new Float64Array(0),
  });
});

test('if getters return the same placement object with new values, it is read again for each pair and body', async () => {
  const scratch = { elements: new Float64Array(16) };
  const place = (angle: number, x: number): typeof scratch => {
    scratch.elements.set(rotation([0, 0, 1], angle, [x, 0, 0]));
    return scratch;
  };
  const [near, far] = [0, 100].map(x => ({
    a: 0,
    b: 0,
    get transformB() {
      return place(1, x);
    },
  }));
  const pairs = [near!, far!, near!, near!];
  const { pairsAt } = await jobs.submit({ kind: 'meshPairs', meshes: [triangle], pairs }).wait();
  assert.equal([...pairsAt], [0, 1, 1, 2, 3]);
  const bodies = [0, 100, 0].map((x, i) => ({
    mesh: triangle,
    get transform() {
      return place(i, x);
    },
  }));
  const { a, b } = await jobs.submit({ kind: 'clash', bodies }).wait();
  assert.equal([[...a], [...b]], [[0], [2]]);
});

test('vertices that no triangle uses do not enlarge the boxes of bodies', async () => {
  const mesh = {
    positions: Float32Array.of(...triangle.positions, 1000, 1000, 1000),
    indices: Uint32Array.of(0, 1, 2),
  };
  const scene = engine.createScene();
  const bodies = [0, 0.5, 500].map(x => ({ mesh, transform: rotation([0, 0, 1], 1, [x, 0, 0]) }));
  const built = engine.createMesh(mesh);
  for (const { transform } of bodies) scene.add(built, { transform });
  const { boxPairs, count } = await jobs.submit({ kind: 'clash', bodies }).wait();
  assert.equal([boxPairs, count], [scene.detect({ narrow: 'boxes' }).count, scene.detect().count]);
  assert.is(boxPairs, 1);
});

test.run();
