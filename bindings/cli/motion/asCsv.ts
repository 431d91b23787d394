// Formats the contacts of motions as CSV: a row for each interval of contact and each min clearance.
// If there is a baseline, rows for its resolved and unchecked pairs follow.
import { type Cell, csvText } from '../clash/asCsv.js';
import { statusOf } from '../clash/statusOf.js';
import type { BaselinePair } from './baseline.js';
import type { MotionFinding } from './findContacts.js';
import type { MotionSearch } from './search.js';

const COLUMNS = [
  ...['status', 'motion', 'class', 'nameA', 'fileA', 'nameB', 'fileB'],
  ...['from', 'to', 'touch', 'distance', 'at', 'lower', 'unit'],
];

/** Returns the CSV text. Times are in seconds. */
export function asMotionCsv({ parts, unit, motions, comparison }: MotionSearch): string {
  const rowsOf = (motion: string, finding: MotionFinding): Cell[][] => {
    const { a, b, class: kind, intervals, min } = finding;
    const status = statusOf(comparison, finding);
    const names = [status, motion, kind, parts[a].name, parts[a].file, parts[b].name, parts[b].file];
    const known = (distance: number, at: number): Cell[] =>
      Number.isFinite(distance) ? [distance, at] : [undefined, undefined];
    return [
      ...intervals.map(({ from, to, touch, distance, at }) => [
        ...names,
        ...[from, to, touch, ...known(distance, at), undefined, unit],
      ]),
      ...(min ? [[...names, undefined, undefined, undefined, min.distance, min.at, min.lower, unit]] : []),
    ];
  };
  return csvText([
    COLUMNS,
    ...motions.flatMap(({ name, listed }) => listed.flatMap(finding => rowsOf(name, finding))),
    ...(comparison?.resolved ?? []).map(pair => endedRow('resolved', pair)),
    ...(comparison?.unchecked ?? []).map(pair => endedRow('unchecked', pair)),
  ]);
}

// The baseline stores the start of the first interval, but only the total duration of all intervals, so the
// column `to` stays empty.
function endedRow(status: string, { motion, class: kind, a, b, first }: BaselinePair): Cell[] {
  const cells = [status, motion, kind, a.name, a.file, b.name, b.file, first];
  return [...cells, ...Array.from({ length: COLUMNS.length - cells.length }, () => undefined)];
}
