// The classes of pairs of parts that come near each other during a motion.

/** Worst first. */
export const MOTION_CLASSES = ['contact', 'near', 'clearance'] as const;
/**
 * contact: the parts share a point at a measured time. near: at some time, the parts are at most the margin apart,
 * or a sweep could not rule that out, but no shared point was found. clearance: the parts are apart, but not by
 * more than the clearance.
 */
export type MotionClass = (typeof MOTION_CLASSES)[number];

export const isMotionClass = (text: string): text is MotionClass =>
  (MOTION_CLASSES as readonly string[]).includes(text);
