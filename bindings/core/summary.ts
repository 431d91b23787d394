// Collects the statistics of the last query that a FrontSystem ran.

import type { FrontSystem } from '../narrowphase/front.js';
import type { EngineContext } from '../runtime/engineContext.js';
import type { QueryStats, ThreadStats } from './stats.js';

export function summarize(front: FrontSystem, context: EngineContext, threadsWorthwhile: number): QueryStats {
  const threads: ThreadStats[] = [];
  let maxCost = 0;
  let total = 0;
  for (let list = 0; list < front.parts; list++) {
    const cost = front.listCost(list);
    maxCost = Math.max(maxCost, cost);
    total += cost;
    threads.push({
      boxTests: front.lists.counter(list, 'boxTests'),
      leafPairs: front.lists.counter(list, 'leafPairs'),
      triangleTests: front.lists.counter(list, 'triangleTests'),
      exactTests: front.lists.counter(list, 'uncertain'),
      pairs: front.lists.read(list, 'pairsCount'),
      milliseconds: front.listMilliseconds[list],
    });
  }
  return {
    threads,
    startingFrontNodes: front.startCount,
    frontNodes: front.frontCount,
    imbalance: total === 0 ? 1 : (maxCost * front.parts) / total,
    threadsWorthwhile,
    milliseconds: front.milliseconds,
    frontBytes: front.frontBytes,
    bytes: context.arena.usedBytes,
    coherence: front.isCoherent ? 'on' : 'off',
    ...context.extensions.spheres?.stats(),
  };
}
