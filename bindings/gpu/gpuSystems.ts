// Makes the systems that run each kind of query on a GPU. Their methods check their arguments like the
// engine's own methods.

import { type BoxPairsOptions, readBoxPairs } from '../broadphase/boxPairs.js';
import type { FeatureContacts, FeatureSweepOptions } from '../ccd/featureSweep.js';
import { readPlacements, readVertices } from '../ccd/sweepArguments.js';
import { checkKind, checkQueries, type PlacedSweepOptions, type SweepOptions } from '../ccd/sweepOptions.js';
import type { Coordinates } from '../core/checkOptions.js';
import type { EngineHost } from '../core/module.js';
import type { PairsCopy } from '../core/results.js';
import type { Mesh } from '../mesh/mesh.js';
import { GpuBoxPairs } from './broadphase/gpuBoxPairs.js';
import type { Filtered } from './ccd/filterStats.js';
import type { GpuBodyPairFilter } from './ccd/gpuBodyPairFilter.js';
import type { SweepResult } from './ccd/gpuMeshSweep.js';
import type { GpuSweeps } from './ccd/gpuSweeps.js';
import type { Gpu } from './device/gpu.js';
import { GpuUnfit } from './device/gpuErrors.js';
import { GpuBodyPairs } from './gpuBodyPairs.js';
import { GpuQueries } from './gpuQueries.js';
import { MultiGpuBoxPairs } from './multiGpuBoxPairs.js';
import { SplitQueries } from './splitQueries.js';
import type { SyncMethods } from './syncMethods.js';

/** Sweeps, with the same arguments as the engine's methods. */
export interface SweepSystems {
  sweepVertices(
    mesh: Mesh,
    from: Coordinates,
    to: Coordinates,
    options: SweepOptions,
  ): Promise<Filtered<SweepResult>>;
  sweep(a: Mesh, b: Mesh, options: PlacedSweepOptions): Promise<Filtered<SweepResult>>;
  sweepFeatures(
    kind: 'VF' | 'EE',
    queries: Float64Array,
    options: FeatureSweepOptions,
  ): Promise<Filtered<FeatureContacts>>;
  contactTimes(
    kind: 'VF' | 'EE',
    points: Float64Array,
    options: FeatureSweepOptions,
  ): Promise<Filtered<Float64Array>>;
}

export interface GpuSystems {
  queries: GpuQueries;
  /**
   * Splits queries between the GPU and the CPU: many pairs of meshes are divided between them; for a single
   * pair, the starting front is divided.
   */
  split: SplitQueries;
  bodies: GpuBodyPairs;
  boxPairs(
    boxes: Float32Array,
    options: BoxPairsOptions,
    inverted?: 'refused',
  ): Promise<{ answer: PairsCopy; stats: { milliseconds: number } }>;
  sweeps: SweepSystems;
  bodyPairFilter: Pick<GpuBodyPairFilter, 'filter'>;
  dispose(): void;
}

/**
 * Kinds of query. Each has its own crossover: the query size from which the GPU is faster, in triangles of
 * all meshes of the query, in boxes, or in pairs of features.
 */
export type QueryKind = 'query' | 'selfQuery' | 'boxPairs' | 'sweep' | 'sweepBodies' | 'sweepFeatures';

/** Checks that the module with the CPU kernels of a query is loaded. @throws GpuUnfit */
function requireModule(
  host: EngineHost,
  kernel: 'computeBoxStatistics' | 'sweepFeatures',
  module: string,
): void {
  if (!host.context.pool.kernels[kernel]) throw new GpuUnfit(`the module '${module}' was left out`);
}

/**
 * Makes the systems. Queries of box pairs use the number of `gpus` that is predicted to be fastest; all other
 * queries use only the first GPU.
 */
export function makeGpuSystems(
  host: EngineHost,
  methods: SyncMethods,
  gpus: readonly [Gpu, ...Gpu[]],
): GpuSystems {
  const { context } = host;
  const [gpu] = gpus;
  const queries = new GpuQueries(host, gpu);
  const boxPairFinder = gpus.length > 1 ? new MultiGpuBoxPairs(gpus, context) : new GpuBoxPairs(gpu, context);
  let sweeps: GpuSweeps | undefined;
  const openSweeps = async (): Promise<GpuSweeps> => {
    const { makeGpuSweeps } = await import('./ccd/gpuSweeps.js');
    return (sweeps ??= makeGpuSweeps(gpu, context, queries.meshes));
  };
  // read: checks the arguments, before the code of the sweeps is loaded.
  const runSweep = async <Read, Answer>(
    read: () => Read,
    sweep: (sweeps: GpuSweeps, read: Read) => Promise<Answer>,
  ): Promise<Answer> => {
    requireModule(host, 'sweepFeatures', 'continuous');
    const given = read();
    return sweep(await openSweeps(), given);
  };
  return {
    queries,
    bodyPairFilter: { filter: async motion => (await openSweeps()).bodyPairFilter.filter(motion) },
    split: new SplitQueries(queries, methods, host),
    bodies: new GpuBodyPairs(host, queries),
    boxPairs: async (list, options, inverted) => {
      requireModule(host, 'computeBoxStatistics', 'scenes');
      const { against, countOnly, forEachChunk } = readBoxPairs(list, options);
      if (forEachChunk) throw new GpuUnfit('calls with forEachChunk run on the CPU');
      const { stats, ...answer } = await boxPairFinder.find(list, {
        against,
        inverted,
        ...(countOnly && { countOnly }),
      });
      return { answer, stats };
    },
    sweeps: {
      sweepVertices: (mesh, from, to, options) =>
        runSweep(
          () => readVertices(host, mesh, from, to, options),
          ({ meshSweep }, settings) => meshSweep.deform(mesh, from, to, settings),
        ),
      sweep: (a, b, options) =>
        runSweep(
          () => readPlacements(host, a, b, options),
          async ({ meshSweep }, { placed, settings, motion }) => {
            if (settings.isFirst)
              throw new GpuUnfit(
                'the first contact of two meshes is found on the CPU, which traverses their trees',
              );
            if (motion === 'rigid') throw new GpuUnfit('rotating meshes are swept on the CPU only');
            return meshSweep.move(a, b, placed, settings);
          },
        ),
      sweepFeatures: (kind, list, options) =>
        runSweep(
          () => {
            checkKind(kind, ['VF', 'EE']);
            checkQueries('queries', list);
          },
          ({ featureSweep }) => featureSweep.sweepFeatures(kind, list, options),
        ),
      contactTimes: (kind, points, options) =>
        runSweep(
          () => {
            checkKind(kind, ['VF', 'EE']);
            checkQueries('points', points);
          },
          ({ featureSweep }) => featureSweep.contactTimes(kind, points, options),
        ),
    },
    dispose: () => {
      for (const system of [queries, boxPairFinder, sweeps]) system?.dispose();
    },
  };
}
