// Generates kinematic chains and computes their placements with Math.sin and Math.cos, independently of the
// engine.

import type { Joint, KinematicChain } from '../../dist/index.js';
import { product, type Random, rotation, translation } from '../../dist/samples/index.js';

type Matrix = Float64Array;
type Vector = [number, number, number];

export interface TestChain extends KinematicChain {
  joints: (Joint & { axis: Vector; origin: Matrix; parent: number })[];
  bodies: { joint: number; transform: Matrix }[];
}

const identity = (): Matrix => Float64Array.from(translation([0, 0, 0]));

// A rotation by an angle about an axis of any length: a matrix, column-major.
function rotated(axis: readonly number[], angle: number): Matrix {
  const length = Math.hypot(...axis);
  const [x, y, z] = axis.map(value => value / length);
  const [s, c] = [Math.sin(angle), Math.cos(angle)];
  const d = 1 - c;
  return Float64Array.of(
    ...[c + d * x * x, d * x * y + s * z, d * x * z - s * y, 0],
    ...[d * x * y - s * z, c + d * y * y, d * y * z + s * x, 0],
    ...[d * x * z + s * y, d * y * z - s * x, c + d * z * z, 0],
    ...[0, 0, 0, 1],
  );
}

/** Returns the placement of each body of a chain for the joint values of one pose. */
export function placeByMath({ joints, bodies }: TestChain, values: ArrayLike<number>): Matrix[] {
  let next = 0;
  const frames: Matrix[] = [];
  for (const { parent, type = 'revolute', axis, origin } of joints) {
    const placed = product(parent < 0 ? identity() : frames[parent], origin);
    const length = Math.hypot(...axis);
    const value = type === 'fixed' ? 0 : values[next++];
    const motion =
      type === 'revolute'
        ? rotated(axis, value)
        : translation(axis.map(number => (type === 'fixed' ? 0 : (number / length) * value)) as Vector);
    frames.push(Float64Array.from(product(placed, motion)));
  }
  return bodies.map(({ joint, transform }) => Float64Array.from(product(frames[joint], transform)));
}

/** Generates a tree of joints of all types, with one body on each joint. */
export function randomChain(random: Random, jointCount: number, reach = 1): TestChain {
  const place = (): Matrix =>
    Float64Array.from(
      rotation(
        random.direction(),
        random.between(-3, 3),
        [0, 1, 2].map(() => random.between(-reach, reach)) as Vector,
      ),
    );
  const joints = Array.from({ length: jointCount }, (_, i) => ({
    parent: random.below(4) === 0 ? random.below(i + 1) - 1 : i - 1,
    type: (['revolute', 'revolute', 'prismatic', 'fixed'] as const)[i === 0 ? 0 : random.below(4)],
    axis: random.direction().map(value => 3 * value) as Vector,
    origin: place(),
  }));
  return { joints, bodies: joints.map((_, joint) => ({ joint, transform: place() })) };
}

/** Returns the number of joint values of a pose. */
export const valueCountOf = ({ joints }: KinematicChain): number =>
  joints.filter(({ type }) => type !== 'fixed').length;
