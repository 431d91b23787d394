// Tests queries of meshes with volume: 's-aabb', whose tree nodes have bounding spheres in addition to boxes.
// The results must equal, byte for byte, those of the same meshes without spheres, for every placement,
// threshold, method and number of threads. Also tests that the sphere counters add up.

import * as assert from 'uvu/assert';
import { createEngine, type Engine, type Mesh, type MeshOptions, type QueryStats } from '../../dist/index.js';
import {
  box,
  createRandom,
  latticeBoxes,
  type MeshData,
  penetrationPath,
  rotation,
  soup,
  sphere,
  torus,
  translation,
  tumbling,
} from '../../dist/samples/index.js';
import { trianglePairs } from '../oracle/bruteForce.js';
import { dataTest } from '../support/data.js';
import { changes, doublePairs } from '../support/doubleScenes.js';
import { caught, hashInOrder, pairsOf, poolOf, withEngine } from '../support/engines.js';
import { faulty } from '../support/faultyWorkers.js';
import { hashPairs } from '../support/hash.js';
import {
  degenerateKinds,
  degenerateMeshes,
  emptyMesh,
  flatPlacements,
  meshPairs,
  placements,
  seeded,
  unshared,
} from '../support/placedScenes.js';
import { test } from '../support/test.js';
import { readDuplex, readEngine, readMeshPairs } from '../support/truth.js';

const engine = await createEngine({ threads: 2 });
test.after(() => engine.dispose());

/**
 * Options of the two meshes of a pair. Spheres are always tested; the thresholds decide which nodes also use
 * their box. Together, the choices cover all four cases of two nodes: both use their box, only the node of A
 * does, only the node of B does, or neither does.
 */
const choices: [string, MeshOptions, MeshOptions][] = [
  ['default', {}, {}],
  ['boxes', { thresholds: [0] }, { thresholds: [0] }],
  ['spheres', { thresholds: [Infinity] }, { thresholds: [Infinity] }],
  ['box and sphere', { thresholds: [0] }, { thresholds: [Infinity] }],
  ['sphere and box', { thresholds: [Infinity] }, { thresholds: [0] }],
  ['mixed', { thresholds: [3, 1, 2, Infinity, 2.5] }, { thresholds: [0.9, 4, 1.5, 3] }],
];
const withSpheres = (data: MeshData, options: MeshOptions = {}, of = engine): Mesh =>
  of.createMesh(data, { ...options, volume: 's-aabb' });

let kind = 1;
for (const [name, place] of Object.entries({ ...placements, ...flatPlacements })) {
  const first = 1000 * kind++;
  test(`meshes with spheres have the same pairs as meshes without spheres, placed: ${name}`, () => {
    Object.entries(meshPairs).forEach(([pairName, [dataA, dataB]], at) => {
      const a = engine.createMesh(dataA);
      const b = engine.createMesh(dataB);
      const { transformA, transformB } = place(seeded(first + at));
      const truth = pairsOf(engine.query(a, b, { transformA, transformB }));
      const mirrored = pairsOf(engine.query(b, a, { transformA: transformB, transformB: transformA }));
      for (const [choice, ofA, ofB] of choices) {
        const [ballsA, ballsB] = [withSpheres(dataA, ofA), withSpheres(dataB, ofB)];
        for (const parts of [1, 5])
          assert.equal(
            pairsOf(engine.query(ballsA, ballsB, { transformA, transformB, parts })),
            truth,
            `${pairName}, ${choice}`,
          );
        assert.equal(
          pairsOf(engine.query(ballsB, ballsA, { transformA: transformB, transformB: transformA })),
          mirrored,
          `${pairName}, ${choice}, swapped`,
        );
        assert.is(
          engine.query(ballsA, ballsB, { transformA, transformB, want: 'any' }),
          truth.length > 0,
          `${pairName}, ${choice}, any`,
        );
        assert.equal(
          pairsOf(engine.query(ballsA, b, { transformA, transformB })),
          truth,
          'one mesh has no spheres',
        );
        for (const mesh of [ballsA, ballsB]) mesh.dispose();
      }
      a.dispose();
      b.dispose();
    });
  });
}

// Moves B so that A's farthest corner in one direction coincides with B's farthest corner in the opposite
// direction. The spheres around this corner then touch at their boundaries at all levels of the trees.
test('meshes that touch in one corner give the same bytes as with boxes alone', () => {
  let touching = 0;
  for (let seed = 1; seed <= 150; seed++) {
    const random = createRandom(seed);
    const dataA = soup(10 + random.below(30), seed);
    const dataB = soup(10 + random.below(30), 1000 + seed);
    const way = random.direction();
    const rotationMatrix =
      seed % 3 === 0 ? rotation([0, 0, 1], 0) : rotation(random.direction(), random.between(0, 6));
    if (seed % 2 === 0) for (let i = 0; i < 12; i++) rotationMatrix[i] *= 0.5;
    const reach = (point: readonly number[]): number =>
      point[0] * way[0] + point[1] * way[1] + point[2] * way[2];
    const corners = ({ positions }: MeshData): number[][] =>
      Array.from({ length: positions.length / 3 }, (_, i) =>
        Array.from(positions.subarray(3 * i, 3 * i + 3)),
      );
    const placed = ([x, y, z]: readonly number[]): number[] =>
      [0, 1, 2].map(k => rotationMatrix[k] * x! + rotationMatrix[4 + k] * y! + rotationMatrix[8 + k] * z!);
    const farA = corners(dataA).reduce((maximum, point) => (reach(point) > reach(maximum) ? point : maximum));
    const farB = corners(dataB)
      .map(placed)
      .reduce((minimum, point) => (reach(point) < reach(minimum) ? point : minimum));
    const transformB = rotationMatrix.slice();
    for (let axis = 0; axis < 3; axis++) transformB[12 + axis] = farA[axis] - farB[axis];
    const truth = trianglePairs(dataA, undefined, dataB, transformB);
    if (truth.length > 0) touching++;
    for (const [choice, ofA, ofB] of choices) {
      using a = withSpheres(dataA, ofA);
      using b = withSpheres(dataB, ofB);
      assert.equal(pairsOf(engine.query(a, b, { transformB })), truth, `seed ${seed}, ${choice}`);
    }
  }
  assert.ok(touching > 20, String(touching));
});

// A consists of two points and B of one point, so their spheres fit tightly: they are enlarged only to allow
// for rounding.
test('points that coincide only after placement give the same bytes as with boxes alone', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = createRandom(seed);
    const far = 2 ** random.below(12);
    const point = (): number[] => [0, 1, 2].map(() => Math.fround(random.between(-far, far)));
    const place = point();
    const other = point();
    const rotationMatrix = rotation(random.direction(), random.between(0, 6));
    const dataA = unshared([...place, ...place, ...place, ...other, ...other, ...other]);
    const local = point();
    const dataB = unshared([...local, ...local, ...local]);
    const transformB = rotationMatrix.slice();
    for (let axis = 0; axis < 3; axis++)
      transformB[12 + axis] =
        place[axis] -
        (rotationMatrix[axis] * local[0] +
          rotationMatrix[4 + axis] * local[1] +
          rotationMatrix[8 + axis] * local[2]);
    const truth = trianglePairs(dataA, undefined, dataB, transformB);
    for (const [choice, ofA, ofB] of choices) {
      using a = withSpheres(dataA, ofA);
      using b = withSpheres(dataB, ofB);
      assert.equal(pairsOf(engine.query(a, b, { transformB })), truth, `seed ${seed}, ${choice}`);
    }
  }
});

// Both meshes have eight copies of a point, or both have eight copies of a short segment. The placement makes
// the point of A coincide with that of B, or one end of A's segment with one end of B's. The spheres of the
// copies touch at this common place. These spheres are so small compared to the meshes that the rounding of a
// placed center could separate them. Other points surround the copies, so that the copies get leaves and
// spheres of their own.
test('small spheres that touch within rounding give the same bytes as with boxes alone', () => {
  const intersecting = [0, 0];
  for (let seed = 1; seed <= 160; seed++) {
    const random = createRandom(seed);
    const rotationMatrix = rotation(random.direction(), random.between(0, 6));
    const floats = (point: readonly number[]): number[] => point.map(Math.fround);
    const point = (): number[] => floats([0, 1, 2].map(() => random.between(-1, 1)));
    const place = point();
    const local = point();
    const isSegment = seed % 2;
    const size = isSegment * 2 ** -12;
    // From the common place, the segments of A and B go in opposite directions. No direction is parallel to
    // an axis, so that the boxes have a volume.
    const way = random.direction().map(value => value + Math.sign(value));
    const way2 = [0, 4, 8].map(
      column =>
        -(
          rotationMatrix[column] * way[0] +
          rotationMatrix[column + 1] * way[1] +
          rotationMatrix[column + 2] * way[2]
        ),
    );
    const meshOf = (from: number[], along: readonly number[]): MeshData => {
      const to = floats(from.map((value, axis) => value + size * along[axis]));
      const others = Array.from({ length: 40 }, point);
      return unshared([
        ...Array.from({ length: 8 }, () => [from, from, to]).flat(2),
        ...others.flatMap(other => [other, other, other]).flat(),
      ]);
    };
    const dataA = meshOf(place, way);
    const dataB = meshOf(local, way2);
    const transformB = rotationMatrix.slice();
    for (let axis = 0; axis < 3; axis++)
      transformB[12 + axis] =
        place[axis] -
        (rotationMatrix[axis] * local[0] +
          rotationMatrix[4 + axis] * local[1] +
          rotationMatrix[8 + axis] * local[2]);
    const truth = trianglePairs(dataA, undefined, dataB, transformB);
    if (truth.length > 0) intersecting[isSegment]++;
    for (const [choice, ofA, ofB] of choices) {
      using a = withSpheres(dataA, ofA);
      using b = withSpheres(dataB, ofB);
      assert.equal(pairsOf(engine.query(a, b, { transformB })), truth, `seed ${seed}, ${choice}`);
      assert.is(engine.query(a, b, { transformB, want: 'any' }), truth.length > 0);
    }
  }
  assert.ok(Math.min(...intersecting) > 10, String(intersecting));
});

for (const kindName of degenerateKinds) {
  test(`hard pairs give the same bytes as with boxes alone: ${kindName}`, () => {
    const [dataA, dataB] = degenerateMeshes(kindName, 3, 40);
    const truth = trianglePairs(dataA, undefined, dataB, undefined);
    for (const [choice, ofA, ofB] of choices) {
      using a = withSpheres(dataA, ofA);
      using b = withSpheres(dataB, ofB);
      assert.equal(pairsOf(engine.query(a, b)), truth, choice);
    }
  });
}

const path = penetrationPath(torus(3000), sphere(3000), 24);
const frames = Array.from({ length: 6 }, (_, frame) => path.frame(8 + frame));
const hashesOf = (of: Engine, make: (data: MeshData) => Mesh, parts?: number): string[] => {
  const [a, b] = path.meshes.map(make);
  return frames.flatMap(frame => {
    const options = { transformA: frame.subarray(0, 16), transformB: frame.subarray(16, 32), parts };
    const found = of.query(a, b, options);
    return [`${found.count} ${hashInOrder(found)}`, String(of.query(a, b, { ...options, want: 'any' }))];
  });
};
const expected = await withEngine({ threads: 1 }, of => hashesOf(of, data => of.createMesh(data)));

test('any number of threads and lists, in shared and unshared memory, gives the same bytes', async () => {
  for (const options of [
    { threads: 1 },
    { threads: 2 },
    { threads: 5 },
    { threads: 16 },
    { memory: 'single' as const },
    { threads: 2, initialPairCapacity: 1 },
  ]) {
    await withEngine({ ...options, warmUp: 'off' }, of => {
      for (const parts of [undefined, 1, 3, 40])
        assert.equal(
          hashesOf(of, data => withSpheres(data, {}, of), parts),
          expected,
        );
    });
  }
});

for (const fault of ['exit', 'spin', 'scribble'] as const) {
  test(`workers that ${fault} midway change no result`, async () => {
    for (const order of [1, 3, 6]) {
      const { createWorker } = faulty(index => ({ kind: fault, when: 'after', order: order + index }));
      await withEngine({ threads: 3, createWorker, warmUp: 'off' }, of => {
        poolOf(of).deadlineMilliseconds = 60;
        assert.equal(
          hashesOf(of, data => withSpheres(data, {}, of), 3),
          expected,
        );
      });
    }
  });
}

dataTest('24 placements of a bunny against itself have the published pairs', async () => {
  const { mesh, placements: placed } = readMeshPairs();
  for (const threads of [1, 2, 5, 16])
    await withEngine({ threads, warmUp: 'off' }, of => {
      for (const [, ofA, ofB] of threads === 2 ? choices : choices.slice(0, 1)) {
        const [a, b] = [withSpheres(mesh, ofA, of), withSpheres(mesh, ofB, of)];
        for (const { transform, pairHash } of placed) {
          const found = of.query(a, b, { transformB: transform });
          assert.is(hashPairs(found.a, found.b), pairHash);
        }
        const hits = of.queryMany({
          a,
          b,
          transforms: Float64Array.from(placed.flatMap(({ transform }) => [...transform])),
          want: 'any',
        });
        assert.equal(
          [...hits],
          placed.map(({ pairCount }) => Number(pairCount > 0)),
        );
      }
    });
});

dataTest('all pairs of parts of two assemblies have the same triangle pairs with and without spheres', () => {
  for (const { parts } of [readEngine(), readDuplex()]) {
    const [plain, balls] = [
      parts.map(({ mesh }) => engine.createMesh(mesh)),
      parts.map(({ mesh }, i) => (i % 5 === 4 ? engine.createMesh(mesh) : withSpheres(mesh))),
    ];
    const runQuery = (meshes: Mesh[]): string => {
      const { pairsAt, a, b } = engine.queryMany({
        pairs: meshes.flatMap((first, i) => meshes.slice(i + 1).map(second => ({ a: first, b: second }))),
      });
      return `${hashInOrder({ a, b })} ${pairsAt.length}`;
    };
    assert.is(runQuery(balls), runQuery(plain));
    for (const mesh of [...plain, ...balls]) mesh.dispose();
  }
});

test('many placed pairs of meshes with and without spheres give the same bytes as with boxes alone', () => {
  const data = [sphere(200), torus(300), soup(90, 1), box(), emptyMesh];
  const kinds = ['both rigid', 'A in a plane', 'both in planes', 'apart', 'B on a line'];
  const plain = data.map(one => engine.createMesh(one));
  const balls = data.map((one, i) => (i === 3 ? plain[i] : withSpheres(one)));
  const pairsOfAll = (meshes: Mesh[]) =>
    data.flatMap((_, i) =>
      data.flatMap((__, j) =>
        kinds.map(name => ({
          a: meshes[i],
          b: meshes[j],
          ...(placements[name] ?? flatPlacements[name])!(seeded(10 * i + j)),
        })),
      ),
    );
  for (const options of [{}, { parts: 1 }, { parts: 13 }, { coherence: 'off' }] as const) {
    const [found, truth] = [balls, plain].map(meshes =>
      engine.queryMany({ pairs: pairsOfAll(meshes), ...options }).copy(),
    );
    assert.equal(found, truth);
    assert.equal(
      ...([balls, plain].map(meshes => [
        ...engine.queryMany({ pairs: pairsOfAll(meshes), want: 'any', ...options }),
      ]) as [number[], number[]]),
    );
  }
  assert.is(engine.queryMany({ pairs: [] }).count, 0);
});

test('scenes give the same bytes as with boxes alone, frame by frame', () => {
  const shapes = [sphere(80), box(), torus(120)];
  const matricesOf = tumbling(40, 0.5, 3);
  const scenes = [(one: MeshData) => engine.createMesh(one), (one: MeshData) => withSpheres(one)].map(
    make => {
      const scene = engine.createScene();
      const meshes = shapes.map(make);
      for (let body = 0; body < 40; body++) scene.add(meshes[body % 3]);
      return scene;
    },
  );
  for (const narrow of ['pairs', 'counts', 'any'] as const)
    for (let frame = 0; frame < 5; frame++) {
      const [plain, balls] = scenes.map(scene => {
        scene.setTransforms(matricesOf(frame));
        const { a, b, counts, triangles, pairsAt } = scene.detect({ narrow }).copy();
        return [a, b, counts, triangles.a, triangles.b, pairsAt];
      });
      assert.equal(balls, plain);
      assert.ok(plain![0].length > 3);
    }
});

test('stacks of boxes that touch in planes give the same bytes as with boxes alone', () => {
  const { meshes, frame } = latticeBoxes(27, 1);
  const matrices = frame(0);
  for (const [choice, options] of choices) {
    const [plain, balls] = [engine.createMesh(meshes[0]), withSpheres(meshes[0], options)].map(mesh => {
      const pairs = Array.from({ length: (27 * 26) / 2 }, (_, k) => {
        let i = 0;
        let rest = k;
        while (rest >= 26 - i) rest -= 26 - i++;
        return [i, i + 1 + rest] as const;
      });
      const placed = (i: number): Float64Array => Float64Array.from(matrices.subarray(16 * i, 16 * i + 16));
      return engine
        .queryMany({
          pairs: pairs.map(([i, j]) => ({ a: mesh, b: mesh, transformA: placed(i), transformB: placed(j) })),
        })
        .copy();
    });
    assert.equal(balls, plain, choice);
    assert.ok(plain!.count > 0);
  }
});

test('a mesh with spheres that deforms has the pairs of the same mesh without spheres in every frame', () => {
  const { positions, indices } = torus(2000);
  const other = sphere(1500);
  const plain = engine.createMesh(other);
  const balls = withSpheres(other);
  const [a, b] = [
    engine.createMesh({ positions, indices }, { deformable: true }),
    engine.createMesh({ positions, indices }, { deformable: true, volume: 's-aabb' }),
  ];
  for (const [frame, tree] of (['auto', 'refit', 'rebuild', 'refit', 'rebuild', 'auto'] as const).entries()) {
    const moved = positions.map((value, i) => value * (1 + 0.3 * Math.sin(3 * frame + (i % 3) + 4 * value)));
    a.update(moved, { tree });
    b.update(moved, { tree });
    const truth = engine.query(a, plain).copy();
    assert.ok(truth.count > 50);
    assert.equal(engine.query(b, balls).copy(), truth);
    assert.is(engine.query(b, balls, { want: 'any' }), true);
    assert.equal(engine.selfQuery(b).copy(), engine.selfQuery(a).copy());
  }
});

const testsOf = ({ threads }: QueryStats): number => threads.reduce((sum, { boxTests }) => sum + boxTests, 0);
const countedIn = ({ spheres = [] }: QueryStats): number =>
  spheres.reduce(
    (sum, level) => sum + level.apart + level.spheres + level.boxBox + level.boxSphere + level.sphereBox,
    0,
  );

test('counters by level and kind add up to the number of tests', async () => {
  for (const threads of [1, 2])
    await withEngine({ threads, warmUp: 'off', initialPairCapacity: 4 }, of => {
      const transformB = rotation([0.6, 0, 0.8], 1, [0.7, 0.2, 0.1]);
      for (const [choice, ofA, ofB] of choices)
        for (const parts of [1, 4, 60])
          for (const stealing of ['on', 'off'] as const) {
            using a = withSpheres(torus(900), ofA, of);
            using b = withSpheres(sphere(900), ofB, of);
            const { stats } = of.query(a, b, { transformB, parts, stealing });
            assert.is(countedIn(stats), testsOf(stats), `${choice}, ${parts} lists`);
            // With many lists, the front (the pairs of boxes from which the lists start) is so fine that all
            // tests may happen while it is made.
            if (parts === 1) assert.ok(testsOf(stats) > 100, String(testsOf(stats)));
            assert.is(stats.spheres!.length, Math.max(a.depth, b.depth));
            const sums = (['spheres', 'boxBox', 'boxSphere', 'sphereBox'] as const).map(
              name => stats.spheres!.reduce((sum, level) => sum + level[name], 0) > 0,
            );
            if (parts === 1 && choice !== 'default' && choice !== 'mixed')
              assert.equal(
                sums,
                [
                  choice === 'spheres',
                  choice === 'boxes',
                  choice === 'box and sphere',
                  choice === 'sphere and box',
                ],
                choice,
              );
            assert.is(of.query(a, of.createMesh(box())).stats.spheres, undefined, 'one mesh has no spheres');
            of.query(a, b);
            assert.is(of.selfQuery(a).stats.spheres, undefined, 'a self-query uses only boxes');
          }
    });
});

test('the error for an invalid option names the option, and spheres are freed with their mesh', () =>
  withEngine({ threads: 1 }, async of => {
    assert.is(of.createMesh(box()).volume, 'aabb');
    assert.is(of.createMesh(box()).thresholds, undefined);
    const mesh = withSpheres(sphere(5000), {}, of);
    assert.is(mesh.volume, 's-aabb');
    for (const thresholds of [[], [NaN], [-1], [1, -0.5], 2, ['1'], null, new Array(90).fill(1)]) {
      const error = caught(() => withSpheres(box(), { thresholds: thresholds as number[] }, of));
      assert.is(error.code, 'Unsupported');
      assert.match(error.message, /thresholds is .*, not an array of 1 to 80 numbers from 0 to Infinity/);
    }
    assert.match(
      caught(() => of.createMesh(box(), { thresholds: [1] })).message,
      /thresholds is given, but the mesh has no spheres/,
    );
    assert.match(
      caught(() => of.createMesh(box(), { volume: 'ball' as 'aabb' })).message,
      /volume is 'ball', not 'aabb' or 's-aabb'/,
    );
    await withEngine({ threads: 1, modules: [] }, bare =>
      assert.match(
        caught(() => bare.createMesh(box(), { volume: 's-aabb' })).message,
        /volume: 's-aabb' needs module 'spheres'/,
      ),
    );
    const { arena } = (of as unknown as { context: { arena: { usedBytes: number } } }).context;
    const runQuery = (): unknown => of.query(mesh, mesh);
    runQuery();
    const used = arena.usedBytes;
    runQuery();
    assert.is(arena.usedBytes, used, 'the second query made spheres again');
    for (let i = 0; i < 5; i++) {
      using other = withSpheres(sphere(5000), {}, of);
      of.query(other, mesh);
    }
    assert.ok(arena.usedBytes < used + 2 * mesh.bytes, `${arena.usedBytes}, ${used}`);
    mesh.dispose();
    assert.is(caught(runQuery).code, 'Disposed');
  }));

test('meshes in doubles have the same pairs with and without spheres', () => {
  let pairs = 0;
  let seed = 1;
  for (const [change, map] of Object.entries(changes))
    for (const [name, dataA, dataB] of doublePairs(map))
      for (const placed of [
        {},
        { transformA: translation([0.1, 0.2, 0]) },
        placements['both rigid']!(seeded(seed++)),
      ]) {
        const [plain, round] = [{}, { volume: 's-aabb' } as const].map(options =>
          [dataA, dataB].map(data => engine.createMesh(data, options)),
        ) as [[Mesh, Mesh], [Mesh, Mesh]];
        const expected = pairsOf(engine.query(...plain, placed).copy());
        assert.equal(pairsOf(engine.query(...round, placed).copy()), expected, `${change}, ${name}`);
        pairs += expected.length;
        for (const mesh of [...plain, ...round]) mesh.dispose();
      }
  assert.ok(pairs > 100, `${pairs} pairs`);
});

test.run();
