// Options of createEngine -> an engine that papers are studied with: it has their kernels, and its fronts can be
// made in ways that the product does not offer.

import { copyOptions } from '../core/optionTable.js';
import { startEngine } from '../engine/createEngine.js';
import type { Engine } from '../engine/engine.js';
import { ENGINE, type EngineOptions } from '../engine/engineOptions.js';
import { limits } from '../records/layout.js';
import type { FrontStudy, Machine } from '../runtime/backend.js';
import { nameLength, wasmGzipBase64 } from '../wasm/papers.wasm.js';

/**
 * How overlap stands for cost: eq. 2's alpha V (Zhang and Kim) with alpha = 1 ('volume'), alpha = V^-1/2
 * ('root'), or penetration depth.
 */
export type OverlapWeight = 'volume' | 'root' | 'depth';

const WEIGHTS: Readonly<Record<OverlapWeight, number>> = {
  volume: limits.WEIGHT_VOLUME,
  root: limits.WEIGHT_ROOT,
  depth: limits.WEIGHT_DEPTH,
};

/** Settings of a laboratory's engine, which hold for all queries until they are changed. */
export class Study implements FrontStudy {
  /** g of eq. 1: no node costs more than total / (grain * lists). Default: follows the number of lists. */
  grain: number | undefined;
  /** How overlap stands for cost where no last run is known. */
  overlap: OverlapWeight = 'volume';
  readonly #pool: Machine['pool'];

  constructor({ pool }: Machine) {
    this.#pool = pool;
  }

  get weight(): number {
    return WEIGHTS[this.overlap];
  }

  /** More lists than threads run in virtual time, as so many equal threads would run them. */
  runInTurn(pairing: '' | 'Self' | 'Spheres' | 'Near', jobAt: number): void {
    this.#pool.kernels[`traverseInTurn${pairing}`](jobAt, 0, 1);
  }
}

/** An engine, and how its fronts are made. */
export interface Laboratory {
  engine: Engine;
  study: Study;
}

/** Starts one, with all modules unless options name some. @throws as createEngine */
export async function createLaboratory(options: EngineOptions = {}): Promise<Laboratory> {
  let study!: Study;
  const engine = await startEngine(copyOptions<EngineOptions>(ENGINE, options), {
    inlined: { nameLength, wasmGzipBase64 },
    extend(machine) {
      study = new Study(machine);
      return { study };
    },
    makeVerbs: () => ({}),
  });
  return { engine: engine as Engine, study };
}
