// Tests queryPoses with a clearance. Its results must equal those of single queries with the same clearance,
// for rigid, scaled and sheared placements, also if the distance equals the clearance exactly.

import * as assert from 'uvu/assert';
import { createEngine, type Engine, type PoseAnswers } from '../../dist/index.js';
import {
  box,
  createRandom,
  type Random,
  robotArm,
  rotation,
  sphere,
  torus,
  translation,
} from '../../dist/samples/index.js';
import { caught, kernelsOf } from '../support/engines.js';
import { hashBytes } from '../support/hash.js';
import { degenerate, joinMatrices, meshPairs, placements, seeded } from '../support/placedScenes.js';
import { test } from '../support/test.js';

const engines = await Promise.all([1, 2, 5].map(threads => createEngine({ threads, warmUp: 'off' })));
const [engine] = engines as [Engine, ...Engine[]];
test.after(() => engines.forEach(made => made.dispose()));

const identity = translation([0, 0, 0]);
const hashOf = ({ hits, first, each }: PoseAnswers): string =>
  hashBytes(hits, first ?? new Uint32Array(0), each ?? new Uint32Array(0));

/** Makes a placement: rigid, scaled, mirrored, sheared or nearly rigid. */
function placementOf(random: Random, reach: number): Float64Array {
  const shift = [0, 1, 2].map(() => random.between(-reach, reach)) as [number, number, number];
  const matrix = rotation(random.direction(), random.between(0, 3), shift);
  const kind = random.below(7);
  const factors = [
    [1, 1, 1],
    [1, 1, 1],
    [0.01, 0.01, 0.01],
    [1, 1, -1],
    [1, 2, 0.5],
    [1, 1 + 2 ** -22, 1],
    [1, 1, 1],
  ][kind]!;
  const placed = matrix.map((value, i) => (i < 12 ? value * factors[i >> 2]! : value));
  // Columns of length 1 that are not at right angles.
  if (kind === 6) for (let i = 0; i < 3; i++) placed[4 + i] = 0.6 * placed[i]! + 0.8 * placed[4 + i]!;
  return placed;
}

test('a pose is in collision exactly if a single query with the clearance has a hit', () => {
  let hits = 0;
  const shapes = [torus(200), sphere(100), box(0.5, 0.4, 0.3), degenerate(3)];
  for (let seed = 1; seed <= 12; seed++) {
    const random = createRandom(seed);
    const [a, b] = [0, 1].map(() => engine.createMesh(shapes[random.below(shapes.length)]!)) as [
      ReturnType<Engine['createMesh']>,
      ReturnType<Engine['createMesh']>,
    ];
    const clearance = [1e-6, 0.1, 0.5, 3][random.below(4)]!;
    const fixed = placementOf(random, 1);
    const list = Array.from({ length: 60 }, () => placementOf(random, 3));
    const answers = engine.queryPoses({
      meshes: [a, b],
      moving: 1,
      poses: joinMatrices(list),
      fixed,
      clearance,
    });
    list.forEach((transformA, i) => {
      const expected = engine.query(a, b, { transformA, transformB: fixed, clearance, want: 'any' });
      assert.is(answers.has(i), expected, `seed ${seed}, pose ${i}, clearance ${clearance}`);
      if (expected) hits++;
    });
    for (const mesh of [a, b]) mesh.dispose();
  }
  assert.ok(hits > 100, `${hits} hits`);
});

test('placements of every kind agree with single queries', () => {
  const meshes = Object.values(meshPairs)[0]!.map(mesh => engine.createMesh(mesh));
  const placed = Object.values(placements).map((placedBy, i) => placedBy(seeded(i)));
  const poses = joinMatrices(
    placed.flatMap(({ transformA = identity, transformB = identity }) => [
      Float64Array.from(transformA),
      Float64Array.from(transformB),
    ]),
  );
  for (const clearance of [0.25, 2]) {
    const answers = engine.queryPoses({ meshes, poses, clearance });
    placed.forEach((transforms, i) =>
      assert.is(
        answers.has(i),
        engine.query(meshes[0]!, meshes[1]!, { ...transforms, clearance, want: 'any' }),
        `pose ${i}`,
      ),
    );
  }
  for (const mesh of meshes) mesh.dispose();
});

test('a distance that equals the clearance is a hit, the next larger one is not', () => {
  const mesh = engine.createMesh(box(0.5, 0.5, 0.5));
  // The boxes are 0.25 apart in the first pose.
  const poses = joinMatrices([1.25, 1.25 + 2 ** -52, 1.25 - 2 ** -52].map(x => translation([x, 0, 0])));
  const options = { meshes: [mesh, mesh], moving: 1, poses, fixed: identity };
  const bits = ({ hits }: PoseAnswers): number => hits[0]!;
  assert.is(bits(engine.queryPoses({ ...options, clearance: 0.25 })), 0b101);
  assert.is(bits(engine.queryPoses({ ...options, clearance: 0.25 + 2 ** -54 })), 0b101);
  assert.is(bits(engine.queryPoses({ ...options, clearance: 0.25 - 2 ** -54 })), 0b100);
  assert.is(bits(engine.queryPoses({ ...options, clearance: 0 })), 0);
  assert.is(bits(engine.queryPoses({ ...options, clearance: Number.MAX_VALUE })), 0b111);
  mesh.dispose();
});

test('a robot arm has the same hits on all thread counts, and more hits with a greater clearance', () => {
  const arm = robotArm();
  const poses = arm.place(arm.randomAngles(500));
  const counts: number[] = [];
  for (const clearance of [0, 0.01, 0.05, 0.2])
    for (const want of ['any', 'first', 'pairs-any'] as const) {
      const found = engines.map(made => {
        const meshes = arm.meshes.map(mesh => made.createMesh(mesh));
        const answers = made.queryPoses({
          meshes,
          moving: arm.movingCount,
          fixed: arm.fixedTransforms,
          allowed: arm.allowed,
          poses,
          want,
          clearance,
        });
        for (const mesh of meshes) mesh.dispose();
        return answers;
      });
      assert.is(new Set(found.map(hashOf)).size, 1, `${clearance} ${want}`);
      if (want === 'any') counts.push(found[0]!.count);
      else assert.is(found[0]!.count, counts.at(-1));
    }
  assert.equal(
    counts,
    [...counts].sort((x, y) => x - y),
  );
  assert.ok(counts[3]! > counts[0]!);
});

test('the clearance also applies to pairs of fixed bodies, and earlier calls change no result', () => {
  const mesh = engine.createMesh(box(0.5, 0.5, 0.5));
  const options = {
    meshes: [mesh, mesh, mesh],
    moving: 1,
    poses: translation([50, 0, 0]),
    fixed: joinMatrices([identity, translation([1.05, 0, 0])]),
  };
  const countOf = (clearance: number, pairs: readonly [number, number][] = [[1, 2]]): number =>
    engine.queryPoses({ ...options, pairs, clearance }).count;
  assert.equal(
    [0.1, 0.01, 0.1, 0, 0.06].map(clearance => countOf(clearance)),
    [1, 0, 1, 0, 1],
  );
  const near = (clearance: number): number => {
    const poses = joinMatrices(Array.from({ length: 50 }, (_, i) => translation([0.05 * i, 0.9, 0.3])));
    return engine.queryPoses({ ...options, poses, pairs: [[0, 1]], clearance }).nearCount;
  };
  const before = near(0);
  assert.ok(near(0.5) > before);
  assert.is(near(0), before);
  mesh.dispose();
});

test('a pose whose computed distance equals the clearance is a hit', () => {
  let hits = 0;
  for (let seed = 1; seed <= 300; seed++) {
    const random = createRandom(seed);
    const data = [0, 1].map(() => ({
      positions: Float32Array.from({ length: 9 }, (_, i) =>
        seed % 3 === 0 && i % 3 === 2 ? 0 : Math.round(random.between(-8, 8)) / 8,
      ),
    }));
    const meshes = data.map(({ positions }) =>
      seed % 2
        ? engine.createMesh({ positions })
        : engine.createMesh({ positions: Float64Array.from(positions, x => x / 3) }),
    );
    const [a, b] = meshes;
    const scale = [1, 1 / 3, 1e-9, 1e9][random.below(4)]!;
    const scaled = (shift: number): Float64Array =>
      translation([0, 0, shift * scale]).map((value, i) => (i < 12 ? value * scale : value));
    const [transformA, transformB] = [scaled(random.between(2, 3)), scaled(0)];
    const { distance } = engine.distance(a!, b!, { transformA, transformB })!;
    for (const clearance of [distance, 5e-324, distance * (1 - 2 ** -30)].filter(value => value > 0)) {
      const expected = engine.query(a!, b!, { transformA, transformB, clearance, want: 'any' });
      const answers = [
        engine.queryPoses({ meshes, moving: 1, poses: transformA, fixed: transformB, clearance }),
        engine.queryPoses({ meshes: [b!, a!], moving: 1, poses: transformB, fixed: transformA, clearance }),
      ];
      for (const { count } of answers)
        assert.is(count, Number(expected), `seed ${seed}, clearance ${clearance}`);
      hits += Number(expected);
    }
    for (const mesh of meshes) mesh.dispose();
  }
  assert.ok(hits >= 300, `${hits} hits`);
});

test('the kernel for poses decides rigid and scaled placements; single queries decide sheared ones', () => {
  const mesh = engine.createMesh(torus(200));
  const scaled = translation([1.2, 0.3, 0.5]).map((value, i) => (i < 12 ? 2 * value : value));
  const sheared = translation([1.2, 0.3, 0.5]);
  // The columns have length 1, but are not at right angles.
  sheared.set([0.6, 0.8], 4);
  const kernelsFor = (matrix: Float64Array): ReadonlySet<string> =>
    kernelsOf(engine, () => {
      const answers = engine.queryPoses({ meshes: [mesh, mesh], moving: 1, poses: matrix, clearance: 0.1 });
      assert.is(answers.count, 1);
    });
  assert.equal([...kernelsFor(rotation([0, 0, 1], 1, [1.2, 0.3, 0.5]))], ['testPoses']);
  assert.equal([...kernelsFor(scaled)], ['testPoses']);
  assert.ok(kernelsFor(sheared).has('anyHitNear'));
  mesh.dispose();
});

test('a clearance that is negative or not a finite number is refused', () => {
  const mesh = engine.createMesh(box(1, 1, 1));
  for (const clearance of [-1, NaN, Infinity, '1' as never]) {
    const { message } = caught(() =>
      engine.queryPoses({ meshes: [mesh], poses: identity, pairs: [], clearance }),
    );
    assert.match(message, 'clearance');
  }
  mesh.dispose();
});

test.run();
