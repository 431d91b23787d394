// Runs queries on the GPU and the CPU at the same time. Many placed pairs of meshes are divided between the
// two. For a single pair, the nodes of its starting front are divided, which Zhang and Kim's paper on
// p-partition fronts names as future work.

import type { EngineHost } from '../core/module.js';
import type { PlacedPair, QueryManyOptions } from '../core/queryOptions.js';
import type { ManyPairsCopy, PairsCopy } from '../core/results.js';
import type { Mesh } from '../mesh/mesh.js';
import type { FrontSystem } from '../narrowphase/front.js';
import type { StartingFront } from '../narrowphase/startingFront.js';
import { MAX_FRONT_NODES, selectFront } from './frontSelection.js';
import { type GpuQueries, type GpuQueryAnswer, type GpuQueryOptions, pairsOfHits } from './gpuQueries.js';
import { LoadSplit, runTogether } from './loadSplit.js';
import type { MeshWatch } from './meshWatch.js';
import type { SyncMethods } from './syncMethods.js';

/**
 * The GPU's share of a front is rounded to a multiple of 1 / STEPS, so that both shares of the front often stay
 * the same from query to query. The costs measured in the last run can only be used again for the same shares.
 */
const STEPS = 16;

/** The properties of an engine that split queries use. */
export type SplitQueriesHost = Pick<EngineHost, 'context' | 'writer' | 'run' | 'join' | 'beginCall'>;

/** share: the GPU's fraction of the pairs, or of the front. */
export interface SplitAnswer extends GpuQueryAnswer {
  share: number;
}

export class SplitQueries {
  readonly #queries: GpuQueries;
  readonly #methods: SyncMethods;
  readonly #host: SplitQueriesHost;
  readonly #split = new LoadSplit();
  private readonly frontSplit = new LoadSplit(1 / STEPS, 1);
  /** The CPU's share of the last front. */
  #kept: { front: StartingFront; name: string } | undefined;

  constructor(queries: GpuQueries, methods: SyncMethods, host: SplitQueriesHost) {
    this.#queries = queries;
    this.#methods = methods;
    this.#host = host;
  }

  /** Finds the triangle pairs of placed pairs of meshes. @throws as GpuQueries.query */
  async query(
    pairs: readonly PlacedPair[],
    options: GpuQueryOptions,
    watch?: MeshWatch,
  ): Promise<SplitAnswer> {
    if (pairs.length === 1 && options.want !== 'any') return this.#queryOne(pairs[0], options, watch);
    const gpuCount = this.#split.gpuCount(pairs.length);
    if (gpuCount === pairs.length) return { ...(await this.#queries.query(pairs, options, watch)), share: 1 };
    const [{ stats, ...first }, second] = await runTogether(
      this.#split,
      this.#queries.query(pairs.slice(0, gpuCount), options, watch),
      () => this.#onCpu({ pairs: pairs.slice(gpuCount), order: options.order, want: options.want }),
    );
    const pairsAt = new Uint32Array(pairs.length + 1);
    pairsAt.set(first.pairsAt);
    pairsAt.set(
      second.pairsAt.map(at => at + first.count),
      gpuCount,
    );
    return { ...concatPairs(first, second), pairsAt, stats, share: gpuCount / pairs.length };
  }

  #onCpu(options: QueryManyOptions): ManyPairsCopy {
    const found = this.#methods.queryMany(options);
    return found instanceof Uint32Array ? pairsOfHits(found) : found.copy();
  }

  async #queryOne(pair: PlacedPair, options: GpuQueryOptions, watch?: MeshWatch): Promise<SplitAnswer> {
    // If the GPU is far faster than the CPU, the GPU's share reaches 1. From then on, the CPU gets nothing.
    const steps = Math.round(STEPS * this.frontSplit.gpuShare);
    const share = steps / STEPS;
    if (share === 1) return { ...(await this.#queries.query([pair], options, watch)), share };
    const [{ stats, ...first }, second] = await runTogether(
      this.frontSplit,
      this.#queries.query([pair], { ...options, selection: selectFront(steps, STEPS) }, watch),
      () => this.#oneOnCpu(pair, options, steps),
    );
    const found = (options.order === 'any' ? concatPairs : mergeSortedPairs)(first, second);
    return { ...found, pairsAt: Uint32Array.of(0, found.count), stats, share };
  }

  // Searches below the nodes of the starting front that the GPU did not get.
  #oneOnCpu(pair: PlacedPair, { order, coherence }: GpuQueryOptions, steps: number): PairsCopy {
    const host = this.#host;
    const {
      context: { arena, pool },
    } = host;
    const fronts: StartingFront[] = [];
    const write = (front: FrontSystem): readonly Mesh[] => {
      const trees = host.writer.write(front, [pair]);
      fronts[0] = this.#restOf(front, trees[0], trees[1], steps);
      return trees;
    };
    // The run overwrites earlier results in engine memory, so `beginCall` marks them as stale.
    host.beginCall();
    // With `parts: 1`, the front would consist only of the pair of roots.
    host.run('run', write, { coherence, parts: Math.max(2, pool.threadCount) }, fronts);
    const { aAt, bAt, count } = host.join(1, host.writer.swapped, order);
    return {
      count,
      a: arena.u32.slice(aAt / 4, aAt / 4 + count),
      b: arena.u32.slice(bAt / 4, bAt / 4 + count),
    };
  }

  #restOf({ maker: { cache } }: FrontSystem, a: Mesh, b: Mesh, steps: number): StartingFront {
    const { name, has } = selectFront(steps, STEPS);
    if (this.#kept?.name !== name || !this.#kept.front.matches(a, b)) {
      const front = cache.make(this.#host.context.arena, a, b, MAX_FRONT_NODES).subset(node => !has(node));
      this.#kept = { name, front };
    }
    return this.#kept.front;
  }
}

/** Returns the pairs of the first list, followed by the pairs of the second list. */
function concatPairs(first: PairsCopy, second: PairsCopy): PairsCopy {
  const count = first.count + second.count;
  const a = new Uint32Array(count);
  const b = new Uint32Array(count);
  a.set(first.a);
  a.set(second.a, first.a.length);
  b.set(first.b);
  b.set(second.b, first.b.length);
  return { count, a, b };
}

/** Merges two sorted lists that have no pair in common. */
function mergeSortedPairs(first: PairsCopy, second: PairsCopy): PairsCopy {
  const count = first.count + second.count;
  const a = new Uint32Array(count);
  const b = new Uint32Array(count);
  for (let to = 0, i = 0, k = 0; to < count; to++) {
    const isFirst =
      k === second.count ||
      (i < first.count &&
        (first.a[i] < second.a[k] || (first.a[i] === second.a[k] && first.b[i] < second.b[k])));
    const from = isFirst ? first : second;
    const at = isFirst ? i++ : k++;
    a[to] = from.a[at];
    b[to] = from.b[at];
  }
  return { count, a, b };
}
