// Computes, by conservative advancement, a lower bound of the first time at which two features of moving
// bodies (a vertex and a face, or two edges) come within a given distance. The bodies rotate and translate.
// At the time of this bound, the distance of the features exceeds the given distance by at most a given slack,
// unless the search runs out of steps or reaches the end of the motion.

import { distanceAt } from './hullDistance.js';

type Vector = readonly number[];

/**
 * The motion of a body from time 0 to 1: its origin moves in a straight line from `from` to `to`, while the
 * body rotates by `angle` (in radians) about `axis`, a unit vector. linear: a 3x3 matrix, row by row, that
 * transforms the points of the mesh before the motion.
 */
export interface Motion {
  linear: Vector;
  axis: Vector;
  angle: number;
  from: Vector;
  to: Vector;
}

const lengthOf = (v: Vector): number => Math.hypot(...v);
const lerp = (a: Vector, b: Vector, t: number): number[] => a.map((x, i) => x + t * (b[i] - x));

function rotated([x, y, z]: Vector, angle: number, [a, b, c]: Vector): number[] {
  const cosine = Math.cos(angle);
  const sine = Math.sin(angle);
  const along = (1 - cosine) * (x! * a! + y! * b! + z! * c!);
  return [
    a! * cosine + sine * (y! * c! - z! * b!) + x! * along,
    b! * cosine + sine * (z! * a! - x! * c!) + y! * along,
    c! * cosine + sine * (x! * b! - y! * a!) + z! * along,
  ];
}

const linearImage = ({ linear }: Motion, p: Vector): number[] =>
  [0, 3, 6].map(row => linear[row] * p[0] + linear[row + 1] * p[1] + linear[row + 2] * p[2]);

/** Returns the position of a point of the mesh at the given time. */
export function pointAt(motion: Motion, p: Vector, time: number): number[] {
  const origin = lerp(motion.from, motion.to, time);
  return rotated(motion.axis, time * motion.angle, linearImage(motion, p)).map(
    (value, i) => value + origin[i],
  );
}

/** Returns the transform of the body at the given time: 16 numbers, column-major. */
export function matrixAt(motion: Motion, time: number): Float64Array {
  const origin = lerp(motion.from, motion.to, time);
  const columns = [0, 1, 2].map(k =>
    rotated(
      motion.axis,
      time * motion.angle,
      [0, 3, 6].map(row => motion.linear[row + k]),
    ),
  );
  return Float64Array.of(...columns.flatMap(column => [...column, 0]), ...origin, 1);
}

/**
 * Two features, given by four points of the meshes and the motion of each point's body. isFace: the first
 * point is a vertex, and the others are a face. Otherwise, the first two points are an edge, and the last two
 * are the other edge.
 */
export interface RotatingPair {
  isFace: boolean;
  points: { motion: Motion; point: Vector }[];
}

export function gapAt({ isFace, points }: RotatingPair, time: number): number {
  const placed = points.flatMap(({ motion, point }) => pointAt(motion, point, time));
  return distanceAt([...placed, ...placed], isFace, 0);
}

/** Returns an upper bound of the speed at which the two features approach each other. */
function speedOf({ points }: RotatingPair): number {
  const [first, second] = [...new Map(points.map(({ motion }) => [motion, 0])).keys()].map(
    motion =>
      lengthOf(motion.to.map((value, i) => value - motion.from[i])) +
      motion.angle *
        Math.max(
          ...points
            .filter(point => point.motion === motion)
            .map(({ point }) => lengthOf(linearImage(motion, point))),
        ),
  );
  return first! + (second ?? 0);
}

const MAX_STEPS = 20_000;

/**
 * Returns a time `time` and the distance `gap` of the features at that time. Before `time`, the features are
 * never within `distance` of each other. The search ends when `gap` is at most `distance` + `slack`, when
 * `time` is 1, or after MAX_STEPS steps.
 */
export function reachedAt(
  pair: RotatingPair,
  distance: number,
  slack: number,
): { time: number; gap: number } {
  const speed = 1.000001 * speedOf(pair);
  let time = 0;
  let gap = gapAt(pair, 0);
  for (let step = 0; step < MAX_STEPS && time < 1 && gap > distance + slack; step++) {
    time = speed > 0 ? Math.min(1, time + (gap - distance) / speed) : 1;
    gap = gapAt(pair, time);
  }
  return { time, gap };
}
