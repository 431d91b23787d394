// Bodies in many poses, as motion planners ask -> in which of them pairs of bodies meet.
import { Capacity, describe, Unsupported } from '../core/errors.js';
import type { EngineHost } from '../core/module.js';
import {
  anything,
  checkAttached,
  checkValue,
  copyOptions,
  type OptionTable,
  oneOf,
  wholeNumber,
} from '../core/optionTable.js';
import type { Transforms } from '../core/transform.js';
import { readTransform } from '../core/transform.js';
import type { Mesh } from '../mesh/mesh.js';
import { PoseAnswers } from './poseAnswers.js';
import { PoseQuestion } from './poseQuestion.js';
import type { PoseSearch } from './poseSearch.js';

/** Two bodies, by their places in `meshes`. */
export type BodyPair = readonly [a: number, b: number];

/** What queryPoses is asked. */
export interface PosesOptions {
  /**
   * The bodies: first those that move, as a robot's links, then those that stay, as what stands around it. A
   * mesh may be several of them.
   */
  meshes: readonly Mesh[];
  /** How many of them move. Default: all. */
  moving?: number;
  /** Placements of the bodies that move, pose by pose: 16 numbers each, column-major. */
  poses: Transforms;
  /** Placements of the bodies that stay: 16 numbers each. Default: where their vertices are. */
  still?: Transforms;
  /**
   * The pairs that are asked about, in this order. Default: each two bodies of which one moves, in order of
   * a, then b, but for the allowed ones.
   */
  pairs?: readonly BodyPair[];
  /**
   * Pairs that may touch, as neighbouring links do; or a byte for each two bodies, row by row, other than 0
   * where they may. Instead of `pairs`.
   */
  allowed?: readonly BodyPair[] | Uint8Array;
  /**
   * Whether two bodies meet, pose by pose ('any', the default); which is the first of the asked pairs that
   * does ('first'); which pairs do ('pairs-any').
   */
  want?: 'any' | 'first' | 'pairs-any';
}

const POSES: OptionTable<PosesOptions> = {
  meshes: anything,
  moving: anything,
  poses: anything,
  still: anything,
  pairs: anything,
  allowed: anything,
  want: oneOf('any', 'first', 'pairs-any'),
};

const PLACED = 'pass a Float32Array or Float64Array of 16 numbers a body, column by column';

export class Poses {
  readonly #host: EngineHost;
  readonly #search: PoseSearch;

  constructor(host: EngineHost, search: PoseSearch) {
    this.#host = host;
    this.#search = search;
  }

  ask(given: PosesOptions): PoseAnswers {
    const { arena } = this.#host.backend;
    const options = copyOptions(POSES, given);
    const { want = 'any', poses, still } = options;
    const movingCount = this.#check(options);
    const pairs = pairsOf(options, movingCount);
    // What lies in engine memory is not to move while it is read.
    const own = (matrices: Transforms): Transforms =>
      matrices.buffer === arena.memory.buffer ? matrices.slice() : matrices;
    const asked = new PoseQuestion(options.meshes, movingCount, own(poses), still && own(still), pairs, want);
    // A bit is numbered by a float, and none has more than 2^53; an array has less.
    if (want === 'pairs-any' && asked.poseCount * asked.pairCount > 2 ** 34)
      throw new Capacity(
        `${asked.poseCount} poses of ${asked.pairCount} pairs are more than 2^34 bits`,
        'ask about fewer poses at a time',
      );
    return new PoseAnswers(asked, this.#search.ask(asked));
  }

  // @returns how many bodies move.
  #check({ meshes, moving, poses, still }: PosesOptions): number {
    if (!Array.isArray(meshes) || meshes.length === 0)
      throw new Unsupported(
        `meshes is ${Array.isArray(meshes) ? 'empty' : describe(meshes)}, not an array of meshes`,
        'pass the meshes that move, then those that stay',
      );
    meshes.forEach((mesh, body) => {
      if (!this.#host.owns(mesh))
        throw new Unsupported(
          `meshes[${body}] is missing, or is not of this engine`,
          'pass meshes that createMesh of the engine that is asked has made',
        );
    });
    const count = moving ?? meshes.length;
    checkValue('moving', count, wholeNumber(1, meshes.length));
    checkMatrices('poses', poses, 16 * count, `a multiple of 16 for each of ${count} moving bodies`);
    if (still === undefined) return count;
    checkMatrices(
      'still',
      still,
      0,
      `16 for each of ${meshes.length - count} bodies that stay`,
      16 * (meshes.length - count),
    );
    for (let i = 0, rows = new Float64Array(12); i < meshes.length - count; i++)
      readTransform(`body ${count + i}, which stays: matrix`, still.subarray(16 * i, 16 * i + 16), rows, 0);
    return count;
  }
}

function checkMatrices(name: string, matrices: unknown, each: number, rule: string, length?: number): void {
  const isTyped = matrices instanceof Float32Array || matrices instanceof Float64Array;
  if (isTyped) checkAttached(name, matrices);
  if (isTyped && (length === undefined ? matrices.length % each === 0 : matrices.length === length)) return;
  throw new Unsupported(
    `${name} is ${isTyped ? `${matrices.length} numbers` : describe(matrices)}, not ${rule}`,
    PLACED,
  );
}

// Two numbers a pair.
function pairsOf({ meshes: { length }, pairs, allowed }: PosesOptions, movingCount: number): Uint32Array {
  if (pairs !== undefined && allowed !== undefined)
    throw new Unsupported(
      'both pairs and allowed are given',
      'pass the pairs to ask about, or those that may touch',
    );
  if (pairs !== undefined) return Uint32Array.from(checkPairs('pairs', pairs, length).flat());
  const mayTouch =
    allowed instanceof Uint8Array
      ? maskOf(allowed, length)
      : new Set(
          checkPairs('allowed', allowed === undefined ? [] : allowed, length).map(
            ([a, b]) => Math.min(a, b) * length + Math.max(a, b),
          ),
        );
  const asked: number[] = [];
  for (let a = 0; a < movingCount; a++)
    for (let b = a + 1; b < length; b++) if (!mayTouch.has(a * length + b)) asked.push(a, b);
  return Uint32Array.from(asked);
}

function checkPairs(name: string, pairs: readonly BodyPair[], length: number): readonly BodyPair[] {
  if (!Array.isArray(pairs))
    throw new Unsupported(
      `${name} is ${describe(pairs)}, not an array of pairs`,
      'pass [[a, b], ...]: places in meshes',
    );
  // A hole in a list is no pair, either.
  Array.from(pairs).forEach((pair: unknown, i) => {
    const isPair =
      Array.isArray(pair) &&
      pair.length === 2 &&
      Array.from(pair).every(body => Number.isInteger(body) && body >= 0 && body < length) &&
      pair[0] !== pair[1];
    if (!isPair)
      throw new Unsupported(
        `${name}[${i}] is ${Array.isArray(pair) ? `[${pair.map(describe).join()}]` : describe(pair)}, not two different places of ${length} meshes`,
        'pass [a, b] with places in meshes, from 0',
      );
  });
  return pairs;
}

// Either half of the mask will do.
function maskOf(mask: Uint8Array, length: number): Set<number> {
  checkAttached('allowed', mask);
  if (mask.length !== length * length)
    throw new Unsupported(
      `allowed has ${mask.length} bytes, not ${length} x ${length}`,
      'pass a byte for each two of meshes, row by row',
    );
  const pairs = new Set<number>();
  mask.forEach((may, at) => {
    if (may)
      pairs.add(
        Math.min(Math.floor(at / length), at % length) * length +
          Math.max(Math.floor(at / length), at % length),
      );
  });
  return pairs;
}
