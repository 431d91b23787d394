// Checks how triangle pairs intersect (the kind) and the points that they share. The results of the
// WebAssembly kernel and of the integer code must equal the oracle's to the bit. If they differ, an error
// shows the pair.

import * as assert from 'uvu/assert';
import { intersectTrianglesExact } from '../../dist/contact/intersectTrianglesExact.js';
import { commonSet } from '../oracle/commonSet.js';
import { findSegments, kindNames, UNDECIDED } from './findSegments.js';

const joined = (pairs: readonly Float64Array[]): Float64Array => {
  const points = new Float64Array(18 * pairs.length);
  pairs.forEach((pair, i) => points.set(pair, 18 * i));
  return points;
};

/**
 * Compares the kernel's results with the oracle's. Also compares the integer code's results: for all pairs if
 * `isExactToo`, otherwise only for the pairs that the kernel leaves undecided. @returns the number of
 * undecided pairs
 */
export function checkSegments(pairs: readonly Float64Array[], isExactToo: boolean): number {
  const found = findSegments(joined(pairs));
  let undecided = 0;
  pairs.forEach((pair, i) => {
    const truth = commonSet(pair);
    const points = truth.points.flat();
    const exact = found[i].kind === UNDECIDED || isExactToo ? intersectTrianglesExact(pair) : undefined;
    if (found[i].kind === UNDECIDED) undecided++;
    for (const { kind, points: own } of exact ? [exact, found[i]] : [found[i]]) {
      if (kind === UNDECIDED) continue;
      const isSame =
        kindNames[kind] === truth.kind &&
        own.length === points.length &&
        own.every((value, k) => Object.is(value, points[k]));
      if (!isSame)
        assert.unreachable(`${Array.from(pair)}: ${kindNames[kind]} ${own}, not ${truth.kind} ${points}`);
    }
  });
  return undecided;
}
export const exchangedPair = (pair: Float64Array): Float64Array =>
  Float64Array.from([...pair.subarray(9), ...pair.subarray(0, 9)]);
