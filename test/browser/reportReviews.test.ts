// Tests status and comments on the page that `pfront clash --report` writes: they are kept by the browser,
// and saved as BCF files, which another library reads.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { BCFTopics, Components } from '@thatopen/components';
import { unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { box, sphere, translation } from '../../dist/samples/index.js';
import { validate } from '../cli/bcfSchemas.js';
import { chromiumPath, closeBrowser, openBrowser, pageTest } from '../support/pages.js';
import { test } from '../support/test.js';
import { kindOf, makeReport, part, review, rows, untilKind, withReport, writeBeside } from './reports.js';

const cube = box(0.5, 0.5, 0.5);
const parts = [
  part('Case', cube, translation([0, 0, 0])),
  part('Pin <1>', cube, translation([0.9, 0.1, 0.2])),
  part('Ball', sphere(300), translation([-1.2, 0, 0])),
];
const bcf = chromiumPath ? writeBeside('reviews.bcf', '') : '';
const report = chromiumPath ? makeReport('reviews', parts, '--bcf', bcf) : undefined!;

/** Saves a BCF file with the dialog. @returns its bytes */
async function save(page: Page, scope: string, version: string): Promise<Uint8Array> {
  await page.keyboard.press('Escape');
  await page.click('#bcf');
  await page.selectOption('#export-scope', scope);
  await page.selectOption('#export-version', version);
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#export-save')]);
  assert.is(download.suggestedFilename(), 'reviews.glb.bcf');
  return new Uint8Array(readFileSync(await download.path()));
}

const decoded = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes);

pageTest('status and comments are shown in the table, and are kept when the page is reloaded', async () => {
  await withReport(report.page, async page => {
    const before = await kindOf(page, 1);
    await review(page, 1, 'In progress', 'Ada', 'Move <the> pin\nby 2 mm');
    await untilKind(page, 1, before.replace('hard', 'hard In progress, 1 comment'));
    assert.is(await page.inputValue('.review .comment'), '');
    await page.fill('#filter', 'progress');
    assert.equal(
      (await rows(page)).map(([clash]) => clash),
      ['1'],
    );
    await page.reload();
    await page.evaluate('pfrontReport.ready');
    await untilKind(page, 1, before.replace('hard', 'hard In progress, 1 comment'));
    await page.click('[data-clash="1"]');
    assert.is(await page.inputValue('.review .status'), 'In progress');
    assert.is(await page.inputValue('.review .author'), 'Ada');
    assert.is(await page.locator('.comments .text').textContent(), 'Move <the> pin\nby 2 mm');
    // Another clash has its own review.
    await page.click('[data-clash="0"]');
    assert.is(await page.inputValue('.review .status'), 'Open');
    assert.is(await page.locator('.comments .text').count(), 0);
    await page.click('[data-clash="1"]');
    await page.click('.comments button');
    await page.keyboard.press('Escape');
    await page.click('[data-clash="1"]');
    await page.selectOption('.review .status', 'Open');
    await untilKind(page, 1, before);
  });
});

pageTest('reviews are stored for each model, not for each page', async () => {
  const keysOf = async (address: string): Promise<string[]> => {
    let keys: string[] = [];
    await withReport(address, async page => {
      await page.click('[data-clash="0"]');
      await page.keyboard.press('4');
      keys = await page.evaluate('Object.keys(localStorage)');
    });
    return keys;
  };
  const first = await keysOf(report.page);
  assert.is(first.length, 1);
  assert.equal(await keysOf(makeReport('reviews', parts, '--bcf', bcf).page), first);
  assert.not.equal(await keysOf(makeReport('others', parts).page), first);
});

pageTest('without storage, reviews last until the page is closed, and the page says so', async () => {
  const context = await (await openBrowser()).newContext();
  try {
    await context.addInitScript(
      "Object.defineProperty(globalThis, 'localStorage', { get() { throw new DOMException('refused', 'SecurityError'); } });",
    );
    const page = await context.newPage();
    page.setDefaultTimeout(0);
    await page.goto(pathToFileURL(report.page).href);
    await page.evaluate('pfrontReport.ready');
    await review(page, 0, 'Closed', 'Ada', 'kept');
    await untilKind(page, 0, /Closed, 1 comment/);
    assert.match((await page.textContent('.review .note')) ?? '', 'does not allow storage');
    await page.click('[data-clash="1"]');
    await page.click('[data-clash="0"]');
    assert.is(await page.locator('.comments .text').textContent(), 'kept');
  } finally {
    await context.close();
  }
});

for (const version of ['2.1', '3.0'] as const)
  pageTest(`another library reads the status and comments of a BCF ${version} file of the page`, async () => {
    await withReport(report.page, async page => {
      await review(page, 1, 'Resolved', 'Ada', 'Moved by <2 mm>');
      const bytes = await save(page, 'touched', version);
      const files = unzipSync(bytes);
      for (const path of Object.keys(files))
        if (!path.endsWith('.png')) validate(version, path, decoded(files[path]!));
      const components = new Components();
      const reader = components.get(BCFTopics);
      reader.setup({});
      const { topics, viewpoints } = await reader.load(bytes);
      assert.equal([topics.length, viewpoints.length], [1, 1]);
      const [topic] = topics;
      const { nameA, nameB } = report.json.clashes[1];
      assert.equal(
        [topic!.title, topic!.status, topic!.type],
        [`hard: ${nameA}, ${nameB}`, 'Resolved', 'Clash'],
      );
      assert.equal(
        [...topic!.comments.values()].map(({ author, comment }) => [author, comment]),
        // The library does not decode entities.
        [['Ada', 'Moved by &#60;2 mm&#62;']],
      );
      components.dispose();
    });
  });

pageTest('the page writes the same topics and pictures as --bcf', async () => {
  const written = unzipSync(new Uint8Array(readFileSync(bcf)));
  await withReport(report.page, async page => {
    const saved = unzipSync(await save(page, 'listed', '2.1'));
    assert.equal(Object.keys(saved).sort(), Object.keys(written).sort());
    for (const path of Object.keys(saved))
      if (/markup\.bcf$|version$/.test(path)) assert.is(decoded(saved[path]!), decoded(written[path]!), path);
      else assert.ok(Math.abs(saved[path]!.length - written[path]!.length) < 0.02 * written[path]!.length);
  });
});

test.after(closeBrowser);
test.run();
