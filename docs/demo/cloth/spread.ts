// Two vertices of a cloth -> farther apart, or nearer.

/** Moves the vertex whose x is at i by x, y, z, and that at j as far the other way. */
export function spread(positions: Float64Array, i: number, j: number, x: number, y: number, z: number): void {
  positions[i]! += x;
  positions[i + 1]! += y;
  positions[i + 2]! += z;
  positions[j]! -= x;
  positions[j + 1]! -= y;
  positions[j + 2]! -= z;
}
