// Transforms points and boxes from the normalized frame of a mesh to another frame, four at a time. A matrix is
// a transform of a PairRecord, or the placement of a tree (see ccd/placedTree.ts).

import { add, mul, splatAt } from './lanes';

/** Returns one coordinate of four transformed points. row: a row of a matrix, four floats. */
export function image(row: usize, x: v128, y: v128, z: v128): v128 {
  return add(
    add(mul(splatAt(row, 0), x), mul(splatAt(row, 4), y)),
    add(mul(splatAt(row, 8), z), splatAt(row, 12)),
  );
}

/**
 * Returns one half extent of four transformed boxes, enlarged by `slack`. row: a row of the absolute values
 * of the matrix (3 floats).
 */
export function halfImage(row: usize, x: v128, y: v128, z: v128, slack: v128): v128 {
  return add(add(mul(splatAt(row, 0), x), mul(splatAt(row, 4), y)), add(mul(splatAt(row, 8), z), slack));
}
