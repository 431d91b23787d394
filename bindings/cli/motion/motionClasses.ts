// The classes of pairs of parts that come near each other during a motion.

/** Worst first. */
export const MOTION_CLASSES = ['contact', 'near', 'clearance'] as const;
/**
 * contact: a time was found at which the parts share a point. near: at some time, the distance between the
 * parts is at most the margin (the option `--margin`), or a sweep could not rule that out, but no shared point
 * was found. clearance: the distance is always greater than the margin, but at some time at most the clearance.
 */
export type MotionClass = (typeof MOTION_CLASSES)[number];

export const isMotionClass = (text: string): text is MotionClass =>
  (MOTION_CLASSES as readonly string[]).includes(text);

/** A description of each class, as a clause without a period. */
export const MOTION_CLASS_DESCRIPTIONS: Record<MotionClass, string> = {
  contact: 'the parts share a point',
  near: 'the parts may come within the margin of each other, but no shared point was found',
  clearance: 'the parts stay apart, but come closer than the clearance',
};
