// Makes the certificate of a model: a proof that a list of all intersecting triangle pairs of its parts is
// complete.

import { STEPS } from './certificate.js';
import { certifyPairs, meshTree } from './certify.js';
import { divide, StepList, treeOf } from './divide.js';

/**
 * A proof that a list of all intersecting triangle pairs between the parts of a model is complete. The
 * function `verifyModel` of `pfront/verify` checks the proof.
 *
 * The steps divide pairs of parts as the steps of a `Certificate` divide pairs of triangles. They start with
 * the tree of the parts, paired with itself. A node that is paired with itself is divided without a step, into
 * three pairs: its first half with itself, its first half with its second half, and its second half with
 * itself. A single part that is paired with itself is skipped. For two single parts whose boxes are not apart,
 * the first step is `STEPS.COMMON`. It is followed by the steps of a `Certificate` of both parts, in which mesh
 * A is the part with the smaller number.
 */
export interface ModelCertificate {
  /** The version of the format. */
  version: 1;
  /** The part numbers, each once. The nodes of the model are ranges of this list. */
  partOrder: Uint32Array;
  /** For each part, its triangle numbers, each once. The nodes of the part are ranges of this list. */
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
 * @param corners - for each part, 9 placed coordinates per triangle; no part may be empty
 * @param pairsOf - returns all intersecting triangle pairs of two parts a < b; it is called once for each
 *   pair of parts whose boxes share a point
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
