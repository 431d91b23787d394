// Measures how long an engine's queries spend in each stage: making the front (the node pairs that are
// divided among work lists), traversing it, storing the measured costs of its nodes, and copying the results.

import type { Engine } from '../../dist/index.js';
import { internalsOf, stagesOf } from './internals.js';

/**
 * Milliseconds of each stage. `prepare`: everything before the traversal, including `make`. `make`:
 * estimating the costs of the front's nodes and expanding the front. `expand`: only expanding the front.
 * `storeCosts`: storing the measured costs for the next run, after the traversal. `sumCosts`: only summing
 * them along the cost tree. `copy`: only copying the results of all work lists to one place.
 */
export interface StageTimes {
  prepare: number;
  make: number;
  expand: number;
  traverse: number;
  storeCosts: number;
  sumCosts: number;
  copy: number;
}

/** The stages that are a single kernel. */
const kernelStages: Record<string, keyof StageTimes> = {
  expandFront: 'expand',
  storeCosts: 'sumCosts',
  copyRuns: 'copy',
};

export const noTimes = (): StageTimes => ({
  prepare: 0,
  make: 0,
  expand: 0,
  traverse: 0,
  storeCosts: 0,
  sumCosts: 0,
  copy: 0,
});

/** Times all queries of the engine from now on, and adds up the milliseconds of each stage. */
export function timeStages(engine: Engine): StageTimes {
  const stageTimes = noTimes();
  const stages = stagesOf(engine);
  const wrap = <Name extends string>(
    owner: Record<Name, (...all: never[]) => unknown>,
    name: Name,
    stageOf: (first: unknown) => keyof StageTimes | undefined,
  ): void => {
    const original = owner[name].bind(owner) as (...all: unknown[]) => unknown;
    owner[name] = (...all: unknown[]): unknown => {
      const stage = stageOf(all[0]);
      const startedAt = performance.now();
      try {
        return original(...all);
      } finally {
        if (stage) stageTimes[stage] += performance.now() - startedAt;
      }
    };
  };
  wrap(stages, 'prepare', () => 'prepare');
  wrap(stages, 'traverse', () => 'traverse');
  wrap(stages.maker, 'make', () => 'make');
  wrap(stages.maker, 'storeCosts', () => 'storeCosts');
  wrap(
    internalsOf(engine).context.pool as unknown as Record<'run', () => unknown>,
    'run',
    // The kernel's name may end with a traversal mode.
    kernel => kernelStages[String(kernel).replace(/(Self|Spheres)$/, '')],
  );
  return stageTimes;
}
