// Gives benches access to the internals of an engine, for example to measure the stages of a query.

import type { Engine } from '../../dist/index.js';
import type { PairWriter } from '../../dist/mesh/pairWriter.js';
import type { FrontSystem } from '../../dist/narrowphase/front.js';
import type { EngineContext } from '../../dist/runtime/engineContext.js';

type Stage = (...all: never[]) => unknown;

/**
 * The stages of a query. prepare: everything before the traversal, including maker.make, which makes the
 * front (the node pairs that are divided among work lists). traverse: the traversal. maker.storeCosts: writes
 * the measured costs back after the traversal.
 */
export interface Stages {
  prepare: Stage;
  traverse: Stage;
  maker: { make: Stage; storeCosts: Stage };
}

interface Internals {
  context: EngineContext;
  front: FrontSystem;
  writer: PairWriter;
}

export const internalsOf = (engine: Engine): Internals => engine as unknown as Internals;
export const stagesOf = (engine: Engine): Stages => internalsOf(engine).front as unknown as Stages;
