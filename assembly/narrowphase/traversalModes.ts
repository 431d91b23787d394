// Defines the modes in which trees are traversed. Each kernel file uses one mode as a constant, so that the
// code of the other modes is removed at compile time.

/** Two trees of boxes. */
export const BOXES: u32 = 0;
/** A mesh with itself: both trees are the same, and each pair of boxes is visited in only one order. */
export const SELF: u32 = 1;
/**
 * Two trees with a sphere beside each box. Two children are first tested sphere against sphere. If their
 * spheres overlap and the box of at least one child is to be tested too, a second test follows (see
 * ../hybrid/hybrid.ts).
 */
export const SPHERES: u32 = 2;
/** Two trees of boxes, to find triangle pairs within a clearance of each other. */
export const NEAR: u32 = 3;
