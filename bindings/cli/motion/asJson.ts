// Formats the contacts of motions as the JSON that `pfront clash --json` prints. The schema of this JSON is
// docs/schemas/motion.schema.json.
import type { WrittenFile } from '../outputFile.js';
import type { MotionFinding } from './findContacts.js';
import type { MotionReport, MotionSearch } from './search.js';

const FORMAT = 'pfront motion';
/** Raised if a field is removed or changes its meaning. New fields do not raise it. */
const FORMAT_VERSION = 1;

/** Returns the JSON text. */
export function asMotionJson(
  { parts, unit, measures, motions, unread, notes, threads, milliseconds }: MotionSearch,
  written: { csv?: WrittenFile; report?: WrittenFile },
): string {
  const names = (a: number, b: number) => ({ a, b, nameA: parts[a].name, nameB: parts[b].name });
  const entry = ({ a, b, class: kind, intervals, least }: MotionFinding) => ({
    ...names(a, b),
    class: kind,
    ...(intervals.length > 0
      ? {
          first: intervals[0].from,
          duration: intervals.reduce((sum, { from, to }) => sum + (to - from), 0),
        }
      : {}),
    // A distance that exceeds what was searched for is not known.
    intervals: intervals.map(({ distance, at, ...interval }) =>
      Number.isFinite(distance) ? { ...interval, distance, at } : interval,
    ),
    ...(least ? { least } : {}),
  });
  const motion = ({ name, start, end, listed, allowed, still, nearPairs, counts }: MotionReport) => ({
    name,
    start,
    end,
    pairs: listed.map(entry),
    allowed: allowed.map(entry),
    still: still.map(({ a, b, distance }) => ({ ...names(a, b), distance })),
    nearPairs,
    ...counts,
  });
  return JSON.stringify({
    format: FORMAT,
    version: FORMAT_VERSION,
    unit,
    ...measures,
    parts: parts.map(({ name, file, indices }) => ({ name, file, triangles: indices.length / 3 })),
    unread: unread.map(({ name, file, reason }) => ({ name, file, reason })),
    motions: motions.map(motion),
    threads,
    ms: Math.round(milliseconds * 1000) / 1000,
    notes,
    ...written,
  });
}
