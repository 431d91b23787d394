// Defines the times at which two parts meet during a motion: intervals of contact, or the time of the min
// clearance.
import type { MotionClass } from './motionClasses.js';
import type { ContactInterval, MinClearance } from './pairTracker.js';

/** When two parts a < b come near each other during a motion. */
export interface PairTimes {
  a: number;
  b: number;
  class: MotionClass;
  /** The intervals of contact, ascending; empty for the class clearance. */
  intervals: ContactInterval[];
  /** The min clearance, for the class clearance. */
  min?: MinClearance;
}
