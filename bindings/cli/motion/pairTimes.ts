// Defines the times at which two parts come near each other during a motion: the intervals of contact or, if
// there are none, the time of the min clearance.
import type { MotionClass } from './motionClasses.js';
import type { ContactInterval, MinClearance } from './pairTracker.js';

/** When two parts a < b come near each other during a motion. */
export interface PairTimes {
  a: number;
  b: number;
  class: MotionClass;
  /** The intervals of contact, in ascending order; empty if `class` is 'clearance'. */
  intervals: ContactInterval[];
  /** The min clearance; set only if `class` is 'clearance'. */
  min?: MinClearance;
}
