// Tests queryMany with more pairs than a starting front has room for, and with placements that scale by
// powers of two. Temporal coherence and work stealing are on in some queries and off in others. The results
// must equal those of single queries.

import * as assert from 'uvu/assert';
import { createEngine } from '../../dist/index.js';
import { createRandom, rotation, sphere, torus } from '../../dist/samples/index.js';
import { pairsOf } from '../support/engines.js';
import { test } from '../support/test.js';

for (const threads of [1, 3])
  test(`100 pairs have the results of single queries, on ${threads} threads`, async () => {
    const engine = await createEngine({ threads, warmUp: 'off' });
    const random = createRandom(3);
    const meshes = [torus(200), sphere(150)].map(data => engine.createMesh(data));
    const placed = (scale: number): Float64Array => {
      const shift = [0, 1, 2].map(() => scale * random.between(-1.5, 1.5)) as [number, number, number];
      return rotation(random.direction(), random.between(0, 3), shift).map((value, i) =>
        i < 12 ? scale * value : value,
      );
    };
    const pairs = Array.from({ length: 100 }, (_, i) => {
      const scale = 2 ** (random.below(9) - 4);
      return {
        a: meshes[i % 2]!,
        b: meshes[(i >> 1) % 2]!,
        transformA: placed(scale),
        transformB: placed(scale * [1, 0.5, 2][i % 3]!),
      };
    });
    const expected = pairs.map(({ a, b, transformA, transformB }) =>
      pairsOf(engine.query(a, b, { transformA, transformB }).copy()),
    );
    assert.ok(expected.filter(({ length }) => length > 0).length > 30);
    for (const options of [
      {},
      { coherence: 'off', stealing: 'off' },
      { coherence: 'off', stealing: 'off', parts: 7 },
      { parts: 16 },
    ] as const) {
      const many = engine.queryMany({ pairs, ...options }).copy();
      const found = pairsOf(many);
      assert.equal(
        expected.map((_, i) => found.slice(many.pairsAt[i], many.pairsAt[i + 1])),
        expected,
        JSON.stringify(options),
      );
      assert.equal(
        [...engine.queryMany({ pairs, want: 'any', ...options })],
        expected.map(({ length }) => Number(length > 0)),
      );
    }
    engine.dispose();
  });

test.run();
