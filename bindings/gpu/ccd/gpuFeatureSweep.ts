// Sweeps pairs of moving features (24 doubles each) with the help of a GPU. The GPU tests all pairs with
// floats and drops the pairs that are certainly apart. The CPU tests the other pairs. The results are the same,
// byte for byte, as the results of ccd/featureSweep.ts, which uses only the CPU.

import {
  contactTimes,
  type FeatureContacts,
  type FeatureKind,
  type FeatureSweepOptions,
  printedContacts,
  sweepFeatures,
} from '../../ccd/featureSweep.js';
import { checkSweepOptions } from '../../ccd/sweepOptions.js';
import { floatAbove } from '../../core/floats.js';
import { FeatureQueryParams } from '../../records/gpuContinuousLayout.js';
import type { EngineContext } from '../../runtime/engineContext.js';
import { Commands, uniformOf } from '../device/commands.js';
import { type Gpu, ScratchBuffer } from '../device/gpu.js';
import { type Filtered, filterStats } from './filterStats.js';

const QUERY_DOUBLES = 24;
const TIME_DOUBLES = 12;
/**
 * Floats per pair of features: three differences of points at the start of the motion and three at its end,
 * each with three coordinates.
 */
const FLOATS = 18;
/** PAIRS_PER_WORD: the result has one bit per pair. MAX_PAIRS: max number of pairs per dispatch. */
const PAIRS_PER_WORD = 32;
const MAX_PAIRS = 2 ** 16;
/**
 * The pairs of points whose differences the filter uses, by kind. The CPU's filter uses the same differences.
 */
const DIFFERENCES: Readonly<Record<FeatureKind, readonly (readonly [number, number])[]>> = {
  VF: [
    [0, 1],
    [0, 2],
    [0, 3],
  ],
  EE: [
    [1, 2],
    [0, 2],
    [0, 3],
  ],
};
/** Upper bound of the floats that a GPU may flush to 0. */
export const MIN_ERROR = 2 ** -125;
/**
 * Max separation that is passed to the filter. At this separation or a larger one, the filter drops no pair,
 * because it drops only pairs whose differences are at most 2^28.
 */
export const MAX_SEPARATION = 2 ** 33;

export class GpuFeatureSweep {
  readonly #gpu: Gpu;
  readonly #context: EngineContext;
  readonly #differences: ScratchBuffer;
  readonly #kept: ScratchBuffer;

  constructor(gpu: Gpu, context: EngineContext) {
    this.#gpu = gpu;
    this.#context = context;
    this.#differences = new ScratchBuffer(gpu, 'differences');
    this.#kept = new ScratchBuffer(gpu, 'remaining queries');
  }

  /**
   * Gives the same answer as `sweepFeatures` of ccd/featureSweep.ts. @throws Unsupported, Capacity, GpuLost,
   * GpuUnfit
   */
  async sweepFeatures(
    kind: FeatureKind,
    queries: Float64Array,
    options: FeatureSweepOptions = {},
  ): Promise<Filtered<FeatureContacts>> {
    const { left, count, gathered } = await this.#filter(kind, queries, options);
    const found = sweepFeatures(this.#context, kind, gathered, options);
    const contacts = {
      __proto__: printedContacts,
      verdict: new Uint8Array(count),
      toi: new Float64Array(count).fill(1),
      bound: new Float64Array(count),
      moments: new Uint32Array(count),
    } as FeatureContacts;
    left.forEach((query, i) => {
      contacts.verdict[query] = found.verdict[i];
      contacts.toi[query] = found.toi[i];
      contacts.bound[query] = found.bound[i];
      contacts.moments[query] = found.moments[i];
    });
    return { answer: contacts, stats: filterStats(count, left.length) };
  }

  /** Gives the same answer as `contactTimes` of ccd/featureSweep.ts. @throws as above */
  async contactTimes(
    kind: FeatureKind,
    queries: Float64Array,
    options: FeatureSweepOptions = {},
  ): Promise<Filtered<Float64Array>> {
    const { left, count, gathered } = await this.#filter(kind, queries, options);
    const found = contactTimes(this.#context, kind, gathered, options);
    const times = new Float64Array(count).fill(Infinity);
    left.forEach((query, i) => {
      times[query] = found[i];
    });
    return { answer: times, stats: filterStats(count, left.length) };
  }

  /**
   * Returns the indices of the queries whose features may touch, ascending. The other queries are left out,
   * because a test with floats shows that their features stay apart. @throws GpuLost, GpuUnfit
   */
  async filter(kind: FeatureKind, queries: Float64Array, minSeparation = 0): Promise<Uint32Array> {
    const gpu = this.#gpu;
    const count = queries.length / QUERY_DOUBLES;
    const separation = floatAbove(minSeparation);
    if (separation > MAX_SEPARATION) return Uint32Array.from({ length: count }, (_, i) => i);
    await gpu.prepare(['filterFeatureQueries']);
    const chunkSize = Math.min(
      MAX_PAIRS,
      PAIRS_PER_WORD * Math.max(1, Math.floor(gpu.limits.bindingBytes / (4 * FLOATS * PAIRS_PER_WORD))),
    );
    const chunks: Promise<Uint32Array>[] = [];
    for (let first = 0; first < count; first += chunkSize)
      chunks.push(this.#testChunk(kind, queries, first, Math.min(chunkSize, count - first), separation));
    const found = await Promise.all(chunks);
    return Uint32Array.from(
      found.flatMap((words, i) => [...indicesOf(words)].map(place => i * chunkSize + place)),
    );
  }

  dispose(): void {
    for (const buffer of [this.#differences, this.#kept]) buffer.dispose();
  }

  async #filter(
    kind: FeatureKind,
    queries: Float64Array,
    options: FeatureSweepOptions,
  ): Promise<{ left: Uint32Array; count: number; gathered: Float64Array }> {
    checkSweepOptions(options);
    // Copied, so that later changes by the caller have no effect.
    const own = queries.slice();
    const left = await this.filter(kind, own, options.minSeparation);
    const gathered = new Float64Array(QUERY_DOUBLES * left.length);
    left.forEach((query, i) =>
      gathered.set(own.subarray(QUERY_DOUBLES * query, QUERY_DOUBLES * (query + 1)), QUERY_DOUBLES * i),
    );
    return { left, count: own.length / QUERY_DOUBLES, gathered };
  }

  // Tests `count` queries on the GPU. Returns one bit per query: 1 if its features may touch.
  async #testChunk(
    kind: FeatureKind,
    queries: Float64Array,
    first: number,
    count: number,
    separation: number,
  ): Promise<Uint32Array> {
    const words = (Math.ceil(count / this.#gpu.workgroupSize) * this.#gpu.workgroupSize) / PAIRS_PER_WORD;
    const differences = this.#differences.reserve(4 * FLOATS * count);
    const kept = this.#kept.reserve(4 * words);
    const commands = new Commands(this.#gpu);
    commands.upload(differences, 0, differencesOf(kind, queries, first, count));
    const values = {
      count,
      isEdge: Number(kind === 'EE'),
      isSeparated: Number(separation > 0),
      separation,
      pointError: MIN_ERROR,
    };
    commands.run('filterFeatureQueries', uniformOf(FeatureQueryParams, values), { differences, kept }, count);
    commands.read(kept, 0, 4 * Math.ceil(count / PAIRS_PER_WORD));
    return (await commands.submit())[0];
  }
}

// Returns the differences of points, rounded to the same floats as on the CPU. They are stored as a structure
// of arrays: one coordinate of all pairs, then the next coordinate. A pair with a difference of 2^33 or more
// gets zeros, so that the filter keeps it.
function differencesOf(kind: FeatureKind, queries: Float64Array, first: number, count: number): Float32Array {
  const floats = new Float32Array(FLOATS * count);
  const pointPairs = DIFFERENCES[kind];
  for (let i = 0; i < count; i++) {
    const query = QUERY_DOUBLES * (first + i);
    let max = 0;
    let to = i;
    for (const time of [0, TIME_DOUBLES]) {
      for (const [a, b] of pointPairs) {
        for (let axis = query + time, end = axis + 3; axis < end; axis++, to += count) {
          const value = queries[axis + 3 * a] - queries[axis + 3 * b];
          floats[to] = value;
          max = Math.max(max, Math.abs(value));
        }
      }
    }
    if (!(max < MAX_SEPARATION)) for (let at = i; at < floats.length; at += count) floats[at] = 0;
  }
  return floats;
}

function* indicesOf(words: Uint32Array): Generator<number> {
  for (let i = 0; i < words.length; i++) {
    for (let word = words[i]; word !== 0; word &= word - 1)
      yield PAIRS_PER_WORD * i + 31 - Math.clz32(word & -word);
  }
}
