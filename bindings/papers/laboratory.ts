// An engine for reproducing papers. It has the kernels of the module `papers`. Its Study has settings that
// `createEngine` does not offer, for example how the front of a query (the pairs of boxes from which it
// starts) is made.

import { copyOptions } from '../core/checkOptions.js';
import { startEngine } from '../engine/createEngine.js';
import type { Engine } from '../engine/engine.js';
import { ENGINE, type EngineOptions } from '../engine/engineOptions.js';
import { limits } from '../records/layout.js';
import type { EngineContext, FrontStudy, KernelContext } from '../runtime/engineContext.js';
import { type Round, type Traversal, WorkFront, type WorkFrontStudy } from './workFront.js';
import { nameLength, wasmGzipBase64 } from '../wasm/papers.wasm.js';

/**
 * How the cost of a front node (a pair of boxes) is estimated from the overlap of its boxes. 'volume': V, the
 * volume of the overlap. 'root': the square root of V. Both have the form alpha * V of eq. 2 (Zhang and Kim
 * 2014), with alpha = 1 or alpha = V^(-1/2). 'depth': the penetration depth of the boxes.
 */
export type OverlapWeight = 'volume' | 'root' | 'depth';

const WEIGHTS: Readonly<Record<OverlapWeight, number>> = {
  volume: limits.WEIGHT_VOLUME,
  root: limits.WEIGHT_ROOT,
  depth: limits.WEIGHT_DEPTH,
};

/** Settings of a laboratory's engine. A setting applies to all queries until it is changed. */
export interface Study {
  /**
   * The grain g of eq. 1 (Zhang and Kim 2014): no front node costs more than total / (grain * lists), where
   * total is the cost of all pairs and lists is the number of work lists. If undefined, the grain depends on
   * the number of lists, on coherence and on stealing.
   */
  grain: number | undefined;
  /**
   * How the costs of nodes without a measured cost are estimated. If undefined: 'root' if both coherence and
   * stealing are off, otherwise 'volume'.
   */
  overlap: OverlapWeight | undefined;
  /**
   * How queries of placed meshes traverse the trees, if the queries want triangle pairs or any hit. The results
   * do not depend on this setting.
   */
  traversal: Traversal;
  /** Counters of each round of the last query that ran in rounds (whose traversal was not 'front'). */
  readonly rounds: readonly Round[];
}

class LaboratoryStudy implements Study, FrontStudy, WorkFrontStudy {
  grain: number | undefined;
  overlap: OverlapWeight | undefined;
  traversal: Traversal = 'front';
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
   * Runs all work lists on one thread in virtual time, as if each list had its own thread. Used if there are
   * more lists than threads.
   */
  runSimulated(pairing: '' | 'Self' | 'Spheres' | 'Near', jobAt: number): void {
    this.#pool.kernels[`traverseSimulated${pairing}`](jobAt, 0, 1);
  }
}

/** An engine and its settings. */
export interface Laboratory {
  /** The engine. */
  engine: Engine;
  /** The settings of the engine, and the counters of its last query. */
  study: Study;
}

/**
 * Starts a laboratory. Its engine has all modules, unless `options.modules` selects fewer. Source: Zhang and
 * Kim 2014; Journal of Software 19 (Supplement), 2008, section 2 (rounds).
 * @throws as createEngine
 */
export async function createLaboratory(options: EngineOptions = {}): Promise<Laboratory> {
  let study!: LaboratoryStudy;
  const engine = await startEngine(copyOptions<EngineOptions>(ENGINE, options), {
    inlined: { nameLength, wasmGzipBase64 },
    extend(context) {
      study = new LaboratoryStudy(context);
      return { study };
    },
    makeMethods: () => ({}),
  });
  return { engine: engine as Engine, study };
}
