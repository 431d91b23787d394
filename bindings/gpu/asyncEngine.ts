// The class of `engine.async`, whose methods return promises and may use a GPU. This file declares the
// overloads; asyncQueries.ts, asyncScenes.ts and asyncSweeps.ts implement the methods.
import type { BoxPairsOptions } from '../broadphase/boxPairs.js';
import type { ContinuousOptions } from '../ccd/bodySweeper.js';
import type { BodySweepRun } from '../ccd/bodySweepRun.js';
import type { FeatureSweepOptions } from '../ccd/featureSweep.js';
import type { PlacedSweepOptions, SweepOptions } from '../ccd/sweepOptions.js';
import type { CertificateOptions, CertifiedPairsCopy } from '../certificate/certifiedPairs.js';
import type { ContactSegmentsCopy } from '../contact/contactSegments.js';
import type { ManySegmentOptions, SegmentOptions } from '../contact/segmentFinder.js';
import { type Coordinates, type ProgressOptions, rejectExtraArgument } from '../core/checkOptions.js';
import { Unsupported } from '../core/errors.js';
import type { EngineHost } from '../core/module.js';
import { isContinuous, type SelfQueryOptions } from '../core/moduleOptions.js';
import type { GpuInfo, Note } from '../core/note.js';
import type {
  AnyQueryManyOptions,
  AnyQueryOptions,
  QueryManyOptions,
  QueryOptions,
} from '../core/queryOptions.js';
import type { ManyPairsCopy } from '../core/results.js';
import type { Mesh } from '../mesh/mesh.js';
import type { ClearanceOptions, ManyClearanceOptions } from '../proximity/clearanceQuery.js';
import type { NearPairsCopy } from '../proximity/nearPairs.js';
import type { Scene } from '../scene/scene.js';
import type { ContactsWithPoints, DetectOptions } from '../scene/sceneOptions.js';
import { AsyncQueries } from './asyncQueries.js';
import type {
  AsyncContacts,
  AsyncContactTimes,
  AsyncFeatureContacts,
  AsyncManyPairs,
  AsyncPairs,
  AsyncSweptBodies,
  AsyncSweptContact,
  AsyncSweptContacts,
  WithStats,
} from './asyncResults.js';
import { AsyncRunner, type RunnerOptions } from './asyncRunner.js';
import { AsyncScenes, type StepStats } from './asyncScenes.js';
import { AsyncSweeps } from './asyncSweeps.js';
import type { SyncMethods } from './syncMethods.js';

/**
 * Asynchronous versions of the engine's methods and of `scene.detect`. Each takes the same arguments as the
 * synchronous method (`detect` also takes the scene), and returns a promise of the same results in new arrays.
 * After a call, the results of earlier synchronous calls, which are in engine memory, are stale. Until the
 * promise settles, work on the CPU may also overwrite the results of later synchronous calls. So read the
 * results of a synchronous call before the next call and before any await, or keep their `copy()`. Later reads
 * throw Stale.
 */
export class AsyncEngine {
  readonly #host: EngineHost;
  #runner!: AsyncRunner;
  #queries!: AsyncQueries;
  #scenes!: AsyncScenes;
  #sweeps!: AsyncSweeps;

  /** @internal */
  constructor(host: EngineHost) {
    this.#host = host;
  }

  /** Sets up the queries. methods: the engine's synchronous methods, which run on the CPU. @internal */
  setUp(methods: SyncMethods, options: RunnerOptions, info: { gpu?: GpuInfo; notes: Note[] }): void {
    const host = this.#host;
    const runner = new AsyncRunner(options, info, async () =>
      (await import('./makeGpuSupport.js')).makeGpuSupport(host, methods),
    );
    this.#runner = runner;
    this.#queries = new AsyncQueries(methods, runner);
    this.#scenes = new AsyncScenes(host, runner);
    this.#sweeps = new AsyncSweeps(host, methods, runner);
  }

  /**
   * Looks for a GPU now instead of at the first large query. Afterwards `engine.info.gpu` describes the GPU,
   * or `engine.info.notes` says why there is none. With backend 'wasm', does nothing.
   * @throws Unsupported if backend is 'webgpu' and there is no GPU; Disposed
   */
  async ready(): Promise<void> {
    // Unlike `#begin`, this leaves results in engine memory valid.
    this.#host.checkOpen();
    rejectExtraArgument(arguments[0], 'ready()');
    return this.#runner.start();
  }

  /**
   * Returns whether two placed meshes intersect.
   * @throws as the engine's query; Stale if a mesh changes before the answer
   */
  query(a: Mesh, b: Mesh, options: QueryOptions & { want: 'any' }): Promise<boolean>;
  /**
   * Finds all intersecting pairs of triangles of two placed meshes. Source: Zhang and Kim 2014, section 4
   * (p-partition fronts on a GPU).
   * @throws as the engine's query; Stale if a mesh changes before the answer
   */
  query(a: Mesh, b: Mesh, options?: QueryOptions & { want?: 'pairs' }): Promise<AsyncPairs>;
  /**
   * Finds all intersecting pairs of triangles, with the kind of contact and the shared points of each pair.
   * Only the CPU computes this.
   * @throws as above
   */
  query(a: Mesh, b: Mesh, options: SegmentOptions): Promise<WithStats<ContactSegmentsCopy>>;
  /**
   * Finds all intersecting pairs of triangles, with a certificate. Only the CPU computes this.
   * @throws as above
   */
  query(a: Mesh, b: Mesh, options: CertificateOptions): Promise<WithStats<CertifiedPairsCopy>>;
  /**
   * Returns whether any two triangles are within a clearance of each other. Only the CPU computes this.
   * @throws as above
   */
  query(a: Mesh, b: Mesh, options: ClearanceOptions & { want: 'any' }): Promise<boolean>;
  /**
   * Finds all pairs of triangles within a clearance of each other, with their distances. Only the CPU
   * computes this.
   * @throws as above
   */
  query(a: Mesh, b: Mesh, options: ClearanceOptions & { want?: 'pairs' }): Promise<WithStats<NearPairsCopy>>;
  /**
   * Runs any of the queries above, for a `want` that is known only at run time. This overload is the last one
   * and accepts all options, because TypeScript's message about wrong options refers to the last overload.
   * @throws as above
   */
  query(a: Mesh, b: Mesh, options: AnyQueryOptions): Promise<AsyncPairs | boolean>;
  async query(
    a: Mesh,
    b: Mesh,
    options: AnyQueryOptions = {},
    surplus?: unknown,
  ): Promise<AsyncPairs | boolean> {
    this.#begin(surplus, 'query(a, b, options)');
    return this.#queries.query(a, b, options);
  }

  /**
   * Returns which of many placed pairs of meshes intersect: 1 or 0 per pair.
   * @throws as query
   */
  queryMany(options: QueryManyOptions & { want: 'any' }): Promise<Uint32Array>;
  /**
   * Finds the intersecting triangle pairs of many placed pairs of meshes. Source: Zhang and Kim 2014, eq. 5.
   * @throws as query
   */
  queryMany(options: QueryManyOptions & { want?: 'pairs' }): Promise<AsyncManyPairs>;
  /**
   * Finds the intersecting triangle pairs of many placed pairs of meshes, with the kind of contact and the
   * shared points of each triangle pair. Only the CPU computes this.
   * @throws as query
   */
  queryMany(options: ManySegmentOptions): Promise<WithStats<ContactSegmentsCopy & ManyPairsCopy>>;
  /**
   * Returns which of many placed pairs of meshes have triangles within a clearance of each other: with 'any',
   * 1 or 0 per pair; with 'bitset', one bit per pair. Only the CPU computes this.
   * @throws as query
   */
  queryMany(options: ManyClearanceOptions & { want: 'any' | 'bitset' }): Promise<Uint32Array>;
  /**
   * Finds, for many placed pairs of meshes, the triangle pairs within a clearance, with their distances. Only
   * the CPU computes this.
   * @throws as query
   */
  queryMany(
    options: ManyClearanceOptions & { want?: 'pairs' },
  ): Promise<WithStats<NearPairsCopy & ManyPairsCopy>>;
  /**
   * Runs any of the queries above, for a `want` that is known only at run time. This overload is the last one
   * and accepts all options, because TypeScript's message about wrong options refers to the last overload.
   * @throws as above
   */
  queryMany(options: AnyQueryManyOptions): Promise<AsyncManyPairs | Uint32Array>;
  async queryMany(options: AnyQueryManyOptions, surplus?: unknown): Promise<AsyncManyPairs | Uint32Array> {
    this.#begin(surplus, 'queryMany(options)');
    return this.#queries.queryMany(options);
  }

  /**
   * Returns whether two triangles of a mesh share a point but no vertex.
   * @throws as the engine's selfQuery; Stale if the mesh changes before the answer
   */
  selfQuery(mesh: Mesh, options: SelfQueryOptions & { want: 'any' }): Promise<boolean>;
  /**
   * Finds the pairs (a, b) of triangles of one mesh, with a < b, that share a point but no vertex.
   * @throws as the engine's selfQuery; Stale if the mesh changes before the answer
   */
  selfQuery(mesh: Mesh, options?: SelfQueryOptions & { want?: 'pairs' }): Promise<AsyncPairs>;
  async selfQuery(
    mesh: Mesh,
    options: SelfQueryOptions = {},
    surplus?: unknown,
  ): Promise<AsyncPairs | boolean> {
    this.#begin(surplus, 'selfQuery(mesh, options)');
    return this.#queries.selfQuery(mesh, options);
  }

  /**
   * Finds the pairs of overlapping boxes within one set or between two sets. Calls with forEachChunk run on
   * the CPU. Source: Avril, Gouranton and Arnaldi 2014, section 5.
   * @throws as the engine's boxPairs
   */
  async boxPairs(boxes: Float32Array, options: BoxPairsOptions = {}): Promise<AsyncPairs> {
    this.#begin(arguments[2], 'boxPairs(boxes, options)');
    return this.#queries.boxPairs(boxes, options);
  }

  /**
   * Finds the current contacts of a scene with their contact points, and which contacts began, persisted and
   * ended. The results equal the results of `scene.detect`. Until the promise settles, the scene must not be
   * changed or queried.
   * @throws as `scene.detect`; Stale if a mesh changes before the answer
   */
  detect(
    scene: Scene,
    options: DetectOptions & { narrow: 'contacts' },
  ): Promise<AsyncContacts & Pick<ContactsWithPoints, 'manifolds'>>;
  /** Finds the current contacts of a scene, without contact points. @throws as above */
  detect(scene: Scene, options?: DetectOptions): Promise<AsyncContacts>;
  /**
   * Finds the contacts of a scene's bodies during their motion. The results equal the results of `scene.detect`
   * with these options. The CPU finds the contacts. The GPU may find the pairs of bodies whose boxes overlap
   * and, unless `motion` is 'rigid' (rotating bodies), drop the pairs that stay apart. Source: Du, Liu and
   * Suzumura 2017, section 3.
   * @throws as above
   */
  detect(scene: Scene, options: ContinuousOptions): Promise<AsyncSweptBodies>;
  async detect(
    scene: Scene,
    options: DetectOptions | ContinuousOptions = {},
    surplus?: unknown,
  ): Promise<AsyncContacts | AsyncSweptBodies> {
    this.#begin(surplus, 'detect(scene, options)');
    if (!scene?.belongsTo?.(this.#host.context))
      throw new Unsupported(
        'the scene is missing, or belongs to another engine',
        'pass a scene that createScene of the same engine made',
      );
    return isContinuous(options) ? this.#scenes.sweep(scene, options) : this.#scenes.detect(scene, options);
  }

  /**
   * Finds the contacts of a mesh with itself while its vertices move, like the engine's sweepVertices. If
   * `onProgress` or `signal` is passed, an exact sweep for all contacts (`exact: true` and `want: 'all'`)
   * runs on the CPU, in steps. Any other sweep runs in one step, and `signal` is checked only before and
   * after it.
   * @throws as the engine's sweepVertices; Stale if a sweep runs in one step and the mesh changes before the
   * answer; the signal's reason if the signal is aborted
   */
  sweepVertices(
    mesh: Mesh,
    from: Coordinates,
    to: Coordinates,
    options: SweepOptions & ProgressOptions & { want: 'all' },
  ): Promise<AsyncSweptContacts>;
  /** Finds only the earliest of these contacts; returns undefined if there is none. @throws as above */
  sweepVertices(
    mesh: Mesh,
    from: Coordinates,
    to: Coordinates,
    options?: SweepOptions & ProgressOptions & { want?: 'first' },
  ): Promise<AsyncSweptContact | undefined>;
  async sweepVertices(
    mesh: Mesh,
    from: Coordinates,
    to: Coordinates,
    options: SweepOptions & ProgressOptions = {},
    surplus?: unknown,
  ): Promise<AsyncSweptContacts | AsyncSweptContact | undefined> {
    this.#begin(surplus, 'sweepVertices(mesh, from, to, options)');
    return this.#sweeps.sweepVertices(mesh, from, to, options);
  }

  /**
   * Finds the contacts of two meshes while they move from one placement to another, like the engine's sweep.
   * The sweep runs on the CPU if the meshes rotate (`motion: 'rigid'`) or if only the first contact is
   * requested. If `onProgress` or `signal` is passed, an exact sweep for all contacts (`exact: true` and
   * `want: 'all'`) runs on the CPU, in steps. Any other sweep runs in one step, and `signal` is checked only
   * before and after it.
   * @throws as the engine's sweep; Stale if a mesh changes before the answer or, if the sweep runs in steps,
   * before the sweep begins; the signal's reason if the signal is aborted
   */
  sweep(
    a: Mesh,
    b: Mesh,
    options: PlacedSweepOptions & ProgressOptions & { want: 'all' },
  ): Promise<AsyncSweptContacts>;
  /** Finds only the earliest of these contacts; returns undefined if there is none. @throws as above */
  sweep(
    a: Mesh,
    b: Mesh,
    options?: PlacedSweepOptions & ProgressOptions & { want?: 'first' },
  ): Promise<AsyncSweptContact | undefined>;
  async sweep(
    a: Mesh,
    b: Mesh,
    options: PlacedSweepOptions & ProgressOptions = {},
    surplus?: unknown,
  ): Promise<AsyncSweptContacts | AsyncSweptContact | undefined> {
    this.#begin(surplus, 'sweep(a, b, options)');
    return this.#sweeps.sweep(a, b, options);
  }

  /**
   * Returns whether and when pairs of moving features touch, like the engine's sweepFeatures. If `onProgress`
   * or `signal` is passed, a sweep with `exact: true` runs on the CPU, in steps. Any other sweep runs in one
   * step, and `signal` is checked only before and after it.
   * @throws as the engine's sweepFeatures; the signal's reason if the signal is aborted
   */
  async sweepFeatures(
    kind: 'VF' | 'EE',
    queries: Float64Array,
    options: FeatureSweepOptions & ProgressOptions = {},
  ): Promise<AsyncFeatureContacts> {
    this.#begin(arguments[3], 'sweepFeatures(kind, queries, options)');
    return this.#sweeps.sweepFeatures(kind, queries, options);
  }

  /**
   * Returns the time at which each pair of moving features first touches, like the engine's contactTimes. If
   * `onProgress` or `signal` is passed, the computation runs on the CPU, in steps.
   * @throws as the engine's contactTimes; the signal's reason if the signal is aborted
   */
  async contactTimes(
    kind: 'VF' | 'EE',
    points: Float64Array,
    options: FeatureSweepOptions & ProgressOptions = {},
  ): Promise<AsyncContactTimes> {
    this.#begin(arguments[3], 'contactTimes(kind, points, options)');
    return this.#sweeps.contactTimes(kind, points, options);
  }

  /**
   * Returns whether a GPU is in use; looks for one first, unless backend is 'wasm'. @throws Unsupported if
   * there is none and backend is 'webgpu' @internal
   */
  async hasGpu(): Promise<boolean> {
    await this.#runner.start();
    return this.#runner.hasGpu;
  }

  /**
   * Finds the contacts of bodies in motion. The bodies must not change until the promise settles. The GPU may
   * find the pairs of bodies with overlapping boxes, and may drop the pairs that stay apart. @throws as
   * detect @internal
   */
  sweepBodies<Found>(motion: BodySweepRun<Found>): Promise<{ answer: Found; stats: StepStats }> {
    return this.#scenes.sweepBodies(motion);
  }

  /** Releases the GPU. @internal */
  dispose(): void {
    this.#runner?.dispose();
  }

  // Begins a call, and rejects a surplus argument. takes: the signature of the method, for the error.
  // @throws Disposed, Unsupported
  #begin(surplus: unknown, takes: string): void {
    this.#host.beginCall();
    rejectExtraArgument(surplus, takes);
  }
}
