// Tables of the options of modules: what each option may be, described once for synchronous and asynchronous
// calls.

import type { BoxPairsOptions } from '../broadphase/boxPairs.js';
import type { KeptMethod } from '../broadphase/incremental/makeKeeper.js';
import type { ContinuousOptions } from '../ccd/bodySweeper.js';
import type { FeatureSweepOptions } from '../ccd/featureSweep.js';
import type { PlacedSweepOptions, SweepOptions } from '../ccd/sweepOptions.js';
import type { Neighbours } from '../narrowphase/selfTrees.js';
import type { BodyOptions, DetectOptions, SceneOptions, StartOptions } from '../scene/sceneOptions.js';
import { Unsupported } from './errors.js';
import { ON_OFF, ORDER, PARTITION, type QueryOptions } from './options.js';
import {
  anything,
  callback,
  fromZero,
  type OptionTable,
  oneOf,
  trueOrFalse,
  wholeNumber,
} from './optionTable.js';

/** What selfQuery may be asked for; all may be left out. */
export interface SelfQueryOptions
  extends Pick<QueryOptions, 'want' | 'order' | 'coherence' | 'parts' | 'stealing'> {
  /**
   * Which triangles are neighbours, and no pair: those with a vertex of one index, or of the same coordinates
   * (-0 is 0). Default 'index'.
   */
  neighbours?: Neighbours;
}

export const SELF_QUERY: OptionTable<SelfQueryOptions> = {
  want: oneOf('pairs', 'any'),
  order: ORDER,
  ...PARTITION,
  neighbours: oneOf('index', 'position'),
};

export const METHODS = ['auto', 'sap', 'cells', 'octree', 'tree'];
const METHOD = oneOf(...METHODS);
// A method that keeps something between calls is a broad phase's alone.
const KEPT = 'sap-persistent';
const KEPT_METHOD = oneOf(...METHODS, KEPT);

export const BOX_PAIRS: OptionTable<BoxPairsOptions> = {
  against: anything,
  order: ORDER,
  countOnly: trueOrFalse,
  forEachChunk: callback,
  chunkPairs: wholeNumber(1, 2 ** 32),
  method: value => {
    if (value === KEPT)
      throw new Unsupported(
        `method is '${KEPT}', which keeps boxes from frame to frame`,
        `use engine.createBroadPhase({ method: '${KEPT}' })`,
      );
    return METHOD(value);
  },
};
/** What createBroadPhase may be asked for; all may be left out. */
export interface BroadPhaseOptions {
  /**
   * How pairs are found; they are the same. 'sap-persistent' keeps sorted lists of endpoints: for motion by
   * small steps. Default 'auto'.
   */
  method?: KeptMethod;
  /** Whether `began` and `ended` are kept. 'off' lets pairs() leave them unsorted. Default 'on'. */
  events?: 'on' | 'off';
}

export const BROAD_PHASE: OptionTable<BroadPhaseOptions> = { method: KEPT_METHOD, events: ON_OFF };
/** Of pairs of a broad phase. */
export const KEPT_PAIRS: OptionTable<Pick<BoxPairsOptions, 'order'>> = { order: ORDER };

export const SCENE: OptionTable<SceneOptions> = { broadPhase: KEPT_METHOD };
// 32 bits, signed or not.
const BITS = wholeNumber(-(2 ** 31), 2 ** 32 - 1);
export const BODY: OptionTable<BodyOptions> = { transform: anything, group: BITS, mask: BITS };
/** Of setTransforms. */
export const START: OptionTable<StartOptions> = { from: anything };
export const DETECT: OptionTable<DetectOptions> = {
  narrow: oneOf('boxes', 'any', 'counts', 'pairs'),
  onProgress: callback,
  continuous: trueOrFalse,
  ...PARTITION,
};

export const FEATURE_SWEEP: OptionTable<FeatureSweepOptions> = {
  minSeparation: fromZero,
  tolerance: fromZero,
  exact: trueOrFalse,
};
export const SWEEP: OptionTable<SweepOptions> = { want: oneOf('first', 'all'), ...FEATURE_SWEEP };
const MOTION = oneOf('linear', 'rigid');
export const PLACED_SWEEP: OptionTable<PlacedSweepOptions> = {
  fromA: anything,
  toA: anything,
  fromB: anything,
  toB: anything,
  motion: MOTION,
  ...SWEEP,
};
export const CONTINUOUS: OptionTable<ContinuousOptions> = {
  continuous: trueOrFalse,
  motion: MOTION,
  ...SWEEP,
};

/** Whether options of detect are those of a continuous one. */
export const isContinuous = (
  options: DetectOptions | ContinuousOptions | null,
): options is ContinuousOptions => options?.continuous === true;
