// Runs the kernel sweepFeatures, which finds when two moving features touch, without an engine. Each query is
// 24 doubles.

import {
  continuousLimits as limits,
  SweepFeaturesJob,
  SweptFeatures,
} from '../../dist/records/continuousLayout.js';
import { instantiateKernels } from '../../dist/runtime/instantiate.js';
import { compileAll } from './kernels.js';

const memory = new WebAssembly.Memory({ initial: 2048, maximum: 2048, shared: true });
const kernels = instantiateKernels(await compileAll(), memory);
const jobAt = 64;
const scratchAt = 1024;
const queriesAt = 2 ** 20;
export const maxQueries = 400_000;

export type Kind = 'VF' | 'EE';

export interface SweepSettings {
  separation?: number;
  tolerance?: number;
  resolution?: number;
  sliceCount?: number;
}

export interface Swept {
  toi: number;
  bound: number;
  /** CLEAR, NEAR or REACHED. */
  verdict: number;
  moments: number;
}

/** Returns the kernel's result for each query. */
export function sweep(kind: Kind, queries: Float64Array, settings: SweepSettings = {}): Swept[] {
  load(kind, queries, settings);
  run(settings.sliceCount ?? 1);
  const view = new DataView(memory.buffer, resultsAtOf(queries), (queries.length / 24) * SweptFeatures.size);
  return Array.from({ length: queries.length / 24 }, (_, query) => {
    const at = query * SweptFeatures.size;
    return {
      toi: view.getFloat64(at + SweptFeatures.at.toi, true),
      bound: view.getFloat64(at + SweptFeatures.at.bound, true),
      verdict: view.getUint32(at + SweptFeatures.at.verdict, true),
      moments: view.getUint32(at + SweptFeatures.at.moments, true),
    };
  });
}

const resultsAtOf = (queries: Float64Array): number => queriesAt + queries.length * 8;

/** Writes the queries and the job, so that `run` can be timed alone. */
export function load(
  kind: Kind,
  queries: Float64Array,
  { separation = 0, tolerance = 1e-6, resolution = 2 ** -24, sliceCount = 1 }: SweepSettings = {},
): void {
  const queryCount = queries.length / 24;
  if (queryCount > maxQueries) throw new RangeError(`${queryCount} queries, more than ${maxQueries}`);
  if (scratchAt + sliceCount * (limits.SWEEP_SCRATCH_BYTES + limits.QUERY_BLOCK_BYTES) > queriesAt)
    throw new RangeError(`${sliceCount} slices are too many`);
  const job = new DataView(memory.buffer, jobAt, SweepFeaturesJob.size);
  const { at } = SweepFeaturesJob;
  const words = {
    queriesAt,
    queryCount,
    sliceCount,
    isFace: Number(kind === 'VF'),
    resultsAt: resultsAtOf(queries),
    scratchAt,
  };
  for (const [name, value] of Object.entries(words)) job.setUint32(at[name as keyof typeof at], value, true);
  for (const [name, value] of Object.entries({ separation, tolerance, resolution }))
    job.setFloat64(at[name as keyof typeof at], value, true);
  new Float64Array(memory.buffer, queriesAt, queries.length).set(queries);
}

/** Runs the loaded queries. */
export function run(sliceCount = 1): void {
  for (let slice = 0; slice < sliceCount; slice++) kernels.sweepFeatures(jobAt, slice, slice + 1);
}
