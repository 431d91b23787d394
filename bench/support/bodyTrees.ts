// Uses three-mesh-bvh to count the touching pairs of bodies that all have the same mesh. Builds a tree over the
// boxes of the bodies. Then tests each pair of bodies whose boxes overlap, and ends the test of a pair at the
// first intersection.

import { Box3, Matrix4 } from 'three';
import type { MeshData } from '../../dist/samples/index.js';
import { BoxTree } from './boxTree.js';
import { buildRival } from './rival.js';

/**
 * Returns a function that takes the matrices of a frame, 16 numbers per body, and returns the number of
 * touching pairs of bodies.
 */
export function bodyTrees(mesh: MeshData, count: number): (matrices: Float32Array) => number {
  const geometry = buildRival(mesh);
  const box = new Box3();
  const relative = new Matrix4();
  geometry.computeBoundingBox();
  const places = Array.from({ length: count }, () => new Matrix4());
  const inverses = Array.from({ length: count }, () => new Matrix4());
  const boxes = new Float32Array(6 * count);
  return matrices => {
    for (let i = 0; i < count; i++) {
      places[i].fromArray(matrices, 16 * i);
      inverses[i].copy(places[i]).invert();
      const { min, max } = box.copy(geometry.boundingBox!).applyMatrix4(places[i]);
      boxes.set([min.x, min.y, min.z, max.x, max.y, max.z], 6 * i);
    }
    let touching = 0;
    new BoxTree(boxes).forEachPair((a, b) => {
      if (geometry.boundsTree.intersectsGeometry(geometry, relative.multiplyMatrices(inverses[a], places[b])))
        touching++;
    });
    return touching;
  };
}
