// The messages between threads that test moving bodies for collisions, step by step, without shared memory.

import type { MessagePort } from 'node:worker_threads';
import type { MeshOptions } from '../mesh/mesh.js';
import type { MeshData } from '../samples/types.js';

/** Moving bodies: body i has the mesh with index `meshOf[i]`. */
export interface MovingBodies {
  shapes: readonly { data: MeshData; options: MeshOptions }[];
  meshOf: readonly number[];
}

/**
 * The task of a thread, which the thread gets once, when it starts. 'rank': tests the triangles of the body
 * pairs whose numbers are rank, rank + ranks, and so on (see bodyPairs.ts). 'boxes': finds the pairs of
 * bodies whose boxes overlap. 'triangles': tests the triangles of these pairs.
 */
export type BodyTask = { bodies: MovingBodies } & (
  | { role: 'rank'; rank: number; ranks: number }
  | { role: 'boxes'; ports: MessagePort[] }
  | { role: 'triangles'; port: MessagePort }
);

/** The placements of all bodies in a step: 16 numbers per body, column-major. */
export interface PlacementTask {
  step: number;
  placements: Float32Array;
}

/** The placements in a step, and the pairs of bodies whose boxes overlap in that step. */
export interface NearBodiesTask extends PlacementTask {
  bodiesA: Uint32Array;
  bodiesB: Uint32Array;
}

/**
 * The intersecting triangle pairs of some pairs of bodies in a step. Pair k consists of bodies bodiesA[k] and
 * bodiesB[k]. Its triangle pairs are the entries of `a` and `b` from index pairsAt[k] up to, but not
 * including, pairsAt[k + 1].
 */
export interface BodyAnswer {
  step: number;
  bodiesA: Uint32Array;
  bodiesB: Uint32Array;
  pairsAt: Uint32Array;
  a: Uint32Array;
  b: Uint32Array;
  /** Cost of the step in box tests; a leaf pair counts as limits.LEAF_PAIR_COST box tests. */
  cost: number;
}

/** Returns the total size in bytes of the typed arrays in a message. */
export const bytesOf = (message: object): number =>
  Object.values(message).reduce((sum, value) => sum + (ArrayBuffer.isView(value) ? value.byteLength : 0), 0);
