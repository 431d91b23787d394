// Reads the description of a robot as a chain or tree: its joints, the links that they move, and the bodies
// that the links carry.

import {
  anyValue,
  checkAttached,
  copyOptions,
  integer,
  isFloatArray,
  list,
  type OptionTable,
  oneOf,
} from '../core/checkOptions.js';
import { describe, Unsupported } from '../core/errors.js';
import { readTransform, type Transform, type Transforms } from '../core/transform.js';
import { lengthOf } from '../core/vectorLength.js';
import { posesLimits } from '../records/posesLayout.js';

/** A joint, which moves its link relative to the link of its parent. The names are from URDF. */
export interface Joint {
  /**
   * Index of the joint whose link carries this joint, or -1 if this joint is placed in the common frame. The
   * index must be smaller than the index of this joint. Default: the previous joint.
   */
  parent?: number;
  /**
   * 'revolute' (default): rotates about `axis`. 'prismatic': moves along `axis`. 'fixed': does not move, and
   * has no joint value.
   */
  type?: 'revolute' | 'prismatic' | 'fixed';
  /** The axis, in the joint's frame: three numbers, not all 0. Its length does not matter. Default: z. */
  axis?: ArrayLike<number>;
  /**
   * Placement of the joint's frame in the frame of the parent's link if the joint value is 0: 16 numbers,
   * column-major. Default: the identity.
   */
  origin?: Transform;
}

/** A body that a link carries. */
export interface ChainBodyOptions {
  /** Index of the joint that moves the body. */
  joint: number;
  /** Placement of the body in the frame of the joint's link: 16 numbers. Default: the identity. */
  transform?: Transform;
}

/** A robot as a chain or a tree of joints. */
export interface KinematicChain {
  /** The joints, at least one. A parent comes before its children. */
  joints: readonly Joint[];
  /** The joint of each moving body, in the order of `meshes`. Default: joint i moves body i. */
  bodies?: readonly ChainBodyOptions[];
}

/**
 * A checked joint. rows: three rows of four numbers. valueIndex: index of the joint's value among the joint
 * values of a pose; 0 for a fixed joint.
 */
export interface CheckedJoint {
  readonly parent: number;
  readonly kind: number;
  readonly valueIndex: number;
  readonly axis: readonly [number, number, number];
  readonly rows: Float64Array;
}

/** A checked body of a chain. rows: three rows of four numbers. */
export interface CheckedBody {
  readonly joint: number;
  readonly rows: Float64Array;
}

/** A checked chain. */
export interface Chain {
  readonly joints: readonly CheckedJoint[];
  readonly bodies: readonly CheckedBody[];
  /** Number of joint values of a pose: the number of joints that are not fixed. */
  readonly valueCount: number;
}

/** Max magnitude of a joint value. With larger angles, the placements would be inaccurate. */
export const MAX_VALUE = 1e6;

const { JOINT_FIXED, JOINT_REVOLUTE, JOINT_PRISMATIC } = posesLimits;
const KINDS = { fixed: JOINT_FIXED, revolute: JOINT_REVOLUTE, prismatic: JOINT_PRISMATIC } as const;
const CHAIN: OptionTable<KinematicChain> = { joints: list, bodies: list };
const BODY: OptionTable<ChainBodyOptions> = { joint: anyValue, transform: anyValue };
const jointTable = (index: number): OptionTable<Joint> => ({
  parent: integer(-1, index - 1),
  type: oneOf('revolute', 'prismatic', 'fixed'),
  axis: anyValue,
  origin: anyValue,
});
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/**
 * Reads and checks a chain. Each property is read only once, because a getter may return another value the next
 * time.
 * @throws Unsupported or InvalidTransform, naming the invalid property
 */
export function readChain(given: KinematicChain): Chain {
  const { joints, bodies } = copyOptions(CHAIN, given, 'chain');
  if (joints === undefined || joints.length === 0)
    throw new Unsupported(
      `chain.joints is ${joints === undefined ? 'missing' : 'empty'}`,
      'pass at least one joint: { axis: [0, 0, 1], origin }',
    );
  let valueCount = 0;
  const checkedJoints = Array.from(joints, (joint, i): CheckedJoint => {
    const what = `chain.joints[${i}]`;
    const {
      parent = i - 1,
      type = 'revolute',
      axis = [0, 0, 1],
      origin,
    } = copyOptions(jointTable(i), joint, what);
    const kind = KINDS[type];
    return {
      parent,
      kind,
      valueIndex: kind === JOINT_FIXED ? 0 : valueCount++,
      axis: readAxis(`${what}.axis`, axis),
      rows: readRows(`${what}.origin`, origin),
    };
  });
  if (valueCount === 0)
    throw new Unsupported(
      'chain.joints has only fixed joints',
      'give the matrices of the bodies as poses, or describe a joint that moves',
    );
  return {
    joints: checkedJoints,
    bodies: bodies
      ? Array.from(bodies, (body, i) => readBody(body, `chain.bodies[${i}]`, checkedJoints.length))
      : checkedJoints.map((_, joint) => ({ joint, rows: readRows('', undefined) })),
    valueCount,
  };
}

function readBody(given: ChainBodyOptions, what: string, jointCount: number): CheckedBody {
  const { joint, transform } = copyOptions(BODY, given, what);
  if (!Number.isInteger(joint) || joint < 0 || joint >= jointCount)
    throw new Unsupported(
      `${what}.joint is ${describe(joint)}, not the index of a joint, from 0 to ${jointCount - 1}`,
      'pass the index of the joint that moves the body, from 0',
    );
  return { joint, rows: readRows(`${what}.transform`, transform) };
}

/**
 * Reads a placement as three rows of four. Default: the identity.
 * @throws InvalidTransform
 */
export function readRows(name: string, transform: Transform | undefined): Float64Array {
  const rows = new Float64Array(12);
  readTransform(name, transform === undefined ? IDENTITY : transform, rows, 0);
  return rows;
}

function readAxis(name: string, axis: ArrayLike<number>): [number, number, number] {
  const isList = typeof axis === 'object' && axis !== null && axis.length === 3;
  const numbers = isList ? [axis[0], axis[1], axis[2]] : [];
  const largest = Math.max(...numbers.map(value => (typeof value === 'number' ? Math.abs(value) : NaN)));
  if (!isList || !(largest > 0 && largest < Infinity))
    throw new Unsupported(
      `${name} is ${isList ? `[${numbers.map(describe).join()}]` : describe(axis)}, not three finite numbers that are not all 0`,
      'pass a direction, such as [0, 0, 1]',
    );
  // Divides by the largest number first, so that the squares are in the range of doubles.
  const scaled = numbers.map(value => value / largest);
  const length = lengthOf(scaled);
  return scaled.map(value => value / length) as [number, number, number];
}

/**
 * Copies joint values and checks them.
 * @param name the name of the option, for messages
 * @throws Unsupported if a value is not a number of magnitude at most MAX_VALUE, or if the values do not make
 * up a whole number of poses
 */
export function readValues(name: string, values: unknown, { valueCount }: Chain): Float64Array {
  if (isFloatArray(values)) checkAttached(name, values);
  const given: readonly unknown[] | Transforms | undefined = isFloatArray(values)
    ? values
    : Array.isArray(values)
      ? Array.from(values)
      : undefined;
  if (!given || given.length % valueCount !== 0)
    throw new Unsupported(
      `${name} is ${given ? `${given.length} numbers` : describe(values)}, not ${valueCount} joint values for each pose`,
      'pass a Float64Array with one number for each joint that is not fixed, pose by pose',
    );
  const invalid = (given as readonly unknown[]).findIndex(
    value => !(typeof value === 'number' && Math.abs(value) <= MAX_VALUE),
  );
  if (invalid >= 0)
    throw new Unsupported(
      `${name}[${invalid}] is ${describe(given[invalid])}, not a number from -${MAX_VALUE} to ${MAX_VALUE}`,
      'pass angles in radians, and lengths in units of the common frame',
    );
  return Float64Array.from(given as ArrayLike<number>);
}
