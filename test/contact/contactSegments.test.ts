// Tests queries of placed meshes with want: 'segments', which return the kind of each intersecting triangle
// pair (such as CROSS) and the points that the two triangles share. Both must equal the oracle's, whether the
// kernel or the integer code computed them.

import * as assert from 'uvu/assert';
import {
  type ContactSegmentsCopy,
  createEngine,
  type Engine,
  type Mesh,
  type MeshData,
  type Transforms,
} from '../../dist/index.js';
import { box, rotation, sphere, torus, translation } from '../../dist/samples/index.js';
import { type OracleMesh, placeTriangles } from '../oracle/place.js';
import { dataTest } from '../support/data.js';
import { caught, poolOf, withEngine } from '../support/engines.js';
import { faulty } from '../support/faultyWorkers.js';
import { hashBytes } from '../support/hash.js';
import { emptyMesh, flatPlacements, meshPairs, placements, seeded } from '../support/placedScenes.js';
import { test } from '../support/test.js';
import { readBunny, readMeshPairs } from '../support/truth.js';
import { curvesOf, endsOf, mirrored, pointsOf, segmentFault } from './segments.js';

const engine = await createEngine({ threads: 2 });
test.after(() => engine.dispose());

/**
 * If a scene has more triangle pairs than this, the oracle checks a sample: at least this many pairs and
 * fewer than twice as many.
 */
const LOOKED_AT = 20;

interface Placement {
  transformA?: Transforms;
  transformB?: Transforms;
}
const runQuery = (from: Engine, a: Mesh, b: Mesh, placed: Placement = {}): ContactSegmentsCopy =>
  from.query(a, b, { ...placed, want: 'segments' }).copy();
const hashOf = ({ a, b, kind, pointsAt, points }: ContactSegmentsCopy): string =>
  hashBytes(a, b, kind, pointsAt, points);

const meshes = new Map(
  Object.entries(meshPairs).map(([name, data]) => [
    name,
    data.map(one => engine.createMesh(one)) as [Mesh, Mesh],
  ]),
);

function checkPlaced(name: string, placed: Placement, maximum = LOOKED_AT): number {
  const [dataA, dataB] = meshPairs[name];
  const [a, b] = meshes.get(name)!;
  const cornersA = placeTriangles(dataA, placed.transformA);
  const cornersB = placeTriangles(dataB, placed.transformB);
  const pairs = engine.query(a, b, placed).copy();
  const found = runQuery(engine, a, b, placed);
  assert.equal([found.a, found.b], [pairs.a, pairs.b], name);
  assert.is(segmentFault(found, cornersA, cornersB, maximum), '', name);
  if (found.count > 2 * maximum) return found.count;
  const back = runQuery(engine, b, a, { transformA: placed.transformB, transformB: placed.transformA });
  assert.equal(back, mirrored(found, cornersA, cornersB), `${name}, exchanged`);
  return found.count;
}

let kind = 1;
for (const [name, place] of Object.entries({ ...placements, ...flatPlacements })) {
  const first = 900 * kind++;
  test(`placed meshes agree with the oracle: ${name}`, () => {
    let found = 0;
    Object.keys(meshPairs).forEach((pairName, at) => {
      const placed = place(seeded(first + at));
      found += checkPlaced(pairName, placed);
    });
    assert.ok(found > 0);
  });
}

const counts = ({ kind: kinds }: ContactSegmentsCopy): number[] =>
  [1, 2, 3, 4, 5].map(value => kinds.filter(one => one === value).length);
const cube = box(0.5, 0.5, 0.5) as MeshData & OracleMesh;

test('cubes that touch or overlap share the expected faces, edges and corners', () => {
  const mesh = engine.createMesh(cube);
  const cornersA = placeTriangles(cube);
  const beside = (x: number, y: number, z: number): ContactSegmentsCopy => {
    const transformB = translation([x, y, z]);
    const found = runQuery(engine, mesh, mesh, { transformB });
    assert.is(segmentFault(found, cornersA, placeTriangles(cube, transformB)), '', `${[x, y, z]}`);
    return found;
  };
  // The cubes share a face: the two coinciding faces consist of triangles that face in opposite directions.
  const [crossing, , , same, opposite] = counts(beside(1, 0, 0));
  assert.equal([crossing, same], [0, 0]);
  assert.ok(opposite === 2 || opposite === 4);
  // The cubes overlap by half: four faces of each cube lie in the plane of a face of the other cube that faces
  // in the same direction.
  assert.ok(counts(beside(0.5, 0, 0))[3] >= 4);
  // The cubes meet only at an edge or a corner, so they share no area.
  for (const [x, y, z] of [
    [1, 1, 0],
    [1, 1, 0.25],
    [1, 1, 1],
  ] as const) {
    const [cross, points, segments, ...areas] = counts(beside(x, y, z));
    assert.equal([cross, ...areas], [0, 0, 0]);
    assert.ok(z === 1 ? points > 0 && segments === 0 : segments > 0, `${[x, y, z]}`);
  }
  assert.equal(beside(1, 1, 1).points.subarray(0, 3), Float64Array.of(0.5, 0.5, 0.5));
  // The second cube stands on the first and is rotated by 45 degrees: the triangles share polygons of up to
  // six corners.
  const rotated = runQuery(engine, mesh, mesh, { transformB: rotation([0, 0, 1], Math.PI / 4, [0, 0, 1]) });
  assert.ok(rotated.kind.includes(5));
  mesh.dispose();
});

test('two coplanar triangles share a hexagon, counterclockwise around the normal of the first', () => {
  const first = Float32Array.of(0, 0, 0, 6, 0, 0, 3, 6, 0);
  const second = Float32Array.of(0, 4, 0, 6, 4, 0, 3, -2, 0);
  const [a, b] = [first, second].map(positions => engine.createMesh({ positions }));
  const found = runQuery(engine, a, b);
  const points = pointsOf(found, 0);
  assert.is(found.kind[0], 5);
  assert.is(points.length, 18);
  const orientations = Array.from({ length: 6 }, (_, i) => {
    const [p, q, r] = [i, (i + 1) % 6, (i + 2) % 6].map(k => [points[3 * k], points[3 * k + 1]]);
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
  });
  assert.ok(
    orientations.every(sign => sign > 0),
    String(points),
  );
});

test('contact normals are unit vectors from A to B, and opposite if A and B are exchanged', async () => {
  const [a, b] = [cube, sphere(200)].map(data => engine.createMesh(data));
  const normalsOf = (found: ContactSegmentsCopy, i: number) => [...found.normals!.subarray(3 * i, 3 * i + 3)];
  const beside = (x: number, y: number) =>
    engine.query(a, a, { transformB: translation([x, y, 0]), want: 'segments', normals: true }).copy();
  const areas = [...beside(1, 0.25).kind].flatMap((kind, i) => (kind === 5 ? [i] : []));
  assert.ok(areas.length > 0);
  for (const i of areas) assert.equal(normalsOf(beside(1, 0.25), i), [1, 0, 0]);
  const shifted = beside(0.5, 0);
  assert.ok(shifted.kind.includes(4));
  shifted.kind.forEach((kind, i) => {
    if (kind === 4) assert.equal(normalsOf(shifted, i), [0, 0, 0]);
  });
  // The ball is mostly above the cube, and its lowest point is inside.
  const placed = { transformB: rotation([0.48, 0.6, 0.64], 0.3, [0, 0, 1.4]) };
  const options = { ...placed, want: 'segments', normals: true } as const;
  const found = engine.query(a, b, options).copy();
  assert.ok(found.count > 0);
  const [, , z] = [0, 1, 2].map(axis =>
    found.normals!.reduce((sum, x, i) => sum + (i % 3 === axis ? x : 0), 0),
  );
  assert.ok(z! > 0.9 * found.count, `${z} of ${found.count}`);
  const back = engine.query(b, a, { transformA: placed.transformB, want: 'segments', normals: true }).copy();
  const exchanged = new Map(Array.from({ length: back.count }, (_, i) => [`${back.b[i]} ${back.a[i]}`, i]));
  for (let i = 0; i < found.count; i++) {
    const [x, y, z] = normalsOf(found, i);
    assert.ok(Math.abs(x! * x! + y! * y! + z! * z! - 1) < 1e-15);
    const j = exchanged.get(`${found.a[i]} ${found.b[i]}`)!;
    assert.equal(
      normalsOf(back, j).map(part => 0 - part),
      [x, y, z].map(part => part! + 0),
    );
    // The normal is perpendicular to the segment.
    const [from, to] = [pointsOf(found, i).subarray(0, 3), pointsOf(found, i).subarray(3)];
    const along = [0, 1, 2].reduce((sum, axis) => sum + (to[axis] - from[axis]) * [x, y, z][axis]!, 0);
    assert.ok(Math.abs(along) < 1e-12, `${along}`);
  }
  const pairs = [
    { a: b, b: a, transformA: placed.transformB },
    { a, b, ...placed },
  ];
  const many = engine.queryMany({ pairs, want: 'segments', normals: true }).copy();
  assert.equal(many.normals, Float64Array.of(...back.normals!, ...found.normals!));
  const { normals, ...plain } = found;
  assert.equal(runQuery(engine, a, b, placed), plain);
  assert.equal((await engine.async.query(a, b, options)).normals, normals);
  a.dispose();
  b.dispose();
});

// Checks that all curves are closed: at each point at which a segment ends, exactly one other segment begins.
// Returns the number of curves.
function checkCurves(found: ContactSegmentsCopy, name: string): number {
  assert.ok(found.count > 0 && found.kind.every(one => one === 1), `${name}: all cross`);
  const ends = [...endsOf(found).values()];
  assert.ok(
    ends.every(({ balance, count }) => balance === 0 && count === 2),
    `${name}: ${ends.filter(({ count }) => count !== 2).length} unmatched ends of ${ends.length}`,
  );
  const curves = curvesOf(found);
  assert.is(
    curves.reduce((sum, curve) => sum + curve.length, 0),
    found.count,
  );
  for (const curve of curves)
    assert.equal(pointsOf(found, curve.at(-1)!).slice(3), pointsOf(found, curve[0]).slice(0, 3));
  return curves.length;
}

test('segments of closed surfaces form closed curves: each segment begins where another ends, to the byte', () => {
  const [a, b] = [sphere(4000), torus(4000)].map(data => engine.createMesh(data));
  const numbers = [
    [0.3, 0.2, 0.1],
    [0.5, -0.4, 0.05],
    [1000.3, 0.1, -0.2],
  ].map(([x, y, z], i) => {
    const rotationMatrix = rotation([0.48, 0.6, 0.64], 0.3 + i);
    const placed = {
      transformA: translation([x! > 9 ? 1000 : 0, 0, 0]),
      transformB: rotationMatrix.with(12, x!).with(13, y!).with(14, z!),
    };
    return checkCurves(runQuery(engine, a, b, placed), String([x, y, z]));
  });
  assert.ok(numbers.every(count => count > 0));
  a.dispose();
  b.dispose();
});

// Returns the triangles at the rims of holes. Such a triangle has an edge that belongs to no other triangle.
// The bunny has holes, and a curve may end only at their rims.
function rims({ indices }: { indices: Uint32Array }): Set<number> {
  const uses = new Map<string, number[]>();
  for (let i = 0; i < indices.length; i++) {
    const [u, v] = [indices[i], indices[i % 3 === 2 ? i - 2 : i + 1]];
    const key = u < v ? `${u} ${v}` : `${v} ${u}`;
    uses.set(key, [...(uses.get(key) ?? []), Math.floor(i / 3)]);
  }
  return new Set([...uses.values()].filter(triangles => triangles.length === 1).flat());
}

dataTest('the curves of two bunnies are closed unless they end at the rims of holes', () => {
  const bunny = readBunny();
  const mesh = engine.createMesh(bunny);
  const atRim = rims(bunny);
  let closedCount = 0;
  const size = bunny.positions.reduce((maximum, value) => Math.max(maximum, Math.abs(value)), 0);
  for (const angle of [0.2, 1, 2.5]) {
    const found = runQuery(engine, mesh, mesh, {
      transformB: rotation([0.48, 0.6, 0.64], angle, [0.1 * size, 0.05 * size, 0]),
    });
    const loose = [...endsOf(found).values()].filter(({ balance, count }) => balance !== 0 || count !== 2);
    assert.ok(found.count > 0 && found.kind.every(one => one === 1), `${found.count} pairs`);
    for (const { pairs } of loose)
      assert.ok(
        pairs.some(i => atRim.has(found.a[i]) || atRim.has(found.b[i])),
        'a curve ends away from a rim',
      );
    const closed = curvesOf(found).filter(
      curve =>
        Buffer.compare(
          Buffer.from(pointsOf(found, curve.at(-1)!).slice(3).buffer),
          Buffer.from(pointsOf(found, curve[0]).slice(0, 3).buffer),
        ) === 0,
    );
    assert.ok(
      loose.length > 0 || closed.length === curvesOf(found).length,
      `${found.count} pairs, ${closed.length} closed curves, ${loose.length} ends on rims`,
    );
    closedCount += closed.length;
    assert.is(
      segmentFault(
        found,
        placeTriangles(bunny),
        placeTriangles(bunny, rotation([0.48, 0.6, 0.64], angle, [0.1 * size, 0.05 * size, 0])),
        60,
      ),
      '',
    );
  }
  assert.ok(closedCount > 0);
  mesh.dispose();
});

dataTest(
  "for 24 placements of the bunny with coordinates on a grid, kinds and points equal the oracle's",
  () => {
    const { mesh: data, placements } = readMeshPairs();
    const mesh = engine.createMesh(data);
    const corners = placeTriangles(data);
    for (const { transform, pairCount } of placements) {
      const found = runQuery(engine, mesh, mesh, { transformB: transform });
      assert.is(found.count, pairCount);
      assert.is(segmentFault(found, corners, placeTriangles(data, transform), 40), '');
    }
    mesh.dispose();
  },
);

// Queries several scenes that together have many pairs of all kinds, for example a lattice against itself.
const scene = (from: Engine): ContactSegmentsCopy[] =>
  [
    ['lattice', 'rigid'],
    ['touching plates', 'none'],
    ['a mesh and itself', 'none'],
    ['degenerate and lattice', 'none'],
    ['huge', 'none'],
  ].map(([name]) => {
    const [a, b] = meshPairs[name!].map(data => from.createMesh(data));
    return runQuery(from, a, b);
  });
const large = (from: Engine): ContactSegmentsCopy[] => {
  const mesh = from.createMesh(torus(6000));
  return [translation([0, 0, 0]), translation([0.5, 0.1, 0.2])].map(transformB =>
    runQuery(from, mesh, mesh, { transformB }),
  );
};
const truth = await withEngine({ threads: 1 }, from => [...scene(from), ...large(from)].map(hashOf));

for (const options of [
  { threads: 2 },
  { threads: 5 },
  { threads: 16 },
  { memory: 'single' },
  { threads: 1, initialPairCapacity: 0 },
  { threads: 3, initialPairCapacity: 1 },
] as const) {
  test(`the same bytes as with one thread: ${JSON.stringify(options)}`, () =>
    withEngine(options, from => assert.equal([...scene(from), ...large(from)].map(hashOf), truth)));
}

for (const fault of ['spin', 'exit'] as const) {
  test.slow(`workers that ${fault} change no byte`, async () => {
    for (const order of [2, 3, 4]) {
      const { createWorker } = faulty(index => ({ kind: fault, when: 'after', order: order + index }));
      await withEngine({ threads: 3, createWorker }, from => {
        poolOf(from).deadlineMilliseconds = 60;
        assert.equal([...large(from), ...large(from)].map(hashOf), [...truth.slice(-2), ...truth.slice(-2)]);
      });
    }
  });
}

test("empty meshes and order: 'any' give correct results, and stale results and invalid options are refused", () =>
  withEngine({ threads: 1 }, async from => {
    const [a, b] = [sphere(500), torus(500)].map(data => from.createMesh(data));
    const nothing = from.createMesh(emptyMesh);
    assert.equal(runQuery(from, a, nothing), {
      count: 0,
      a: new Uint32Array(0),
      b: new Uint32Array(0),
      kind: new Uint8Array(0),
      pointsAt: Uint32Array.of(0),
      points: new Float64Array(0),
    });
    const sorted = runQuery(from, a, b);
    const {
      a: anyA,
      b: anyB,
      kind: kinds,
      pointsAt,
    } = from.query(a, b, { want: 'segments', order: 'any', parts: 3 }).copy();
    assert.is(sorted.count, anyA.length);
    assert.equal(
      [...anyA].map((first, i) => [first, anyB[i], kinds[i], pointsAt[i + 1] - pointsAt[i]].join()).sort(),
      [...sorted.a]
        .map((first, i) =>
          [first, sorted.b[i], sorted.kind[i], sorted.pointsAt[i + 1] - sorted.pointsAt[i]].join(),
        )
        .sort(),
    );
    const held = from.query(a, b, { want: 'segments' });
    assert.is(held.kinds.CROSS, 1);
    assert.ok(held.stats.milliseconds >= 0);
    from.query(a, b);
    for (const name of ['a', 'kind', 'pointsAt', 'points', 'stats'] as const)
      assert.is(caught(() => held[name]).code, 'Stale');
    assert.is(caught(() => held.copy()).code, 'Stale');
    const refused = (options: object): string => {
      const { code, message } = caught(() => from.query(a, b, { want: 'segments', ...options }));
      return `${code}: ${message}`;
    };
    assert.match(refused({ clearance: 0.1 }), /^Unsupported: clearance is 0.1, but want is 'segments'/);
    assert.match(refused({ order: 'none' }), /^Unsupported: order is 'none'/);
    assert.match(refused({ transformA: new Float32Array(3) }), /^InvalidTransform/);
    assert.is(
      caught(() => from.query(a, undefined as unknown as Mesh, { want: 'segments' })).code,
      'Unsupported',
    );
    await withEngine({ threads: 1, modules: [] }, bare =>
      assert.is(
        caught(() => bare.query(bare.createMesh(cube), bare.createMesh(cube), { want: 'segments' })).code,
        'Unsupported',
      ),
    );
    from.dispose();
    assert.is(caught(() => from.query(a, b, { want: 'segments' })).code, 'Disposed');
  }));

test.run();
