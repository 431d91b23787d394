// Compares casts of meshes with an exact reference. For all pairs of triangles, the reference computes the
// distance between the prism of all points that the moving triangle passes and the other triangle.

import * as assert from 'uvu/assert';
import { createEngine, type ShapeHit } from '../../dist/index.js';
import { box, createRandom, type MeshData, rotation, torus, translation } from '../../dist/samples/index.js';
import { test } from '../support/test.js';
import { type Target, targetsOf } from './castTruth.js';
import { nearest, onGrid, vectorsOf } from './slowShapes.js';

const engine = await createEngine({ threads: 1 });
test.after(() => engine.dispose());

// The corners of the tetrahedra whose union is the prism. 0 to 2 are the corners of the triangle at the start
// of the motion, and 3 to 5 are its corners at the end.
const TETRAHEDRA = [
  [0, 1, 2, 3],
  [1, 2, 3, 4],
  [2, 3, 4, 5],
];

/**
 * Returns the distance between a triangle and the points that a moving triangle passes from the time `from` to
 * the time `to`. The distance is exact except for rounding.
 */
function distanceBetween(
  moving: ArrayLike<number>,
  motion: readonly number[],
  from: number,
  to: number,
  corners: ArrayLike<number>,
): number {
  // The corners at both times are rounded, but by less than the tolerance of the test.
  const placed = (time: number): number[] =>
    Array.from({ length: 9 }, (_, i) => moving[i] + time * motion[i % 3]);
  const { integers, exponent } = onGrid([...placed(from), ...placed(to), ...Array.from(corners)]);
  const points = vectorsOf(integers);
  const parts = from === to ? [[0, 1, 2]] : TETRAHEDRA;
  const squares = parts.map(part => {
    const { square } = nearest(
      part.map(corner => points[corner]),
      points.slice(6),
    );
    const shift = BigInt(Math.max(0, square.over.toString(2).length - 900));
    return (
      Math.sqrt(Number(square.over >> shift) / Number(square.under)) * 2 ** (Number(shift) / 2 + exponent)
    );
  });
  return Math.min(...squares);
}

const SLACK = 2 ** -38;
const isNear = (a: Target, b: Target, motion: readonly number[]): boolean =>
  [0, 1, 2].every(axis => {
    const range = ({ corners }: Target): number[] => [0, 3, 6].map(i => corners[i + axis]);
    const [low, high] = [Math.min(...range(a)), Math.max(...range(a))];
    return (
      low + Math.min(0, motion[axis]) <= Math.max(...range(b)) &&
      high + Math.max(0, motion[axis]) >= Math.min(...range(b))
    );
  });

function checkCast(
  hit: ShapeHit | undefined,
  moving: readonly Target[],
  targets: readonly Target[],
  motion: readonly number[],
): void {
  const until = hit ? hit.t : 1;
  for (const own of moving)
    for (const other of targets) {
      if (!isNear(own, other, motion)) continue;
      const isHit =
        hit?.triangle === other.triangle && hit.body === other.body && hit.movingTriangle === own.triangle;
      if (isHit) {
        const distance = distanceBetween(own.corners, motion, hit.t, hit.t, other.corners);
        assert.ok(distance <= SLACK, `the triangles are ${distance} apart at the time ${hit.t}`);
        if (hit.separation > 0) assert.ok(Math.abs(hit.separation - distance) <= SLACK);
        const point = [...hit.point, ...hit.point, ...hit.point];
        assert.ok(distanceBetween(point, [0, 0, 0], 0, 0, other.corners) <= SLACK);
      }
      if (until === 0) continue;
      const distance = distanceBetween(own.corners, motion, 0, until, other.corners);
      assert.ok(distance > 0, `contact before ${until}`);
    }
}

const motions = (random: ReturnType<typeof createRandom>, count: number) =>
  Array.from({ length: count }, (_, i) => {
    const from = random.direction().map(value => value * random.between(0.5, 4));
    const to = [0, 1, 2].map(() => random.between(-1, 1));
    const motion = from.map((value, k) => (to[k] - value) * [1, 1.5, 0.4, 0][i % 4]);
    return { from: from as [number, number, number], motion };
  });

for (const [name, own, other] of [
  ['boxes', box(0.5, 0.5, 0.5), box()],
  ['tori', torus(40), torus(60)],
] as const)
  test(`hits and misses of casts of a mesh equal the exact reference: ${name}`, () => {
    const [moving, fixed] = [engine.createMesh(own), engine.createMesh(other)];
    const targets = targetsOf(other as never);
    const random = createRandom(31);
    let hits = 0;
    const cases = motions(random, 20);
    cases.forEach(({ from, motion }, i) => {
      const transform = i % 3 === 0 ? translation(from) : rotation([0.6, 0, 0.8], i, from);
      const hit = engine.castMesh(fixed, moving, motion, { transform });
      checkCast(hit, targetsOf(own as never, transform), targets, motion);
      if (hit) hits++;
    });
    assert.ok(hits > 5 && hits < cases.length, `${hits} hits`);
    moving.dispose();
    fixed.dispose();
  });

test('bodies of a scene: mirrored, sheared and flat placements, and a mesh that is not placed', () => {
  const data: MeshData = torus(30);
  const crate = box(0.5, 0.25, 0.75);
  const [ring, solid] = [engine.createMesh(data), engine.createMesh(crate)];
  const scene = engine.createScene();
  const placements = [
    translation([2, 0, 0]),
    Float64Array.of(-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -2, 1, 0, 1),
    Float64Array.of(1, 0.5, 0, 0, -0.25, 2, 0.125, 0, 0, 0.75, 0.5, 0, 0, -3, 1, 1),
    Float64Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 3, 0, 1),
  ];
  const ids = placements.map(transform => scene.add(ring, { transform }));
  const targets = placements.flatMap((transform, i) => targetsOf(data as never, transform, ids[i]));
  const random = createRandom(33);
  let hits = 0;
  for (let i = 0; i < 16; i++) {
    const motion = [0, 1, 2].map(() => random.between(-4, 4));
    const transform = i % 2 === 0 ? undefined : rotation([0, 0.6, 0.8], i, [0.1 * i, 0, -0.5]);
    const hit = engine.castMesh(scene, solid, motion, { ...(transform && { transform }) });
    checkCast(hit, targetsOf(crate as never, transform), targets, motion);
    if (!hit) continue;
    hits++;
    const exclude = hit.body!;
    const next = engine.castMesh(scene, solid, motion, { ...(transform && { transform }), exclude });
    assert.ok(!next || (next.body !== exclude && next.t >= hit.t));
  }
  assert.ok(hits > 5, `${hits} hits`);
  scene.dispose();
  ring.dispose();
  solid.dispose();
});

test('a mesh that intersects at the start hits at time 0, except with ignoreSeparating if it moves away; normals do not point along the motion', () => {
  const crate = engine.createMesh(box());
  const at = { transform: translation([0.5, 1.5, 0.25]) };
  const hit = engine.castMesh(crate, crate, [0, -1, 0], at);
  assert.equal([hit?.t, hit?.separation], [0, 0]);
  assert.ok(hit!.normal[1] >= 0);
  const resting = { transform: translation([0.5, 2, 0.25]) };
  assert.is(engine.castMesh(crate, crate, [0, 1, 0], { ...resting, ignoreSeparating: true }), undefined);
  assert.is(engine.castMesh(crate, crate, [0, -1, 0], { ...resting, ignoreSeparating: true })?.t, 0);
  const falling = engine.castMesh(crate, crate, [0, -4, 0], { transform: translation([0.5, 4, 0.25]) });
  assert.ok(Math.abs(falling!.t - 0.5) < 1e-12 && falling!.t <= 0.5);
  assert.equal(
    falling!.normal.map(value => value + 0),
    [0, 1, 0],
  );
  const empty = engine.createMesh({ positions: new Float32Array(), indices: new Uint32Array() });
  assert.is(engine.castMesh(crate, empty, [0, 1, 0]), undefined);
  assert.is(engine.castMesh(empty, crate, [0, 1, 0]), undefined);
  crate.dispose();
  empty.dispose();
});

test.run();
