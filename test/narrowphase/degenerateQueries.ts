// Compares engine queries with the integer oracle on degenerate triangle pairs. Each pair becomes two meshes
// of one triangle each, which are queried without a transform and with a rotation. A query filters triangle
// pairs in floats before it tests them exactly; tests that call only the exact test do not cover these
// filters.

import * as assert from 'uvu/assert';
import type { Engine } from '../../dist/index.js';
import { createRandom, rotation } from '../../dist/samples/index.js';
import { trianglePairs } from '../oracle/bruteForce.js';
import { hardPairs, type Kind } from '../oracle/random.js';

const indices = Uint32Array.of(0, 1, 2);

/** Queries `count` pairs of a kind. @returns how many of them intersect without a transform */
export function checkDegenerateQueries(engine: Engine, kind: Kind, count: number, seed: number): number {
  const random = createRandom(seed);
  const number = () => random.between(-1, 1);
  let intersectingCount = 0;
  for (const points of hardPairs(kind, seed, count, 'float32')) {
    const [dataA, dataB] = [points.subarray(0, 9), points.subarray(9)].map(nine => ({
      positions: Float32Array.from(nine),
      indices,
    }));
    using a = engine.createMesh(dataA!);
    using b = engine.createMesh(dataB!);
    const rotated = rotation([number(), number(), 1], 3 * number(), [0, 0, 0]);
    for (const transform of [undefined, rotated]) {
      const expected = trianglePairs(dataA!, transform, dataB!, transform).length;
      const options = { transformA: transform, transformB: transform };
      assert.is(
        engine.query(a, b, options).count,
        expected,
        `${Array.from(points)} ${transform ? Array.from(transform) : ''}`,
      );
      assert.is(engine.query(b, a, { ...options, want: 'any' }), expected === 1);
      if (!transform) intersectingCount += expected;
    }
  }
  return intersectingCount;
}
