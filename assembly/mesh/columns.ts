// Dot products of the columns of a placement, which is stored as three rows of four doubles, and the bound of
// its stretch that follows from them.

/** Returns the dot product of two columns. a, b: the byte offsets of the columns in a row. */
export function dotColumns(rows: usize, a: usize, b: usize): f64 {
  return (
    load<f64>(rows + a) * load<f64>(rows + b) +
    load<f64>(rows + a, 32) * load<f64>(rows + b, 32) +
    load<f64>(rows + a, 64) * load<f64>(rows + b, 64)
  );
}

/**
 * Returns an upper bound, except for rounding, of the factor by which a matrix lengthens vectors. The dot
 * products of its columns form a symmetric matrix, the Gram matrix. The factor is the square root of its
 * greatest eigenvalue, which is at most the greatest sum of absolute values in a row (Gershgorin).
 */
export function maxStretch(xx: f64, yy: f64, zz: f64, xy: f64, yz: f64, zx: f64): f64 {
  const absXY = abs(xy);
  const absYZ = abs(yz);
  const absZX = abs(zx);
  return sqrt(max(max(xx + absXY + absZX, yy + absXY + absYZ), zz + absYZ + absZX));
}
