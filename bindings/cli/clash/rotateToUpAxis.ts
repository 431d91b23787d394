// Rotates the parts of files to the up axis of the scene. A rotation swaps two coordinates and changes the
// sign of one, so nothing is rounded.
import { mapTransforms, type Part, type Up, type WarningHandler } from '../../formats/part.js';

/**
 * Rotates parts whose up axis differs from the up axis of the scene.
 *
 * @param up - The up axis of the scene, or undefined to leave all parts as they are. Files whose format
 *   defines no up axis are assumed to have this up axis.
 * @param warn - Receives a note if `up` is undefined and the files have different up axes.
 */
export function rotateToUpAxis<Kind extends Part & { file: string }>(
  parts: Kind[],
  up: Up | undefined,
  warn: WarningHandler,
): Kind[] {
  if (up !== undefined)
    return parts.map(part =>
      part.up === undefined || part.up === up
        ? part
        : mapTransforms(part, transform => rotated(transform, up)),
    );
  const [y, z] = (['y', 'z'] as const).map(axis => parts.find(part => part.up === axis));
  if (y && z)
    warn(
      `${y.file} has y up, ${z.file} has z up; neither is rotated`,
      'Add --up z or --up y to rotate the files with the other axis.',
    );
  return parts;
}

// Rotates by 90 degrees about the x axis, so that the old up axis becomes the new one.
function rotated(transform: Float64Array, up: Up): Float64Array {
  const [positive, negative] = up === 'z' ? [2, 1] : [1, 2];
  const result = transform.slice();
  for (let column = 0; column < 16; column += 4) {
    result[column + positive] = transform[column + negative];
    result[column + negative] = 0 - transform[column + positive];
  }
  return result;
}
