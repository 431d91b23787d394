// Finds the intersecting triangle pairs of placed meshes on a GPU. The CPU decides the triangle pairs that
// the GPU's floats leave uncertain. Results are new arrays outside of engine memory.

import type { EngineHost, QueryResources } from '../core/module.js';
import type { ManyPairsCopy } from '../core/results.js';
import type { Mesh } from '../mesh/mesh.js';
import type { PlacedMeshes } from '../mesh/pairWriter.js';
import { decideUncertain } from '../narrowphase/decideUncertain.js';
import type { Neighbors } from '../narrowphase/selfTrees.js';
import { PairRecord } from '../records/layout.js';
import { BlockGroup } from '../runtime/blockGroup.js';
import type { GpuMeshes } from './bvh/gpuMeshes.js';
import type { Gpu } from './device/gpu.js';
import { GpuUnfit } from './device/gpuErrors.js';
import { type FrontSelection, MAX_FRONT_NODES } from './frontSelection.js';
import type { MeshWatch } from './meshWatch.js';
import { GpuFront, type GpuFrontStats } from './narrowphase/gpuFront.js';
import type { FrontNodes } from './narrowphase/gpuFrontMaker.js';

/**
 * Options of a query. neighbors: set for self-queries, where each mesh is paired with itself; only triangles
 * that share no vertex are reported. selection: for a single pair, restricts the search to the bounding volume
 * test tree (BVTT) below these nodes of the pair's starting front. want: 'any' finds only whether the meshes
 * of each pair intersect.
 */
export interface GpuQueryOptions {
  order?: 'sorted' | 'any';
  coherence?: 'on' | 'off';
  neighbors?: Neighbors;
  want?: 'pairs' | 'any';
  selection?: FrontSelection;
}
/**
 * The triangle pairs of placed pair i are the entries of a and b from pairsAt[i] up to, but not including,
 * pairsAt[i + 1]. With want: 'any', `count` and `pairsAt` count one entry for each intersecting pair, but a and
 * b are empty.
 */
export interface GpuQueryAnswer extends ManyPairsCopy {
  stats: GpuFrontStats;
}

/**
 * Records of pairs in engine memory. trees[2 * i] and trees[2 * i + 1] are the trees of pair i, in the order
 * of its record. swapped[i] is 1 if the record has the two meshes in the opposite order of the query, else 0.
 */
export interface WrittenPairs {
  pairs: { at: number };
  trees: readonly Mesh[];
  swapped: Uint8Array;
}

/**
 * Converts one word per pair (1 if it intersects, else 0) to a result whose `count` and `pairsAt` count one
 * entry for each intersecting pair. Its a and b are empty.
 */
export function pairsOfHits(hits: Uint32Array): ManyPairsCopy {
  const pairsAt = new Uint32Array(hits.length + 1);
  const none = new Uint32Array(0);
  hits.forEach((hit, i) => {
    pairsAt[i + 1] = pairsAt[i] + hit;
  });
  return { count: pairsAt[hits.length], a: none, b: none, pairsAt };
}

const NO_WORK: GpuFrontStats = {
  frontNodes: 0,
  boxTests: 0,
  leafPairs: 0,
  exactTests: 0,
  passes: 0,
  reruns: 0,
};

/** The properties of an engine that queries use. */
export type QueryHost = Pick<EngineHost, 'context' | 'makeQueryResources'>;

/**
 * Runs queries of placed meshes on one GPU. All queries use the same lists, so they must not overlap;
 * `AsyncRunner` runs them one at a time.
 */
export class GpuQueries {
  readonly #host: QueryHost;
  private readonly front: GpuFront;
  readonly #resources: QueryResources;

  /** capacity: initial capacity of the lists, in entries. */
  constructor(host: QueryHost, gpu: Gpu, capacity?: number) {
    this.#host = host;
    this.front = new GpuFront(host.context.arena, gpu, capacity);
    this.#resources = host.makeQueryResources();
  }

  /** The trees of meshes on the GPU. */
  get meshes(): GpuMeshes {
    return this.front.meshes;
  }

  /**
   * Finds the triangle pairs of placed pairs of meshes. @throws GpuLost, GpuUnfit; for invalid pairs, the
   * same errors as `engine.query`; the errors of MeshWatch.check
   */
  async query(
    placed: readonly PlacedMeshes[],
    options?: GpuQueryOptions,
    watch?: MeshWatch,
  ): Promise<GpuQueryAnswer> {
    const {
      context: { arena },
    } = this.#host;
    const { writer } = this.#resources;
    const records = new BlockGroup(arena);
    try {
      const pairs = { at: records.take(placed.length * PairRecord.size) };
      const trees = [...writer.write({ pairs, reservePairs: () => pairs.at, noteDepth: () => {} }, placed)];
      if (writer.hasCopies) throw new GpuUnfit('a placement is too ill-conditioned for floats');
      return await this.find({ pairs, trees, swapped: writer.swapped.slice() }, options, watch);
    } finally {
      writer.release();
      if (!arena.isClosed) records.releaseAll();
    }
  }

  /**
   * Finds the triangle pairs of placed pairs of meshes whose PairRecords have already been written. The
   * records must not change until the promise settles.
   * @throws GpuLost, GpuUnfit; the errors of MeshWatch.check
   */
  async find(
    { pairs, trees, swapped }: WrittenPairs,
    { order = 'sorted', coherence = 'on', neighbors, want, selection }: GpuQueryOptions = {},
    watch?: MeshWatch,
  ): Promise<GpuQueryAnswer> {
    if (trees.length === 0)
      return {
        count: 0,
        a: new Uint32Array(0),
        b: new Uint32Array(0),
        pairsAt: new Uint32Array(1),
        stats: NO_WORK,
      };
    if (trees.some(({ hasDoubles }) => hasDoubles)) throw new GpuUnfit('a mesh has coordinates in doubles');
    const isAnyHit = want === 'any';
    const {
      certain,
      uncertain: undecided,
      hits,
      stats,
    } = await this.front.run(
      {
        pairsAt: pairs.at,
        trees,
        coherence,
        neighbors,
        isAnyHit,
        selection: selection && this.#nodesOf(trees, selection),
      },
      watch,
    );
    // `decideUncertain` reads vertices from the meshes, so the meshes must not have changed.
    watch?.check();
    const uncertain = isAnyHit ? undecided.filter((_, i) => hits[undecided[i - (i % 3)]] === 0) : undecided;
    const verdicts = decideUncertain(this.#host.context, pairs.at, uncertain, this.#resources);
    const decided = uncertain.filter((_, i) => verdicts[Math.floor(i / 3)] === 1);
    if (isAnyHit) {
      for (let i = 0; i < decided.length; i += 3) hits[decided[i]] = 1;
      return { ...pairsOfHits(hits), stats };
    }
    return { ...this.#join(pairs, certain, decided, trees.length / 2, swapped, order), stats };
  }

  dispose(): void {
    this.front.dispose();
  }

  #nodesOf(trees: readonly Mesh[], { name, has }: FrontSelection): FrontNodes {
    return {
      name,
      slots: this.#resources.fronts
        .make(this.#host.context.arena, trees[0], trees[1], MAX_FRONT_NODES)
        .subset(has).slots,
    };
  }

  #join(
    pairs: { at: number },
    certain: Uint32Array,
    decided: Uint32Array,
    pairCount: number,
    swapped: Uint8Array,
    order: 'sorted' | 'any',
  ): ManyPairsCopy {
    const exactPairs = new Uint32Array(certain.length + decided.length);
    const { gatherer } = this.#resources;
    exactPairs.set(certain);
    exactPairs.set(decided, certain.length);
    try {
      const { arena, aAt, bAt, count, pairsAt } = gatherer.gather(
        { parts: 0, exactPairs, pairs, lists: { read: () => 0 } },
        pairCount,
        swapped,
        order,
      );
      return {
        count,
        a: arena.u32.slice(aAt / 4, aAt / 4 + count),
        b: arena.u32.slice(bAt / 4, bAt / 4 + count),
        pairsAt: pairsAt.slice(),
      };
    } finally {
      gatherer.dispose();
    }
  }
}
