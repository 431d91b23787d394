// Tests the shader testLeafPairs on nearly touching triangles, for many seeds. The shader reports a triangle
// pair as certain to intersect, reports it as uncertain, or drops it. Only intersecting pairs may be
// certain, and no intersecting pair may be dropped.

import * as assert from 'uvu/assert';
import { createEngine } from '../../dist/index.js';
import { rotation } from '../../dist/samples/index.js';
import { placeTriangles } from '../oracle/place.js';
import { trianglesMeet } from '../oracle/trianglesIntersect.js';
import { gpuTest, withGpu } from '../support/gpu.js';
import { type LeafQuery, touchLeavesOf, triplesOf } from '../support/gpuLeaves.js';
import { degenerateKinds, degenerateMeshes, seeded } from '../support/placedScenes.js';
import { test } from '../support/test.js';

const iterations = Number(process.env['FUZZ_ROUNDS'] ?? 20);
const engine = await createEngine({ threads: 2 });
test.after(() => engine.dispose());

/**
 * Makes a rotation with a scale and a translation. A third of the matrices are also stretched, and half of
 * them are rounded to float32.
 */
function placementOf(seed: number): Float64Array {
  const random = seeded(seed);
  const size = 2 ** (random.below(5) - 2) * random.between(0.5, 1);
  const placed = rotation(random.direction(), random.between(0, 7), [
    random.between(-1, 1),
    random.between(-1, 1),
    random.between(-1, 1),
  ]).map((value, i) => (i % 4 < 3 && i < 12 ? value * size : value));
  if (random.below(3) === 0) placed[random.below(3)] *= 1.5;
  return random.below(2) === 0 ? placed : Float64Array.from(Float32Array.from(placed));
}

for (const kind of degenerateKinds) {
  gpuTest(`nearly touching triangles have correct verdicts: ${kind}`, async () => {
    const wrong: string[] = [];
    let decidedCount = 0;
    let count = 0;
    await withGpu(async gpu => {
      for (let iteration = 0; iteration < iterations; iteration++) {
        const data = Array.from({ length: 6 }, (_, i) =>
          degenerateMeshes(kind, 1000 * iteration + i + 7, 60),
        );
        const transforms = data.map((_, i) => placementOf(10 * iteration + i));
        const pairs = data.map(
          ([a, b], i): LeafQuery => ({
            a: engine.createMesh(a),
            b: engine.createMesh(b),
            transformA: transforms[i],
            // In two thirds of the pairs, both meshes have the same placement, so that touching triangles
            // stay near each other.
            transformB: i % 3 === 0 ? placementOf(7000 + iteration + i) : transforms[i],
          }),
        );
        const verdicts = await touchLeavesOf(gpu, engine, pairs);
        const [certain, uncertain] = [verdicts.certain, verdicts.uncertain].map(
          list => new Set(triplesOf(list, verdicts.swapped)),
        );
        pairs.forEach(({ a, b, ...placed }, i) => {
          const { transformA, transformB } = placed as { transformA: Float64Array; transformB: Float64Array };
          if (verdicts.refused[i]) return;
          const placedA = placeTriangles(data[i][0], transformA);
          const placedB = placeTriangles(data[i][1], transformB);
          const hits = engine.query(a, b, { transformA, transformB });
          const intersecting = new Set(Array.from(hits.a, (first, k) => `${i} ${first} ${hits.b[k]}`));
          for (const key of certain)
            if (key.startsWith(`${i} `) && !intersecting.has(key))
              wrong.push(`${iteration}: ${key} is reported as certain but does not intersect`);
          for (const key of intersecting)
            if (!certain.has(key) && !uncertain.has(key)) wrong.push(`${iteration}: ${key} is missing`);
          // Two triangles with the same index nearly touch. Only these pairs are compared with the oracle.
          for (let k = 0; k < 60; k++) {
            const key = `${i} ${k} ${k}`;
            count++;
            if (uncertain.has(key)) continue;
            decidedCount++;
            if (
              trianglesMeet(
                Float64Array.of(...placedA.subarray(9 * k, 9 * k + 9), ...placedB.subarray(9 * k, 9 * k + 9)),
              ) !== certain.has(key)
            )
              wrong.push(`${iteration}: ${key} differs from the oracle`);
          }
        });
        for (const { a, b } of pairs) {
          a.dispose();
          b.dispose();
        }
      }
    });
    console.log(`\n${kind}: ${decidedCount} of ${count} pairs are decided`);
    assert.equal(wrong.slice(0, 5), []);
  });
}

test.run();
