// Tests the documents in docs. On the web pages that are made from them, every relative link leads to an
// existing file, and every anchor of a link is the id of an element in that file. The glossary explains each
// term once, in one sentence. Guides state the limits of what they describe, and their tables of options have
// the same columns. The page for coding agents lists every method of an engine. No page tells readers to
// install the package from a registry. Paragraphs have at most five sentences. The README and two pages are
// short, and each guide begins with a picture.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { moduleTable } from '../../dist/engine/moduleTable.js';
import { writeDocuments } from '../../docs/demo/build/documents.mjs';
import { test } from '../support/test.js';

const folder = mkdtempSync(path.join(tmpdir(), 'documents-'));
test.after(() => rmSync(folder, { recursive: true }));

/** Returns the links and images of a page, except links to other sites and to the site's home page. */
const linksOf = (html: string): string[] =>
  [...html.matchAll(/<(?:a|img) [^>]*?(?:href|src)="([^"]+)"/g)]
    .map(([, target]) => target)
    .filter(target => !/^[a-z]+:/.test(target) && !/^(\.\.\/)+index\.html$/.test(target));

test('every link between documents leads to an existing file and anchor on the site', () => {
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

test('the README, the architecture and the page for coding agents are short', () => {
  const countWords = (file: string): number =>
    readFileSync(docs + file, 'utf8')
      .split(/\s+/)
      .filter(word => /[\p{L}\p{N}]/u.test(word)).length;
  assert.ok(countWords('../README.md') <= 1200);
  assert.ok(countWords('architecture.md') <= 3000);
  assert.ok(countWords('guides/agents.md') <= 1500);
});

test('each guide has a picture below its introduction, before the first heading or example', () => {
  assert.equal(
    guides
      .filter(({ text }) => !/^!\[/m.test(text.split(/^(?:## |```)/m)[0]!))
      .map(({ file }) => file)
      .sort(),
    OVERVIEWS,
  );
});

/** The maximum number of sentences in a paragraph or an item of a list. */
const MAX_SENTENCES = 5;

/**
 * Returns the paragraphs and the items of lists of a Markdown text, each with the number of its first line.
 * Code blocks, tables, headings and HTML comments are left out.
 */
function paragraphsOf(text: string): { line: number; paragraph: string }[] {
  const paragraphs: { line: number; paragraph: string }[] = [];
  let fence = '';
  let isOpen = false;
  for (const [i, line] of text.split('\n').entries()) {
    const [, mark, content] = /^[\s>]*((?:[-*+]|\d+[.)])\s+)?(.*)$/.exec(line)!;
    const ticks = /^(`{3,}|~{3,})/.exec(content!)?.[1];
    if (ticks && (fence === '' || ticks.startsWith(fence))) fence = fence === '' ? ticks : '';
    if (ticks || fence !== '' || /^(\||#{1,6} |<!--|$)/.test(content!)) isOpen = false;
    else if (isOpen && !mark) paragraphs.at(-1)!.paragraph += ` ${content}`;
    else {
      paragraphs.push({ line: i + 1, paragraph: content! });
      isOpen = true;
    }
  }
  return paragraphs;
}

/**
 * Returns the number of sentences of a paragraph. A sentence ends with a period, a question mark or an
 * exclamation mark, followed by a space; so decimals and file names end no sentence. The marks in code,
 * addresses of links, abbreviations, ellipses and a bold label at the start also end no sentence.
 */
const sentenceCountOf = (paragraph: string): number =>
  paragraph
    .replace(/(`+).+?\1(?!`)/g, 'code')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/^\*\*[^*]+[.?!]\*\*\s/, '')
    .replace(/\b(e\.g|i\.e|vs|cf|et al|approx)\. /g, '$1 ')
    .replace(/\betc\. (?=\p{Ll})/gu, 'etc ')
    .replace(/\b(figs?|eqs?|secs?|nos?|vol|pp?)\. (?=\d)/gi, '$1 ')
    .split(/(?<=[^\s.][.?!]["”’')\]*_]*) +/).length;

test('marks in code, abbreviations, decimals and file names do not count as ends of sentences', () => {
  const cases: [string, number][] = [
    ['One sentence.', 1],
    ['Two. pfront starts the second one!', 2],
    ['Is this one? (Yes.) "Three." *Four.* [Five.](a.md) Six', 6],
    [
      '**A label.** Meshes, e.g. cubes, cf. Fig. 3 of Avril et al. (2014), take 0.5 ms in `a. b. c.` of run.ts.',
      1,
    ],
    ['The grain depends on p. It is not an abbreviation here, etc. Nor is this no. See p. 3.', 4],
    ['A list of names (X, Y, ...) is one sentence: `.` or `?` ends it. [Two](a. b. c.md).', 2],
  ];
  assert.equal(
    cases.filter(([text, count]) => sentenceCountOf(text) !== count),
    [],
  );
  const text = '# Head. A. B.\n\nOne\ntwo.\n- Three.\n- Four.\n  Five.\n\n| A. B. |\n\n```\nA. B.\n```\nSix.';
  assert.equal(
    paragraphsOf(text).map(({ line, paragraph }) => `${line}: ${paragraph}`),
    ['3: One two.', '5: Three.', '6: Four. Five.', '14: Six.'],
  );
});

test('paragraphs have at most five sentences', () => {
  const pages = ['', 'guides/'].flatMap(folder =>
    readdirSync(docs + folder)
      .filter(file => file.endsWith('.md'))
      .map(file => ({ file: `docs/${folder}${file}`, text: readFileSync(docs + folder + file, 'utf8') })),
  );
  pages.push({ file: 'README.md', text: readFileSync(`${docs}../README.md`, 'utf8') });
  const paragraphs = pages.flatMap(({ file, text }) =>
    paragraphsOf(text).map(({ line, paragraph }) => ({ at: `${file}:${line}`, paragraph })),
  );
  assert.ok(paragraphs.length > 1000, `${paragraphs.length} paragraphs`);
  assert.equal(
    paragraphs.filter(({ paragraph }) => sentenceCountOf(paragraph) > MAX_SENTENCES).map(({ at }) => at),
    [],
  );
});

test('the page for coding agents lists every method of an engine', () => {
  const calls = guides
    .find(({ file }) => file === 'agents.md')!
    .text.split('\n')
    .filter(line => line.startsWith('|'))
    .map(line => line.split(' | ')[0])
    .join('\n');
  const core = ['query', 'queryMany', 'createMesh', 'createMeshAsync', 'dispose', 'info'];
  const names = [...core, ...Object.values(moduleTable).flatMap(({ methods }): readonly string[] => methods)];
  assert.ok(names.length > 25, `${names.length} names`);
  // Searches for a call, with or without `engine.`, or for a property of the engine. A method of another object
  // does not count.
  const isListed = (name: string): boolean =>
    new RegExp(`(?<![\\w.])(engine\\.)?${name}\\(|\`engine\\.${name}\``).test(calls);
  assert.equal(
    names.filter(name => !isListed(name)),
    [],
  );
});

const INSTALLS =
  /\b(npm|pnpm|yarn|bun|deno) +(install|i|add) +([^`\n]* )?pfront(?![\w/-]|\.\w)|\bnpm:pfront\b/;

// Until the package is published, a command that INSTALLS matches fails, or installs a package that someone
// else has published under this name.
test('no page tells readers to install the package from a registry, except in a sentence about the future', () => {
  const future = /\bOnce it is published, [^.]*\./;
  const readme = readFileSync(`${docs}../README.md`, 'utf8');
  assert.match(readme, future);
  const files = (readdirSync(docs, { recursive: true }) as string[]).filter(
    file => file.endsWith('.md') && !file.includes('node_modules'),
  );
  assert.ok(files.length > 40, `${files.length} pages`);
  const pages = files.map(file => ({ file, text: readFileSync(`${docs}${file}`, 'utf8') }));
  assert.equal(
    [...pages, { file: 'README.md', text: readme.replace(future, '') }].flatMap(({ file, text }) =>
      text
        .split('\n')
        .filter(line => INSTALLS.test(line))
        .map(line => `${file}: ${line}`),
    ),
    [],
  );
  for (const command of [
    'npm install pfront.',
    'npm i -D pfront',
    'npm add three pfront@0.1.0',
    "import 'npm:pfront'",
  ])
    assert.match(command, INSTALLS);
  for (const command of ['npm install ./pfront-0.1.0.tgz', 'npm install three', 'npx pfront doctor'])
    assert.not.match(command, INSTALLS);
});

test.run();
