// Bounds how far points of the bodies of a kinematic chain can move if a joint value changes. Source:
// Schwarzer, Saha and Latombe 2005.

import { placeOn, type Transforms } from '../core/transform.js';
import { lengthOf } from '../core/vectorLength.js';
import type { Mesh } from '../mesh/mesh.js';
import { posesLimits } from '../records/posesLayout.js';
import { type Chain, type CheckedJoint, readRows } from './chain.js';

const { JOINT_FIXED, JOINT_PRISMATIC, JOINT_REVOLUTE } = posesLimits;
/** Factor by which bounds are enlarged, to cover rounding. */
const UP = 1 + 2 ** -30;
/**
 * If the frame of a joint deviates from equal scales and right angles by more than this, the joint counts as
 * changing the distance of two bodies, even if it moves both of them.
 */
const MAX_DEFORMATION = 2 ** -17;
/** Error of a placed corner, relative to the terms that are added to compute its coordinates. */
const ERROR_OF_CORNERS = 2 ** -48;
/**
 * Entries of a placement whose magnitudes are below 2^-200 become 0. The resulting error of a point is at most
 * 3 * 2^-200 times the point's largest coordinate. To cover this error, the size of a body includes FLUSHED
 * times its coordinates. This suffices because every error bound is at least 2^-43 times the size, and the
 * product 2^-43 * 2^-155 is more than 3 * 2^-200.
 */
const FLUSHED = 2 ** -155;

export interface Levers {
  /**
   * For each pair and joint value: an upper bound of how far a point of either body moves relative to the
   * other body, per unit of change of the joint value, if all prismatic joints have the value 0. The bound is
   * in units of the common frame.
   */
  readonly levers: Float64Array;
  /**
   * For each of these levers and each joint value: how much the lever grows per unit of the value's magnitude.
   * Empty if no joint is prismatic.
   */
  readonly travels: Float64Array;
  /** For each pair, the two numbers of `EdgesRecord.sizesAt`. */
  readonly sizes: Float64Array;
  /**
   * Upper bound of how much the sum of both bodies' coordinates grows per unit of a prismatic joint's value.
   */
  readonly growth: number;
}

/** How far the points of one body can move and reach. A body that does not move has no joints. */
interface BodyReach {
  /** The joints that move the body, from its own joint to the root, and their levers. */
  readonly joints: ReadonlyMap<number, Lever>;
  /**
   * Upper bound of the magnitude of the body's coordinates in the common frame, if all prismatic joints have
   * the value 0.
   */
  readonly size: number;
}

/** A length, and how much it grows per unit of each joint value's magnitude. */
interface Lever {
  readonly length: number;
  readonly travels: Float64Array;
}

/** The bodies of a query: first the bodies of the chain, and then the bodies that do not move. */
export interface LeveredBodies {
  readonly meshes: readonly Mesh[];
  readonly pairs: Uint32Array;
  readonly chain: Chain;
  readonly fixed: Transforms | undefined;
}

/** Computes the bounds for all pairs. */
export function computeLevers({ chain, meshes, pairs, fixed }: LeveredBodies): Levers {
  const { joints, bodies, valueCount } = chain;
  const reaches = meshes.map((mesh, i): BodyReach => {
    const corners = cornersOf(mesh, rowsOfBody(chain, fixed, i));
    return i < bodies.length
      ? reachOf(chain, bodies[i].joint, corners)
      : { joints: new Map(), size: corners.size };
  });
  const pairCount = pairs.length / 2;
  const isPrismatic = joints.some(({ kind }) => kind === JOINT_PRISMATIC);
  const levers = new Float64Array(pairCount * valueCount);
  const travels = new Float64Array(isPrismatic ? pairCount * valueCount * valueCount : 0);
  const sizes = new Float64Array(2 * pairCount);
  const deformations = joints.map((_, joint) => deformationAt(joints, joint));
  for (let pair = 0; pair < pairCount; pair++) {
    const both = [reaches[pairs[2 * pair]], reaches[pairs[2 * pair + 1]]];
    sizes[2 * pair] = both[0].size + both[1].size;
    joints.forEach(({ kind, valueIndex }, joint) => {
      if (kind === JOINT_FIXED) return;
      const [ofA, ofB] = both.map(body => body.joints.get(joint));
      // A joint that moves both bodies changes their distance only if its frame is deformed. If the frame is
      // only slightly deformed, `sizes` covers this change.
      if (ofA && ofB && deformations[joint] <= MAX_DEFORMATION) {
        sizes[2 * pair + 1] += deformations[joint];
        return;
      }
      const at = pair * valueCount + valueIndex;
      for (const lever of [ofA, ofB]) {
        levers[at] += lever?.length ?? 0;
        if (isPrismatic)
          lever?.travels.forEach((travel, i) => {
            travels[at * valueCount + i] += travel;
          });
      }
    });
  }
  return {
    levers,
    travels,
    sizes,
    growth: 2 * UP * joints.reduce((max, _, joint) => Math.max(max, scaleAbove(joints, joint)), 0),
  };
}

// Follows the joints from a body to the root. In the frame of each joint, the body stays within a ball around
// the joint's origin; `radius` is the radius of this ball.
function reachOf({ joints, valueCount }: Chain, own: number, { corners, size }: PlacedCorners): BodyReach {
  const levers = new Map<number, Lever>();
  const error = ERROR_OF_CORNERS * size;
  let radius = Math.max(0, ...corners.map(lengthOf)) + error;
  // Max distance of the body's points from the axis of the current joint.
  let fromAxis = Math.max(0, ...corners.map(corner => distanceFromAxis(corner, joints[own].axis))) + error;
  let reach = size;
  // How much the radius grows per unit of each joint value's magnitude.
  const travels = new Float64Array(valueCount);
  for (let at = own; at >= 0; at = joints[at].parent) {
    const { kind, valueIndex, rows, parent } = joints[at];
    const above = scaleAbove(joints, at) * UP;
    levers.set(at, {
      length: (kind === JOINT_REVOLUTE ? fromAxis : 1) * above,
      travels: travels.map(travel => (kind === JOINT_REVOLUTE ? travel * above : 0)),
    });
    if (kind === JOINT_PRISMATIC) travels[valueIndex] += 1;
    const origin = [rows[3], rows[7], rows[11]];
    const scale = normOf(rows) * UP;
    fromAxis = (parent >= 0 ? distanceFromAxis(origin, joints[parent].axis) : 0) + scale * radius;
    radius = lengthOf(origin) + scale * radius;
    reach = lengthOf(origin) + scale * reach;
    travels.forEach((travel, i) => {
      travels[i] = scale * travel;
    });
  }
  return { joints: levers, size: reach };
}

/**
 * Returns an upper bound of the factor by which vectors in the frame of a joint are longer in the common
 * frame.
 */
export function scaleAbove(joints: readonly CheckedJoint[], joint: number): number {
  let scale = 1;
  for (let at = joint; at >= 0; at = joints[at].parent) scale *= normOf(joints[at].rows);
  return scale;
}

interface PlacedCorners {
  readonly corners: readonly number[][];
  /**
   * Upper bound of the magnitudes of the corners' coordinates, and of the terms that are added to compute them.
   */
  readonly size: number;
}

// Places the corners of a mesh's box. An empty mesh has no corners.
function cornersOf({ bounds, triangleCount }: Mesh, rows: Float64Array): PlacedCorners {
  if (triangleCount === 0) return { corners: [], size: 0 };
  const corners = Array.from({ length: 8 }, (_, corner) => {
    const [x, y, z] = [0, 1, 2].map(axis => bounds[axis + ((corner >> axis) & 1 ? 3 : 0)]);
    return [0, 4, 8].map(row => placeOn(rows, row, x, y, z));
  });
  const [x, y, z] = [0, 1, 2].map(axis => Math.max(Math.abs(bounds[axis]), Math.abs(bounds[axis + 3])));
  const sums = [0, 4, 8].map(row => placeOn(rows.map(Math.abs), row, x, y, z));
  return { corners, size: lengthOf(sums) + FLUSHED * (x + y + z) };
}

function distanceFromAxis(point: readonly number[], axis: readonly number[]): number {
  const along = point[0] * axis[0] + point[1] * axis[1] + point[2] * axis[2];
  // The second term covers the rounding error of the difference, whose operands may be nearly equal.
  return lengthOf(point.map((value, i) => value - along * axis[i])) + 2 ** -48 * lengthOf(point);
}

// Returns the dot products of the three columns of a matrix.
function productsOf(rows: Float64Array): number[][] {
  return [0, 1, 2].map(i =>
    [0, 1, 2].map(j => rows[i] * rows[j] + rows[4 + i] * rows[4 + j] + rows[8 + i] * rows[8 + j]),
  );
}

/**
 * Returns an upper bound of the factor by which a matrix M lengthens a vector. By Gershgorin's theorem, the
 * largest eigenvalue of M^T M is at most the max, over its rows, of the sum of the magnitudes of the row's
 * entries.
 */
export const normOf = (rows: Float64Array): number =>
  Math.sqrt(Math.max(...productsOf(rows).map(row => row.reduce((sum, value) => sum + Math.abs(value), 0)))) *
  (1 + 2 ** -40);

// Returns an upper bound of the relative change of the distance of two points when a joint that carries both
// moves. The distance can change because the frames of this joint and of the joints above it may shear or
// stretch. Such a frame changes lengths by different factors in different directions.
function deformationAt(joints: readonly CheckedJoint[], joint: number): number {
  let sum = 0;
  for (let at = joint; at >= 0; at = joints[at].parent) sum += deformationOf(joints[at].rows);
  // exp(sum) - 1 is at most 1.01 times the sum, for sums up to MAX_DEFORMATION.
  return 1.01 * sum;
}

// Returns a number r with this property: for every vector v of length 1, the squared length of M v is between
// 1 - r and 1 + r times the squared length of the first column of the matrix M (Gershgorin's theorem). So for
// two such vectors, the logarithm of the ratio of the lengths of their images is at most about r.
function deformationOf(rows: Float64Array): number {
  const products = productsOf(rows);
  const square = products[0][0];
  const differences = products.map((row, i) =>
    row.reduce((sum, value, j) => sum + Math.abs(value / square - (i === j ? 1 : 0)), 0),
  );
  const largest = Math.max(...differences) + 2 ** -50;
  // NaN if the first column is 0.
  return largest >= 0 ? largest : Infinity;
}

/**
 * Returns the placement of a body as three rows of four. For a body of the chain, it is the placement in the
 * frame of the body's joint; for any other body, it is the placement in the common frame.
 */
export function rowsOfBody({ bodies }: Chain, fixed: Transforms | undefined, body: number): Float64Array {
  if (body < bodies.length) return bodies[body].rows;
  const at = 16 * (body - bodies.length);
  return readRows('fixed', fixed?.subarray(at, at + 16));
}
