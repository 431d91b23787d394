// Tests setTransforms with the ids of some bodies: it has the same effect as one setTransform call per body,
// and invalid input changes nothing.

import * as assert from 'uvu/assert';
import { box, translation } from '../../dist/samples/index.js';
import { caught, pairsOf, withEngine } from '../support/engines.js';
import { test } from '../support/test.js';

const at = (i: number, step: number): Float64Array =>
  Float64Array.from(translation([i * 2, Math.sin(i + step) * 0.3, (i * step) % 3]));

test('placing some bodies in one call, in any order, gives the same contacts as one call per body', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    const mesh = engine.createMesh(box(1.05, 1, 1));
    const many = engine.createScene();
    const single = engine.createScene();
    const ids = Array.from({ length: 100 }, (_, i) => {
      single.add(mesh, { transform: at(i, 0) });
      return many.add(mesh, { transform: at(i, 0) });
    });
    for (let step = 0; step < 4; step++) {
      const some = ids.filter((_, i) => i % 7 === step).reverse();
      const matrices = new Float64Array(16 * some.length);
      some.forEach((id, k) => {
        const transform = at(ids.indexOf(id), step);
        matrices.set(transform, 16 * k);
        single.setTransform(id, transform);
      });
      many.setTransforms(matrices, some);
      const [found, expected] = [many.detect(), single.detect()];
      assert.ok(expected.count > 0);
      assert.equal(pairsOf(found), pairsOf(expected));
      assert.equal(found.triangles, expected.triangles);
      many.setTransforms(matrices, some);
      assert.is(many.detect().stats.tested, 0, 'a body whose matrix stays the same has not moved');
    }
    many.setTransforms(new Float32Array(0), []);
  }));

test('invalid numbers, bodies and lengths are refused before anything moves', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const mesh = engine.createMesh(box());
    const scene = engine.createScene();
    const ids = [0, 1, 2].map(i => scene.add(mesh, { transform: at(i * 2, 0) }));
    const { count } = scene.detect();
    const good = translation([0, 0, 0]);
    const bad = translation([0, NaN, 0]);
    const error = caught(() => scene.setTransforms(Float64Array.of(...good, ...bad), [ids[2], ids[1]]));
    assert.is(error.code, 'InvalidTransform');
    assert.match(error.message, `body ${ids[1]}: matrix[13] is NaN`);
    assert.is(
      caught(() => scene.setTransforms(Float64Array.of(...good, ...good), [ids[0], 77])).code,
      'Unsupported',
    );
    assert.match(
      caught(() => scene.setTransforms(Float64Array.from(good), ids)).message,
      '16 numbers, not 16 numbers for each of 3 bodies',
    );
    assert.is(caught(() => scene.setTransforms([...good] as never, [ids[0]])).code, 'Unsupported');
    assert.is(scene.detect().stats.tested, 0);
    assert.is(scene.detect().count, count);
  }));

test.run();
