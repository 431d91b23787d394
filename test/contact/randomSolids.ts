// Compares the class that engine.classify gives for two solids, in both orders, with the oracle's class. Also
// makes seeded random pairs of placed solids for this comparison.

import * as assert from 'uvu/assert';
import type { Classification, Engine } from '../../dist/index.js';
import { createRandom } from '../../dist/samples/index.js';
import { placeTriangles } from '../oracle/place.js';
import { type SolidAnswer, solidClass } from '../oracle/solids.js';
import { matrix, randomPlacement, randomSolid, type Solid } from './solids.js';

export type Placement = Float64Array | undefined;

export const shifted = (x: number, y: number, z: number): Float64Array =>
  matrix([1, 0, 0, 0, 1, 0, 0, 0, 1], [x, y, z]);

const toAnswer = ({ class: name, which, pairs, duplicate }: Classification): SolidAnswer => ({
  class: name === 'clearance' ? 'apart' : name,
  ...(which ? { which } : {}),
  pairs,
  duplicate,
});

export function classifySolids(
  engine: Engine,
  a: Solid,
  b: Solid,
  transformA?: Placement,
  transformB?: Placement,
): Classification {
  const [first, second] = [engine.createMesh(a), engine.createMesh(b)];
  const answer = engine.classify(first, second, { transformA, transformB });
  first.dispose();
  second.dispose();
  return answer;
}

const mirrored = (answer: SolidAnswer): SolidAnswer =>
  answer.which ? { ...answer, which: answer.which === 'a' ? 'b' : 'a' } : answer;

/**
 * Asserts that the engine and the oracle give the same class for two solids. If the solids are exchanged, 'a'
 * and 'b' must be exchanged in the engine's result. @returns the oracle's result
 */
export function check(
  engine: Engine,
  a: Solid,
  b: Solid,
  transformA?: Placement,
  transformB?: Placement,
  text = '',
): SolidAnswer {
  const truth = solidClass(placeTriangles(a, transformA), placeTriangles(b, transformB));
  assert.equal(toAnswer(classifySolids(engine, a, b, transformA, transformB)), truth, text);
  assert.equal(
    toAnswer(classifySolids(engine, b, a, transformB, transformA)),
    mirrored(truth),
    `exchanged ${text}`,
  );
  return truth;
}

/** Checks `count` random pairs. @returns the number of pairs of each class */
export function checkRandomSolids(engine: Engine, firstSeed: number, count: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const random = createRandom(seed);
    const span = 2 + random.below(3);
    const [a, b] = [randomSolid(random, span), randomSolid(random, span)];
    const isFar = random.below(6) === 0;
    const transformA = isFar ? shifted(2 ** 40, 0, 0) : randomPlacement(random, span);
    const transformB = isFar
      ? shifted(2 ** 40 + random.below(span), random.below(span), 0)
      : randomPlacement(random, span);
    const { class: name } = check(engine, a, b, transformA, transformB, `seed ${seed}`);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
