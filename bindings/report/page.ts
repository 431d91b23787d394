// Builds the HTML page of a clash report: everything except its data. Markup, style and script are inline,
// and a Content-Security-Policy prevents the page from running or loading anything else.
import { createHash } from 'node:crypto';
import type { ReportHeader } from './content.js';
import { escapeHtml } from './escapeHtml.js';
import { style } from './style.js';

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath fill='%232f6fde' d='M1 3h9v9H1z'/%3E%3Cpath fill='%23d08a1d' d='M6 6h9v9H6z'/%3E%3Cpath fill='%23d92d3a' d='M6 6h4v6H6z'/%3E%3C/svg%3E";

/** Returns the title of the page: the names of the first three files. */
export function titleOf({ files }: ReportHeader): string {
  return `Clashes: ${files.length > 3 ? `${files.slice(0, 3).join(', ')} and ${files.length - 3} more` : files.join(', ')}`;
}

// Escapes `</script` and `<!--` in the strings of a script. In an inline script, `</script` would end the
// script element, and `<!--` could hide its end.
const inline = (script: string): string => script.replace(/<(?=\/script|!--)/gi, '\\x3c');

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Returns the part of the page before the data. `script` is the JavaScript of the page. */
export function pageHead(title: string, script: string): string {
  const policy = `default-src 'none'; script-src ${hashOf(inline(script))}; style-src ${hashOf(style)}; img-src data: blob:; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${ICON}">
<style>${style}</style>
</head>
<body>
${MARKUP}
`;
}

/**
 * Returns the HTML element that holds one block of the compressed content: a script element whose type
 * browsers do not run.
 */
export function dataBlock(base64: string): string {
  return `<script type="application/octet-stream" class="data">${base64}</script>\n`;
}

/**
 * Returns the part of the page after the data. `bytesBefore` is the size of everything before this part. It
 * is needed because the page shows its own total size.
 */
export function pageFoot(bytesBefore: number, script: string): string {
  const foot = (pageBytes: number) =>
    `<meta name="page-bytes" content="${String(pageBytes).padStart(12)}">\n<script>${inline(script)}</script>\n</body>\n</html>\n`;
  return foot(bytesBefore + Buffer.byteLength(foot(0)));
}

const SHORTCUTS = [
  ['\u2191 \u2193', 'previous, next clash'],
  ['Home End', 'first, last clash'],
  ['\u2190 \u2192', 'collapse, expand a group, if clashes are grouped'],
  ['PgUp PgDn', 'one page of clashes'],
  ['Esc', 'leave the tool, then the clash'],
  ['/', 'filter'],
  ['X', 'section box'],
  ['I', 'isolate'],
  ['H', 'hide the clicked part'],
  ['U', 'show hidden parts'],
  ['M', 'measure'],
  ['1 2 3 4', 'status: open, in progress, resolved, closed'],
  ['C', 'comment'],
  ['B', 'save as BCF'],
  ['S', 'screenshot'],
  ['?', 'this list'],
];

const MARKUP = `<header class="top">
<div class="heading"><h1 id="title">Clash report</h1><p id="summary" class="quiet">Loading the report</p>
<details id="unread" class="unread" hidden><summary id="unread-count"></summary><ul id="unread-list"></ul></details></div>
<div class="tools">
<button id="fit" type="button" title="Show all parts (Esc)" disabled>Fit all</button>
<button id="screenshot" type="button" title="Save the view as PNG (S)" disabled>Screenshot</button>
<button id="bcf" type="button" title="Save clashes with status and comments as BCF (B)" disabled>BCF</button>
<button id="keys" type="button" title="Keyboard shortcuts (?)">Keys</button>
<button id="theme" type="button" title="Switch between dark and light">Dark</button>
</div>
</header>
<main>
<section class="view" aria-label="3D view">
<div class="picture">
<canvas id="canvas" role="img" aria-label="The parts in three dimensions. Drag to rotate, scroll to zoom, drag with the right button to pan."></canvas>
<p id="notice" class="notice" role="status">Loading the report</p>
</div>
<div id="view-tools" class="view-tools" hidden>
<div class="view-buttons">
<button id="section" type="button" title="Cut away everything outside a box (X)" aria-pressed="false">Section</button>
<button id="isolate" type="button" title="Show only the clicked part, or the two parts of the clash (I)" aria-pressed="false">Isolate</button>
<button id="measure" type="button" title="Measure between two points (M)" aria-pressed="false">Measure</button>
<button id="unhide" type="button" title="Show hidden parts (U)" hidden></button>
</div>
<div id="section-panel" class="chip" role="group" aria-label="Section box" hidden>
<div id="section-sides" class="sides"></div>
<div class="view-buttons"><button id="section-around" type="button">Around the clash</button><button id="section-all" type="button">All</button></div>
</div>
<p id="measured" class="chip" role="status" hidden></p>
<p id="picked" class="chip" role="status" hidden></p>
</div>
<div id="details" class="details" hidden></div>
</section>
<section class="list" aria-label="Clashes">
<div class="bar">
<input id="filter" type="search" placeholder="Filter by part or file" aria-label="Filter by part or file" autocomplete="off" spellcheck="false">
<span id="count" class="quiet" role="status"></span>
</div>
<div id="classes" class="classes" role="group" aria-label="Classes to list" hidden></div>
<div id="groups" class="groups" role="group" aria-label="Groups" hidden>
<select id="group" aria-label="Group" autocomplete="off"></select>
<button id="collapse" type="button" title="Show only the headings of groups">Collapse all</button>
<button id="expand" type="button" title="Show the clashes of all groups">Expand all</button>
</div>
<div id="grid" class="grid" role="grid" aria-label="Clashes" tabindex="0"></div>
<p id="empty" class="empty" hidden></p>
</section>
</main>
<footer id="foot" class="foot quiet"></footer>
<dialog id="export" aria-label="Save as BCF">
<h2>Save as BCF</h2>
<label>Clashes <select id="export-scope"></select></label>
<label>Version <select id="export-version"></select></label>
<p id="export-note" class="quiet" role="status"></p>
<div class="view-buttons"><button id="export-save" type="button">Save</button><button id="export-close" type="button">Cancel</button></div>
</dialog>
<dialog id="help" aria-label="Keyboard shortcuts">
<h2>Keyboard</h2>
<dl class="shortcuts">${SHORTCUTS.map(([key, what]) => `<dt><kbd>${key}</kbd></dt><dd>${what}</dd>`).join('')}</dl>
<div class="view-buttons"><button id="help-close" type="button">Close</button></div>
</dialog>
<noscript><p class="notice">This report needs JavaScript, which is disabled in this browser.</p></noscript>`;
