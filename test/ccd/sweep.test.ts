// Tests sweepFeatures and contactTimes, which find the contact times of pairs of moving features: a vertex
// and a face ('VF'), or two edges ('EE'). Published and generated pairs are tested: no contact is missed or
// reported late, the reported bounds hold, and any number of threads gives the same bytes.

import * as assert from 'uvu/assert';
import { contactTimes, type FeatureContacts, sweepFeatures } from '../../dist/ccd/featureSweep.js';
import { continuousLimits as limits } from '../../dist/records/continuousLayout.js';
import { distanceAt, isWithin } from '../oracle/hullDistance.js';
import { motionNames, movingFeatures, variants } from '../oracle/randomMotion.js';
import { dataTest } from '../support/data.js';
import { type QuerySet, readHandcrafted, readSimulated } from '../support/sweepQueries.js';
import { test } from '../support/test.js';
import { makeTestContext } from '../support/testContext.js';
import { checkContacts, countsText, noCounts } from './checkContacts.js';

const backend = await makeTestContext(2);
const { CLEAR, NEAR, REACHED } = limits;
const queryOf = ({ queries }: QuerySet, i: number): Float64Array => queries.slice(24 * i, 24 * i + 24);
const kinds = ['VF', 'EE'] as const;

for (const kind of kinds) {
  (kind === 'VF' ? test : test.slow)(`generated queries, ${kind}: no contact is missed or late`, () => {
    const sum = noCounts();
    for (const motion of motionNames) checkContacts(backend, kind, movingFeatures(motion, 1, 200), sum);
    console.log(countsText(kind, sum));
    assert.ok(sum.hits > 700, `${sum.hits} contacts`);
  });

  test(`a query agrees with its variants that run backward in time or exchange points: ${kind}`, () => {
    for (const motion of motionNames) {
      for (const query of movingFeatures(motion, 3, 40)) {
        const forms = [query, ...variants(query, kind === 'VF')];
        const { verdict, toi } = sweepFeatures(
          backend,
          kind,
          Float64Array.from(forms.flatMap(form => [...form])),
          { exact: true },
        );
        assert.ok(
          verdict.every(one => one === verdict[0]),
          `${motion}: ${query}`,
        );
        // All forms except the second, which runs backward, describe the same motion.
        assert.ok(
          toi.every((one, i) => i === 1 || one === toi[0]),
          `${motion}: ${query}`,
        );
      }
    }
  });
}

function checkSet(set: QuerySet): { wrong: number; hits: number; early: number[] } {
  const isFace = set.kind === 'VF';
  const fast = sweepFeatures(backend, set.kind, set.queries);
  const times = contactTimes(backend, set.kind, set.queries);
  const exact = sweepFeatures(backend, set.kind, set.queries, { exact: true });
  const early: number[] = [];
  let wrong = 0;
  let hits = 0;
  set.touches.forEach((touches, i) => {
    const name = `${set.name}, ${i}`;
    const verdict = fast.verdict[i];
    const toi = fast.toi[i];
    const bound = fast.bound[i];
    assert.is(exact.verdict[i], touches ? REACHED : CLEAR, `exact: ${name}`);
    if (touches) {
      hits++;
      assert.is.not(verdict, CLEAR, `a contact is missed: ${name}`);
      early.push(exact.toi[i] - times[i]);
      assert.ok(times[i] <= exact.toi[i], `the time is late: ${name}`);
      // The exact time is rounded down to a multiple of 2^-48.
      assert.ok(toi <= exact.toi[i], `the time is late: ${name}`);
      if (verdict === REACHED) assert.ok(exact.toi[i] <= toi + bound, `contact after bound: ${name}`);
    } else {
      assert.is.not(verdict, REACHED, `false positive: ${name}`);
      assert.is(times[i], Infinity, `a time is reported, but there is no contact: ${name}`);
      if (verdict === NEAR) wrong++;
    }
    if (verdict === NEAR)
      assert.ok(bound === 0 && isWithin(queryOf(set, i), isFace, toi, 1e-6), `too far apart: ${name}`);
  });
  return { wrong, hits, early };
}

dataTest('1,929 published handcrafted queries have correct results', () => {
  const results = readHandcrafted().map(checkSet);
  assert.is(
    results.reduce((sum, { hits }) => sum + hits, 0),
    191,
  );
  // `wrong` counts the pairs without a contact whose verdict is NEAR, which means that the kernel could not
  // rule out a contact. These features come closer to each other than the rounding errors of differences of
  // doubles. contactTimes decides such pairs with integers.
  assert.ok(results.reduce((sum, { wrong }) => sum + wrong, 0) <= 90);
  checkEarly(results.flatMap(({ early }) => early));
});

dataTest('5,171 published simulated queries have correct results', () => {
  const results = readSimulated().map(checkSet);
  assert.is(
    results.reduce((sum, { hits }) => sum + hits, 0),
    4944,
  );
  assert.is(
    results.reduce((sum, { wrong }) => sum + wrong, 0),
    0,
  );
  checkEarly(results.flatMap(({ early }) => early));
});

function checkEarly(early: number[]): void {
  const late = early.filter(time => time > 1e-6);
  assert.ok(
    late.length <= 0.01 * early.length,
    `${late.length} of ${early.length} times are early by more than 1e-6, at most ${Math.max(...early)}`,
  );
}

// Returns the min distance of two features at sampled times from 0 to `end`. Most samples are near the time
// at which the distance is smallest.
function minDistance(query: Float64Array, isFace: boolean, end: number): number {
  let [from, to, minimum] = [0, end, Infinity];
  for (let iteration = 0; iteration < 4; iteration++) {
    const times = Array.from({ length: 17 }, (_, i) => from + ((to - from) * i) / 16);
    const distances = times.map(time => distanceAt(query, isFace, time));
    const best = distances.indexOf(Math.min(...distances));
    minimum = Math.min(minimum, distances[best]);
    [from, to] = [times[Math.max(0, best - 1)], times[Math.min(16, best + 1)]];
  }
  return minimum;
}

dataTest.slow('features stay at least minSeparation apart until the reported time', () => {
  for (const separation of [1e-2, 1e-4, 1e-8]) {
    for (const set of [...readHandcrafted(), ...readSimulated()]) {
      const isFace = set.kind === 'VF';
      const { verdict, toi, bound } = sweepFeatures(backend, set.kind, set.queries, {
        minSeparation: separation,
      });
      set.touches.forEach((touches, i) => {
        const query = queryOf(set, i);
        const name = `${set.name}, ${i}, ${separation}`;
        if (touches) assert.is.not(verdict[i], CLEAR, `a contact is missed: ${name}`);
        if (verdict[i] === NEAR)
          assert.ok(
            bound[i] === 0 && isWithin(query, isFace, toi[i], separation + 1e-6),
            `too far apart: ${name}`,
          );
        if (verdict[i] === REACHED)
          assert.ok(
            isWithin(query, isFace, toi[i] + bound[i], separation * (1 + 1e-9) + 1e-15),
            `farther apart than the separation at toi + bound: ${name}`,
          );
        if (toi[i] > 0)
          assert.ok(
            minDistance(query, isFace, toi[i]) >= separation * (1 - 1e-12) - 1e-15,
            `nearer than the separation before toi: ${name}`,
          );
      });
    }
  }
});

test('1, 2 and 5 threads give the same bytes', async () => {
  const queries = Float64Array.from(
    motionNames.flatMap(motion => movingFeatures(motion, 5, 60)).flatMap(query => [...query]),
  );
  const bytesOf = ({ verdict, toi, bound, moments }: FeatureContacts): string =>
    [verdict, toi, bound, moments].map(values => Buffer.from(values.buffer).toString('base64')).join();
  for (const kind of kinds) {
    const answer = bytesOf(sweepFeatures(backend, kind, queries));
    for (const threads of [1, 5]) {
      const other = await makeTestContext(threads);
      assert.is(bytesOf(sweepFeatures(other, kind, queries)), answer, `${threads} threads`);
      await other.close();
    }
  }
});

test('an exact sweep refuses a separation', () => {
  assert.throws(
    () => sweepFeatures(backend, 'EE', new Float64Array(24), { exact: true, minSeparation: 1e-3 }),
    (error: { code: string }) => error.code === 'Unsupported',
  );
});

test('contactTimes returns the times of sweepFeatures and, without minSeparation, decides NEAR pairs exactly', () => {
  for (const kind of kinds) {
    const queries = Float64Array.from(
      motionNames.flatMap(motion => movingFeatures(motion, 6, 40)).flatMap(query => [...query]),
    );
    for (const options of [{}, { exact: true }, { minSeparation: 0.125, tolerance: 1e-3 }]) {
      const { verdict, toi } = sweepFeatures(backend, kind, queries, options);
      const times = contactTimes(backend, kind, queries, options);
      const exact = options.minSeparation ? undefined : contactTimes(backend, kind, queries, { exact: true });
      times.forEach((time, i) => {
        if (verdict[i] === NEAR && exact) assert.is(time, exact[i]);
        else assert.is(time, verdict[i] === CLEAR ? Infinity : toi[i]);
        if (exact) assert.ok(time <= exact[i] && (time === Infinity) === (exact[i] === Infinity));
      });
      assert.ok(times.includes(Infinity) && times.some(time => time < 1));
    }
  }
});

test('an empty list of queries gives an empty result', () =>
  assert.is(sweepFeatures(backend, 'EE', new Float64Array(0)).verdict.length, 0));

test.after(() => backend.close());
test.run();
