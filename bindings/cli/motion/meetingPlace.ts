// Finds where two moving parts meet first: where they first come into contact or, if they never do, where
// they are nearest.
import type { Mesh } from '../../index.js';
import { boundsOf, centerOf, nearestTo } from '../../report/bounds.js';
import { nearestPoints, sharedPoints } from '../../report/contacts.js';
import type { ClashContact } from '../../report/content.js';
import type { Place } from '../clash/places.js';
import type { ClashEngine } from '../clashEngine.js';
import { type Mechanism, placePart } from './mechanism.js';
import type { PairMotion, Placements } from './pairMotion.js';
import type { PairTimes } from './pairTimes.js';
import type { ContactInterval } from './pairTracker.js';

/** When and where two parts meet, in the coordinates of the scene. */
export interface MeetingPlace extends Place {
  /** In seconds. */
  time: number;
  /** The placements of both parts in the scene at this time. */
  placements: Placements;
}

/**
 * Returns when and where two parts meet first. For the class `contact`, this is the first time at which the
 * parts are known to share a point; for `near`, the time of the smallest distance in the first interval, or
 * the start of this interval if no distance in it is known; for `clearance`, the time of the min clearance.
 * If the surfaces share points, the box contains them, and the point is one of them. Otherwise, the box
 * contains the two nearest points, and the point is its center.
 *
 * @throws Errors of the engine.
 */
export function meetingPlace(
  engine: ClashEngine,
  mechanism: Mechanism,
  motion: PairMotion,
  times: PairTimes,
  meshes: Mesh[],
): MeetingPlace {
  const { time, placements, point, box } = placeAt(engine, mechanism, motion, times, timeOf(times), meshes);
  return { time, placements, point, box };
}

/** Where two parts are nearest to each other at a given time. */
export interface PlaceAtTime extends MeetingPlace {
  /**
   * A time inside the smooth piece of the motion to which the placements belong. At a jump of a part, it tells
   * whether these are the placements before or after the jump: see KeyedValue.
   */
  inside: number;
  distance: number;
  /** The geometry that a page draws, if the caller requested it. */
  contact?: ClashContact;
}

/**
 * Returns where two parts are nearest to each other at a given time.
 *
 * @param isDrawn - Whether to return `contact`, the geometry that a page draws.
 * @throws Errors of the engine.
 */
export function placeAt(
  engine: ClashEngine,
  mechanism: Mechanism,
  motion: PairMotion,
  { a, b }: Pick<PairTimes, 'a' | 'b'>,
  time: number,
  meshes: Mesh[],
  isDrawn = false,
): PlaceAtTime {
  const places = motion.insidesOf(time).map(inside => {
    const placements: Placements = [
      placePart(mechanism, a, time, inside),
      placePart(mechanism, b, time, inside),
    ];
    return { time, inside, placements, ...placeOf(engine, meshes[a], meshes[b], placements, isDrawn) };
  });
  return places.reduce((best, other) => (other.distance < best.distance ? other : best));
}

/**
 * Returns the first time of an interval at which the parts are known to share a point. If there is none,
 * returns the time at which the parts are nearest, or the start of the interval if no distance is known.
 */
export function meetingTime({ from, touch, distance, at }: ContactInterval): number {
  return touch ?? (Number.isFinite(distance) ? at : from);
}

/**
 * Returns the index of the interval in which two parts meet first. For the class `contact`, this is the first
 * interval with a shared point.
 */
export function firstInterval({ class: kind, intervals }: Pick<PairTimes, 'class' | 'intervals'>): number {
  return kind === 'contact' ? intervals.findIndex(({ touch }) => touch !== undefined) : 0;
}

/**
 * Returns when two parts meet first: for the class `contact`, the first time at which they are known to share a
 * point; for `near`, the start of the first interval; for `clearance`, the time of the min clearance.
 */
export function firstTime(times: Pick<PairTimes, 'class' | 'intervals' | 'min'>): number {
  if (times.min) return times.min.at;
  const { from, touch } = times.intervals[firstInterval(times)];
  return touch ?? from;
}

function timeOf(times: PairTimes): number {
  return times.min ? times.min.at : meetingTime(times.intervals[firstInterval(times)]);
}

function placeOf(
  engine: ClashEngine,
  a: Mesh,
  b: Mesh,
  [transformA, transformB]: Placements,
  isDrawn: boolean,
): Place & Pick<PlaceAtTime, 'distance' | 'contact'> {
  const hits = engine.query(a, b, { transformA, transformB, want: 'segments' });
  if (hits.points.length > 0) {
    const box = boundsOf(hits.points);
    const point = nearestTo(centerOf(box), hits.points);
    return { distance: 0, point, box, ...(isDrawn && { contact: sharedPoints(hits, point) }) };
  }
  const nearest = engine.distance(a, b, { transformA, transformB })!;
  const box = boundsOf([...nearest.pointA, ...nearest.pointB]);
  const point = centerOf(box);
  return {
    distance: nearest.distance,
    point,
    box,
    ...(isDrawn && { contact: nearestPoints(nearest, point) }),
  };
}
