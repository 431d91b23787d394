// Writes vectors of doubles.

/** Writes a vector to three f64. */
export function writeVector(at: usize, x: f64, y: f64, z: f64): void {
  store<f64>(at, x);
  store<f64>(at, y, 8);
  store<f64>(at, z, 16);
}
