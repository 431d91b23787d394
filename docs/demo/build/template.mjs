// Fills the templates of pages.
import { readFileSync } from 'node:fs';
import { at } from '../../../bindings/build/paths.mjs';

/** Replaces each {{part}} of a template. */
export const fill = (text, parts) => text.replace(/\{\{(\w+)\}\}/g, (_, part) => parts[part]);

/** Returns the link to the landing page. root: the path from the page to the site's root. */
export const brandOf = root =>
  fill(readFileSync(at('docs/demo/shell/brand.html'), 'utf8').trimEnd(), { root });
