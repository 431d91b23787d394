// Tests queryPoses, which finds the poses in which bodies collide. Compares its results with brute force in
// exact arithmetic and with single queries, and tests that every number of threads gives the same bits.

import * as assert from 'uvu/assert';
import type { Engine, Mesh, PoseAnswers, PosesOptions } from '../../dist/index.js';
import { type MeshData, robotArm, sphere, translation } from '../../dist/samples/index.js';
import { trianglePairs } from '../oracle/bruteForce.js';
import { caught, contextOf, poolOf, withEngine } from '../support/engines.js';
import { faulty } from '../support/faultyWorkers.js';
import { hashBytes } from '../support/hash.js';
import {
  degenerateMeshes,
  emptyMesh,
  flatPlacements,
  meshPairs,
  placements,
  seeded,
  unshared,
} from '../support/placedScenes.js';
import { test } from '../support/test.js';

const identity = translation([0, 0, 0]);
const triangle = unshared([0, 0, 0, 1, 0, 0, 0, 1, 0]);
const wordsOf = (bits: readonly boolean[]): number[] => {
  const words = new Uint32Array(Math.ceil(bits.length / 32));
  bits.forEach((bit, i) => {
    if (bit) words[i >>> 5] |= 1 << (i & 31);
  });
  return [...words];
};
const hashOf = ({ hits, first, each, pairs }: PoseAnswers): string =>
  hashBytes(hits, first ?? new Uint32Array(0), each ?? new Uint32Array(0), pairs);

// Placements of all kinds, used as poses of two bodies.
const kinds = Object.entries({ ...placements, ...flatPlacements });
const degenerate = Object.entries(meshPairs).map(([name, data], number) => {
  const placed = kinds.map(([, placedBy], i) => placedBy(seeded(100 * number + i)));
  const poses = Float64Array.from(
    placed.flatMap(({ transformA = identity, transformB = identity }) => [...transformA, ...transformB]),
  );
  return {
    name,
    data,
    poses,
    truth: placed.map(
      ({ transformA, transformB }) => trianglePairs(data[0], transformA, data[1], transformB).length > 0,
    ),
  };
});

test('placements of every kind agree with exact arithmetic over all triangles', async () => {
  assert.ok(
    degenerate.some(({ truth }) => truth.some(hit => hit)) &&
      degenerate.some(({ truth }) => truth.some(hit => !hit)),
  );
  for (const threads of [1, 2, 5])
    await withEngine({ threads, warmUp: 'off' }, engine => {
      for (const { name, data, poses, truth } of degenerate) {
        const meshes = data.map(mesh => engine.createMesh(mesh));
        const reported = engine.queryPoses({ meshes, poses }).hits;
        assert.equal(
          kinds.flatMap(([kind], pose) =>
            ((reported[pose >>> 5] >>> (pose & 31)) & 1) === Number(truth[pose])
              ? []
              : [`${kind} of ${name}`],
          ),
          [],
        );
        const first = engine.queryPoses({ meshes, poses, pairs: [[1, 0]], want: 'first' });
        const each = engine.queryPoses({ meshes, poses, want: 'pairs-any' });
        assert.equal(
          [[...first.first!], [...each.each!]],
          [truth.map(hit => (hit ? 0 : 0xffffffff)), wordsOf(truth)],
          name,
        );
        for (const mesh of meshes) mesh.dispose();
      }
    });
});

test('a collision of any single pair is found, whichever pair collided in the previous pose', () =>
  withEngine({ threads: 1 }, engine => {
    const meshes = Array.from({ length: 6 }, () => engine.createMesh(triangle));
    const random = seeded(3);
    const pairs = meshes.flatMap((_, a) => meshes.slice(a + 1).map((__, i) => [a, a + 1 + i] as const));
    const chosen = Array.from({ length: 400 }, () => pairs[random.below(pairs.length)]);
    const poses = Float32Array.from(
      chosen.flatMap(([a, b], pose) =>
        meshes.flatMap((_, body) => [...translation([10 * (pose % 7 !== 0 && body === b ? a : body), 0, 0])]),
      ),
    );
    const { hits, count } = engine.queryPoses({ meshes, poses });
    assert.equal([[...hits], count], [wordsOf(chosen.map((_, pose) => pose % 7 !== 0)), 342]);
  }));

test('pairs that only integer arithmetic can decide have the correct results', () =>
  withEngine({ threads: 2 }, engine => {
    const stretched = Float64Array.of(2 ** 199, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2 ** -199, 0, 0, 0, 0, 1);
    const reported = new Set<boolean>();
    for (const kind of ['mixedCorners', 'lattice', 'scaleMix', 'denormal'] as const) {
      for (let seed = 1; seed <= 25; seed++) {
        const data = degenerateMeshes(kind, seed, 1);
        const meshes = data.map(mesh => engine.createMesh(mesh));
        const hit = trianglePairs(data[0], stretched, data[1], stretched).length > 0;
        reported.add(hit);
        const poses = Float64Array.from([...stretched, ...stretched]);
        assert.equal(
          [
            engine.queryPoses({ meshes, poses }).count,
            engine.queryPoses({ meshes, poses, want: 'first' }).first![0],
            engine.queryPoses({ meshes, poses, want: 'pairs-any' }).each![0],
          ],
          [Number(hit), hit ? 0 : 0xffffffff, Number(hit)],
          `${kind} ${seed}`,
        );
      }
    }
    assert.is(reported.size, 2);
  }));

test('the first pair is returned even if the engine needs longer to decide it than the next ones', () =>
  withEngine({ threads: 1 }, engine => {
    const sheet = engine.createMesh(triangle);
    const ball = engine.createMesh(sphere(100));
    const meshes = [sheet, sheet, ball, ball];
    // The placements of both sheets flatten space to a plane. Such placements have no inverse, so the kernel
    // can use neither mesh's coordinate frame, and leaves the pair of sheets undecided. The first corner of
    // the second sheet is at (x, x). For the values 0, 0.2 and 0.5 of x, it lies on the first sheet; for 0.9,
    // beside the first sheet but within its box; for 3, outside of the box.
    const crushed = (x: number): number[] => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, x, x, 0, 1];
    const intersecting = [0, 0.2, 0.9, 0.5, 3].map(x => [
      ...crushed(0),
      ...crushed(x),
      ...identity,
      ...identity,
    ]);
    const apart = [0.2, 0.9].map(x => [...crushed(0), ...crushed(x), ...identity, ...translation([9, 0, 0])]);
    const poses = Float32Array.from([...intersecting, ...apart].flat());
    const first = (pairs: [number, number][]): number[] => [
      ...engine.queryPoses({ meshes, poses, pairs, want: 'first' }).first!,
    ];
    const none = 0xffffffff;
    assert.equal(
      first([
        [0, 1],
        [2, 3],
      ]),
      [0, 0, 1, 0, 1, 0, none],
    );
    assert.equal(
      first([
        [2, 3],
        [1, 0],
      ]),
      [0, 0, 0, 0, 0, 1, none],
    );
    assert.equal(
      [
        ...engine.queryPoses({
          meshes,
          poses,
          pairs: [
            [0, 1],
            [2, 3],
          ],
          want: 'pairs-any',
        }).each!,
      ],
      wordsOf([true, true, true, true, false, true, true, true, false, true, true, false, false, false]),
    );
  }));

// A robot arm with fewer triangles than the default, in random poses and in poses along a path.
const arm = robotArm(200);
const { fixedTransforms: still, allowed, movingCount: moving } = arm;
const armPoses = Float32Array.from([
  ...arm.place(arm.randomAngles(120, 5)),
  ...arm.place(arm.pathAngles(81, 6, 20)),
]);
const poseCount = 201;
const armPairs = await withEngine({ threads: 1 }, engine => {
  const answers = engine.queryPoses({
    meshes: arm.meshes.map(mesh => engine.createMesh(mesh)),
    moving,
    fixed: still,
    allowed,
    poses: armPoses.subarray(0, 0),
  });
  return Array.from({ length: answers.pairCount }, (_, pair): [number, number] => [
    answers.pairs[2 * pair],
    answers.pairs[2 * pair + 1],
  ]);
});
const matrixOf = (pose: number, body: number): Float32Array | Float64Array =>
  body < moving
    ? armPoses.subarray(16 * (moving * pose + body), 16 * (moving * pose + body + 1))
    : still.subarray(16 * (body - moving), 16 * (body - moving + 1));
const truth = await withEngine({ threads: 1 }, engine => {
  const meshes = arm.meshes.map(mesh => engine.createMesh(mesh));
  return Array.from({ length: poseCount }, (_, pose) =>
    armPairs.map(
      ([a, b]) =>
        engine.query(meshes[a], meshes[b], {
          transformA: matrixOf(pose, a),
          transformB: matrixOf(pose, b),
          parts: 1,
        }).count > 0,
    ),
  );
});
const queryArm = (engine: Engine, options: Partial<PosesOptions> = {}): PoseAnswers =>
  engine.queryPoses({
    meshes: arm.meshes.map(mesh => engine.createMesh(mesh)),
    moving,
    fixed: still,
    allowed,
    poses: armPoses,
    ...options,
  });

test('by default, all pairs with at least one moving body are tested, except for the allowed pairs', () => {
  const bodies = arm.meshes.length;
  const touching = new Set(allowed.map(([a, b]) => `${a} ${b}`));
  const expected = Array.from({ length: bodies }, (_, a) => Array.from({ length: bodies }, (__, b) => [a, b]))
    .flat()
    .filter(([a, b]) => a! < b! && a! < moving && !touching.has(`${a} ${b}`));
  assert.equal(armPairs, expected as [number, number][]);
});

test('each pair in each pose of a robot arm has the result of a single query', () =>
  withEngine({ threads: 2 }, engine => {
    const any = queryArm(engine);
    const first = queryArm(engine, { want: 'first' });
    const each = queryArm(engine, { want: 'pairs-any' });
    const hits = truth.map(pairs => pairs.includes(true));
    assert.ok(hits.filter(hit => hit).length > 20 && hits.filter(hit => !hit).length > 20);
    assert.equal(
      [[...any.hits], any.count, any.poseCount],
      [wordsOf(hits), hits.filter(hit => hit).length, poseCount],
    );
    assert.equal(
      [[...first.hits], [...first.first!]],
      [wordsOf(hits), truth.map(pairs => pairs.indexOf(true) >>> 0)],
    );
    assert.equal([[...each.hits], [...each.each!]], [wordsOf(hits), wordsOf(truth.flat())]);
    truth.forEach((pairs, pose) => {
      assert.is(any.has(pose), hits[pose]);
      assert.equal(first.firstPair(pose), armPairs[pairs.indexOf(true)]);
      pairs.forEach((hit, pair) => assert.is(each.intersects(pose, pair), hit));
    });
    assert.equal(
      [
        any.has(poseCount),
        any.first,
        any.each,
        any.firstPair(0),
        any.intersects(0, 0),
        each.intersects(0, armPairs.length),
      ],
      [false, undefined, undefined, undefined, false, false],
    );
  }));

test('any number of threads, any kind of memory, and either kind of floats give the same bits', async () => {
  const wants = ['any', 'first', 'pairs-any'] as const;
  const expected = await withEngine({ threads: 1 }, engine =>
    wants.map(want => hashOf(queryArm(engine, { want }))),
  );
  for (const threads of [1, 2, 5, 16])
    await withEngine({ threads, warmUp: 'off' }, engine => {
      for (let iteration = 0; iteration < 2; iteration++)
        assert.equal(
          wants.map(want => hashOf(queryArm(engine, { want }))),
          expected,
          `${threads} threads`,
        );
      assert.equal(
        wants.map(want => hashOf(queryArm(engine, { want, poses: Float64Array.from(armPoses) }))),
        expected,
      );
    });
  await withEngine({ memory: 'single' }, engine => {
    assert.equal(
      wants.map(want => hashOf(queryArm(engine, { want }))),
      expected,
    );
    // Here the poses are in engine memory, which may grow during the query.
    const scene = engine.createScene();
    const ball = engine.createMesh(sphere(50));
    for (let i = 0; i < poseCount * moving; i++) scene.add(ball);
    const poses = scene.transformView();
    poses.set(armPoses);
    assert.is(hashOf(queryArm(engine, { poses })), expected[0]);
  });
});

test('the given pairs are tested in the given order', () =>
  withEngine({ threads: 2 }, engine => {
    const backwards = [...armPairs].reverse().map(([a, b], i): [number, number] => (i % 2 ? [a, b] : [b, a]));
    const first = queryArm(engine, { allowed: undefined, pairs: backwards, want: 'first' });
    assert.equal(
      [...first.first!],
      truth.map(pairs => pairs.toReversed().indexOf(true) >>> 0),
    );
    const some = [armPairs[30], armPairs[3], armPairs[30]];
    const each = queryArm(engine, { allowed: undefined, pairs: some, want: 'pairs-any' });
    assert.equal([...each.each!], wordsOf(truth.flatMap(pairs => [pairs[30], pairs[3], pairs[30]])));
    // Pairs of fixed bodies are tested too. The table (body 7) and the first board (body 8) are disjoint. Two
    // fixed balls at the same place coincide.
    const stay = queryArm(engine, { allowed: undefined, pairs: [[7, 8]] });
    assert.is(stay.count, 0);
    const ball = engine.createMesh(sphere(60));
    assert.is(
      engine.queryPoses({
        meshes: [ball, ball, ball],
        moving: 1,
        poses: translation([9, 0, 0]),
        pairs: [[1, 2]],
      }).count,
      1,
    );
  }));

test('allowed pairs are not tested, whether some, all or no pairs are allowed, in a list or a mask, in either order', () =>
  withEngine({ threads: 2 }, engine => {
    const bodies = arm.meshes.length;
    const mask = (upper: boolean): Uint8Array => {
      const bytes = new Uint8Array(bodies * bodies);
      for (const [a, b] of allowed) bytes[upper ? a * bodies + b : b * bodies + a] = 7;
      return bytes;
    };
    const expected = hashOf(queryArm(engine));
    for (const same of [
      mask(true),
      mask(false),
      allowed.map(([a, b]): [number, number] => [b, a]),
      [...allowed, ...allowed],
    ])
      assert.is(hashOf(queryArm(engine, { allowed: same })), expected);
    assert.is(queryArm(engine, { allowed: undefined }).count, poseCount, 'neighbors touch');
    assert.is(queryArm(engine, { allowed: new Uint8Array(bodies * bodies) }).count, poseCount);
    for (const none of [
      { allowed: new Uint8Array(bodies * bodies).fill(1) },
      { allowed: undefined, pairs: [] },
    ]) {
      for (const want of ['any', 'first', 'pairs-any'] as const) {
        const { count, pairCount, hits } = queryArm(engine, { ...none, want });
        assert.equal(
          [count, pairCount, [...hits]],
          [0, 0, wordsOf(new Array<boolean>(poseCount).fill(false))],
        );
      }
    }
  }));

test('pose i is bit i % 32 of word i / 32, for any number of poses, and the bits after the last pose are 0', () =>
  withEngine({ threads: 3 }, engine => {
    const meshes = [engine.createMesh(triangle), engine.createMesh(triangle)];
    const isHit = (i: number): boolean => i % 3 === 0 || i % 7 === 2;
    for (const count of [0, 1, 2, 31, 32, 33, 63, 64, 65, 100, 1000]) {
      const poses = Float32Array.from(
        Array.from({ length: count }, (_, i) => [...translation([isHit(i) ? 0.25 : 5, 0, 0])]).flat(),
      );
      const bits = Array.from({ length: count }, (_, i) => isHit(i));
      assert.equal(
        [...engine.queryPoses({ meshes, moving: 1, poses }).hits],
        wordsOf(bits),
        `${count} poses`,
      );
      assert.equal(
        [
          ...engine.queryPoses({
            meshes,
            moving: 1,
            poses,
            pairs: [
              [0, 1],
              [1, 0],
              [0, 1],
            ],
            want: 'pairs-any',
          }).each!,
        ],
        wordsOf(bits.flatMap(bit => [bit, bit, bit])),
      );
    }
  }));

test('meshes without triangles collide with nothing, a single body has no pair, and an updated mesh is tested at its new place', () =>
  withEngine({ threads: 2 }, engine => {
    const none = engine.createMesh(emptyMesh);
    const sheet = engine.createMesh(triangle, { deformable: true });
    const ball = engine.createMesh(sphere(100));
    const poses = Float64Array.from([...identity, ...identity, ...identity, ...translation([0.1, 0, 0])]);
    assert.equal([...engine.queryPoses({ meshes: [none, sheet], poses }).hits], [0]);
    assert.equal([...engine.queryPoses({ meshes: [sheet, none, none], moving: 2, poses }).hits], [0]);
    assert.equal([...engine.queryPoses({ meshes: [ball], poses }).hits], [0]);
    assert.equal([...engine.queryPoses({ meshes: [sheet, sheet], poses }).hits], [3]);
    assert.equal([...engine.queryPoses({ meshes: [ball, sheet], moving: 1, poses }).hits], [15]);
    sheet.update(triangle.positions.map(value => value + 4));
    assert.equal([...engine.queryPoses({ meshes: [ball, sheet], moving: 1, poses }).hits], [0]);
  }));

test('memory does not grow with the number of poses, and all of it is freed', () =>
  withEngine({ threads: 2 }, engine => {
    const meshes = [engine.createMesh(triangle), engine.createMesh(triangle)];
    const { arena } = contextOf(engine);
    const bytes: number[] = [];
    for (const count of [70_000, 200_000]) {
      const poses = new Float32Array(16 * count);
      for (let i = 0; i < count; i++) poses.set(i % 5 === 0 ? identity : translation([3, 0, 0]), 16 * i);
      const used = arena.usedBytes;
      const { hits, count: found } = engine.queryPoses({ meshes, moving: 1, poses });
      bytes.push(arena.memory.buffer.byteLength);
      assert.equal(
        [found, hits.length, hits[2100], arena.usedBytes],
        [
          count / 5,
          Math.ceil(count / 32),
          wordsOf(Array.from({ length: 32 }, (_, i) => i % 5 === 0))[0],
          used,
        ],
      );
    }
    assert.is(bytes[0], bytes[1]);
    assert.ok(bytes[0] < 2 ** 23);
  }));

for (const kind of ['exit', 'spin', 'scribble'] as const) {
  test(`workers that ${kind} midway change no result`, async () => {
    const expected = await withEngine({ threads: 1 }, engine =>
      hashOf(queryArm(engine, { want: 'pairs-any' })),
    );
    for (const when of ['before', 'after'] as const) {
      const { createWorker } = faulty(index => ({ kind, when, order: index }));
      await withEngine({ threads: 3, createWorker, warmUp: 'off' }, engine => {
        poolOf(engine).deadlineMilliseconds = 60;
        for (let iteration = 0; iteration < 3; iteration++)
          assert.is(hashOf(queryArm(engine, { want: 'pairs-any' })), expected);
      });
    }
  });
}

test('an invalid query is refused, and the error names the mistake', () =>
  withEngine({ threads: 5 }, async engine => {
    const [a, b] = [engine.createMesh(triangle), engine.createMesh(sphere(60))];
    const gone = engine.createMesh(triangle);
    const poses = Float64Array.from([...identity, ...identity]);
    gone.dispose();
    const refused = (code: string, message: RegExp, options: unknown): void => {
      const error = caught(() => engine.queryPoses(options as PosesOptions));
      assert.is(error.code, code, error.message);
      assert.match(error.message, message);
      assert.ok(error.fix!.length > 10);
    };
    const meshes: Mesh[] = [a, b];
    refused('Unsupported', /options is undefined, not \{ meshes, moving/, undefined);
    refused('Unsupported', /meshes is empty, but must contain at least one mesh/, { meshes: [], poses });
    refused('Unsupported', /meshes is 7/, { meshes: 7, poses });
    refused('Unsupported', /meshes\[1\] is missing/, { meshes: [a, undefined], poses });
    await withEngine({ threads: 1 }, other =>
      refused('Unsupported', /meshes\[0\] .* belongs to another engine/, {
        meshes: [other.createMesh(triangle)],
        poses,
      }),
    );
    refused('Disposed', /disposed/, { meshes: [a, gone], poses });
    for (const moving of [0, 3, 1.5, NaN])
      refused('Unsupported', new RegExp(`moving is ${moving}, not a whole number from 1 to 2`), {
        meshes,
        moving,
        poses,
      });
    refused('Unsupported', /poses is 32 numbers, not a multiple of 48 \(16 for each of 3/, {
      meshes: [a, b, b],
      poses,
    });
    refused('Unsupported', /poses is 33 numbers/, { meshes, poses: new Float32Array(33) });
    refused('Unsupported', /poses is undefined/, { meshes });
    refused('Unsupported', /fixed is 32 numbers, not 16 for each of 1/, {
      meshes,
      moving: 1,
      poses,
      fixed: poses,
    });
    refused('InvalidTransform', /fixed body 1: matrix\[12\] is NaN/, {
      meshes,
      moving: 1,
      poses,
      fixed: identity.with(12, NaN),
    });
    refused('Unsupported', /pairs and allowed cannot be combined/, { meshes, poses, pairs: [], allowed: [] });
    refused('Unsupported', /pairs\[1\] is \[1,1\]/, {
      meshes,
      poses,
      pairs: [
        [0, 1],
        [1, 1],
      ],
    });
    for (const wrong of [[0, 2], [0], [0, 0.5], 'ab', [-1, 0], null])
      refused('Unsupported', /allowed\[0\] is /, { meshes, poses, allowed: [wrong] });
    refused('Unsupported', /allowed has 3 bytes, not 2 x 2/, { meshes, poses, allowed: new Uint8Array(3) });
    refused('Unsupported', /pairs is 4, not an array/, { meshes, poses, pairs: 4 });
    refused('Unsupported', /want is 'pairs', not 'any' or 'first' or 'pairs-any'/, {
      meshes,
      poses,
      want: 'pairs',
    });
  }));

test('if several matrices are invalid, the error names the first one, by pose, then body', async () => {
  for (const threads of [1, 2, 5])
    await withEngine({ threads, warmUp: 'off' }, engine => {
      for (const Floats of [Float32Array, Float64Array]) {
        for (const [at, value, message] of [
          [16 * (moving * 150 + 3) + 5, NaN, /pose 150, body 3: matrix\[5\] is NaN/],
          [16 * (moving * 37 + 6) + 15, 2, /pose 37, body 6: matrix\[15\] is 2/],
          [0, Infinity, /pose 0, body 0: matrix\[0\] is Infinity/],
        ] as const) {
          const poses = Floats.from(armPoses);
          poses[at] = value;
          poses[16 * moving * 199 + 1] = NaN;
          const { usedBytes } = contextOf(engine).arena;
          const error = caught(() => queryArm(engine, { poses }));
          assert.is(error.code, 'InvalidTransform');
          assert.match(error.message, message);
          assert.ok(contextOf(engine).arena.usedBytes - usedBytes < 2 ** 20);
        }
      }
      assert.is(queryArm(engine).count, truth.filter(pairs => pairs.includes(true)).length);
    });
});

test("without module 'proximity', the error of queryPoses names this module", () =>
  withEngine({ threads: 1, modules: [] }, engine => {
    const meshes: Mesh[] = [engine.createMesh(triangle as MeshData)];
    const error = caught(() => engine.queryPoses({ meshes, poses: identity }));
    assert.is(error.code, 'Unsupported');
    assert.match(error.message, /'proximity'/);
  }));

test.run();
