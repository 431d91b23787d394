// Makes the certificate of a model: a proof of which of its parts share a point, and with which triangles.

import { STEPS } from './certificate.js';
import { certifyPairs, meshTree } from './certify.js';
import { divide, StepList, treeOf } from './divide.js';

/**
 * A proof of all intersecting triangle pairs of the parts of a model. `verifyModel` of `pfront/verify` checks
 * it.
 *
 * The steps divide the pairs of parts as those of a `Certificate` divide the pairs of triangles: the tree of
 * the parts is paired with itself. A node that is paired with itself is divided without a step, into its first
 * half with itself, both halves, and its second half with itself. A pair of single parts that is not apart has
 * the step `STEPS.COMMON`, then the steps of a `Certificate`, whose mesh A is the part with the smaller number.
 */
export interface ModelCertificate {
  /** The version of the format. */
  version: 1;
  /** The parts in the order that their nodes divide: each number once. */
  partOrder: Uint32Array;
  /** The triangles of each part, in the order that its nodes divide. */
  orders: Uint32Array[];
  /** One byte per step. */
  steps: Uint8Array;
}

/** All triangles a[i] of one part and b[i] of another that share a point. */
interface Pairs {
  a: Uint32Array;
  b: Uint32Array;
}

/**
 * Returns the certificate of a model.
 * @param corners - of each part, 9 placed coordinates per triangle; each part has a triangle
 * @param pairsOf - returns all intersecting triangle pairs of two parts a < b; it is called once for each two
 *   parts whose boxes share a point
 * @throws CollisionError with the code 'Internal' if a pair is missing
 */
export function certifyParts(
  corners: Float64Array[],
  pairsOf: (a: number, b: number) => Pairs,
): ModelCertificate {
  const meshes = corners.map(meshTree);
  const boxes = Float64Array.from(meshes.flatMap(mesh => [...mesh.boxes.subarray(0, 6)]));
  const parts = treeOf(boxes, 6);
  const steps = new StepList();
  divide(parts, parts, steps, (first, second) => {
    const [a, b] = [Math.min(first, second), Math.max(first, second)];
    const pairs = pairsOf(a, b);
    steps.push(STEPS.COMMON);
    certifyPairs(meshes[a], meshes[b], pairs.a, pairs.b, steps);
  });
  return { version: 1, partOrder: parts.order, orders: meshes.map(({ order }) => order), steps: steps.bytes };
}
