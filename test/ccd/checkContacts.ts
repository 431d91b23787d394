// Compares the results of feature sweeps with an exact oracle: no contact is missed or reported late, the
// time of contact is within the reported bound, and exact results are exact.

import * as assert from 'uvu/assert';
import { type FeatureKind, sweepFeatures } from '../../dist/ccd/featureSweep.js';
import { continuousLimits as limits } from '../../dist/records/continuousLayout.js';
import { firstContact } from '../oracle/firstContact.js';
import { isWithin } from '../oracle/hullDistance.js';
import { type Algebraic, compare } from '../oracle/sturm.js';
import type { TestContext } from '../support/testContext.js';

const ratio = (time: number) => ({ num: BigInt(time * 2 ** 48), den: 2n ** 48n });

function checkTimes(contact: Algebraic, toi: number, bound: number, name: string): void {
  assert.ok(compare(contact, ratio(toi)) >= 0, `${name}: ${toi} is late`);
  assert.ok(compare(contact, ratio(toi + bound)) <= 0, `${name}: first contact is after ${toi} + ${bound}`);
}

/**
 * Counts of queries. hits: queries with a contact. near: queries with the verdict NEAR, because doubles
 * cannot decide them without the tolerance. wrong: queries without a contact whose verdict is not CLEAR.
 */
export interface Checked {
  queries: number;
  hits: number;
  near: number;
  wrong: number;
}

export const noCounts = (): Checked => ({ queries: 0, hits: 0, near: 0, wrong: 0 });

/** Returns a line that the test runner shows. */
export const countsText = (kind: FeatureKind, { queries, hits, near, wrong }: Checked): string =>
  `counted: ${queries} generated queries, ${kind}: ${hits} contacts; ${wrong} of the ${near} pairs reported only by the tolerance have no contact; every exact result equals the oracle's`;

/** Checks a list of queries and adds to the counts. @throws if a guarantee is violated */
export function checkContacts(
  backend: TestContext,
  kind: FeatureKind,
  list: Float64Array[],
  checked: Checked,
): void {
  const queries = new Float64Array(24 * list.length);
  list.forEach((query, i) => queries.set(query, 24 * i));
  const fast = sweepFeatures(backend, kind, queries);
  const exact = sweepFeatures(backend, kind, queries, { exact: true });
  checked.queries += list.length;
  list.forEach((query, i) => {
    const isFace = kind === 'VF';
    const contact = firstContact(query, isFace);
    const name = `${kind} ${Array.from(query)}`;
    assert.is(exact.verdict[i], contact ? limits.REACHED : limits.CLEAR, `exact: ${name}`);
    const verdict = fast.verdict[i];
    const toi = fast.toi[i];
    const bound = fast.bound[i];
    if (verdict === limits.CLEAR) assert.not.ok(contact, `a contact is missed: ${name}`);
    if (verdict === limits.REACHED) assert.ok(contact, `false positive: ${name}`);
    if (verdict === limits.NEAR && bound === 0)
      assert.ok(isWithin(query, isFace, toi, 1e-6), `too far apart: ${name}`);
    // With the tolerance, doubles may fail to decide only if a coordinate is more than 2^42 times the
    // tolerance.
    if (verdict === limits.NEAR && bound > 0)
      assert.ok(Math.max(...query.map(Math.abs)) > 1e-6 * 2 ** 42, `undecided: ${name}`);
    if (verdict === limits.NEAR) checked.near++;
    if (verdict !== limits.CLEAR && !contact) checked.wrong++;
    if (!contact) return;
    checked.hits++;
    assert.ok(compare(contact, ratio(toi)) >= 0, `${toi} is late: ${name}`);
    if (verdict === limits.REACHED) checkTimes(contact, toi, bound, name);
    checkTimes(contact, exact.toi[i], exact.bound[i], `exact: ${name}`);
    assert.ok(exact.bound[i] <= 2 ** -40, name);
  });
}
