// Finds the place of each clash: a point at which the camera of a BCF viewpoint looks, and the box of the
// contact.
import type { Part } from '../../../formats/part.js';
import type { Engine, Mesh } from '../../../index.js';
import type { Finding } from '../../../report/clashClasses.js';
import type { Progress } from '../../progress.js';
import { boxOf } from '../findNearPairs.js';
import { type Box, boxOfPoints, centerOf, lengthSquared, subtract, type Vector } from './vectors.js';

/** The place of a clash, in the coordinates of the scene. */
export interface ClashPlace {
  point: Vector;
  /** The box of the contact. */
  box: Box;
}

/**
 * Returns the place of each clash:
 * - If the surfaces intersect, the box contains all shared points, and the point is the shared point nearest
 *   to the center of that box.
 * - If the parts are apart, the box has the two nearest points as corners, and the point is its center.
 * - If the surfaces share no point but one part lies inside the other, entirely or with some of its bodies,
 *   the box is the overlap of the boxes of both parts, and the point is its center.
 *
 * @param meshes - The mesh of each part, created by this engine.
 * @throws Errors of the engine.
 */
export function findClashPlaces(
  engine: Engine,
  meshes: Mesh[],
  parts: Part[],
  clashes: Finding[],
  progress: Progress,
): ClashPlace[] {
  progress.begin('Locating clashes', clashes.length);
  return clashes.map(clash => {
    const place = placeOf(engine, meshes, parts, clash);
    progress.step();
    return place;
  });
}

function placeOf(
  engine: Engine,
  meshes: Mesh[],
  parts: Part[],
  { a, b, class: kind, trianglePairs }: Finding,
): ClashPlace {
  const placements = { transformA: parts[a].transform, transformB: parts[b].transform };
  if (kind === 'clearance') {
    const { pointA, pointB } = engine.distance(meshes[a], meshes[b], placements)!;
    return placeAtCenter(boxOfPoints([...pointA, ...pointB]));
  }
  if (trianglePairs === 0) return placeAtCenter(overlapOf(partBox(parts[a]), partBox(parts[b])));
  const { points } = engine.query(meshes[a], meshes[b], { ...placements, want: 'segments' });
  const box = boxOfPoints(points);
  return { point: nearestTo(centerOf(box), points), box };
}

const placeAtCenter = (box: Box): ClashPlace => ({ point: centerOf(box), box });

/** Returns the axis-aligned box of a part in the scene. */
export function partBox(part: Part): Box {
  return boxOfPoints(boxOf(part));
}

function overlapOf(a: Box, b: Box): Box {
  const min = a.min.map((value, axis) => Math.max(value, b.min[axis]));
  const max = a.max.map((value, axis) => Math.min(value, b.max[axis]));
  return boxOfPoints([...min, ...max]);
}

function nearestTo(target: Vector, points: Float64Array): Vector {
  let nearest: Vector = target;
  let min = Infinity;
  for (let i = 0; i < points.length; i += 3) {
    const point: Vector = [points[i], points[i + 1], points[i + 2]];
    const distance = lengthSquared(subtract(point, target));
    if (distance >= min) continue;
    min = distance;
    nearest = point;
  }
  return nearest;
}
