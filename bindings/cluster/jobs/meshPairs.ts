// Defines the job kind 'meshPairs', which finds the intersecting triangles of many placed mesh pairs.
// `engine.queryMany` finds the same triangles, but here the work is distributed over the nodes of a cluster.

import {
  anyValue,
  checkOptions,
  integer,
  nonNegative,
  type OptionTable,
  object,
  oneOf,
} from '../../core/checkOptions.js';
import { Unsupported } from '../../core/errors.js';
import type { MeshData } from '../../mesh/meshData.js';
import type { JobCoordinator, JobKind } from './jobKind.js';
import { type JobPair, type JobPairs, listPairs, MeshSet, PlacementSet } from './placedPairs.js';
import { runPairTasks } from './runPairTasks.js';

/** Many placed pairs of meshes. */
export interface MeshPairsJob {
  /** The kind of the job. */
  kind: 'meshPairs';
  /** The meshes; pairs refer to them by index. */
  meshes: readonly MeshData[];
  /** The pairs, as objects or as arrays. */
  pairs: readonly JobPair[] | JobPairs;
  /**
   * What the answer contains. 'pairs': all triangle pairs. 'any': only whether each mesh pair has any triangle
   * pair. Default 'pairs'.
   */
  want?: 'pairs' | 'any';
  /**
   * If set, finds the triangle pairs within this distance, in units of the common frame: a finite number, at
   * least 0. Default: finds the triangle pairs that intersect.
   */
  clearance?: number;
  /** The maximum number of mesh pairs per task. Default 1,024; tasks of costly pairs have fewer. */
  pairsPerTask?: number;
}

/**
 * The answer. The triangle pairs of mesh pair i are the entries k of a and b with
 * pairsAt[i] <= k < pairsAt[i + 1]. They are sorted by a, then b, as in the result of `engine.queryMany`.
 */
export interface MeshPairsAnswer {
  /** The number of triangle pairs; 0 if want is 'any'. */
  count: number;
  /** For each triangle pair: the triangle of the first mesh. */
  a: Uint32Array;
  /** For each triangle pair: the triangle of the second mesh. */
  b: Uint32Array;
  /**
   * Entry i is the index at which the triangle pairs of mesh pair i begin; the last entry is `count`. All 0 if
   * want is 'any'.
   */
  pairsAt: Uint32Array;
  /** Entry i is 1 if mesh pair i has any triangle pair, else 0. */
  any: Uint32Array;
  /** The distance of each triangle pair in units of the common frame, if a clearance was set. */
  distances?: Float64Array;
}

const MESH_PAIRS: OptionTable<MeshPairsJob> = {
  kind: anyValue,
  meshes: anyValue,
  pairs: object,
  want: oneOf('pairs', 'any'),
  clearance: nonNegative,
  pairsPerTask: integer(1, 2 ** 16),
};

export const meshPairs: JobKind<MeshPairsJob, MeshPairsAnswer> = {
  name: 'meshPairs',
  open(job) {
    checkOptions(MESH_PAIRS, job, 'the job');
    const { meshes: given, pairs, want = 'pairs', clearance, pairsPerTask } = job;
    if (!Array.isArray(given))
      throw new Unsupported('the job has no list of meshes', 'pass meshes: [{ positions, indices }]');
    if (pairs === undefined)
      throw new Unsupported('the job has no pairs', 'pass pairs: [{ a: 0, b: 1, transformB }]');
    const meshes = new MeshSet();
    const places = new PlacementSet();
    // `map` would skip the holes of a sparse array.
    const numbers = Array.from(given as readonly MeshData[], mesh => meshes.add(mesh));
    const list = listPairs(pairs, given.length, places);
    for (const side of [list.a, list.b])
      side.forEach((mesh, i) => {
        side[i] = numbers[mesh];
      });
    const coordinate: JobCoordinator<MeshPairsAnswer> = async pool => {
      const { at, a, b, distances } = await runPairTasks(
        pool,
        meshes.facts,
        places,
        list,
        want,
        clearance,
        pairsPerTask,
      );
      const any = Uint32Array.from({ length: list.a.length }, (_, i) => (at[i + 1] > at[i] ? 1 : 0));
      const pairsAt = want === 'any' ? new Uint32Array(list.a.length + 1) : new Uint32Array(at);
      return { count: a.length, a, b, pairsAt, any, ...(clearance === undefined ? {} : { distances }) };
    };
    return { coordinate };
  },
};
