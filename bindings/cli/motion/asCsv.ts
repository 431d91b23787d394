// Formats the contacts of motions as CSV: a row for each interval in contact, and for each least clearance.
import { type Cell, csvText } from '../clash/asCsv.js';
import type { MotionFinding } from './findContacts.js';
import type { MotionSearch } from './search.js';

const COLUMNS = [
  ...['motion', 'class', 'nameA', 'fileA', 'nameB', 'fileB'],
  ...['from', 'to', 'touch', 'distance', 'at', 'lower', 'unit'],
];

/** Returns the CSV text. Times are in seconds. */
export function asMotionCsv({ parts, unit, motions }: MotionSearch): string {
  const rowsOf = (motion: string, { a, b, class: kind, intervals, least }: MotionFinding): Cell[][] => {
    const names = [motion, kind, parts[a].name, parts[a].file, parts[b].name, parts[b].file];
    const known = (distance: number, at: number): Cell[] =>
      Number.isFinite(distance) ? [distance, at] : [undefined, undefined];
    return [
      ...intervals.map(({ from, to, touch, distance, at }) => [
        ...names,
        ...[from, to, touch, ...known(distance, at), undefined, unit],
      ]),
      ...(least
        ? [[...names, undefined, undefined, undefined, least.distance, least.at, least.lower, unit]]
        : []),
    ];
  };
  return csvText([
    COLUMNS,
    ...motions.flatMap(({ name, listed }) => listed.flatMap(finding => rowsOf(name, finding))),
  ]);
}
