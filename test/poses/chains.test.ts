// Tests kinematic chains: the placements that the engine computes from joint values, queryPoses with a chain, and
// the bounds of how far bodies can move.

import * as assert from 'uvu/assert';
import { createEngine, type KinematicChain, type PoseAnswers } from '../../dist/index.js';
import { readChain } from '../../dist/poses/chain.js';
import { computeLevers } from '../../dist/poses/chainLevers.js';
import { box, createRandom, robotArm, sphere, translation } from '../../dist/samples/index.js';
import { placeByMath, randomChain, valueCountOf } from '../support/chains.js';
import { caught } from '../support/engines.js';
import { hashBytes } from '../support/hash.js';
import { test } from '../support/test.js';

const engine = await createEngine({ threads: 2, warmUp: 'off' });
test.after(() => engine.dispose());

const bitsOf = ({ hits, first, each }: PoseAnswers): string =>
  hashBytes(hits, first ?? new Uint32Array(0), each ?? new Uint32Array(0));
const furthest = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((max, value, i) => Math.max(max, Math.abs(value - b[i])), 0);

test('placements of chains of all kinds of joints agree with sines and cosines of the platform', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const random = createRandom(seed);
    const chain = randomChain(random, 1 + random.below(9));
    const count = valueCountOf(chain);
    const range = [0.1, 3, 100, 1e6][seed % 4];
    const values = Float64Array.from({ length: 5 * count }, () => random.between(-range, range));
    const placed = engine.placeChain(chain, values);
    const size = 16 * chain.bodies.length;
    assert.is(placed.length, 5 * size);
    for (let pose = 0; pose < 5; pose++) {
      const expected = placeByMath(chain, values.subarray(count * pose, count * (pose + 1)));
      const allowed = 1e-14 * chain.joints.length * (20 + (range > 3 ? 10 * range : 0));
      const error = furthest(
        placed.subarray(size * pose, size * (pose + 1)),
        expected.flatMap(matrix => [...matrix]),
      );
      assert.ok(error < allowed, `seed ${seed}, pose ${pose}: ${error}`);
    }
  }
});

test('multiples of right angles, tiny angles and more poses than fit in a chunk', () => {
  const chain = { joints: [{ axis: [0, 0, 2] }] };
  const count = 40_000;
  const angles = Float64Array.from({ length: count }, (_, i) =>
    i < 40 ? ((i - 20) * Math.PI) / 2 : i < 80 ? (i % 2 ? -1 : 1) * 10 ** -i : i / 1000,
  );
  const placed = engine.placeChain(chain, angles);
  for (let i = 0; i < count; i++) {
    const error = Math.max(
      Math.abs(placed[16 * i] - Math.cos(angles[i])),
      Math.abs(placed[16 * i + 1] - Math.sin(angles[i])),
    );
    assert.ok(error < 4e-16, `${angles[i]}: ${error}`);
  }
  const [tiny] = engine.placeChain(chain, [1e-100]).subarray(1, 2);
  assert.is(tiny, 0);
});

test('the chain of the sample arm has the placements of its function `place`', () => {
  const arm = robotArm(8);
  const angles = arm.randomAngles(300);
  assert.ok(furthest(engine.placeChain(arm.chain, angles), arm.place(angles)) < 2e-7);
});

test('joint values give the same results as the placements that placeChain returns', () => {
  const arm = robotArm(300);
  const meshes = arm.meshes.map(mesh => engine.createMesh(mesh));
  const jointValues = arm.randomAngles(200, 5);
  const options = { meshes, moving: 7, fixed: arm.fixedTransforms, allowed: arm.allowed };
  const poses = engine.placeChain(arm.chain, jointValues);
  for (const want of ['any', 'first', 'pairs-any'] as const)
    for (const clearance of [0, 0.04]) {
      const found = engine.queryPoses({ ...options, chain: arm.chain, jointValues, want, clearance });
      const expected = engine.queryPoses({ ...options, poses, want, clearance });
      assert.is(bitsOf(found), bitsOf(expected), `${want}, ${clearance}`);
      assert.ok(found.count > 10 && found.count < 200);
    }
  for (const mesh of meshes) mesh.dispose();
});

test('sheared and flattened bodies of a chain are decided by ordinary queries', () => {
  const ball = engine.createMesh(sphere(100));
  const sheared = Float64Array.from(translation([0.5, 0, 0]));
  sheared[4] = 0.7;
  const flat = Float64Array.from(translation([0, 0, 0]));
  flat[10] = 0;
  for (const transform of [sheared, flat]) {
    const chain = { joints: [{}, { origin: translation([1, 0, 0]) }], bodies: [{ joint: 1, transform }] };
    const random = createRandom(3);
    const jointValues = Float64Array.from({ length: 160 }, () => random.between(-3, 3));
    const options = {
      meshes: [ball, ball],
      fixed: Float64Array.from(translation([2.4, 0, 0])),
      clearance: 0.1,
    };
    const found = engine.queryPoses({ ...options, chain, jointValues });
    const poses = engine.placeChain(chain, jointValues);
    assert.is(bitsOf(found), bitsOf(engine.queryPoses({ ...options, moving: 1, poses })));
    assert.ok(found.count > 0 && found.count < 80);
  }
  ball.dispose();
});

test('no distance of two points changes by more than the levers allow', () => {
  let tightest = Infinity;
  for (let seed = 1; seed <= 300; seed++) {
    const random = createRandom(seed);
    const scale = [1, 1, 0.01, 100][seed % 4];
    const chain = randomChain(random, 1 + random.below(6), scale);
    // Joints that scale and shear the space below them, strongly or by rounding to float32.
    if (seed % 5 === 0) chain.joints[0].origin[4] += 0.6;
    if (seed % 5 === 1)
      for (const joint of chain.joints) joint.origin = Float64Array.from(joint.origin, Math.fround);
    const count = valueCountOf(chain);
    const data = Array.from({ length: chain.bodies.length + 1 }, () =>
      box(...([0, 1, 2].map(() => scale * random.between(0.01, 1)) as Triple)),
    );
    const meshes = data.map(mesh => engine.createMesh(mesh));
    const still = Float64Array.from(translation([1, 2, 3]));
    const pairs = Uint32Array.from(data.flatMap((_, a) => data.flatMap((__, b) => (a < b ? [a, b] : []))));
    const values = [0, 1].map(() => Float64Array.from({ length: count }, () => random.between(-2, 2)));
    if (seed % 3 === 0) values[1] = values[0].map(value => value + random.between(-1e-3, 1e-3));
    const largest = values[0].map((value, i) => Math.max(Math.abs(value), Math.abs(values[1][i])));
    const { levers, travels, sizes, growth } = computeLevers({
      chain: readChain(chain),
      meshes,
      pairs,
      fixed: still,
    });
    const travel = largest
      .filter((_, i) => moving(chain)[i] === 'prismatic')
      .reduce((sum, value) => sum + value, 0);
    const placed = values.map(pose => [...placeByMath(chain, pose), still]);
    for (let pair = 0; 2 * pair < pairs.length; pair++) {
      const [a, b] = [pairs[2 * pair], pairs[2 * pair + 1]];
      const size = sizes[2 * pair] + growth * travel;
      let allowed = size * (1e-13 + sizes[2 * pair + 1]);
      for (let i = 0; i < count; i++) {
        let lever = levers[pair * count + i];
        if (travels.length > 0)
          for (let k = 0; k < count; k++) lever += travels[(pair * count + i) * count + k] * largest[k];
        allowed += Math.abs(values[1][i] - values[0][i]) * lever;
      }
      for (let at = 0; at < 24; at += 3) {
        const pointsA = placed.map(matrices => placePoint(matrices[a], data[a].positions, at));
        const pointsB = placed.map(matrices => placePoint(matrices[b], data[b].positions, (7 * at) % 24));
        const [before, after] = [0, 1].map(time => distanceOf(pointsA[time], pointsB[time]));
        const change = Math.abs(after - before);
        assert.ok(change <= allowed, `seed ${seed}, pair ${a}, ${b}: ${change} > ${allowed}`);
        for (const time of [0, 1]) {
          const [ofA, ofB] = [pointsA, pointsB].map(points => Math.max(...points[time].map(Math.abs)));
          assert.ok(ofA + ofB <= size, `seed ${seed}, pair ${a}, ${b}: ${ofA} + ${ofB} > ${size}`);
        }
        if (change > 0.01 * scale) tightest = Math.min(tightest, allowed / change);
      }
    }
    for (const mesh of meshes) mesh.dispose();
  }
  assert.ok(tightest < 1.2, `the smallest ratio of the bound to a motion is ${tightest}`);
});

const moving = ({ joints }: KinematicChain): (string | undefined)[] =>
  joints.map(({ type }) => type).filter(type => type !== 'fixed');
type Triple = [number, number, number];
const placePoint = (matrix: ArrayLike<number>, positions: ArrayLike<number>, at: number): number[] =>
  [0, 1, 2].map(
    row =>
      matrix[row] * positions[at] +
      matrix[4 + row] * positions[at + 1] +
      matrix[8 + row] * positions[at + 2] +
      matrix[12 + row],
  );
const distanceOf = (a: readonly number[], b: readonly number[]): number =>
  Math.hypot(...a.map((value, i) => value - b[i]));

test('two bodies that the same joint moves have no lever for this joint', () => {
  const mesh = engine.createMesh(box(0.1, 0.1, 0.1));
  const chain = { joints: [{}, { origin: translation([1, 0, 0]) }, { origin: translation([1, 0, 0]) }] };
  const pairs = Uint32Array.of(0, 1, 1, 2, 0, 2, 2, 3);
  const meshes = [mesh, mesh, mesh, mesh];
  const { levers, travels } = computeLevers({ chain: readChain(chain), meshes, pairs, fixed: undefined });
  assert.is(travels.length, 0);
  assert.equal(
    [0, 1, 2, 3].map(pair => [...levers.subarray(3 * pair, 3 * pair + 3)].map(lever => lever > 0)),
    [
      [false, true, false],
      [false, false, true],
      [false, true, true],
      [true, true, true],
    ],
  );
  // The last body is 2 from the first axis, and its corners are 0.1 * sqrt(3) from its own joint.
  assert.ok(Math.abs(levers[9] - (2 + 0.1 * Math.sqrt(3))) < 1e-6);
  mesh.dispose();
});

test('invalid chains and joint values are rejected with the name of the part', () => {
  const mesh = engine.createMesh(box(1, 1, 1));
  const run = (chain: unknown, jointValues: unknown = [0], more: object = {}): string =>
    caught(() => engine.queryPoses({ meshes: [mesh, mesh], chain, jointValues, ...more } as never)).message;
  const one = { joints: [{}] };
  for (const [message, expected] of [
    [run({}), 'chain.joints is missing'],
    [run({ joints: [] }), 'chain.joints is empty'],
    [run({ joints: 5 }), 'chain.joints is 5, not an array'],
    [run({ joints: [{ type: 'fixed' }] }), 'chain.joints has only fixed joints'],
    [run({ joints: [{ type: 'ball' }] }), "chain.joints[0].type is 'ball'"],
    [run({ joints: [{}, { parent: 1 }] }), 'chain.joints[1].parent is 1, not a whole number from -1 to 0'],
    [run({ joints: [{ axis: [0, 0, 0] }] }), 'chain.joints[0].axis is [0,0,0]'],
    [run({ joints: [{ axis: [0, NaN, 1] }] }), 'chain.joints[0].axis is [0,NaN,1]'],
    [run({ joints: [{ axis: [0, 1] }] }), 'chain.joints[0].axis is'],
    [run({ joints: [{ origin: [1] }] }), 'chain.joints[0].origin has length 1'],
    [run({ joints: [{ angle: 1 }] }), 'angle'],
    [
      run({ joints: [{}], bodies: [{ joint: 1 }] }),
      'chain.bodies[0].joint is 1, not the index of a joint, from 0 to 0',
    ],
    [run({ joints: [{}], bodies: [{ joint: 0, transform: 5 }] }), 'chain.bodies[0].transform'],
    [run({ ...one, bodies: [{ joint: 0 }, { joint: 0 }, { joint: 0 }] }), 'moving is 3'],
    [run(one, [0], { moving: 2 }), 'chain has 1 bodies, but there are 2 moving bodies'],
    [run({ joints: [{}, {}] }, [1, 2, 3]), 'jointValues is 3 numbers, not 2 joint values for each pose'],
    [run(one, [0, Infinity]), 'jointValues[1] is Infinity, not a number from -1000000 to 1000000'],
    [run(one, [0, 1e7]), 'jointValues[1] is 10000000'],
    [run(one, 'all'), "jointValues is 'all'"],
    [run(one, [null]), 'jointValues[0] is null, not a number'],
    [run(one, ['1']), "jointValues[0] is '1', not a number"],
    [run(one, [0, 1n]), 'jointValues[1] is 1, not a number from'],
    [run(one, Array(2)), 'jointValues[0] is undefined, not a number'],
    [run({ joints: [{ origin: null }] }), 'chain.joints[0].origin is null'],
    [run(one, [0], { poses: new Float64Array(16) }), 'poses and chain cannot be combined'],
    [run(undefined, [0]), 'jointValues needs chain'],
  ] as const)
    assert.ok(message.includes(expected), `${message}, not ${expected}`);
  assert.ok(
    caught(() => engine.queryPoses({ meshes: [mesh, mesh], chain: one as KinematicChain })).message.includes(
      'chain needs jointValues',
    ),
  );
  // A getter that adds a joint while the bodies are read.
  const joints: object[] = [{}];
  const bodies = [
    {
      get joint() {
        joints.push({});
        return 1;
      },
    },
  ];
  assert.match(run({ joints, bodies }), 'chain.bodies[0].joint is 1, not the index of a joint, from 0 to 0');
  const far = {
    joints: [{ type: 'prismatic', origin: translation([1e60, 0, 0]) }, { origin: translation([1e60, 0, 0]) }],
  };
  assert.ok(run(far, [0, 0, 0, 0], { moving: 2 }).includes('pose 0, body 1: matrix[12] is 2'));
  assert.is(engine.queryPoses({ meshes: [mesh, mesh], chain: one, jointValues: [] }).poseCount, 0);
  mesh.dispose();
});

test.run();
