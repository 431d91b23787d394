// Tests queryEdges. Free edges are sampled densely: no sampled pose may collide, by exact arithmetic or, with a
// clearance, by computed distances. Where an edge is reported to collide, the distance of the pair must be at
// most the clearance plus the tolerance. Placements are computed independently of the engine.

import * as assert from 'uvu/assert';
import {
  createEngine,
  type EdgeAnswers,
  type EdgesOptions,
  type Engine,
  type KinematicChain,
} from '../../dist/index.js';
import {
  box,
  createRandom,
  type MeshData,
  product,
  type Random,
  robotArm,
  rotation,
  sphere,
  torus,
  translation,
} from '../../dist/samples/index.js';
import { trianglePairs } from '../oracle/bruteForce.js';
import { placeByMath, randomChain, type TestChain, valueCountOf } from '../support/chains.js';
import { caught } from '../support/engines.js';
import { hashBytes } from '../support/hash.js';
import { test } from '../support/test.js';

const engines = await Promise.all([1, 2, 5].map(threads => createEngine({ threads, warmUp: 'off' })));
const [engine] = engines as [Engine, ...Engine[]];
test.after(() => engines.forEach(made => made.dispose()));

const NONE = 0xffffffff;
const hashOf = ({ hits, times, first, poseCount, nearCount }: EdgeAnswers): string =>
  hashBytes(
    hits,
    times ?? new Float64Array(0),
    first ?? new Uint32Array(0),
    Float64Array.of(poseCount, nearCount),
  );
const at = (x: number, y = 0, z = 0): Float64Array => Float64Array.from(translation([x, y, z]));
const slide = { joints: [{ type: 'prismatic', axis: [1, 0, 0] }] } as const;

/** A chain of small boxes among boxes that do not move. */
interface World {
  chain: TestChain;
  data: MeshData[];
  fixed: Float64Array;
  from: Float64Array;
  to: Float64Array;
}

function makeWorld(random: Random, edgeCount: number): World {
  const chain = randomChain(random, 1 + random.below(4));
  const count = valueCountOf(chain);
  const size = (): number => random.between(0.02, 0.4);
  const obstacles = 2;
  const from = Float64Array.from({ length: count * edgeCount }, () => random.between(-2, 2));
  const range = [0.05, 0.5, 3][random.below(3)];
  return {
    chain,
    data: Array.from({ length: chain.bodies.length + obstacles }, () => box(size(), size(), size())),
    fixed: Float64Array.from(
      Array.from({ length: obstacles }, () => [
        ...at(...([0, 1, 2].map(() => random.between(-1.5, 1.5)) as [number, number, number])),
      ]).flat(),
    ),
    from,
    to: from.map(value => value + random.between(-range, range)),
  };
}

// Returns the placement of every body at a time of an edge.
function placeAt({ chain, fixed, from, to }: World, edge: number, time: number): Float64Array[] {
  const count = valueCountOf(chain);
  const values = Float64Array.from({ length: count }, (_, i) => {
    const [start, end] = [from[edge * count + i], to[edge * count + i]];
    return start + time * (end - start);
  });
  const still = [0, 1].map(i => fixed.slice(16 * i, 16 * i + 16));
  return [...placeByMath(chain, values), ...still];
}

test('no pose of a free edge collides, and colliding pairs are within the clearance plus the tolerance', () => {
  let free = 0;
  let hits = 0;
  let known = 0;
  for (let seed = 1; seed <= 60; seed++) {
    const random = createRandom(seed);
    const world = makeWorld(random, 6);
    const { chain, data, fixed, from, to } = world;
    const meshes = data.map(mesh => engine.createMesh(mesh));
    const clearance = [0, 0, 0.01, 0.1][seed % 4];
    const tolerance = [0.001, 0.02][seed % 2];
    const options: EdgesOptions = { meshes, chain, fixed, from, to, clearance, tolerance };
    const found = engine.queryEdges({ ...options, want: 'first' });
    assert.equal([...engine.queryEdges(options).hits], [...found.hits]);
    for (let edge = 0; edge < 6; edge++) {
      const end = Math.min(1, found.times![edge]);
      assert.is(found.has(edge), found.times![edge] !== Infinity);
      // Before the reported time, all pairs are farther apart than the clearance.
      for (let step = 0; step < 40; step++) {
        const time = (end * step) / 40;
        if (time === end) break;
        const placed = placeAt(world, edge, time);
        for (let pair = 0; 2 * pair < found.pairs.length; pair++) {
          const [a, b] = [found.pairs[2 * pair], found.pairs[2 * pair + 1]];
          const [transformA, transformB] = [placed[a], placed[b]];
          if (clearance > 0) {
            const nearest = engine.distance(meshes[a], meshes[b], { transformA, transformB, max: 1 });
            assert.ok(
              !nearest || nearest.distance > clearance - 1e-12,
              `seed ${seed}, edge ${edge}, ${time}`,
            );
          } else if (step % 4 === 1)
            assert.is(trianglePairs(data[a], transformA, data[b], transformB).length, 0, `seed ${seed}`);
          else assert.not(engine.query(meshes[a], meshes[b], { transformA, transformB, want: 'any' }));
        }
      }
      if (!found.has(edge)) {
        free++;
        assert.is(found.firstPair(edge), undefined);
        continue;
      }
      hits++;
      // The collision was found in the middle of an interval of length 2^-level.
      const [a, b] = found.firstPair(edge)!;
      const distances = Array.from({ length: 30 }, (_, level) => {
        const placed = placeAt(world, edge, found.times![edge] + 2 ** -(level + 1));
        return engine.distance(meshes[a], meshes[b], { transformA: placed[a], transformB: placed[b] })!
          .distance;
      });
      assert.ok(Math.min(...distances) <= clearance + tolerance + 1e-12, `seed ${seed}, edge ${edge}`);
      if (Math.min(...distances) <= clearance) known++;
    }
    for (const mesh of meshes) mesh.dispose();
  }
  assert.ok(
    free > 60 && hits > 60 && known > 30,
    `${free} free, ${hits} hits, ${known} within the clearance`,
  );
});

test('a box that slides into a wall stops at the first contact', () => {
  const cube = engine.createMesh(box(0.5, 0.5, 0.5));
  const options = {
    meshes: [cube, cube],
    chain: slide,
    fixed: at(5),
    want: 'first',
    tolerance: 1e-6,
  } as const;
  // The cubes share a point if the moving one is between 4 and 6. Edge 4 ends just before the contact, edge 5
  // at it. Edges 3, 6 and 7 begin behind the wall; edge 6 stays in contact, and edge 7 ends just before it.
  const from = [0, -3, 3.9, 9, 0, 0, 6, 20];
  const to = [8, 5, 4.1, 0, 3.999, 4, 6, 6.1];
  const { times, hits, count } = engine.queryEdges({ ...options, from, to });
  const expected = [4 / 8, 7 / 8, 0.1 / 0.2, 3 / 9, Infinity, 1];
  assert.is(hits[0], 0b01101111);
  assert.is(count, 6);
  [0, 1, 2, 3, 5].forEach(edge => {
    assert.ok(times![edge] <= expected[edge] + 1e-15);
    assert.ok(
      (expected[edge] - times![edge]) * Math.abs(to[edge] - from[edge]) < 3e-6,
      `edge ${edge}: ${times![edge]}`,
    );
  });
  assert.equal([times![4], times![6], times![7]], [Infinity, 0, Infinity]);
  cube.dispose();
});

test('a thin sheet between two free poses is found', () => {
  const cube = engine.createMesh(box(0.01, 0.01, 0.01));
  const sheet = engine.createMesh({ positions: Float32Array.of(5.3, -1, -1, 5.3, 1, -1, 5.3, 0, 1) });
  const options = { meshes: [cube, sheet], chain: slide, from: [0], to: [1000], tolerance: 1e-4 };
  for (const made of ['any', 'first'] as const) {
    const found = engine.queryEdges({ ...options, want: made });
    assert.is(found.count, 1);
    if (made === 'first') assert.ok(Math.abs(found.times![0] - 0.00529) < 1e-6);
  }
  assert.is(engine.queryEdges({ ...options, from: [6] }).count, 0);
  cube.dispose();
  sheet.dispose();
});

test('a rotating rod touches a wall at the angle that trigonometry gives', () => {
  const rod = engine.createMesh(box(1, 1e-3, 1e-3));
  const wall = engine.createMesh(box(10, 1e-3, 10));
  // The rod's end is 2 from the axis. It touches the wall, which is 1 above the axis, at an angle near 30 degrees.
  const chain = { joints: [{}], bodies: [{ joint: 0, transform: at(1) }] };
  const options = { meshes: [rod, wall], chain, fixed: at(0, 1), want: 'first', tolerance: 1e-7 } as const;
  const { times } = engine.queryEdges({ ...options, from: [0], to: [Math.PI / 2] });
  // The corner (2, 0.001) has the height 0.999: 2 sin(x) + 0.001 cos(x) = 0.999.
  const angle = Math.asin(0.999 / Math.hypot(2, 0.001)) - Math.atan2(0.001, 2);
  const error = angle - times![0] * (Math.PI / 2);
  assert.ok(error > -1e-9 && error < 1e-6, `${error}`);
  assert.is(engine.queryEdges({ ...options, from: [0], to: [angle - 1e-6] }).count, 0);
  assert.is(engine.queryEdges({ ...options, from: [Math.PI], to: [Math.PI - angle + 1e-6] }).count, 0);
  assert.is(engine.queryEdges({ ...options, from: [0], to: [angle + 1e-6] }).count, 1);
  rod.dispose();
  wall.dispose();
});

test('edges of a robot arm have the same results on all thread counts', () => {
  const arm = robotArm(100);
  const random = createRandom(4);
  const from = arm.randomAngles(150, 9);
  for (const range of [0.2, 4])
    for (const want of ['any', 'first'] as const) {
      const to = from.map(value => value + random.between(-range, range));
      const found = engines.map(made => {
        const meshes = arm.meshes.map(mesh => made.createMesh(mesh));
        const answers = made.queryEdges({
          meshes,
          chain: arm.chain,
          fixed: arm.fixedTransforms,
          allowed: arm.allowed,
          from,
          to,
          want,
        });
        for (const mesh of meshes) mesh.dispose();
        return answers;
      });
      assert.is(new Set(found.map(hashOf)).size, 1);
      assert.ok(found[0].count > 10 && found[0].count < 150);
      assert.is(found[0].edgeCount, 150);
    }
});

test('a smaller tolerance never turns a free edge into a collision', () => {
  const ring = engine.createMesh(torus(400));
  const ball = engine.createMesh(sphere(200));
  const random = createRandom(12);
  const from = Float64Array.from({ length: 200 }, () => random.between(-4, 4));
  const to = from.map(() => random.between(-4, 4));
  const chain = { joints: [{}, { type: 'prismatic', axis: [1, 1, 0], origin: at(0.5, 0, 0.3) }] as never };
  const pairs = [
    [0, 2],
    [1, 2],
  ] as [number, number][];
  const options = { meshes: [ring, ball, ring], chain, fixed: at(3.2, 1, 0.5), pairs, from, to };
  let last: EdgeAnswers | undefined;
  for (const tolerance of [1, 0.1, 0.01, 1e-4, 1e-7]) {
    const found = engine.queryEdges({ ...options, tolerance });
    if (last) for (let edge = 0; edge < 100; edge++) assert.ok(last.has(edge) || !found.has(edge));
    last = found;
  }
  assert.ok(last!.count > 5 && last!.count < 100, `${last!.count}`);
  for (const mesh of [ring, ball]) mesh.dispose();
});

test('no edges, no pairs, empty meshes, and edges whose ends are equal', () => {
  const cube = engine.createMesh(box(1, 1, 1));
  const empty = engine.createMesh({ positions: new Float32Array(0) });
  const options = { meshes: [cube, cube], chain: slide, fixed: at(3), want: 'first' } as const;
  const none = engine.queryEdges({ ...options, from: [], to: [] });
  assert.equal([none.edgeCount, none.count, none.hits.length, none.poseCount], [0, 0, 0, 0]);
  assert.is(engine.queryEdges({ ...options, pairs: [], from: [0], to: [9] }).count, 0);
  assert.is(engine.queryEdges({ ...options, meshes: [empty, cube], from: [0], to: [9] }).count, 0);
  assert.is(engine.queryEdges({ ...options, meshes: [empty, empty], from: [0], to: [9] }).count, 0);
  const still = engine.queryEdges({ ...options, from: [0, 1, 2], to: [0, 1, 2], tolerance: 0.01 });
  assert.equal([...still.times!], [Infinity, 0, 0]);
  assert.equal([...still.first!], [NONE, 0, 0]);
  // Two bodies that do not move, but intersect.
  const fixed = Float64Array.of(...at(30), ...at(31));
  const pairs = [[1, 2]] as [number, number][];
  const apart = engine.queryEdges({
    ...options,
    meshes: [cube, cube, cube],
    fixed,
    pairs,
    from: [0],
    to: [1],
  });
  assert.equal([...apart.times!], [0]);
  for (const mesh of [cube, empty]) mesh.dispose();
});

test('invalid options are rejected, and edges that cannot be tested are rejected with their number', () => {
  const cube = engine.createMesh(box(1, 1, 1));
  const fixed = at(3);
  const run = (options: object): Error & { fix?: string } =>
    caught(() =>
      engine.queryEdges({
        meshes: [cube, cube],
        chain: slide,
        fixed,
        from: [0, 0],
        to: [0, 1],
        ...options,
      } as never),
    );
  const stretched = at(0);
  stretched[0] = 2;
  for (const [error, expected] of [
    [run({ chain: undefined }), 'chain is missing'],
    [run({ to: [1] }), 'from has 2 numbers, but to has 1'],
    [run({ from: [NaN, 0] }), 'from[0] is NaN'],
    [run({ tolerance: 0 }), 'tolerance is 0, not a finite number > 0'],
    [run({ want: 'pairs-any' }), "want is 'pairs-any'"],
    [run({ chain: { ...slide, bodies: [{ joint: 0, transform: stretched }] } }), 'edge 0 cannot be tested'],
    [
      run({
        chain: {
          joints: [{ type: 'prismatic', origin: at(1.6e60) }, { origin: at(1.6e60) }],
          bodies: [{ joint: 1 }],
        },
        from: [0, 0, 0, 0],
        to: [0, 0, 0, 0],
      }),
      'edge 0 has a placement',
    ],
  ] as const)
    assert.ok(error.message.includes(expected), `${error.message}, not ${expected}`);
  cube.dispose();
});

test('a body that enters a wall of any size by a little is found', () => {
  let collisions = 0;
  for (const [size, motion, depth, tolerance] of [
    [1e8, 1, 1e-9, undefined],
    [1e6, 0.01, 1e-11, 1e-6],
    [1e4, 1e-3, 1e-13, 1e-7],
    [1e3, 1e-3, 1e-14, 1e-8],
  ] as const)
    for (let seed = 1; seed <= 60; seed++) {
      const random = createRandom(seed);
      const turned = Float64Array.from(rotation(random.direction(), random.between(0, 3)));
      const wall = engine.createMesh({
        positions: Float64Array.of(-size, -0.9 * size, 0, size, -0.8 * size, 0, 0.1 * size, 0.9 * size, 0),
      });
      const s = motion / 10;
      const body = engine.createMesh({
        positions: Float64Array.of(0, 0, 0, s, 0, s, -s, s, s, 0, -s, s),
        indices: Uint32Array.of(0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2),
      });
      const chain: KinematicChain = {
        joints: [{ type: 'prismatic', axis: turned.slice(8, 11) }],
        bodies: [{ joint: 0, transform: turned }],
      };
      const to = [-depth];
      const transformA = engine.placeChain(chain, to);
      if (engine.query(body, wall, { transformA, transformB: turned, want: 'any' })) {
        collisions++;
        for (const want of ['any', 'first'] as const)
          assert.ok(
            engine.queryEdges({
              meshes: [body, wall],
              chain,
              fixed: turned,
              from: [motion],
              to,
              tolerance,
              want,
            }).count === 1,
            `size ${size}, seed ${seed}, ${want}`,
          );
      }
      for (const mesh of [wall, body]) mesh.dispose();
    }
  assert.ok(collisions > 150, `${collisions}`);
});

test('the result of an edge does not depend on the other edges of the call', () => {
  for (let seed = 1; seed <= 30; seed++) {
    const world = makeWorld(createRandom(seed), 8);
    const { chain, data, fixed, from, to } = world;
    const count = valueCountOf(chain);
    // One edge with great joint values.
    for (let i = 0; i < count; i++) to[i] = 900;
    const meshes = data.map(mesh => engine.createMesh(mesh));
    for (const tolerance of [undefined, 0.01]) {
      const options = { meshes, chain, fixed, tolerance, want: 'first' } as const;
      const together = engine.queryEdges({ ...options, from, to });
      for (let edge = 1; edge < 8; edge++) {
        const [start, end] = [from, to].map(values => values.subarray(count * edge, count * edge + count));
        const alone = engine.queryEdges({ ...options, from: start, to: end });
        assert.equal([alone.times![0], alone.first![0]], [together.times![edge], together.first![edge]]);
        assert.is(alone.tolerance, together.tolerance);
      }
    }
    for (const mesh of meshes) mesh.dispose();
  }
});

test('a tolerance that is too small is raised, and many edges fit in engine memory', () => {
  const cube = engine.createMesh(box(0.5, 0.5, 0.5));
  const options = { meshes: [cube, cube], chain: slide, fixed: at(5), want: 'first' } as const;
  for (const end of [1, 9, 1e6]) {
    const { times } = engine.queryEdges({ ...options, from: [0], to: [end], tolerance: 1e-300 });
    if (end === 1) assert.is(times![0], Infinity);
    else assert.ok(times![0] <= 4 / end && times![0] > 3.99 / end, `${end}: ${times![0]}`);
  }
  const count = 300_000;
  const from = new Float64Array(count);
  const to = Float64Array.from(from, (_, edge) => (edge % 3 === 0 ? 3.9 : 9));
  const found = engine.queryEdges({ ...options, from, to, tolerance: 0.01 });
  assert.is(found.count, 200_000);
  assert.ok(found.times!.every((time, edge) => (time === Infinity) === (edge % 3 === 0)));
  cube.dispose();
});

test('matrices that are rounded to float32 do not make edges of links slow', () => {
  const arm = robotArm(100);
  const meshes = arm.meshes.map(mesh => engine.createMesh(mesh));
  const random = createRandom(2);
  const from = arm.randomAngles(100, 9);
  const to = from.map(value => value + random.between(-0.5, 0.5));
  const [exact, rounded] = [Float64Array, Float32Array].map(Numbers => {
    const joints = arm.chain.joints.map(({ origin, ...joint }) => ({
      ...joint,
      origin: Numbers.from(product(origin, rotation([0.6, 0, 0.8], 0.3))),
    }));
    const options = { meshes, chain: { joints }, fixed: arm.fixedTransforms, allowed: arm.allowed, from, to };
    return engine.queryEdges({ ...options, tolerance: 1e-3 }).poseCount;
  });
  assert.ok(rounded < 1.1 * exact, `${rounded} poses instead of ${exact}`);
  for (const mesh of meshes) mesh.dispose();
});

test.run();
