// Points and boxes of one mesh, four at a time -> the other's frame, by a PairRecord's rows.

import { add, mul, splatAt } from './lanes';

/** One coordinate of the image of four points: row = matrix row (4 floats) of a PairRecord. */
export function image(row: usize, x: v128, y: v128, z: v128): v128 {
  return add(
    add(mul(splatAt(row, 0), x), mul(splatAt(row, 4), y)),
    add(mul(splatAt(row, 8), z), splatAt(row, 12)),
  );
}

/** One half extent of the image of four boxes, grown by slack: row = 3 floats of |matrix|. */
export function halfImage(row: usize, x: v128, y: v128, z: v128, slack: v128): v128 {
  return add(add(mul(splatAt(row, 0), x), mul(splatAt(row, 4), y)), add(mul(splatAt(row, 8), z), slack));
}
