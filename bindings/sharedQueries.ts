// Many placed pairs -> their triangle pairs from the GPU and the CPU at once: each has a part of the pairs, by how quick both were the last time.
// Zhang and Kim's future work: CPU and GPU on one front.
import type { GpuQueries, GpuQueryAnswer, GpuQueryOptions } from './gpuQueries.js';
import type { PlacedPair } from './options.js';
import type { ManyPairsCopy, ManyTrianglePairs } from './results.js';
import type { SyncVerbs } from './syncVerbs.js';

/** Fewer pairs are not worth to be shared. */
const FEW_PAIRS = 64;
/** Milliseconds within which both are said to have ended together. */
const TOGETHER = 0.5;
/** How much of a step towards what would have been even is taken. */
const STEP = 0.5;
const LEAST_SHARE = 0.1, GREATEST_SHARE = 0.9;

/** The GPU's part of the pairs. */
export interface SharedAnswer extends GpuQueryAnswer { share: number }

export class SharedQueries {
  /** The part of the pairs that the GPU has. */
  share = 0.5;
  private readonly queries: GpuQueries;
  private readonly verbs: SyncVerbs;

  constructor(queries: GpuQueries, verbs: SyncVerbs) {
    this.queries = queries;
    this.verbs = verbs;
  }

  /** @throws as GpuQueries.ask */
  async ask(pairs: readonly PlacedPair[], options: GpuQueryOptions): Promise<SharedAnswer> {
    if (pairs.length < FEW_PAIRS) return { ...await this.queries.ask(pairs, options), share: 1 };
    const { share } = this, startedAt = performance.now(), gpuCount = Math.round(share * pairs.length);
    const asked = this.queries.ask(pairs.slice(0, gpuCount), options);
    asked.catch(() => {});
    // Its steps are sent before this thread is busy.
    await new Promise((resolve) => { setTimeout(resolve, 0); });
    let rest: ManyPairsCopy;
    try {
      rest = (this.verbs.queryMany({ pairs: pairs.slice(gpuCount), order: options.order }) as ManyTrianglePairs).copy();
    } catch (error) {
      // The next question finds the GPU idle.
      await asked.catch(() => {});
      throw error;
    }
    const cpuMilliseconds = performance.now() - startedAt, { stats, ...first } = await asked;
    this.note(cpuMilliseconds, performance.now() - startedAt);
    return { ...joined(first, rest), stats, share };
  }

  // Of a GPU that was ready first it is not known when it was.
  private note(cpu: number, gpu: number): void {
    const { share } = this, even = gpu - cpu < TOGETHER ? share + 0.1 : (share / gpu) / (share / gpu + (1 - share) / cpu);
    this.share = Math.min(GREATEST_SHARE, Math.max(LEAST_SHARE, share + STEP * (even - share)));
  }
}

function joined(first: ManyPairsCopy, second: ManyPairsCopy): ManyPairsCopy {
  const count = first.count + second.count, a = new Uint32Array(count), b = new Uint32Array(count), pairsAt = new Uint32Array(first.pairsAt.length + second.pairsAt.length - 1);
  a.set(first.a);
  a.set(second.a, first.count);
  b.set(first.b);
  b.set(second.b, first.count);
  pairsAt.set(first.pairsAt);
  pairsAt.set(second.pairsAt.map((at) => at + first.count), first.pairsAt.length - 1);
  return { count, a, b, pairsAt };
}
