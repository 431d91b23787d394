// Formats a finished search as the text that `pfront clash` prints: a table, worst clash first, and totals.

import { lengthText } from '../../formats/units.js';
import type { Finding } from '../../report/clashClasses.js';
import { type StageTime, timesText } from '../stageTimes.js';
import { formatCount, paint, plural, printable, printableShort, wrapText } from '../terminal.js';
import { clashTable } from './clashTable.js';
import type { Comparison } from './compareWithBaseline.js';
import type { UnreadElement } from './readModel.js';
import { maxRounding } from './rounding.js';
import { maxCoordinate } from './roundingNoise.js';
import type { Search } from './search.js';
import { classCounts } from './splitFindings.js';
import { statusOf } from './statusOf.js';

// Maximum number of unreadable elements that are printed.
const MAX_UNREAD = 10;

export function asText(search: Search, times: StageTime[]): string {
  const { parts, listed, allowed, related, hidden, unread, comparison, deflection } = search;
  const others = [
    ...(comparison ? [comparisonText(comparison, listed)] : []),
    ...(allowed.length > 0 ? [`allowed: ${classCounts(allowed)}`] : []),
    ...(related.size > 0
      ? [`related in the IFC file: ${classCounts([...related.keys()])} (--include-related lists them)`]
      : []),
    ...(hidden.length > 0 ? [`not listed: ${classCounts(hidden)}`] : []),
  ];
  const triangulation =
    deflection === undefined
      ? []
      : [`triangulation of STEP and IGES files: linear deflection ${lengthText(deflection, 'mm')}`];
  const rounding = maxRounding(parts);
  const rounded = rounding > 0 ? [roundingText(search, rounding)] : [];
  const body =
    parts.length === 1 || listed.length === 0
      ? [emptyText(search)]
      : [`${clashTable(search)}\n`, sumOf(listed)];
  return [
    ...body,
    ...others,
    sceneOf(search, times),
    ...triangulation,
    ...rounded,
    ...(unread.length > 0 ? ['', unreadText(unread)] : []),
  ].join('\n');
}

function roundingText({ parts, unit }: Search, rounding: number): string {
  const text = lengthText(rounding, unit, maxCoordinate(parts));
  return `coordinates rounded: by ${text.startsWith('<') ? text.replace('<', 'less than') : `at most ${text}`}`;
}

/** Returns the line that counts the new, open, resolved and unchecked clashes. */
export function comparisonText<Found, Before>(
  comparison: Comparison<Found, Before>,
  listed: Found[],
): string {
  const { path, resolved, unchecked } = comparison;
  const added = listed.filter(finding => statusOf(comparison, finding) === 'new').length;
  const counts = [
    `${formatCount(added)} new`,
    `${formatCount(listed.length - added)} still open`,
    `${formatCount(resolved.length)} resolved`,
    ...(unchecked.length > 0 ? [`${formatCount(unchecked.length)} unchecked`] : []),
  ];
  return `compared with ${printable(path)}: ${counts.join(', ')}`;
}

function sumOf(listed: Finding[]): string {
  const trianglePairs = listed.reduce((sum, finding) => sum + finding.trianglePairs, 0);
  return `${paint('red', plural(listed.length, 'clash'))}: ${classCounts(listed)}; ${plural(trianglePairs, 'triangle pair')}`;
}

// Lists the elements that could not be read, but at most MAX_UNREAD of them.
function unreadText(unread: UnreadElement[]): string {
  const lines = unread
    .slice(0, MAX_UNREAD)
    .map(
      ({ name, id, reason, isPartial }) =>
        `  ${printableShort(name)}${id ? ` (${printable(id)})` : ''}: ${isPartial ? 'partly read; ' : ''}${printable(reason)}`,
    );
  const more =
    unread.length > MAX_UNREAD
      ? [`  and ${formatCount(unread.length - MAX_UNREAD)} more; --json lists all`]
      : [];
  return [
    `${paint('red', `${plural(unread.length, 'element')} could not be read`)}, so clashes may be missing:`,
    ...lines,
    ...more,
  ].join('\n');
}

function emptyText({
  parts,
  unit,
  measures: { clearance },
  allowed,
  related,
  hidden,
  rules,
  unread,
}: Search): string {
  if (unread.length > 0) return `No clashes among the ${plural(parts.length, 'part')} that could be read.`;
  if (parts.length === 1)
    return `No clashes: there is only one part, ${printableShort(parts[0].name)}. Give more files, or split it with --split components.`;
  if (allowed.length + related.size + hidden.length > 0) return `${paint('green', 'No clashes')} to list.`;
  if (rules) return `${paint('green', 'No clashes')} among the pairs that were tested.`;
  const near = clearance > 0 ? ` or come within ${lengthText(clearance, unit)} of each other` : '';
  return `${paint('green', 'No clashes')}: no two of the ${formatCount(parts.length)} parts share a point${near}.`;
}

function sceneOf({ parts, result, threads }: Search, times: StageTime[]): string {
  const triangles = parts.reduce((sum, { indices }) => sum + indices.length / 3, 0);
  const { total, line } = timesText(times);
  const where = result.cluster ? plural(result.cluster.nodes, 'node') : plural(threads, 'thread');
  return [
    wrapText(
      `${plural(parts.length, 'part')}, ${plural(triangles, 'triangle')}, ${plural(result.boxPairs, 'pair')} of overlapping boxes; ${total} on ${where}`,
    ),
    line,
  ].join('\n');
}
