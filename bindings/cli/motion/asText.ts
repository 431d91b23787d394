// Formats the contacts of motions as the text that `pfront clash` prints: for each motion a table and totals.
import { lengthText } from '../../formats/units.js';
import { comparisonText } from '../clash/asText.js';
import { type Column, fitTable } from '../clash/fitTable.js';
import { statusOf } from '../clash/statusOf.js';
import { type StageTime, timesText } from '../stageTimes.js';
import { formatCount, outputWidth, paint, plural, printable, wrapText } from '../terminal.js';
import type { MotionFinding } from './findContacts.js';
import { firstTime } from './meetingPlace.js';
import { MOTION_CLASSES } from './motionClasses.js';
import type { ContactInterval } from './pairTracker.js';
import type { MotionReport, MotionSearch } from './search.js';

const COLUMNS: Column[] = [
  { title: 'part', isName: true },
  { title: 'other part', isName: true },
  { title: 'class' },
  { title: 'first', isNumeric: true, leaveOut: 'second' },
  { title: 'intervals in contact' },
  { title: 'min clearance', leaveOut: 'first' },
];
/** Maximum number of rows of the table of a motion. */
const MAX_ROWS = 20;
/** Maximum number of intervals that are printed for a pair: usually 3, but 1 if the terminal is narrow. */
const MAX_INTERVALS = [3, 1];

export function asMotionText(search: MotionSearch, times: StageTime[]): string {
  const { parts, motions, comparison, leftOut, threads } = search;
  const triangles = parts.reduce((sum, { indices }) => sum + indices.length / 3, 0);
  const { total, line } = timesText(times);
  return [
    ...motions.map(motion => motionText(search, motion)),
    ...(leftOut.length > 0 ? [`${paint('red', leftOutText(search))}\n`] : []),
    ...(comparison
      ? [
          comparisonText(
            comparison,
            motions.flatMap(({ listed }) => listed),
          ),
        ]
      : []),
    wrapText(
      `${plural(parts.length, 'part')}, ${plural(triangles, 'triangle')}; ${total} on ${plural(threads, 'thread')}`,
    ),
    line,
  ].join('\n');
}

/** Returns a sentence that names the animations that could not be checked. */
export function leftOutText({ leftOut }: MotionSearch): string {
  const names = leftOut.map(({ name, reason }) => `${printable(name)} (${printable(reason)})`);
  return `${plural(leftOut.length, 'animation')} could not be checked, so contacts may be missing: ${names.join(', ')}`;
}

function motionText(search: MotionSearch, motion: MotionReport): string {
  const { name, start, end, listed, allowed, constantContacts, nearPairs } = motion;
  const { parts, unit, measures, comparison } = search;
  const rows = sortFindings(listed)
    .slice(0, MAX_ROWS)
    .map(finding => [
      ...(comparison ? [statusOf(comparison, finding)!] : []),
      parts[finding.a].name,
      parts[finding.b].name,
      finding.class,
      finding.intervals.length > 0 ? secondsText(firstTime(finding)) : '',
      MAX_INTERVALS.map(max => intervalsText(finding.intervals, max)),
      nearestText(finding, search),
    ]);
  const counts = MOTION_CLASSES.map(
    kind => [kind, listed.filter(({ class: own }) => own === kind).length] as const,
  )
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${formatCount(count)} ${kind}`);
  const title = `${paint('bold', printable(name))}: ${secondsText(start)} to ${secondsText(end)}`;
  return [
    title,
    ...(rows.length > 0
      ? [
          fitTable([...(comparison ? [{ title: 'status' }] : []), ...COLUMNS], rows, outputWidth()),
          ...(listed.length > rows.length
            ? [`${formatCount(listed.length - rows.length)} more in --report FILE.html or --json`]
            : []),
          '',
          paint('red', `${plural(listed.length, 'pair')}: ${counts.join(', ')}`),
        ]
      : [
          `${paint('green', 'No contacts')}: no two parts that move relative to each other come into contact.`,
        ]),
    ...(allowed.length > 0 ? [`allowed: ${plural(allowed.length, 'pair')}`] : []),
    ...(constantContacts.length > 0
      ? [
          `always in contact, because they do not move relative to each other: ${plural(constantContacts.length, 'pair')}`,
        ]
      : []),
    `${plural(nearPairs, 'pair')} near each other; margin ${lengthText(measures.margin, unit)}`,
    '',
  ].join('\n');
}

/**
 * Returns findings sorted by class, worst first, and then by the time at which the parts meet first: see
 * `firstTime`.
 */
export function sortFindings(findings: MotionFinding[]): MotionFinding[] {
  return [...findings].sort(
    (x, y) =>
      MOTION_CLASSES.indexOf(x.class) - MOTION_CLASSES.indexOf(y.class) ||
      firstTime(x) - firstTime(y) ||
      x.a - y.a ||
      x.b - y.b,
  );
}

function intervalsText(intervals: ContactInterval[], max: number): string {
  const shown = intervals.slice(0, max).map(({ from, to }) => `${seconds(from)}\u2013${seconds(to)} s`);
  const more = intervals.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`;
}

/**
 * Returns the smallest distance that was found, and its time; empty if the parts share a point or no distance was
 * computed.
 */
export function nearestText(
  { class: kind, intervals, min }: MotionFinding,
  { unit }: Pick<MotionSearch, 'unit'>,
): string {
  if (min) return `${lengthText(min.distance, unit)} at ${secondsText(min.at)}`;
  if (kind === 'contact') return '';
  const nearest = intervals.reduce((best, interval) => (interval.distance < best.distance ? interval : best));
  return Number.isFinite(nearest.distance)
    ? `${lengthText(nearest.distance, unit)} at ${secondsText(nearest.at)}`
    : '';
}

const seconds = (time: number): string => time.toFixed(3);
/** Returns a time with three decimals, and its unit. */
export const secondsText = (time: number): string => `${seconds(time)} s`;
