// `engine.async`: its methods with all their overloads. What they do is in asyncQueries.ts, asyncScenes.ts and
// asyncSweeps.ts.
import type { BoxPairsOptions } from '../broadphase/boxPairs.js';
import type { BodyMotion } from '../ccd/bodyMotion.js';
import type { ContinuousOptions } from '../ccd/bodySweeper.js';
import type { FeatureContacts, FeatureSweepOptions } from '../ccd/featureSweep.js';
import type { Coordinates, PlacedSweepOptions, SweepOptions } from '../ccd/sweepOptions.js';
import type { SweptContact, SweptContacts } from '../ccd/sweptContacts.js';
import type { ContactSegmentsCopy } from '../contact/contactSegments.js';
import type { ManySegmentOptions, SegmentOptions } from '../contact/segmentFinder.js';
import { Unsupported } from '../core/errors.js';
import type { EngineHost } from '../core/module.js';
import { isContinuous, type SelfQueryOptions } from '../core/moduleOptions.js';
import type { GpuInfo, Note } from '../core/note.js';
import type {
  AnyQueryManyOptions,
  AnyQueryOptions,
  QueryManyOptions,
  QueryOptions,
} from '../core/options.js';
import { type ProgressOptions, rejectExtraArgument } from '../core/optionTable.js';
import type { ManyPairsCopy } from '../core/results.js';
import type { Mesh } from '../mesh/mesh.js';
import type { ClearanceOptions, ManyClearanceOptions } from '../proximity/clearanceQuery.js';
import type { NearPairsCopy } from '../proximity/nearPairs.js';
import type { Scene } from '../scene/scene.js';
import type { DetectOptions } from '../scene/sceneOptions.js';
import type {
  AsyncContacts,
  AsyncManyPairs,
  AsyncPairs,
  AsyncSweptBodies,
  WithStats,
} from './asyncAnswers.js';
import { AsyncQueries } from './asyncQueries.js';
import { AsyncScenes, type StepStats } from './asyncScenes.js';
import { AsyncSweeps } from './asyncSweeps.js';
import { GpuRunner, type RunnerOptions } from './gpuRunner.js';
import type { SyncMethods } from './syncMethods.js';

/**
 * The engine's methods as promises. They take the arguments of the methods of the same name, and return the same
 * bytes, in memory of their own. The CPU may compute a part of an answer after a wait, in the memory in
 * which results of synchronous calls lie: while a promise is pending, read such results before any await, or
 * keep their `copy()`; read later they throw Stale.
 */
export class AsyncEngine {
  readonly #host: EngineHost;
  #runner!: GpuRunner;
  #queries!: AsyncQueries;
  #scenes!: AsyncScenes;
  #sweeps!: AsyncSweeps;

  /** @internal */
  constructor(host: EngineHost) {
    this.#host = host;
  }

  /** methods: those of the engine, on the CPU. @internal */
  begin(methods: SyncMethods, options: RunnerOptions, info: { gpu?: GpuInfo; notes: Note[] }): void {
    const host = this.#host;
    const runner = new GpuRunner(options, info, async () =>
      (await import('./gpuPart.js')).gpuPart(host, methods),
    );
    this.#runner = runner;
    this.#queries = new AsyncQueries(methods, runner);
    this.#scenes = new AsyncScenes(host, runner);
    this.#sweeps = new AsyncSweeps(host, methods, runner);
  }

  /**
   * Looks for a GPU now and not at the first large question: `engine.info.gpu` tells what was found,
   * `engine.info.notes` why there is none. @throws Unsupported
   */
  ready(): Promise<void> {
    return this.#runner.start();
  }

  /** Whether two placed meshes share a point. @throws as the engine's query */
  query(a: Mesh, b: Mesh, options: QueryOptions & { want: 'any' }): Promise<boolean>;
  /**
   * All pairs of triangles of two placed meshes that share a point. Source: Zhang and Kim, p-partition
   * fronts, 4. @throws as the engine's query; Stale where a mesh changes before the answer
   */
  query(a: Mesh, b: Mesh, options?: QueryOptions & { want?: 'pairs' }): Promise<AsyncPairs>;
  /** The same pairs, the kind of each, and what it shares: the CPU's answer. @throws as above */
  query(a: Mesh, b: Mesh, options: SegmentOptions): Promise<WithStats<ContactSegmentsCopy>>;
  /** Whether any two triangles are no farther apart than a clearance: the CPU's answer. @throws as above */
  query(a: Mesh, b: Mesh, options: ClearanceOptions & { want: 'any' }): Promise<boolean>;
  /**
   * All pairs of triangles that are no farther apart than a clearance, and their distances: the CPU's answer.
   * @throws as above
   */
  query(a: Mesh, b: Mesh, options: ClearanceOptions & { want?: 'pairs' }): Promise<WithStats<NearPairsCopy>>;
  /**
   * The same if `want` is known only at run time. TypeScript explains wrong options by the last overload, so
   * this one takes all of them. @throws as above
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

  /** Which of many placed pairs share a point: 1 or 0 a pair. @throws as query */
  queryMany(options: QueryManyOptions & { want: 'any' }): Promise<Uint32Array>;
  /** The triangle pairs of many placed pairs. Source: Zhang and Kim, eq. 5. @throws as query */
  queryMany(options: QueryManyOptions & { want?: 'pairs' }): Promise<AsyncManyPairs>;
  /** What each shares, too: the CPU's answer. @throws as query */
  queryMany(options: ManySegmentOptions): Promise<WithStats<ContactSegmentsCopy & ManyPairsCopy>>;
  /** In which of them triangles are no farther apart than a clearance: the CPU's answer. @throws as query */
  queryMany(options: ManyClearanceOptions & { want: 'any' | 'bitset' }): Promise<Uint32Array>;
  /** Their near triangle pairs, and distances: the CPU's answer. @throws as query */
  queryMany(
    options: ManyClearanceOptions & { want?: 'pairs' },
  ): Promise<WithStats<NearPairsCopy & ManyPairsCopy>>;
  /**
   * The same if `want` is known only at run time. TypeScript explains wrong options by the last overload, so
   * this one takes all of them. @throws as above
   */
  queryMany(options: AnyQueryManyOptions): Promise<AsyncManyPairs | Uint32Array>;
  async queryMany(options: AnyQueryManyOptions, surplus?: unknown): Promise<AsyncManyPairs | Uint32Array> {
    this.#begin(surplus, 'queryMany(options)');
    return this.#queries.queryMany(options);
  }

  /** Whether two triangles of a mesh share a point but no vertex. @throws as the engine's selfQuery */
  selfQuery(mesh: Mesh, options: SelfQueryOptions & { want: 'any' }): Promise<boolean>;
  /**
   * Pairs (a, b), a < b, of one mesh's triangles that share a point but no vertex. @throws as the engine's
   * selfQuery; Stale where the mesh changes before the answer
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
   * Pairs of boxes that overlap, of one set or of two. With forEachChunk the CPU answers. Source: Avril,
   * Gouranton and Arnaldi, 5. @throws as the engine's boxPairs
   */
  async boxPairs(boxes: Float32Array, options: BoxPairsOptions = {}): Promise<AsyncPairs> {
    this.#begin(arguments[2], 'boxPairs(boxes, options)');
    return this.#queries.boxPairs(boxes, options);
  }

  /**
   * What touches in a scene now: the contacts, and what began, persisted and ended, that the scene's own
   * detect has. Until the answer the scene may be neither changed nor asked. @throws as detect of the scene;
   * Stale where a mesh changes before the answer
   */
  detect(scene: Scene, options?: DetectOptions): Promise<AsyncContacts>;
  /**
   * What touches on the way, as the scene's own detect tells. Of bodies that turn (`motion: 'rigid'`) the CPU
   * tells. @throws as above
   */
  detect(scene: Scene, options: ContinuousOptions): Promise<AsyncSweptBodies>;
  async detect(
    scene: Scene,
    options: DetectOptions | ContinuousOptions = {},
    surplus?: unknown,
  ): Promise<AsyncContacts | AsyncSweptBodies> {
    this.#begin(surplus, 'detect(scene, options)');
    if (!scene?.isOf?.(this.#host.context))
      throw new Unsupported(
        'the scene is missing, or is not of this engine',
        'pass a scene that createScene of the engine that is asked has made',
      );
    return isContinuous(options) ? this.#scenes.sweep(scene, options) : this.#scenes.detect(scene, options);
  }

  /**
   * Contacts of a mesh with itself while its vertices move. Of an exact sweep for all contacts with
   * `onProgress` or a `signal` the CPU tells, in steps.
   * @throws as the engine's sweepVertices, and the reason that the signal was aborted with
   */
  sweepVertices(
    mesh: Mesh,
    from: Coordinates,
    to: Coordinates,
    options: SweepOptions & ProgressOptions & { want: 'all' },
  ): Promise<SweptContacts>;
  /** The first of these contacts, or nothing. @throws as above */
  sweepVertices(
    mesh: Mesh,
    from: Coordinates,
    to: Coordinates,
    options?: SweepOptions & ProgressOptions & { want?: 'first' },
  ): Promise<SweptContact | undefined>;
  async sweepVertices(
    mesh: Mesh,
    from: Coordinates,
    to: Coordinates,
    options: SweepOptions & ProgressOptions = {},
    surplus?: unknown,
  ): Promise<SweptContacts | SweptContact | undefined> {
    this.#begin(surplus, 'sweepVertices(mesh, from, to, options)');
    return this.#sweeps.sweepVertices(mesh, from, to, options);
  }

  /**
   * Contacts of two meshes while they go from one placement to another; of meshes that turn (`motion:
   * 'rigid'`) the CPU tells, and in steps as above. @throws likewise
   */
  sweep(
    a: Mesh,
    b: Mesh,
    options: PlacedSweepOptions & ProgressOptions & { want: 'all' },
  ): Promise<SweptContacts>;
  /** The first of these contacts, or nothing. @throws as above */
  sweep(
    a: Mesh,
    b: Mesh,
    options?: PlacedSweepOptions & ProgressOptions & { want?: 'first' },
  ): Promise<SweptContact | undefined>;
  async sweep(
    a: Mesh,
    b: Mesh,
    options: PlacedSweepOptions & ProgressOptions = {},
    surplus?: unknown,
  ): Promise<SweptContacts | SweptContact | undefined> {
    this.#begin(surplus, 'sweep(a, b, options)');
    return this.#sweeps.sweep(a, b, options);
  }

  /**
   * Whether and when pairs of moving features touch. Exactly, with `onProgress` or a `signal`: on the CPU, in
   * steps. @throws as the engine's sweepFeatures, and the reason that the signal was aborted with
   */
  async sweepFeatures(
    kind: 'VF' | 'EE',
    queries: Float64Array,
    options: FeatureSweepOptions & ProgressOptions = {},
  ): Promise<FeatureContacts> {
    this.#begin(arguments[3], 'sweepFeatures(kind, queries, options)');
    return this.#sweeps.sweepFeatures(kind, queries, options);
  }

  /**
   * When each of these pairs first touches; in steps as above. @throws as the engine's contactTimes, and the
   * reason that the signal was aborted with
   */
  async contactTimes(
    kind: 'VF' | 'EE',
    points: Float64Array,
    options: FeatureSweepOptions & ProgressOptions = {},
  ): Promise<Float64Array> {
    this.#begin(arguments[3], 'contactTimes(kind, points, options)');
    return this.#sweeps.contactTimes(kind, points, options);
  }

  /**
   * Looks for a GPU. @returns whether there is one. @throws Unsupported if there is none and backend is
   * 'webgpu' @internal
   */
  async hasGpu(): Promise<boolean> {
    await this.#runner.start();
    return this.#runner.isLive;
  }

  /**
   * Finds the contacts of bodies in motion, which must not change before the answer. The GPU finds pairs of
   * boxes, and drops pairs of bodies that are apart. @throws as detect @internal
   */
  sweepBodies<Told>(motion: BodyMotion<Told>): Promise<{ answer: Told; stats: StepStats }> {
    return this.#scenes.sweepBodies(motion);
  }

  /** Gives the GPU back. @internal */
  dispose(): void {
    this.#runner?.dispose();
  }

  // surplus: the first argument that the call does not take. @throws Disposed, Unsupported
  #begin(surplus: unknown, takes: string): void {
    this.#host.beginCall();
    rejectExtraArgument(surplus, takes);
  }
}
