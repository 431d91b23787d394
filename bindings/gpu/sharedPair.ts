// One placed pair -> its triangle pairs from the GPU and the CPU at once: each has a part of one front, by
// how quick both were the last time. Zhang and Kim's future work: CPU and GPU on one front.
import type { EngineHost } from '../core/module.js';
import type { PlacedPair } from '../core/options.js';
import type { PairsCopy } from '../core/results.js';
import type { Mesh } from '../mesh/mesh.js';
import type { FrontSystem } from '../narrowphase/front.js';
import type { StartingFront } from '../narrowphase/startingFront.js';
import { FRONT_NODES, frontPart } from './frontPart.js';
import type { GpuQueries, GpuQueryAnswer, GpuQueryOptions } from './gpuQueries.js';
import type { MeshWatch } from './meshWatch.js';
import { Share, together } from './share.js';

/**
 * Sixteenths in which a front is parted: costs of a part are those of its last run as long as it stays the
 * same.
 */
const STEPS = 16;

/** What it needs of the engine. */
export type SharedPairHost = Pick<EngineHost, 'backend' | 'writer' | 'run' | 'join' | 'tick'>;

export class SharedPair {
  private readonly share = new Share(1 / STEPS, 1);
  readonly #host: SharedPairHost;
  readonly #queries: GpuQueries;
  /** Of the CPU's last part. */
  #kept: { front: StartingFront; name: string } | undefined;

  constructor(host: SharedPairHost, queries: GpuQueries) {
    this.#host = host;
    this.#queries = queries;
  }

  /** @throws as GpuQueries.ask */
  async ask(
    pair: PlacedPair,
    options: GpuQueryOptions,
    watch?: MeshWatch,
  ): Promise<GpuQueryAnswer & { share: number }> {
    // Whoever has nothing to do is not asked again: the other is far quicker.
    const steps = Math.round(STEPS * this.share.part);
    const share = steps / STEPS;
    if (share === 1) return { ...(await this.#queries.ask([pair], options, watch)), share };
    const [{ stats, ...first }, second] = await together(
      this.share,
      this.#queries.ask([pair], { ...options, part: frontPart(steps, STEPS) }, watch),
      () => this.#onCpu(pair, options, steps),
    );
    const found = options.order === 'any' ? joined(first, second) : merged(first, second);
    return { ...found, pairsAt: Uint32Array.of(0, found.count), stats, share };
  }

  #onCpu(pair: PlacedPair, { order, coherence }: GpuQueryOptions, steps: number): PairsCopy {
    const host = this.#host;
    const {
      backend: { arena, pool },
    } = this.#host;
    const { has } = frontPart(steps, STEPS);
    const fronts: StartingFront[] = [];
    const write = (front: FrontSystem): readonly Mesh[] => {
      const trees = host.writer.write(front, [pair]);
      fronts[0] = this.#partOf(front, trees[0], trees[1], `${steps}`, node => !has(node));
      return trees;
    };
    // Results that lie in engine memory are overwritten.
    host.tick();
    // Of one list the roots would be the front.
    host.run('run', write, { coherence, parts: Math.max(2, pool.threadCount) }, fronts);
    const { aAt, bAt, count } = host.join(1, host.writer.swapped, order);
    return {
      count,
      a: arena.u32.slice(aAt / 4, aAt / 4 + count),
      b: arena.u32.slice(bAt / 4, bAt / 4 + count),
    };
  }

  #partOf(
    { maker: { cache } }: FrontSystem,
    a: Mesh,
    b: Mesh,
    name: string,
    has: (node: number) => boolean,
  ): StartingFront {
    if (this.#kept?.name !== name || !this.#kept.front.isOf(a, b))
      this.#kept = { name, front: cache.make(this.#host.backend.arena, a, b, FRONT_NODES).only(has) };
    return this.#kept.front;
  }
}

function joined(first: PairsCopy, second: PairsCopy): PairsCopy {
  const count = first.count + second.count;
  const a = new Uint32Array(count);
  const b = new Uint32Array(count);
  for (const [to, from, then] of [
    [a, first.a, second.a],
    [b, first.b, second.b],
  ] as const) {
    to.set(from);
    to.set(then, from.length);
  }
  return { count, a, b };
}

// Both are sorted, and no pair is in both.
function merged(first: PairsCopy, second: PairsCopy): PairsCopy {
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
