// Makes the certificate of a query, a proof that its result is complete: see `Certificate`.

import { CollisionError } from '../core/errors.js';
import { type Certificate, STEPS } from './certificate.js';
import { separatingDirection } from './directions.js';
import { divide, StepList, type Tree, treeOf } from './divide.js';

const COORDINATES = 9;

/** The tree of a placed mesh, and 9 coordinates per triangle. */
export interface MeshTree extends Tree {
  corners: Float64Array;
}

/** Returns the tree of a placed mesh. @param corners - 9 placed coordinates per triangle */
export const meshTree = (corners: Float64Array): MeshTree => ({ corners, ...treeOf(corners, COORDINATES) });

/**
 * Returns a certificate for the intersecting pairs of two placed meshes.
 * @param cornersA, cornersB - 9 placed coordinates per triangle, exactly as `query` computes them
 * @param a, b - the pairs: all triangles a[i] of A and b[i] of B that share a point
 * @throws CollisionError with the code 'Internal' if a pair is missing
 */
export function certify(
  cornersA: Float64Array,
  cornersB: Float64Array,
  a: Uint32Array,
  b: Uint32Array,
): Certificate {
  const [treeA, treeB] = [meshTree(cornersA), meshTree(cornersB)];
  const steps = new StepList();
  certifyPairs(treeA, treeB, a, b, steps);
  return { version: 1, orderA: treeA.order, orderB: treeB.order, steps: steps.bytes };
}

/**
 * Appends to `steps` the proof that the intersecting pairs of two placed meshes are complete.
 * @param a, b - the pairs: all triangles a[i] of A and b[i] of B that share a point
 * @throws CollisionError with the code 'Internal' if a pair is missing
 */
export function certifyPairs(
  treeA: MeshTree,
  treeB: MeshTree,
  a: Uint32Array,
  b: Uint32Array,
  steps: StepList,
): void {
  const countB = treeB.order.length;
  // A sorted list of keys, because a Set can have at most 2^24 entries.
  const common = Float64Array.from(a, (triangle, i) => triangle * countB + b[i]).sort();
  const points = new Float64Array(2 * COORDINATES);
  const copyTriangle = ({ corners }: MeshTree, triangle: number, at: number): void =>
    points.set(corners.subarray(COORDINATES * triangle, COORDINATES * (triangle + 1)), at);
  divide(treeA, treeB, steps, (triangleA, triangleB) => {
    if (isInSorted(common, triangleA * countB + triangleB)) {
      steps.push(STEPS.COMMON);
      return;
    }
    copyTriangle(treeA, triangleA, 0);
    copyTriangle(treeB, triangleB, COORDINATES);
    const direction = separatingDirection(points);
    if (direction < 0) throw missingPair(triangleA, triangleB);
    steps.push(STEPS.TRIANGLES + direction);
  });
}

// Returns whether an ascending list contains a value.
function isInSorted(list: Float64Array, value: number): boolean {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[middle] < value) low = middle + 1;
    else high = middle;
  }
  return list[low] === value;
}

const missingPair = (a: number, b: number): CollisionError =>
  new CollisionError(
    'Internal',
    `triangle ${a} of A and triangle ${b} of B share a point, but the result does not contain them`,
    'report this as a bug, with the meshes and transforms of the call',
  );
