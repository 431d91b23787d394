// Builds an HTML page with a 3D view: everything except its data. Markup, style and script are inline, and a
// Content-Security-Policy prevents the page from running or loading anything else.
import { createHash } from 'node:crypto';
import { escapeHtml } from './escapeHtml.js';

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath fill='%232f6fde' d='M1 3h9v9H1z'/%3E%3Cpath fill='%23d08a1d' d='M6 6h9v9H6z'/%3E%3Cpath fill='%23d92d3a' d='M6 6h4v6H6z'/%3E%3C/svg%3E";

// Escapes `</script` and `<!--` in the strings of a script. In an inline script, `</script` would end the
// script element, and `<!--` could hide its end.
const inline = (script: string): string => script.replace(/<(?=\/script|!--)/gi, '\\x3c');

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The contents of a page that differ between a clash report and the page of a motion search. */
export interface PageParts {
  title: string;
  style: string;
  /** The HTML of the body, without the data and the script. */
  markup: string;
}

/** Returns the part of the page before the data. `script` is the JavaScript of the page. */
export function pageHead({ title, style, markup }: PageParts, script: string): string {
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
${markup}
`;
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

/** Returns the buttons at the top of every page. `own`: the HTML of buttons that not every page has. */
export const toolButtons = (own: string): string => `<div class="tools">
<button id="fit" type="button" title="Show all parts (Esc)" disabled>Fit all</button>
<button id="screenshot" type="button" title="Save the view as PNG (S)" disabled>Screenshot</button>
${own}<button id="keys" type="button" title="Keyboard shortcuts (?)" disabled>Keys</button>
<button id="theme" type="button" title="Switch between dark and light" disabled>Dark</button>
</div>`;

/**
 * Returns the HTML inside the section element of the 3D view. `subject` is what a row of the page's table
 * shows.
 */
export const viewMarkup = (subject: 'clash' | 'contact'): string => `<div class="picture">
<canvas id="canvas" role="img" aria-label="The parts in three dimensions. Drag to rotate, scroll to zoom, drag with the right button to pan."></canvas>
<p id="notice" class="notice" role="status">Loading the report</p>
</div>
<div id="view-tools" class="view-tools" hidden>
<div class="view-buttons">
<button id="section" type="button" title="Cut away everything outside a box (X)" aria-pressed="false">Section</button>
<button id="isolate" type="button" title="Show only the clicked part, or the two parts of the ${subject} (I)" aria-pressed="false">Isolate</button>
<button id="measure" type="button" title="Measure between two points (M)" aria-pressed="false">Measure</button>
<button id="unhide" type="button" title="Show hidden parts (U)" hidden></button>
</div>
<div id="section-panel" class="chip" role="group" aria-label="Section box" hidden>
<div id="section-sides" class="sides"></div>
<div class="view-buttons"><button id="section-around" type="button">Around the ${subject}</button><button id="section-all" type="button">All</button></div>
</div>
<p id="measured" class="chip" role="status" hidden></p>
<p id="picked" class="chip" role="status" hidden></p>
</div>
<div id="details" class="details" hidden></div>`;

/** The shortcuts of the tools of the 3D view. */
export const TOOL_SHORTCUTS: readonly (readonly string[])[] = [
  ['X', 'section box'],
  ['I', 'isolate'],
  ['H', 'hide the clicked part'],
  ['U', 'show hidden parts'],
  ['M', 'measure'],
];

/** Returns the dialog with the keyboard shortcuts. */
export const helpDialog = (
  shortcuts: readonly (readonly string[])[],
): string => `<dialog id="help" aria-label="Keyboard shortcuts">
<h2>Keyboard</h2>
<dl class="shortcuts">${shortcuts.map(([key, what]) => `<dt><kbd>${key}</kbd></dt><dd>${what}</dd>`).join('')}</dl>
<div class="view-buttons"><button id="help-close" type="button">Close</button></div>
</dialog>`;
