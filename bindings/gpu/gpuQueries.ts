// Placed pairs of meshes -> their triangle pairs, found on a GPU, decided where floats left them open, in
// memory of their own.

import type { EngineHost, OwnParts } from '../core/module.js';
import type { ManyPairsCopy } from '../core/results.js';
import type { Mesh } from '../mesh/mesh.js';
import type { PlacedMeshes } from '../mesh/pairWriter.js';
import { decideUnsure } from '../narrowphase/decideUnsure.js';
import type { Neighbours } from '../narrowphase/selfTrees.js';
import { PairRecord } from '../records/layout.js';
import { Blocks } from '../runtime/blocks.js';
import { Turns } from '../runtime/turns.js';
import { watch } from './asked.js';
import type { Gpu } from './device/gpu.js';
import { GpuUnfit } from './device/gpuErrors.js';
import { FRONT_NODES, type FrontPart } from './frontPart.js';
import type { CutPart } from './narrowphase/gpuCut.js';
import { GpuFront, type GpuFrontStats } from './narrowphase/gpuFront.js';

/**
 * How it is asked. neighbours: each pair is one mesh with itself, and pairs are of triangles that share no
 * vertex. part: of one pair only what lies below these nodes of its starting front. want: 'any' tells of each
 * pair one entry that is nobody's, where it meets, or none.
 */
export interface GpuQueryOptions {
  order?: 'sorted' | 'any';
  coherence?: 'on' | 'off';
  neighbours?: Neighbours;
  want?: 'pairs' | 'any';
  part?: FrontPart;
}
/** Of placed pair i: entries pairsAt[i] <= k < pairsAt[i + 1]. */
export interface GpuQueryAnswer extends ManyPairsCopy {
  stats: GpuFrontStats;
}

/**
 * Records of pairs in engine memory; trees[2 i] and trees[2 i + 1] are pair i's, as its record has them;
 * swapped[i]: exchanged.
 */
export interface WrittenPairs {
  pairs: { at: number };
  trees: readonly Mesh[];
  swapped: Uint8Array;
}

/** Words, 1 for a pair that meets -> as many entries of each pair. */
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
  continued: 0,
};

/** What questions need of their engine. */
export type QueryHost = Pick<EngineHost, 'backend' | 'makeOwn'>;

/** One query after the other: lists are those of the query that runs. */
export class GpuQueries {
  readonly #host: QueryHost;
  private readonly front: GpuFront;
  readonly #own: OwnParts;
  readonly #turns = new Turns();

  /** capacity: entries that lists have room for at first. */
  constructor(host: QueryHost, gpu: Gpu, capacity?: number) {
    this.#host = host;
    this.front = new GpuFront(host.backend.arena, gpu, capacity);
    this.#own = host.makeOwn();
  }

  /**
   * @throws GpuLost, GpuUnfit, what `query` throws of bad pairs, Stale and Disposed where a mesh changed or
   * went meanwhile
   */
  ask(asked: readonly PlacedMeshes[], options?: GpuQueryOptions): Promise<GpuQueryAnswer> {
    const checkUnchanged = watch(asked.flatMap(pair => [pair?.a, pair?.b]));
    return this.#turns.take(async () => {
      checkUnchanged();
      const {
        backend: { arena },
      } = this.#host;
      const { writer } = this.#own;
      const records = new Blocks(arena);
      try {
        const pairs = { at: records.take(asked.length * PairRecord.size) };
        const trees = [...writer.write({ pairs, reservePairs: () => pairs.at, noteDepth: () => {} }, asked)];
        if (writer.hasCopies) throw new GpuUnfit('a placement is too ill-conditioned for floats');
        return await this.#answer({ pairs, trees, swapped: writer.swapped.slice() }, checkUnchanged, options);
      } finally {
        writer.release();
        if (!arena.isClosed) records.releaseAll();
      }
    });
  }

  /**
   * The same of pairs whose records are written; these stay as they are until the answer. @throws as above,
   * but for bad pairs
   */
  find(
    written: WrittenPairs,
    checkUnchanged: () => void,
    options?: GpuQueryOptions,
  ): Promise<GpuQueryAnswer> {
    return this.#turns.take(() => this.#answer(written, checkUnchanged, options));
  }

  dispose(): void {
    this.front.dispose();
  }

  // The GPU's trees are those of now; points that floats left open are read afterwards.
  async #answer(
    { pairs, trees, swapped }: WrittenPairs,
    checkUnchanged: () => void,
    { order = 'sorted', coherence = 'on', neighbours, want, part }: GpuQueryOptions = {},
  ): Promise<GpuQueryAnswer> {
    if (trees.length === 0)
      return {
        count: 0,
        a: new Uint32Array(0),
        b: new Uint32Array(0),
        pairsAt: new Uint32Array(1),
        stats: NO_WORK,
      };
    const isAny = want === 'any';
    const {
      sure,
      unsure: open,
      hits,
      stats,
    } = await this.front.run({
      pairsAt: pairs.at,
      trees,
      coherence,
      neighbours,
      isAny,
      part: part && this.#partOf(trees, part),
    });
    checkUnchanged();
    const unsure = isAny ? open.filter((_, i) => hits[open[i - (i % 3)]] === 0) : open;
    const verdicts = decideUnsure(this.#host.backend, pairs.at, unsure, this.#own);
    const decided = unsure.filter((_, i) => verdicts[Math.floor(i / 3)] === 1);
    if (isAny) {
      for (let i = 0; i < decided.length; i += 3) hits[decided[i]] = 1;
      return { ...pairsOfHits(hits), stats };
    }
    return { ...this.#join(pairs, sure, decided, trees.length / 2, swapped, order), stats };
  }

  #partOf(trees: readonly Mesh[], { name, has }: FrontPart): CutPart {
    return {
      name,
      slots: this.#own.fronts.make(this.#host.backend.arena, trees[0], trees[1], FRONT_NODES).only(has).slots,
    };
  }

  #join(
    pairs: { at: number },
    sure: Uint32Array,
    decided: Uint32Array,
    pairCount: number,
    swapped: Uint8Array,
    order: 'sorted' | 'any',
  ): ManyPairsCopy {
    const extra = new Uint32Array(sure.length + decided.length);
    const { joiner } = this.#own;
    extra.set(sure);
    extra.set(decided, sure.length);
    try {
      const { arena, aAt, bAt, count, pairsAt } = joiner.join(
        { parts: 0, extra, pairs, lists: { read: () => 0 } },
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
      joiner.dispose();
    }
  }
}
