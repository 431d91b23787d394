// Computes the sign of the volume that a closed surface of triangles bounds.

/**
 * The volume is computed as a sum of n determinants, one per triangle. Here, the magnitude of a determinant is
 * the sum of the magnitudes of its products. A volume may be a rounding error if its absolute value is at most
 * a certain share of the sum of these n magnitudes. The share is the larger of ROUNDING and 2^-52 (n + ERRORS).
 */
const ROUNDING = 2 ** -40;
/**
 * The rounding error of one determinant is at most ERRORS / 2 times 2^-53 of its magnitude. Each addition of a
 * determinant to the volume adds an error of at most 2^-53 of the sum of the n magnitudes.
 */
const ERRORS = 32;

/**
 * Returns 1 if a closed surface faces outward, -1 if it faces inward, and 0 if its volume may be a rounding
 * error.
 * @param writeCorners Writes x, y, z of the three corners of a triangle.
 */
export function volumeSign(
  triangles: readonly number[],
  writeCorners: (triangle: number, to: Float64Array) => void,
): number {
  const p = new Float64Array(9);
  writeCorners(triangles[0], p);
  const base = p.slice(0, 3);
  let volume = 0;
  let size = 0;
  for (const triangle of triangles) {
    writeCorners(triangle, p);
    for (let i = 0; i < 9; i++) p[i] -= base[i % 3];
    const [ax, ay, az, bx, by, bz, cx, cy, cz] = p;
    volume += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
    size +=
      Math.abs(ax) * (Math.abs(by * cz) + Math.abs(bz * cy)) +
      Math.abs(ay) * (Math.abs(bz * cx) + Math.abs(bx * cz)) +
      Math.abs(az) * (Math.abs(bx * cy) + Math.abs(by * cx));
  }
  const rounding = Math.max(ROUNDING, (triangles.length + ERRORS) * 2 ** -52);
  return Math.abs(volume) > rounding * size ? Math.sign(volume) : 0;
}
