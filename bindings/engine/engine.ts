// Defines the engine, which owns one memory, the meshes in this memory and one pool of threads, and runs
// queries on the meshes.

import type { CertificateOptions, CertifiedPairs } from '../certificate/certifiedPairs.js';
import type { ContactSegments, ManyContactSegments } from '../contact/contactSegments.js';
import type { ManySegmentOptions, SegmentOptions } from '../contact/segmentFinder.js';
import { copyOptions, rejectExtraArgument } from '../core/checkOptions.js';
import { Capacity, CollisionError, engineDisposed } from '../core/errors.js';
import type { EngineHost, ExtendedQueries } from '../core/module.js';
import type { GpuInfo, Note } from '../core/note.js';
import {
  type AnyQueryManyOptions,
  type AnyQueryOptions,
  MAX_THREADS,
  type PartitionOptions,
  type PlacedPair,
  QUERY,
  QUERY_MANY,
  type QueryManyOptions,
  type QueryOptions,
  readPair,
  readPairs,
  rejectExtendedOptions,
} from '../core/queryOptions.js';
import { type CallCounter, ManyTrianglePairs, type ResultLocation, TrianglePairs } from '../core/results.js';
import type { QueryStats } from '../core/stats.js';
import { summarize } from '../core/summary.js';
import {
  type AsyncMeshOptions,
  createMesh,
  createMeshAsync,
  type DoubleMeshData,
  type Mesh,
  type MeshData,
  type MeshOptions,
} from '../mesh/mesh.js';
import { PairWriter } from '../mesh/pairWriter.js';
import { writePlacedPoints } from '../mesh/placedPoints.js';
import { trianglesIntersectExact } from '../mesh/trianglesIntersectExact.js';
import { type FrontOptions, FrontSystem } from '../narrowphase/front.js';
import type { TraversalMode } from '../narrowphase/frontMaker.js';
import { ResultGatherer } from '../narrowphase/resultGatherer.js';
import { measureHandOff, ThreadCountModel } from '../narrowphase/threadCountModel.js';
import type { ClearanceOptions, ManyClearanceOptions } from '../proximity/clearanceQuery.js';
import type { ManyNearPairs, NearPairs } from '../proximity/nearPairs.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { retry } from '../runtime/retry.js';
import { type AnyModule, addMethods } from './modules.js';
import type { MethodsOf, ModuleName } from './moduleTable.js';

const DEFAULT_PAIR_CAPACITY = 4096;

/** What an engine runs on. */
export interface EngineInfo {
  /**
   * 'wasm': synchronous calls run on the CPU. 'webgpu': queries of `engine.async` run on the GPU, and the
   * synchronous methods for these queries throw an error.
   */
  backend: 'wasm' | 'webgpu';
  /** Number of threads, including the caller's. */
  threads: number;
  /** Whether memory is shared with other threads. */
  memory: 'shared' | 'single';
  /** Maximum size of the engine's memory, in bytes. */
  maximumMemoryBytes: number;
  /**
   * The GPU that asynchronous calls may use. Undefined until the engine has looked for a GPU, or if it uses
   * none.
   */
  gpu?: GpuInfo;
  /** What is unavailable or degraded, and how to fix it. */
  notes: Note[];
}

/**
 * An engine, created by createEngine, with the methods of the chosen modules; by default, of all modules. It
 * owns one memory and a pool of threads. Each mesh belongs to one engine. Queries are synchronous and run one
 * after another, except for the queries of `engine.async`.
 */
export type Engine<Modules extends ModuleName = ModuleName> = CoreEngine & MethodsOf<Modules>;

/**
 * The methods that every engine has, whichever modules were chosen. They create meshes and run queries on
 * meshes.
 */
export class CoreEngine {
  /** What the engine runs on. `notes` may grow later, for example when a thread is lost. */
  readonly info: EngineInfo;
  /** @internal */
  readonly context: EngineContext;
  readonly #clock: CallCounter = { now: 0 };
  readonly #meshes = new WeakSet<Mesh>();
  readonly #pairCapacity: number;
  readonly #initialPairCapacity: number | undefined;
  private front: FrontSystem;
  #gatherer: ResultGatherer;
  private readonly writer: PairWriter;
  readonly #threadModel: ThreadCountModel;
  readonly #made: ReturnType<typeof addMethods>;
  readonly #extendedQueries: ExtendedQueries | undefined;
  readonly #disposers: (() => void)[] = [];
  #isDisposed = false;

  /** pairCapacity: initial capacity of lists of pairs; undefined if the user did not give it. @internal */
  constructor(
    context: EngineContext,
    info: EngineInfo,
    modules: ReadonlyMap<ModuleName, AnyModule>,
    pairCapacity?: number,
  ) {
    this.context = context;
    this.info = info;
    this.#initialPairCapacity = pairCapacity;
    this.#pairCapacity = pairCapacity ?? DEFAULT_PAIR_CAPACITY;
    this.front = this.#makeFront();
    this.#gatherer = new ResultGatherer(context);
    if (info.memory === 'single')
      context.arena.onGrow = () => {
        this.#clock.now++;
      };
    this.writer = new PairWriter(context, this.#meshes);
    this.#threadModel = new ThreadCountModel(measureHandOff(context));
    this.#made = addMethods(this, modules, this.host(modules));
    this.#extendedQueries = this.#made.get('proximity')?.extendedQueries;
  }

  /**
   * Copies a mesh into the engine, checks it and builds its tree. If the positions are doubles, results are
   * exact for the doubles; see `Mesh.hasDoubles`. Source: see `Builder`.
   * @throws InvalidMesh, Unsupported, Disposed, Capacity
   */
  createMesh(data: MeshData | DoubleMeshData, options?: MeshOptions): Mesh {
    this.#beginCall();
    rejectExtraArgument(arguments[2], 'createMesh(data, options)');
    const mesh = createMesh(this.context, data, options);
    this.#meshes.add(mesh);
    return mesh;
  }

  /**
   * Does the same as createMesh, but in steps, so that other work can run between the steps. The call can
   * report its progress, and an AbortSignal can abort it.
   * @throws as createMesh; also the signal's reason if the call is aborted
   */
  async createMeshAsync(data: MeshData | DoubleMeshData, options?: AsyncMeshOptions): Promise<Mesh> {
    this.#beginCall();
    rejectExtraArgument(arguments[2], 'createMeshAsync(data, options)');
    const mesh = await createMeshAsync(this.context, data, options);
    if (this.#isDisposed) mesh.dispose();
    this.#checkOpen();
    this.#meshes.add(mesh);
    return mesh;
  }

  /**
   * Returns whether two placed meshes intersect (share a point). The query stops at the first hit. Source:
   * Zhang and Kim 2014 (p-partition fronts).
   * @throws InvalidTransform, Unsupported, Disposed, Capacity
   */
  query(a: Mesh, b: Mesh, options: QueryOptions & { want: 'any' }): boolean;
  /**
   * Returns all pairs of intersecting triangles of two placed meshes; the result is exact and complete. The
   * query is synchronous. By default, pfront chooses the number of threads that makes the query fastest.
   * Source: Zhang and Kim 2014 (p-partition fronts); Guigue and Devillers 2003 (triangle test); Shewchuk 1997
   * (exact arithmetic).
   * @throws InvalidTransform, Unsupported, Disposed, Capacity
   */
  query(a: Mesh, b: Mesh, options?: QueryOptions & { want?: 'pairs' }): TrianglePairs;
  /**
   * Returns all pairs of intersecting triangles of two placed meshes and, for each pair, its kind and the
   * point, segment or polygon that the triangles share. Needs the module 'proximity'. Source: Guigue and
   * Devillers 2003 (order of the points in which two triangles cross).
   * @throws InvalidTransform, Unsupported, Disposed, Capacity
   */
  query(a: Mesh, b: Mesh, options: SegmentOptions): ContactSegments;
  /**
   * Returns all pairs of intersecting triangles of two placed meshes, and a certificate: a proof that the
   * pairs are complete. The function `verify` of `pfront/verify` checks this proof without the engine. The
   * certificate is made on the calling thread. Needs the module 'proximity'. Source: McConnell, Mehlhorn,
   * Näher and Schweitzer 2011 (certifying algorithms).
   * @throws InvalidTransform, Unsupported, Disposed, Capacity
   */
  query(a: Mesh, b: Mesh, options: CertificateOptions): CertifiedPairs;
  /**
   * Returns whether there is a pair of triangles whose distance is at most a clearance. The query stops at
   * the first such pair. Needs the module 'proximity'. Source: as for the next overload.
   * @throws as the overloads above
   */
  query(a: Mesh, b: Mesh, options: ClearanceOptions & { want: 'any' }): boolean;
  /**
   * Returns all pairs of triangles whose distance is at most a clearance, and these distances. Needs the
   * module 'proximity'. Source: Zhang and Kim 2014 (p-partition fronts).
   * @throws as the overloads above
   */
  query(a: Mesh, b: Mesh, options: ClearanceOptions & { want?: 'pairs' }): NearPairs;
  /**
   * Runs any of the queries above, for a `want` that is known only at run time. TypeScript's message about
   * invalid options refers to the last overload, so this overload accepts the options of all others.
   * @throws as the overloads above
   */
  query(a: Mesh, b: Mesh, options: AnyQueryOptions): TrianglePairs | boolean;
  query(
    a: Mesh,
    b: Mesh,
    given: AnyQueryOptions = {},
    surplus?: unknown,
  ): TrianglePairs | ContactSegments | NearPairs | boolean {
    const options = copyOptions(QUERY, given);
    rejectExtraArgument(surplus, 'query(a, b, options)');
    this.#beginCall();
    const extended = this.#extendedQueries?.query(a, b, options);
    if (extended !== undefined) return extended;
    rejectExtendedOptions(options);
    const { transformA, transformB } = options;
    const place = this.#find(options, [readPair({ a, b, transformA, transformB })]);
    return place
      ? new TrianglePairs(place, this.#clock, this.#summarize)
      : this.context.arena.u32[this.front.hitsAt / 4] === 1;
  }

  /**
   * Returns which of many placed pairs of meshes intersect: a new array with 1 or 0 per pair. Source: Zhang
   * and Kim 2014, eq. 5.
   * @throws as query
   */
  queryMany(options: QueryManyOptions & { want: 'any' }): Uint32Array;
  /**
   * Returns which of n placed pairs intersect, as ceil(n / 32) words of bits: bit i % 32 of word
   * floor(i / 32) is 1 if pair i intersects. With `a`, `b` and `transforms` instead of `pairs`, no memory is
   * needed per placement. Needs the module 'proximity'.
   * @throws as query
   */
  queryMany(options: Omit<QueryManyOptions, 'want'> & { want: 'bitset' }): Uint32Array;
  /**
   * Returns the intersecting triangle pairs of many placed pairs. The work of all pairs is distributed to the
   * threads at once. Source: Zhang and Kim 2014, eq. 5.
   * @throws as query
   */
  queryMany(options: QueryManyOptions & { want?: 'pairs' }): ManyTrianglePairs;
  /**
   * Returns the intersecting triangle pairs of many placed pairs and, for each triangle pair, its kind and
   * the point, segment or polygon that the triangles share. Needs the module 'proximity'. Source: as for
   * `query` with the same option.
   * @throws as query
   */
  queryMany(options: ManySegmentOptions): ManyContactSegments;
  /**
   * Returns, for each of many placed pairs, whether it has two triangles whose distance is at most a
   * clearance: with 'any', 1 or 0 per pair; with 'bitset', one bit per pair. Needs the module 'proximity'.
   * @throws as query
   */
  queryMany(options: ManyClearanceOptions & { want: 'any' | 'bitset' }): Uint32Array;
  /**
   * Returns, for many placed pairs, the triangle pairs whose distance is at most a clearance, and these
   * distances. Needs the module 'proximity'. Source: as for `query` with a clearance.
   * @throws as query
   */
  queryMany(options: ManyClearanceOptions & { want?: 'pairs' }): ManyNearPairs;
  /**
   * Runs any of the queries above, for a `want` that is known only at run time. TypeScript's message about
   * invalid options refers to the last overload, so this overload accepts the options of all others.
   * @throws as the overloads above
   */
  queryMany(options: AnyQueryManyOptions): ManyTrianglePairs | Uint32Array;
  queryMany(
    // biome-ignore lint/suspicious/noExplicitAny: the overloads say what `want` may be.
    given: Omit<QueryManyOptions, 'want'> & { want?: any } = {},
    surplus?: unknown,
  ): ManyTrianglePairs | ManyContactSegments | ManyNearPairs | Uint32Array {
    const options = copyOptions(QUERY_MANY, given);
    rejectExtraArgument(surplus, 'queryMany(options)');
    this.#beginCall();
    const extended = this.#extendedQueries?.queryMany(options);
    if (extended) return extended;
    rejectExtendedOptions(options);
    const pairs = readPairs(options);
    const place = this.#find(options, pairs);
    const hits = this.front.hitsAt / 4;
    return place
      ? new ManyTrianglePairs(place, this.#clock, this.#summarize)
      : this.context.arena.u32.slice(hits, hits + pairs.length);
  }

  // Returns the functions and objects that the engine provides to its modules.
  private host(modules: ReadonlyMap<ModuleName, AnyModule>): EngineHost {
    return {
      context: this.context,
      clock: this.#clock,
      // A list with a capacity of 0 would count pairs, but not store them.
      pairCapacity: Math.max(1, this.#pairCapacity),
      initialPairCapacity: this.#initialPairCapacity,
      checkOpen: () => this.#checkOpen(),
      onDispose: end => {
        this.#disposers.push(end);
      },
      beginCall: () => this.#beginCall(),
      methodsOf: name => this.#made.get(name),
      makeBodySweeper: () => modules.get('continuous')?.makeBodySweeper?.(this.host(modules)),
      owns: mesh => this.#meshes.has(mesh),
      adopt: mesh => {
        this.#meshes.add(mesh);
        return mesh;
      },
      createMesh: (data, options) => this.createMesh(data, options),
      writer: this.writer,
      makeQueryResources: () => ({
        writer: new PairWriter(this.context, this.#meshes),
        gatherer: new ResultGatherer(this.context),
        fronts: this.front.maker.cache,
        writePlacedPoints,
        trianglesIntersectExact,
      }),
      run: (run, write, options, fronts, pairing) => {
        this.#run(run, write, options, undefined, fronts, pairing);
        return this.front;
      },
      join: (pairCount, swapped, order) => this.#join(pairCount, swapped, order),
      countPairs: pairCount => this.#gatherer.count(this.front, pairCount),
      summarize: this.#summarize,
    };
  }

  readonly #summarize = (): QueryStats => {
    const { cost, maxNodeCost } = this.front;
    return summarize(
      this.front,
      this.context,
      this.#threadModel.threadCountFor(cost, maxNodeCost, MAX_THREADS),
    );
  };

  /** Terminates the workers and releases all memory, including that of meshes, scenes and results. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    for (const end of this.#disposers) end();
    this.#clock.now++;
    this.context.arena.close();
    void this.context.pool.dispose();
  }

  /** Does the same as dispose. Called at the end of the scope of a `using` declaration. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  #checkOpen(): void {
    if (this.#isDisposed) throw engineDisposed();
  }

  #beginCall(): void {
    this.#checkOpen();
    this.#clock.now++;
    this.context.pool.chooseThreads();
  }

  // Runs a query. Returns the triangle pairs; or undefined if `want` is 'any', in which case the front has the
  // result of each pair at hitsAt.
  #find(
    options: PartitionOptions & Pick<AnyQueryOptions, 'want' | 'order'>,
    pairs: readonly PlacedPair[],
  ): ResultLocation | undefined {
    const run = options.want === 'any' ? 'runAny' : 'run';
    const { pool } = this.context;
    // The first pair may lack its meshes here: `write`, which runs later, rejects such pairs.
    pool.chooseThreads(run, pairs.length * pairs[0]?.a?.leafCount);
    this.#run(run, front => this.writer.write(front, pairs), options, pairs);
    const place = run === 'run' ? this.#join(pairs.length, this.writer.swapped, options.order) : undefined;
    pool.endCall();
    return place;
  }

  // Runs the front system. write: fills the front's pair records and returns the trees, two per pair. pairs:
  // the placed pairs; if there is exactly one, and `run` is 'run', its measured cost is recorded for its next
  // run. fronts: starting fronts of the pairs, if the caller keeps them.
  #run(
    run: 'run' | 'runAny',
    write: (front: FrontSystem) => readonly Mesh[],
    options: PartitionOptions,
    pairs: readonly PlacedPair[] = [],
    fronts?: FrontOptions['fronts'],
    givenPairing?: TraversalMode,
  ): void {
    const { parts: givenParts, coherence = 'on', stealing = 'on' } = options;
    // By default, all threads are used, or, if `pairs` is a single pair, as many threads as the costs of its
    // last run justify.
    const single = pairs.length === 1 ? pairs[0] : undefined;
    try {
      retry(
        () => {
          const trees = write(this.front);
          const threads = this.context.pool.threadCount === 1 ? 1 : this.info.threads;
          const parts =
            givenParts ??
            (single && threads > 1
              ? this.#threadModel.chooseThreadCount(single.a, single.b, threads)
              : threads);
          const pairing =
            givenPairing ?? this.context.extensions.spheres?.pairingOf(trees, this.front, parts);
          this.front[run](trees, { parts, coherence, stealing, fronts, mode: pairing });
        },
        error => {
          // A CollisionError other than Capacity reports invalid arguments. These are detected before
          // anything is computed, so no cleanup is needed. After a Capacity error, the working memory is
          // released, because it may take up the memory that was missing.
          if (error instanceof Capacity || !(error instanceof CollisionError)) this.resetWorkingMemory();
        },
      );
    } finally {
      this.writer.release();
    }
    if (single && run === 'run') this.#threadModel.record(single.a, single.b, this.front, this.info.threads);
  }

  #join(pairCount: number, swapped: Uint8Array, order: 'sorted' | 'any' = 'sorted'): ResultLocation {
    return retry(
      () => this.#gatherer.gather(this.front, pairCount, swapped, order),
      () => this.resetWorkingMemory(),
    );
  }

  #makeFront(): FrontSystem {
    const { study } = this.context.extensions;
    return study
      ? (study.makeFront(this.context, this.#pairCapacity) as FrontSystem)
      : new FrontSystem(this.context, this.#pairCapacity);
  }

  // Releases all working memory after an error, so that later runs use new memory. For example, a lost worker
  // may still write to the old memory.
  private resetWorkingMemory(): void {
    this.front.dispose();
    this.#gatherer.dispose();
    this.front = this.#makeFront();
    this.#gatherer = new ResultGatherer(this.context);
  }
}
