// The options of castRays, and the checks of its arguments.

import {
  type Coordinates,
  checkAttached,
  checkTriples,
  copyIfEngineMemory,
  copyOptions,
  integer,
  isFloatArray,
  type OptionTable,
  oneOf,
} from '../core/checkOptions.js';
import { Unsupported } from '../core/errors.js';

/** Three numbers per ray (x, y, z); for the option `max`, one number per ray. */
export type RayNumbers = Coordinates;

/** Which sides of triangles count. */
export type RaySide = 'both' | 'front' | 'back';

/** Options of castRays. All are optional. */
export interface RayOptions {
  /**
   * The result for each ray. 'closest' (default): the first triangle along the ray. 'any': whether there is a
   * hit. 'all': every triangle that the ray hits. 'count': the number of these triangles.
   */
  want?: 'closest' | 'any' | 'all' | 'count';
  /**
   * Maximum of the parameter t. A ray consists of the points origin + t * direction, so the unit of `max` is
   * the length of the ray's direction vector. A number >= 0, or an array with one number per ray. Infinity is
   * allowed. Default Infinity.
   */
  max?: number | RayNumbers;
  /**
   * Which sides of triangles count. The front is the side from which the placed vertices appear in
   * counterclockwise order. A hit by a ray in the plane of the triangle, or on a triangle without area, is on
   * neither side, so it counts only with 'both'. Default 'both'.
   */
  side?: RaySide;
  /** For scenes: bits of the groups that the rays belong to. Default 1. */
  group?: number;
  /**
   * For scenes: bits of the groups that the rays hit. A body is tested if its group shares a bit with this
   * mask, and `group` shares a bit with the body's mask. Default: all.
   */
  mask?: number;
}

const BITS = integer(-(2 ** 31), 2 ** 32 - 1);
const OPTIONS: OptionTable<RayOptions> = {
  want: oneOf('closest', 'any', 'all', 'count'),
  max: value =>
    !(isFloatArray(value) || (typeof value === 'number' && value >= 0)) &&
    'a number >= 0, or a Float32Array or Float64Array of one number >= 0 per ray',
  side: oneOf('both', 'front', 'back'),
  group: BITS,
  mask: BITS,
};

/** Checked arguments of castRays. */
export interface RayCast {
  readonly count: number;
  readonly origins: RayNumbers;
  readonly directions: RayNumbers;
  readonly max: number | RayNumbers;
  readonly want: 'closest' | 'any' | 'all' | 'count';
  readonly side: RaySide;
  readonly group: number;
  readonly mask: number;
  /** Whether `group` or `mask` was given. */
  readonly isFiltered: boolean;
}

/** Checks the arguments, but not the numbers in the arrays, which the kernel checks. @throws Unsupported */
export function readCast(origins: unknown, directions: unknown, given: RayOptions): RayCast {
  const { want = 'closest', max = Infinity, side = 'both', group, mask } = copyOptions(OPTIONS, given);
  checkTriples('origins', origins, 'origin');
  checkTriples('directions', directions, 'direction');
  if (directions.length !== origins.length)
    throw new Unsupported(
      `directions has length ${directions.length}, but origins has length ${origins.length}`,
      'pass one direction per origin',
    );
  const count = origins.length / 3;
  if (typeof max !== 'number') {
    checkAttached('max', max);
    if (max.length !== count)
      throw new Unsupported(
        `max has length ${max.length}, but there are ${count} rays`,
        'pass one number, or one per ray',
      );
  }
  return {
    count,
    origins: copyIfEngineMemory(origins),
    directions: copyIfEngineMemory(directions),
    max: typeof max === 'number' ? max : copyIfEngineMemory(max),
    want,
    side,
    group: (group ?? 1) >>> 0,
    mask: (mask ?? 0xffffffff) >>> 0,
    isFiltered: group !== undefined || mask !== undefined,
  };
}

const MAX = 2 ** 200;
const MIN = 2 ** -200;

/** Throws the error for a ray that the kernel found invalid. */
export function rejectRay({ origins, directions, max }: RayCast, ray: number): never {
  for (const [name, numbers] of [
    ['origins', origins],
    ['directions', directions],
  ] as const)
    for (let i = 3 * ray; i < 3 * ray + 3; i++) {
      const size = Math.abs(numbers[i]);
      if (!(size <= MAX && (size >= MIN || size === 0)))
        throw new Unsupported(
          `${name}[${i}] is ${numbers[i]}, but each number of a ray must be 0 or have a magnitude of 2^-200 to 2^200`,
          `fix ray ${ray}`,
        );
    }
  if (directions.subarray(3 * ray, 3 * ray + 3).every(value => value === 0))
    throw new Unsupported(
      `the direction of ray ${ray} is 0, 0, 0`,
      'pass a direction with at least one nonzero number',
    );
  throw new Unsupported(
    `max[${ray}] is ${(max as RayNumbers)[ray]}, not a number >= 0`,
    'pass a number >= 0 or Infinity for each ray',
  );
}
