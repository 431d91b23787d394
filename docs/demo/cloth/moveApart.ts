// Moves two vertices of a cloth in opposite directions.

/**
 * Moves the vertex whose coordinates start at index i by the vector (x, y, z). Moves the vertex whose
 * coordinates start at index j by the opposite vector.
 */
export function moveApart(
  positions: Float64Array,
  i: number,
  j: number,
  x: number,
  y: number,
  z: number,
): void {
  positions[i]! += x;
  positions[i + 1]! += y;
  positions[i + 2]! += z;
  positions[j]! -= x;
  positions[j + 1]! -= y;
  positions[j + 2]! -= z;
}
