// Computes the dot products of a placement's columns and, from these products, an upper bound of the stretch.
// A placement is stored as three rows of four numbers of type T. Columns are numbered from 0.

/** Returns the dot product of columns a and b. The products are computed in doubles. */
// @ts-ignore: decorator
@inline
export function dotColumns<T>(rows: usize, a: usize, b: usize): f64 {
  const atA = rows + a * sizeof<T>();
  const atB = rows + b * sizeof<T>();
  return (
    <f64>load<T>(atA) * <f64>load<T>(atB) +
    <f64>load<T>(atA, 4 * sizeof<T>()) * <f64>load<T>(atB, 4 * sizeof<T>()) +
    <f64>load<T>(atA, 8 * sizeof<T>()) * <f64>load<T>(atB, 8 * sizeof<T>())
  );
}

/**
 * Returns an upper bound of the factor by which the matrix lengthens vectors. The bound does not cover rounding
 * errors. The dot products of the matrix's columns form a symmetric matrix, the Gram matrix. The factor is the
 * square root of the greatest eigenvalue of the Gram matrix. This eigenvalue is at most the greatest sum of
 * absolute values in a row (Gershgorin).
 */
export function maxStretch<T>(rows: usize): f64 {
  const absXY = abs(dotColumns<T>(rows, 0, 1));
  const absYZ = abs(dotColumns<T>(rows, 1, 2));
  const absZX = abs(dotColumns<T>(rows, 2, 0));
  return sqrt(
    max(
      max(dotColumns<T>(rows, 0, 0) + absXY + absZX, dotColumns<T>(rows, 1, 1) + absXY + absYZ),
      dotColumns<T>(rows, 2, 2) + absYZ + absZX,
    ),
  );
}
