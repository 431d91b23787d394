// Tests the planes with which a scene separates bodies, so that it need not query their meshes. The planes
// save queries and lose no contact, for any placements and when meshes change. To find planes, a scene needs a
// table of support values for each mesh. A mesh gets this table only after it has been queried often.

import * as assert from 'uvu/assert';
import { type Contacts, createEngine, type Mesh, type Scene } from '../../dist/index.js';
import { box, createRandom, rotation, sphere, torus } from '../../dist/samples/index.js';
import { test } from '../support/test.js';

const engine = await createEngine({ threads: 1, warmUp: 'off' });
const BODIES = 48;
const FRAMES = 12;
/** Number of frames after which every mesh has its table of support values. */
const SEEN = 8;

type Place = (body: number) => Float64Array;

/**
 * Makes a 4x4 matrix from nine numbers (a 3x3 matrix, column-major) and a translation. Multiplies both by
 * `scale`.
 */
function matrix(linear: readonly number[], shift: readonly number[], scale = 1): Float64Array {
  const [a, b, c, d, e, f, g, h, i] = linear.map(value => value * scale);
  const [x, y, z] = shift.map(value => value * scale);
  return Float64Array.of(a, b, c, 0, d, e, f, 0, g, h, i, 0, x, y, z, 1);
}

// Returns pairs of slots in the order in which the scene finds them.
const found = (scene: Scene, { a, b, count }: Contacts): string[] =>
  Array.from({ length: count }, (_, i) => `${scene.slotOf(a[i])} ${scene.slotOf(b[i])}`);

// Queries each pair separately, without a broad phase, boxes of bodies or separating planes.
function expectedPairs(meshes: readonly Mesh[], place: Place): string[] {
  const pairs: string[] = [];
  const placed = meshes.map((_, body) => place(body));
  for (let a = 0; a < meshes.length; a++) {
    for (let b = a + 1; b < meshes.length; b++) {
      if (engine.query(meshes[a], meshes[b], { transformA: placed[a], transformB: placed[b], want: 'any' }))
        pairs.push(`${a} ${b}`);
    }
  }
  return pairs;
}

function compare(kinds: readonly Mesh[], placesOf: (frame: number) => Place): number {
  using scene = engine.createScene();
  const meshes = Array.from({ length: BODIES }, (_, body) => kinds[body % kinds.length]);
  for (const mesh of meshes) scene.add(mesh);
  let contacts = 0;
  for (let frame = 0; frame < FRAMES; frame++) {
    const place = placesOf(frame);
    const matrices = new Float64Array(16 * BODIES);
    for (let body = 0; body < BODIES; body++) matrices.set(place(body), 16 * body);
    scene.setTransforms(matrices);
    const pairs = found(scene, scene.detect({ narrow: 'any' }));
    if (frame < SEEN) continue;
    assert.equal(pairs, expectedPairs(meshes, place), `frame ${frame}`);
    contacts += pairs.length;
  }
  return contacts;
}

const ball = sphere(80);
// A shape that no mirroring and no rotation maps to itself.
const leaning = ball.positions.map((value, i, all) =>
  i % 3 === 0
    ? value + 0.5 * all[i + 1] + 0.7
    : i % 3 === 1
      ? 0.6 * value
      : 1.4 * value + 0.4 * all[i - 2] - 0.2,
);
const shapes = [
  engine.createMesh({ positions: leaning, indices: ball.indices }),
  engine.createMesh(torus(120)),
  engine.createMesh(box(0.5, 0.5, 0.5)),
];

test('contacts are correct for bodies that are mirrored, sheared, flat or of very different sizes', () => {
  const random = createRandom(1);
  const linear = (size: number): number[] => Array.from({ length: 9 }, () => size * random.between(-1, 1));
  for (const scale of [1, 2 ** -90, 2 ** 90]) {
    const contacts = compare(shapes, () => {
      const places = Array.from({ length: BODIES }, (_, body) => {
        const columns = linear(2 ** random.between(-3, 1));
        if (body % 7 === 0) columns.fill(0, 3, 6);
        return matrix(columns, [random.between(-2, 2), random.between(-2, 2), random.between(-2, 2)], scale);
      });
      return body => places[body];
    });
    assert.ok(contacts > 100, `${contacts} contacts`);
  }
});

test('contacts are correct for cubes on a lattice that touch face to face, edge to edge or corner to corner', () => {
  const random = createRandom(2);
  const rotations = [
    [1, 0, 0, 0, 1, 0, 0, 0, 1],
    [0, 1, 0, -1, 0, 0, 0, 0, 1],
    [0, 0, 1, 0, 1, 0, -1, 0, 0],
  ] as const;
  const whole = (): number => Math.floor(random.between(0, 5));
  const contacts = compare([shapes[2]], () => {
    const places = Array.from({ length: BODIES }, (_, body) =>
      matrix(rotations[body % 3], [whole(), whole(), whole()]),
    );
    return body => places[body];
  });
  assert.ok(contacts > 400, `${contacts} contacts`);
});

test('contacts are correct for bodies that share one vertex and lie on two sides of a plane through it', () => {
  const size = 0.7318;
  const mesh = engine.createMesh({
    positions: ball.positions.map(value => size * value),
    indices: ball.indices,
  });
  const count = ball.positions.length / 3;
  const contacts = compare([mesh], frame => body => {
    // Bodies 2k and 2k + 1 form a pair. The second is the first, reflected through one of its vertices, so
    // both bodies share this vertex.
    const vertex = 3 * (((body >> 1) + 24 * frame) % count);
    const at = 8 * (body >> 1);
    const shift = [0, 1, 2].map(axis => (body % 2) * 2 * Math.fround(size * ball.positions[vertex + axis]));
    const sign = body % 2 === 0 ? 1 : -1;
    return matrix([sign, 0, 0, 0, sign, 0, 0, 0, sign], [at + shift[0], shift[1], shift[2]]);
  });
  assert.ok(contacts >= ((FRAMES - SEEN) * BODIES) / 2, `${contacts} contacts`);
  mesh.dispose();
});

test('planes save queries after a mesh has been tested often, and again some frames after it has changed', () => {
  const soft = engine.createMesh(ball, { deformable: true });
  const { positions } = ball;
  using scene = engine.createScene();
  // The balls are in a row along the direction (1, 1, 1). The boxes of neighboring balls overlap under any
  // rotation, but the balls do not touch.
  for (let body = 0; body < BODIES; body++) scene.add(soft);
  const step = 1.25;
  const matrices = new Float32Array(16 * BODIES);
  const frame = (time: number): [tested: number, contacts: number] => {
    for (let body = 0; body < BODIES; body++) {
      const at = step * body + 0.001 * time;
      matrices.set(matrix([1, 0, 0, 0, 1, 0, 0, 0, 1], [at, at, at]), 16 * body);
    }
    scene.setTransforms(matrices);
    const { stats, count } = scene.detect({ narrow: 'any' });
    return [stats.tested, count];
  };
  assert.equal(frame(0), [BODIES - 1, 0]);
  for (let time = 1; time < SEEN; time++) frame(time);
  assert.equal(frame(SEEN), [0, 0]);
  // With the old table, which was made for the smaller ball, planes would wrongly separate the larger balls.
  soft.update(positions.map(value => 1.5 * value));
  for (let time = 0; time <= SEEN; time++) assert.is(frame(time)[1], BODIES - 1);
  soft.update(positions);
  for (let time = 0; time < SEEN; time++) frame(time);
  assert.equal(frame(SEEN), [0, 0]);
});

test('few pairs of convex bodies that do not touch are queried, because more than one plane is tried', () => {
  const random = createRandom(3);
  const matrices = new Float64Array(16 * BODIES);
  using scene = engine.createScene();
  for (let body = 0; body < BODIES; body++) scene.add(shapes[0]);
  let queryCount = 0;
  let contacts = 0;
  for (let frame = 0; frame < FRAMES; frame++) {
    for (let body = 0; body < BODIES; body++) {
      matrices.set(
        rotation(random.direction(), random.between(0, 6), [
          random.between(0, 7),
          random.between(0, 7),
          random.between(0, 7),
        ]),
        16 * body,
      );
    }
    scene.setTransforms(matrices);
    const { stats, count } = scene.detect({ narrow: 'any' });
    if (frame < SEEN) continue;
    queryCount += stats.tested;
    contacts += count;
  }
  // With the first plane alone, the number of queried pairs that do not touch would be two fifths of the
  // number of touching pairs.
  assert.ok(queryCount - contacts < contacts / 4, `${queryCount} queried, ${contacts} touch`);
});

test('tables of support values are freed with the scene', () => {
  const bytesOf = (): number => engine.query(shapes[0], shapes[1]).stats.bytes;
  compare(shapes, () => body => matrix([1, 0, 0, 0, 1, 0, 0, 0, 1], [body, 0, 0]));
  const before = bytesOf();
  compare(shapes, () => body => matrix([1, 0, 0, 0, 1, 0, 0, 0, 1], [body, 0, 0]));
  assert.is(bytesOf(), before);
});

test.run();
