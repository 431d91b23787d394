// What a file of kernels asks of pairs of leaves: a constant of each, so that none holds another's branch.

/** Two meshes: triangles that share a point. */
export const PLAIN: u32 = 0;
/** One mesh with itself: triangles that share a point and no vertex. */
export const SELF: u32 = 1;
/** Two meshes: triangles that are near each other. */
export const NEAR: u32 = 2;
