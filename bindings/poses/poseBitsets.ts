// A fast path of queryMany for callers that need only to know which pairs intersect: `want: 'bitset'`, and
// `want: 'any'` for many placements of one mesh against another. It does not keep a record for each pair in
// engine memory.
import { checkAttached, copyIfEngineMemory, isFloatArray } from '../core/checkOptions.js';
import type { EngineHost } from '../core/module.js';
import { type QueryManyOptions, readPairs } from '../core/queryOptions.js';
import { PoseQuery } from './poseQuery.js';
import type { PoseSearch } from './poseSearch.js';

/** Queries with `want: 'any'` take this path if they have at least this many placements. */
const MANY = 64;
/** If the option `pairs` is given, at most this many pairs are queried at a time. */
const PAIRS_AT_A_TIME = 4096;

export interface BitsetOptions extends Omit<QueryManyOptions, 'want'> {
  want?: string;
}

export class PoseBitsets {
  readonly #host: EngineHost;
  readonly #search: PoseSearch;

  constructor(host: EngineHost, search: PoseSearch) {
    this.#host = host;
    this.#search = search;
  }

  /**
   * Runs the query.
   * @returns the hits; undefined if this path does not support the options, so that queryMany must run the
   * query in the ordinary way
   * @throws as queryMany
   */
  run(options: BitsetOptions): Uint32Array | undefined {
    const { want, pairs, parts } = options;
    if (want !== 'bitset' && !(want === 'any' && !pairs && parts === undefined)) return undefined;
    const poseQuery = pairs ? undefined : this.#posesOf(options);
    if (want === 'any')
      return poseQuery && poseQuery.poseCount >= MANY
        ? bitsToWords(this.#search.run(poseQuery).hits, poseQuery.poseCount)
        : undefined;
    return poseQuery ? this.#search.run(poseQuery).hits : this.#inBatches(options);
  }

  // Converts the options to a query of many poses of `b` against `a`. Returns undefined for options that
  // queryMany itself must reject or handle.
  #posesOf({ a, b, transforms }: BitsetOptions): PoseQuery | undefined {
    const { owns } = this.#host;
    if (!a || !b || !owns(a) || !owns(b) || !isFloatArray(transforms) || transforms.length % 16 !== 0)
      return undefined;
    checkAttached('transforms', transforms);
    return new PoseQuery([b, a], 1, copyIfEngineMemory(transforms), undefined, Uint32Array.of(1, 0), 'any');
  }

  #inBatches(options: BitsetOptions): Uint32Array {
    const pairs = readPairs(options as QueryManyOptions);
    const bits = new Uint32Array(Math.ceil(pairs.length / 32));
    for (let begin = 0; begin < pairs.length; begin += PAIRS_AT_A_TIME) {
      this.#search.testPairs(pairs.slice(begin, begin + PAIRS_AT_A_TIME), options).forEach((hit, i) => {
        bits[(begin + i) >>> 5] |= hit << (i & 31);
      });
    }
    return bits;
  }
}

// Converts a bitset to an array with one word, 0 or 1, per bit.
const bitsToWords = (bits: Uint32Array, count: number): Uint32Array =>
  Uint32Array.from({ length: count }, (_, i) => (bits[i >>> 5] >>> (i & 31)) & 1);
