// Finds overlapping pairs of boxes with three-mesh-bvh. Extends the package's generic class BVH, as the
// package's classes MeshBVH and ObjectBVH do. Builds a tree over the boxes, and calls `bvhcast` to test the
// tree against itself.

import { Matrix4 } from 'three';
import { BVH } from 'three-mesh-bvh';
import { type BoxWorld, overlap } from './boxWorld.js';

// Members of BVH that the package's types omit. A subclass supplies the boxes of its primitives, then calls
// `init` to build the tree.
interface Generic {
  init(options: object): void;
  refit(): void;
  bvhcast(
    other: Generic,
    matrix: Matrix4,
    callbacks: {
      intersectsRanges(first: number, firstCount: number, second: number, secondCount: number): boolean;
    },
  ): boolean;
}
const GenericTree = BVH as unknown as new () => Generic;
const identity = new Matrix4();

/**
 * A tree over plain boxes. The package's own ObjectBVH needs a three.js object for each box, and it has no
 * query for pairs. If the caller changes `boxes`, it must call `refit` before the next query.
 */
export class BoxTree extends GenericTree {
  readonly primitiveBufferStride = 1;
  // The indices of the boxes. Building the tree sorts them into the order of the leaves.
  readonly primitiveBuffer: Uint32Array;
  private readonly boxes: Float32Array;

  constructor(boxes: Float32Array) {
    super();
    this.boxes = boxes;
    this.primitiveBuffer = Uint32Array.from({ length: boxes.length / 6 }, (_, i) => i);
    this.init({ targetLeafSize: 4 });
  }

  getRootRanges(): { offset: number; count: number }[] {
    return [{ offset: 0, count: this.primitiveBuffer.length }];
  }

  writePrimitiveBounds(place: number, to: Float32Array, at: number): void {
    const from = 6 * this.primitiveBuffer[place];
    for (let k = 0; k < 6; k++) to[at + k] = this.boxes[from + k];
  }

  /** Visits all overlapping pairs. @returns their number */
  forEachPair(visit: (a: number, b: number) => void): number {
    const { boxes, primitiveBuffer: order } = this;
    let count = 0;
    this.bvhcast(this, identity, {
      intersectsRanges(first, firstCount, second, secondCount) {
        // Each pair of leaves is visited in both orders, so only pairs with i < j are counted.
        for (let i = first; i < first + firstCount; i++) {
          for (let j = second; j < second + secondCount; j++) {
            if (i >= j || !overlap(boxes, order[i], order[j])) continue;
            count++;
            visit(order[i], order[j]);
          }
        }
        return false;
      },
    });
    return count;
  }
}

const ignore = (): void => {};

export const countByTree = (boxes: Float32Array): number => new BoxTree(boxes).forEachPair(ignore);

/** Makes a BoxWorld that refits its tree in each step, then finds all pairs from scratch. */
export function treeWorld(start: Float32Array): BoxWorld {
  const boxes = start.slice();
  const tree = new BoxTree(boxes);
  return {
    step(ids, movedBoxes) {
      ids.forEach((id, k) => boxes.set(movedBoxes.subarray(6 * k, 6 * k + 6), 6 * id));
      tree.refit();
      return tree.forEachPair(ignore);
    },
    dispose() {},
  };
}
