// Bounds how far points of the bodies of a kinematic chain can move if a joint value changes. Source: Schwarzer,
// Saha and Latombe 2005.

import { placeOn } from '../core/transform.js';
import { lengthOf } from '../core/vectorLength.js';
import type { Mesh } from '../mesh/mesh.js';
import { posesLimits } from '../records/posesLayout.js';
import type { Chain, CheckedJoint } from './chain.js';

const { JOINT_FIXED, JOINT_PRISMATIC, JOINT_REVOLUTE } = posesLimits;
/** Factor by which bounds are enlarged. It covers rounding. */
const UP = 1 + 2 ** -30;
/** Max deviation of a placement from one that scales all axes equally and keeps right angles. */
const SIMILAR = 2 ** -45;
/** Rounding errors of placed points, relative to their coordinates: for each joint, and for each radian. */
const ERROR_PER_JOINT = 2 ** -44;
const ERROR_PER_RADIAN = 2 ** -50;
/** Error of a placed corner, relative to the terms that are added to compute its coordinates. */
const ERROR_OF_CORNERS = 2 ** -48;

export interface Levers {
  /**
   * For each pair and joint value: how far a point of either body can move relative to the other body, at most,
   * for each unit of the joint value, in units of the common frame.
   */
  readonly levers: Float64Array;
  /** Upper bound of the rounding errors of placed points, in units of the common frame. */
  readonly margin: number;
  /** Upper bound of the coordinates of all moving bodies in the common frame. */
  readonly reach: number;
}

/** How far the points of one body can move and reach. */
interface BodyReach {
  /** For each joint value: how far a point can move per unit of the value. 0 for joints that do not move it. */
  readonly levers: Float64Array;
  /** The joints that move the body, from its own joint to the root. */
  readonly path: readonly number[];
  /** Upper bound of the magnitude of the body's coordinates in the common frame. */
  readonly reach: number;
}

/**
 * Computes the bounds for all pairs.
 * @param meshes the mesh of each moving body
 * @param pairs two numbers of bodies per pair; bodies beyond the chain's bodies do not move
 * @param largest for each joint value, an upper bound of its magnitude
 */
export function computeLevers(
  chain: Chain,
  meshes: readonly Mesh[],
  pairs: Uint32Array,
  largest: Float64Array,
): Levers {
  const bodies = chain.bodies.map(({ joint, rows }, i) =>
    reachOf(chain, joint, cornersOf(meshes[i], rows), largest),
  );
  const pairCount = pairs.length / 2;
  const levers = new Float64Array(pairCount * chain.valueCount);
  // A joint that moves both bodies does not change their distance, unless the placement of some joint shears or
  // stretches.
  const canCancel = chain.joints.every(({ rows }) => isSimilarity(rows));
  for (let pair = 0; pair < pairCount; pair++) {
    const [a, b] = [bodies[pairs[2 * pair]], bodies[pairs[2 * pair + 1]]];
    chain.joints.forEach(({ kind, valueIndex }, joint) => {
      if (kind === JOINT_FIXED || (canCancel && a?.path.includes(joint) && b?.path.includes(joint))) return;
      levers[pair * chain.valueCount + valueIndex] =
        (a?.levers[valueIndex] ?? 0) + (b?.levers[valueIndex] ?? 0);
    });
  }
  const radians = chain.joints.reduce(
    (max, { kind, valueIndex }) => (kind === JOINT_REVOLUTE ? Math.max(max, largest[valueIndex]) : max),
    0,
  );
  const reach = bodies.reduce((max, body) => Math.max(max, body.reach), 0);
  return {
    levers,
    reach,
    margin: reach * chain.joints.length * (ERROR_PER_JOINT + ERROR_PER_RADIAN * radians),
  };
}

// Follows the joints from a body to the root. In the frame of each joint, the body stays within a ball around the
// joint's origin; `radius` is the radius of this ball.
function reachOf(
  { joints, valueCount }: Chain,
  own: number,
  { corners, size }: PlacedCorners,
  largest: Float64Array,
): BodyReach {
  const levers = new Float64Array(valueCount);
  const path: number[] = [];
  const error = ERROR_OF_CORNERS * size;
  let radius = Math.max(0, ...corners.map(lengthOf)) + error;
  // Distance of the body's points from the axis of the present joint.
  let fromAxis = Math.max(0, ...corners.map(corner => distanceFromAxis(corner, joints[own].axis))) + error;
  let reach = size;
  for (let at = own; at >= 0; at = joints[at].parent) {
    const { kind, valueIndex, rows, parent } = joints[at];
    path.push(at);
    if (kind !== JOINT_FIXED)
      levers[valueIndex] = (kind === JOINT_REVOLUTE ? fromAxis : 1) * scaleAbove(joints, at) * UP;
    const travel = kind === JOINT_PRISMATIC ? largest[valueIndex] : 0;
    const origin = [rows[3], rows[7], rows[11]];
    const scale = normOf(rows);
    fromAxis =
      (parent >= 0 ? distanceFromAxis(origin, joints[parent].axis) : 0) + scale * (radius + travel) * UP;
    radius = lengthOf(origin) + scale * (radius + travel) * UP;
    reach = lengthOf(origin) + scale * (reach + travel) * UP;
  }
  return { levers, path, reach };
}

// Returns how much longer vectors in the frame of a joint can become in the common frame, at most.
function scaleAbove(joints: readonly CheckedJoint[], joint: number): number {
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

// Places the corners of a mesh's box in the frame of the joint. An empty mesh has no corners.
function cornersOf({ bounds, triangleCount }: Mesh, rows: Float64Array): PlacedCorners {
  if (triangleCount === 0) return { corners: [], size: 0 };
  const corners = Array.from({ length: 8 }, (_, corner) => {
    const [x, y, z] = [0, 1, 2].map(axis => bounds[axis + ((corner >> axis) & 1 ? 3 : 0)]);
    return [0, 4, 8].map(row => placeOn(rows, row, x, y, z));
  });
  const [x, y, z] = [0, 1, 2].map(axis => Math.max(Math.abs(bounds[axis]), Math.abs(bounds[axis + 3])));
  const sums = [0, 4, 8].map(row => placeOn(rows.map(Math.abs), row, x, y, z));
  return { corners, size: lengthOf(sums) };
}

function distanceFromAxis(point: readonly number[], axis: readonly number[]): number {
  const along = point[0] * axis[0] + point[1] * axis[1] + point[2] * axis[2];
  // The second term covers the cancellation in the difference.
  return lengthOf(point.map((value, i) => value - along * axis[i])) + 2 ** -48 * lengthOf(point);
}

// Returns the dot products of the three columns of a matrix.
function productsOf(rows: Float64Array): number[][] {
  return [0, 1, 2].map(i =>
    [0, 1, 2].map(j => rows[i] * rows[j] + rows[4 + i] * rows[4 + j] + rows[8 + i] * rows[8 + j]),
  );
}

/**
 * Returns an upper bound of the length that a matrix gives to a vector of length 1. By Gershgorin's theorem, the
 * largest eigenvalue of M^T M is at most the largest sum of the magnitudes of a row.
 */
export const normOf = (rows: Float64Array): number =>
  Math.sqrt(Math.max(...productsOf(rows).map(row => row.reduce((sum, value) => sum + Math.abs(value), 0)))) *
  (1 + 2 ** -40);

function isSimilarity(rows: Float64Array): boolean {
  const products = productsOf(rows);
  const limit = SIMILAR * products[0][0];
  return (
    products[0][0] > 0 &&
    products.every((row, i) =>
      row.every((value, j) => Math.abs(value - (i === j ? products[0][0] : 0)) <= limit),
    )
  );
}
