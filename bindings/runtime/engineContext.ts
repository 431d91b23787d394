// Defines what every component of an engine works with: one memory arena, one thread pool, constant tables,
// and what optional modules add.

import type { SphereTests } from '../core/stats.js';
import type { Arena } from './memory.js';
import type { Pool } from './pool.js';

/** A mesh whose tree is refitted and rebuilt. */
export interface RefittedMesh {
  readonly builder: 'sah' | 'morton';
  readonly treeVersion: number;
}

/** What the module 'spheres' adds to an engine. */
export interface SphereHooks {
  /**
   * If these options ask for a mesh with spheres, returns one threshold per tree level; otherwise returns
   * undefined. The box of a node is tested in addition to its sphere if volume(sphere) / volume(box) is at
   * least the threshold of its level. The last threshold also holds for all deeper levels.
   * @throws Unsupported
   */
  thresholdsOf(options: { volume?: string; thresholds?: readonly number[] }): readonly number[] | undefined;
  /**
   * trees: two per pair. If both trees of at least one pair have spheres, prepares the records of the sphere
   * kernels, which then traverse all pairs, and returns 'Spheres'. Otherwise returns undefined.
   * @throws WorkerLost, Capacity
   */
  pairingOf(
    trees: readonly unknown[],
    front: { readonly pairs: { readonly at: number } },
    parts: number,
  ): 'Spheres' | undefined;
  /** Returns the additional counters of the last run. */
  stats(): { spheres?: SphereTests[] };
}

/**
 * Tells an engine how to make and run its fronts when it reproduces a paper. A front is the set of node pairs
 * from which a query starts. Other engines have no FrontStudy.
 */
export interface FrontStudy {
  /**
   * The grain g of eq. 1 (Zhang and Kim). The default depends on the number of lists, on coherence and on
   * stealing.
   */
  readonly grain?: number;
  /**
   * How box overlap predicts cost: one of the WEIGHT constants of `limits`. Default: WEIGHT_ROOT if both
   * coherence and stealing are off, otherwise WEIGHT_VOLUME.
   */
  readonly weight?: number;
  /**
   * Runs the work lists of the TraverseJob at `jobAt` on one thread, as if each list had its own thread.
   * Called if there are more lists than threads. pairing: which variant of the traversal kernel to run: ''
   * (two meshes), 'Self' (one mesh with itself), 'Spheres' (sphere trees) or 'Near' (a clearance).
   */
  runSimulated(pairing: '' | 'Self' | 'Spheres' | 'Near', jobAt: number): void;
  /** Makes the FrontSystem that runs queries. pairCapacity: initial capacity of a list, in pairs. */
  makeFront(context: EngineContext, pairCapacity: number): unknown;
}

/** The memory and the threads that kernels run on. */
export interface KernelContext {
  readonly arena: Arena;
  readonly pool: Pool;
  /**
   * Address of the left-packing tables, in rows of 16 bytes. Each row holds the byte indices of a swizzle that
   * moves the lanes of one mask to the left; each remaining lane is a copy of lane 0. The first 16 rows are for
   * 32-bit lanes and 4-bit masks, the next 256 rows for 16-bit lanes and 8-bit masks.
   */
  readonly packTableAt: number;
}

/**
 * What modules add to an engine. An engine is created with the extensions of its modules; a module that is
 * left out adds nothing.
 */
export interface Extensions {
  /** Added by the module 'stored': returns the bytes of the mesh whose MeshRecord is at `recordAt`. */
  readonly writeMesh?: (
    recordAt: number,
    making: { builder: 'sah' | 'morton'; deformable: boolean },
  ) => Uint8Array<ArrayBuffer>;
  /**
   * Added by the module 'deforming': decides whether to rebuild a tree. quality: the quality of the refitted
   * tree; undefined before the first refit.
   * @throws Unsupported
   */
  readonly shouldRebuild?: (mesh: RefittedMesh, options: { tree?: string }, quality?: number) => boolean;
  /** Added by the module 'spheres': sphere trees. */
  readonly spheres?: SphereHooks;
  /** Added by `bindings/papers/laboratory.ts`: how fronts are made and run when papers are reproduced. */
  readonly study?: FrontStudy;
}

/** What the components of an engine work with: memory, threads, and what modules add. */
export interface EngineContext extends KernelContext {
  readonly extensions: Extensions;
}

const ROW_BYTES = 16;

/**
 * Writes the left-packing tables and returns their address. Row m moves the lanes whose bits are set in the
 * mask m to the front; each remaining lane is a copy of lane 0.
 */
export function writePackTable(arena: Arena): number {
  const at = arena.allocate((2 ** 4 + 2 ** 8) * ROW_BYTES);
  for (const [laneCount, from] of [
    [4, at],
    [8, at + 2 ** 4 * ROW_BYTES],
  ] as const) {
    for (let mask = 0; mask < 2 ** laneCount; mask++)
      writeRow(arena.u8.subarray(from + mask * ROW_BYTES), mask, laneCount);
  }
  return at;
}

function writeRow(row: Uint8Array, mask: number, laneCount: number): void {
  const laneBytes = ROW_BYTES / laneCount;
  let to = 0;
  for (let lane = 0; lane < laneCount; lane++) {
    if ((mask & (1 << lane)) === 0) continue;
    for (let byte = 0; byte < laneBytes; byte++) row[to++] = lane * laneBytes + byte;
  }
  for (; to < ROW_BYTES; to++) row[to] = to % laneBytes;
}
