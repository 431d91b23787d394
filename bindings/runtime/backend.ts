// What every system runs on: one arena, one pool of threads, constant tables -> made once per engine.

import type { SphereTests } from '../core/stats.js';
import type { Arena } from './memory.js';
import type { Pool } from './pool.js';

/** A mesh whose tree is watched. */
export interface Watched {
  readonly builder: 'sah' | 'morton';
  readonly treeVersion: number;
}

/** What meshes with a sphere beside each box add to an engine. */
export interface SphereHooks {
  /** Of a new mesh with spheres its thresholds by level; of others nothing. @throws Unsupported */
  check(options: { volume?: string; thresholds?: readonly number[] }): readonly number[] | undefined;
  /**
   * Which kernels the trees of all pairs, two a pair, are walked with; what those need is made. @throws
   * WorkerLost, Capacity
   */
  pairingOf(
    trees: readonly unknown[],
    front: { readonly pairs: { readonly at: number } },
    parts: number,
  ): 'Spheres' | undefined;
  /** What the last run adds to its counters. */
  stats(): { spheres?: SphereTests[] };
}

/** How fronts of an engine are made and run to study them; an engine of the product has none. */
export interface FrontStudy {
  /** g of eq. 1 (Zhang and Kim). Default: follows the number of lists. */
  readonly grain?: number;
  /** How box overlap stands for cost: a WEIGHT of WeighJob. Default: WEIGHT_VOLUME. */
  readonly weight?: number;
  /** Runs more lists than there are threads, those of the TraverseJob at `jobAt`; pairing: of their trees. */
  runInTurn(pairing: '' | 'Self' | 'Spheres' | 'Near', jobAt: number): void;
}

/** What kernels run on. */
export interface Machine {
  readonly arena: Arena;
  readonly pool: Pool;
  /**
   * 16 rows of 16 bytes: the swizzle that packs the words of a 4-bit mask to the left; then 256 rows for
   * halves of an 8-bit mask.
   */
  readonly packTableAt: number;
}

/**
 * What modules add to meshes. An engine is made with those of its modules; a module that is left out adds
 * nothing.
 */
export interface Extensions {
  /** Of the module 'stored': the bytes of the mesh whose MeshRecord is at `recordAt`. */
  readonly writeMesh?: (
    recordAt: number,
    making: { builder: 'sah' | 'morton'; deformable: boolean },
  ) => Uint8Array<ArrayBuffer>;
  /**
   * Of the module 'deforming'. quality: of the tree as it was refitted; before that none. @returns whether
   * to build it anew. @throws Unsupported
   */
  readonly isWorn?: (mesh: Watched, options: { tree?: string }, quality?: number) => boolean;
  /** Of the module 'spheres'. */
  readonly spheres?: SphereHooks;
  /** Of `bindings/papers/laboratory.ts`. */
  readonly study?: FrontStudy;
}

/** What systems run on. */
export interface Backend extends Machine {
  readonly extensions: Extensions;
}

const ROW_BYTES = 16;

/**
 * Writes the left-packing tables: row m moves the set lanes of mask m to the front; the rest repeats the
 * first lanes.
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
