// Formats a finished search as the text that `pfront clash` prints: a table, worst clash first, and totals.

import { lengthText } from '../../formats/units.js';
import { compareFindings, describeFinding, type Finding } from '../../report/clashClasses.js';
import { formatCount, paint, plural, printable, printableShort, textTable } from '../terminal.js';
import type { Comparison } from './compareWithBaseline.js';
import type { UnreadElement } from './readModel.js';
import { largestRounding } from './rounding.js';
import type { Search } from './search.js';
import { classCounts } from './splitFindings.js';
import { statusOf } from './statusOf.js';

const HEAD = ['part', 'clashes with', 'class', 'detail', 'size', 'triangle pairs'];
// Maximum number of unreadable elements that are printed.
const MAX_UNREAD = 10;
const IS_NUMERIC = [false, false, false, false, true, true];

export function asText(search: Search): string {
  const { parts, listed, allowed, hidden, unread, comparison, deflection } = search;
  const others = [
    ...(comparison ? [comparisonText(comparison, listed)] : []),
    ...(allowed.length > 0 ? [`allowed: ${classCounts(allowed)}`] : []),
    ...(hidden.length > 0 ? [`not listed: ${classCounts(hidden)}`] : []),
  ];
  const triangulation =
    deflection === undefined
      ? []
      : [`triangulation of STEP and IGES files: linear deflection ${lengthText(deflection, 'mm')}`];
  const rounding = largestRounding(parts);
  const rounded =
    rounding > 0 ? [`coordinates rounded to float32: by at most ${lengthText(rounding, search.unit)}`] : [];
  const body =
    parts.length === 1 || listed.length === 0 ? [emptyText(search)] : [`${tableOf(search)}\n`, sumOf(listed)];
  return [
    ...body,
    ...others,
    sceneOf(search),
    ...triangulation,
    ...rounded,
    ...(unread.length > 0 ? ['', unreadText(unread)] : []),
  ].join('\n');
}

function tableOf({ parts, unit, listed, comparison }: Search): string {
  const rows = listed
    .toSorted(compareFindings)
    .map(finding => [
      ...(comparison ? [statusOf(comparison, finding)!] : []),
      printableShort(parts[finding.a].name),
      printableShort(parts[finding.b].name),
      finding.class,
      describeFinding(finding, unit),
      finding.size > 0 ? lengthText(finding.size, unit) : '',
      formatCount(finding.trianglePairs),
    ]);
  return comparison
    ? textTable(['status', ...HEAD], rows, [false, ...IS_NUMERIC])
    : textTable(HEAD, rows, IS_NUMERIC);
}

function comparisonText(comparison: Comparison, listed: Finding[]): string {
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

function emptyText({ parts, unit, measures: { clearance }, allowed, hidden, unread }: Search): string {
  if (unread.length > 0) return `No clashes among the ${plural(parts.length, 'part')} that could be read.`;
  if (parts.length === 1)
    return `No clashes: there is only one part, ${printableShort(parts[0].name)}. Give more files, or split it with --split components.`;
  if (allowed.length + hidden.length > 0) return `${paint('green', 'No clashes')} to list.`;
  const near = clearance > 0 ? ` or come within ${lengthText(clearance, unit)} of each other` : '';
  return `${paint('green', 'No clashes')}: no two of the ${formatCount(parts.length)} parts share a point${near}.`;
}

function sceneOf({ parts, result, threads, milliseconds }: Search): string {
  const triangles = parts.reduce((sum, { indices }) => sum + indices.length / 3, 0);
  return `${plural(parts.length, 'part')}, ${plural(triangles, 'triangle')}, ${plural(result.boxPairs, 'pair')} of overlapping boxes; ${milliseconds.toFixed(0)} ms on ${result.cluster ? plural(result.cluster.nodes, 'node') : plural(threads, 'thread')}`;
}
