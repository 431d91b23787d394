// Defines the certificate of a query: a proof that the result is complete, which independent code can check.

/**
 * A proof that a result of `query` has all intersecting triangle pairs of two placed meshes. The function
 * `verify` of `pfront/verify`, which shares no code with the engine, checks the proof. Source: McConnell,
 * Mehlhorn, Näher and Schweitzer 2011 (certifying algorithms).
 *
 * `orderA` and `orderB` list the triangles of the two meshes. A node is a range of such a list; its children
 * are the first and the second half of the range. If the number of triangles is odd, the first half is the
 * shorter one. The steps start with the pair of the two whole lists and divide it, in depth-first order, until
 * each pair of nodes is proven to be apart or is a pair of single triangles.
 */
export interface Certificate {
  /** The version of the format. */
  version: 1;
  /** A's triangle numbers, each once. The nodes of A are ranges of this list. */
  orderA: Uint32Array;
  /** B's triangle numbers, each once. The nodes of B are ranges of this list. */
  orderB: Uint32Array;
  /**
   * One byte per step of the division. The guide "Certificates" lists the values and what each says about a
   * pair of nodes.
   */
  steps: Uint8Array;
}

/**
 * The values of a step, and what each says about a pair of nodes.
 * - SPLIT_A: the next steps are about the two children of A's node, each paired with B's node.
 * - SPLIT_B: the next steps are about the two children of B's node, each paired with A's node.
 * - COMMON: both nodes are single triangles, which share a point.
 * - BOXES + axis: the bounding boxes of the placed vertices are apart; along this axis, A's box is below B's.
 * - BOXES + 3 + axis: the boxes are apart; along this axis, B's box is below A's.
 * - TRIANGLES + direction: both nodes are single triangles, which are apart along this direction.
 *   `directionOf` in directions.ts numbers the directions.
 */
export const STEPS = { SPLIT_A: 0, SPLIT_B: 1, COMMON: 2, BOXES: 3, TRIANGLES: 9 } as const;

/** The number of directions along which two triangles may be proven to be apart. */
export const DIRECTIONS = 38;
