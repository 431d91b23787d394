// Finds the contacts of the parts of a mechanism during its motion.
import type { Mesh } from '../../index.js';
import type { NamedPart } from '../clash/readModel.js';
import type { ClashEngine } from '../clashEngine.js';
import type { Progress } from '../progress.js';
import type { Mechanism } from './mechanism.js';
import { type MeetingPlace, meetingPlace } from './meetingPlace.js';
import { findNearRanges } from './nearRanges.js';
import { PairMotion } from './pairMotion.js';
import { PairProbe, type ProbeCounts } from './pairProbe.js';
import type { PairTimes } from './pairTimes.js';
import { PairTracker } from './pairTracker.js';

/** Two parts a < b that come near each other during a motion. */
export interface MotionFinding extends PairTimes {
  /** Where the parts meet first. */
  place: MeetingPlace;
}

/** Two parts a < b that do not move relative to each other, and whose distance is at most the margin. */
export interface ConstantContact {
  a: number;
  b: number;
  distance: number;
}

export interface MotionResult {
  /** Sorted by a, then by b. */
  findings: MotionFinding[];
  constantContacts: ConstantContact[];
  /** Number of pairs of parts that move relative to each other and whose boxes come near each other. */
  nearPairs: number;
  counts: ProbeCounts;
}

/** Lengths and durations of a search, in the unit of the scene and in seconds. */
export interface MotionMeasures {
  margin: number;
  clearance: number;
  resolution: number;
}

/**
 * Finds the contacts of all pairs of parts, except pairs for which `isSkipped` returns true.
 * @throws Errors of the engine.
 */
export function findContacts(
  engine: ClashEngine,
  mechanism: Mechanism,
  parts: NamedPart[],
  meshes: Mesh[],
  measures: MotionMeasures,
  isSkipped: (a: number, b: number) => boolean,
  progress: Progress,
): MotionResult {
  const { margin, clearance } = measures;
  const near = findNearRanges(engine, mechanism, parts, Math.max(margin, clearance), isSkipped, progress);
  const result: MotionResult = {
    findings: [],
    constantContacts: [],
    nearPairs: 0,
    counts: { distances: 0, sweeps: 0 },
  };
  progress.begin('Following pairs', near.length);
  for (const { a, b, ranges } of near) {
    const motion = new PairMotion(mechanism, a, b);
    const probe = new PairProbe(engine, motion, meshes[a], meshes[b], margin / 4, result.counts);
    try {
      if (motion.isStill) {
        const distance = probe.distance(mechanism.start, mechanism.start, margin);
        if (distance <= margin) result.constantContacts.push({ a, b, distance });
      } else {
        result.nearPairs++;
        const followed = follow(new PairTracker(motion, probe, measures), ranges, clearance);
        if (followed) {
          const finding = { a, b, ...followed };
          const place = meetingPlace(engine, mechanism, motion, finding, meshes);
          result.findings.push({ ...finding, place });
        }
      }
    } finally {
      probe.dispose();
    }
    progress.step();
  }
  return result;
}

function follow(
  tracker: PairTracker,
  ranges: number[],
  clearance: number,
): Omit<PairTimes, 'a' | 'b'> | undefined {
  const intervals = tracker.track(ranges);
  if (intervals.length > 0) {
    const doTouch = intervals.some(({ touch }) => touch !== undefined);
    return { class: doTouch ? 'contact' : 'near', intervals };
  }
  const min = clearance > 0 ? tracker.minClearance(ranges, clearance) : undefined;
  return min && { class: 'clearance', intervals, min };
}
