// Implements `query`, `queryMany`, `selfQuery` and `boxPairs` of `engine.async`: copies the arguments, and
// runs the query on the GPU or the CPU.
import type { BoxPairsOptions } from '../broadphase/boxPairs.js';
import { copyOptions } from '../core/checkOptions.js';
import { BOX_PAIRS, SELF_QUERY, type SelfQueryOptions } from '../core/moduleOptions.js';
import {
  type AnyQueryManyOptions,
  type AnyQueryOptions,
  type OverlapOptions,
  overlapOptionOf,
  QUERY,
  QUERY_MANY,
  type QueryManyOptions,
  type QueryOptions,
  readPair,
  readPairs,
} from '../core/queryOptions.js';
import { sizeOf, triangleCountOf } from '../core/querySizes.js';
import {
  copyPrototype,
  type ManyPairsCopy,
  type ManyTrianglePairs,
  type PairsCopy,
  type TrianglePairs,
} from '../core/results.js';
import type { Mesh } from '../mesh/mesh.js';
import type { PlacedMeshes } from '../mesh/pairWriter.js';
import type { AsyncManyPairs, AsyncPairs } from './asyncResults.js';
import type { AsyncAnswer, AsyncRunner } from './asyncRunner.js';
import { copyList, copyPair, copyWithLists } from './copyArguments.js';
import { MeshWatch } from './meshWatch.js';
import type { SyncMethods } from './syncMethods.js';

export class AsyncQueries {
  readonly #methods: SyncMethods;
  readonly #runner: AsyncRunner;

  constructor(methods: SyncMethods, runner: AsyncRunner) {
    this.#methods = methods;
    this.#runner = runner;
  }

  async query(a: Mesh, b: Mesh, given: AnyQueryOptions): Promise<AsyncPairs | boolean> {
    const options = copyWithLists(QUERY, given) as QueryOptions;
    const onCpu = (): TrianglePairs | boolean => this.#methods.query(a, b, options);
    if (isForCpuOnly(options)) return runOnCpuOnly(onCpu) as AsyncPairs | boolean;
    const { transformA, transformB } = options;
    return this.#queryPair(readPair({ a, b, transformA, transformB }), options, onCpu);
  }

  async queryMany(given: AnyQueryManyOptions): Promise<AsyncManyPairs | Uint32Array> {
    const options = copyOptions(QUERY_MANY, given) as QueryManyOptions;
    if (isForCpuOnly(options))
      return runOnCpuOnly(() => this.#methods.queryMany(options)) as AsyncManyPairs | Uint32Array;
    const pairs = readPairs(options).map(copyPair);
    const { a, b, transforms, ...rest } = options;
    const onCpu = (): ManyTrianglePairs | Uint32Array => this.#methods.queryMany({ ...rest, pairs });
    if (options.want === 'any')
      return (await this.#queryPairs(pairs, options, () => onCpu() as Uint32Array, hitsOfPairs)).answer;
    const { answer, stats } = await this.#queryPairs(
      pairs,
      options,
      () => (onCpu() as ManyTrianglePairs).copy(),
      found => found,
    );
    return { __proto__: copyPrototype, ...answer, stats } as AsyncManyPairs;
  }

  async selfQuery(mesh: Mesh, given: SelfQueryOptions): Promise<AsyncPairs | boolean> {
    const options = copyWithLists(SELF_QUERY, given);
    const rest = { ...options, neighbors: options.neighbors ?? 'index' };
    return this.#queryPair({ a: mesh, b: mesh }, rest, () => this.#methods.selfQuery(mesh, options));
  }

  async boxPairs(givenBoxes: Float32Array, givenOptions: BoxPairsOptions): Promise<AsyncPairs> {
    const boxes = copyList(givenBoxes);
    const options = copyWithLists(BOX_PAIRS, givenOptions);
    const {
      answer: { count, a, b },
      stats,
    } = await this.#runner.run({
      kind: 'boxPairs',
      size: (sizeOf(boxes) + sizeOf(options.against)) / 6,
      onCpu: (): PairsCopy => this.#methods.boxPairs(boxes, options).copy(),
      onGpu: async systems => {
        const found = await systems.boxPairs(boxes, options, 'refused');
        return { answer: () => found.answer, stats: found.stats };
      },
    });
    return { __proto__: copyPrototype, count, a, b, stats } as AsyncPairs;
  }

  async #queryPair(
    pair: PlacedMeshes,
    options: SelfQueryOptions,
    onCpu: () => TrianglePairs | boolean,
  ): Promise<AsyncPairs | boolean> {
    if (options.want === 'any')
      return (
        await this.#queryPairs(
          [pair],
          options,
          () => onCpu() as boolean,
          found => found.count > 0,
        )
      ).answer;
    const {
      answer: { count, a, b },
      stats,
    } = await this.#queryPairs(
      [pair],
      options,
      () => (onCpu() as TrianglePairs).copy(),
      (found): PairsCopy => found,
    );
    return { __proto__: copyPrototype, count, a, b, stats } as AsyncPairs;
  }

  // read: converts the pairs that the GPU found into the answer.
  #queryPairs<Answer>(
    pairs: readonly PlacedMeshes[],
    { order, coherence, neighbors, want }: SelfQueryOptions,
    onCpu: () => Answer,
    read: (found: ManyPairsCopy) => Answer,
  ): Promise<AsyncAnswer<Answer>> {
    const runner = this.#runner;
    const watch = new MeshWatch(pairs.flatMap(pair => [pair?.a, pair?.b]));
    return runner.run({
      kind: neighbors ? 'selfQuery' : 'query',
      size: pairs.reduce((sum, pair) => sum + triangleCountOf(pair), 0),
      watch,
      onCpu,
      onGpu: async ({ queries, split }) => {
        // Self-queries are not split between the GPU and the CPU. With backend 'webgpu', no query is split.
        const { stats, ...found } = await (runner.isGpuOnly || neighbors ? queries : split).query(
          pairs,
          { order, coherence, neighbors, want },
          watch,
        );
        return {
          answer: () => read(found),
          stats: 'share' in found ? { ...stats, share: found.share } : stats,
        };
      },
    });
  }
}

/**
 * Returns whether only the CPU can answer a query, because the query wants segments, a bitset or a
 * certificate, or has a clearance. Queries with options that require segments also go to the CPU,
 * which rejects these options unless `want` is 'segments'.
 */
const isForCpuOnly = (
  options: Omit<AnyQueryManyOptions, 'pairs'> & Pick<AnyQueryOptions, 'certificate' | keyof OverlapOptions>,
): boolean =>
  options.clearance !== undefined ||
  options.want === 'segments' ||
  options.want === 'bitset' ||
  options.certificate === true ||
  options.normals === true ||
  overlapOptionOf(options) !== undefined;

/**
 * Runs a query on the CPU. Returns a copy of the pairs outside of engine memory, with statistics. Returns a
 * boolean or a Uint32Array as it is, without statistics.
 */
function runOnCpuOnly(run: () => TrianglePairs | boolean | Uint32Array): object | boolean {
  const startedAt = performance.now();
  const answer = run();
  if (typeof answer === 'boolean' || !('copy' in answer)) return answer;
  return {
    __proto__: copyPrototype,
    ...answer.copy(),
    stats: {
      backend: 'wasm',
      reason: 'clearances, segments and certificates are computed on the CPU only',
      milliseconds: performance.now() - startedAt,
    },
  } as object;
}

/** Returns 1 for each pair of meshes for which a triangle pair was found, and 0 for all other pairs. */
const hitsOfPairs = ({ pairsAt }: ManyPairsCopy): Uint32Array =>
  Uint32Array.from({ length: pairsAt.length - 1 }, (_, i) => (pairsAt[i + 1] > pairsAt[i] ? 1 : 0));
