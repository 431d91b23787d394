// Makes rows for GPU benches: the counted work of queries. These rows are the same on every GPU whose
// workgroups have the same size. The bench `gpuModel` computes modeled times from these rows.

import type { Gpu } from '../../dist/gpu/device/gpu.js';
import { countStages, type Stages } from './gpuTimes.js';
import { type KernelWork, type Work, workOf } from './gpuWork.js';
import type { Row } from './report.js';
import { sum, summarize } from './statistics.js';

/** The work of one run of a query. */
export interface CountedWork extends Work {
  stages: Stages;
}

type RowBase = Pick<Row, 'scene' | 'variant'>;

const BYTES_FORMULA =
  'modeled: items of the lists * sizes of their records, in bench/support/gpuWork.ts' as const;

/** Runs `run`, and counts its work on the GPU. */
export async function countWork(gpu: Gpu, run: () => Promise<unknown>): Promise<CountedWork> {
  const stages = await countStages(gpu, run);
  return { stages, ...workOf(stages) };
}

/**
 * Returns the rows of the counters of a query that ran once or several times. prefix: the text with which the
 * names of all measures begin.
 */
export function workRows({ scene, variant }: RowBase, works: readonly CountedWork[], prefix = ''): Row[] {
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
    variant,
    unit,
    ...summarize(works.map(of)),
    ...extra,
  });
  const perKernel = (measure: string, field: keyof KernelWork, unit: Row['unit'], extra: Partial<Row>): Row =>
    counter(measure, unit, ({ kernels }) => sum([...kernels.values()].map(kernel => kernel[field])), {
      note: kernelsText(kernel => kernel[field]),
      ...extra,
    });
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
    ...fillRows({ scene, variant }, works, prefix),
  ];
}

/**
 * Returns two rows for each step of a query that ran once or several times: the dispatches of the kernels that
 * perform the step, and the bytes that they read and write.
 */
export function stepRows(
  base: RowBase,
  works: readonly Work[],
  steps: readonly (readonly [step: string, kernels: readonly string[]])[],
): Row[] {
  return steps.flatMap(([step, names]): Row[] => {
    const total = (of: (kernel: KernelWork) => number) =>
      summarize(
        works.map(({ kernels }) =>
          sum(names.flatMap(name => kernels.get(name) ?? []).map(kernel => of(kernel))),
        ),
      );
    return [
      { ...base, measure: `${step}, dispatches`, unit: 'count', ...total(({ dispatches }) => dispatches) },
      {
        ...base,
        measure: `${step}, bytes of kernels`,
        unit: 'bytes',
        ...total(({ bytesRead, bytesWritten }) => bytesRead + bytesWritten),
        how: BYTES_FORMULA,
      },
    ];
  });
}

/**
 * Returns one row, which summarizes how full the fullest list of each run was. Returns no row if the query has
 * no lists.
 */
export function fillRows({ scene, variant }: RowBase, works: readonly CountedWork[], prefix = ''): Row[] {
  const fills = works.map(({ lists }) =>
    Math.max(0, ...[...lists.values()].map(({ used, capacity }) => used / capacity)),
  );
  const { lists } = works.at(-1)!;
  if (lists.size === 0) return [];
  return [
    {
      scene,
      measure: `${prefix}fill of the fullest list`,
      variant,
      unit: 'share',
      ...summarize(fills),
      note: [...lists].map(([name, { used, capacity }]) => `${name} ${used} of ${capacity}`).join(', '),
    },
  ];
}
