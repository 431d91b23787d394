// A checked query of many poses. Bodies are numbered, moving bodies first. Each pose gives a placement for
// every moving body; fixed bodies have the same placement in all poses.

import type { PlacedPair } from '../core/queryOptions.js';
import type { Transform, Transforms } from '../core/transform.js';
import type { Mesh } from '../mesh/mesh.js';

export class PoseQuery {
  readonly poseCount: number;
  readonly pairCount: number;
  /** Bytes of one pose. */
  readonly poseBytes: number;

  /**
   * @param poses for each pose, 16 numbers for each of the first movingCount meshes
   * @param fixed 16 numbers for each of the remaining meshes, which do not move; if undefined, their
   * placement is the identity
   * @param pairs two mesh indices per pair
   * @param clearance the largest distance at which a pair of bodies counts as a hit; if it is 0, the bodies
   * must share a point
   */
  constructor(
    readonly meshes: readonly Mesh[],
    readonly movingCount: number,
    readonly poses: Transforms,
    readonly fixed: Transforms | undefined,
    readonly pairs: Uint32Array,
    readonly want: 'any' | 'first' | 'pairs-any',
    readonly clearance = 0,
  ) {
    this.poseCount = poses.length / (16 * movingCount);
    this.pairCount = pairs.length / 2;
    this.poseBytes = 16 * movingCount * poses.BYTES_PER_ELEMENT;
  }

  /** Returns the queried pairs of bodies with the placements that the bodies have in a pose. */
  placedPairs(pose: number): PlacedPair[] {
    return Array.from({ length: this.pairCount }, (_, pair) => {
      const [a, b] = [this.pairs[2 * pair], this.pairs[2 * pair + 1]];
      return {
        a: this.meshes[a],
        b: this.meshes[b],
        transformA: this.#matrixOf(pose, a),
        transformB: this.#matrixOf(pose, b),
      };
    });
  }

  #matrixOf(pose: number, body: number): Transform | undefined {
    const { movingCount, poses, fixed } = this;
    if (body < movingCount)
      return poses.subarray(16 * (pose * movingCount + body), 16 * (pose * movingCount + body + 1));
    return fixed?.subarray(16 * (body - movingCount), 16 * (body - movingCount + 1));
  }
}
