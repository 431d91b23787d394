// Makes the objects that run continuous collision detection on a GPU. This file is loaded when they are first
// needed.

import { MeshTables } from '../../ccd/meshTables.js';
import type { EngineContext } from '../../runtime/engineContext.js';
import type { GpuMeshes } from '../bvh/gpuMeshes.js';
import type { Gpu } from '../device/gpu.js';
import { GpuBodyPairFilter } from './gpuBodyPairFilter.js';
import { GpuFeatureSweep } from './gpuFeatureSweep.js';
import { GpuMeshSweep } from './gpuMeshSweep.js';

export interface GpuSweeps {
  featureSweep: GpuFeatureSweep;
  meshSweep: GpuMeshSweep;
  bodyPairFilter: GpuBodyPairFilter;
  dispose(): void;
}

/** Builds the sweeps of an engine. meshes: the trees of meshes on the GPU. */
export function makeGpuSweeps(gpu: Gpu, context: EngineContext, meshes: GpuMeshes): GpuSweeps {
  const tables = new MeshTables(context);
  const featureSweep = new GpuFeatureSweep(gpu, context);
  const meshSweep = new GpuMeshSweep(gpu, context, tables);
  const bodyPairFilter = new GpuBodyPairFilter(gpu, context, tables, meshes);
  return {
    featureSweep,
    meshSweep,
    bodyPairFilter,
    dispose: () => {
      for (const system of [featureSweep, meshSweep, bodyPairFilter, tables]) system.dispose();
    },
  };
}
