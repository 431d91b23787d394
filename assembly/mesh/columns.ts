// Dot products of the columns of a placement, which is stored as three rows of four doubles.

/** Returns the dot product of two columns. a, b: the byte offsets of the columns in a row. */
export function dotColumns(rows: usize, a: usize, b: usize): f64 {
  return (
    load<f64>(rows + a) * load<f64>(rows + b) +
    load<f64>(rows + a, 32) * load<f64>(rows + b, 32) +
    load<f64>(rows + a, 64) * load<f64>(rows + b, 64)
  );
}
