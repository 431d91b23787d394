// Declares the types of a scene's continuous collision detection: its options, its result and the interface
// that the scene uses.

import type { PairList } from '../broadphase/pairSort.js';
import type { Bodies } from '../scene/bodies.js';
import type { BodySweepRun } from './bodySweepRun.js';
import type { Motion, SweepOptions } from './sweepOptions.js';
import type { SweptContacts } from './sweptContacts.js';

/** Options of `detect` for continuous collision detection. */
export interface ContinuousOptions extends SweepOptions {
  /**
   * Sweeps each body from its placement at the last `detect`, or from the start placement that was passed to
   * `setTransforms`, to its current placement.
   */
  continuous: true;
  /** How bodies move between the two placements. Default 'linear'. */
  motion?: Motion;
}

/**
 * Contacts during the motion of bodies: the first contact of each pair of bodies or, with `want: 'all'`, all
 * contacts. Contact i is between the bodies a[i] and b[i], and a[i] is less than b[i]. The contacts are sorted
 * by a, then by b; contacts of the same pair are sorted as in SweptContacts.
 */
export interface SweptBodies extends SweptContacts {
  /** Ids of the first body of each contact. */
  a: Uint32Array;
  /** Ids of the second body of each contact. */
  b: Uint32Array;
}

/** The continuous collision detection of one scene. */
export interface BodySweeper {
  /**
   * Starts a sweep of bodies.
   * @param from previous placements, 12 numbers per slot
   * @param choose receives the pairs of slots whose boxes overlap, and selects those that may touch
   * @throws Unsupported
   */
  begin(
    bodies: Bodies,
    from: Float64Array,
    options: ContinuousOptions,
    choose: (near: PairList) => PairList,
  ): BodySweepRun<SweptBodies>;
  dispose(): void;
}
