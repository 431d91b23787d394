// Computes placements in a tree of moving coordinate frames, and bounds how fast points of a part move.
import { identity } from '../formats/part.js';
import { compose, multiplyAffine } from '../formats/transforms.js';
import { type KeyBounds, type KeyedValue, lengthOf } from './keys.js';

/** The motion of a frame relative to its parent: a translation, a rotation and a constant scale. */
export interface FrameMotion {
  translation: KeyedValue | readonly number[];
  /** Unit quaternions x, y, z, w. The derivatives are the angular velocity and acceleration. */
  rotation: KeyedValue | readonly number[];
  scale: readonly number[];
}

export interface Frame {
  /** Index of the parent in the list of frames; undefined for a root. A parent precedes its children. */
  parent: number | undefined;
  /** A constant placement relative to the parent, or a motion. */
  placement: Float64Array | FrameMotion;
}

/** A part's mesh, attached to a frame. */
export interface Attached {
  /** Index of the frame; undefined if the part does not move with any frame. */
  frame: number | undefined;
  /** The transform from the part's own frame to the frame to which it is attached: 16 doubles, column-major. */
  local: Float64Array;
  /** Maximum distance of a vertex from the origin of the frame; 0 without a frame. */
  radius: number;
}

/** Bounds of the motion of all points of a part over an interval of time, in the length unit of the scene. */
export interface PointBounds {
  /** Per second. */
  speed: number;
  /** Per second squared. */
  acceleration: number;
}

const STILL: KeyBounds = { size: 0, speed: 0, acceleration: 0 };
/** Factor that covers the rounding errors of the bounds. */
const ROUND_UP = 1 + 1e-9;

export const isMoving = ({ placement }: Frame): boolean => valuesOf(placement).length > 0;

/** Returns the values of a placement that change over time. */
export function valuesOf(placement: Frame['placement']): KeyedValue[] {
  return placement instanceof Float64Array
    ? []
    : [placement.translation, placement.rotation].filter(value => isKeyed(value));
}

/**
 * Returns an ascending list without duplicates: `start`, the times of keys between `start` and `end`, and
 * `end`.
 */
export function timesWithin(values: readonly KeyedValue[], start: number, end: number): number[] {
  const inside = values.flatMap(({ times }) => [...times].filter(time => time > start && time < end));
  return [...new Set([start, ...inside, end])].sort((x, y) => x - y);
}

const isKeyed = (value: KeyedValue | readonly number[]): value is KeyedValue => !Array.isArray(value);

/** Returns the placement of a frame relative to its parent. `inside`: see KeyedValue. */
export function placementAt({ placement }: Frame, time: number, inside: number): Float64Array {
  if (placement instanceof Float64Array) return placement;
  const { translation, rotation, scale } = placement;
  const read = (value: KeyedValue | readonly number[]): number[] => [
    ...(isKeyed(value) ? value.at(time, inside) : value),
  ];
  return compose(read(translation), read(rotation), [...scale]);
}

/**
 * Returns the placement of the last frame of a chain. `base` is the placement of the frame above the first
 * frame of the chain. `inside`: see KeyedValue.
 */
export function placeChain(
  base: Float64Array,
  chain: readonly Frame[],
  time: number,
  inside: number,
): Float64Array {
  return chain.reduce((placed, frame) => multiplyAffine(placed, placementAt(frame, time, inside)), base);
}

/**
 * Returns the placement of each frame relative to the frame in which the roots are placed. Each placement has
 * the same bits as the result of `placeChain` for the chain from the root to the frame. `inside`: see
 * KeyedValue.
 */
export function placeFrames(frames: readonly Frame[], time: number, inside: number): Float64Array[] {
  const placed: Float64Array[] = [];
  for (const frame of frames) {
    const above = frame.parent === undefined ? identity() : placed[frame.parent];
    placed.push(multiplyAffine(above, placementAt(frame, time, inside)));
  }
  return placed;
}

/**
 * Returns bounds of the motion of a part over an interval of time, relative to the frame above the first frame
 * of a chain. The part is attached to the last frame of the chain, and `radius` is the maximum distance of its
 * vertices from the origin of that frame. All bounds are multiplied by `baseNorm`: the norm (see normOf) of
 * the placement of the frame above the chain. The bounds do not include jumps.
 *
 * A point at q in a frame with translation T and rotation R is at p = T + R q in the frame above. With the
 * angular velocity w: p' = T' + R (w x q + q') and p'' = T'' + R (w x (w x q) + w' x q + 2 w x q' + q'').
 */
export function boundChain(
  baseNorm: number,
  chain: readonly Frame[],
  radius: number,
  from: number,
  to: number,
): PointBounds {
  let reach = radius;
  let speed = 0;
  let acceleration = 0;
  for (let i = chain.length - 1; i >= 0; i--) {
    const { placement } = chain[i];
    const isFixed = placement instanceof Float64Array;
    const norm = isFixed ? constantNormOf(placement) : Math.max(...placement.scale.map(Math.abs));
    reach *= norm;
    speed *= norm;
    acceleration *= norm;
    if (isFixed) {
      reach += lengthOf(placement.subarray(12, 15));
      continue;
    }
    const { translation, rotation } = placement;
    const move = isKeyed(translation)
      ? translation.boundsOver(from, to)
      : { ...STILL, size: lengthOf(translation) };
    const angular = isKeyed(rotation) ? rotation.boundsOver(from, to) : STILL;
    acceleration +=
      move.acceleration + (angular.speed ** 2 + angular.acceleration) * reach + 2 * angular.speed * speed;
    speed += move.speed + angular.speed * reach;
    reach += move.size;
  }
  return { speed: baseNorm * speed * ROUND_UP, acceleration: baseNorm * acceleration * ROUND_UP };
}

// Caches the norms of constant placements, because bounds over many intervals use them.
const constantNorms = new WeakMap<Float64Array, number>();

function constantNormOf(placement: Float64Array): number {
  const known = constantNorms.get(placement) ?? normOf(placement);
  constantNorms.set(placement, known);
  return known;
}

/** Returns an upper bound of the factor by which a placement can lengthen a vector. */
export function normOf(matrix: Float64Array): number {
  // The largest eigenvalue of M^T M is at most the largest row sum of the magnitudes of its entries
  // (Gershgorin).
  const column = (i: number): Float64Array => matrix.subarray(4 * i, 4 * i + 3);
  const sums = [0, 1, 2].map(i =>
    [0, 1, 2].reduce(
      (sum, j) => sum + Math.abs(column(i).reduce((product, value, k) => product + value * column(j)[k], 0)),
      0,
    ),
  );
  return Math.sqrt(Math.max(...sums)) * ROUND_UP;
}

/** Returns whether a placement scales all directions by the same factor, up to rounding. */
export function isSimilarity(matrix: Float64Array): boolean {
  const column = (i: number): Float64Array => matrix.subarray(4 * i, 4 * i + 3);
  const dot = (i: number, j: number): number =>
    column(i).reduce((sum, value, k) => sum + value * column(j)[k], 0);
  const size = dot(0, 0);
  const isNear = (value: number, expected: number): boolean => Math.abs(value - expected) <= 1e-6 * size;
  return (
    isNear(dot(1, 1), size) &&
    isNear(dot(2, 2), size) &&
    isNear(dot(0, 1), 0) &&
    isNear(dot(0, 2), 0) &&
    isNear(dot(1, 2), 0)
  );
}
