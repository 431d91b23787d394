// Evaluates the GPU's filter for pairs of moving features, gpu/ccd/isFar.wgsl, line by line on the CPU. The
// float arithmetic is a parameter, and may be any that WGSL allows. Tests with a GPU compare the GPU's
// results with arithmetic that rounds to nearest. Tests without a GPU use arithmetic that is as imprecise as
// WGSL allows.

import type { Floats, Vector } from './impreciseFloats.js';

const ULP = 2 ** -23;
const MAX_SEPARATION = 2 ** 28;
const MIN_HEIGHT = 2 ** -98;
const MIN_SQUARE = 2 ** -100;
const LENGTH_ERROR = 2 ** -14;
const TURNS = 4;
const TURN = Math.fround(1.3);
const VOLUME_ERROR = 640 * ULP;
const MIN_VOLUME = 2 ** -78;

/**
 * separation: the minimum separation, as a float32. pointError: a bound of the error of the difference of two
 * points on each axis; the error of rounding the difference to float32 is not included.
 */
export interface FilterParams {
  isEdge: boolean;
  separation: number;
  pointError: number;
}

interface Direction {
  along: Vector;
  error: Vector;
}

/**
 * Returns whether the features are certainly farther apart than `separation` during the whole motion. start,
 * end: the three differences of points at the start and at the end of the motion, rounded to float32 (see
 * differencesOf in gpuSweep.ts).
 */
export function isFarBy(
  f: Floats,
  start: readonly Vector[],
  end: readonly Vector[],
  { isEdge, separation, pointError }: FilterParams,
): boolean {
  const { round, sum, dot, root } = f;
  const map = (make: (axis: number) => number): Vector => [make(0), make(1), make(2)];
  const add = (a: Vector, b: Vector): Vector => map(i => round(a[i] + b[i]));
  const subtract = (a: Vector, b: Vector): Vector => map(i => round(a[i] - b[i]));
  const times = (a: Vector, by: number): Vector => map(i => round(a[i] * by));
  const abs = (a: Vector): Vector => map(i => Math.abs(a[i]));
  const product = (a: Vector, b: Vector): Vector => map(i => round(a[i] * b[i]));
  const total = (...all: Vector[]): Vector => map(i => sum(all.map(one => one[i])));
  const plus = (a: Vector, by: number): Vector => map(i => round(a[i] + by));
  const rotated = (a: Vector, by: number): Vector => [a[by % 3], a[(1 + by) % 3], a[(2 + by) % 3]];
  const cross = (a: Vector, b: Vector): Vector =>
    map(i => round(round(a[(i + 1) % 3] * b[(i + 2) % 3]) - round(a[(i + 2) % 3] * b[(i + 1) % 3])));
  const fourth = ([a, b, c]: readonly Vector[]): Vector => (isEdge ? add(c!, subtract(a!, b!)) : c!);
  const d = [...start, fourth(start), ...end, fourth(end)] as Vector[];

  const maximum = map(axis =>
    round(
      round(Math.max(...[0, 1, 2, 4, 5, 6].map(i => Math.abs(d[i][axis]))) * (1 + 4 * ULP)) + 2 * pointError,
    ),
  );
  if (!(Math.max(...maximum) <= MAX_SEPARATION)) return false;
  const used = (isEdge ? [0, 2, 4, 6] : [0, 2, 4, 6, 1, 5]).map(i => d[i]);
  const middle: Direction = {
    along: total(...used),
    error: plus(
      times(add(times(total(...used.map(abs)), 5), times(maximum, 6)), Math.fround(1.01) * ULP),
      8 * pointError,
    ),
  };

  const upright = (): Direction => {
    const second = add(d[1], d[5]);
    const side = subtract(second, add(d[0], d[4]));
    const next = subtract(add(d[2], d[6]), second);
    const sideError = plus(times(maximum, 40 * ULP), 8 * pointError);
    const sizes = total(abs(side), abs(next), sideError);
    return {
      along: cross(side, next),
      error: plus(
        add(
          product(rotated(sizes, 1), rotated(sideError, 2)),
          product(rotated(sizes, 2), rotated(sideError, 1)),
        ),
        2 ** -122,
      ),
    };
  };

  const limitsOf = ({ along, error }: Direction): [number, number] => {
    const size = add(abs(along), error);
    const gap = sum([
      round(72 * ULP * dot(size, maximum)),
      round(round(10 * pointError) * sum(size)),
      MIN_HEIGHT,
    ]);
    if (separation === 0) return [-gap, gap];
    const square = dot(along, along);
    if (square < MIN_SQUARE) return [-(2 ** 100), 2 ** 100];
    const length = root(square);
    const away = round(separation * length);
    const more = round(gap + round(separation * round(round(LENGTH_ERROR * length) + round(3 * sum(error)))));
    return [round(away - more), round(away + more)];
  };
  const gapAt = (point: Vector, { error }: Direction): number =>
    round(Math.fround(2.1) * dot(error, abs(point)));

  const areBeyond = (direction: Direction): boolean => {
    const [, limit] = limitsOf(direction);
    const heights = d.map(point => dot(direction.along, point));
    const low = Math.min(...heights.map((height, i) => round(height - gapAt(d[i], direction))));
    const high = Math.max(...heights.map((height, i) => round(height + gapAt(d[i], direction))));
    return low > limit || high < -limit;
  };

  const isNeverCoplanar = (): boolean => {
    const early = cross(d[1], d[2]);
    const late = cross(d[5], d[6]);
    const between = add(cross(d[1], d[6]), cross(d[5], d[2]));
    const volumes = [
      dot(d[0], early),
      round(dot(d[4], early) + dot(d[0], between)),
      round(dot(d[4], between) + dot(d[0], late)),
      dot(d[4], late),
    ];
    const [x, y, z] = maximum;
    const areas = sum([round(x * y), round(y * z), round(z * x)]);
    const limit = sum([
      round(VOLUME_ERROR * round(round(x * y) * z)),
      round(round(24 * pointError) * areas),
      MIN_VOLUME,
    ]);
    return Math.min(...volumes) > limit || Math.max(...volumes) < -limit;
  };

  const isFarByTurns = (): boolean => {
    let { along: direction, error } = middle;
    for (let turn = 0; turn < TURNS; turn++) {
      const now = { along: direction, error };
      const [low, high] = limitsOf(now);
      const behinds: Vector[] = [];
      let weight = 0;
      for (const [i, point] of d.entries()) {
        const height = dot(direction, point);
        const gap = gapAt(point, now);
        if (height > round(high + gap)) continue;
        if (!(height < round(low - gap))) return false;
        behinds.push(point);
        weight += isEdge && i % 4 === 3 ? 8 : 1;
      }
      if (behinds.length === 0) return true;
      const behind = total(...behinds);
      const ownErrors = times(plus(times(maximum, ULP), pointError), weight);
      const behindError = times(
        add(ownErrors, times(total(...behinds.map(abs)), ULP * behinds.length)),
        Math.fround(1.01),
      );
      const reach = add(abs(behind), times(behindError, 4));
      const square = dot(behind, behind);
      const squareError = sum([
        round(Math.fround(2.1) * dot(reach, behindError)),
        round(4 * ULP * square),
        2 ** -120,
      ]);
      if (!(square > round(16 * squareError))) return false;
      const along = dot(direction, behind);
      const alongError = sum([
        round(Math.fround(1.01) * round(dot(abs(direction), behindError) + dot(error, reach))),
        round(4 * ULP * dot(abs(direction), reach)),
        2 ** -120,
      ]);
      const share = round(round(TURN * along) / square);
      const size = Math.abs(share);
      const shareError = round(
        round(round(1.25 * round(round(TURN * alongError) + round(size * squareError))) / square) +
          round(8 * ULP * size),
      );
      const more = add(
        times(add(times(behindError, size), times(reach, shareError)), Math.fround(1.01)),
        times(add(abs(direction), times(reach, size)), 4 * ULP),
      );
      error = plus(add(error, more), 2 ** -120);
      direction = subtract(direction, times(behind, share));
    }
    return false;
  };

  return (
    areBeyond(middle) || areBeyond(upright()) || (separation === 0 && isNeverCoplanar()) || isFarByTurns()
  );
}
