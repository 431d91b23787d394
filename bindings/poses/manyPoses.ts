// queryMany with `want: 'bitset'`, and many placements of one mesh against another -> a bit, or a word, a
// pair, without a record for each.
import type { EngineHost } from '../core/module.js';
import { type QueryManyOptions, readPairs } from '../core/options.js';
import { checkAttached } from '../core/optionTable.js';
import type { Transforms } from '../core/transform.js';
import { PoseQuestion } from './poseQuestion.js';
import type { PoseSearch } from './poseSearch.js';

/** From so many placements on, 'any' need not write a record a pair. */
const MANY = 64;
/** Pairs of `pairs` that are asked at a time. */
const PAIRS_AT_A_TIME = 4096;

export interface BitsetOptions extends Omit<QueryManyOptions, 'want'> {
  want?: string;
}

const isTyped = (value: unknown): value is Transforms =>
  value instanceof Float32Array || value instanceof Float64Array;

export class ManyPoses {
  readonly #host: EngineHost;
  readonly #search: PoseSearch;

  constructor(host: EngineHost, search: PoseSearch) {
    this.#host = host;
    this.#search = search;
  }

  /** @returns nothing where queryMany alone is to answer. @throws as queryMany */
  ask(options: BitsetOptions): Uint32Array | undefined {
    const { want, pairs, parts } = options;
    if (want !== 'bitset' && !(want === 'any' && !pairs && parts === undefined)) return undefined;
    const asked = pairs ? undefined : this.#posesOf(options);
    if (want === 'any')
      return asked && asked.poseCount >= MANY
        ? spread(this.#search.ask(asked).hits, asked.poseCount)
        : undefined;
    return asked ? this.#search.ask(asked).hits : this.#inParts(options);
  }

  // What cannot be asked so is refused by those who answer it otherwise.
  #posesOf({ a, b, transforms }: BitsetOptions): PoseQuestion | undefined {
    const { owns } = this.#host;
    if (!a || !b || !owns(a) || !owns(b) || !isTyped(transforms) || transforms.length % 16 !== 0)
      return undefined;
    checkAttached('transforms', transforms);
    return new PoseQuestion([b, a], 1, transforms, undefined, Uint32Array.of(1, 0), 'any');
  }

  #inParts(options: BitsetOptions): Uint32Array {
    const pairs = readPairs(options as QueryManyOptions);
    const bits = new Uint32Array(Math.ceil(pairs.length / 32));
    for (let begin = 0; begin < pairs.length; begin += PAIRS_AT_A_TIME) {
      this.#search.meets(pairs.slice(begin, begin + PAIRS_AT_A_TIME), options).forEach((hit, i) => {
        bits[(begin + i) >>> 5] |= hit << (i & 31);
      });
    }
    return bits;
  }
}

// A word a pair.
const spread = (bits: Uint32Array, count: number): Uint32Array =>
  Uint32Array.from({ length: count }, (_, i) => (bits[i >>> 5] >>> (i & 31)) & 1);
