// The job of many placed pairs of meshes: what engine.queryMany finds, with work for many nodes.
import { Unsupported } from '../../core/errors.js';
import {
  anyValue,
  checkOptions,
  integer,
  nonNegative,
  type OptionTable,
  object,
  oneOf,
} from '../../core/optionTable.js';
import type { MeshData } from '../../mesh/meshData.js';
import { askPairs } from './askPairs.js';
import type { JobKind } from './jobKind.js';
import { type JobPair, type JobPairs, listPairs, Meshes, Places } from './placedPairs.js';

/** Many placed pairs of meshes. */
export interface MeshPairsJob {
  /** What the job is. */
  kind: 'meshPairs';
  /** The meshes: pairs name them by their places here. */
  meshes: readonly MeshData[];
  /** The pairs, as objects or as arrays. */
  pairs: readonly JobPair[] | JobPairs;
  /** All pairs of triangles, or which pairs of meshes have any. Default 'pairs'. */
  want?: 'pairs' | 'any';
  /** Triangles that are no farther apart count too: a finite number from 0 on. Default: those that meet. */
  clearance?: number;
  /** Most pairs of a task. Default 1,024; tasks of dear pairs have fewer. */
  pairsPerTask?: number;
}

/**
 * Pair i owns entries pairsAt[i] <= k < pairsAt[i + 1], sorted by a, then b: the same as of
 * `engine.queryMany`.
 */
export interface MeshPairsAnswer {
  /** How many triangle pairs there are. */
  count: number;
  /** Triangles of the meshes A. */
  a: Uint32Array;
  /** Triangles of the meshes B. */
  b: Uint32Array;
  /** Where each pair's entries begin, and the end. */
  pairsAt: Uint32Array;
  /** 1 for pairs of meshes that have any, else 0. */
  any: Uint32Array;
  /** Of each entry, where a clearance was asked for. */
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
    const meshes = new Meshes();
    const places = new Places();
    const numbers = given.map(mesh => meshes.add(mesh));
    const list = listPairs(pairs, given.length, places);
    for (const side of [list.a, list.b])
      side.forEach((mesh, i) => {
        side[i] = numbers[mesh];
      });
    return async crew => {
      const { at, a, b, distances } = await askPairs(
        crew,
        meshes.facts,
        places,
        list,
        want,
        clearance,
        pairsPerTask,
      );
      const any = Uint32Array.from({ length: list.a.length }, (_, i) => (at[i + 1] > at[i] ? 1 : 0));
      const pairsAt = want === 'any' ? new Uint32Array(list.a.length + 1) : at;
      return { count: a.length, a, b, pairsAt, any, ...(clearance === undefined ? {} : { distances }) };
    };
  },
};
