// Many placed pairs -> their triangle pairs from the GPU and the CPU at once: each has a part of the pairs,
// by how quick both were the last time.

import type { PlacedPair, QueryManyOptions } from '../core/options.js';
import type { ManyPairsCopy } from '../core/results.js';
import { type GpuQueries, type GpuQueryAnswer, type GpuQueryOptions, pairsOfHits } from './gpuQueries.js';
import type { MeshWatch } from './meshWatch.js';
import { Share, together } from './share.js';
import { SharedPair, type SharedPairHost } from './sharedPair.js';
import type { SyncVerbs } from './syncVerbs.js';

/** The GPU's part of the pairs. */
export interface SharedAnswer extends GpuQueryAnswer {
  share: number;
}

export class SharedQueries {
  readonly #share = new Share();
  readonly #queries: GpuQueries;
  readonly #verbs: SyncVerbs;
  private readonly pair: SharedPair;

  constructor(queries: GpuQueries, verbs: SyncVerbs, host: SharedPairHost) {
    this.#queries = queries;
    this.#verbs = verbs;
    this.pair = new SharedPair(host, queries);
  }

  /** @throws as GpuQueries.ask */
  async ask(
    pairs: readonly PlacedPair[],
    options: GpuQueryOptions,
    watch?: MeshWatch,
  ): Promise<SharedAnswer> {
    if (pairs.length === 1 && options.want !== 'any') return this.pair.ask(pairs[0], options, watch);
    const gpuCount = this.#share.of(pairs.length);
    if (gpuCount === pairs.length) return { ...(await this.#queries.ask(pairs, options, watch)), share: 1 };
    const [{ stats, ...first }, rest] = await together(
      this.#share,
      this.#queries.ask(pairs.slice(0, gpuCount), options, watch),
      () => this.#onCpu({ pairs: pairs.slice(gpuCount), order: options.order, want: options.want }),
    );
    return { ...joined(first, rest), stats, share: gpuCount / pairs.length };
  }

  #onCpu(asked: QueryManyOptions): ManyPairsCopy {
    const found = this.#verbs.queryMany(asked);
    return found instanceof Uint32Array ? pairsOfHits(found) : found.copy();
  }
}

function joined(first: ManyPairsCopy, second: ManyPairsCopy): ManyPairsCopy {
  const count = first.count + second.count;
  const a = new Uint32Array(count);
  const b = new Uint32Array(count);
  const pairsAt = new Uint32Array(first.pairsAt.length + second.pairsAt.length - 1);
  a.set(first.a);
  a.set(second.a, first.count);
  b.set(first.b);
  b.set(second.b, first.count);
  pairsAt.set(first.pairsAt);
  pairsAt.set(
    second.pairsAt.map(at => at + first.count),
    first.pairsAt.length - 1,
  );
  return { count, a, b, pairsAt };
}
