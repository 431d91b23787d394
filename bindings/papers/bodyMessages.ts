// The messages between threads that compute steps of moving bodies without shared memory.

import type { MessagePort } from 'node:worker_threads';
import type { MeshOptions } from '../mesh/mesh.js';
import type { MeshData } from '../samples/types.js';

/** Moving bodies: body i has the mesh with index `meshOf[i]`. */
export interface MovingBodies {
  shapes: readonly { data: MeshData; options: MeshOptions }[];
  meshOf: readonly number[];
}

/** What a thread does. It is sent once, when the thread starts. */
export type BodyTask = { bodies: MovingBodies } & (
  | { role: 'rank'; rank: number; ranks: number }
  | { role: 'boxes'; ports: MessagePort[] }
  | { role: 'triangles'; port: MessagePort }
);

/** A step. placements: 16 numbers per body, column-major. */
export interface PlacementTask {
  step: number;
  placements: Float32Array;
}

/** A step, and the pairs of bodies whose boxes overlap in it. */
export interface NearBodiesTask extends PlacementTask {
  bodiesA: Uint32Array;
  bodiesB: Uint32Array;
}

/**
 * The triangle pairs of some pairs of bodies in a step. Those of pair k are the entries of `a` and `b` from
 * index pairsAt[k] up to, but not including, pairsAt[k + 1].
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

/** Returns the bytes of the arrays of a message. */
export const bytesOf = (message: object): number =>
  Object.values(message).reduce((sum, value) => sum + (ArrayBuffer.isView(value) ? value.byteLength : 0), 0);
