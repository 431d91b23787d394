// Tests continuous collision detection in scenes, on 1, 2 and 5 threads: the contacts of moving bodies must
// be those of a separate sweep of each pair. Covers exact contacts, near misses, extreme sizes, and large
// meshes that penetrate deeply.

import * as assert from 'uvu/assert';
import { createEngine, type Engine, type SweptContact } from '../../dist/index.js';
import { rotation, sphere, torus, translation } from '../../dist/samples/index.js';
import { kernelsOf } from '../support/engines.js';
import { crowd, pairsOf, rowsOf } from '../support/movingCrowd.js';
import { test } from '../support/test.js';

const engines = await Promise.all([1, 2, 5].map(threads => createEngine({ threads, warmUp: 'off' })));
test.after(() => engines.forEach(made => made.dispose()));

const KINDS = ['VF', 'FV', 'EE', 'start'];
const rowOf = ({ kind, featureA, featureB, toi, bound, triangleA, triangleB }: SweptContact): string =>
  [KINDS.indexOf(kind), featureA, featureB, toi, bound, triangleA, triangleB].join(' ');

test('a scene has the exact contacts that separate sweeps of its pairs find, and near misses hide no contact', () => {
  let total = 0;
  for (let seed = 1; seed <= 12; seed++) {
    let expected: { all: string[]; first: string[] } | undefined;
    for (const made of engines) {
      const { scene, bodies, froms, tos, all, start, meshes } = crowd(made, seed, 9);
      const runQuery = (i: number, k: number) => ({
        fromA: froms[i],
        toA: tos[i],
        fromB: froms[k],
        toB: tos[k],
        exact: true,
      });
      if (!expected) {
        expected = { all: [], first: [] };
        for (const [i, k] of pairsOf(bodies)) {
          const [p, q] = [bodies[i], bodies[k]];
          const contacts = made.sweep(p.mesh, q.mesh, { ...runQuery(i, k), want: 'all' });
          const first = made.sweep(p.mesh, q.mesh, runQuery(i, k));
          expected.all.push(...rowsOf(contacts).map(row => `${p.id} ${q.id} ${row}`));
          if (first) expected.first.push(`${p.id} ${q.id} ${rowOf(first)}`);
        }
      }
      scene.setTransforms(all);
      const swept = scene.detect({ continuous: true, exact: true, want: 'all' });
      assert.equal(
        rowsOf(swept).map((row, i) => `${swept.a[i]} ${swept.b[i]} ${row}`),
        expected.all,
      );
      total += swept.count;
      scene.setTransforms(all, { from: start });
      const first = scene.detect({ continuous: true, exact: true });
      assert.equal(
        rowsOf(first).map((row, i) => `${first.a[i]} ${first.b[i]} ${row}`),
        expected.first,
      );
      scene.dispose();
      for (const mesh of meshes) mesh.dispose();
    }
  }
  assert.ok(total > 1000, `${total} contacts`);
});

test('a scene that is disposed frees the data that it keeps for its meshes', async () => {
  const engine = await createEngine({ threads: 1, warmUp: 'off' });
  const ball = engine.createMesh(sphere(300));
  const used: number[] = [];
  const { arena } = (engine as unknown as { context: { arena: { usedBytes: number } } }).context;
  for (let run = 0; run < 3; run++) {
    const scene = engine.createScene();
    for (const x of [0, 5]) scene.add(ball, { transform: translation([x, 0, 0]) });
    scene.detect();
    scene.setTransform(0, translation([4, 0, 0]));
    assert.ok(scene.detect({ continuous: true }).a.length > 0);
    scene.dispose();
    used.push(arena.usedBytes);
  }
  assert.is(used[2], used[1]);
  engine.dispose();
});

test('a near miss that looks like a hit in double precision does not hide a face that is hit later', () => {
  for (const made of engines) {
    // A vertex falls past a slanted edge, at a distance of less than 2^-60, and then hits a face.
    const shelves = made.createMesh({
      positions: Float32Array.of(-1, -1, 0, 1, 1, 0, -1, 1, 0, -9, -9, -1, 9, -9, -1, 0, 9, -1),
      indices: Uint32Array.of(0, 1, 2, 3, 4, 5),
    });
    const falling = made.createMesh({
      positions: Float32Array.of(0, -(2 ** -60), 0, 0.25, -0.75, 0.5, 0.75, -0.25, 0.5),
      indices: Uint32Array.of(0, 1, 2),
    });
    for (const isFirst of [true, false]) {
      const scene = made.createScene();
      const add = (mesh: typeof falling, z: number): number =>
        scene.add(mesh, { transform: translation([0, 0, z]) });
      const bodies = isFirst ? [add(falling, 1), add(shelves, 0)] : [add(shelves, 0), add(falling, 1)];
      const fall = (): void => scene.setTransform(bodies[isFirst ? 0 : 1], translation([0, 0, -3]));
      fall();
      const exact = scene.detect({ continuous: true, exact: true });
      assert.equal([exact.count, exact.kind[0]], [1, isFirst ? 0 : 1]);
      assert.ok(exact.toi[0] <= 0.5 && exact.toi[0] + exact.bound[0] >= 0.5 && exact.bound[0] < 1e-6);
      scene.setTransform(bodies[isFirst ? 0 : 1], translation([0, 0, 1]));
      scene.detect({ continuous: true });
      fall();
      const quick = scene.detect({ continuous: true });
      assert.ok(quick.count === 1 && quick.toi[0] <= 0.25, 'without exact, the near miss was not reported');
      scene.dispose();
    }
    for (const mesh of [shelves, falling]) mesh.dispose();
  }
});

test('bodies with sizes and places outside the float range have the contacts that a separate sweep finds', () => {
  for (const made of engines) {
    const mesh = made.createMesh({ positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0) });
    for (const exponent of [-190, -130, 0, 100, 119, 124, 127, 128, 150, 190]) {
      for (const place of [0, 3, 1000]) {
        for (const motion of ['linear', 'rigid'] as const) {
          const size = 2 ** exponent;
          const scene = made.createScene();
          const at = (x: number, z: number): Float64Array =>
            Float64Array.of(
              size,
              0,
              0,
              0,
              0,
              size,
              0,
              0,
              0,
              0,
              size,
              0,
              (place + x) * size,
              (place + x) * size,
              (place + z) * size,
              1,
            );
          scene.add(mesh, { transform: at(0, 0) });
          scene.setTransform(scene.add(mesh, { transform: at(0.25, 1) }), at(0.25, -1));
          const swept = scene.detect({ continuous: true, motion, want: 'all' });
          const pair = made.sweep(mesh, mesh, {
            fromA: at(0, 0),
            fromB: at(0.25, 1),
            toB: at(0.25, -1),
            motion,
            want: 'all',
          });
          assert.ok(pair.count > 0);
          assert.equal(rowsOf(swept), rowsOf(pair), `2^${exponent} ${place} ${motion}`);
          scene.dispose();
        }
      }
    }
    mesh.dispose();
  }
});

/** Returns the placement, column by column, that has these three rows of four numbers. */
const fromRows = (rows: readonly (readonly number[])[]): Float64Array =>
  Float64Array.from({ length: 16 }, (_, i) => rows[i % 4]?.[i >> 2] ?? Number(i === 15));
/** Returns one coordinate of a placed vertex, given a row of the placement. Rounds as pfront does. */
const coordinate = ([x, y, z, at]: readonly number[], [p, q, r]: readonly number[]): number =>
  x * p + y * q + z * r + at;

test('a contact with a wall is found if a body whose vertices are far from the origin of its mesh just touches the wall', () => {
  for (const made of engines) {
    for (const side of [1, -1]) {
      const [end, middle, other] = [
        [519623, 737062],
        [519624.5, 737064],
        [519626, 737066],
      ].map(([x, y]) => [side * x, side * y, 0]);
      const stick = made.createMesh({
        positions: Float32Array.of(...end, ...middle, ...other),
        indices: Uint32Array.of(0, 1, 2),
      });
      for (let axis = 0; axis < 3; axis++) {
        const onAxes = <T>(values: readonly T[]): T[] => values.map((_, i) => values[(i + 3 - axis) % 3]);
        const wall = made.createMesh({
          positions: Float32Array.from(
            [
              [0, -1, -1],
              [0, 1, -1],
              [0, 0, 1],
            ].flatMap(onAxes),
          ),
          indices: Uint32Array.of(0, 1, 2),
        });
        // The stick's end is placed near 0. The terms of its coordinate along the axis are about 10^6 in size,
        // so the rounding errors are about 10^-10. The wall moves to the end, and its coordinate along the axis
        // becomes exactly that of the end.
        for (const shift of [0, 2 ** -33, -(2 ** -33), 2 ** -28]) {
          const rows = [
            [0.6, 0.8, 0, -(0.6 * end[0] + 0.8 * end[1]) + shift],
            [-0.8, 0.6, 0, 0.8 * end[0] - 0.6 * end[1]],
            [0, 0, 1, 0],
          ];
          const [x, y, z] = rows.map(row => coordinate(row, end));
          const scene = made.createScene();
          scene.add(stick, { transform: fromRows(onAxes(rows)) });
          const at = (distance: number): Float64Array =>
            translation(onAxes([x - side * distance, y, z]) as [number, number, number]);
          scene.setTransform(scene.add(wall, { transform: at(1) }), at(0));
          const swept = scene.detect({ continuous: true, exact: true });
          assert.equal([...swept.toi], [1], `axis ${axis}, side ${side}, shift ${shift}`);
          scene.dispose();
        }
        wall.dispose();
      }
      stick.dispose();
    }
  }
});

test('the tree of a mesh with the largest coordinates misses no face that touches another body', () => {
  const low = [-2.7515836893854786e38, 1.5509654387768378e38, 1.2462349109879737e38];
  const high = [-2.7515780103107896e38, 1.551089364299516e38, 1.2462683769638197e38];
  // The first four triangles are equal. Of all points of their box, `low` has the smallest coordinate on the
  // first axis of the scene. The other triangles are far away.
  const near = [...low, high[0], high[1], low[2], low[0], low[1], high[2]];
  const far = [3.2e38, 3.1e38, 3.2e38, 3.1e38, 3.2e38, 3.1e38, 3.15e38, 3.2e38, 3.2e38];
  const [x, y, z, shift] = [
    6.641902469112221e-7, 4.890782569931638e-7, 8.578090026254978e-7, 5.056454924356644e24,
  ];
  const rows = [
    [x, y, z, shift],
    [y, -x, 0, 0],
    [0, z, -y, 0],
  ];
  const size = 2 ** 60;
  for (const made of engines) {
    const huge = made.createMesh({
      positions: Float32Array.of(...near, ...near, ...near, ...near, ...far, ...far, ...far, ...far),
    });
    const wall = made.createMesh({ positions: Float32Array.of(0, -size, -size, 0, size, -size, 0, 0, size) });
    const scene = made.createScene();
    scene.add(huge, { transform: fromRows(rows) });
    const at = rows.map(row => coordinate(row, low)) as [number, number, number];
    scene.add(wall, { transform: translation(at) });
    const swept = scene.detect({ continuous: true, exact: true, want: 'all' });
    // Each of the four triangles has two contacts: its vertex `low` touches the wall (kind 0, 'VF'), and it
    // shares a point with the wall at the start (kind 3, 'start').
    assert.equal([...swept.kind].sort(), [0, 0, 0, 0, 3, 3, 3, 3]);
    assert.ok(swept.toi.every(toi => toi === 0));
    scene.dispose();
    for (const mesh of [huge, wall]) mesh.dispose();
  }
});

test('a contact is found although sums of coordinates, rounded to floats, overflow', () => {
  // x + y exceeds the largest float. The placement moves it to 2^102.
  const [x, y] = [2 ** 127, 2 ** 127 - 2 ** 103];
  const size = 2 ** 104;
  for (const made of engines) {
    const needle = made.createMesh({
      positions: Float32Array.of(x, y, 0, x, y, 2 ** 126, x, y, 2 ** 125),
    });
    const plate = made.createMesh({
      positions: Float32Array.of(-size, -size, 0, size, -size, 0, 0, size, 0),
    });
    const scene = made.createScene();
    scene.add(needle, {
      transform: fromRows([
        [1, 1, 0, 2 ** 102 - (x + y)],
        [0, 0, 0, 0],
        [0, 0, 2 ** -20, 0],
      ]),
    });
    scene.setTransform(
      scene.add(plate, { transform: translation([0, 0, -size]) }),
      translation([0, 0, size]),
    );
    const swept = scene.detect({ continuous: true, exact: true });
    assert.is(swept.count, 1);
    assert.ok(swept.toi[0] <= 0.5 && swept.toi[0] + swept.bound[0] >= 0.5 && swept.bound[0] < 1e-6);
    scene.dispose();
    for (const mesh of [needle, plate]) mesh.dispose();
  }
});

for (const how of [{}, { exact: true }, { motion: 'rigid' }, { minSeparation: 0.01 }] as const) {
  test(`a scene of small meshes and of large ones that penetrate deeply has the contacts of separate sweeps: ${JSON.stringify(how)}`, () => {
    let expected: { all: string[]; first: string[] } | undefined;
    for (const made of engines) {
      const large = made.createMesh(torus(2500));
      const small = made.createMesh(sphere(80));
      const scene = made.createScene();
      const meshes = [large, small, large, small, large];
      const froms = [
        [0, 0, 0],
        [1, 0, 0],
        [0.3, 0.2, 0.1],
        [-1, 0.2, 0.2],
        [9, 0, 0],
      ].map(place => translation(place as [number, number, number]));
      const tos = [
        [0.1, 0, 0],
        [1.2, 0.3, 0],
        [0.35, 0.2, 0.2],
        [-1.3, 0.1, 0],
        [9, 9, 9],
      ].map((place, i) => rotation([0.6, 0, 0.8], 0.05 * i, place as [number, number, number]));
      const ids = meshes.map((mesh, i) => scene.add(mesh, { transform: froms[i] }));
      const pairs = ids.flatMap((_, i) => ids.slice(i + 1).map((_, k) => [i, i + 1 + k] as const));
      if (!expected) {
        expected = { all: [], first: [] };
        for (const [i, k] of pairs) {
          const runQuery = { fromA: froms[i], toA: tos[i], fromB: froms[k], toB: tos[k], ...how };
          const first = made.sweep(meshes[i], meshes[k], runQuery);
          expected.all.push(
            ...rowsOf(made.sweep(meshes[i], meshes[k], { ...runQuery, want: 'all' })).map(
              row => `${ids[i]} ${ids[k]} ${row}`,
            ),
          );
          if (first) expected.first.push(`${ids[i]} ${ids[k]} ${rowOf(first)}`);
        }
        assert.ok(expected.all.length > 500 && expected.first.length > 3);
      }
      const matrices = (list: Float64Array[]): Float64Array =>
        Float64Array.from(list.flatMap(matrix => [...matrix]));
      for (const want of ['all', 'first'] as const) {
        scene.setTransforms(matrices(tos), { from: matrices(froms) });
        const kernels = kernelsOf(made, () => {
          const swept = scene.detect({ continuous: true, want, ...how });
          assert.equal(
            rowsOf(swept).map((row, i) => `${swept.a[i]} ${swept.b[i]} ${row}`),
            expected![want],
          );
        });
        // If all contacts are wanted, `sweepPairs` finds those of pairs of large meshes.
        assert.ok(kernels.has('sweepBodies'));
        assert.is(kernels.has('sweepPairs'), want === 'all');
      }
      scene.dispose();
      for (const mesh of [large, small]) mesh.dispose();
    }
  });
}

for (let axis = 0; axis < 3; axis++)
  test(`bodies that move along axis ${axis} and pass within the min separation, or rotate and move far, have the contacts that sweep() finds`, () => {
    const [engine] = engines as [Engine, ...Engine[]];
    const mesh = engine.createMesh(sphere(80));
    const ring = engine.createMesh(torus(100));
    const at = (along: number, beside = 0): [number, number, number] => {
      const place: [number, number, number] = [beside, beside, beside];
      place[axis] = along;
      return place;
    };
    const stretched = (place: [number, number, number]): Float64Array =>
      translation(place).map((value, i) => (i >> 2 === axis && i < 12 ? 4 * value : value));
    const cases = [
      // Two spheres of radius 1 pass at a distance of 0.5.
      [mesh, mesh, translation(at(0)), translation(at(0)), translation(at(2.5, -2)), translation(at(2.5, 2))],
      // A torus turns while it moves far in a positive direction.
      [
        mesh,
        ring,
        translation(at(20)),
        translation(at(20)),
        rotation([0.6, 0, 0.8], 0.1, at(0)),
        rotation([0.6, 0, 0.8], 0.9, at(18)),
      ],
      // Bodies that are stretched along the axis.
      [mesh, ring, stretched(at(0)), stretched(at(0)), stretched(at(9, 3)), stretched(at(4.5))],
    ] as const;
    for (const [a, b, fromA, toA, fromB, toB] of cases) {
      const scene = engine.createScene();
      scene.add(a);
      scene.add(b);
      for (const options of [
        { minSeparation: 1 },
        { motion: 'rigid', minSeparation: 1 },
        { motion: 'rigid' },
      ] as const)
        for (const want of ['all', 'first'] as const) {
          scene.setTransforms(Float64Array.of(...toA, ...toB), {
            from: Float64Array.of(...fromA, ...fromB),
          });
          const expected =
            want === 'all'
              ? rowsOf(engine.sweep(a, b, { fromA, toA, fromB, toB, want, ...options }))
              : [engine.sweep(a, b, { fromA, toA, fromB, toB, ...options })].flatMap(first =>
                  first ? [rowOf(first)] : [],
                );
          assert.equal(rowsOf(scene.detect({ continuous: true, want, ...options })), expected);
          if ('minSeparation' in options) assert.ok(expected.length > 0);
        }
      scene.dispose();
    }
    for (const made of [mesh, ring]) made.dispose();
  });

test('a scene for continuous detection may have more bodies than a function call may have arguments', () => {
  const [engine] = engines;
  const mesh = engine.createMesh({ positions: Float32Array.of(0, 0, 0, 0.1, 0, 0, 0, 0.1, 0) });
  const scene = engine.createScene();
  for (let i = 0; i < 200_000; i++)
    scene.add(mesh, { transform: translation([i % 500, Math.floor(i / 500), 0]) });
  assert.is(scene.detect({ continuous: true }).count, 0);
  scene.dispose();
  mesh.dispose();
});

test.run();
