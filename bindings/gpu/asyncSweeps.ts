// Implements `sweepVertices`, `sweep`, `sweepFeatures` and `contactTimes` of `engine.async`. They run on the
// GPU or the CPU. If `onProgress` or `signal` is passed, `contactTimes`, exact `sweepFeatures`, and exact
// sweeps for all contacts run on the CPU, in steps.
import type { ContinuousMethods } from '../ccd/continuous.js';
import type { FeatureSweepOptions } from '../ccd/featureSweep.js';
import type { PlacedSweepOptions, SweepOptions } from '../ccd/sweepOptions.js';
import type { SweptContact, SweptContacts } from '../ccd/sweptContacts.js';
import {
  type Coordinates,
  copyOptions,
  type OptionTable,
  PROGRESS,
  type ProgressOptions,
} from '../core/checkOptions.js';
import type { EngineHost } from '../core/module.js';
import { FEATURE_SWEEP, PLACED_SWEEP, SWEEP } from '../core/moduleOptions.js';
import { sizeOf, triangleCountOf } from '../core/querySizes.js';
import type { Mesh } from '../mesh/mesh.js';
import type {
  AsyncContactTimes,
  AsyncFeatureContacts,
  AsyncSweepStats,
  AsyncSweptContact,
  AsyncSweptContacts,
} from './asyncResults.js';
import type { AsyncRunner } from './asyncRunner.js';
import type { Filtered } from './ccd/filterStats.js';
import { copyList, copyWithLists } from './copyArguments.js';
import type { QueryKind, SweepSystems } from './gpuSystems.js';
import { MeshWatch } from './meshWatch.js';
import type { SyncMethods } from './syncMethods.js';

const ASYNC_FEATURE_SWEEP: OptionTable<FeatureSweepOptions & ProgressOptions> = {
  ...FEATURE_SWEEP,
  ...PROGRESS,
};
const ASYNC_SWEEP: OptionTable<SweepOptions & ProgressOptions> = { ...SWEEP, ...PROGRESS };
const ASYNC_PLACED_SWEEP: OptionTable<PlacedSweepOptions & ProgressOptions> = {
  ...PLACED_SWEEP,
  ...PROGRESS,
};

/** The statistics of a sweep in steps, without its time. */
const IN_STEPS: AsyncSweepStats = {
  backend: 'wasm',
  reason: 'with onProgress or signal, this sweep runs on the CPU, in steps',
  milliseconds: 0,
};

export class AsyncSweeps {
  readonly #host: EngineHost;
  readonly #methods: SyncMethods;
  readonly #runner: AsyncRunner;

  constructor(host: EngineHost, methods: SyncMethods, runner: AsyncRunner) {
    this.#host = host;
    this.#methods = methods;
    this.#runner = runner;
  }

  async sweepVertices(
    mesh: Mesh,
    from: Coordinates,
    to: Coordinates,
    given: SweepOptions & ProgressOptions,
  ): Promise<AsyncSweptContacts | AsyncSweptContact | undefined> {
    const ends = [copyList(from), copyList(to)] as const;
    const { options, progress } = takeProgress(copyOptions(ASYNC_SWEEP, given));
    const sweeper = this.#sweeper;
    if (sweeper && progress && options.exact && options.want === 'all')
      return addDevice(
        await (await loadSteps()).sweepVerticesInSteps(sweeper, mesh, ...ends, options, progress),
        IN_STEPS,
      );
    return runInOneStep(progress, () =>
      this.#run(
        'sweep',
        triangleCountOf({ a: mesh }),
        [mesh],
        () => this.#methods.sweepVertices(mesh, ...ends, options),
        sweeps => sweeps.sweepVertices(mesh, ...ends, options),
        addDevice,
      ),
    );
  }

  async sweep(
    a: Mesh,
    b: Mesh,
    given: PlacedSweepOptions & ProgressOptions,
  ): Promise<AsyncSweptContacts | AsyncSweptContact | undefined> {
    const { options, progress } = takeProgress(copyWithLists(ASYNC_PLACED_SWEEP, given));
    const sweeper = this.#sweeper;
    if (sweeper && progress && options.exact && options.want === 'all') {
      const watch = new MeshWatch([a, b]);
      const steps = await loadSteps();
      watch.check();
      return addDevice(await steps.sweepMeshesInSteps(sweeper, a, b, options, progress), IN_STEPS);
    }
    return runInOneStep(progress, () =>
      this.#run(
        'sweep',
        triangleCountOf({ a, b }),
        [a, b],
        () => this.#methods.sweep(a, b, options),
        sweeps => sweeps.sweep(a, b, options),
        addDevice,
      ),
    );
  }

  async sweepFeatures(
    kind: 'VF' | 'EE',
    givenQueries: Float64Array,
    givenOptions: FeatureSweepOptions & ProgressOptions,
  ): Promise<AsyncFeatureContacts> {
    const queries = copyList(givenQueries);
    const { options, progress } = takeProgress(copyOptions(ASYNC_FEATURE_SWEEP, givenOptions));
    if (progress && options.exact) {
      const { answer, milliseconds } = await (await loadSteps()).sweepFeaturesInSteps(
        queries,
        progress,
        chunk => this.#methods.sweepFeatures(kind, chunk, options),
      );
      return addStats(answer, { ...IN_STEPS, milliseconds });
    }
    return runInOneStep(progress, () =>
      this.#run(
        'sweepFeatures',
        sizeOf(queries) / 24,
        [],
        () => this.#methods.sweepFeatures(kind, queries, options),
        sweeps => sweeps.sweepFeatures(kind, queries, options),
        addStats,
      ),
    );
  }

  async contactTimes(
    kind: 'VF' | 'EE',
    givenPoints: Float64Array,
    givenOptions: FeatureSweepOptions & ProgressOptions,
  ): Promise<AsyncContactTimes> {
    const points = copyList(givenPoints);
    const { options, progress } = takeProgress(copyOptions(ASYNC_FEATURE_SWEEP, givenOptions));
    if (progress) {
      const { answer, milliseconds } = await (await loadSteps()).contactTimesInSteps(
        points,
        progress,
        chunk => this.#methods.contactTimes(kind, chunk, options),
      );
      return addHiddenStats(answer, { ...IN_STEPS, milliseconds });
    }
    return this.#run(
      'sweepFeatures',
      sizeOf(points) / 24,
      [],
      () => this.#methods.contactTimes(kind, points, options),
      sweeps => sweeps.contactTimes(kind, points, options),
      addHiddenStats,
    );
  }

  get #sweeper(): ContinuousMethods['sweeper'] | undefined {
    return (this.#host.methodsOf('continuous') as ContinuousMethods | undefined)?.sweeper;
  }

  // add: adds statistics to the answer.
  async #run<Answer, Answered>(
    kind: QueryKind,
    size: number,
    meshes: readonly Mesh[],
    onCpu: () => Answer,
    run: (sweeps: SweepSystems) => Promise<Filtered<Answer>>,
    add: (answer: Answer, stats: AsyncSweepStats) => Answered,
  ): Promise<Answered> {
    const { answer, stats } = await this.#runner.run({
      kind,
      size,
      watch: new MeshWatch(meshes),
      onCpu,
      onGpu: async ({ sweeps }) => {
        const found = await run(sweeps);
        return { answer: () => found.answer, stats: found.stats };
      },
    });
    return add(answer, stats as AsyncSweepStats);
  }
}

/**
 * Adds the device to the statistics of a sweep of meshes. With `want: 'first'`, there are no other statistics.
 */
function addDevice(
  found: SweptContacts | SweptContact | undefined,
  stats: AsyncSweepStats,
): AsyncSweptContacts | AsyncSweptContact | undefined {
  if (!found) return undefined;
  if (!('stats' in found)) return addStats(found, stats);
  const { backend, reason, gpu } = stats;
  return Object.assign(found, { stats: { ...found.stats, backend, reason, gpu } });
}

const addStats = <Answer extends object>(
  answer: Answer,
  stats: AsyncSweepStats,
): Answer & { stats: AsyncSweepStats } => Object.assign(answer, { stats });

const addHiddenStats = (times: Float64Array, stats: AsyncSweepStats): AsyncContactTimes =>
  Object.defineProperty(times, 'stats', { value: stats }) as AsyncContactTimes;

/**
 * Separates `onProgress` and `signal` from the options of the sweep. progress: undefined if neither is given.
 */
function takeProgress<Options extends ProgressOptions>({
  onProgress,
  signal,
  ...options
}: Options): { options: Omit<Options, keyof ProgressOptions>; progress: ProgressOptions | undefined } {
  return { options, progress: onProgress || signal ? { onProgress, signal } : undefined };
}

/** Runs a sweep that completes in one step. @throws the reason of the abort, if the signal was aborted */
async function runInOneStep<Answer>(
  progress: ProgressOptions | undefined,
  run: () => Promise<Answer>,
): Promise<Answer> {
  progress?.signal?.throwIfAborted();
  const answer = await run();
  progress?.signal?.throwIfAborted();
  progress?.onProgress?.(1);
  return answer;
}

/** Loads the module that runs a sweep in several steps. */
const loadSteps = () => import('../ccd/sweepInSteps.js');
