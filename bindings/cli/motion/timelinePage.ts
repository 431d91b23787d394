// Makes the HTML page of a motion search: a 3D view, and a timeline for each motion, with a row for each pair
// of parts. The timelines are HTML, so they are shown even if the script does not run.
import { basename } from 'node:path';
import { lengthText } from '../../formats/units.js';
import { namesOf } from '../../report/clashPage.js';
import { escapeHtml } from '../../report/escapeHtml.js';
import type { MotionHeader, MotionPair } from '../../report/motionContent.js';
import { helpDialog, type PageParts, TOOL_SHORTCUTS, toolButtons, viewMarkup } from '../../report/page.js';
import { style } from '../../report/style.js';
import { comparisonText } from '../clash/asText.js';
import { statusOf } from '../clash/statusOf.js';
import { plural } from '../terminal.js';
import { leftOutText, nearestText, secondsText, sortFindings } from './asText.js';
import type { BaselinePair } from './baseline.js';
import type { MotionFinding } from './findContacts.js';
import { firstTime } from './meetingPlace.js';
import type { MotionReport, MotionSearch } from './search.js';

/** Width of a timeline, in the unit of its SVG. */
const WIDTH = 1000;
/** Minimum width of a bar, so that a short contact is visible. */
const MIN_BAR = 2;
/** Number of intervals into which marks divide the time axis. */
const MARKS = 5;

const STYLE = `${style}
:root { --kind-contact: light-dark(#d5202f, #ff4655); --kind-near: light-dark(#c77700, #f0a030); --kind-clearance: light-dark(#2f6fde, #7cadf7); }
main { grid-template: minmax(0, 1fr) / minmax(0, 1fr); }
main:has(> .view:not([hidden])) { grid-template-rows: minmax(0, 3fr) auto minmax(0, 2fr); }
.view[hidden] + .player { display: none; }
.list { display: block; overflow: auto; padding: 0 var(--gap) var(--gap); border-left: 0; border-top: 1px solid var(--line); outline-offset: -2px; }
.list h2 { margin: 12px 0 4px; font-size: 16px; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; min-width: 720px; }
th, td { text-align: left; padding: 4px 10px 4px 0; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { color: var(--quiet); font-size: var(--small); }
td.time { width: 55%; padding: 0; }
th:last-child { padding-right: 0; }
td bdi { display: inline-block; max-width: 240px; overflow: hidden; text-overflow: ellipsis; vertical-align: bottom; }
table svg { display: block; width: 100%; height: 22px; }
text { font: 12px system-ui, sans-serif; fill: currentColor; }
rect.contact { fill: var(--kind-contact); } rect.near { fill: var(--kind-near); } rect.clearance { fill: var(--kind-clearance); } .mark { fill: #8884; }
.change { font-weight: 600; color: var(--accent); }
.kind.contact { color: var(--lit-text); }
.has-view [data-pair] { cursor: pointer; }
.has-view [data-pair]:hover { background-color: var(--hover); }
.has-view [data-pair][aria-current] { background-color: var(--chosen); box-shadow: inset 3px 0 var(--accent); }
td:first-child, th:first-child { padding-left: 8px; }
.go { padding: 0; border: 0; background: none; text-align: left; }
.current-motion td.time { background: linear-gradient(var(--accent) 0 0) no-repeat calc(100% * var(--now)) 0 / 2px 100%; }
.player { display: flex; align-items: center; gap: 8px; padding: 8px var(--gap); border-top: 1px solid var(--line); background: var(--paper); }
.player button { flex: none; width: 72px; height: 32px; border: 1px solid var(--line); border-radius: 6px; background: var(--paper); }
.player button:hover { background: var(--hover); }
.player select { flex: 0 1 auto; max-width: 30%; }
.player input { height: 24px; padding: 0; border: 0; accent-color: var(--accent); }
.player output { flex: none; min-width: 72px; text-align: right; }
.moments { display: flex; flex-wrap: wrap; gap: 4px; margin-top: 8px; max-height: 96px; overflow: auto; }
.moments button { padding: 0 8px; border: 1px solid var(--line); border-radius: 6px; background: var(--paper); font-size: var(--small); }
.moments button:hover { background: var(--hover); }
.moments [aria-pressed=true] { border-color: var(--accent); background: var(--chosen); }
`;

const SHORTCUTS = [
  ['\u2191 \u2193', 'previous, next pair'],
  ['Home End', 'first, last pair'],
  ['\u2190 \u2192', 'a step back, forward in time'],
  ['P', 'play, pause'],
  ['Esc', 'end the measurement; again: deselect the part, then the pair'],
  ...TOOL_SHORTCUTS,
  ['S', 'screenshot'],
  ['?', 'this list'],
];

/**
 * Returns the page of a search, except for its data and its script. The second argument is the header of the
 * data.
 */
export function timelinePage(search: MotionSearch, { files, pairs }: MotionHeader): PageParts {
  const title = `Contacts during motion: ${namesOf(files)}`;
  const { parts, motions, leftOut, threads, milliseconds, comparison } = search;
  const listed = motions.flatMap(motion => motion.listed);
  const triangles = parts.reduce((sum, { indices }) => sum + indices.length / 3, 0);
  const compared = comparison
    ? `; ${comparisonText({ ...comparison, path: basename(comparison.path) }, listed)}`
    : '';
  const summary = `${plural(pairs.length, 'pair')} in ${plural(motions.length, 'motion')}${compared}. ${plural(parts.length, 'part')}, ${plural(triangles, 'triangle')}`;
  return {
    title,
    style: STYLE,
    markup: `<header class="top">
<div class="heading"><h1>${escapeHtml(title)}</h1><p id="summary" class="quiet">${escapeHtml(summary)}</p>${leftOut.length > 0 ? `\n<p>${escapeHtml(leftOutText(search))}</p>` : ''}${earlierLists(search)}</div>
${toolButtons('')}
</header>
<main>
<section id="view" class="view" aria-label="3D view" hidden>
${viewMarkup('contact')}
</section>
<div class="player" role="group" aria-label="Time">
<button id="play" type="button" title="Play or pause (P)">Play</button>
<select id="motion" aria-label="Motion" autocomplete="off" hidden></select>
<input id="time" type="range" min="0" value="0" aria-label="Time" autocomplete="off">
<output id="now" for="time" aria-live="off"></output>
</div>
<section id="grid" class="list" aria-label="Timelines" tabindex="0">
<p id="no-view" class="empty" role="status" hidden></p>
${motions.map((motion, number) => motionSection(search, motion, number, pairs)).join('\n')}
</section>
</main>
<footer class="foot quiet">Searched in ${milliseconds.toFixed(0)} ms on ${plural(threads, 'thread')}.</footer>
${helpDialog(SHORTCUTS)}`,
  };
}

// Returns lists of the pairs that only the baseline has. They are closed at first.
function earlierLists({ comparison }: MotionSearch): string {
  if (!comparison) return '';
  const baseline = basename(comparison.path);
  const listOf = (id: string, what: string, pairs: readonly BaselinePair[]): string =>
    pairs.length === 0
      ? ''
      : `\n<details id="${id}" class="earlier"><summary>${escapeHtml(`${plural(pairs.length, 'pair')} of ${baseline} ${what}`)}</summary><ul>${pairs.map(({ motion, class: kind, a, b }) => `<li class="quiet">${kind}: <bdi>${escapeHtml(a.name)}</bdi>, <bdi>${escapeHtml(b.name)}</bdi> (<bdi>${escapeHtml(motion)}</bdi>)</li>`).join('')}</ul></details>`;
  return [
    listOf('resolved', 'resolved', comparison.resolved),
    listOf('unchecked', 'not checked', comparison.unchecked),
  ].join('');
}

function motionSection(
  search: MotionSearch,
  motion: MotionReport,
  number: number,
  pairs: MotionPair[],
): string {
  const { name, start, end, listed, constantContacts, allowed } = motion;
  const firstPair = pairs.findIndex(pair => pair.motion === number);
  const rows = sortFindings(listed).map((finding, i) =>
    pairRow(search, motion, finding, firstPair + i, pairs[firstPair + i].moments[0]),
  );
  const counts = [
    `${plural(listed.length, 'pair')}; margin ${lengthText(search.measures.margin, search.unit)}`,
    ...(allowed.length > 0 ? [`${plural(allowed.length, 'allowed pair')}`] : []),
    ...(constantContacts.length > 0
      ? [
          `${plural(constantContacts.length, 'pair')} in contact whose parts do not move relative to each other`,
        ]
      : []),
  ];
  const table =
    rows.length === 0
      ? '<p>No two parts that move relative to each other come into contact.</p>'
      : `<table>
<thead><tr><th>part</th><th>other part</th><th>class</th><th>first</th><th>min clearance</th><th>${axis(start, end)}</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>`;
  return `<section data-motion="${number}">
<h2>${escapeHtml(name)}: ${secondsText(start)} to ${secondsText(end)}</h2>
${table}
<p class="quiet">${escapeHtml(counts.join('; '))}</p>
</section>`;
}

// Returns a row. `pair` and `firstMoment` are indices into the lists `pairs` and `clashes` of the page's data.
function pairRow(
  search: MotionSearch,
  { start, end }: MotionReport,
  finding: MotionFinding,
  pair: number,
  firstMoment: number,
): string {
  const { a, b, class: kind, intervals, min } = finding;
  const { parts } = search;
  const scale = WIDTH / (end - start);
  const bar = (from: number, to: number, label: string, moment: number): string => {
    const width = Math.max(MIN_BAR, scale * (to - from));
    const x = Math.min(scale * (from - start), WIDTH - width);
    return `<rect class="${kind}" data-moment="${moment}" x="${x.toFixed(2)}" y="3" width="${width.toFixed(2)}" height="16"><title>${escapeHtml(label)}</title></rect>`;
  };
  const bars = min
    ? [bar(min.at, min.at, nearestText(finding, search), firstMoment)]
    : intervals.map(({ from, to }, i) =>
        bar(from, to, `${secondsText(from)} to ${secondsText(to)}`, firstMoment + i),
      );
  const name = (part: number): string => `<bdi>${escapeHtml(parts[part].name)}</bdi>`;
  const cells = [
    name(a),
    name(b),
    `${kind}${statusOf(search.comparison, finding) === 'new' ? ' <span class="change">new</span>' : ''}`,
    intervals.length > 0 ? secondsText(firstTime(finding)) : '',
    escapeHtml(nearestText(finding, search)),
  ];
  return `<tr data-pair="${pair}">${cells.map(cell => `<td>${cell}</td>`).join('')}<td class="time"><svg viewBox="0 0 ${WIDTH} 22" preserveAspectRatio="none">${marks()}${bars.join('')}</svg></td></tr>`;
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
