// The engine's verbs as promises -> answers in memory of their own, from the GPU where that is quicker; the
// same bytes.

import type { BoxPairsOptions } from '../broadphase/boxPairs.js';
import type { BodyMotion } from '../ccd/bodyMotion.js';
import type { ContinuousOptions } from '../ccd/bodySweeper.js';
import type { ContinuousVerbs } from '../ccd/continuous.js';
import type { FeatureContacts, FeatureSweepOptions } from '../ccd/featureSweep.js';
import type { Coordinates, PlacedSweepOptions, SweepOptions } from '../ccd/sweepOptions.js';
import type { SweptContact, SweptContacts } from '../ccd/sweptContacts.js';
import type { ContactSegmentsCopy } from '../contact/contactSegments.js';
import type { ManySegmentOptions, SegmentOptions } from '../contact/segmentFinder.js';
import { Unsupported } from '../core/errors.js';
import type { EngineHost } from '../core/module.js';
import { BOX_PAIRS, isContinuous, SELF_QUERY, type SelfQueryOptions } from '../core/moduleOptions.js';
import type { GpuInfo, Note } from '../core/note.js';
import {
  type AnyQueryManyOptions,
  type AnyQueryOptions,
  QUERY,
  QUERY_MANY,
  type QueryManyOptions,
  type QueryOptions,
  readPair,
  readPairs,
} from '../core/options.js';
import { checkSurplus, copyOptions, type ProgressOptions } from '../core/optionTable.js';
import { FEWEST, sizeOf, triangles } from '../core/questionSizes.js';
import {
  copied,
  type ManyPairsCopy,
  type ManyTrianglePairs,
  type PairsCopy,
  type TrianglePairs,
} from '../core/results.js';
import type { Mesh } from '../mesh/mesh.js';
import type { PlacedMeshes } from '../mesh/pairWriter.js';
import type { ClearanceOptions, ManyClearanceOptions } from '../proximity/clearance.js';
import type { NearPairsCopy } from '../proximity/nearPairs.js';
import type { Detection } from '../scene/detection.js';
import type { FoundNear } from '../scene/nearBodies.js';
import type { Scene } from '../scene/scene.js';
import type { DetectOptions } from '../scene/sceneOptions.js';
import { keepOptions, keepPair, kept, watch } from './asked.js';
import {
  type AsyncContacts,
  type AsyncManyPairs,
  type AsyncPairs,
  type AsyncSweptBodies,
  type NearSearch,
  NOTHING_ASKED,
  type WithStats,
} from './asyncAnswers.js';
import {
  ASYNC_FEATURE_SWEEP,
  ASYNC_PLACED_SWEEP,
  ASYNC_SWEEP,
  inOneStep,
  loadSteps,
  takeProgress,
} from './asyncSweeps.js';
import { finish, haveAny, isForCpuAlone, onCpuAlone } from './cpuAnswers.js';
import { type AsyncStats, GpuRunner, type RunnerOptions } from './gpuRunner.js';
import type { GpuSystems, MovingSystems, QuestionKind } from './gpuSystems.js';
import type { SyncVerbs } from './syncVerbs.js';

/**
 * The engine's verbs as promises: what is asked is what the verbs of the same name are asked, answers are the
 * same bytes, in memory of their own. The CPU may compute a part of an answer after a wait, in the memory in
 * which results of synchronous calls lie: while a promise is pending, read such results before any await, or
 * keep their `copy()`; read later they throw Stale.
 */
export class AsyncEngine {
  readonly #host: EngineHost;
  #verbs!: SyncVerbs;
  #runner!: GpuRunner<GpuSystems, QuestionKind>;

  /** @internal */
  constructor(host: EngineHost) {
    this.#host = host;
  }

  /** verbs: those of the engine, on the CPU. @internal */
  begin(verbs: SyncVerbs, options: RunnerOptions, info: { gpu?: GpuInfo; notes: Note[] }): void {
    this.#verbs = verbs;
    this.#runner = new GpuRunner(options, info, FEWEST, async () =>
      (await import('./gpuPart.js')).gpuPart(this.#host, verbs),
    );
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
    const asked = keepOptions(QUERY, options) as QueryOptions;
    if (isForCpuAlone(asked)) return onCpuAlone(() => this.#verbs.query(a, b, asked)) as AsyncPairs | boolean;
    const { want, transformA, transformB } = asked;
    const pair = readPair({ a, b, transformA, transformB });
    if (want === 'any')
      return (
        await this.#many(
          [pair],
          asked,
          () => this.#verbs.query(a, b, asked) as boolean,
          found => found.count > 0,
        )
      ).answer;
    return this.#pairs([pair], asked, () => (this.#verbs.query(a, b, asked) as TrianglePairs).copy());
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
  async queryMany(given: AnyQueryManyOptions, surplus?: unknown): Promise<AsyncManyPairs | Uint32Array> {
    this.#begin(surplus, 'queryMany(options)');
    const options = copyOptions(QUERY_MANY, given) as QueryManyOptions;
    if (isForCpuAlone(options))
      return onCpuAlone(() => this.#verbs.queryMany(options)) as AsyncManyPairs | Uint32Array;
    const asked = readPairs(options).map(keepPair);
    const { a, b, transforms, ...how } = options;
    const onCpu = { ...how, pairs: asked };
    if (options.want === 'any')
      return (await this.#many(asked, options, () => this.#verbs.queryMany(onCpu) as Uint32Array, haveAny))
        .answer;
    const { answer, stats } = await this.#many(
      asked,
      options,
      () => (this.#verbs.queryMany(onCpu) as ManyTrianglePairs).copy(),
      found => found,
    );
    return { __proto__: copied, ...answer, stats } as typeof answer & { stats: AsyncStats };
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
    given: SelfQueryOptions = {},
    surplus?: unknown,
  ): Promise<AsyncPairs | boolean> {
    this.#begin(surplus, 'selfQuery(mesh, options)');
    const options = keepOptions(SELF_QUERY, given);
    const pair = { a: mesh, b: mesh };
    const how = { ...options, neighbours: options.neighbours ?? 'index' };
    if (options.want === 'any')
      return (
        await this.#many(
          [pair],
          how,
          () => this.#verbs.selfQuery(mesh, options) as boolean,
          found => found.count > 0,
        )
      ).answer;
    return this.#pairs([pair], how, () => (this.#verbs.selfQuery(mesh, options) as TrianglePairs).copy());
  }

  /**
   * Pairs of boxes that overlap, of one set or of two. With forEachChunk the CPU answers. Source: Avril,
   * Gouranton and Arnaldi, 5. @throws as the engine's boxPairs
   */
  async boxPairs(boxes: Float32Array, options: BoxPairsOptions = {}): Promise<AsyncPairs> {
    this.#begin(arguments[2], 'boxPairs(boxes, options)');
    const own = kept(boxes);
    const asked = keepOptions(BOX_PAIRS, options);
    const {
      answer: { count, a, b },
      stats,
    } = await this.#runner.run({
      kind: 'boxPairs',
      size: (sizeOf(boxes) + sizeOf(asked.against)) / 6,
      onCpu: (): PairsCopy => this.#verbs.boxPairs(own, asked).copy(),
      onGpu: ({ boxPairs }) => boxPairs(own, asked, 'refused'),
    });
    return { __proto__: copied, count, a, b, stats } as AsyncPairs;
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
    if (!scene?.isOf?.(this.#host.backend))
      throw new Unsupported(
        'the scene is missing, or is not of this engine',
        'pass a scene that createScene of the engine that is asked has made',
      );
    if (isContinuous(options)) return this.#sweepScene(scene, options);
    const frame = scene.hold(options);
    try {
      const checkUnchanged = watch(frame.bodies.slots.map(({ mesh }) => mesh));
      const search = this.#near(frame, checkUnchanged);
      const near = search && (await search);
      this.#goOn(checkUnchanged, near);
      frame.choose(near?.answer);
      // A small question is answered without a wait, so nothing can change meanwhile.
      const {
        answer: end,
        stats: { backend, reason, gpu },
      } =
        frame.asker.count === 0
          ? { answer: () => finish(frame, frame.ask()), stats: near?.stats ?? NOTHING_ASKED }
          : await this.#askBodies(frame, checkUnchanged);
      const contacts = end();
      return Object.assign(contacts, { stats: { ...contacts.stats, backend, reason, gpu } });
    } finally {
      scene.release();
    }
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
    given: SweepOptions & ProgressOptions = {},
    surplus?: unknown,
  ): Promise<SweptContacts | SweptContact | undefined> {
    this.#begin(surplus, 'sweepVertices(mesh, from, to, options)');
    const ends = [kept(from), kept(to)] as const;
    const { options: asked, progress } = takeProgress(copyOptions(ASYNC_SWEEP, given));
    const sweeper = this.#sweeper;
    if (sweeper && progress && asked.exact && asked.want === 'all')
      return (await loadSteps()).sweepVerticesInSteps(sweeper, mesh, ...ends, asked, progress);
    return inOneStep(progress, () =>
      this.#moving(
        'sweep',
        triangles({ a: mesh }),
        () => this.#verbs.sweepVertices(mesh, ...ends, asked),
        moving => moving.sweepVertices(mesh, ...ends, asked),
        mesh,
      ),
    );
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
    given: PlacedSweepOptions & ProgressOptions = {},
    surplus?: unknown,
  ): Promise<SweptContacts | SweptContact | undefined> {
    this.#begin(surplus, 'sweep(a, b, options)');
    const { options: asked, progress } = takeProgress(keepOptions(ASYNC_PLACED_SWEEP, given));
    const sweeper = this.#sweeper;
    if (sweeper && progress && asked.exact && asked.want === 'all')
      return (await loadSteps()).sweepMeshesInSteps(sweeper, a, b, asked, progress);
    return inOneStep(progress, () =>
      this.#moving(
        'sweep',
        triangles({ a, b }),
        () => this.#verbs.sweep(a, b, asked),
        moving => moving.sweep(a, b, asked),
        a,
        b,
      ),
    );
  }

  /**
   * Whether and when pairs of moving features touch. Exactly, with `onProgress` or a `signal`: on the CPU, in
   * steps. @throws as the engine's sweepFeatures, and the reason that the signal was aborted with
   */
  async sweepFeatures(
    kind: 'VF' | 'EE',
    queries: Float64Array,
    given: FeatureSweepOptions & ProgressOptions = {},
  ): Promise<FeatureContacts> {
    this.#begin(arguments[3], 'sweepFeatures(kind, queries, options)');
    const own = kept(queries);
    const { options: asked, progress } = takeProgress(copyOptions(ASYNC_FEATURE_SWEEP, given));
    if (progress && asked.exact)
      return (await loadSteps()).featuresInSteps(own, progress, part =>
        this.#verbs.sweepFeatures(kind, part, asked),
      );
    return inOneStep(progress, () =>
      this.#moving(
        'sweepFeatures',
        sizeOf(own) / 24,
        () => this.#verbs.sweepFeatures(kind, own, asked),
        moving => moving.sweepFeatures(kind, own, asked),
      ),
    );
  }

  /**
   * When each of these pairs first touches; in steps as above. @throws as the engine's contactTimes, and the
   * reason that the signal was aborted with
   */
  async contactTimes(
    kind: 'vf' | 'ee',
    points: Float64Array,
    given: FeatureSweepOptions & ProgressOptions = {},
  ): Promise<Float64Array> {
    this.#begin(arguments[3], 'contactTimes(kind, points, options)');
    const own = kept(points);
    const { options: asked, progress } = takeProgress(copyOptions(ASYNC_FEATURE_SWEEP, given));
    if (progress)
      return (await loadSteps()).timesInSteps(own, progress, part =>
        this.#verbs.contactTimes(kind, part, asked),
      );
    return this.#moving(
      'sweepFeatures',
      sizeOf(own) / 24,
      () => this.#verbs.contactTimes(kind, own, asked),
      moving => moving.contactTimes(kind, own, asked),
    );
  }

  /**
   * Whether there is a GPU that may be asked: it is looked for. @throws Unsupported where backend is 'webgpu'
   * and there is none @internal
   */
  async hasGpu(): Promise<boolean> {
    await this.#runner.start();
    return this.#runner.isLive;
  }

  /**
   * Bodies in motion, which nobody may change before the answer. The GPU pairs boxes, and drops pairs of
   * bodies that are apart. @throws as detect @internal
   */
  async sweepBodies<Told>(
    motion: BodyMotion<Told>,
  ): Promise<{ answer: Told; stats: AsyncStats | typeof NOTHING_ASKED }> {
    const runner = this.#runner;
    const { slots } = motion.question.bodies;
    const checkUnchanged = watch(slots.map(({ mesh }) => mesh));
    const search = this.#nearBoxes(slots.length, () => motion.copyBoxes(), checkUnchanged);
    const near = search && (await search);
    this.#goOn(checkUnchanged, near);
    motion.choose(near?.answer);
    const {
      pairs: { a, b, count },
    } = motion;
    if (count === 0) return { answer: motion.settle(), stats: near?.stats ?? NOTHING_ASKED };
    const size = a.reduce(
      (sum, slot, i) => sum + triangles({ a: slots[slot].mesh!, b: slots[b[i]].mesh! }),
      0,
    );
    return runner.run({
      kind: 'sweepBodies',
      size,
      checkUnchanged,
      onCpu: () => motion.settle(),
      onGpu: async ({ bodySweep }) => {
        const { left, stats } = await bodySweep.leave(motion);
        checkUnchanged();
        return { answer: motion.settle(left), stats };
      },
    });
  }

  /** Gives the GPU back. @internal */
  dispose(): void {
    this.#runner?.dispose();
  }

  // The answer is a function, so that a frame ends only when its caller is about to return it.
  #askBodies(
    frame: Detection,
    checkUnchanged: () => void,
  ): Promise<{ answer: () => ReturnType<typeof finish>; stats: AsyncStats }> {
    const runner = this.#runner;
    const host = this.#host;
    const {
      asker,
      asking: { narrow, onProgress },
      bodies: { slots },
    } = frame;
    return runner.run({
      kind: 'query',
      checkUnchanged,
      size: asker.sizeOf(slots),
      onCpu: () => {
        host.tick();
        // Read at once: what the CPU found lies in memory that the next call reuses.
        const contacts = finish(frame, frame.ask());
        return () => contacts;
      },
      onGpu: async ({ bodies }) => {
        const { answer, stats } = await bodies.ask(frame, checkUnchanged, runner.isAlone);
        return {
          stats,
          answer: () => {
            checkUnchanged();
            host.open();
            if (narrow === 'counts') onProgress(1);
            return finish(frame, answer);
          },
        };
      },
    });
  }

  // After a wait. Results in engine memory stay valid unless the CPU has to search.
  #goOn(checkUnchanged: () => void, near: { answer: FoundNear } | undefined): void {
    checkUnchanged();
    if (near) this.#host.open();
    else this.#host.tick();
  }

  get #sweeper(): ContinuousVerbs['sweeper'] | undefined {
    return (this.#host.made('continuous') as ContinuousVerbs | undefined)?.sweeper;
  }
  // surplus: the first argument that the call does not take. @throws Disposed, Unsupported
  #begin(surplus: unknown, takes: string): void {
    this.#host.tick();
    checkSurplus(surplus, takes);
  }

  // If few bodies have moved, the pairs of the last frame help the CPU more. @returns nothing if the CPU has
  // to search, at once where no GPU is asked
  #near({ bodies, stays }: Detection, checkUnchanged: () => void): NearSearch {
    const count = bodies.slots.length;
    return stays || 2 * bodies.movedSlots().length < count
      ? undefined
      : this.#nearBoxes(count, () => bodies.copyBoxes(), checkUnchanged);
  }

  // boxes: six floats a body. @returns as near
  #nearBoxes(count: number, boxes: () => Float32Array, checkUnchanged: () => void): NearSearch {
    if (!this.#runner.asksFrom('boxPairs', count)) return undefined;
    return this.#runner
      .run<PairsCopy | undefined>({
        kind: 'boxPairs',
        size: count,
        checkUnchanged,
        onCpu: () => undefined,
        onGpu: ({ boxPairs }) => boxPairs(boxes(), {}),
      })
      .then(
        ({ answer, stats }) => answer && { answer: { ...answer, milliseconds: stats.milliseconds }, stats },
      );
  }

  async #sweepScene(scene: Scene, options: ContinuousOptions): Promise<AsyncSweptBodies> {
    const motion = scene.holdMotion(options);
    try {
      const {
        answer,
        stats: { backend, reason, gpu },
      } = await this.sweepBodies(motion);
      const swept = scene.endMotion(answer);
      return { ...swept, stats: { ...swept.stats, backend, reason, gpu } };
    } finally {
      scene.release();
    }
  }

  async #moving<Answer>(
    kind: QuestionKind,
    size: number,
    onCpu: () => Answer,
    ask: (moving: MovingSystems) => Promise<Answer>,
    ...meshes: readonly Mesh[]
  ): Promise<Answer> {
    return (
      await this.#runner.run({
        kind,
        size,
        onCpu,
        checkUnchanged: watch(meshes),
        onGpu: async ({ moving }) => ({ answer: await ask(moving) }),
      })
    ).answer;
  }

  async #pairs(
    asked: readonly PlacedMeshes[],
    options: SelfQueryOptions,
    onCpu: () => PairsCopy,
  ): Promise<AsyncPairs> {
    const {
      answer: { count, a, b },
      stats,
    } = await this.#many(asked, options, onCpu, (found): PairsCopy => found);
    return { __proto__: copied, count, a, b, stats } as AsyncPairs;
  }

  #many<Answer>(
    asked: readonly PlacedMeshes[],
    { order, coherence, neighbours, want }: SelfQueryOptions,
    onCpu: () => Answer,
    read: (found: ManyPairsCopy) => Answer,
  ): Promise<{ answer: Answer; stats: AsyncStats }> {
    return this.#runner.run({
      kind: neighbours ? 'selfQuery' : 'query',
      size: asked.reduce((sum, pair) => sum + triangles(pair), 0),
      checkUnchanged: watch(asked.flatMap(pair => [pair?.a, pair?.b])),
      onCpu,
      onGpu: async ({ queries, shared }) => {
        // Where the GPU alone is asked for, it is asked alone.
        const { stats, ...found } = await (this.#runner.isAlone || neighbours ? queries : shared).ask(asked, {
          order,
          coherence,
          neighbours,
          want,
        });
        return { answer: read(found), stats: 'share' in found ? { ...stats, share: found.share } : stats };
      },
    });
  }
}
