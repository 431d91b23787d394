// Checks the options of `queryPoses` and runs the query. For motion planning, `queryPoses` tests many poses
// of several bodies, such as a robot's links, for collisions.

import {
  anyValue,
  checkAttached,
  checkValue,
  copyIfEngineMemory,
  copyOptions,
  integer,
  isFloatArray,
  nonNegative,
  type OptionTable,
  oneOf,
} from '../core/checkOptions.js';
import { Capacity, describe, Unsupported } from '../core/errors.js';
import type { EngineHost } from '../core/module.js';
import type { Transforms } from '../core/transform.js';
import { readTransform } from '../core/transform.js';
import type { Mesh } from '../mesh/mesh.js';
import { PoseAnswers } from './poseAnswers.js';
import { PoseQuery } from './poseQuery.js';
import type { PoseSearch } from './poseSearch.js';

/** Two bodies, by their indices in `meshes`. */
export type BodyPair = readonly [a: number, b: number];

/** Options of queryPoses. */
export interface PosesOptions {
  /**
   * The mesh of each body: first the moving bodies, such as a robot's links, then the fixed bodies, such as
   * its surroundings. A mesh can be used for several bodies.
   */
  meshes: readonly Mesh[];
  /** Number of moving bodies. Default: all. */
  moving?: number;
  /**
   * Placements of the moving bodies in the common frame, pose by pose: 16 numbers per body and pose,
   * column-major.
   */
  poses: Transforms;
  /**
   * Placements of the fixed bodies in the common frame: 16 numbers per body, column-major. Default: the
   * identity.
   */
  fixed?: Transforms;
  /**
   * The pairs to test, in this order. Default: all pairs (a, b), a < b, with at least one moving body, in
   * order of a, then b, except the pairs in `allowed`.
   */
  pairs?: readonly BodyPair[];
  /**
   * Pairs of bodies that may touch, such as neighboring links; they are not tested. Either a list of pairs,
   * or an allowed collision matrix as in MoveIt. The matrix has one byte per pair, row by row: byte a *
   * meshes.length + b is nonzero if bodies a and b may touch. Cannot be combined with `pairs`.
   */
  allowed?: readonly BodyPair[] | Uint8Array;
  /**
   * The result for each pose. 'any' (default): whether any pair intersects. 'first': the first of the queried
   * pairs that intersects. 'pairs-any': for each pair, whether it intersects.
   */
  want?: 'any' | 'first' | 'pairs-any';
  /**
   * Bodies also count as intersecting if their distance is at most this, in units of the common frame: a finite
   * number, 0 or more. Default 0: only bodies that share a point.
   */
  clearance?: number;
}

const POSES: OptionTable<PosesOptions> = {
  meshes: anyValue,
  moving: anyValue,
  poses: anyValue,
  fixed: anyValue,
  pairs: anyValue,
  allowed: anyValue,
  want: oneOf('any', 'first', 'pairs-any'),
  clearance: nonNegative,
};

const PLACED = 'pass a Float32Array or Float64Array of 16 numbers per body, column-major';

export class Poses {
  readonly #host: EngineHost;
  readonly #search: PoseSearch;

  constructor(host: EngineHost, search: PoseSearch) {
    this.#host = host;
    this.#search = search;
  }

  run(given: PosesOptions): PoseAnswers {
    const options = copyOptions(POSES, given);
    // Copies the list, so that the query uses the same meshes that are checked below: an element of the given
    // list may be a getter that returns another mesh the next time.
    if (Array.isArray(options.meshes)) options.meshes = Array.from(options.meshes);
    const { want = 'any', poses, fixed, clearance } = options;
    const movingCount = this.#check(options);
    const pairs = pairsOf(options, movingCount);
    const query = new PoseQuery(
      options.meshes,
      movingCount,
      copyIfEngineMemory(poses),
      fixed && copyIfEngineMemory(fixed),
      pairs,
      want,
      clearance,
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

  // Checks meshes and placements. @returns the number of moving bodies
  #check({ meshes, moving, poses, fixed }: PosesOptions): number {
    if (!Array.isArray(meshes) || meshes.length === 0)
      throw new Unsupported(
        Array.isArray(meshes)
          ? 'meshes is empty, but must contain at least one mesh'
          : `meshes is ${describe(meshes)}, not an array of meshes`,
        'pass the moving meshes, then the fixed ones',
      );
    meshes.forEach((mesh, body) => {
      if (!this.#host.owns(mesh))
        throw new Unsupported(
          `meshes[${body}] is missing, or belongs to another engine`,
          'pass meshes that createMesh of this engine returned',
        );
    });
    const count = moving ?? meshes.length;
    checkValue('moving', count, integer(1, meshes.length));
    checkMatrices(
      'poses',
      poses,
      16 * count,
      `a multiple of ${16 * count} (16 for each of ${count} moving bodies)`,
    );
    if (fixed === undefined) return count;
    checkMatrices(
      'fixed',
      fixed,
      0,
      `16 for each of ${meshes.length - count} fixed bodies`,
      16 * (meshes.length - count),
    );
    for (let i = 0, rows = new Float64Array(12); i < meshes.length - count; i++)
      readTransform(`fixed body ${count + i}: matrix`, fixed.subarray(16 * i, 16 * i + 16), rows, 0);
    return count;
  }
}

function checkMatrices(name: string, matrices: unknown, each: number, rule: string, length?: number): void {
  const isTyped = isFloatArray(matrices);
  if (isTyped) checkAttached(name, matrices);
  if (isTyped && (length === undefined ? matrices.length % each === 0 : matrices.length === length)) return;
  throw new Unsupported(
    `${name} is ${isTyped ? `${matrices.length} numbers` : describe(matrices)}, not ${rule}`,
    PLACED,
  );
}

// Returns the pairs of bodies to test: two body indices per pair.
function pairsOf({ meshes: { length }, pairs, allowed }: PosesOptions, movingCount: number): Uint32Array {
  if (pairs !== undefined && allowed !== undefined)
    throw new Unsupported(
      'pairs and allowed cannot be combined',
      'pass either the pairs to test or the pairs that may touch',
    );
  if (pairs !== undefined) return Uint32Array.from(checkPairs('pairs', pairs, length).flat());
  const mayTouch =
    allowed instanceof Uint8Array
      ? pairsOfMask(allowed, length)
      : new Set(
          checkPairs('allowed', allowed === undefined ? [] : allowed, length).map(
            ([a, b]) => Math.min(a, b) * length + Math.max(a, b),
          ),
        );
  const tested: number[] = [];
  for (let a = 0; a < movingCount; a++)
    for (let b = a + 1; b < length; b++) if (!mayTouch.has(a * length + b)) tested.push(a, b);
  return Uint32Array.from(tested);
}

function checkPairs(name: string, pairs: readonly BodyPair[], length: number): readonly BodyPair[] {
  if (!Array.isArray(pairs))
    throw new Unsupported(
      `${name} is ${describe(pairs)}, not an array of pairs`,
      'pass [[a, b], ...]: indices of meshes',
    );
  // Array.from turns the holes of a sparse array into undefined, which is then rejected. It also reads each
  // element only once: a getter may return another value the next time.
  const copies = Array.from(pairs, (pair: unknown) => (Array.isArray(pair) ? Array.from(pair) : pair));
  copies.forEach((pair: unknown, i) => {
    const isPair =
      Array.isArray(pair) &&
      pair.length === 2 &&
      pair.every(body => Number.isInteger(body) && body >= 0 && body < length) &&
      pair[0] !== pair[1];
    if (!isPair)
      throw new Unsupported(
        `${name}[${i}] is ${Array.isArray(pair) ? `[${pair.map(describe).join()}]` : describe(pair)}, not two different indices of ${length} meshes`,
        'pass [a, b] with indices of meshes, from 0',
      );
  });
  return copies as BodyPair[];
}

// Returns the pairs of a byte matrix. The pair of bodies a < b is returned as the number a * length + b. It
// counts if the byte of (a, b) or the byte of (b, a) is set.
function pairsOfMask(mask: Uint8Array, length: number): Set<number> {
  checkAttached('allowed', mask);
  if (mask.length !== length * length)
    throw new Unsupported(
      `allowed has ${mask.length} bytes, not ${length} x ${length}`,
      'pass one byte per pair of meshes, row by row',
    );
  const pairs = new Set<number>();
  mask.forEach((isAllowed, at) => {
    if (isAllowed)
      pairs.add(
        Math.min(Math.floor(at / length), at % length) * length +
          Math.max(Math.floor(at / length), at % length),
      );
  });
  return pairs;
}
