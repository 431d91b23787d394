// Tests poses of the sample robot arm with three-mesh-bvh.

import { Box3, Matrix4 } from 'three';
import type { robotArm } from '../../dist/samples/index.js';
import { buildRival, type RivalMesh } from '../support/rival.js';

/**
 * Tests the arm with three-mesh-bvh, used in the usual way: for each pose, tests one pair of bodies after
 * another until a pair intersects. If the boxes of a pair overlap, tests the pair's trees.
 */
export class RivalArm {
  private readonly meshes: RivalMesh[];
  private readonly matrices: Matrix4[];
  private readonly boxes: Box3[];
  private readonly relative = new Matrix4();

  constructor(
    private readonly arm: ReturnType<typeof robotArm>,
    private readonly pairs: Uint32Array,
  ) {
    this.meshes = arm.meshes.map(mesh => buildRival(mesh));
    for (const mesh of this.meshes) mesh.computeBoundingBox();
    this.matrices = this.meshes.map((_, body) =>
      new Matrix4().fromArray(
        Array.from(
          arm.fixedTransforms.subarray(
            16 * Math.max(0, body - arm.movingCount),
            16 * Math.max(0, body - arm.movingCount) + 16,
          ),
        ),
      ),
    );
    this.boxes = this.meshes.map((mesh, body) =>
      new Box3().copy(mesh.boundingBox!).applyMatrix4(this.matrices[body]),
    );
  }

  count(poses: Float32Array): number {
    const {
      arm: { movingCount: moving },
      matrices,
      boxes,
      meshes,
    } = this;
    let hits = 0;
    for (let at = 0; at < poses.length; at += 16 * moving) {
      for (let body = 0; body < moving; body++)
        boxes[body]
          .copy(meshes[body].boundingBox!)
          .applyMatrix4(matrices[body].fromArray(poses, at + 16 * body));
      if (this.hasCollision()) hits++;
    }
    return hits;
  }

  private hasCollision(): boolean {
    const { pairs, boxes, meshes, matrices, relative } = this;
    for (let i = 0; i < pairs.length; i += 2) {
      const a = pairs[i];
      const b = pairs[i + 1];
      if (
        boxes[a].intersectsBox(boxes[b]) &&
        meshes[a].boundsTree.intersectsGeometry(
          meshes[b],
          relative.copy(matrices[a]).invert().multiply(matrices[b]),
        )
      )
        return true;
    }
    return false;
  }
}
