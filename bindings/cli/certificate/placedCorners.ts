// Computes the placed corners of a part, and the hash that identifies these corners in a certificate.
import { createHash } from 'node:crypto';
import { placeOn } from '../../core/transform.js';
import { exactVerticesOf, type Part } from '../../formats/part.js';

/** Returns 9 placed coordinates per triangle, with exactly the values that a query of the engine uses. */
export function placedCorners(part: Part): Float64Array {
  const { indices } = part;
  const { positions, transform } = exactVerticesOf(part);
  const rows = Float64Array.from({ length: 12 }, (_, i) => transform[4 * (i % 4) + Math.floor(i / 4)]);
  const corners = new Float64Array(3 * indices.length);
  for (let corner = 0; corner < indices.length; corner++) {
    const vertex = 3 * indices[corner];
    for (let axis = 0; axis < 3; axis++)
      corners[3 * corner + axis] = placeOn(
        rows,
        4 * axis,
        positions[vertex],
        positions[vertex + 1],
        positions[vertex + 2],
      );
  }
  return corners;
}

/** Returns the SHA-256 of placed corners as doubles, little-endian, in hexadecimal digits. */
export function hashOf(corners: Float64Array): string {
  const bytes = new DataView(new ArrayBuffer(corners.byteLength));
  corners.forEach((value, i) => bytes.setFloat64(8 * i, value, true));
  return createHash('sha256').update(bytes).digest('hex');
}
