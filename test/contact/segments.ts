// Helps to check the results of queries with want: 'segments': compares them with the oracle, computes the
// expected result for exchanged meshes, and joins segments into curves.

import type { ContactSegmentsCopy } from '../../dist/index.js';
import { commonSet } from '../oracle/commonSet.js';
import { kindNames } from './findSegments.js';

/** Returns the points of pair i. */
export const pointsOf = ({ points, pointsAt }: ContactSegmentsCopy, i: number): Float64Array =>
  points.subarray(3 * pointsAt[i], 3 * pointsAt[i + 1]);

/**
 * Compares all pairs with the oracle. If there are more than `maximum` pairs, compares only an evenly spaced
 * sample of at least `maximum` and fewer than 2 * `maximum` pairs. cornersA, cornersB: 9 placed doubles per
 * triangle. @returns a description of the first fault, or an empty string
 */
export function segmentFault(
  found: ContactSegmentsCopy,
  cornersA: Float64Array,
  cornersB: Float64Array,
  maximum = Infinity,
): string {
  if (
    found.pointsAt.length !== found.count + 1 ||
    found.pointsAt[0] !== 0 ||
    3 * found.pointsAt[found.count] !== found.points.length
  )
    return 'pointsAt does not match the numbers of pairs and points';
  const step = Math.max(1, Math.floor(found.count / maximum));
  for (let i = 0; i < found.count; i += step) {
    const [a, b] = [9 * found.a[i], 9 * found.b[i]];
    const truth = commonSet([...cornersA.subarray(a, a + 9), ...cornersB.subarray(b, b + 9)]);
    const own = pointsOf(found, i);
    const points = truth.points.flat();
    const kind = kindNames[found.kind[i]];
    if (kind !== truth.kind) return `pair ${found.a[i]}, ${found.b[i]} is ${kind}, not ${truth.kind}`;
    if (own.length !== points.length || own.some((value, k) => !Object.is(value, points[k])))
      return `pair ${found.a[i]}, ${found.b[i]}, ${kind}: ${own}, not ${points}`;
  }
  return '';
}

/** Returns the expected result of the same query with its meshes exchanged. */
export function mirrored(
  found: ContactSegmentsCopy,
  cornersA: Float64Array,
  cornersB: Float64Array,
): ContactSegmentsCopy {
  const order = Array.from(found.a.keys()).sort((i, j) => found.b[i] - found.b[j] || found.a[i] - found.a[j]);
  const points: number[] = [];
  const pointsAt = [0];
  for (const i of order) {
    const own = Array.from({ length: pointsOf(found, i).length / 3 }, (_, k) => [
      ...pointsOf(found, i).subarray(3 * k, 3 * k + 3),
    ]);
    const isReversed = own.length === 2 && haveDirection(cornersA, found.a[i], cornersB, found.b[i]);
    const isOpposite = found.kind[i] === 5;
    // If the meshes are exchanged, a polygon still begins at the same corner. It winds around the normal of
    // the first triangle, so its orientation changes if the two triangles face in opposite directions.
    const rotated = isReversed ? own.reverse() : isOpposite ? [own[0], ...own.slice(1).reverse()] : own;
    points.push(...rotated.flat());
    pointsAt.push(points.length / 3);
  }
  return {
    count: found.count,
    a: Uint32Array.from(order, i => found.b[i]),
    b: Uint32Array.from(order, i => found.a[i]),
    kind: Uint8Array.from(order, i => found.kind[i]),
    pointsAt: Uint32Array.from(pointsAt),
    points: Float64Array.from(points),
  };
}

// Returns whether the oracle reverses the segment of two triangles if the triangles are exchanged. The oracle
// reverses the segment if the planes of the triangles are not parallel.
function haveDirection(cornersA: Float64Array, a: number, cornersB: Float64Array, b: number): boolean {
  const [one, other] = [[...cornersA.subarray(9 * a, 9 * a + 9)], [...cornersB.subarray(9 * b, 9 * b + 9)]];
  const there = commonSet([...one, ...other]).points;
  const back = commonSet([...other, ...one]).points;
  return JSON.stringify(there) !== JSON.stringify(back);
}

/**
 * Returns an entry for each point at which CROSS segments begin or end; the key is the point's bits. balance:
 * the number of segments that begin at the point minus the number that end at it. count: the number of
 * segments that begin or end at the point. pairs: the indices of the triangle pairs that have these segments.
 */
export function endsOf(
  found: ContactSegmentsCopy,
): Map<string, { balance: number; count: number; pairs: number[] }> {
  const ends = new Map<string, { balance: number; count: number; pairs: number[] }>();
  for (let i = 0; i < found.count; i++) {
    if (found.kind[i] !== 1) continue;
    for (const k of [0, 1]) {
      const key = String(new BigUint64Array(pointsOf(found, i).slice(3 * k, 3 * k + 3).buffer));
      const end = ends.get(key) ?? { balance: 0, count: 0, pairs: [] };
      end.balance += k === 0 ? 1 : -1;
      end.count++;
      end.pairs.push(i);
      ends.set(key, end);
    }
  }
  return ends;
}

/**
 * Joins the CROSS segments into curves. Each curve is a list of indices of triangle pairs. The segment of
 * each pair ends where the segment of the next pair begins.
 */
export function curvesOf(found: ContactSegmentsCopy): number[][] {
  const startingAt = new Map<string, number[]>();
  const curves: number[][] = [];
  const left = new Set<number>();
  const keyOf = (i: number, k: number): string =>
    String(new BigUint64Array(pointsOf(found, i).slice(3 * k, 3 * k + 3).buffer));
  for (let i = 0; i < found.count; i++) {
    if (found.kind[i] !== 1) continue;
    left.add(i);
    startingAt.set(keyOf(i, 0), [...(startingAt.get(keyOf(i, 0)) ?? []), i]);
  }
  for (const start of left) {
    const curve: number[] = [];
    for (
      let next: number | undefined = start;
      next !== undefined;
      next = startingAt.get(keyOf(next, 1))?.find(i => left.has(i))
    ) {
      left.delete(next);
      curve.push(next);
    }
    curves.push(curve);
  }
  return curves;
}
