// Reads the bodies of a query of poses or edges: their meshes, the placements of the fixed bodies, and the
// pairs to test.

import {
  anyValue,
  checkAttached,
  checkValue,
  copyIfEngineMemory,
  integer,
  isFloatArray,
  type OptionTable,
} from '../core/checkOptions.js';
import { describe, Unsupported } from '../core/errors.js';
import type { EngineHost } from '../core/module.js';
import { readTransform, type Transforms } from '../core/transform.js';
import type { Mesh } from '../mesh/mesh.js';
import type { Chain } from './chain.js';
import type { PosedBodies } from './poseMemory.js';

/** Two bodies, by their indices in `meshes`. */
export type BodyPair = readonly [a: number, b: number];

/** The bodies of a query, and the pairs of bodies that it tests. */
export interface PosedBodyOptions {
  /**
   * The mesh of each body: first the moving bodies, such as a robot's links, then the fixed bodies, such as
   * its surroundings. A mesh can be used for several bodies.
   */
  meshes: readonly Mesh[];
  /** Number of moving bodies. Default: all bodies; with `chain`, the number of the chain's bodies. */
  moving?: number;
  /**
   * Placements of the fixed bodies in the common frame: 16 numbers per body, column-major. Default: the
   * identity.
   */
  fixed?: Transforms;
  /**
   * The pairs to test, in this order. Default: all pairs (a, b) with a < b that have at least one moving body
   * and are not in `allowed`, ordered by a, then by b.
   */
  pairs?: readonly BodyPair[];
  /**
   * Pairs of bodies that may touch, such as neighboring links; they are not tested. Either a list of pairs,
   * or an allowed collision matrix as in MoveIt. The matrix has one byte per pair, row by row: byte a *
   * meshes.length + b is nonzero if bodies a and b may touch. Cannot be combined with `pairs`.
   */
  allowed?: readonly BodyPair[] | Uint8Array;
}

export const POSED_BODIES: OptionTable<PosedBodyOptions> = {
  meshes: anyValue,
  moving: anyValue,
  fixed: anyValue,
  pairs: anyValue,
  allowed: anyValue,
};

const PLACED = 'pass a Float32Array or Float64Array of 16 numbers per body, column-major';

/**
 * Reads and checks the bodies of a query. The options must be a copy that nothing else uses.
 * @param chain places the moving bodies, if it is given
 * @throws InvalidTransform, Unsupported
 */
export function readBodies(host: EngineHost, options: PosedBodyOptions, chain?: Chain): PosedBodies {
  // Copies the list, so that the query uses the same meshes that are checked below: an element of the given
  // list may be a getter that returns another mesh the next time.
  const meshes = Array.isArray(options.meshes)
    ? Array.from(options.meshes as readonly Mesh[])
    : options.meshes;
  checkMeshes(host, meshes);
  const { moving = chain ? chain.bodies.length : meshes.length, fixed } = options;
  checkValue('moving', moving, integer(1, meshes.length));
  if (chain && chain.bodies.length !== moving)
    throw new Unsupported(
      `chain has ${chain.bodies.length} bodies, but there are ${moving} moving bodies`,
      'list one body of the chain for each moving mesh, and put these meshes first',
    );
  if (fixed !== undefined) checkFixed(fixed, moving, meshes.length);
  const pairs = pairsOf({ ...options, meshes }, moving);
  return {
    meshes,
    movingCount: moving,
    fixed: fixed && copyIfEngineMemory(fixed),
    pairs,
    pairCount: pairs.length / 2,
    chain,
  };
}

function checkMeshes(host: EngineHost, meshes: readonly Mesh[]): void {
  if (!Array.isArray(meshes) || meshes.length === 0)
    throw new Unsupported(
      Array.isArray(meshes)
        ? 'meshes is empty, but must contain at least one mesh'
        : `meshes is ${describe(meshes)}, not an array of meshes`,
      'pass the moving meshes, then the fixed ones',
    );
  meshes.forEach((mesh, body) => {
    if (!host.owns(mesh))
      throw new Unsupported(
        `meshes[${body}] is missing, or belongs to another engine`,
        'pass meshes that createMesh of this engine returned',
      );
  });
}

function checkFixed(fixed: Transforms, moving: number, bodyCount: number): void {
  checkMatrices(
    'fixed',
    fixed,
    0,
    `16 for each of ${bodyCount - moving} fixed bodies`,
    16 * (bodyCount - moving),
  );
  for (let i = 0, rows = new Float64Array(12); i < bodyCount - moving; i++)
    readTransform(`fixed body ${moving + i}: matrix`, fixed.subarray(16 * i, 16 * i + 16), rows, 0);
}

/**
 * Checks the length of an array. It must equal `length` if this is given; otherwise, it must be a multiple of
 * `each`.
 * @throws Unsupported
 */
export function checkMatrices(
  name: string,
  matrices: unknown,
  each: number,
  rule: string,
  length?: number,
): void {
  const isTyped = isFloatArray(matrices);
  if (isTyped) checkAttached(name, matrices);
  if (isTyped && (length === undefined ? matrices.length % each === 0 : matrices.length === length)) return;
  throw new Unsupported(
    `${name} is ${isTyped ? `${matrices.length} numbers` : describe(matrices)}, not ${rule}`,
    PLACED,
  );
}

// Returns the pairs of bodies to test: two body indices per pair.
function pairsOf({ meshes: { length }, pairs, allowed }: PosedBodyOptions, movingCount: number): Uint32Array {
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

// Returns the pairs of bodies that a byte matrix allows. A pair a < b is allowed if the byte of (a, b) or the
// byte of (b, a) is set. It is returned as the number a * length + b.
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
