// Builds the HTML page of a clash report: everything except its data and its script.
import type { ReportHeader } from './content.js';
import { helpDialog, type PageParts, TOOL_SHORTCUTS, toolButtons, viewMarkup } from './page.js';
import { style } from './style.js';

/** Returns the page of a report: its title has the names of the first three files. */
export const clashPage = (header: ReportHeader): PageParts => ({
  title: `Clashes: ${namesOf(header.files)}`,
  style,
  markup: MARKUP,
});

/** Returns the first three names of a list, and the number of further names. */
export function namesOf(files: readonly string[]): string {
  return files.length > 3 ? `${files.slice(0, 3).join(', ')} and ${files.length - 3} more` : files.join(', ');
}

const SHORTCUTS = [
  ['\u2191 \u2193', 'previous, next clash'],
  ['Home End', 'first, last clash'],
  ['\u2190 \u2192', 'collapse, expand a group, if clashes are grouped'],
  ['PgUp PgDn', 'one page of clashes'],
  ['Esc', 'end the measurement; again: deselect the part, then the clash'],
  ['/', 'filter'],
  ...TOOL_SHORTCUTS,
  ['1 2 3 4', 'status: open, in progress, resolved, closed'],
  ['C', 'comment'],
  ['B', 'save as BCF'],
  ['P', 'save the page with status and comments'],
  ['S', 'screenshot'],
  ['?', 'this list'],
];

const MARKUP = `<header class="top">
<div class="heading"><h1 id="title">Clash report</h1><p id="summary" class="quiet">Loading the report</p>
<details id="unread" class="unread" hidden><summary id="unread-count"></summary><ul id="unread-list"></ul></details>
<details id="resolved" class="earlier" hidden><summary id="resolved-count"></summary><ul id="resolved-list"></ul></details>
<details id="unchecked" class="earlier" hidden><summary id="unchecked-count"></summary><ul id="unchecked-list"></ul></details></div>
${toolButtons(`<button id="bcf" type="button" title="Save clashes with status and comments as BCF (B)" disabled>BCF</button>
<button id="save-page" type="button" title="Save this page with status and comments, to send it (P)" disabled>Save page</button>
`)}
</header>
<main>
<section class="view" aria-label="3D view">
${viewMarkup('clash')}
</section>
<section class="list" aria-label="Clashes">
<div class="bar">
<input id="filter" type="search" placeholder="Filter by part or file" aria-label="Filter by part or file" autocomplete="off" spellcheck="false">
<span id="count" class="quiet" role="status"></span>
</div>
<div id="classes" class="classes" role="group" aria-label="Classes to list" hidden></div>
<div id="changes" class="classes" role="group" aria-label="Changes since the baseline" hidden></div>
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
${helpDialog(SHORTCUTS)}
<noscript><p class="notice">This report needs JavaScript, which is disabled in this browser.</p></noscript>`;
