// Computes what the report draws for each clash: the curves, regions and points that the two parts share.

import type { Progress } from '../cli/progress.js';
import { placementsOf } from '../formats/part.js';
import type { Part } from '../formats/readParts.js';
import type { ContactSegments, Distance, Engine, Mesh } from '../index.js';
import type { Point } from './bounds.js';
import type { Finding } from './clashClasses.js';
import type { ClashContact } from './content.js';
import { joinSegments } from './joinSegments.js';

/**
 * Returns the contact of each clash. If the surfaces of the parts intersect, the contact consists of the curves
 * along which they cross or touch, the regions in which they are coplanar, and single points. If the parts are
 * apart, the contact is the line between their nearest points. If one part lies entirely inside the other, the
 * contact is empty.
 *
 * @param meshes - The mesh of each part, created by this engine.
 * @param places - A point of each clash. Coordinates of its contact are relative to this point.
 * @throws Errors of the engine.
 */
export function findContacts(
  engine: Engine<'proximity'>,
  meshes: Mesh[],
  parts: Part[],
  clashes: Finding[],
  places: ReadonlyMap<Finding, { point: Point }>,
  progress: Progress,
): ClashContact[] {
  progress.begin('Finding contacts', clashes.length);
  return clashes.map(clash => {
    const found = contactOf(engine, meshes, parts, clash, places.get(clash)!.point);
    progress.step();
    return found;
  });
}

function contactOf(
  engine: Engine<'proximity'>,
  meshes: Mesh[],
  parts: Part[],
  { a, b, class: kind, trianglePairs }: Finding,
  origin: Point,
): ClashContact {
  const placements = placementsOf(parts[a], parts[b]);
  if (kind === 'clearance') return nearestPoints(engine.distance(meshes[a], meshes[b], placements)!, origin);
  if (trianglePairs === 0) return empty(origin);
  return sharedPoints(engine.query(meshes[a], meshes[b], { ...placements, want: 'segments' }), origin);
}

const relativeTo = (origin: Point, points: ArrayLike<number>): Float32Array =>
  Float32Array.from(points, (value, i) => value - origin[i % 3]);

/** Returns the line between the nearest points of two meshes. Its coordinates are relative to `origin`. */
export function nearestPoints(
  { pointA, pointB }: Pick<Distance, 'pointA' | 'pointB'>,
  origin: Point,
): ClashContact {
  return {
    ...empty(origin),
    triangleCountA: 1,
    triangleCountB: 1,
    lineLengths: Uint32Array.of(2),
    linePoints: relativeTo(origin, [...pointA, ...pointB]),
  };
}

/** Returns the points that the surfaces of two meshes share. Their coordinates are relative to `origin`. */
export function sharedPoints(hits: ContactSegments, origin: Point): ClashContact {
  const { pointsAt } = hits;
  const points = relativeTo(origin, hits.points);
  const segments: number[] = [];
  const corners: number[] = [];
  const singles: number[] = [];
  for (let pair = 0; pair < hits.count; pair++) {
    const count = pointsAt[pair + 1] - pointsAt[pair];
    const own = points.subarray(3 * pointsAt[pair], 3 * pointsAt[pair + 1]);
    if (count === 1) singles.push(...own);
    else if (count === 2) segments.push(...own);
    else
      for (let corner = 1; corner + 1 < count; corner++)
        corners.push(...own.subarray(0, 3), ...own.subarray(3 * corner, 3 * corner + 6));
  }
  return {
    point: origin,
    triangleCountA: new Set(hits.a).size,
    triangleCountB: new Set(hits.b).size,
    ...joinSegments(segments, singles, corners),
    regionCorners: Float32Array.from(corners),
  };
}

const empty = (point: Point): ClashContact => ({
  point,
  triangleCountA: 0,
  triangleCountB: 0,
  lineLengths: new Uint32Array(),
  linePoints: new Float32Array(),
  regionCorners: new Float32Array(),
  singlePoints: new Float32Array(),
});
