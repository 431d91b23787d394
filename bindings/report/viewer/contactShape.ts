// Computes the shapes of contacts in the 3D view, and the box of a contact.
import { Box3, Vector3 } from 'three';
import type { ContactArrays, SceneContent } from '../content.js';
import type { Placement } from './placement.js';

/** Returns the segments of all curves, six numbers each, relative to the point of the clash. */
export function segmentsOf({ lineLengths, linePoints }: ContactArrays): Float32Array {
  const count = lineLengths.reduce((sum, length) => sum + length - 1, 0);
  const segments = new Float32Array(6 * count);
  let from = 0;
  let to = 0;
  for (const length of lineLengths) {
    for (let i = 0; i + 1 < length; i++, to += 6)
      segments.set(linePoints.subarray(3 * (from + i), 3 * (from + i) + 6), to);
    from += length;
  }
  return segments;
}

/**
 * Returns the box of a contact in the coordinates of the files: the box around all shared points, or around the
 * two nearest points. If one part lies inside the other, returns the overlap of the boxes of the two parts.
 */
export function contactBox(
  { header, contacts }: SceneContent,
  { fileBoxes }: Placement,
  clash: number,
): Box3 {
  const { a, b, point } = header.clashes[clash];
  const { linePoints, regionCorners, singlePoints } = contacts[clash];
  const box = new Box3();
  const corner = new Vector3();
  for (const points of [linePoints, regionCorners, singlePoints])
    for (let at = 0; at < points.length; at += 3) box.expandByPoint(corner.fromArray(points, at));
  if (!box.isEmpty()) return box.translate(corner.fromArray(point));
  const low = fileBoxes[a].min.clone().max(fileBoxes[b].min);
  const high = fileBoxes[a].max.clone().min(fileBoxes[b].max);
  // Boxes that touch may be slightly apart after rounding.
  return new Box3(low.clone().min(high), low.clone().max(high));
}
