// Makes the certificate of a query from its result: see `Certificate`.

import { CollisionError } from '../core/errors.js';
import { type Certificate, STEPS } from './certificate.js';
import { separatingDirection } from './directions.js';
import { medianOrder } from './medianOrder.js';
import { firstChild, nodeBoxes, secondChild } from './nodeBoxes.js';

/** One of the two meshes: 9 placed coordinates per triangle, their order, and the boxes of the nodes. */
interface Side {
  corners: Float64Array;
  order: Uint32Array;
  boxes: Float64Array;
}

const sideOf = (corners: Float64Array): Side => {
  const order = medianOrder(corners);
  return { corners, order, boxes: nodeBoxes(corners, order) };
};

/** A list of bytes that grows. */
class StepList {
  #bytes = new Uint8Array(1024);
  #count = 0;

  push(step: number): void {
    if (this.#count === this.#bytes.length) {
      const bytes = new Uint8Array(2 * this.#count);
      bytes.set(this.#bytes);
      this.#bytes = bytes;
    }
    this.#bytes[this.#count++] = step;
  }

  get bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#count);
  }
}

/**
 * Returns a certificate for the intersecting pairs of two placed meshes.
 * @param cornersA, cornersB - 9 placed coordinates per triangle, as `query` defines them
 * @param a, b - the pairs: all triangles a[i] of A and b[i] of B that share a point
 * @throws CollisionError with the code 'Internal' if a pair is missing
 */
export function certify(
  cornersA: Float64Array,
  cornersB: Float64Array,
  a: Uint32Array,
  b: Uint32Array,
): Certificate {
  const [sideA, sideB] = [sideOf(cornersA), sideOf(cornersB)];
  const steps = new StepList();
  const countB = sideB.order.length;
  const common = new Set<number>();
  a.forEach((triangle, i) => common.add(triangle * countB + b[i]));
  const points = new Float64Array(18);
  // Six numbers per pair of nodes: the number and range of A's node, then of B's.
  const stack = sideA.order.length > 0 && countB > 0 ? [0, 0, sideA.order.length, 0, 0, countB] : [];
  while (stack.length > 0) {
    const [nodeA, lowA, highA, nodeB, lowB, highB] = stack.splice(-6);
    const apart = boxesApart(sideA.boxes, 6 * nodeA, sideB.boxes, 6 * nodeB);
    if (apart >= 0) {
      steps.push(STEPS.BOXES + apart);
    } else if (highA - lowA === 1 && highB - lowB === 1) {
      const [triangleA, triangleB] = [sideA.order[lowA], sideB.order[lowB]];
      if (common.has(triangleA * countB + triangleB)) {
        steps.push(STEPS.COMMON);
      } else {
        points.set(cornersA.subarray(9 * triangleA, 9 * triangleA + 9));
        points.set(cornersB.subarray(9 * triangleB, 9 * triangleB + 9), 9);
        const direction = separatingDirection(points);
        if (direction < 0) throw missingPair(triangleA, triangleB);
        steps.push(STEPS.TRIANGLES + direction);
      }
    } else if (splitsA(sideA.boxes, nodeA, highA - lowA, sideB.boxes, nodeB, highB - lowB)) {
      const middle = (lowA + highA) >>> 1;
      steps.push(STEPS.SPLIT_A);
      stack.push(secondChild(nodeA, lowA, highA), middle, highA, nodeB, lowB, highB);
      stack.push(firstChild(nodeA), lowA, middle, nodeB, lowB, highB);
    } else {
      const middle = (lowB + highB) >>> 1;
      steps.push(STEPS.SPLIT_B);
      stack.push(nodeA, lowA, highA, secondChild(nodeB, lowB, highB), middle, highB);
      stack.push(nodeA, lowA, highA, firstChild(nodeB), lowB, middle);
    }
  }
  return { version: 1, orderA: sideA.order, orderB: sideB.order, steps: steps.bytes };
}

const missingPair = (a: number, b: number): CollisionError =>
  new CollisionError(
    'Internal',
    `triangle ${a} of A and triangle ${b} of B share a point, but the result does not contain them`,
    'report this as a bug, with the meshes and transforms of the call',
  );

// Returns the axis along which A's box is below B's, or 3 + the axis along which B's box is below A's, or -1.
function boxesApart(boxesA: Float64Array, atA: number, boxesB: Float64Array, atB: number): number {
  for (let axis = 0; axis < 3; axis++) {
    if (boxesA[atA + axis + 3] < boxesB[atB + axis]) return axis;
    if (boxesB[atB + axis + 3] < boxesA[atA + axis]) return 3 + axis;
  }
  return -1;
}

// The larger node is split, unless it is a single triangle.
function splitsA(
  boxesA: Float64Array,
  nodeA: number,
  countA: number,
  boxesB: Float64Array,
  nodeB: number,
  countB: number,
): boolean {
  if (countA === 1 || countB === 1) return countA > 1;
  return sizeOf(boxesA, 6 * nodeA) >= sizeOf(boxesB, 6 * nodeB);
}

const sizeOf = (boxes: Float64Array, at: number): number =>
  Math.max(boxes[at + 3] - boxes[at], boxes[at + 4] - boxes[at + 1], boxes[at + 5] - boxes[at + 2]);
