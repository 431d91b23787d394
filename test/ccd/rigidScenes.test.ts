// Tests that a scene of rotating bodies finds the same contacts as sweeps of its pairs of meshes, for any
// number of threads.

import * as assert from 'uvu/assert';
import { rotation, sphere, torus, translation } from '../../dist/samples/index.js';
import { createRandom } from '../../dist/samples/random.js';
import { matrixAt } from '../oracle/rotatingMotion.js';
import { rowsOf } from '../support/movingCrowd.js';
import { test } from '../support/test.js';
import { engines, RIGID, randomMotion, rod, rotatedBy, soup } from './rigidSupport.js';

test.after(() => engines.forEach(made => made.dispose()));

test('1, 2 and 5 threads give the same bytes, and A and B may be exchanged', () => {
  const answers = engines.map(made => {
    const [a, b] = [made.createMesh(torus(1500)), made.createMesh(sphere(1500))];
    const ends = {
      fromA: translation([0, 0.5, 0]),
      toA: rotation([0.6, 0, 0.8], 1.5),
      fromB: translation([2.5, 0, 0]),
      toB: translation([1.25, 0.25, 0]),
    };
    const all = made.sweep(a, b, { ...ends, ...RIGID, want: 'all' });
    const first = made.sweep(a, b, { ...ends, ...RIGID })!;
    const exchanged = made.sweep(b, a, {
      fromA: ends.fromB,
      toA: ends.toB,
      fromB: ends.fromA,
      toB: ends.toA,
      ...RIGID,
      want: 'all',
    });
    assert.equal([exchanged.count, Math.min(...exchanged.toi)], [all.count, Math.min(...all.toi)]);
    assert.is(first.toi, Math.min(...all.toi));
    assert.ok(all.count > 500);
    return [rowsOf(all), JSON.stringify(first)];
  });
  for (const answer of answers.slice(1)) assert.equal(answer, answers[0]);
});

test('scenes find all contacts of their meshes, or the first of each pair, for any number of threads', () => {
  let total = 0;
  for (let seed = 1; seed <= 8; seed++) {
    let expected: string[] | undefined;
    for (const made of engines) {
      const random = createRandom(seed);
      const meshes = [soup(random), soup(random), sphere(80)].map(data => made.createMesh(data));
      const motions = Array.from({ length: 8 }, () => randomMotion(random));
      const scene = made.createScene();
      const ids = motions.map((motion, i) => scene.add(meshes[i % 3], { transform: matrixAt(motion, 0) }));
      const minSeparation = seed % 2 === 0 ? 0.01 : 0;
      const matrices = (time: number): Float64Array =>
        Float64Array.from(motions.flatMap(motion => [...matrixAt(motion, time)]));
      expected ??= motions.flatMap((from, i) =>
        motions.slice(i + 1).flatMap((to, k) =>
          rowsOf(
            made.sweep(meshes[i % 3], meshes[(i + 1 + k) % 3], {
              fromA: matrixAt(from, 0),
              toA: matrixAt(from, 1),
              fromB: matrixAt(to, 0),
              toB: matrixAt(to, 1),
              ...RIGID,
              minSeparation,
              want: 'all',
            }),
          ).map(row => `${ids[i]} ${ids[i + 1 + k]} ${row}`),
        ),
      );
      scene.setTransforms(matrices(1));
      const swept = scene.detect({ continuous: true, ...RIGID, minSeparation, want: 'all' });
      assert.equal(
        rowsOf(swept).map((row, i) => `${swept.a[i]} ${swept.b[i]} ${row}`),
        expected,
      );
      scene.setTransforms(matrices(1), { from: matrices(0) });
      const first = scene.detect({ continuous: true, ...RIGID, minSeparation });
      const minimum = new Map<string, number>();
      for (let i = 0; i < swept.count; i++)
        minimum.set(
          `${swept.a[i]} ${swept.b[i]}`,
          Math.min(minimum.get(`${swept.a[i]} ${swept.b[i]}`) ?? 1, swept.toi[i]),
        );
      assert.equal(
        Array.from(first.a, (id, i) => `${id} ${first.b[i]} ${first.toi[i]}`),
        [...minimum].map(([pair, toi]) => `${pair} ${toi}`),
      );
      total += swept.count;
      scene.dispose();
      for (const mesh of meshes) mesh.dispose();
    }
  }
  assert.ok(total > 1000, `${total} contacts`);
});

test('a scene finds contacts that lie between the arc of a rotating body and the chord of this arc', () => {
  for (const made of engines) {
    for (const [angle, height] of [
      [1, 0.94],
      [2, 0.7],
      [0.25, 0.999],
    ] as const) {
      const [hand, pin] = [
        made.createMesh(rod),
        made.createMesh({
          positions: Float32Array.of(0, height, -1, 0, height, 1, 0.001, height + 0.001, 0),
        }),
      ];
      const scene = made.createScene();
      const [fromA, toA] = [rotatedBy(Math.PI / 2 - angle / 2), rotatedBy(Math.PI / 2 + angle / 2)];
      for (const isFirst of [true, false]) {
        const ids = (isFirst ? [hand, pin] : [pin, hand]).map(mesh =>
          scene.add(mesh, { transform: mesh === hand ? fromA : rotatedBy(0) }),
        );
        scene.setTransform(ids[isFirst ? 0 : 1], toA);
        assert.equal(
          [...scene.detect({ continuous: true, ...RIGID }).toi],
          [made.sweep(hand, pin, { fromA, toA, ...RIGID })?.toi],
          `${angle} ${height}`,
        );
        for (const id of ids) scene.remove(id);
      }
      scene.dispose();
      for (const mesh of [hand, pin]) mesh.dispose();
    }
  }
});

test.run();
