// Formats the contacts of motions as the JSON that `pfront clash --json` prints. The schema of this JSON is
// docs/schemas/motion.schema.json.
import type { WrittenFiles } from '../clash/asJson.js';
import { identityOf } from '../clash/partIdentity.js';
import { statusOf } from '../clash/statusOf.js';
import type { BaselinePair } from './baseline.js';
import type { MotionFinding } from './findContacts.js';
import { FORMAT, FORMAT_VERSION } from './jsonFormat.js';
import { durationOf } from './meetingText.js';
import type { MotionReport, MotionSearch } from './search.js';

/** Returns the JSON text. */
export function asMotionJson(search: MotionSearch, written: WrittenFiles): string {
  const { parts, unit, up, animation, measures, motions, unread, leftOut } = search;
  const { comparison, notes, threads, milliseconds } = search;
  const names = (a: number, b: number) => ({ a, b, nameA: parts[a].name, nameB: parts[b].name });
  const entry = ({ a, b, class: kind, intervals, min, place }: MotionFinding) => ({
    ...names(a, b),
    class: kind,
    ...(intervals.length > 0 ? { first: intervals[0].from, duration: durationOf(intervals) } : {}),
    // The distance is infinite, and therefore left out, if it exceeds the range that was searched.
    intervals: intervals.map(({ distance, at, ...interval }) =>
      Number.isFinite(distance) ? { ...interval, distance, at } : interval,
    ),
    min,
    place: { time: place.time, point: place.point, box: place.box },
  });
  const listedEntry = (finding: MotionFinding) => {
    const before = comparison?.previous.get(finding);
    return {
      ...entry(finding),
      status: statusOf(comparison, finding),
      previousClass: before?.class === finding.class ? undefined : before?.class,
    };
  };
  const motion = ({
    name,
    start,
    end,
    listed,
    allowed,
    constantContacts,
    nearPairs,
    counts,
  }: MotionReport) => ({
    name,
    start,
    end,
    pairs: listed.map(listedEntry),
    allowed: allowed.map(entry),
    still: constantContacts.map(({ a, b, distance }) => ({ ...names(a, b), distance })),
    nearPairs,
    ...counts,
  });
  return JSON.stringify({
    format: FORMAT,
    version: FORMAT_VERSION,
    unit,
    up,
    animation,
    ...measures,
    parts: parts.map(part => ({ ...identityOf(part), triangles: part.indices.length / 3 })),
    unread: unread.map(({ name, file, reason }) => ({ name, file, reason })),
    leftOut,
    motions: motions.map(motion),
    baseline: comparison?.path,
    resolved: comparison?.resolved.map(baselineEntry),
    unchecked: comparison?.unchecked.map(baselineEntry),
    threads,
    ms: Math.round(milliseconds * 1000) / 1000,
    notes,
    ...written,
  });
}

// The list of parts may lack the parts of a baseline pair, so the entry itself describes these parts.
function baselineEntry({ motion, a, b, class: kind, first, duration }: BaselinePair) {
  return {
    motion,
    partA: identityOf(a),
    partB: identityOf(b),
    class: kind,
    first,
    duration,
  };
}
