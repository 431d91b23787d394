// Makes the HTML page of a motion search: a timeline for each motion, with a row for each pair of parts. The page
// has no script, loads nothing, and opens from disk.
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { lengthText } from '../../formats/units.js';
import { escapeHtml } from '../../report/escapeHtml.js';
import { plural } from '../terminal.js';
import { leftOutText, nearestText, secondsText, sortFindings } from './asText.js';
import type { MotionFinding } from './findContacts.js';
import type { MotionReport, MotionSearch } from './search.js';

/** Width of a timeline, in the unit of its SVG. */
const WIDTH = 1000;
/** Narrowest bar, so that a short contact can be seen. */
const MIN_BAR = 2;
/** Number of spaces between the marks of the time axis. */
const MARKS = 5;

const STYLE = `
body { font: 14px/1.4 system-ui, sans-serif; margin: 2rem; color: CanvasText; background: Canvas; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 4px 10px 4px 0; border-bottom: 1px solid #8884; white-space: nowrap; }
td.time { width: 60%; padding: 0; }
th:last-child { padding-right: 0; }
svg { display: block; width: 100%; height: 22px; }
text { font: 12px system-ui, sans-serif; fill: currentColor; }
.contact { fill: #d92d3a; } .near { fill: #d08a1d; } .clearance { fill: #2f6fde; } .mark { fill: #8884; }
`;

/** Returns the page. */
export function timelinePage(search: MotionSearch): string {
  const files = [...new Set(search.parts.map(({ file }) => basename(file)))];
  const title = `Contacts during motion: ${files.join(', ')}`;
  const hash = createHash('sha256').update(STYLE).digest('base64');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${search.motions.map(motion => motionSection(search, motion)).join('\n')}${search.leftOut.length > 0 ? `\n<p>${escapeHtml(leftOutText(search))}</p>` : ''}
</body>
</html>
`;
}

function motionSection(search: MotionSearch, motion: MotionReport): string {
  const { name, start, end, listed, still, allowed } = motion;
  const rows = sortFindings(listed).map(finding => pairRow(search, motion, finding));
  const counts = [
    `${plural(listed.length, 'pair')}; margin ${lengthText(search.measures.margin, search.unit)}`,
    ...(allowed.length > 0 ? [`${plural(allowed.length, 'allowed pair')}`] : []),
    ...(still.length > 0
      ? [`${plural(still.length, 'pair')} in contact that do not move relative to each other`]
      : []),
  ];
  const table =
    rows.length === 0
      ? '<p>No two parts that move relative to each other meet.</p>'
      : `<table>
<thead><tr><th>part</th><th>meets</th><th>class</th><th>first</th><th>least clearance</th><th>${axis(start, end)}</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>`;
  return `<h2>${escapeHtml(name)}: ${secondsText(start)} to ${secondsText(end)}</h2>
${table}
<p>${escapeHtml(counts.join('; '))}</p>`;
}

function pairRow(search: MotionSearch, { start, end }: MotionReport, finding: MotionFinding): string {
  const { a, b, class: kind, intervals, least } = finding;
  const { parts } = search;
  const scale = WIDTH / (end - start);
  const bar = (from: number, to: number, label: string): string => {
    const width = Math.max(MIN_BAR, scale * (to - from));
    const x = Math.min(scale * (from - start), WIDTH - width);
    return `<rect class="${kind}" x="${x.toFixed(2)}" y="3" width="${width.toFixed(2)}" height="16"><title>${escapeHtml(label)}</title></rect>`;
  };
  const bars = least
    ? [bar(least.at, least.at, `${nearestText(finding, search)}`)]
    : intervals.map(({ from, to }) => bar(from, to, `${secondsText(from)} to ${secondsText(to)}`));
  const cells = [
    parts[a].name,
    parts[b].name,
    kind,
    intervals.length > 0 ? secondsText(intervals[0].from) : '',
    nearestText(finding, search),
  ];
  return `<tr>${cells.map(cell => `<td>${escapeHtml(cell)}</td>`).join('')}<td class="time"><svg viewBox="0 0 ${WIDTH} 22" preserveAspectRatio="none">${marks()}${bars.join('')}</svg></td></tr>`;
}

const marks = (): string =>
  Array.from(
    { length: MARKS + 1 },
    (_, i) =>
      `<rect class="mark" x="${Math.min((WIDTH * i) / MARKS, WIDTH - 1)}" y="0" width="1" height="22"/>`,
  ).join('');

function axis(start: number, end: number): string {
  const texts = Array.from({ length: MARKS + 1 }, (_, i) => {
    const anchor = i === 0 ? 'start' : i === MARKS ? 'end' : 'middle';
    return `<text x="${(100 * i) / MARKS}%" y="15" text-anchor="${anchor}">${secondsText(start + ((end - start) * i) / MARKS)}</text>`;
  });
  return `<svg>${texts.join('')}</svg>`;
}
