// Checks the options of `queryPoses` and runs the query. For motion planning, `queryPoses` tests many poses
// of several bodies, such as a robot's links, for collisions.

import {
  anyValue,
  copyIfEngineMemory,
  copyOptions,
  nonNegative,
  type OptionTable,
  oneOf,
} from '../core/checkOptions.js';
import { Capacity, Unsupported } from '../core/errors.js';
import type { EngineHost } from '../core/module.js';
import type { Transforms } from '../core/transform.js';
import { type Chain, type KinematicChain, readChain, readValues } from './chain.js';
import { PoseAnswers } from './poseAnswers.js';
import { checkMatrices, POSED_BODIES, type PosedBodyOptions, readBodies } from './posedBodies.js';
import { PoseQuery } from './poseQuery.js';
import type { PoseSearch } from './poseSearch.js';

/** Options of queryPoses. Give either `poses`, or `chain` and `jointValues`. */
export interface PosesOptions extends PosedBodyOptions {
  /**
   * Placements of the moving bodies in the common frame, pose by pose: 16 numbers per body and pose,
   * column-major.
   */
  poses?: Transforms;
  /** The joints that place the moving bodies. */
  chain?: KinematicChain;
  /**
   * With `chain`: one number for each joint that is not fixed, pose by pose, in the order of the joints. Angles
   * are in radians, lengths in units of the common frame.
   */
  jointValues?: Transforms | readonly number[];
  /**
   * The result for each pose. 'any' (default): whether any pair intersects. 'first': the first of the queried
   * pairs that intersects. 'pairs-any': for each pair, whether it intersects. 'distance': the smallest distance
   * of a pair.
   */
  want?: 'any' | 'first' | 'pairs-any' | 'distance';
  /**
   * Bodies also count as intersecting if their distance is at most this, in units of the common frame: a finite
   * number, 0 or more. Default 0: only bodies that share a point.
   */
  clearance?: number;
  /**
   * Only with `want: 'distance'`: the largest distance of interest. A number of 0 or more, in units of the
   * common frame. A small limit makes the call faster. Default: no limit.
   */
  max?: number;
}

const POSES: OptionTable<PosesOptions> = {
  ...POSED_BODIES,
  poses: anyValue,
  chain: anyValue,
  jointValues: anyValue,
  want: oneOf('any', 'first', 'pairs-any', 'distance'),
  clearance: nonNegative,
  max: nonNegative,
};

export class Poses {
  readonly #host: EngineHost;
  readonly #search: PoseSearch;

  constructor(host: EngineHost, search: PoseSearch) {
    this.#host = host;
    this.#search = search;
  }

  run(given: PosesOptions): PoseAnswers {
    const options = copyOptions(POSES, given);
    const { want = 'any', clearance, max } = options;
    if (max !== undefined && want !== 'distance')
      throw new Unsupported(
        `max needs want: 'distance', but want is '${want}'`,
        "omit max, or pass want: 'distance'",
      );
    if (want === 'distance' && max !== undefined && clearance !== undefined && max < clearance)
      throw new Unsupported(
        `max is ${max}, less than clearance, which is ${clearance}`,
        'pass a max of at least the clearance, or omit it',
      );
    const chain = options.chain === undefined ? undefined : readChain(options.chain);
    const { meshes, movingCount, fixed, pairs } = readBodies(this.#host, options, chain);
    const query = new PoseQuery(
      meshes,
      movingCount,
      readPoses(options, movingCount, chain),
      fixed,
      pairs,
      want,
      clearance,
      chain,
      max,
    );
    // Bit indices are computed as doubles, so they must be less than 2^53. The limit of 2^34 is much lower: it
    // keeps the bitset within 2 GiB.
    if (want === 'pairs-any' && query.poseCount * query.pairCount > 2 ** 34)
      throw new Capacity(
        `${query.poseCount} poses of ${query.pairCount} pairs need more than 2^34 bits`,
        'query fewer poses at a time',
      );
    // Reading the arguments may run the caller's code, which may dispose of the engine.
    this.#host.beginCall();
    return new PoseAnswers(query, this.#search.run(query));
  }
}

// Returns the placements or the joint values of all poses.
function readPoses(
  { poses, jointValues }: PosesOptions,
  movingCount: number,
  chain: Chain | undefined,
): Transforms {
  if ((chain === undefined) !== (jointValues === undefined) || (chain && poses !== undefined))
    throw new Unsupported(
      chain === undefined
        ? 'jointValues needs chain'
        : poses === undefined
          ? 'chain needs jointValues'
          : 'poses and chain cannot be combined',
      'pass either poses, or chain and jointValues',
    );
  if (chain) return readValues('jointValues', jointValues, chain);
  checkMatrices(
    'poses',
    poses,
    16 * movingCount,
    `a multiple of ${16 * movingCount} (16 for each of ${movingCount} moving bodies)`,
  );
  return copyIfEngineMemory(poses!);
}
