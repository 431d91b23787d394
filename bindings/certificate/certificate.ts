// Defines the certificate of a query: a proof, which others can check, that the result is complete.

/**
 * A proof that a result of `query` has all intersecting triangle pairs of two placed meshes. `verify` of
 * `pfront/verify` checks it, and shares no code with the engine.
 *
 * The triangles of each mesh are listed in an order. A node is a range of this list; its two children are its
 * halves, of which the first is the shorter one if the number of triangles is odd. The steps divide the pair
 * of both whole lists, in depth-first order, until each pair of nodes is proven to be apart or is a pair of
 * single triangles.
 */
export interface Certificate {
  /** The version of the format. */
  version: 1;
  /** The triangles of mesh A in the order that its nodes divide: each number once. */
  orderA: Uint32Array;
  /** The same for mesh B. */
  orderB: Uint32Array;
  /** One byte per step: see `STEPS`. */
  steps: Uint8Array;
}

/**
 * What a step says about a pair of nodes, besides `SPLIT_A` and `SPLIT_B`, which go on with the children of
 * one node.
 * - COMMON: both nodes are single triangles, which share a point.
 * - BOXES + axis, BOXES + 3 + axis: the boxes of the placed vertices are apart: along this axis, A is below
 *   B; or B is below A.
 * - TRIANGLES + direction: both nodes are single triangles, which are apart along a direction: see
 *   `directionOf`.
 */
export const STEPS = { SPLIT_A: 0, SPLIT_B: 1, COMMON: 2, BOXES: 3, TRIANGLES: 9 } as const;

/** The number of directions of two triangles. */
export const DIRECTIONS = 38;
