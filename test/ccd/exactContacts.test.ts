// Tests contacts that floating-point arithmetic cannot decide. The oracle examines every time at which a
// contact can begin. The cases are flat features, features at rest, shared points, points on a lattice, and a
// flat mesh whose vertices all cross one line in its plane.

import * as assert from 'uvu/assert';
import { exactContact, isProvenNotBefore } from '../../dist/ccd/exactContact.js';
import { createEngine } from '../../dist/index.js';
import { createRandom, type Random } from '../../dist/samples/random.js';
import { firstContact } from '../oracle/firstContact.js';
import { type Algebraic, compare, type Ratio } from '../oracle/sturm.js';
import { test } from '../support/test.js';

const QUERIES = 400;
const TIME = 2 ** 48;
const timeOf = (time: number): Ratio => ({ num: BigInt(time * TIME), den: BigInt(TIME) });

/** Functions that make a random coordinate of each kind. A query has 24 coordinates. */
const VALUES: Readonly<Record<string, (random: Random) => number>> = {
  lattice: random => random.below(5) - 2,
  quarters: random => random.below(9) / 4 - 1,
  floats: random => Math.fround(random.between(-1, 1)),
  doubles: random => random.between(-1, 1),
  'wide exponents': random => (random.below(3) - 1) * 2 ** (random.below(40) - 20),
  'tiny numbers': random => (random.below(5) - 2) * Number.MIN_VALUE,
};

function queryOf(random: Random, value: (random: Random) => number): Float64Array {
  const query = Float64Array.from({ length: 24 }, () => value(random));
  const flat = random.below(6);
  if (flat < 3) for (let i = flat; i < 24; i += 3) query[i] = query[0];
  if (random.below(6) === 0) query.set(query.subarray(0, 12), 12);
  if (random.below(6) === 0) query.set(query.subarray(0, 3), 3 * (1 + random.below(3)));
  // The motion mirrors the points in the plane x = 0, so all of them pass through this plane at the same
  // time.
  if (random.below(4) === 0)
    for (let i = 12; i < 24; i++) query[i] = i % 3 === 0 ? -query[i - 12] : query[i - 12];
  return query;
}

// The contact is in toi..toi + bound, and exactly at toi if the bound is 0.
function assertContains(
  { toi, bound }: { toi: number; bound: number },
  truth: Algebraic,
  what: string,
): void {
  assert.ok(compare(truth, timeOf(toi)) >= 0 && compare(truth, timeOf(toi + bound)) <= 0, what);
}

for (const [name, value] of Object.entries(VALUES)) {
  test(`${QUERIES} exact queries of each kind of feature pair agree with the oracle: ${name}`, () => {
    const random = createRandom(name.length);
    let touching = 0;
    for (let i = 0; i < QUERIES; i++) {
      for (const isFace of [true, false]) {
        const query = queryOf(random, value);
        const found = exactContact(query, isFace);
        const truth = firstContact(query, isFace);
        const what = `${isFace ? 'VF' : 'EE'} ${Array.from(query)}`;
        assert.is(found !== undefined, truth !== undefined, what);
        if (!found || !truth) continue;
        touching++;
        assertContains(found, truth, what);
        assert.ok(found.bound === 0 || found.bound === 1 / TIME, what);
      }
    }
    assert.ok(touching > QUERIES / 20, `only ${touching} of the queries have a contact`);
  });
}

test('if doubles prove that there is no contact before a time, there is none; for flat features whose points all reach one line at the same time, most proofs succeed', () => {
  const random = createRandom(11);
  let shown = 0;
  for (const [name, value] of Object.entries(VALUES)) {
    for (let i = 0; i < 4 * QUERIES; i++) {
      const query = queryOf(random, value);
      const isFace = random.below(2) === 0;
      const contact = exactContact(query, isFace);
      // Tests at four moments: at the contact, 2^-48 after the contact, at time 0.5 (at which nothing is
      // rounded), and at a random time.
      for (const time of [
        contact?.toi ?? 1,
        (contact?.toi ?? 0.5) + 1 / TIME,
        0.5,
        Math.floor(random.between(0, 1) * TIME) / TIME,
      ].filter(each => each > 0)) {
        if (!isProvenNotBefore(query, isFace, time)) continue;
        shown++;
        assert.ok(
          !contact || contact.toi >= time,
          `${name} ${isFace ? 'VF' : 'EE'} ${time} ${Array.from(query)}`,
        );
      }
    }
  }
  assert.ok(shown > QUERIES, `only ${shown} proofs succeeded`);
  for (const [factor, minimum] of [
    [-1, 0.9],
    [-2, 0.7],
  ] as const) {
    const total = 2000;
    let reported = 0;
    for (let i = 0; i < total; i++) {
      const query = Float64Array.from({ length: 12 }, (_, k) => (k % 3 === 2 ? 0 : random.between(0, 1)));
      const isFace = random.below(2) === 0;
      const moved = Float64Array.of(
        ...query,
        ...query.map((value, k) => (k % 3 === 0 ? factor * value : value)),
      );
      const contact = exactContact(moved, isFace);
      if (!contact || contact.toi === 0 || isProvenNotBefore(moved, isFace, contact.toi)) reported++;
      // Changes the end positions by the size of rounding errors, so that the points reach the line at
      // almost, but not exactly, the same time.
      const nearly = moved.map((value, k) =>
        k >= 12 && k % 3 === 0 ? value * (1 + (random.below(3) - 1) * Number.EPSILON) : value,
      );
      const first = exactContact(nearly, isFace);
      for (let step = -2; step <= 2; step++) {
        const time = (contact?.toi ?? 0.5) + step / TIME;
        if (time > 0 && isProvenNotBefore(nearly, isFace, time))
          assert.ok(!first || first.toi >= time, `${isFace ? 'VF' : 'EE'} ${time} ${Array.from(nearly)}`);
      }
    }
    assert.ok(reported > minimum * total, `${reported} of ${total} proven`);
  }
});

test('scaling the axes by very different powers of two does not change the time of a contact', () => {
  const random = createRandom(17);
  let touching = 0;
  for (let i = 0; i < QUERIES; i++) {
    for (const isFace of [true, false]) {
      const query = queryOf(random, VALUES.lattice);
      const small = random.below(3);
      const scaled = query.map((value, k) => value * (k % 3 === small ? 2 ** -400 : 2 ** 800));
      const found = exactContact(scaled, isFace);
      const truth = firstContact(query, isFace);
      const what = `${isFace ? 'VF' : 'EE'} ${Array.from(query)}, axis ${small}`;
      assert.is(found !== undefined, truth !== undefined, what);
      if (!found || !truth) continue;
      touching++;
      assertContains(found, truth, what);
    }
  }
  assert.ok(touching > QUERIES / 4, `only ${touching} of the queries have a contact`);
});

test('coordinates 2^1140 times smaller than others are not rounded to 0', async () => {
  const engine = await createEngine({ threads: 1, warmUp: 'off' });
  const far = 2 ** 890;
  const low = 2 ** -250;
  const face = [-far, -far, 0, far, -far, 0, 0, far, 0];
  // The vertex stays above the triangle, or passes through it in the middle of the step.
  for (const [from, to, expected] of [
    [2 * low, low, Infinity],
    [low, -low, 0.5],
  ]) {
    const query = Float64Array.of(0, 0, from, ...face, 0, 0, to, ...face);
    assert.is(exactContact(query, true)?.toi ?? Infinity, expected);
    assert.equal(engine.contactTimes('VF', query, { exact: true }), Float64Array.of(expected));
    const rest = [0, far, far, far, 0, far];
    const mesh = engine.createMesh({
      positions: new Float32Array(18),
      indices: Uint32Array.of(0, 1, 2, 3, 4, 5),
    });
    const hit = engine.sweepVertices(
      mesh,
      Float64Array.of(...face, 0, 0, from, ...rest),
      Float64Array.of(...face, 0, 0, to, ...rest),
      { exact: true },
    );
    assert.is(hit?.toi ?? Infinity, expected);
    mesh.dispose();
  }
  engine.dispose();
});

test('a product of a tiny number and a rounding error does not count as exactly 0', () => {
  const tiny = 2 ** -1030;
  // At time 1/2, the vertex is at (2^-53, 0), and its computed position is (0, 0). It has passed through the
  // edge from (0, 0) to (1, tiny) just before.
  const face = [0, 0, 0, 1, tiny, 0, 1, -1, 0];
  const query = Float64Array.of(-1, 1, 0, ...face, 1 + 2 ** -52, -1, 0, ...face);
  const truth = firstContact(query, true)!;
  assert.ok(compare(truth, timeOf(0.5)) < 0);
  assert.not.ok(isProvenNotBefore(query, true, 0.5));
});

test('in a flat mesh whose vertices all cross one line in its plane, an exact query for the first contact finds the first of all contacts', async () => {
  const engine = await createEngine({ threads: 2, warmUp: 'off' });
  const side = 5;
  const positions: number[] = [];
  const indices: number[] = [];
  for (let y = 0; y <= side; y++) for (let x = 0; x <= side; x++) positions.push(x / side, y / side, 0);
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++)
      for (const [a, b, c] of [
        [0, 1, side + 1],
        [1, side + 2, side + 1],
      ] as const)
        indices.push(...[a, b, c].map(corner => y * (side + 1) + x + corner));
  const random = createRandom(5);
  const from = Float64Array.from(positions);
  const mesh = engine.createMesh({
    positions: Float32Array.from(positions),
    indices: Uint32Array.from(indices),
  });
  // In the first motion, all vertices reach the line at time 1/2. In the second, all reach it at time 1/3,
  // which no double represents. In the third, each vertex reaches it at its own time.
  for (const to of [
    from.map((value, i) => (i % 3 === 0 ? -value : value)),
    from.map((value, i) => (i % 3 === 0 ? -2 * value : value)),
    from.map((value, i) => (i % 3 === 0 ? -value * random.between(0.5, 2) : value)),
  ]) {
    const all = engine.sweepVertices(mesh, from, to, { want: 'all', exact: true });
    const first = engine.sweepVertices(mesh, from, to, { exact: true });
    const before = (i: number, k: number): number =>
      all.toi[i] - all.toi[k] ||
      all.triangleA[i] - all.triangleA[k] ||
      all.triangleB[i] - all.triangleB[k] ||
      all.kind[i] - all.kind[k] ||
      all.featureA[i] - all.featureA[k] ||
      all.featureB[i] - all.featureB[k];
    const [best] = [...all.toi.keys()].sort(before);
    assert.ok(all.count > 500, `${all.count} contacts`);
    assert.equal(first, {
      toi: all.toi[best],
      bound: all.bound[best],
      kind: ['VF', 'FV', 'EE'][all.kind[best]],
      featureA: all.featureA[best],
      featureB: all.featureB[best],
      triangleA: all.triangleA[best],
      triangleB: all.triangleB[best],
    } as never);
  }
  mesh.dispose();
  engine.dispose();
});

test.run();
