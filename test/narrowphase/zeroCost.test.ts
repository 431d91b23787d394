// Tests queries whose estimated cost is zero or almost zero, because the boxes of the two meshes overlap in a
// tiny volume or in no volume at all. The results must still be complete.

import * as assert from 'uvu/assert';
import {
  InvalidMesh,
  InvalidTransform,
  type Mesh,
  type QueryOptions,
  type Transform,
  Unsupported,
} from '../../dist/index.js';
import { type MeshData, sphere, torus, translation } from '../../dist/samples/index.js';
import { trianglePairs } from '../oracle/bruteForce.js';
import { caught, pairsOf, withEngine } from '../support/engines.js';
import { test } from '../support/test.js';

const point = ([x, y, z]: Float32Array): MeshData => ({
  positions: Float32Array.of(x!, y!, z!, x!, y!, z!, x!, y!, z!),
  indices: Uint32Array.of(0, 1, 2),
});
const bruteForce = (a: MeshData, b: MeshData) => trianglePairs(a, undefined, b, undefined);
const options = { parts: 2 } satisfies QueryOptions;

test('queries of a point and a ball, in turn with queries of another pair, give the correct pairs in every frame', async () => {
  const ball = sphere(2000);
  const ring = torus(4000);
  const dot = point(ball.positions);
  const expected = bruteForce(ball, dot);
  const others = bruteForce(ball, ring);
  await withEngine({ threads: 2 }, engine => {
    const [a, b, p] = [engine.createMesh(ball), engine.createMesh(ring), engine.createMesh(dot)];
    for (let frame = 0; frame < 3; frame++) {
      assert.equal(pairsOf(engine.query(a, p, options)), expected, `point, frame ${frame}`);
      assert.equal(pairsOf(engine.query(a, b, options)), others, `ring, frame ${frame}`);
    }
  });
});

for (const size of [1e-10, 1e-13, 1e-15, 1e-30]) {
  test(`a ball of size ${size} beside a point at 1 1 1 gives the correct pairs in every frame`, async () => {
    const ball = sphere(300);
    const positions = Float32Array.from([...Array.from(ball.positions, value => value * size), 1, 1, 1]);
    const last = positions.length / 3 - 1;
    const mesh = { positions, indices: Uint32Array.from([...ball.indices, last, last, last]) };
    const expected = bruteForce(mesh, mesh);
    await withEngine({ threads: 2 }, engine => {
      const a = engine.createMesh(mesh);
      const b = engine.createMesh(torus(500));
      for (let frame = 0; frame < 3; frame++) {
        assert.equal(pairsOf(engine.query(a, a, options)), expected, `frame ${frame}`);
        engine.query(b, b, options);
      }
    });
  });
}

test('an empty list of pairs gives an empty result', async () => {
  await withEngine({ threads: 2 }, engine => {
    const a = engine.createMesh(sphere(500));
    const b = engine.createMesh(torus(500));
    engine.query(a, b, options);
    const none = engine.queryMany({ pairs: [] });
    assert.is(none.count, 0);
    assert.is(none.pairCount, 0);
    assert.equal(Array.from(none.pairsAt), [0]);
    assert.is(none.stats.frontNodes, 0);
    assert.is(engine.queryMany({ pairs: [], want: 'any' }).length, 0);
    assert.equal(pairsOf(engine.query(a, b, options)), bruteForce(sphere(500), torus(500)));
  });
});

test('a transform that is null, and arguments that are null or undefined, are refused', async () => {
  await withEngine({ threads: 1 }, engine => {
    const a = engine.createMesh(sphere(200));
    const b = engine.createMesh(torus(200));
    engine.query(a, b, { transformB: translation([0.5, 0, 0]) });
    assert.instance(
      caught(() => engine.query(a, b, { transformB: null as unknown as Transform })),
      InvalidTransform,
    );
    assert.instance(
      caught(() => engine.query(a, b, null as never)),
      Unsupported,
    );
    assert.instance(
      caught(() => engine.queryMany({ a, b, transforms: [1, 2, 3] as never })),
      Unsupported,
    );
    assert.instance(
      caught(() => engine.queryMany({ pairs: [undefined as unknown as { a: Mesh; b: Mesh }] })),
      Unsupported,
    );
    assert.instance(
      caught(() => engine.queryMany(undefined as unknown as object)),
      Unsupported,
    );
    assert.instance(
      caught(() => engine.createMesh(undefined as unknown as MeshData)),
      InvalidMesh,
    );
    assert.is(engine.query(a, b).count, 138);
  });
});

test.run();
