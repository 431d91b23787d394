// Divides the pair of two trees into pairs of nodes, and records each step of the division: see
// `Certificate`.

import { STEPS } from './certificate.js';
import { medianOrder } from './medianOrder.js';
import { firstChild, nodeBoxes, secondChild } from './nodeBoxes.js';

/** A binary tree: the order of its leaves, and the box of each node (see `nodeBoxes`). */
export interface Tree {
  order: Uint32Array;
  boxes: Float64Array;
}

/**
 * Returns a tree of leaves.
 * @param points - the points of each leaf
 * @param size - number of coordinates per leaf: three per point
 */
export function treeOf(points: Float64Array, size: number): Tree {
  const order = medianOrder(points, size);
  return { order, boxes: nodeBoxes(points, size, order) };
}

/** A growable list of steps, one byte each. */
export class StepList {
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
 * Divides the pair of two trees until each pair of nodes is apart or is a pair of single leaves. If a and b
 * are the same tree, only pairs of two different leaves count, and each is visited once, in either order.
 * @param onLeaves - writes the steps of two leaves whose boxes are not apart
 */
export function divide(a: Tree, b: Tree, steps: StepList, onLeaves: (a: number, b: number) => void): void {
  const [countA, countB] = [a.order.length, b.order.length];
  // Six numbers per pair of nodes: the number and range of A's node, then of B's.
  const stack = countA > 0 && countB > 0 ? [0, 0, countA, 0, 0, countB] : [];
  while (stack.length > 0) {
    const [nodeA, lowA, highA, nodeB, lowB, highB] = stack.splice(-6);
    const [middleA, middleB] = [(lowA + highA) >>> 1, (lowB + highB) >>> 1];
    if (a === b && nodeA === nodeB) {
      if (highA - lowA === 1) continue;
      const first = [firstChild(nodeA), lowA, middleA];
      const second = [secondChild(nodeA, lowA, highA), middleA, highA];
      stack.push(...second, ...second, ...first, ...second, ...first, ...first);
      continue;
    }
    const apart = boxesApart(a.boxes, 6 * nodeA, b.boxes, 6 * nodeB);
    if (apart >= 0) {
      steps.push(STEPS.BOXES + apart);
    } else if (highA - lowA === 1 && highB - lowB === 1) {
      onLeaves(a.order[lowA], b.order[lowB]);
    } else if (splitsA(a.boxes, nodeA, highA - lowA, b.boxes, nodeB, highB - lowB)) {
      steps.push(STEPS.SPLIT_A);
      stack.push(secondChild(nodeA, lowA, highA), middleA, highA, nodeB, lowB, highB);
      stack.push(firstChild(nodeA), lowA, middleA, nodeB, lowB, highB);
    } else {
      steps.push(STEPS.SPLIT_B);
      stack.push(nodeA, lowA, highA, secondChild(nodeB, lowB, highB), middleB, highB);
      stack.push(nodeA, lowA, highA, firstChild(nodeB), lowB, middleB);
    }
  }
}

// Returns the axis along which A's box is below B's, or 3 + the axis along which B's box is below A's, or -1
// if the boxes share a point.
function boxesApart(boxesA: Float64Array, atA: number, boxesB: Float64Array, atB: number): number {
  for (let axis = 0; axis < 3; axis++) {
    if (boxesA[atA + axis + 3] < boxesB[atB + axis]) return axis;
    if (boxesB[atB + axis + 3] < boxesA[atA + axis]) return 3 + axis;
  }
  return -1;
}

// Returns whether to split A's node rather than B's. The node with the longer box is split, but never a leaf.
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
