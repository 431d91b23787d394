// Tests that every platform gives the same results, whose hashes are in hashes.json. The platforms are
// several versions of Node, Deno, Bun, browsers, and an arm64 processor. In this process, 1 to 16 threads and
// unshared memory are tested, too. `npm run determinism` runs this suite and prints a table of the tested
// platforms; with the option --write, docs/determinism.md is updated with this table.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import * as assert from 'uvu/assert';
import * as pfront from '../../dist/index.js';
import * as scenes from '../../dist/samples/index.js';
import { type Answers, answers, hashOf } from '../support/answers.js';
import { installPacked } from '../support/packed.js';
import { chromiumPath, closeBrowser, openBrowser, root, withPage } from '../support/pages.js';
import { test } from '../support/test.js';
import { type Browser, browsers, isInstalled, textFrom } from './browsers.js';
import { answersBy, programs, versionOf } from './programs.js';

const hashesFile = new URL('hashes.json', import.meta.url);
/** The file to which the tested platforms are written, for `npm run determinism`; unset in other runs. */
const recordFile = process.env.PFRONT_DETERMINISM;

interface Row {
  platform: string;
  version: string;
  threads: string;
  queries: number;
}
const rows: Row[] = [];
/** Names of platforms that are missing on this machine. */
const missing: string[] = [];

const {
  outputFiles: [asking],
} = await build({
  entryPoints: [`${root}test/support/answers.ts`],
  bundle: true,
  format: 'esm',
  target: 'es2022',
  write: false,
});
const { folder } = installPacked();
writeFileSync(
  path.join(folder, 'package.json'),
  JSON.stringify({ name: 'app', private: true, type: 'module' }),
);
writeFileSync(path.join(folder, 'answers.js'), asking!.text);
writeFileSync(
  path.join(folder, 'main.js'),
  `import * as pfront from 'pfront';
import * as scenes from 'pfront/samples';
import { answers } from './answers.js';
console.log(JSON.stringify(await answers(pfront, scenes, JSON.parse(process.argv[2]))));
process.exit(0);
`,
);
const site = {
  made: {
    '/page.html':
      '<!doctype html><meta charset="utf-8"><title>pfront</title><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>',
    '/page.js': `import * as pfront from '/dist/index.js';
import * as scenes from '/dist/samples/index.js';
import { answers } from '/answers.js';
const options = JSON.parse(decodeURIComponent(location.search.slice(1)));
const found = await answers(pfront, scenes, options).catch((error) => ({ error: [error, error.stack, error.cause, error.cause?.stack].join("\\n") }));
await fetch('/', { method: 'POST', body: JSON.stringify(found) });
globalThis.isSent = true;`,
    '/answers.js': asking!.text,
  },
};
const addressFor = (options: object): string => `/page.html?${encodeURIComponent(JSON.stringify(options))}`;

/** Combines the hashes of single results into one hash for each query in test/support/answers.ts. */
function hashByQuery({ hashes }: Answers): Record<string, string> {
  const texts = new Map<string, string>();
  for (const [name, hash] of Object.entries(hashes)) {
    const query = name.slice(0, name.indexOf(': '));
    texts.set(query, `${texts.get(query) ?? ''}${name} ${hash}\n`);
  }
  return Object.fromEntries(
    [...texts].map(([query, text]) => [query, hashOf(new TextEncoder().encode(text))]),
  );
}

const expected = await answers(pfront, scenes, { threads: 1 });
if (process.env.PFRONT_ACCEPT)
  writeFileSync(hashesFile, `${JSON.stringify(hashByQuery(expected), null, 2)}\n`);
const committed = JSON.parse(readFileSync(hashesFile, 'utf8')) as Record<string, string>;

function check(platform: string, version: string, found: Answers, threads: number): void {
  // Compares single results first, so that a failure names a result that differs from that of this process.
  assert.equal(found.hashes, expected.hashes);
  assert.equal(hashByQuery(found), committed);
  assert.is(found.info.threads, threads, JSON.stringify(found.info.notes));
  const memory = found.info.memory === 'shared' ? '' : ', unshared memory';
  rows.push({
    platform,
    version,
    threads: `${threads}${memory}`,
    queries: Object.keys(committed).length,
  });
}

test('this process gives the results of hashes.json', () => {
  check('Node, this process', process.versions.node, expected, 1);
});

for (const threads of [2, 3, 4, 5, 7, 8, 12, 16])
  test(`${threads} threads give the same results`, async () => {
    check('Node, this process', process.versions.node, await answers(pfront, scenes, { threads }), threads);
  });

test('unshared memory gives the same results', async () => {
  const found = await answers(pfront, scenes, { memory: 'single' });
  check('Node, this process', process.versions.node, found, 1);
});

for (const program of programs) {
  const version = versionOf(program);
  if (version === undefined) {
    missing.push(program.name);
    continue;
  }
  test(`${program.name} gives the same results`, () => {
    check(program.name, version, answersBy(program, folder, 'main.js', { threads: 3 }), 3);
  });
}

const chromium = chromiumPath ? test : test.skip;
chromium('Chromium gives the same results', async () => {
  const version = (await openBrowser()).version();
  let text = '';
  const onPost = (body: string): void => {
    text = body;
  };
  await withPage({ ...site, onPost }, addressFor({ threads: 3 }), page =>
    page.waitForFunction('globalThis.isSent'),
  );
  const found = JSON.parse(text);
  assert.is(found.error, undefined);
  check('Chromium', version, found, 3);
});

/**
 * Runs the queries in a browser. If the browser is known to trap in correct kernels (mayTrap), a run that
 * ends in a trap is repeated, at most twice. @returns found: the results or the error of the last run; traps:
 * the number of earlier runs that ended in a trap
 */
async function answersOf(browser: Browser) {
  for (let traps = 0; ; traps++) {
    const { text, version } = await textFrom(browser, site, addressFor({ threads: 3 }));
    const found = JSON.parse(text);
    const isTrap = browser.mayTrap && String(found.error).includes('a kernel trapped');
    if (!isTrap || traps === 2) return { found, version, traps };
  }
}

for (const browser of browsers) {
  if (!isInstalled(browser)) {
    missing.push(browser.name);
    continue;
  }
  test(`${browser.name} gives the same results`, async () => {
    const { found, version, traps } = await answersOf(browser);
    if (traps > 0) console.log(`counted: ${browser.name}: ${traps} runs ended in a trap and were repeated`);
    assert.is(found.error, undefined);
    check(browser.name, version, found, browser.threads);
  });
}

test.after(async () => {
  await closeBrowser();
  rmSync(folder, { recursive: true, force: true });
  console.log(`counted: platforms that are missing on this machine: ${missing.join(', ') || 'none'}`);
  if (recordFile) writeFileSync(recordFile, JSON.stringify(rows));
});
test.run();
