// Measures the stages of an engine's front: making it, the traversal, and writing costs back.

import type { Engine } from '../../dist/index.js';
import { stagesOf } from './internals.js';

/** Milliseconds by stage, added up over all queries. */
export interface StageTimes {
  prepare: number;
  traverse: number;
  storeCosts: number;
}

/** Times all queries of the engine from now on. */
export function timeStages(engine: Engine): StageTimes {
  const stageTimes: StageTimes = { prepare: 0, traverse: 0, storeCosts: 0 };
  const stages = stagesOf(engine);
  const wrap = <Name extends keyof StageTimes>(
    owner: Record<Name, (...all: never[]) => unknown>,
    name: Name,
  ): void => {
    const original = owner[name].bind(owner) as (...all: never[]) => unknown;
    owner[name] = (...all: never[]): unknown => {
      const startedAt = performance.now();
      try {
        return original(...all);
      } finally {
        stageTimes[name] += performance.now() - startedAt;
      }
    };
  };
  wrap(stages, 'prepare');
  wrap(stages, 'traverse');
  wrap(stages.maker, 'storeCosts');
  return stageTimes;
}
