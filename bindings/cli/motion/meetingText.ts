// Describes in a few words when two parts meet during a motion.
import type { Unit } from '../../formats/units.js';
import { plural } from '../terminal.js';
import { nearestText, secondsText } from './asText.js';
import type { MotionFinding } from './findContacts.js';
import { firstTime } from './meetingPlace.js';
import type { ContactInterval } from './pairTracker.js';

/** Returns the sum of the durations of intervals, in seconds. */
export const durationOf = (intervals: readonly ContactInterval[]): number =>
  intervals.reduce((sum, { from, to }) => sum + (to - from), 0);

/** Describes when two parts meet first and for how long, or their min clearance. */
export function meetingText(finding: MotionFinding, unit: Unit | undefined): string {
  const { class: kind, intervals } = finding;
  if (kind === 'clearance') return `min clearance ${nearestText(finding, { unit })}`;
  const first = kind === 'contact' ? 'first contact' : 'first within the margin';
  return `${first} at ${secondsText(firstTime(finding))}; ${secondsText(durationOf(intervals))} in ${plural(intervals.length, 'interval')}`;
}
