// Tests the documents in docs. On the web pages that are made from them, every relative link leads to an
// existing file, and every anchor of a link is the id of an element in that file. The glossary explains each
// term once, in one sentence. Guides have limits, and their tables of options have the same columns.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { writeDocuments } from '../../docs/demo/build/documents.mjs';
import { test } from '../support/test.js';

const folder = mkdtempSync(path.join(tmpdir(), 'documents-'));
test.after(() => rmSync(folder, { recursive: true }));

/** Returns the links and images of a page, except links to other sites and to the site's home page. */
const linksOf = (html: string): string[] =>
  [...html.matchAll(/<(?:a|img) [^>]*?(?:href|src)="([^"]+)"/g)]
    .map(([, target]) => target)
    .filter(target => !/^[a-z]+:/.test(target) && !/^(\.\.\/)+index\.html$/.test(target));

test('links between documents, and their anchors, exist on the site', () => {
  writeDocuments(folder, () => '');
  const pages = (readdirSync(path.join(folder, 'docs'), { recursive: true }) as string[])
    .filter(file => file.endsWith('.html'))
    .map(file => path.join(folder, 'docs', file));
  assert.ok(pages.length > 40, `${pages.length} pages`);
  const broken: string[] = [];
  for (const page of pages) {
    const html = readFileSync(page, 'utf8');
    assert.ok(!html.includes('{{'), `${page} has a placeholder that was not filled`);
    for (const target of linksOf(html)) {
      const [file, anchor] = target.split('#');
      const at = file === '' ? page : path.join(path.dirname(page), file);
      if (!existsSync(at) || (anchor && !readFileSync(at, 'utf8').includes(` id="${anchor}"`)))
        broken.push(`${path.relative(folder, page)}: ${target}`);
    }
  }
  assert.equal(broken, []);
});

const docs = fileURLToPath(new URL('../../docs/', import.meta.url));
const guides = readdirSync(`${docs}guides`).map(file => ({
  file,
  text: readFileSync(`${docs}guides/${file}`, 'utf8'),
}));

test('the glossary explains each term once, in one sentence and with a source', () => {
  const rows = readFileSync(`${docs}glossary.md`, 'utf8')
    .split('\n')
    .filter(line => line.startsWith('| ') && !line.startsWith('| term '))
    .map(line => line.slice(2, -2).split(' | '));
  assert.ok(rows.length > 200, `${rows.length} terms`);
  assert.equal(
    rows.filter(
      ([term, meaning, source]) =>
        !term || !source || !meaning?.endsWith('.') || /[.?!] \p{Lu}/u.test(meaning),
    ),
    [],
  );
  const terms = rows.map(([term]) => term!.toLowerCase());
  assert.equal(
    terms.filter((term, i) => terms.indexOf(term) !== i),
    [],
  );
});

// Pages that give an overview instead of describing one task: a page for agents, and a page that lists the
// equivalents of other libraries' calls.
const OVERVIEWS = ['agents.md', 'coming-from.md'];

test('every guide except overviews says what its limits are', () => {
  assert.equal(
    guides
      .filter(({ text }) => !/^## Limits/m.test(text))
      .map(({ file }) => file)
      .sort(),
    OVERVIEWS,
  );
});

test('tables of options have the columns option, values, default and meaning', () => {
  // The options of these commands have their values in the column `option`, and their defaults in the text.
  const commands = ['clash.md', 'cluster.md', 'moving-parts.md'];
  const heads = guides
    .filter(({ file }) => !commands.includes(file))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/^\|(.*)\|\n\| ?---/gm)].map(([, head]) => ({
        file,
        columns: head!.split('|').map(column => column.trim()),
      })),
    )
    .filter(({ columns }) => columns.some(column => /^option( |$)/.test(column)));
  assert.ok(heads.length > 15, `${heads.length} tables of options`);
  assert.equal(
    heads.filter(({ columns }) => !/^(\w+,)?option[^,]*,values,default,meaning$/.test(columns.join(','))),
    [],
  );
});

test.run();
