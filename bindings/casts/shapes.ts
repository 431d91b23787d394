// Checks the spheres, capsules and boxes that callers pass, and writes them into a job.

import { anyValue, copyOptions, type OptionTable } from '../core/checkOptions.js';
import { describe, Unsupported } from '../core/errors.js';
import { MAX_FLOAT } from '../core/floatRange.js';
import { cross, dot, type IntegerVector } from '../core/integers.js';
import { placeOn, readTransform, type Transform } from '../core/transform.js';
import { toExactIntegers } from '../mesh/trianglesIntersectExact.js';
import { limits } from '../records/layout.js';
import { setWords } from '../records/record.js';
import { ShapeJob, shapeLimits } from '../records/shapeCastLayout.js';

/** Three numbers as properties, like a Vector3 of three.js. */
export interface VectorObject {
  /** The first number. */
  readonly x: number;
  /** The second number. */
  readonly y: number;
  /** The third number. */
  readonly z: number;
}

/** Three numbers: an array of any kind, or an object with x, y and z. */
export type Vector = ArrayLike<number> | VectorObject;

/**
 * A solid sphere: all points whose distance from `center` is at most `radius`. Coordinates and lengths are in
 * the frame of the mesh or scene at which the sphere is cast.
 */
export interface Sphere {
  /** The center: x, y, z. */
  center: Vector;
  /** The radius: 0 or more. */
  radius: number;
}

/**
 * A solid capsule: all points whose distance from the segment from `start` to `end` is at most `radius`.
 * Coordinates and lengths are in the frame of the mesh or scene at which the capsule is cast.
 */
export interface Capsule {
  /** One end of the segment: x, y, z. */
  start: Vector;
  /** The other end of the segment: x, y, z. Equal ends make a sphere. */
  end: Vector;
  /** The radius: 0 or more. */
  radius: number;
}

/**
 * A solid box, given in its own frame: the corners are center +- halfExtents. `transform` places the box in the
 * frame of the mesh or scene; rotations, scales and shears are allowed. The corners are transformed in doubles.
 */
export interface Box {
  /** Half of the size along each axis of the box: three numbers, each more than 0. */
  halfExtents: Vector;
  /** The center, in the frame of the box. Default: 0, 0, 0. */
  center?: Vector;
  /** The placement of the box: 16 numbers, column-major. Default: the identity. */
  transform?: Transform;
}

const MAX = 2 ** 200;
const MIN = 2 ** -200;
const RANGE = 'each number is 0 or 2^-200..2^200 in magnitude';
const SPHERE: OptionTable<Sphere> = { center: anyValue, radius: anyValue };
const CAPSULE: OptionTable<Capsule> = { start: anyValue, end: anyValue, radius: anyValue };
const BOX: OptionTable<Box> = { halfExtents: anyValue, center: anyValue, transform: anyValue };
const AXES = [0, 1, 2] as const;

/** Returns a copy of three numbers. @throws Unsupported naming the first invalid one */
export function readVector(name: string, value: unknown): [number, number, number] {
  const given = value as { length?: number; x?: number; y?: number; z?: number } | null | undefined;
  const isList = typeof given === 'object' && given?.length === 3;
  if (!(isList || (typeof given === 'object' && given !== null && 'x' in given)))
    throw new Unsupported(
      `${name} is ${describe(value)}, not three numbers`,
      `pass ${name} as [x, y, z] or as an object with x, y and z`,
    );
  const numbers = isList ? AXES.map(i => (given as ArrayLike<number>)[i]) : [given!.x, given!.y, given!.z];
  return numbers.map((number, i) => readNumber(isList ? `${name}[${i}]` : `${name}.${'xyz'[i]}`, number)) as [
    number,
    number,
    number,
  ];
}

function readNumber(name: string, value: unknown): number {
  const size = typeof value === 'number' ? Math.abs(value) : NaN;
  if (!(size <= MAX && (size >= MIN || size === 0)))
    throw new Unsupported(`${name} is ${describe(value)}: ${RANGE}`, `correct ${name}`);
  return value as number;
}

function readRadius(name: string, value: unknown): number {
  const radius = readNumber(name, value);
  if (radius < 0) throw new Unsupported(`${name} is ${radius}, not 0 or more`, `correct ${name}`);
  return radius;
}

/** The numbers that describe a shape in a job. */
export interface ShapeNumbers {
  /**
   * A capsule (or sphere) has a segment and a radius. A box has a center, in `start`, and three vectors, in
   * `axes`, that lead from the center to the centers of three faces. A mesh has the numbers of a box that
   * contains the placed mesh.
   */
  readonly kind: 'capsule' | 'box' | 'mesh';
  readonly start: readonly number[];
  readonly end: readonly number[];
  /** end - start, rounded. */
  readonly segment: readonly number[];
  readonly radius: number;
  readonly axes: readonly number[];
}

const KINDS = {
  capsule: shapeLimits.SHAPE_CAPSULE,
  box: shapeLimits.SHAPE_BOX,
  mesh: shapeLimits.SHAPE_MESH,
} as const;
const NO_AXES = new Array<number>(9).fill(0);

export function readSphere(given: Sphere): ShapeNumbers {
  const values = copyOptions(SPHERE, given, 'sphere');
  const start = readVector('sphere.center', values.center);
  const radius = readRadius('sphere.radius', values.radius);
  return { kind: 'capsule', start, end: start, segment: [0, 0, 0], radius, axes: NO_AXES };
}

export function readCapsule(given: Capsule): ShapeNumbers {
  const values = copyOptions(CAPSULE, given, 'capsule');
  const start = readVector('capsule.start', values.start);
  const end = readVector('capsule.end', values.end);
  const radius = readRadius('capsule.radius', values.radius);
  return { kind: 'capsule', start, end, segment: AXES.map(i => end[i] - start[i]), radius, axes: NO_AXES };
}

export function readBox(given: Box): ShapeNumbers {
  const values = copyOptions(BOX, given, 'box');
  const half = readVector('box.halfExtents', values.halfExtents);
  const center = values.center === undefined ? [0, 0, 0] : readVector('box.center', values.center);
  const rows = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);
  if (values.transform !== undefined) readTransform('box.transform', values.transform, rows, 0);
  for (const i of AXES)
    if (!(half[i] > 0))
      throw new Unsupported(
        `box.halfExtents[${i}] is ${half[i]}, but must be greater than 0`,
        'pass a box with a volume',
      );
  const axes = AXES.flatMap(i => AXES.map(row => rows[4 * row + i] * half[i]));
  if (!hasVolume(axes))
    throw new Unsupported('box.transform makes the box flat', 'pass a transform with an inverse');
  const start = AXES.map(row => placeOn(rows, 4 * row, center[0], center[1], center[2]));
  return { kind: 'box', start, end: start, segment: [0, 0, 0], radius: 0, axes };
}

// Returns whether the determinant of the three vectors in `axes` is not 0. If it is far from 0, doubles suffice
// to decide this.
function hasVolume(axes: readonly number[]): boolean {
  const [ax, ay, az, bx, by, bz, cx, cy, cz] = axes;
  const terms = [ax * by * cz, -ax * bz * cy, ay * bz * cx, -ay * bx * cz, az * bx * cy, -az * by * cx];
  const sum = Math.abs(terms.reduce((total, term) => total + term, 0));
  const size = terms.reduce((total, term) => total + Math.abs(term), 0);
  if (sum > size * 2 ** -40 && size > 2 ** -900 && size < Infinity) return true;
  const numbers = toExactIntegers(Float64Array.from(axes));
  const edge = (i: number): IntegerVector => [numbers[i], numbers[i + 1], numbers[i + 2]];
  return dot(edge(0), cross(edge(3), edge(6))) !== 0n;
}

/** Writes a shape and its motion into a job, and clears the result. */
export function writeShape(
  f64: Float64Array,
  u32: Uint32Array,
  jobAt: number,
  { kind, start, segment, radius, axes }: ShapeNumbers,
  motion: readonly number[],
): void {
  const at = jobAt / 8;
  f64.set(start, at + ShapeJob.at.start / 8);
  f64.set(segment, at + ShapeJob.at.segment / 8);
  f64[at + ShapeJob.at.radius / 8] = radius;
  f64.set(motion, at + ShapeJob.at.motion / 8);
  f64.set(axes, at + ShapeJob.at.axes / 8);
  f64[at + ShapeJob.at.bestTime / 8] = 1;
  setWords(u32, jobAt, ShapeJob, {
    kind: KINDS[kind],
    bestTriangle: limits.NOTHING,
    hitCount: 0,
    undecidedCount: 0,
  });
}

/**
 * Returns the minimum x, y, z and the maximum x, y, z of all points that a moving shape passes through, rounded
 * outward.
 */
export function boundsOf(
  { kind, start, segment, radius, axes }: ShapeNumbers,
  motion: readonly number[],
): number[] {
  const low: number[] = [];
  const high: number[] = [];
  for (const i of AXES) {
    const half =
      kind !== 'capsule' ? Math.abs(axes[i]) + Math.abs(axes[3 + i]) + Math.abs(axes[6 + i]) : radius;
    const min = start[i] + Math.min(0, segment[i]) + Math.min(0, motion[i]) - half;
    const max = start[i] + Math.max(0, segment[i]) + Math.max(0, motion[i]) + half;
    const slack = (Math.abs(start[i]) + Math.abs(segment[i]) + Math.abs(motion[i]) + half) * 2 ** -48;
    // Boxes of bodies are clamped to the range -MAX_FLOAT..MAX_FLOAT. So if a shape lies outside this range,
    // its box is extended to the border of the range.
    low.push(Math.min(min - slack, MAX_FLOAT));
    high.push(Math.max(max + slack, -MAX_FLOAT));
  }
  return [...low, ...high];
}
