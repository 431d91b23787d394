// Runs in a page. Makes an engine, and the functions that remoteGpu.ts calls from Node: queries, box pairs
// and sweeps on the page's GPU.

import type { FeatureKind, FeatureSweepOptions } from '../../dist/ccd/featureSweep.js';
import { MeshTables } from '../../dist/ccd/meshTables.js';
import type { SweepSettings } from '../../dist/ccd/sweepOptions.js';
import type { EngineHost } from '../../dist/core/module.js';
import { GpuBoxPairs, type GpuBoxPairsOptions } from '../../dist/gpu/broadphase/gpuBoxPairs.js';
import { GpuFeatureSweep } from '../../dist/gpu/ccd/gpuFeatureSweep.js';
import { GpuMeshSweep } from '../../dist/gpu/ccd/gpuMeshSweep.js';
import { acquireGpu } from '../../dist/gpu/device/acquireGpus.js';
import { GpuQueries, type GpuQueryOptions } from '../../dist/gpu/gpuQueries.js';
import { createEngine, type Mesh } from '../../dist/index.js';
import type { PlacedMeshes } from '../../dist/mesh/pairWriter.js';
import type { EngineContext } from '../../dist/runtime/engineContext.js';
import { testTriangles } from '../support/gpuLeaves.js';

/** A pair of placed meshes. Each mesh is given by its number, because Node cannot pass a Mesh to the page. */
export interface RemotePair {
  a: number;
  b: number;
  placed: Omit<PlacedMeshes, 'a' | 'b'>;
}

export type PageGpu = Awaited<ReturnType<typeof startPageGpu>>;

export async function startPageGpu() {
  const engine = await createEngine({ threads: 2, warmUp: 'off' });
  const gpu = await acquireGpu(navigator.gpu);
  const { context } = engine as unknown as { context: EngineContext };
  const host = (engine as unknown as { host(modules: Map<string, unknown>): EngineHost }).host(new Map());
  const queries = new GpuQueries(host, gpu);
  const boxPairs = new GpuBoxPairs(gpu, context);
  const features = new GpuFeatureSweep(gpu, context);
  const moving = new GpuMeshSweep(gpu, context, new MeshTables(context));
  const meshes = new Map<number, Mesh>();
  const meshOf = (id: number): Mesh => meshes.get(id)!;
  return {
    load: async (id: number, bytes: Uint8Array) => {
      meshes.set(id, engine.loadMesh(bytes));
    },
    drop: async (id: number) => {
      meshOf(id).dispose();
      meshes.delete(id);
    },
    query: (pairs: readonly RemotePair[], options?: GpuQueryOptions) =>
      queries.query(
        pairs.map(({ a, b, placed }) => ({ a: meshOf(a), b: meshOf(b), ...placed })),
        options,
      ),
    findBoxes: (boxes: Float32Array, options?: GpuBoxPairsOptions) => boxPairs.find(boxes, options),
    sweepFeatures: (kind: FeatureKind, list: Float64Array, options?: FeatureSweepOptions) =>
      features.sweepFeatures(kind, list, options),
    contactTimes: (kind: FeatureKind, list: Float64Array, options?: FeatureSweepOptions) =>
      features.contactTimes(kind, list, options),
    filter: (kind: FeatureKind, list: Float64Array, minSeparation?: number) =>
      features.filter(kind, list, minSeparation),
    deform: (id: number, from: Float64Array, to: Float64Array, how: SweepSettings) =>
      moving.deform(meshOf(id), from, to, how),
    testTriangles: (corners: Float64Array) => testTriangles(gpu, engine, corners),
  };
}
