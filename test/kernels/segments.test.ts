// Triangle pairs of every nasty kind -> kinds and points are the integer oracle's, to the bit.

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { commonSetExact } from '../../dist/questions/commonSetExact.js';
import { commonSet } from '../oracle/commonSet.js';
import { fuzzCounts, kinds, nastyPairs, type Precision } from '../oracle/random.js';
import { dataTest } from '../support/data.js';
import { findSegments, kindNames, UNSETTLED } from '../support/findSegments.js';
import { readTriangleRows } from '../support/truth.js';

const joined = (pairs: readonly Float64Array[]): Float64Array => {
  const points = new Float64Array(18 * pairs.length);
  pairs.forEach((pair, i) => points.set(pair, 18 * i));
  return points;
};

/** How many pairs the kernel left to integers. */
function check(pairs: readonly Float64Array[], isExactToo: boolean): number {
  const found = findSegments(joined(pairs));
  let unsettled = 0;
  pairs.forEach((pair, i) => {
    const truth = commonSet(pair), points = truth.points.flat(), exact = found[i]!.kind === UNSETTLED || isExactToo ? commonSetExact(pair) : undefined;
    if (found[i]!.kind === UNSETTLED) unsettled++;
    for (const { kind, points: own } of exact ? [exact, found[i]!] : [found[i]!]) {
      if (kind === UNSETTLED) continue;
      const isSame = kindNames[kind] === truth.kind && own.length === points.length && own.every((value, k) => Object.is(value, points[k]));
      if (!isSame) assert.unreachable(`${Array.from(pair)}: ${kindNames[kind]} ${own}, not ${truth.kind} ${points}`);
    }
  });
  return unsettled;
}
const exchanged = (pair: Float64Array): Float64Array => Float64Array.from([...pair.subarray(9), ...pair.subarray(0, 9)]);

for (const kind of kinds) {
  for (const precision of ['float32', 'float64'] satisfies Precision[]) {
    test(`as the oracle says: ${kind}, ${precision}`, () => {
      const pairs = [...nastyPairs(kind, 91, fuzzCounts.ci, precision)];
      const unsettled = check(pairs, true) + check(pairs.map(exchanged), false);
      console.log(kind, precision, unsettled);
    });
  }
}
dataTest('20,000 published pairs', () => {
  const rows = readTriangleRows();
  assert.is(rows.length, 20_000);
  console.log(check(rows.map(row => row.corners), false));
});

test.run();
