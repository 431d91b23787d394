// A checked query of many poses. The bodies are numbered: first the moving bodies, then the fixed bodies. Each
// pose gives a placement for every moving body, or the joint values of a chain that places them. Fixed bodies
// have the same placement in all poses.

import type { PlacedPair } from '../core/queryOptions.js';
import type { Transform, Transforms } from '../core/transform.js';
import type { Mesh } from '../mesh/mesh.js';
import type { EngineContext } from '../runtime/engineContext.js';
import type { Chain } from './chain.js';
import { placeBodies } from './chainMemory.js';

export class PoseQuery {
  readonly poseCount: number;
  readonly pairCount: number;
  /** Number of entries of `poses` for each pose. */
  readonly numbersPerPose: number;
  /** Bytes of one pose. */
  readonly poseBytes: number;

  /**
   * @param poses for each pose, 16 numbers for each of the first movingCount meshes; with a chain, the joint
   * values of each pose
   * @param fixed 16 numbers for each of the remaining meshes, which do not move; if undefined, their
   * placement is the identity
   * @param pairs two mesh indices per pair
   * @param clearance the largest distance at which a pair of bodies counts as a hit; if it is 0, the bodies
   * must share a point
   * @param chain places the moving bodies
   * @param max for want 'distance': the largest distance of interest
   */
  constructor(
    readonly meshes: readonly Mesh[],
    readonly movingCount: number,
    readonly poses: Transforms,
    readonly fixed: Transforms | undefined,
    readonly pairs: Uint32Array,
    readonly want: 'any' | 'first' | 'pairs-any' | 'distance',
    readonly clearance = 0,
    readonly chain?: Chain,
    readonly max = Infinity,
  ) {
    this.numbersPerPose = chain ? chain.valueCount : 16 * movingCount;
    this.poseCount = poses.length / this.numbersPerPose;
    this.pairCount = pairs.length / 2;
    this.poseBytes = this.numbersPerPose * poses.BYTES_PER_ELEMENT;
  }

  /** Returns the placements of the moving bodies in a pose: 16 numbers each. @throws Capacity */
  placementsIn(pose: number, context: EngineContext): Transforms {
    const { poses, numbersPerPose, chain } = this;
    const numbers = poses.subarray(numbersPerPose * pose, numbersPerPose * (pose + 1));
    return chain ? placeBodies(context, chain, numbers as Float64Array) : numbers;
  }

  /**
   * Returns the queried pairs of bodies with the placements that the bodies have in a pose.
   * @throws Capacity
   */
  placedPairs(pose: number, context: EngineContext): PlacedPair[] {
    const placements = this.placementsIn(pose, context);
    return Array.from({ length: this.pairCount }, (_, pair) => {
      const [a, b] = [this.pairs[2 * pair], this.pairs[2 * pair + 1]];
      return {
        a: this.meshes[a],
        b: this.meshes[b],
        transformA: this.#matrixOf(placements, a),
        transformB: this.#matrixOf(placements, b),
      };
    });
  }

  #matrixOf(placements: Transforms, body: number): Transform | undefined {
    const { movingCount, fixed } = this;
    return body < movingCount
      ? placements.subarray(16 * body, 16 * (body + 1))
      : fixed?.subarray(16 * (body - movingCount), 16 * (body - movingCount + 1));
  }
}
