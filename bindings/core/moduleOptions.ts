// Defines which values are valid for the options of self-queries, the broad phase, scenes and sweeps.
// Synchronous and asynchronous calls share these tables.

import type { BoxPairsOptions } from '../broadphase/boxPairs.js';
import type { BroadPhaseMethod } from '../broadphase/incremental/createIncrementalBroadPhase.js';
import type { ContinuousOptions } from '../ccd/bodySweeper.js';
import type { FeatureSweepOptions } from '../ccd/featureSweep.js';
import type { PlacedSweepOptions, SweepOptions } from '../ccd/sweepOptions.js';
import type { Neighbors } from '../narrowphase/selfTrees.js';
import type { BodyOptions, DetectOptions, SceneOptions, StartOptions } from '../scene/sceneOptions.js';
import {
  anyValue,
  callback,
  integer,
  nonNegative,
  type OptionTable,
  oneOf,
  trueOrFalse,
} from './checkOptions.js';
import { Unsupported } from './errors.js';
import { ON_OFF, ORDER, PARTITION, type QueryOptions } from './queryOptions.js';

/** Options of selfQuery. All are optional. */
export interface SelfQueryOptions
  extends Pick<QueryOptions, 'want' | 'order' | 'coherence' | 'parts' | 'stealing'> {
  /**
   * Which triangles are neighbors; neighbors are never returned as a pair. 'index': triangles that share a
   * vertex index. 'position': triangles that have a vertex with the same coordinates (-0 equals 0). Default
   * 'index'.
   */
  neighbors?: Neighbors;
}

export const SELF_QUERY: OptionTable<SelfQueryOptions> = {
  want: oneOf('pairs', 'any'),
  order: ORDER,
  ...PARTITION,
  neighbors: oneOf('index', 'position'),
};

export const METHODS = ['auto', 'sap', 'cells', 'octree', 'tree'];
const METHOD = oneOf(...METHODS);
// This method keeps data between calls, so createBroadPhase and createScene offer it, but boxPairs does not.
const INCREMENTAL = 'sap-persistent';
const INCREMENTAL_METHOD = oneOf(...METHODS, INCREMENTAL);

export const BOX_PAIRS: OptionTable<BoxPairsOptions> = {
  against: anyValue,
  order: ORDER,
  countOnly: trueOrFalse,
  forEachChunk: callback,
  chunkPairs: integer(1, 2 ** 32),
  method: value => {
    if (value === INCREMENTAL)
      throw new Unsupported(
        `method is '${INCREMENTAL}', which needs a broad phase that is kept between frames`,
        `use engine.createBroadPhase({ method: '${INCREMENTAL}' })`,
      );
    return METHOD(value);
  },
};
/** Options of createBroadPhase. All are optional. */
export interface BroadPhaseOptions {
  /**
   * The method that finds the pairs. Every method finds the same pairs. 'sap-persistent' keeps sorted lists
   * of endpoints, which suits motion in small steps. Default 'auto'.
   */
  method?: BroadPhaseMethod;
  /**
   * Whether `began` and `ended` are computed. With 'on', pairs() returns sorted pairs even if its option
   * `order` is 'any'. Default 'on'.
   */
  events?: 'on' | 'off';
}

export const BROAD_PHASE: OptionTable<BroadPhaseOptions> = { method: INCREMENTAL_METHOD, events: ON_OFF };
/** Options of the method `pairs` of a broad phase. */
export const BROAD_PHASE_PAIRS: OptionTable<Pick<BoxPairsOptions, 'order'>> = { order: ORDER };

export const SCENE: OptionTable<SceneOptions> = { broadPhase: INCREMENTAL_METHOD };
// 32 bits, signed or unsigned.
const BITS = integer(-(2 ** 31), 2 ** 32 - 1);
export const BODY: OptionTable<BodyOptions> = { transform: anyValue, group: BITS, mask: BITS };
/** Options of setTransforms. */
export const START: OptionTable<StartOptions> = { from: anyValue };
export const DETECT: OptionTable<DetectOptions> = {
  narrow: oneOf('boxes', 'any', 'counts', 'pairs', 'contacts'),
  onProgress: callback,
  continuous: trueOrFalse,
  ...PARTITION,
};

export const FEATURE_SWEEP: OptionTable<FeatureSweepOptions> = {
  minSeparation: nonNegative,
  tolerance: nonNegative,
  exact: trueOrFalse,
};
export const SWEEP: OptionTable<SweepOptions> = { want: oneOf('first', 'all'), ...FEATURE_SWEEP };
const MOTION = oneOf('linear', 'rigid');
export const PLACED_SWEEP: OptionTable<PlacedSweepOptions> = {
  fromA: anyValue,
  toA: anyValue,
  fromB: anyValue,
  toB: anyValue,
  motion: MOTION,
  ...SWEEP,
};
export const CONTINUOUS: OptionTable<ContinuousOptions> = {
  continuous: trueOrFalse,
  motion: MOTION,
  ...SWEEP,
};

/** Returns whether options of detect request continuous collision detection. */
export const isContinuous = (
  options: DetectOptions | ContinuousOptions | null,
): options is ContinuousOptions => options?.continuous === true;
