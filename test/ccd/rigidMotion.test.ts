// Tests sweeps of bodies that rotate during the motion. Simple scenes have contacts at known times. The
// contacts of random meshes agree with an oracle, which uses conservative advancement. Motions that are not
// rigid are refused.

import * as assert from 'uvu/assert';
import type { MeshData, PlacedSweepOptions, SweptContacts } from '../../dist/index.js';
import { sphere, torus, translation } from '../../dist/samples/index.js';
import { createRandom } from '../../dist/samples/random.js';
import { gapAt, type Motion, matrixAt, type RotatingPair, reachedAt } from '../oracle/rotatingMotion.js';
import { edgesOf, type Indexed, rowsOf } from '../support/movingCrowd.js';
import { test } from '../support/test.js';
import { engines, RIGID, randomMotion, rod, rotatedBy, STILL, soup } from './rigidSupport.js';

const [engine] = engines;
test.after(() => engines.forEach(made => made.dispose()));
/** Makes a triangle with an edge that is parallel to the z axis and passes through (x, y, 0). */
const post = (x: number, y: number): MeshData => ({
  positions: Float32Array.of(x, y, -1, x, y, 1, 2 * x, 2 * y, 0),
  indices: Uint32Array.of(0, 1, 2),
});

function sweepBoth(
  a: MeshData,
  b: MeshData,
  options: PlacedSweepOptions,
): SweptContacts & { first: number | undefined } {
  const meshes = [engine.createMesh(a), engine.createMesh(b)] as const;
  const first = engine.sweep(...meshes, { ...options, want: 'first' })?.toi;
  const all = engine.sweep(...meshes, { ...options, want: 'all' });
  meshes.forEach(mesh => mesh.dispose());
  assert.is(first, all.count > 0 ? Math.min(...all.toi) : undefined);
  return { ...all, first };
}

function assertTime(toi: number | undefined, expected: number, early = 2e-6): void {
  assert.ok(
    toi !== undefined && toi <= expected + 1e-12 && toi >= expected - early,
    `toi is ${toi}, not ${expected}`,
  );
}

test('a rod rotates into a post at the known angle', () => {
  for (const degrees of [1, 15, 45, 89, 120, 170]) {
    const at = (Math.PI * degrees) / 180;
    const [x, y] = [Math.fround(0.75 * Math.cos(at)), Math.fround(0.75 * Math.sin(at))];
    for (const angle of [175, 178.5, 180]) {
      assertTime(
        sweepBoth(rod, post(x, y), { ...RIGID, toA: rotatedBy((Math.PI * angle) / 180) }).first,
        Math.atan2(y, x) / ((Math.PI * angle) / 180),
      );
    }
  }
});

test('a rotating rod touches a post at the right time, even if vertices on straight paths would miss the post', () => {
  // If vertices moved on straight paths, the rod would shrink to its axis of rotation and never reach the
  // post.
  const far = sweepBoth(rod, post(0, 0.75), { ...RIGID, toA: rotatedBy(Math.PI) });
  assertTime(far.first, 0.5);
  const meshes = [engine.createMesh(rod), engine.createMesh(post(0, 0.75))] as const;
  assert.is(engine.sweep(...meshes, { toA: rotatedBy(Math.PI) }), undefined);
  meshes.forEach(mesh => mesh.dispose());
});

test('a rotation by 180 degrees uses the axis whose first nonzero coordinate is positive', () => {
  for (const sign of [1, -1]) {
    // About the z axis, the rotation takes x through y to -x. About the x axis, it takes z through -y to -z.
    assertTime(sweepBoth(rod, post(0, 0.75), { ...RIGID, toA: rotatedBy(sign * Math.PI) }).first, 0.5);
    assert.is(sweepBoth(rod, post(0, -0.75), { ...RIGID, toA: rotatedBy(sign * Math.PI) }).first, undefined);
    const upright: MeshData = {
      positions: Float32Array.of(0, 0, 0, -0.125, 0, 1, 0.125, 0, 1),
      indices: Uint32Array.of(0, 1, 2),
    };
    const beam = (y: number): MeshData => ({
      positions: Float32Array.of(-1, y, 0, 1, y, 0, 0, 2 * y, 0),
      indices: Uint32Array.of(0, 1, 2),
    });
    assertTime(
      sweepBoth(upright, beam(-0.75), { ...RIGID, toA: rotatedBy(sign * Math.PI, [1, 0, 0]) }).first,
      0.5,
    );
    assert.is(
      sweepBoth(upright, beam(0.75), { ...RIGID, toA: rotatedBy(sign * Math.PI, [1, 0, 0]) }).first,
      undefined,
    );
  }
  // A rotation by slightly less than 180 degrees takes the shorter way.
  assert.is(sweepBoth(rod, post(0, 0.75), { ...RIGID, toA: rotatedBy(-Math.PI + 1e-4) }).first, undefined);
  assertTime(
    sweepBoth(rod, post(0, -0.75), { ...RIGID, toA: rotatedBy(-Math.PI + 1e-4) }).first,
    Math.PI / 2 / (Math.PI - 1e-4),
  );
});

test('a rolling wheel touches a floor at the expected time if its corners reach the floor, but no lower floor', () => {
  const corners = 6;
  const wheel: MeshData = {
    positions: Float32Array.from(
      Array.from({ length: corners }, (_, i) => [
        Math.cos((2 * Math.PI * i) / corners),
        Math.sin((2 * Math.PI * i) / corners),
        0,
      ]).flat(),
    ),
    indices: Uint32Array.from(Array.from({ length: corners - 2 }, (_, i) => [0, i + 1, i + 2]).flat()),
  };
  const floor = (y: number): MeshData => ({
    positions: Float32Array.of(-9, y, -9, 9, y, -9, 9, y, 9, -9, y, 9),
    indices: Uint32Array.of(0, 1, 2, 0, 2, 3),
  });
  const roll = { ...RIGID, fromA: rotatedBy(0), toA: matrixAt({ ...STILL, angle: 2, to: [0.5, 0, 0] }, 1) };
  // At the start, the lowest part of the wheel is a side. Thirty degrees later, it is a corner, at distance 1
  // from the center.
  assert.is(sweepBoth(wheel, floor(-1.00001), roll).first, undefined);
  assertTime(sweepBoth(wheel, floor(-0.9375), roll).first, (Math.asin(0.9375) - Math.PI / 3) / 2, 4e-6);
  assertTime(
    sweepBoth(wheel, floor(-1), { ...roll, minSeparation: 0.0625 }).first,
    (Math.asin(0.9375) - Math.PI / 3) / 2,
    4e-6,
  );
  assert.is(sweepBoth(wheel, floor(-1.0625), { ...roll, minSeparation: 0.06 }).first, undefined);
});

test('a contact is found and not late if a clock hand penetrates the floor only briefly, by 1e-6 to 1e-3', () => {
  const hand = engine.createMesh({ positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0.5, 0, 0) });
  const floor = engine.createMesh({ positions: Float32Array.of(-9, 0, -9, 9, 0, -9, 0, 0, 9) });
  for (const angle of [0.25, 1, 2]) {
    for (let offset = 0; offset <= 16; offset++) {
      for (const depth of [1e-3, 3e-4, 1e-4, 1e-6]) {
        // The hand points down after this share of the step: a half or slightly more.
        const share = 0.5 + offset / 128;
        const motion = { ...STILL, axis: [0, 0, 1], angle, linear: [] as number[] };
        const start = -Math.PI / 2 - share * angle;
        motion.linear = [Math.cos(start), -Math.sin(start), 0, Math.sin(start), Math.cos(start), 0, 0, 0, 1];
        const fromB = translation([0, depth - 1, 0]);
        const ends = { ...RIGID, fromA: matrixAt(motion, 0), toA: matrixAt(motion, 1), fromB, toB: fromB };
        for (const tolerance of [1e-2, 1e-4]) {
          const hit = engine.sweep(hand, floor, { ...ends, tolerance });
          const expected = share - Math.acos(1 - depth) / angle;
          assert.ok(
            hit && hit.toi <= expected + 1e-12,
            `toi ${hit?.toi}, contact at ${expected}: depth ${depth}, tolerance ${tolerance}`,
          );
          const y = -Math.cos((hit.toi - share) * angle);
          assert.ok(y - (depth - 1) <= tolerance + 1e-9, `${y - depth + 1} above the floor at ${hit.toi}`);
        }
      }
    }
  }
  for (const mesh of [hand, floor]) mesh.dispose();
});

/**
 * Returns all pairs of features. The keys are texts: the kind of contact, the feature of A, and the feature of
 * B. motionA and motionB must be two objects even if the motions are equal, because the oracle identifies each
 * body by its object.
 */
function pairsOf(a: Indexed, motionA: Motion, b: Indexed, motionB: Motion): Map<string, RotatingPair> {
  const pairs = new Map<string, RotatingPair>();
  const points = (mesh: MeshData, motion: Motion, vertices: Iterable<number>) =>
    Array.from(vertices, vertex => ({
      motion,
      point: [...mesh.positions.subarray(3 * vertex, 3 * vertex + 3)],
    }));
  const corners = ({ indices }: Indexed, face: number) => indices.subarray(3 * face, 3 * face + 3);
  for (const vertex of new Set(a.indices))
    for (let face = 0; face < b.indices.length / 3; face++)
      pairs.set(`0 ${vertex} ${face}`, {
        isFace: true,
        points: [...points(a, motionA, [vertex]), ...points(b, motionB, corners(b, face))],
      });
  for (const vertex of new Set(b.indices))
    for (let face = 0; face < a.indices.length / 3; face++)
      pairs.set(`1 ${face} ${vertex}`, {
        isFace: true,
        points: [...points(b, motionB, [vertex]), ...points(a, motionA, corners(a, face))],
      });
  edgesOf(a.indices).forEach((edgeA, i) =>
    edgesOf(b.indices).forEach((edgeB, k) =>
      pairs.set(`2 ${i} ${k}`, {
        isFace: false,
        points: [...points(a, motionA, edgeA), ...points(b, motionB, edgeB)],
      }),
    ),
  );
  return pairs;
}

const far = ([x, y, z]: readonly number[], by: number): number[] => [x! + by, y! - by, z! + by];

interface ReportedContact {
  toi: number;
  bound: number;
}

/**
 * Checks what a sweep reported for a pair of features. reported: undefined if the sweep found no contact.
 * error: an upper bound of the rounding errors of the placements. @returns whether the oracle finds a contact
 */
function checkPair(
  pair: RotatingPair,
  reported: ReportedContact | undefined,
  separation: number,
  tolerance: number,
  error: number,
  name: string,
): boolean {
  const slack = 10 * error;
  const { time, gap } = reachedAt(pair, separation, slack);
  const isReached = gap <= separation + slack;
  // There is no contact before the oracle's time. If `isReached`, there is a contact at this time, except for
  // rounding.
  if (!reported) {
    assert.not.ok(isReached, `missed at ${time}: ${name}`);
    return false;
  }
  if (isReached)
    assert.ok(reported.toi <= time + 1e4 * error, `late: ${reported.toi}, contact at ${time}: ${name}`);
  let minimum = Infinity;
  for (let i = 0; i <= 8; i++)
    minimum = Math.min(minimum, gapAt(pair, Math.min(1, reported.toi + (reported.bound * i) / 8)));
  assert.ok(
    minimum <= separation + tolerance + error,
    `${minimum - separation} above the separation at ${reported.toi} + ${reported.bound}: ${name}`,
  );
  return isReached;
}

const SEEDS = 400;
for (const [name, by, error] of [
  ['near the origin', 0, 1e-12],
  ['far from the origin', 1e5, 1e-10],
] as const) {
  (by === 0 ? test : test.slow)(
    `${SEEDS} seeded pairs of meshes, ${name}: no contact is missed or late, and all are within the tolerance`,
    () => {
      let hits = 0;
      let reported = 0;
      for (let seed = 1; seed <= SEEDS; seed++) {
        const random = createRandom(seed);
        const [a, b] = [soup(random), soup(random)];
        const [motionA, motionB] = [randomMotion(random), randomMotion(random)].map(
          (motion): Motion => ({ ...motion, from: far(motion.from, by), to: far(motion.to, by) }),
        );
        const separation = random.below(3) === 0 ? 0.01 : 0;
        const tolerance = [1e-6, 1e-6, 1e-4, 1e-2][random.below(4)];
        const matrices = {
          fromA: matrixAt(motionA, 0),
          toA: matrixAt(motionA, 1),
          fromB: matrixAt(motionB, 0),
          toB: matrixAt(motionB, 1),
        };
        const all = sweepBoth(a, b, { ...RIGID, ...matrices, minSeparation: separation, tolerance });
        const found = new Map(
          Array.from(all.toi, (toi, i) => [
            `${all.kind[i]} ${all.featureA[i]} ${all.featureB[i]}`,
            { toi, bound: all.bound[i] },
          ]),
        );
        assert.is(found.size, all.count, 'each pair of features once');
        for (const [key, pair] of pairsOf(a, motionA, b, motionB))
          hits += Number(
            checkPair(pair, found.get(key), separation, tolerance, error, `seed ${seed}, ${key}`),
          );
        reported += all.count;
      }
      assert.ok(
        hits > 1000 && reported >= hits && reported < 1.2 * hits,
        `${hits} contacts, ${reported} reported`,
      );
    },
  );
}

test('without a rotation, rigid motion gives the same contacts as straight motion, to the last bit', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = createRandom(seed);
    const [a, b] = [soup(random), soup(random)].map(data => engine.createMesh(data));
    const [motionA, motionB] = [randomMotion(random), randomMotion(random)].map(motion => ({
      ...motion,
      angle: 0,
    }));
    const ends = {
      fromA: matrixAt(motionA, 0),
      toA: matrixAt(motionA, 1),
      fromB: matrixAt(motionB, 0),
      toB: matrixAt(motionB, 1),
      want: 'all',
    } as const;
    assert.equal(rowsOf(engine.sweep(a, b, { ...ends, ...RIGID })), rowsOf(engine.sweep(a, b, ends)));
    a.dispose();
    b.dispose();
  }
});

test('a small rotation gives the contacts of a straight motion, at slightly different times', () => {
  const [a, b] = [engine.createMesh(torus(400)), engine.createMesh(sphere(400))];
  const ends = {
    fromB: translation([2.5, 0, 0]),
    toB: translation([1.5, 0.25, 0]),
    toA: rotatedBy(1e-3, [0.6, 0.8, 0]),
  };
  const rotated = engine.sweep(a, b, { ...ends, ...RIGID })!;
  const straight = engine.sweep(a, b, ends)!;
  assert.ok(Math.abs(rotated.toi - straight.toi) <= 3e-6, `${rotated.toi} and ${straight.toi}`);
  for (const mesh of [a, b]) mesh.dispose();
});

test('placements that are rounded to float32 are accepted as rotations', () => {
  const [a, b] = [engine.createMesh(rod), engine.createMesh(post(0.5, 0.5))];
  const toA = Float32Array.from(rotatedBy(2));
  const hit = engine.sweep(a, b, { ...RIGID, toA })!;
  assertTime(hit.toi, Math.PI / 8, 1e-5);
  for (const mesh of [a, b]) mesh.dispose();
});

/** Returns a placement whose axes are three vectors, column-major. */
const axesOf = (columns: readonly (readonly number[])[]): Float64Array =>
  Float64Array.of(...columns.flatMap(column => [...column, 0]), 0, 0, 0, 1);
/** Two triangles in the planes z = 0 and y = 0. Both have the same edge on the x axis, from x = 1 to x = 2. */
const fins: MeshData = {
  positions: Float32Array.of(1, 0, 0, 2, 0, 0, 1.5, 0.5, 0, 1, 0, 0, 2, 0, 0, 1.5, 0, 0.5),
  indices: Uint32Array.of(0, 1, 2, 3, 4, 5),
};
const crossOf = ([a, b, c]: readonly number[], [x, y, z]: readonly number[]): number[] => [
  b * z - c * y,
  c * x - a * z,
  a * y - b * x,
];
const normalized = (v: readonly number[]): number[] => v.map(value => value / Math.hypot(...v));
/** Makes a narrow triangle whose edge crosses the ray from the origin in direction `at`. */
const gate = (at: readonly number[], motion: readonly number[], width: number): MeshData => {
  const side = normalized(crossOf(motion, at));
  const points = [
    [1.375, -width],
    [1.375, width],
    [1.625, 0],
  ] as const;
  return {
    positions: Float32Array.from(points.flatMap(([r, h]) => at.map((value, i) => value * r + side[i] * h))),
    indices: Uint32Array.of(0, 1, 2),
  };
};

test('a mesh that is scaled to a line rotates the shortest way', () => {
  const random = createRandom(23);
  const none = [0, 0, 0];
  for (let i = 0; i < 300; i++) {
    const from = random.direction();
    const to = random.direction();
    const cosine = from.reduce((sum, value, k) => sum + value * to[k], 0);
    if (Math.abs(cosine) > 0.9) continue;
    // All axes are parallel, and some may be 0 or have opposite directions.
    const scales = [1, [0, 0.5, -0.25][random.below(3)], [0, 0.5, -0.25][random.below(3)]];
    const [fromA, toA] = [from, to].map(line =>
      axesOf(scales.map(scale => (scale === 0 ? none : line.map(value => scale * value)))),
    );
    const half = normalized(from.map((value, k) => value + to[k]));
    const straight: MeshData = { positions: Float32Array.of(1, 0, 0, 2, 0, 0, 1.5, 0, 0) };
    const what = `${from} to ${to}, scales ${scales}`;
    const [line, target] = [
      engine.createMesh(straight),
      engine.createMesh(
        gate(
          half,
          to.map((value, k) => value - from[k]),
          0.0625,
        ),
      ),
    ];
    const hit = engine.sweep(line, target, { ...RIGID, fromA, toA });
    assert.ok(hit && Math.abs(hit.toi - 0.5) < 1e-5, `${hit?.toi}: ${what}`);
    line.dispose();
    target.dispose();
  }
});

test('a line that reverses makes a half turn about the axis that the documentation defines', () => {
  const none = [0, 0, 0];
  // The z axis is the farthest from the first line. The x axis is the farthest from the second one.
  for (const [from, at] of [
    [
      [0.6, 0.8, 0],
      [-0.8, 0.6, 0],
    ],
    [
      [0, 0.6, 0.8],
      [0, -0.8, 0.6],
    ],
    // The y axis is the first of two axes that are equally far from the x axis.
    [
      [1, 0, 0],
      [0, 0, -1],
    ],
  ]) {
    const ends = {
      ...RIGID,
      fromA: axesOf([from, none, none]),
      toA: axesOf([from.map(value => -value), none, none]),
    };
    const hit = sweepBoth(fins, gate(at, from, 0.0625), ends).first;
    assertTime(hit, 0.5, 1e-5);
    assert.is(
      sweepBoth(
        fins,
        gate(
          at.map(value => -value),
          from,
          0.0625,
        ),
        ends,
      ).first,
      undefined,
    );
  }
});

test('a strongly sheared mesh that rotates passes a gate at the known time', () => {
  const random = createRandom(29);
  // The rotation is known only up to the rounding of the placements, 2^-53 / shear.
  for (const [shear, width] of [
    [2 ** -3, 2 ** -9],
    [2 ** -10, 2 ** -12],
    [2 ** -17, 2 ** -16],
    [2 ** -20, 2 ** -14],
    [2 ** -27, 2 ** -8],
    [2 ** -34, 2 ** -6],
  ])
    for (let i = 0; i < 60; i++) {
      const main = random.direction();
      const sheared = [
        main,
        ...[1, 2].map(() => random.direction().map((value, k) => main[k] + shear * value)),
      ];
      const linear = [0, 1, 2].flatMap(row => sheared.map(column => column[row]));
      const motion = { ...STILL, linear, axis: random.direction(), angle: random.between(1, 2.5) };
      const half = matrixAt(motion, 0.5).subarray(0, 3);
      const velocity = crossOf(motion.axis, Array.from(half));
      if (Math.hypot(...velocity) < 0.3) continue;
      const [a, b] = [engine.createMesh(fins), engine.createMesh(gate(Array.from(half), velocity, width))];
      const hit = engine.sweep(a, b, { ...RIGID, fromA: matrixAt(motion, 0), toA: matrixAt(motion, 1) });
      assert.ok(
        hit && Math.abs(hit.toi - 0.5) < 8 * (width + shear) + 1e-5,
        `${hit?.toi}: shear ${shear}, ${motion.linear}, axis ${motion.axis}, angle ${motion.angle}`,
      );
      a.dispose();
      b.dispose();
    }
});

test('no contact is late if the columns of a shear almost cancel and rounding errors exceed the mesh size', () => {
  const far = 2 ** 24;
  const near = 2 ** -24;
  const wall: MeshData = {
    positions: Float32Array.of(0, 0, -9, 9, 0, -9, 9, 0, 9, 0, 0, 9),
    indices: Uint32Array.of(0, 1, 2, 0, 2, 3),
  };
  const [fin, other] = [
    engine.createMesh({ positions: Float32Array.of(far, far, 0, far, far, 1, far - 2, far - 2, 0.5) }),
    engine.createMesh(wall),
  ];
  const fromA = Float64Array.of(1, 0, 0, 0, near - 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
  const toA = Float64Array.of(0, 1, 0, 0, 0, near - 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
  for (let k = 1; k < 200; k++)
    assertTime(
      engine.sweep(fin, other, {
        ...RIGID,
        fromA,
        toA,
        fromB: rotatedBy((Math.PI * k) / 400),
        tolerance: 1e-12,
      })?.toi,
      k / 200,
    );
  for (const mesh of [fin, other]) mesh.dispose();
});

test('a motion that is not a rotation and a translation is refused, with the reason', () => {
  const mesh = engine.createMesh(rod);
  const other = engine.createMesh(post(0.5, 0.5));
  const grown = Float64Array.from(rotatedBy(1), (value, i) => (i >= 4 && i < 8 ? 2 * value : value));
  const errorOf = (runQuery: () => unknown): { code: string; message: string; fix: string } => {
    try {
      runQuery();
    } catch (error) {
      return error as never;
    }
    throw new Error('nothing was thrown');
  };
  for (const [toA, message] of [
    [grown, /^A does not move as a rigid body: its y axis has length 1 at the start and 2 at the end/],
    [Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1), /mirrored at one end/],
    [Float64Array.of(1, 0, 0, 0, 0.6, 0.8, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1), /angles between its axes/],
  ] as const) {
    const error = errorOf(() => engine.sweep(mesh, other, { ...RIGID, toA }));
    assert.is(error.code, 'Unsupported');
    assert.match(error.message, message);
    assert.match(error.fix, 'omit motion');
  }
  assert.match(errorOf(() => engine.sweep(mesh, other, { ...RIGID, toB: grown })).message, /^B does not/);
  assert.match(
    errorOf(() => engine.sweep(mesh, other, { ...RIGID, exact: true })).message,
    /exact cannot be combined with motion 'rigid'/,
  );
  assert.match(
    errorOf(() => engine.sweep(mesh, other, { motion: 'screw' as never })).message,
    /'linear' or 'rigid'/,
  );
  const scene = engine.createScene();
  const body = scene.add(mesh);
  scene.setTransform(body, grown);
  assert.match(
    errorOf(() => scene.detect({ continuous: true, ...RIGID })).message,
    new RegExp(`^body ${body} does not`),
  );
  // A straight motion is still possible, and later queries work.
  assert.is(scene.detect({ continuous: true }).count, 0);
  assert.is(scene.detect({ continuous: true, ...RIGID }).count, 0);
  scene.dispose();
});

test.run();
