// Computes where clashes are: the box of the points that two parts share, and one point of the clash.
import { type Part, placementsOf } from '../../formats/part.js';
import type { Mesh } from '../../index.js';
import { type Bounds, boundsOf, centerOf, nearestTo, overlapOf, type Point } from '../../report/bounds.js';
import type { Finding } from '../../report/clashClasses.js';
import type { ClashEngine } from '../clashEngine.js';
import type { Progress } from '../progress.js';
import { boxOf } from './findNearPairs.js';

/** Where a clash is, in the coordinates of the scene. */
export interface Place {
  /**
   * A point of the clash. If the surfaces of the parts intersect, it is the shared point nearest to the
   * center of `box`. Otherwise it is the center of `box`.
   */
  point: Point;
  /**
   * If the surfaces intersect, this is the box of all shared points. For a clash of the class clearance, it is
   * the box of the two nearest points. Otherwise, it is the overlap of the boxes of the two parts.
   */
  box: Bounds;
}

/**
 * Returns the place of each clash.
 *
 * @param meshes - The mesh of each part, created by this engine.
 * @throws Errors of the engine.
 */
export function findPlaces(
  engine: ClashEngine,
  meshes: Mesh[],
  parts: Part[],
  clashes: Finding[],
  progress: Progress,
): Map<Finding, Place> {
  progress.begin('Locating clashes', clashes.length);
  return new Map(
    clashes.map(clash => {
      const place = placeOf(engine, meshes, parts, clash);
      progress.step();
      return [clash, place];
    }),
  );
}

function placeOf(
  engine: ClashEngine,
  meshes: Mesh[],
  parts: Part[],
  { a, b, class: kind, trianglePairs }: Finding,
): Place {
  const placements = placementsOf(parts[a], parts[b]);
  if (kind === 'clearance') {
    const { pointA, pointB } = engine.distance(meshes[a], meshes[b], placements)!;
    const box = boundsOf([...pointA, ...pointB]);
    return { point: centerOf(box), box };
  }
  if (trianglePairs === 0) {
    const box = overlapOf(boundsOfPart(parts[a]), boundsOfPart(parts[b]));
    return { point: centerOf(box), box };
  }
  const { points } = engine.query(meshes[a], meshes[b], { ...placements, want: 'segments' });
  const box = boundsOf(points);
  return { point: nearestTo(centerOf(box), points), box };
}

/** Returns the axis-aligned box of a part in the scene. */
export const boundsOfPart = (part: Part): Bounds => boundsOf(boxOf(part));
