// Computes the volume that two closed triangle soups have in common, in exact fractions: the integral of the
// product of their winding numbers. Each soup is the signed sum of the tetrahedra between its triangles and one
// of its vertices, so the volume is the signed sum of the volumes that pairs of tetrahedra have in common. To
// intersect two tetrahedra, the first is cut at the planes of the second into smaller tetrahedra. The code is
// slow and shares nothing with the engine.

import {
  compare,
  cross,
  dot,
  type Fraction,
  fraction,
  plus,
  type RationalPoint,
  signOf,
  subtract,
  type Vector,
} from './fractions.js';
import { toIntegers } from './integers.js';

type Tetrahedron = readonly RationalPoint[];
interface Signed {
  corners: readonly Vector[];
  sign: bigint;
  min: readonly number[];
  max: readonly number[];
}

/**
 * Returns `unit`, a power of two whose products with all coordinates are integers, and the common volume times
 * the third power of `unit`.
 * @param cornersA Nine doubles per triangle; cornersB likewise.
 */
function commonVolume(cornersA: Float64Array, cornersB: Float64Array): { volume: Fraction; unit: Fraction } {
  // The 1 at the start of the list becomes the unit, so the unit is a power of two that is at least 1.
  const whole = toIntegers([1, ...cornersA, ...cornersB]);
  const a = tetrahedraOf(whole.slice(1, 1 + cornersA.length));
  const b = tetrahedraOf(whole.slice(1 + cornersA.length));
  let sum = fraction(0n);
  for (const one of a) {
    for (const other of b) {
      if (one.min.some((min, axis) => min > other.max[axis] || other.min[axis] > one.max[axis])) continue;
      const common = intersect(one.corners, other.corners);
      sum = plus(sum, fraction(common.over * one.sign * other.sign, common.under));
    }
  }
  return { volume: sum, unit: fraction(whole[0]) };
}

/**
 * Returns a function that compares the magnitude of the common volume with a double: 1 if the volume is
 * larger, -1 if it is smaller, 0 if both are equal.
 */
export function volumeComparer(cornersA: Float64Array, cornersB: Float64Array): (value: number) => number {
  const { volume, unit } = commonVolume(cornersA, cornersB);
  const over = volume.over < 0n ? -volume.over : volume.over;
  return value => {
    if (value === Infinity) return -1;
    const [one, whole] = toIntegers([1, value]);
    return signOf(over * one - whole * unit.over ** 3n * volume.under);
  };
}

/**
 * Returns whether a closed soup winds at most once around every point, and always in the same direction:
 * almost everywhere, its winding number w is 0 or 1, or almost everywhere, w is 0 or -1. As w is an integer,
 * this holds if and only if the integral of w * w is the magnitude of the integral of w.
 */
export function windsOnce(corners: Float64Array): boolean {
  const { volume } = commonVolume(corners, corners);
  const signed = tetrahedraOf(toIntegers([1, ...corners]).slice(1)).reduce(
    (sum, one) => sum + one.sign * sixVolumes(one.corners),
    0n,
  );
  return compare(volume, fraction(signed < 0n ? -signed : signed, 6n)) === 0;
}

function tetrahedraOf(values: readonly bigint[]): Signed[] {
  const at = (i: number): Vector => [values[i], values[i + 1], values[i + 2]];
  const found: Signed[] = [];
  for (let i = 0; i < values.length; i += 9) {
    const corners = [at(0), at(i), at(i + 3), at(i + 6)];
    const sign = signOf(sixVolumes(corners));
    if (sign === 0) continue;
    const axisValues = [0, 1, 2].map(axis => corners.map(corner => Number(corner[axis])));
    found.push({
      corners: sign > 0 ? corners : [corners[1], corners[0], corners[2], corners[3]],
      sign: BigInt(sign),
      min: axisValues.map(list => Math.min(...list)),
      max: axisValues.map(list => Math.max(...list)),
    });
  }
  return found;
}

const sixVolumes = ([a, b, c, d]: readonly Vector[]): bigint =>
  dot(cross(subtract(b, a), subtract(c, a)), subtract(d, a));

// Returns the volume that two tetrahedra have in common. For the corners of each tetrahedron, in the given
// order, `sixVolumes` must be positive.
function intersect(one: readonly Vector[], other: readonly Vector[]): Fraction {
  let parts: Tetrahedron[] = [one.map(at => ({ at, under: 1n }))];
  for (const [a, b, c] of [
    [0, 1, 2],
    [0, 3, 1],
    [1, 3, 2],
    [2, 3, 0],
  ]) {
    const normal = cross(subtract(other[b], other[a]), subtract(other[c], other[a]));
    parts = parts.flatMap(part =>
      cut(part, ({ at, under }) => dot(normal, at) - dot(normal, other[a]) * under),
    );
  }
  return parts.map(volumeOf).reduce(plus, fraction(0n));
}

// Returns tetrahedra that together fill the part of a tetrahedron above a plane. height: returns the height
// of a point above this plane, multiplied by a positive factor and by the point's denominator.
function cut(corners: Tetrahedron, height: (point: RationalPoint) => bigint): Tetrahedron[] {
  const heights = new Map(corners.map(corner => [corner, height(corner)]));
  const kept = corners.filter(corner => heights.get(corner)! > 0n);
  const dropped = corners.filter(corner => heights.get(corner)! <= 0n);
  if (kept.length === 0) return [];
  if (dropped.length === 0) return [corners];
  const middle = (from: RationalPoint, to: RationalPoint): RationalPoint => {
    const [h, k] = [heights.get(from)!, -heights.get(to)!];
    return reduced(
      [0, 1, 2].map(axis => from.at[axis] * k + to.at[axis] * h) as unknown as Vector,
      from.under * k + to.under * h,
    );
  };
  if (kept.length === 1) return [[kept[0], ...dropped.map(corner => middle(kept[0], corner))]];
  const [[p0, p1, p2], [q0, q1, q2]] =
    kept.length === 3
      ? [kept, kept.map(corner => middle(corner, dropped[0]))]
      : kept.map(corner => [corner, ...dropped.map(other => middle(corner, other))]);
  return [
    [p0, p1, p2, q2],
    [p0, p1, q1, q2],
    [p0, q0, q1, q2],
  ];
}

function reduced(at: Vector, under: bigint): RationalPoint {
  let divisor = under;
  for (const value of at) {
    let [a, b] = [divisor, value < 0n ? -value : value];
    while (b !== 0n) [a, b] = [b, a % b];
    divisor = a;
  }
  return { at: at.map(value => value / divisor) as unknown as Vector, under: under / divisor };
}

function volumeOf([a, b, c, d]: Tetrahedron): Fraction {
  const minus = (p: RationalPoint): Vector =>
    [0, 1, 2].map(axis => p.at[axis] * a.under - a.at[axis] * p.under) as unknown as Vector;
  const six = dot(cross(minus(b), minus(c)), minus(d));
  return fraction(six < 0n ? -six : six, 6n * a.under ** 3n * b.under * c.under * d.under);
}
