// Moves two vertices of a cloth in opposite directions.

/** Moves two vertices, by (x, y, z) and (-x, -y, -z). Their coordinates start at the indices i and j. */
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
