// Tests engine.contacts: manifolds equal the slow reference, and simple scenes give the expected points.

import * as assert from 'uvu/assert';
import { createEngine, type Engine, type Mesh } from '../../dist/index.js';
import {
  box,
  createRandom,
  type MeshData,
  rotation,
  soup,
  sphere,
  torus,
  translation,
} from '../../dist/samples/index.js';
import { caught, withEngine } from '../support/engines.js';
import { emptyMesh } from '../support/placedScenes.js';
import { test } from '../support/test.js';
import {
  type Bodies,
  checkContacts,
  checkShape,
  type FoundManifold,
  manifoldsOf,
  type Placement,
  randomPlacement,
} from './checkManifolds.js';
import type { SoupData, Vector } from './slowManifolds.js';
import { ground, insideOut, room, unindexed } from './surfaces.js';

const engine = await createEngine({ threads: 2, warmUp: 'off' });
test.after(() => engine.dispose());

const bodiesOf = (dataA: SoupData, dataB: SoupData): Bodies => {
  const make = (data: SoupData): Mesh => engine.createMesh(data as MeshData);
  return { dataA, dataB, a: make(dataA), b: make(dataB) };
};

// Returns the manifolds of two meshes that exist only during the call.
function contactsOf(dataA: SoupData, dataB: SoupData, placed: Placement = {}): FoundManifold[] {
  const { a, b } = bodiesOf(dataA, dataB);
  const found = engine.contacts(a, b, placed);
  checkShape(found);
  a.dispose();
  b.dispose();
  return manifoldsOf(found);
}

type Axis = 'x' | 'y' | 'z' | 'none';

// Returns a placement that first mirrors the mesh along an axis.
const mirrored = (placement: Float64Array, axis: Axis): Float64Array =>
  placement.map((value, k) => (k >> 2 === 'xyz'.indexOf(axis) ? -value : value));

// Compares the manifolds of many placements with the reference, also with A and B swapped. A near tie is
// a decision that rounding errors may change; more than the share `minShare` of the comparisons must have none.
function compareMany(
  name: string,
  [dataA, dataB]: readonly [SoupData, SoupData],
  count: number,
  {
    reach = 0.6,
    seed = 1,
    around = [0, 0, 0] as Vector,
    minMargin = 1e-13,
    minShare = 0.6,
    mirrorA = 'none' as Axis,
    mirrorB = 'none' as Axis,
  } = {},
): void {
  const bodies = bodiesOf(dataA, dataB);
  const { a, b } = bodies;
  const back: Bodies = { dataA: dataB, dataB: dataA, a: b, b: a };
  let [compared, manifolds] = [0, 0];
  for (let i = 0; i < count; i++) {
    const transformA = mirrored(randomPlacement(1000 * seed + i, reach, around), mirrorA);
    const transformB = mirrored(randomPlacement(1000 * seed + i + 500, reach, around), mirrorB);
    const swapped = { transformA: transformB, transformB: transformA };
    for (const found of [
      checkContacts(engine, bodies, { transformA, transformB }, `${name} ${i}`, minMargin),
      checkContacts(engine, back, swapped, `${name} ${i}, swapped`, minMargin),
    ]) {
      if (found === undefined) continue;
      compared++;
      manifolds += found;
    }
  }
  a.dispose();
  b.dispose();
  assert.ok(compared > 2 * minShare * count, `${name}: only ${compared} of ${2 * count} have no near ties`);
  assert.ok(manifolds > count, `${name}: only ${manifolds} manifolds`);
}

const shapes: Record<string, readonly [SoupData, SoupData]> = {
  tori: [torus(160), torus(200)],
  'sphere and torus': [sphere(90), torus(160)],
  spheres: [sphere(90), sphere(130)],
  boxes: [box(), box(1.2, 0.7, 0.4)],
  'box and sphere': [box(0.8, 0.7, 0.9), sphere(90)],
  'inside out': [insideOut(torus(160)), sphere(90)],
  soups: [soup(60, 1), soup(70, 2)],
};

let seed = 1;
for (const [name, pair] of Object.entries(shapes)) {
  const own = seed++;
  test(`manifolds equal the reference: ${name}`, () => compareMany(name, pair, 12, { seed: own }));
}

test('manifolds equal the reference for meshes without indices', () => {
  // Equal candidates of neighboring triangles have different features, so there are many near ties.
  const options = { seed: 21, minShare: 0.3 };
  compareMany('tori', [unindexed(torus(160)), unindexed(torus(200))], 12, options);
  compareMany('box and sphere', [unindexed(box(0.8, 0.7, 0.9)), unindexed(sphere(90))], 12, options);
});

test('manifolds equal the reference for meshes in doubles, and far from the origin', () => {
  const inDoubles = ({ positions, indices }: MeshData): SoupData => ({
    positions: Float64Array.from(positions, value => value / 3),
    indices,
  });
  compareMany('doubles', [inDoubles(torus(160)), inDoubles(sphere(90))], 8, { seed: 31, reach: 0.2 });
  compareMany('far', [torus(160), sphere(90)], 8, {
    seed: 32,
    around: [1e5, -1e5, 0.5e5],
    // Greater than rounding errors far away, and less than COINCIDENT in slowManifolds.ts, the distance within
    // which points coincide.
    minMargin: 4e-10,
    minShare: 0.4,
  });
});

for (const [mirrorA, mirrorB] of [
  ['x', 'none'],
  ['none', 'y'],
  ['z', 'x'],
] as const)
  test(`manifolds equal the reference for mirrored placements: ${mirrorA}, ${mirrorB}`, () => {
    const mirrors = { seed: 41, mirrorA, mirrorB };
    compareMany('mirrored torus and sphere', [torus(160), sphere(90)], 8, mirrors);
    compareMany('mirrored boxes', [box(0.8, 0.7, 0.9), box(1.2, 0.7, 0.4)], 8, mirrors);
  });

test('manifolds equal the reference for tiny, huge, scaled and sheared placements', () => {
  const bodies = bodiesOf(torus(100), sphere(90));
  let compared = 0;
  for (const power of [-60, 0, 60])
    for (let i = 0; i < 6; i++) {
      const random = createRandom(70 + i);
      const affine = (): Float64Array =>
        randomPlacement(random.bits(), 0.3).map((value, k) =>
          k === 15 ? 1 : (value + (k < 11 && k % 4 < 3 ? random.between(-0.2, 0.2) : 0)) * 2 ** power,
        );
      const placed = { transformA: affine(), transformB: affine() };
      if (checkContacts(engine, bodies, placed, `2^${power}, ${i}`) !== undefined) compared++;
    }
  bodies.a.dispose();
  bodies.b.dispose();
  assert.ok(compared > 11, `${compared}`);
});

const isNear = (one: number, other: number, tolerance = 1e-12): boolean => Math.abs(one - other) <= tolerance;

// Fails unless the points of a manifold are the expected ones, in any order.
function checkPoints(
  { points }: FoundManifold,
  expected: readonly Vector[],
  depth: number,
  tolerance = 1e-10,
) {
  assert.is(points.length, expected.length);
  for (const wanted of expected)
    assert.ok(
      points.some(({ point }) => wanted.every((value, k) => isNear(value, point[k], tolerance))),
      `no point at ${wanted}: ${points.map(({ point }) => point.join()).join(' ')}`,
    );
  for (const point of points) assert.ok(isNear(point.depth, depth, tolerance), `depth ${point.depth}`);
  assert.is(new Set(points.map(({ feature }) => feature)).size, points.length, 'the features are distinct');
}

const square = (x: number, y: number, z: number, half = 1): Vector[] =>
  [-1, 1].flatMap(i => [-1, 1].map((k): Vector => [x + half * i, y, z + half * k]));

test('a box that rests on a flat box has four points at its corners, and a normal that points down', () => {
  const slab = box(10, 1, 10);
  for (const [x, z] of [
    [0, 0],
    [0.3, 0.1],
    [-2.5, 3],
  ]) {
    const placed = { transformA: translation([x, 0.99, z]), transformB: translation([0, -1, 0]) };
    const found = contactsOf(box(), slab, placed);
    assert.is(found.length, 1, `${x}, ${z}`);
    assert.equal(
      found[0].normal.map(value => value + 0),
      [0, -1, 0],
    );
    checkPoints(found[0], square(x, -0.005, z), 0.01);
    const back = contactsOf(slab, box(), { transformA: placed.transformB, transformB: placed.transformA });
    assert.is(back.length, 1);
    assert.equal(
      back[0].normal.map(value => value + 0),
      [0, 1, 0],
    );
    checkPoints(back[0], square(x, -0.005, z), 0.01);
  }
});

test('a mirrored box on a mirrored ground has the same points and normals as without mirror images', () => {
  for (const axis of ['x', 'y', 'z', 'none'] as const)
    for (const groundAxis of ['x', 'y', 'z', 'none'] as const) {
      const name = `${axis}, ${groundAxis}`;
      const above = mirrored(translation([0.3, 0.99, 0.1]), axis);
      // A slab faces up however it is mirrored; the flat ground faces down if it is mirrored along y.
      const slabBelow = mirrored(translation([0, -1, 0]), groundAxis);
      const flat = mirrored(translation([0, 0, 0]), groundAxis === 'y' ? 'none' : groundAxis);
      for (const [data, transformB] of [
        [box(10, 1, 10), slabBelow],
        [ground(1, 10), flat],
        [ground(7, 10), flat],
      ] as const)
        for (const isBack of [false, true]) {
          const [found, ...more] = isBack
            ? contactsOf(data, box(), { transformA: transformB, transformB: above })
            : contactsOf(box(), data, { transformA: above, transformB });
          assert.is(more.length, 0, name);
          assert.equal(
            found.normal.map(value => value + 0),
            [0, isBack ? 1 : -1, 0],
            name,
          );
          checkPoints(found, square(0.3, -0.005, 0.1), 0.01);
        }
    }
});

test('a box that touches a flat box exactly has one manifold of depth 0', () => {
  for (const [x, z] of [
    [0.3, 0.1],
    [0, 0],
  ]) {
    const placed = { transformA: translation([x, 1, z]), transformB: translation([0, -1, 0]) };
    const found = contactsOf(box(), box(10, 1, 10), placed);
    assert.is(found.length, 1);
    assert.equal(
      found[0].normal.map(value => value + 0),
      [0, -1, 0],
    );
    checkPoints(found[0], square(x, 0, z), 0);
  }
});

test('a box on a ground of many triangles has four points at its corners', () => {
  for (const cells of [1, 7, 16]) {
    const found = contactsOf(box(), ground(cells, 10), { transformA: translation([0.3, 0.99, 0.1]) });
    assert.is(found.length, 1, `${cells} cells`);
    assert.equal(
      found[0].normal.map(value => value + 0),
      [0, -1, 0],
    );
    checkPoints(found[0], square(0.3, -0.005, 0.1), 0.01);
  }
});

test('a box in the corner of a room has a manifold with the floor and with each wall', () => {
  for (const cells of [1, 5]) {
    const found = contactsOf(box(), room(cells, 8), { transformA: translation([0.99, 0.98, 0.97]) });
    const normals = found.map(({ normal }) => normal.map(value => value + 0).join());
    assert.equal(normals.sort(), ['-1,0,0', '0,-1,0', '0,0,-1'], `${cells} cells`);
    for (const { normal, points } of found) {
      const axis = normal.indexOf(-1);
      assert.ok(points.length >= 3, `${points.length} points`);
      for (const { depth, point } of points) {
        assert.ok(isNear(depth, [0.01, 0.02, 0.03][axis], 1e-7), `axis ${axis}, depth ${depth}`);
        assert.ok(isNear(point[axis], [-0.005, -0.01, -0.015][axis], 1e-7));
      }
    }
  }
});

// Checks that two stacked boxes are pushed apart along y, without deep contacts along other axes.
function checkStacked(placed: Placement, depth: number): void {
  const found = contactsOf(box(), box(), placed);
  const deep = found.filter(({ points }) => points.some(point => point.depth > 1e-9));
  assert.ok(deep.length > 0);
  for (const { normal, points } of deep) {
    assert.ok(normal[1] > 0.999, `normal ${normal}, depth ${points[0].depth}`);
    for (const point of points) assert.ok(point.depth < depth + 1e-6, `depth ${point.depth}`);
  }
  const xs = deep.flatMap(({ points }) => points.map(({ point }) => point[0]));
  const zs = deep.flatMap(({ points }) => points.map(({ point }) => point[2]));
  for (const list of [xs, zs])
    assert.ok(Math.max(...list) - Math.min(...list) > 1.8, 'the points are spread');
}

test('stacked boxes of equal size, exactly aligned, are pushed apart along the stack', () =>
  checkStacked({ transformB: translation([0, 1.99, 0]) }, 0.01));

test('stacked boxes that are slightly shifted or rotated are pushed apart along the stack', () => {
  checkStacked({ transformB: translation([0.05, 1.99, 0.03]) }, 0.01);
  checkStacked({ transformB: translation([-0.04, 1.99, 0.02]) }, 0.01);
  checkStacked({ transformB: translation([0.05, 1.99, 0]) }, 0.01);
  checkStacked({ transformB: rotation([0, 1, 0], 0.1, [0.01, 1.99, 0.02]) }, 0.01);
});

test('crossed bars, edge over edge, are pushed apart at the crossing', () => {
  const overlap = 0.01;
  const transformA = rotation([1, 0, 0], Math.PI / 4);
  const height = 2 * Math.SQRT1_2 - overlap;
  const found = contactsOf(box(5, 0.5, 0.5), box(0.5, 0.5, 5), {
    transformA,
    transformB: rotation([0, 0, 1], Math.PI / 4, [0.2, height, 0.1]),
  });
  assert.ok(found.length > 0);
  for (const { normal, points } of found) {
    // The edges cross at a right angle, and the faces are 45 degrees steep.
    assert.ok(normal[1] > Math.SQRT1_2 - 1e-6, `normal ${normal}`);
    for (const { depth, point } of points) {
      assert.ok(depth > 0 && depth < 2 * overlap, `depth ${depth}`);
      const away = Math.hypot(point[0] - 0.2, point[1] - Math.SQRT1_2, point[2]);
      assert.ok(away < 4 * overlap, `point ${point}`);
    }
  }
  const push = found.reduce((sum, { normal }) => [0, 1, 2].map(k => sum[k] + normal[k]), [0, 0, 0]);
  assert.ok(push[1] > 0.9 * Math.hypot(...push), `all normals together: ${push}`);
});

test('a vertex in a face: one point with the depth of the vertex', () => {
  // A corner of the box points down.
  const tilted = rotation([Math.SQRT1_2, 0, -Math.SQRT1_2], Math.acos(Math.sqrt(1 / 3)));
  const lowest = (at: Float64Array): number =>
    Math.min(
      ...[0, 1, 2, 3, 4, 5, 6, 7].map(i =>
        [1, 2, 4].reduce((y, bit, k) => y + (i & bit ? 1 : -1) * at[4 * k + 1], 0),
      ),
    );
  const placed = translation([0.3, 0, 0.1]);
  tilted.set([0.3, -lowest(tilted) - 0.02, 0.1], 12);
  const [only, ...more] = contactsOf(box(), ground(3, 10), { transformA: tilted });
  assert.is(more.length, 0);
  assert.equal(
    only.normal.map(value => value + 0),
    [0, -1, 0],
  );
  const deepest = only.points[0];
  assert.ok(isNear(deepest.depth, 0.02));
  assert.ok(isNear(deepest.point[1], -0.01));
  assert.ok(Math.abs(deepest.point[0] - placed[12]) < 1e-9 && Math.abs(deepest.point[2] - placed[14]) < 1e-9);
  assert.ok(deepest.feature < 8, 'the feature is a vertex of the box');
});

test('meshes that share no point of their surfaces have no manifold', () => {
  for (const [dataA, dataB, transformB] of [
    [box(), box(), translation([3, 0, 0])],
    [box(), sphere(60), translation([0, 0, 0])],
    [box(5, 5, 5), torus(100), translation([1, 1, 1])],
    [emptyMesh, torus(100), translation([0, 0, 0])],
    [torus(100), emptyMesh, translation([0, 0, 0])],
    [emptyMesh, emptyMesh, translation([0, 0, 0])],
  ] as const) {
    const small =
      dataB === emptyMesh ? transformB : transformB.map((value, k) => (k < 12 ? 0.9 * value : value));
    const { a, b } = bodiesOf(dataA, dataB);
    const found = engine.contacts(a, b, { transformB: small });
    checkShape(found);
    assert.equal(
      [found.count, found.pointCount, [...found.manifoldsAt], [...found.pointsAt]],
      [0, 0, [0, 0], [0]],
    );
    a.dispose();
    b.dispose();
  }
});

const triangle = (...corners: number[]): SoupData => ({ positions: Float32Array.from(corners) });

test('triangles without area', () => {
  const flat = triangle(0, 0, 0, 1, 0, 0, 0, 0, 1);
  // A segment that reaches 0.25 below the flat triangle, which faces down.
  const needle = triangle(0.25, 1, 0.25, 0.25, -0.25, 0.25, 0.25, -0.25, 0.25);
  const [below, ...none] = contactsOf(needle, flat);
  assert.is(none.length, 0);
  assert.equal(
    below.normal.map(value => value + 0),
    [0, 1, 0],
  );
  assert.ok(isNear(below.points[0].depth, 1), 'the upper end is 1 deep, because the triangle faces down');
  const [above] = contactsOf(flat, needle);
  assert.equal(
    above.normal.map(value => value + 0),
    [0, -1, 0],
  );
  assert.ok(isNear(above.points[0].depth, 1));
  // If two segments cross, the normal is zero, and the only point is the first corner of A.
  const [crossed, ...others] = contactsOf(
    triangle(-1, 0, 0, 1, 0, 0, 1, 0, 0),
    triangle(0, -1, 0, 0, 1, 0, 0, -1, 0),
  );
  assert.is(others.length, 0);
  assert.equal(crossed, { normal: [0, 0, 0], points: [{ point: [-1, 0, 0], depth: 0, feature: 0 }] });
  const [point] = contactsOf(triangle(2, 3, 4, 2, 3, 4, 2, 3, 4), triangle(2, 3, 4, 2, 3, 4, 2, 3, 4));
  assert.equal(point, { normal: [0, 0, 0], points: [{ point: [2, 3, 4], depth: 0, feature: 0 }] });
});

test('manifolds equal the reference for meshes in which every third triangle is a segment', () => {
  const thin = (own: number): SoupData => ({
    positions: soup(300, own).positions,
    indices: Uint32Array.from({ length: 900 }, (_, i) => (i % 9 === 8 ? i - 1 : i)),
  });
  compareMany('segments', [thin(5), thin(6)], 6, { seed: 51, reach: 0.2 });
});

test('coplanar triangles that face the same way, or each other', () => {
  const up = triangle(0, 0, 0, 0, 0, 4, 4, 0, 0);
  const other = triangle(1, 0, 1, 1, 0, 9, 9, 0, 1);
  const down = triangle(1, 0, 1, 9, 0, 1, 1, 0, 9);
  for (const [data, y] of [
    [other, -1],
    [down, 1],
  ] as const) {
    const [only, ...more] = contactsOf(up, data);
    assert.is(more.length, 0);
    assert.equal(
      only.normal.map(value => value + 0),
      [0, y, 0],
    );
    checkPoints(
      only,
      [
        [1, 0, 1],
        [3, 0, 1],
        [1, 0, 3],
      ],
      0,
    );
  }
});

test('the arrays stay valid after later calls', () => {
  const { a, b } = bodiesOf(torus(200), torus(200));
  const placed = { transformB: randomPlacement(3, 0.5) };
  const first = engine.contacts(a, b, placed);
  const copy = structuredClone(manifoldsOf(first));
  engine.contacts(a, b, { transformB: randomPlacement(4, 0.5) });
  engine.query(a, b);
  assert.ok(copy.length > 0);
  assert.equal(manifoldsOf(first), copy);
  assert.equal(manifoldsOf(engine.contacts(a, b, placed)), copy);
  a.dispose();
  b.dispose();
});

test('a mesh against itself, and a deformable mesh after an update', () => {
  const data = torus(160);
  const mesh = engine.createMesh(data);
  const soft = engine.createMesh(sphere(90), { deformable: true });
  const positions = sphere(90).positions.map((value, i) => value * (1 + 0.1 * (i % 3)));
  soft.update(positions);
  const itself = { dataA: data, dataB: data, a: mesh, b: mesh };
  const deformed = { dataA: { ...sphere(90), positions }, dataB: data, a: soft, b: mesh };
  for (const bodies of [itself, deformed]) {
    const counts = [1, 2, 3, 4, 5, 6].map(i =>
      checkContacts(engine, bodies, { transformB: randomPlacement(i, 0.4) }, `placement ${i}`),
    );
    assert.ok(counts.filter(count => count !== undefined && count > 0).length >= 3, counts.join());
  }
  mesh.dispose();
  soft.dispose();
});

test('the result does not depend on the numbers of threads and parts or on the kind of memory', async () => {
  const run = (from: Engine): FoundManifold[][] => {
    const [a, b] = [from.createMesh(torus(2000)), from.createMesh(torus(3000))];
    return ([{}, { parts: 7 }, { stealing: 'off' }] as const).map(options =>
      manifoldsOf(from.contacts(a, b, { transformB: randomPlacement(11, 0.5), ...options })),
    );
  };
  const expected = await withEngine({ threads: 1, warmUp: 'off' }, run);
  assert.ok(expected[0].length > 20);
  for (const options of [
    { threads: 2 },
    { threads: 5 },
    { memory: 'single' },
    { threads: 2, initialPairCapacity: 1 },
  ] as const)
    assert.equal(await withEngine({ ...options, warmUp: 'off' }, run), expected, JSON.stringify(options));
});

test('invalid arguments cause the same errors as in engine.query', () =>
  withEngine({ threads: 1, warmUp: 'off' }, async own => {
    const [a, b] = [own.createMesh(box()), own.createMesh(box())];
    const gone = own.createMesh(box());
    gone.dispose();
    const refused = (options: unknown, first: unknown = a, second: unknown = b): string => {
      const error = caught(() => own.contacts(first as Mesh, second as Mesh, options as object));
      assert.ok(error.fix, error.message);
      return `${error.code}: ${error.message}`;
    };
    assert.match(refused({ tranformB: translation([0, 0, 0]) }), /^Unsupported: .*did you mean 'transformB'/);
    assert.match(refused({ want: 'pairs' }), /^Unsupported: .*unknown key 'want'/);
    assert.match(refused(null), /^Unsupported: options is null/);
    assert.match(refused(translation([0, 0, 0])), /^Unsupported/);
    assert.match(refused({ transformA: new Float32Array(3) }), /^InvalidTransform/);
    assert.match(refused({ transformB: translation([0, NaN, 0]) }), /^InvalidTransform: .*NaN/);
    assert.match(refused({ parts: 0 }), /^Unsupported: parts/);
    assert.match(refused({}, null), /^Unsupported/);
    assert.match(refused({}, a, box()), /^Unsupported/);
    assert.match(refused({}, gone), /^Disposed/);
    assert.match(refused({}, a, gone), /^Disposed/);
    assert.match(refused({}, engine.createMesh(box())), /^Unsupported/);
    assert.match(
      caught(() => (own.contacts as (...all: unknown[]) => unknown)(a, b, {}, 1)).message,
      /was given an extra argument, 1/,
    );
    // After all these errors, the engine still works.
    assert.is(own.contacts(a, b, { transformB: translation([0.5, 1.99, 0.25]) }).count > 0, true);
    own.dispose();
    assert.match(refused({}), /^Disposed/);
    await withEngine({ threads: 1, modules: ['scenes'], warmUp: 'off' }, bare => {
      const mesh = bare.createMesh(box());
      const { contacts } = bare as unknown as Engine;
      assert.match(caught(() => contacts.call(bare, mesh, mesh)).message, /needs module 'manifolds'/);
    });
  }));

test.run();
