// Tests the web pages that are made from the documents in docs: every relative link leads to an existing
// file, and every anchor of a link is the id of an element in that file.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
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

test.run();
