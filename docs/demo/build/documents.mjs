// Renders the Markdown documents of the project as HTML pages of the demo site. Each document keeps its path
// below `docs`, so relative links between documents and to pictures stay valid.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import markdownIt from 'markdown-it';
import { pathOf } from '../../../bindings/build/paths.mjs';
import { articleOf, pageHtml } from './template.mjs';

/** Paths of all documents, relative to `docs`, with slashes as separators. */
const documents = readdirSync(pathOf('docs'), { recursive: true })
  .map(file => file.split(path.sep).join('/'))
  .filter(file => /^([^/]+|(guides|modules)\/[^/]+|examples\/([^/]+\/)?README)\.md$/.test(file));

/** Returns the id of a heading. GitHub forms ids in the same way, so links to headings work on both sites. */
const idOf = text =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

const markdown = markdownIt({ html: true });

markdown.renderer.rules.heading_open = (tokens, at, options, { ids }, renderer) => {
  const id = idOf(
    tokens[at + 1].children
      .filter(({ type }) => type === 'text' || type === 'code_inline')
      .map(({ content }) => content)
      .join(''),
  );
  const count = ids.get(id) ?? 0;
  ids.set(id, count + 1);
  tokens[at].attrSet('id', count === 0 ? id : `${id}-${count}`);
  return renderer.renderToken(tokens, at, options);
};

markdown.renderer.rules.link_open = (tokens, at, options, _, renderer) => {
  const target = tokens[at].attrGet('href');
  if (!/^[a-z]+:/.test(target)) tokens[at].attrSet('href', target.replace(/\.md(?=#|$)/, '.html'));
  return renderer.renderToken(tokens, at, options);
};

// A table that is wider than the page scrolls within its own element; the page itself does not scroll
// sideways.
markdown.renderer.rules.table_open = () => '<div class="wide"><table>';
markdown.renderer.rules.table_close = () => '</table></div>';

/**
 * Writes the documents to `folder`/docs, with the pictures and other files that they show or link to. Writes
 * llms.txt, a list of the documents for coding agents, to `folder`.
 * `links(root)` must return the HTML of a page's navigation bar, where `root` is the relative path from the
 * page to the root of the site.
 */
export function writeDocuments(folder, links) {
  for (const file of documents) {
    const text = readFileSync(pathOf('docs', file), 'utf8');
    const root = '../'.repeat(file.split('/').length);
    const title = /^# (.*)$/m.exec(text)?.[1].replaceAll('`', '') ?? file;
    const main = markdown.render(text, { ids: new Map() });
    const to = path.join(folder, 'docs', file.replace(/\.md$/, '.html'));
    mkdirSync(path.dirname(to), { recursive: true });
    writeFileSync(
      to,
      pageHtml({
        root,
        title,
        description: `${title}: a document of pfront.`,
        links: links(root),
        main: articleOf(main),
      }),
    );
  }
  for (const file of ['pictures', 'schemas', 'publish.yml'])
    cpSync(pathOf('docs', file), path.join(folder, 'docs', file), { recursive: true });
  // Coding agents look for llms.txt at the root of a site.
  const index = readFileSync(pathOf('docs/llms.txt'), 'utf8');
  writeFileSync(path.join(folder, 'llms.txt'), index.replace(/\]\(([\w/-]+)\.md\)/g, '](docs/$1.html)'));
}
