// Fills the templates of the site.
import { readFileSync } from 'node:fs';
import { pathOf } from '../../../bindings/build/paths.mjs';

/** Replaces each {{part}} of a template. */
export const fill = (text, parts) => text.replace(/\{\{(\w+)\}\}/g, (_, part) => parts[part]);

/** Reads a template below docs/demo. */
export const template = (...names) => readFileSync(pathOf('docs/demo', ...names), 'utf8');

/**
 * Returns the HTML of a page. root: the path from the page to the site's root. links: the HTML of the
 * navigation bar. main: the `main` element. scripts, tools: additional elements of the head and of the bar.
 */
export const pageHtml = parts => fill(template('shell/page.html'), { scripts: '', tools: '', ...parts });

/** Returns the `main` element of a page of text. */
export const articleOf = html => `<main class="document">\n<article>\n${html}\n</article>\n</main>`;
