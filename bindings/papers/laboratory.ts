// An engine for studying papers: it has the kernels of the module `papers` and settings of the front that
// `createEngine` does not offer.

import { copyOptions } from '../core/checkOptions.js';
import { startEngine } from '../engine/createEngine.js';
import type { Engine } from '../engine/engine.js';
import { ENGINE, type EngineOptions } from '../engine/engineOptions.js';
import { limits } from '../records/layout.js';
import type { EngineContext, FrontStudy, KernelContext } from '../runtime/engineContext.js';
import { type Round, type Traversal, WorkFront, type WorkFrontStudy } from './workFront.js';
import { nameLength, wasmGzipBase64 } from '../wasm/papers.wasm.js';

/**
 * How the cost of a node is estimated from the overlap of its boxes. 'volume' and 'root': alpha V of eq. 2
 * (Zhang and Kim), where V is the volume of the overlap, and alpha is 1 for 'volume' and V^-1/2 for 'root'.
 * 'depth': the penetration depth of the boxes.
 */
export type OverlapWeight = 'volume' | 'root' | 'depth';

const WEIGHTS: Readonly<Record<OverlapWeight, number>> = {
  volume: limits.WEIGHT_VOLUME,
  root: limits.WEIGHT_ROOT,
  depth: limits.WEIGHT_DEPTH,
};

/** Settings of a laboratory's engine. They hold for all queries until they are changed. */
export class Study implements FrontStudy, WorkFrontStudy {
  /**
   * The grain g of eq. 1 (Zhang and Kim): no node costs more than total / (grain * lists), where total is the
   * cost of all pairs. Default: depends on the number of lists, coherence and stealing.
   */
  grain: number | undefined;
  /**
   * How overlap estimates the cost of nodes that have not run before. Default: 'root' if neither coherence nor
   * stealing is on, else 'volume'.
   */
  overlap: OverlapWeight | undefined;
  /** The traversal of queries of placed meshes for triangle pairs or any hit. It does not change results. */
  traversal: Traversal = 'front';
  /** Counters of each round of the last query whose traversal was not 'front'. */
  rounds: readonly Round[] = [];
  readonly #pool: KernelContext['pool'];

  constructor({ pool }: KernelContext) {
    this.#pool = pool;
  }

  get weight(): number | undefined {
    return this.overlap && WEIGHTS[this.overlap];
  }

  makeFront(context: EngineContext, pairCapacity: number): WorkFront {
    return new WorkFront(context, pairCapacity, this);
  }

  /**
   * Runs the lists in virtual time, as if each list had its own thread. Used if there are more lists than
   * threads.
   */
  runSimulated(pairing: '' | 'Self' | 'Spheres' | 'Near', jobAt: number): void {
    this.#pool.kernels[`traverseSimulated${pairing}`](jobAt, 0, 1);
  }
}

/** An engine and the settings of its fronts. */
export interface Laboratory {
  engine: Engine;
  study: Study;
}

/**
 * Starts a laboratory. Its engine has all modules unless `options.modules` selects some.
 * @throws as createEngine
 */
export async function createLaboratory(options: EngineOptions = {}): Promise<Laboratory> {
  let study!: Study;
  const engine = await startEngine(copyOptions<EngineOptions>(ENGINE, options), {
    inlined: { nameLength, wasmGzipBase64 },
    extend(context) {
      study = new Study(context);
      return { study };
    },
    makeMethods: () => ({}),
  });
  return { engine: engine as Engine, study };
}
