// What scenes sweep their bodies with: what is asked of it, and what it tells.

import type { PairList } from '../broadphase/pairSort.js';
import type { Bodies } from '../scene/bodies.js';
import type { BodyMotion } from './bodyMotion.js';
import type { Motion, SweepOptions } from './sweepOptions.js';
import type { SweptContacts } from './sweptContacts.js';

/** How bodies of a scene are swept. */
export interface ContinuousOptions extends SweepOptions {
  /** From where each body was at the last detect, or where setTransforms had it begin, to where it is. */
  continuous: true;
  /** How bodies go there. Default 'linear'. */
  motion?: Motion;
}

/**
 * Contacts on the way: bodies a[i] < b[i] touch. Of each pair the first contact, or with `want: 'all'` all;
 * sorted by a, then b, then as contacts of two meshes are.
 */
export interface SweptBodies extends SweptContacts {
  /** Numbers of the first bodies, and of the second. */
  a: Uint32Array;
  /** See `a`. */
  b: Uint32Array;
}

/** A scene's own. */
export interface BodySweeper {
  /**
   * from: where bodies were, 12 numbers a slot. choose: those of the pairs of slots that may touch. @throws
   * Unsupported
   */
  begin(
    bodies: Bodies,
    from: Float64Array,
    options: ContinuousOptions,
    choose: (near: PairList) => PairList,
  ): BodyMotion<SweptBodies>;
  dispose(): void;
}
