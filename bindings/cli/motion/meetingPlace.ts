// Finds where two moving parts meet first.
import type { Engine, Mesh } from '../../index.js';
import { boundsOf, centerOf, nearestTo } from '../../report/bounds.js';
import type { Place } from '../clash/places.js';
import { type Mechanism, placePart } from './mechanism.js';
import type { PairMotion, Placements } from './pairMotion.js';
import type { PairTimes } from './pairTimes.js';

/** Where two parts meet at a time, in the coordinates of the scene. */
export interface MeetingPlace extends Place {
  /** In seconds. */
  time: number;
  /** The placements of both parts in the scene at this time. */
  placements: Placements;
}

/**
 * Returns where two parts meet first. In the class `contact`, it is at the first time at which they are known to share
 * a point; in the class `near`, at the time of the smallest distance in the first interval; in the class `clearance`, at
 * the time of the least clearance. If the surfaces share points, the box contains them, and the point is one of them.
 * Otherwise, the box contains the two nearest points, and the point is its center.
 *
 * @throws Errors of the engine.
 */
export function meetingPlace(
  engine: Engine,
  mechanism: Mechanism,
  motion: PairMotion,
  times: PairTimes,
  meshes: Mesh[],
): MeetingPlace {
  const { a, b } = times;
  const time = timeOf(times);
  const places = motion.insidesOf(time).map(inside => {
    const placements: Placements = [
      placePart(mechanism, a, time, inside),
      placePart(mechanism, b, time, inside),
    ];
    return { time, placements, ...placeOf(engine, meshes[a], meshes[b], placements) };
  });
  const { distance, ...place } = places.reduce((best, other) =>
    other.distance < best.distance ? other : best,
  );
  return place;
}

function timeOf({ class: kind, intervals, least }: PairTimes): number {
  if (least) return least.at;
  if (kind === 'contact') return intervals.find(({ touch }) => touch !== undefined)!.touch!;
  const [{ from, distance, at }] = intervals;
  return Number.isFinite(distance) ? at : from;
}

function placeOf(
  engine: Engine,
  a: Mesh,
  b: Mesh,
  [transformA, transformB]: Placements,
): Place & { distance: number } {
  const { points } = engine.query(a, b, { transformA, transformB, want: 'segments' });
  if (points.length > 0) {
    const box = boundsOf(points);
    return { distance: 0, point: nearestTo(centerOf(box), points), box };
  }
  const { distance, pointA, pointB } = engine.distance(a, b, { transformA, transformB })!;
  const box = boundsOf([...pointA, ...pointB]);
  return { distance, point: centerOf(box), box };
}
