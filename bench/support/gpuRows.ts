// Makes the rows of GPU benches that are the same on every GPU: the counted work of queries, and their modeled
// times.

import type { Gpu } from '../../dist/gpu/device/gpu.js';
import {
  costsText,
  FORMULA,
  type GpuCosts,
  type GpuLoad,
  KERNELS_FORMULA,
  MODELED_GPUS,
  modelKernels,
  modelQuery,
} from './gpuModel.js';
import { countStages, type Stages } from './gpuTimes.js';
import { type KernelWork, type Work, workOf } from './gpuWork.js';
import type { Row } from './report.js';
import { sum, summarize } from './statistics.js';

/** The work of one run of a query. */
export interface CountedWork extends Work {
  stages: Stages;
}

type RowBase = Pick<Row, 'scene' | 'who'>;

const BYTES_FORMULA =
  'modeled: items of the lists * sizes of their records, in bench/support/gpuWork.ts' as const;
const bytesOf = ({ bytesRead, bytesWritten }: KernelWork): number => bytesRead + bytesWritten;

/** Runs `run`, and counts its work on the GPU. */
export async function countWork(gpu: Gpu, run: () => Promise<unknown>): Promise<CountedWork> {
  const stages = await countStages(gpu, run);
  return { stages, ...workOf(stages) };
}

/** Returns the load of some kernels: only dispatches and bytes. By default, of all kernels. */
export function kernelLoad(
  { kernels }: Work,
  names: readonly string[] = [...kernels.keys()],
): Pick<GpuLoad, 'dispatches' | 'kernelBytes'> {
  const own = names.flatMap(name => kernels.get(name) ?? []);
  return {
    dispatches: sum(own.map(({ dispatches }) => dispatches)),
    kernelBytes: sum(own.map(bytesOf)),
  };
}

const loadOf = (counted: CountedWork): GpuLoad => ({
  ...kernelLoad(counted),
  roundTrips: counted.stages.batches.length,
  transferredBytes: counted.stages.counters.uploadedBytes + counted.stages.counters.readBytes,
});

/**
 * Returns the rows of a query that ran once or several times: counters, and the modeled times. prefix: begins
 * the names of all measures.
 */
export function workRows({ scene, who }: RowBase, works: readonly CountedWork[], prefix = ''): Row[] {
  const kernelsText = (of: (kernel: KernelWork) => number): string =>
    [...works.at(-1)!.kernels].map(([name, kernel]) => `${name} ${of(kernel)}`).join(', ');
  const counter = (
    measure: string,
    unit: Row['unit'],
    of: (counted: CountedWork) => number,
    extra: Partial<Row> = {},
  ): Row => ({
    scene,
    measure: prefix + measure,
    who,
    unit,
    ...summarize(works.map(of)),
    ...extra,
  });
  const perKernel = (measure: string, field: keyof KernelWork, unit: Row['unit'], extra: Partial<Row>): Row =>
    counter(measure, unit, ({ kernels }) => sum([...kernels.values()].map(kernel => kernel[field])), {
      note: kernelsText(kernel => kernel[field]),
      ...extra,
    });
  const loads = works.map(loadOf);
  return [
    counter('round trips', 'count', ({ stages }) => stages.batches.length),
    counter(
      'bytes transferred',
      'bytes',
      ({ stages: { counters } }) => counters.uploadedBytes + counters.readBytes,
    ),
    perKernel('invocations', 'invocations', 'count', {}),
    perKernel('bytes read by kernels', 'bytesRead', 'bytes', { how: BYTES_FORMULA }),
    perKernel('bytes written by kernels', 'bytesWritten', 'bytes', { how: BYTES_FORMULA }),
    ...fillRows({ scene, who }, works, prefix),
    ...MODELED_GPUS.flatMap(gpu => [
      modelRow({ scene, who: gpu.who }, `${prefix}kernels, modeled`, loads, gpu, modelKernels),
      modelRow({ scene, who: gpu.who }, `${prefix}end to end, modeled`, loads, gpu, modelQuery),
    ]),
  ];
}

/** Returns a row of the modeled times of several runs. */
export function modelRow<Load>(
  base: RowBase,
  measure: string,
  loads: readonly Load[],
  gpu: GpuCosts,
  model: (load: Load, gpu: GpuCosts) => number,
): Row {
  return {
    ...base,
    measure,
    unit: 'ms',
    ...summarize(loads.map(load => model(load, gpu))),
    how: (model as unknown) === modelKernels ? KERNELS_FORMULA : FORMULA,
    note: costsText(gpu),
  };
}

/** Returns a row of the fullest list of each run. Empty if the query has no lists. */
export function fillRows({ scene, who }: RowBase, works: readonly CountedWork[], prefix = ''): Row[] {
  const fills = works.map(({ lists }) =>
    Math.max(0, ...[...lists.values()].map(({ used, capacity }) => used / capacity)),
  );
  const { lists } = works.at(-1)!;
  if (lists.size === 0) return [];
  return [
    {
      scene,
      measure: `${prefix}fill of the fullest list`,
      who,
      unit: 'share',
      ...summarize(fills),
      note: [...lists].map(([name, { used, capacity }]) => `${name} ${used} of ${capacity}`).join(', '),
    },
  ];
}
