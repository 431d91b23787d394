// Tests queryPoses with `want: 'distance'`: the smallest distance of all pairs in each pose must have the same bits as
// the smallest result of single distance queries, for placements of every kind and on all thread counts.

import * as assert from 'uvu/assert';
import { createEngine, type Engine, type Mesh, type PoseAnswers, type Transform } from '../../dist/index.js';
import {
  box,
  createRandom,
  robotArm,
  rotation,
  sphere,
  torus,
  translation,
} from '../../dist/samples/index.js';
import { caught } from '../support/engines.js';
import { hashBytes } from '../support/hash.js';
import { degenerate, joinMatrices, meshPairs, placements, seeded } from '../support/placedScenes.js';
import { test } from '../support/test.js';

const engines = await Promise.all([1, 2, 5].map(threads => createEngine({ threads, warmUp: 'off' })));
const [engine] = engines as [Engine, ...Engine[]];
test.after(() => engines.forEach(made => made.dispose()));

const NONE = 0xffffffff;
const identity = Float64Array.from(translation([0, 0, 0]));
const hashOf = ({ hits, distances, nearest, nearCount }: PoseAnswers): string =>
  hashBytes(hits, distances!, nearest!, Float64Array.of(nearCount));

// Returns the smallest distance of all pairs by single queries, and the first pair that has it.
function measure(
  meshes: readonly Mesh[],
  pairs: Uint32Array,
  placed: readonly (Transform | undefined)[],
  max?: number,
): [distance: number, pair: number] {
  let best: [number, number] = [Infinity, NONE];
  for (let pair = 0; 2 * pair < pairs.length; pair++) {
    const [a, b] = [pairs[2 * pair], pairs[2 * pair + 1]];
    const found = engine.distance(meshes[a], meshes[b], {
      transformA: placed[a],
      transformB: placed[b],
      max,
    });
    if (found && found.distance < best[0]) best = [found.distance, pair];
  }
  return best;
}

test('the distances of a robot arm equal the smallest single distances, on all thread counts', () => {
  const arm = robotArm(300);
  const poseCount = 60;
  const angles = arm.randomAngles(poseCount, 7);
  const poses = engine.placeChain(arm.chain, angles);
  for (const max of [undefined, 0, 0.05]) {
    const found = engines.map(made => {
      const meshes = arm.meshes.map(mesh => made.createMesh(mesh));
      const options = { meshes, moving: 7, fixed: arm.fixedTransforms, allowed: arm.allowed } as const;
      const answers = [
        made.queryPoses({ ...options, poses, want: 'distance', max }),
        made.queryPoses({ ...options, chain: arm.chain, jointValues: angles, want: 'distance', max }),
      ];
      assert.is(hashOf(answers[0]), hashOf(answers[1]));
      for (const mesh of meshes) mesh.dispose();
      return answers[0];
    });
    assert.is(new Set(found.map(hashOf)).size, 1);
    const { distances, nearest, pairs, count } = found[0];
    const meshes = arm.meshes.map(mesh => engine.createMesh(mesh));
    const still = arm.meshes.slice(7).map((_, i) => arm.fixedTransforms.slice(16 * i, 16 * i + 16));
    for (let pose = 0; pose < poseCount; pose++) {
      const placed = [
        ...Array.from({ length: 7 }, (_, body) => poses.slice(16 * (7 * pose + body)).subarray(0, 16)),
        ...still,
      ];
      assert.equal(
        [distances![pose], nearest![pose]],
        measure(meshes, pairs, placed, max),
        `pose ${pose}, ${max}`,
      );
      const pair = nearest![pose];
      assert.equal(
        found[0].nearestPair(pose),
        pair === NONE ? undefined : [pairs[2 * pair], pairs[2 * pair + 1]],
      );
    }
    assert.is(count, distances!.filter(distance => distance === 0).length);
    assert.ok(count > 5 && count < poseCount);
    assert.is(
      distances!.some(distance => distance === Infinity),
      max === 0,
    );
    for (const mesh of meshes) mesh.dispose();
  }
});

test('placements of every kind have the distances of single queries', () => {
  for (const [name, data] of Object.entries(meshPairs)) {
    const meshes = data.map(mesh => engine.createMesh(mesh));
    const placed = Object.values(placements).map((placedBy, i) => placedBy(seeded(i)));
    const poses = joinMatrices(
      placed.flatMap(({ transformA = identity, transformB = identity }) => [transformA, transformB]),
    );
    const { distances, nearest } = engine.queryPoses({ meshes, poses, want: 'distance' });
    placed.forEach(({ transformA, transformB }, pose) =>
      assert.equal(
        [distances![pose], nearest![pose]],
        measure(meshes, Uint32Array.of(0, 1), [transformA, transformB]),
        `${name}, pose ${pose}`,
      ),
    );
    for (const mesh of meshes) mesh.dispose();
  }
});

test('rigid, scaled, mirrored and stretched bodies, doubles, far from the origin', () => {
  let zero = 0;
  let positive = 0;
  const shapes = [torus(200), sphere(100), box(0.5, 0.4, 0.3), degenerate(3)];
  for (let seed = 1; seed <= 60; seed++) {
    const random = createRandom(seed);
    const meshes = Array.from({ length: 4 }, () => {
      const { positions, indices } = shapes[random.below(shapes.length)]!;
      return seed % 3 === 0
        ? engine.createMesh({ positions: Float64Array.from(positions, x => x / 3), indices })
        : engine.createMesh({ positions, indices });
    });
    const far = [0, 0, 1e3, 1e7][random.below(4)];
    const size = [1, 1, 1e-9, 1e9][random.below(4)];
    const place = (): Float64Array => {
      const shift = [0, 1, 2].map(() => size * (far + random.between(-2, 2))) as [number, number, number];
      const placed = Float64Array.from(rotation(random.direction(), random.between(0, 3), shift));
      const factors = [
        [1, 1, 1],
        [1, 1, -1],
        [0.3, 0.3, 0.3],
        [1, 1.5, 1],
      ][random.below(seed % 2 ? 3 : 4)]!;
      return placed.map((value, i) => (i < 12 ? value * size * factors[i >> 2]! : value));
    };
    const placed = Array.from({ length: 8 }, () => [place(), place(), place()]);
    const still = place();
    const answers = engine.queryPoses({
      meshes,
      moving: 3,
      poses: joinMatrices(placed.flat()),
      fixed: still,
      want: 'distance',
    });
    placed.forEach((matrices, pose) => {
      const expected = measure(meshes, answers.pairs, [...matrices, still]);
      assert.equal(
        [answers.distances![pose], answers.nearest![pose]],
        expected,
        `seed ${seed}, pose ${pose}`,
      );
      if (expected[0] > 0) positive++;
      else zero++;
    });
    for (const mesh of meshes) mesh.dispose();
  }
  assert.ok(zero > 50 && positive > 50, `${zero} intersect, ${positive} are apart`);
});

test('equal distances: the pair with the smallest number is the nearest one', () => {
  const cube = engine.createMesh(box(0.5, 0.5, 0.5));
  const meshes = [cube, cube, cube, cube];
  const at = (x: number): ArrayLike<number> => translation([x, 0, 0]);
  // The gaps are 1, 1 and 1, then 2, 0.5 and 0.5, then 0, 0 and 1.
  const poses = joinMatrices([0, 2, 4, 6, 0, 3, 4.5, 6, 0, 1, 2, 4].map(at));
  const pairs = [
    [2, 3],
    [1, 2],
    [0, 1],
  ] as [number, number][];
  const found = engine.queryPoses({ meshes, poses, pairs, want: 'distance', clearance: 0.5 });
  assert.equal([...found.distances!], [1, 0.5, 0]);
  assert.equal([...found.nearest!], [0, 0, 1]);
  assert.equal([found.hits[0], found.count, found.first, found.each], [0b110, 2, undefined, undefined]);
  // A distance that equals `max` is found, a larger one is not.
  const limited = engine.queryPoses({ meshes, poses, pairs, want: 'distance', max: 0.5 });
  assert.equal([...limited.distances!], [Infinity, 0.5, 0]);
  assert.equal([...limited.nearest!], [NONE, 0, 1]);
  assert.is(limited.nearestPair(0), undefined);
  cube.dispose();
});

test('empty meshes, no pairs, and options that do not fit', () => {
  const cube = engine.createMesh(box(1, 1, 1));
  const empty = engine.createMesh({ positions: new Float32Array(0) });
  const poses = joinMatrices([identity, translation([5, 0, 0])]);
  const run = (options: object): PoseAnswers =>
    engine.queryPoses({ meshes: [cube, cube], poses, want: 'distance', ...options });
  assert.equal([...run({ meshes: [cube, empty] }).distances!], [Infinity]);
  assert.equal([...run({ meshes: [empty, empty] }).nearest!], [NONE]);
  assert.equal([...run({ pairs: [] }).distances!], [Infinity]);
  assert.equal([...run({ poses: new Float32Array(0) }).distances!], []);
  assert.is(run({}).distances![0], 3);
  assert.is(run({ want: 'any' }).distances, undefined);
  assert.match(
    caught(() => run({ want: 'any', max: 1 })).message,
    "max needs want: 'distance', but want is 'any'",
  );
  assert.match(caught(() => run({ max: NaN })).message, 'max is NaN');
  assert.match(
    caught(() => run({ max: 1, clearance: 2 })).message,
    'max is 1, less than clearance, which is 2',
  );
  for (const mesh of [cube, empty]) mesh.dispose();
});

test.run();
