// Checks the error bounds of the shaders that filter pairs of moving features and of moving bodies. A pair may
// be dropped only if the CPU's filter would certainly drop it, so computed values are compared with the limits
// of the CPU's filter (assembly/ccd), which are written here as exact numbers.

import { readFileSync } from 'node:fs';
import { MIN_ERROR } from '../../dist/gpu/ccd/gpuFeatureSweep.js';
import { gpuContinuousLimits } from '../../dist/records/gpuContinuousLayout.js';
import { limits } from '../../dist/records/layout.js';
import type { Random } from '../../dist/samples/random.js';
import {
  absolute,
  type Exact,
  exactOf,
  larger,
  minus,
  plus,
  rootAbove,
  sumOf,
  times,
  ZERO,
} from './exactFloats.js';
import { type Float, input, node } from './hostileFloats.js';
import type { Checks } from './precisionChecks.js';
import { AXES, inexact, numberOf, sharpNumber, type Vector, vector } from './precisionInputs.js';
import type { Site } from './precisionSites.js';
import type { WgslModule } from './wgslFunctions.js';

const ULP = 2 ** -23;

// Limits of the CPU's filter. HEIGHT, VOLUME: relative errors of heights and volumes. HEIGHT_UNDERFLOW,
// VOLUME_UNDERFLOW: absolute errors of heights and volumes that underflow. LENGTH: bound of the relative error
// of the CPU's product of the separation and the length of a direction.
const HEIGHT = exactOf(16 * ULP * (1 + 2 ** -20));
const HEIGHT_UNDERFLOW = exactOf(2 ** -100 * (1 + 2 ** -20));
const VOLUME = exactOf(128 * ULP * (1 + 2 ** -20));
const VOLUME_UNDERFLOW = exactOf(2 ** -80 * (1 + 2 ** -20));
const LENGTH = 2 ** -18;
const MIN_DIFFERENCE = exactOf(2 ** -126);

interface Direction {
  along: Vector;
  error: Vector;
}

/**
 * A motion: three differences of points at the start and three at the end. pointError: the shaders' parameter
 * `pointError`; the error of each difference is at most this value plus one rounding.
 */
interface Motion {
  start: Vector[];
  end: Vector[];
  pointError: number;
}

// Each float differs from the exact difference by at most one rounding plus pointError.
function motionOf(random: Random): Motion {
  const size = 2 ** [0, 27, -random.below(80), random.below(28)][random.below(4)];
  const pointError = Math.fround(
    Math.max(MIN_ERROR, [0, size * 2 ** -random.below(26), size * ULP][random.below(3)]),
  );
  const bound = (value: number): number => (Math.abs(value) * ULP + pointError) * (1 - 2 ** -20);
  if (random.below(4) === 0) {
    // The determinant of three such vectors is the largest that coordinates of this size allow, and the errors
    // of all coordinates change it in the same direction.
    const share = random.below(2) === 0 ? 1 : -1;
    const aligned = (i: number): Vector =>
      AXES.map(axis => {
        const value = (axis === i && i > 0 ? -1 : 1) * Math.abs(sharpNumber(random, size * 0.99));
        return input(value, exactOf(value + Math.sign(value) * share * bound(value)));
      });
    return { start: AXES.map(aligned), end: AXES.map(aligned), pointError };
  }
  const spread = 2 ** -[0, 0, 1, random.below(22)][random.below(4)];
  const base = AXES.map(() => sharpNumber(random, size * 0.99));
  const isSharp = random.below(2) === 0;
  const one = (): Vector =>
    AXES.map(axis => {
      const part = isSharp ? sharpNumber(random, size / 2) : numberOf(random, size);
      const value = Math.fround(spread === 1 ? part : base[axis] * 0.5 + part * spread);
      return inexact(random, value, bound(value));
    });
  return { start: [one(), one(), one()], end: [one(), one(), one()], pointError };
}

function setParams(module: WgslModule, random: Random, { pointError, start }: Motion): number {
  const size = Math.max(...start.flat().map(({ value }) => Math.abs(value)), 2 ** -80);
  const separation =
    random.below(2) === 0 ? 0 : Math.min(2 ** 33, Math.fround(size * 2 ** (12 - random.below(36))));
  module.globals['params'] = {
    isEdge: random.below(2),
    isSeparated: Number(separation > 0),
    separation: input(separation),
    pointError: input(pointError),
  };
  return separation;
}

/**
 * Limits of the CPU's filter for a motion. min, max: lower and upper bounds of the max |x|, |y| and |z| that
 * the CPU computes for the differences of the motion.
 */
class CpuFilter {
  readonly min: Exact[];
  readonly max: Exact[];
  constructor(
    private readonly checks: Checks,
    { start, end, pointError }: Motion,
    private readonly separation: number,
  ) {
    const sizes = AXES.map(axis =>
      [...start, ...end].map(one => absolute(one[axis].exact)).reduce((max, one) => larger(max, one)),
    );
    this.max = sizes.map(size =>
      larger(plus(times(size, exactOf(1 + ULP)), exactOf(pointError)), MIN_DIFFERENCE),
    );
    this.min = sizes.map(size => larger(minus(times(size, exactOf(1 - ULP)), exactOf(pointError)), ZERO));
  }

  /**
   * Returns the largest or the smallest value that the CPU may compute for the limit of heights along a
   * direction, whatever the rounding errors of the direction are.
   */
  limit({ along }: Direction, isMax: boolean): Exact {
    const sizes = along.map(one => {
      const error = this.checks.errorOf(one);
      const size = absolute(one.exact);
      return isMax ? plus(size, error) : larger(minus(size, error), ZERO);
    });
    const weights = isMax ? this.max : this.min;
    const rounding = times(HEIGHT, sumOf(sizes.map((size, axis) => times(size, weights[axis]))));
    const length = rootAbove(sumOf(sizes.map(size => times(size, size))));
    const factor = this.separation * (isMax ? 1 + LENGTH : 1 - LENGTH);
    const away = times(length, exactOf(factor));
    return isMax
      ? sumOf([rounding, away, HEIGHT_UNDERFLOW])
      : plus(times(rounding, exactOf(1 - 2 ** -18)), away);
  }
}

const isFar: Site = {
  name: 'farApart and neverCoplanar: directions, heights, limits and volumes',
  files: ['farApart', 'neverCoplanar', 'isFar'],
  more: 'fn dotOf(a: vec3f, b: vec3f) -> f32 { return dot(a, b); }',
  run(module, random, checks) {
    const motion = motionOf(random);
    const separation = setParams(module, random, motion);
    const cpu = new CpuFilter(checks, motion, separation);
    const { isFar, dotOf, gapAt } = module.functions;
    let points: Vector[] = [];
    let direction!: Direction;
    let isHeight = false;
    let isChecking = false;
    const exceeds = (height: Float, limits: readonly Float[]): void => {
      const bound = sumOf(limits.map(one => checks.computed(one, -1)));
      const error = times(checks.errorOf(height), exactOf(2));
      checks.atMost('height beyond the limit', plus(error, cpu.limit(direction, true)), bound);
    };
    module.start(checks.device, {
      call(name, args) {
        if (isChecking) return;
        if (name === 'centerDirection') {
          points = args[0];
          args[1].forEach((size: Float, axis: number) => {
            checks.atMost('maxAbsolute', cpu.max[axis], plus(checks.computed(size, -1), MIN_DIFFERENCE));
          });
        }
        if (name === 'limitsOf') {
          direction = args[0];
          for (const axis of AXES) checks.within('direction', direction.along[axis], direction.error[axis]);
        }
        // The next comparison compares a height with its limit.
        if (name === 'gapAt') isHeight = true;
      },
      compare(name, operator, left, right) {
        if (name === 'areBeyond' && operator === '>') {
          isChecking = true;
          for (const point of points)
            exceeds(dotOf(direction.along, point), [right, gapAt(point, direction)]);
          isChecking = false;
        }
        if (name === 'isFarByRotations') {
          if (operator === '<') {
            const error = times(checks.errorOf(left), exactOf(2));
            checks.atMost(
              'height below the limit',
              plus(error, checks.computed(right, 1)),
              cpu.limit(direction, false),
            );
          } else if (operator === '>' && isHeight) exceeds(left, [right]);
          else if (operator === '>') checks.within('square', left, right, { factor: 16 });
          isHeight = false;
        }
        if (name === 'neverCoplanar') {
          const more = plus(times(VOLUME, cpu.max.reduce(times)), VOLUME_UNDERFLOW);
          checks.within('volume', left, operator === '>' ? right : node('neg', right), { factor: 2, more });
        }
      },
    });
    isFar(motion.start, motion.end);
  },
};

const CONSTANTS = { ...gpuContinuousLimits, NOTHING: limits.NOTHING, WORKGROUP: 64 };

const bodyFaces: Site = {
  name: 'filterBodyPairs: planes between faces',
  files: ['filterBodyPairs'],
  names: ['separates'],
  constants: CONSTANTS,
  run(module, random, checks) {
    const size = 2 ** [0, -random.below(50), random.below(28)][random.below(3)];
    const pointError = Math.fround(
      Math.max(8 * MIN_ERROR, [size * 2 ** -random.below(26), 0][random.below(2)]),
    );
    module.globals['params'] = { pointError: input(pointError) };
    const pick = random.below(2) === 0 ? numberOf : sharpNumber;
    const face = (): { start: Vector[] } => ({
      start: AXES.map(() =>
        vector(
          random,
          AXES.map(() => pick(random, size)),
          (pointError / 2) * (1 - 2 ** -20),
        ),
      ),
    });
    const lineSize = 2 ** (random.below(120) - 90);
    const line = vector(
      random,
      AXES.map(() => pick(random, lineSize)),
    );
    module.start(checks.device, {
      compare: (_, __, left, right) => checks.within('distance along a line', left, right),
    });
    module.functions['separates'](line, face(), face());
  },
};

const FILTER = new URL('../../bindings/gpu/ccd/gpuBodyPairFilter.ts', import.meta.url);

/**
 * Reads, from the source of GpuBodyPairFilter, the expression for the error bound of the difference of two
 * points.
 */
function readPointError(): (
  values: Record<'reach' | 'unit' | 'coordinate' | 'factor' | 'MIN_ERROR', number>,
) => number {
  const text = /pointError: floatAbove\(\s*([^;]*?),?\s*\),\n/.exec(readFileSync(FILTER, 'utf8'));
  if (!text) throw new Error('gpuBodyPairFilter.ts has no pointError');
  return new Function('{ reach, unit, coordinate, factor, MIN_ERROR }', `return ${text[1]};`) as ReturnType<
    typeof readPointError
  >;
}

const pointErrorOf = readPointError();

const bodyPoints: Site = {
  name: 'filterBodyPairs: differences of points',
  files: ['movingBodies', 'filterBodyPairs'],
  names: ['faceOf', 'offsetFromOrigin', 'imageOf', 'difference'],
  constants: CONSTANTS,
  more: 'fn difference(a: vec3f, b: vec3f) -> vec3f { return a - b; }',
  run(module, random, checks) {
    const size = 2 ** [0, -random.below(40), random.below(20)][random.below(3)];
    const rowEntry = (): number => [random.between(-1, 1), sharpNumber(random, 0.99)][random.below(2)];
    let reach = 0;
    const vertices = Array.from({ length: 6 }, () => AXES.map(() => sharpNumber(random, size)));
    // The box of a body may be larger than its points need, so `reach` is increased at random.
    const bodies = [0, 1].map(() => {
      const rows = Array.from({ length: 6 }, () => AXES.map(rowEntry));
      const own = Math.max(
        ...rows.map(row => row.reduce((sum, one) => sum + Math.abs(one) * size * (1 + 2 ** -10), 0)),
      );
      reach = Math.max(reach, own + own * random.between(0, 2));
      return rows;
    });
    const unit = 2 ** (Math.ceil(Math.log2(reach)) - 27 + random.below(20));
    const place = (): number[] => [...AXES.map(() => Math.round((random.between(-2, 2) * reach) / unit)), 0];
    const rounded = (row: number[]): Float[] => [...row.map(one => input(one, exactOf(one))), input(0)];
    module.globals['bodies'] = bodies.map((rows, body) => ({
      ...Object.fromEntries(rows.map((row, i) => [`${i < 3 ? 'from' : 'to'}${i % 3}`, rounded(row)])),
      fromAt: body === 0 ? [0, 0, 0, 0] : place(),
      toAt: place(),
      firstFace: 0,
      firstVertex: 3 * body,
    }));
    module.globals['vertices'] = vertices.flat().map(one => input(one));
    module.globals['faces'] = [0, 1, 2, 0, 1, 2];
    module.globals['params'] = { unit: input(unit) };
    module.globals['origin'] = [0, 0, 0];
    module.start(checks.device, {});
    const { faceOf, difference } = module.functions;
    const [a, b] = [faceOf(0, 0), faceOf(1, 0)];
    const factor = Math.max(size, 1);
    const pointError = pointErrorOf({ reach, unit, coordinate: 0, factor, MIN_ERROR });
    for (const time of ['start', 'end'])
      for (const value of difference(a[time][random.below(3)], b[time][random.below(3)]) as Vector) {
        // The origins of both bodies were rounded to integer multiples of `unit`, so the difference may be
        // wrong by one more unit. pointError does not cover the rounding of the subtraction itself, so one ULP
        // is added to the bound.
        const own = plus(exactOf(pointError), times(absolute(value.exact), exactOf(ULP)));
        checks.atMost('difference', plus(checks.errorOf(value), exactOf(1.001 * unit)), own);
      }
  },
};

const nodeBoxes: Site = {
  name: 'traverseMoving: boxes of nodes',
  files: ['treeNodes', 'movingBodies', 'traverseMoving'],
  names: ['offsetFromOrigin', 'imageOf', 'placedBounds', 'sweptBounds'],
  run(module, random, checks) {
    const size = 2 ** [0, -random.below(40), random.below(20)][random.below(3)];
    const rows = Array.from({ length: 6 }, () =>
      AXES.map(() => [random.between(-1, 1), sharpNumber(random, 0.99)][random.below(2)]),
    );
    const own = Math.max(
      ...rows.map(row => row.reduce((sum, one) => sum + Math.abs(one) * size * (1 + 2 ** -10), 0)),
    );
    // The center of a mesh with coordinates up to `size`, and half the size of a box of the mesh's tree.
    const center = AXES.map(() => numberOf(random, size / 2));
    const half = AXES.map(() => Math.abs(numberOf(random, 2 ** -random.below(10))));
    // Coordinates in the tree were rounded once, so the exact box may be off by 2^-24.
    const box = {
      center: vector(
        random,
        half.map(one => numberOf(random, 1 - one)),
        2 ** -24,
      ),
      half: vector(random, half),
    };
    const reach = own * random.between(1, 3);
    const unit = 2 ** (Math.ceil(Math.log2(reach)) - 27 + random.below(20));
    const [fromAt, toAt] = [0, 1].map(() =>
      AXES.map(() => Math.round((random.between(-2, 2) * reach) / unit)),
    );
    const margin = Math.fround(random.between(0, 0.5) * reach);
    module.globals['bodies'] = [
      {
        ...Object.fromEntries(
          rows.map((row, i) => [
            `${i < 3 ? 'from' : 'to'}${i % 3}`,
            [...row.map(one => input(one, exactOf(one))), input(0)],
          ]),
        ),
        fromAt: [...fromAt, 0],
        toAt: [...toAt, 0],
        frame: [...center, size / 2].map(one => input(one)),
      },
    ];
    module.globals['params'] = { unit: input(unit), margin: input(margin) };
    module.globals['origin'] = [0, 0, 0];
    module.start(checks.device, {});
    const { low, high } = module.functions['sweptBounds'](0, box);
    const pointError = exactOf(
      pointErrorOf({ reach, unit, coordinate: 0, factor: Math.max(size, 1), MIN_ERROR }),
    );
    // The origins of this body and of body A (`origin`) were rounded to integer multiples of `unit`.
    const rounding = exactOf(1.001 * unit);
    for (const [i, row] of rows.entries()) {
      const axis = i % 3;
      // The corner of the box that has the smallest or the largest placed coordinate along `axis`.
      const isLow = random.below(2) === 0;
      const point = AXES.map(k => {
        const away = isLow === row[k] > 0 ? -1 : 1;
        const stored = plus(box.center[k].exact, times(box.half[k].exact, exactOf(away)));
        return times(exactOf(row[k]), plus(times(stored, exactOf(size / 2)), exactOf(center[k])));
      });
      const at = plus(sumOf(point), exactOf((i < 3 ? fromAt : toAt)[axis] * unit));
      const excess = isLow
        ? minus(plus(checks.computed(low[axis], 1), exactOf(margin)), at)
        : minus(plus(at, exactOf(margin)), checks.computed(high[axis], -1));
      checks.atMost('side of a box', plus(excess, rounding), pointError);
    }
  },
};

export const farApartSites: readonly Site[] = [isFar, bodyFaces, bodyPoints, nodeBoxes];
