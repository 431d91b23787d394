// Finds the moments that the HTML page of a motion search shows. An interval of contact is shown at the time at
// which the parts first share a point or, if they never do, are nearest.
import type { Mesh } from '../../index.js';
import type { ClashContact } from '../../report/content.js';
import type { Moment } from '../../report/motionContent.js';
import type { ClashEngine } from '../clashEngine.js';
import type { Progress } from '../progress.js';
import type { MotionFinding } from './findContacts.js';
import type { Mechanism } from './mechanism.js';
import { meetingTime, placeAt } from './meetingPlace.js';
import { PairMotion } from './pairMotion.js';

/** A moment, and the contact of the parts at its time. */
export interface FoundMoment extends Pick<Moment, 'from' | 'to' | 'time' | 'inside' | 'isTouching'> {
  contact: ClashContact;
}

/** The moments of each finding: one for each interval, or one at the time of the min clearance. */
export type Moments = ReadonlyMap<MotionFinding, FoundMoment[]>;

/** Returns the moments of all findings of a motion. @throws Errors of the engine. */
export function findMoments(
  engine: ClashEngine,
  mechanism: Mechanism,
  findings: readonly MotionFinding[],
  meshes: Mesh[],
  progress: Progress,
): Moments {
  progress.begin('Finding contacts', findings.length);
  return new Map(
    findings.map(finding => {
      const { a, b, intervals, min } = finding;
      const motion = new PairMotion(mechanism, a, b);
      const times = min
        ? [{ from: min.at, to: min.at, time: min.at }]
        : intervals.map(interval => ({
            from: interval.from,
            to: interval.to,
            time: meetingTime(interval),
          }));
      const moments = times.map((interval): FoundMoment => {
        const place = placeAt(engine, mechanism, motion, finding, interval.time, meshes, true);
        const { inside, distance, contact } = place;
        return { ...interval, inside, isTouching: distance === 0, contact: contact! };
      });
      progress.step();
      return [finding, moments];
    }),
  );
}
