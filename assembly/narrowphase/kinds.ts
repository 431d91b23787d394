// How the trees of pairs are walked. It is the same for all that a file of kernels runs, so what is of
// another kind is left out of it.

/** Two trees, by their boxes. */
export const BOXES: u32 = 0;
/** Both trees of each pair are one, and each two boxes of it are a pair once. */
export const SELF: u32 = 1;
/** By spheres first, then by a box or a sphere of each. */
export const SPHERES: u32 = 2;
/** Two trees, by their boxes: triangles that are no farther apart than a clearance. */
export const NEAR: u32 = 3;
