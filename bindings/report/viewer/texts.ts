// Writes the texts of the report page: title, summary, list of unreadable elements, footer, and the message
// that replaces an empty table.

import { lengthText } from '../../formats/units.js';
import { countClasses } from '../clashClasses.js';
import type { EarlierClash, ReportClash, ReportHeader } from '../content.js';
import { byId, make, makeName } from './elements.js';
import { formatBytes, formatCount, plural } from './format.js';
import { numberCount } from './readContent.js';

const MAX_FILES = 3;

/** Fills the title, the summary, the list of unreadable elements and the footer. */
export function showReportTexts(header: ReportHeader): void {
  const { files, parts, meshes, boxPairs, threads, milliseconds, version, createdAt } = header;
  const title = byId('title');
  title.textContent =
    files.length > MAX_FILES
      ? `${files.slice(0, MAX_FILES).join(', ')} and ${files.length - MAX_FILES} more`
      : files.join(', ');
  title.title = files.join('\n');
  const triangles = parts.reduce((sum, { mesh }) => sum + meshes[mesh].indices / 3, 0);
  byId('summary').textContent =
    `${clashesText(header)}. ${plural(parts.length, 'part')}, ${plural(triangles, 'triangle')}`;
  const pageBytes = Number(document.querySelector<HTMLMetaElement>('meta[name="page-bytes"]')?.content);
  const date = new Date(createdAt).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
  showUnread(header);
  showEarlier(header);
  byId('foot').textContent =
    `Searched in ${formatCount(Math.round(milliseconds))} ms on ${plural(threads, 'thread')}; ${plural(boxPairs, 'pair')} of overlapping boxes. ` +
    `${measuresText(header)}Page size ${formatBytes(pageBytes)}; the data decompresses to ${formatBytes(4 * numberCount(header))}. pfront ${version}, ${date}.`;
}

// Lists the elements that could not be read.
function showUnread({ unread, files }: ReportHeader): void {
  showList(
    'unread',
    `${plural(unread.length, 'element')} could not be read: clashes may be missing`,
    unread.map(({ file, reason, ...element }) => [...nameOf(element), `, ${files[file]}: ${reason}`]),
  );
}

// Lists the clashes that only the earlier run has.
function showEarlier({ comparison }: ReportHeader): void {
  if (!comparison) return;
  const { baseline, resolved, unchecked } = comparison;
  const lines = (clashes: readonly EarlierClash[]) =>
    clashes.map(({ class: kind, partA, partB }) => [`${kind}: `, ...nameOf(partA), ', ', ...nameOf(partB)]);
  showList('resolved', `${plural(resolved.length, 'clash')} of ${baseline} resolved`, lines(resolved));
  showList(
    'unchecked',
    `${plural(unchecked.length, 'clash')} of ${baseline} not checked: elements could not be read`,
    lines(unchecked),
  );
}

const nameOf = ({ name, id }: { name: string; id?: string }): (Node | string)[] => [
  makeName(name),
  id ? ` (${id})` : '',
];

// Fills a list that is closed at first. It is hidden if there are no lines.
function showList(id: string, title: string, lines: readonly (Node | string)[][]): void {
  byId(id).hidden = lines.length === 0;
  byId(`${id}-count`).textContent = title;
  byId(`${id}-list`).append(
    ...lines.map(content => {
      const line = make('li', 'quiet');
      line.append(...content);
      return line;
    }),
  );
}

function clashesText({ clashes, classes, comparison }: ReportHeader): string {
  const allowed = clashes.filter(({ isAllowed }) => isAllowed);
  const related = clashes.filter(({ isAllowed, relation }) => !isAllowed && relation !== undefined);
  const others = clashes.filter(({ isAllowed, relation }) => !isAllowed && relation === undefined);
  const listed = others.filter(clash => classes.includes(clash.class));
  const unlisted = [
    [allowed.length, 'allowed'],
    [related.length, 'related'],
    [others.length - listed.length, 'not listed'],
  ] as const;
  const kinds = countClasses(listed)
    .map(([kind, total]) => `${formatCount(total)} ${kind}`)
    .join(', ');
  const countOf = (change: ReportClash['change']): string =>
    formatCount(clashes.filter(clash => clash.change === change).length);
  const texts = [
    `${plural(listed.length, 'clash')}${kinds && `: ${kinds}`}`,
    ...(comparison
      ? [`compared with ${comparison.baseline}: ${countOf('new')} new, ${countOf('open')} still open`]
      : []),
    ...unlisted.flatMap(([total, what]) => (total > 0 ? [`${formatCount(total)} ${what}`] : [])),
  ];
  return texts.join('; ');
}

function measuresText({ unit, measures: { clearance, tolerance }, deflection }: ReportHeader): string {
  const texts = [
    ...(unit ? [`coordinates in ${unit}`] : []),
    ...(clearance > 0 ? [`clearance ${lengthText(clearance, unit)}`] : []),
    ...(tolerance > 0 ? [`tolerance ${lengthText(tolerance, unit)}`] : []),
    ...(deflection ? [`linear deflection ${lengthText(deflection, 'mm')}`] : []),
  ];
  const text = texts.join(', ');
  return text && `${text[0].toUpperCase()}${text.slice(1)}. `;
}

/**
 * Returns the message that replaces an empty table. `chosen` is the number of clashes that the class buttons
 * and the list of groups show; `isOneGroup` says whether the table is restricted to one group, and
 * `isOneChange` whether it leaves out new or open clashes.
 */
export function emptyTableText(
  { parts, unread, clashes, unit, measures: { clearance } }: ReportHeader,
  chosen: number,
  isOneGroup: boolean,
  isOneChange: boolean,
  filter: string,
): string {
  const selected = `${isOneGroup ? 'of this group ' : ''}in the selected classes${isOneChange ? ' and changes' : ''}`;
  if (clashes.length > 0 && chosen === 0)
    return `No clashes ${selected}. Select more with the buttons above.`;
  if (clashes.length > 0) return `No clashes ${selected} match \u201c${filter.trim()}\u201d.`;
  if (unread.length > 0) return `No clashes among the ${plural(parts.length, 'part')} that could be read.`;
  if (parts.length === 1) return `No clashes: there is only one part, ${parts[0].name}.`;
  return `No clashes: no two of the ${formatCount(parts.length)} parts share a point${clearance > 0 ? ` or come within ${lengthText(clearance, unit)} of each other` : ''}.`;
}
