// Tests that the comparison of the overlap depth with a tolerance is monotone: a pair that is not hard at one
// tolerance is not hard at any larger tolerance. Neither the comparison nor the bounds may depend on the order
// of the two meshes. Near the overlap depth, the tested tolerances are close to each other.

import * as assert from 'uvu/assert';
import { readParts } from '../../dist/formats/readParts.js';
import type { Engine, Transform } from '../../dist/index.js';
import { createRandom, type Random, rotation, sphere, torus } from '../../dist/samples/index.js';
import { dataPath, dataTest } from '../support/data.js';
import { withEngine } from '../support/engines.js';
import { test } from '../support/test.js';
import { shifted } from './randomSolids.js';
import { block, type Solid, tetrahedron, together } from './solids.js';

interface Placed extends Solid {
  transform?: Transform;
}

/**
 * The tested tolerances, as multiples of the lower bound of the overlap depth: in fine steps near 1, and in
 * wide steps elsewhere.
 */
const SHARES = [
  ...Array.from({ length: 16 }, (_, i) => 0.985 + i * 0.002),
  ...[0.5, 0.8, 0.9, 0.95, 1.03, 1.06, 1.1, 1.3, 2, 4],
].sort((a, b) => a - b);
/**
 * Max ratio of the upper to the lower bound after a complete search: the search ends at a difference of 1 %,
 * and rounding adds a little.
 */
const GAP = 1.0101;

/** Checks a pair in both orders. @returns whether the solids overlap and the bounds are close */
function checkPair(engine: Engine, a: Placed, b: Placed, name: string): boolean {
  const [meshA, meshB] = [engine.createMesh(a), engine.createMesh(b)];
  const { transform: transformA } = a;
  const { transform: transformB } = b;
  const orders = [
    [meshA, meshB, { transformA, transformB }],
    [meshB, meshA, { transformA: transformB, transformB: transformA }],
  ] as const;
  const [found, exchanged] = orders.map(([first, second, placed]) =>
    engine.classify(first, second, { ...placed, overlapDepth: true }),
  );
  const isCompared = found.class === 'hard' && found.pairs > 0 && !found.duplicate;
  const isUseful = isCompared && found.overlapDepth !== undefined && found.overlapDepth.lower > 0;
  let isClose = false;
  if (isUseful) {
    const { lower, upper } = found.overlapDepth!;
    assert.equal(exchanged.overlapDepth, found.overlapDepth, `${name}: exchanged meshes have other bounds`);
    isClose = upper <= lower * GAP;
    const kinds = SHARES.map(share => {
      const tolerance = lower * share;
      const [one, other] = orders.map(
        ([first, second, placed]) =>
          engine.classify(first, second, { ...placed, tolerance }).class === 'hard',
      );
      assert.is(other, one, `${name}: tolerance ${tolerance}, exchanged, bounds ${lower} to ${upper}`);
      if (tolerance < lower) assert.ok(one, `${name}: tolerance ${tolerance} is less than ${lower}`);
      if (tolerance > upper) assert.not(one, `${name}: tolerance ${tolerance} is more than ${upper}`);
      return one ? 'h' : '.';
    }).join('');
    assert.match(kinds, /^h*\.*$/, `${name}: not monotone, bounds ${lower} to ${upper}`);
  }
  for (const mesh of [meshA, meshB]) mesh.dispose();
  return isClose;
}

const randomTransform = (random: Random, reach: number): Transform =>
  rotation(
    [random.between(-1, 1), random.between(-1, 1), random.between(0.1, 1)],
    random.between(0, 3),
    [0, 1, 2].map(() => random.between(-reach, reach)) as [number, number, number],
  );

test('classes of convex and concave solids are monotone in the tolerance, in both orders', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    let close = 0;
    const check = (a: Placed, b: Placed, name: string): void => {
      if (checkPair(engine, a, b, name)) close++;
    };
    for (let seed = 0; seed < 5; seed++) {
      const random = createRandom(seed);
      const size = () => random.between(0.5, 2);
      const body = (): Solid => {
        const [x, y, z] = [size(), size(), size()];
        return block([-x, -y, -z], [x, y, z]);
      };
      const corner = () => [random.between(0, 4), random.between(0, 4), random.between(0, 4)] as const;
      const wild = () => tetrahedron([corner(), corner(), corner(), corner()]);
      check(body(), { ...body(), transform: randomTransform(random, 2) }, `blocks ${seed}`);
      check(wild(), wild(), `tetrahedra ${seed}`);
      check(
        together(body(), body()),
        { ...body(), transform: randomTransform(random, 2) },
        `concave ${seed}`,
      );
    }
    check(sphere(100), { ...sphere(100), transform: shifted(1.7, 0.1, 0) }, 'balls');
    check(torus(120), { ...torus(120), transform: shifted(0.9, 0.3, 0.1) }, 'tori');
    assert.ok(close >= 9, `${close}`);
  }));

dataTest('classes of the parts of an assembly are monotone in the tolerance, in both orders', async () => {
  const parts = await readParts(dataPath('assembly/boolean-28parts.glb'));
  await withEngine({ threads: 1, warmUp: 'off' }, engine => {
    let close = 0;
    for (let a = 0; a < parts.length && close < 4; a += 3)
      for (let b = a + 1; b < parts.length; b++)
        if (checkPair(engine, parts[a], parts[b], `parts ${a} and ${b}`)) close++;
    assert.ok(close >= 4, `${close}`);
  });
});

test.run();
