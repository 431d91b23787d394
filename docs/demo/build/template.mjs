// Reads and fills the HTML templates of the demo site.
import { readFileSync } from 'node:fs';
import { pathOf } from '../../../bindings/build/paths.mjs';

/** Replaces each {{name}} in a template with `parts[name]`. */
export const fill = (text, parts) => text.replace(/\{\{(\w+)\}\}/g, (_, part) => parts[part]);

/** Reads a template file. `names`: its path below docs/demo. */
export const template = (...names) => readFileSync(pathOf('docs/demo', ...names), 'utf8');

/**
 * Returns the HTML of a page. root: the relative path from the page to the root of the site. links: the HTML
 * of the links in the navigation bar. main: the `main` element. scripts: additional elements of the head, by
 * default none. tools: additional elements of the navigation bar, by default none.
 */
export const pageHtml = parts => fill(template('shell/page.html'), { scripts: '', tools: '', ...parts });

/** Returns the `main` element of a page that consists of text. `html`: the text. */
export const articleOf = html => `<main class="document">\n<article>\n${html}\n</article>\n</main>`;
