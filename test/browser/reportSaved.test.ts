// Tests the copies of a report page that the button "Save page" writes: they contain the status and the comments
// of the clashes, and work from disk like the first page.
import { copyFileSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { box, sphere, translation } from '../../dist/samples/index.js';
import { chromiumPath, closeBrowser, openBrowser, pageTest } from '../support/pages.js';
import { test } from '../support/test.js';
import {
  kindOf,
  makeReport,
  part,
  review,
  rows,
  settled,
  untilKind,
  withReport,
  writeBeside,
} from './reports.js';

const cube = box(0.5, 0.5, 0.5);
const parts = [
  part('Case', cube, translation([0, 0, 0])),
  part('Pin <1>', cube, translation([0.9, 0.1, 0.2])),
  part('Ball', sphere(300), translation([-1.2, 0, 0])),
];
const report = chromiumPath ? makeReport('saved', parts) : undefined!;
const HOSTILE = 'Move <the> pin </script><!-- & "it"';

/** Presses the button. @returns the path of the saved page */
async function save(page: Page, name: string): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save-page')]);
  assert.is(download.suggestedFilename(), 'saved.glb.html');
  const path = writeBeside(name, '');
  copyFileSync(await download.path(), path);
  return path;
}

/** Opens several pages one after another in one browser, which keeps their reviews. */
async function withBrowser(
  use: (page: Page, open: (path: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  const context = await (await openBrowser()).newContext();
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(0);
    const open = async (path: string): Promise<void> => {
      await page.goto(pathToFileURL(path).href);
      await page.evaluate('pfrontReport.ready');
    };
    await use(page, open);
  } finally {
    await context.close();
  }
}

const commentsOf = async (page: Page, clash: number): Promise<string[]> => {
  await page.click(`[data-clash="${clash}"]`);
  return page.locator('.comments .text').allTextContents();
};

pageTest(
  'a saved page shows the same clashes, with their status and comments, in another browser',
  async () => {
    let [copy, again] = ['', ''];
    const kinds: string[] = [];
    const views: unknown[] = [];
    await withReport(report.page, async page => {
      await review(page, 1, 'In progress', 'Ada', HOSTILE);
      kinds.push(await kindOf(page, 0), await kindOf(page, 1));
      await page.click('[data-clash="0"]');
      views.push(await settled(page), await rows(page), await page.title());
      copy = await save(page, 'copy.html');
    });
    assert.match(kinds[1]!, 'In progress, 1 comment');
    // This browser does not have the reviews that the first page stored. `withReport` also checks that the copy
    // logs no errors and requests nothing.
    await withReport(copy, async page => {
      assert.equal([await kindOf(page, 0), await kindOf(page, 1)], kinds);
      assert.equal(await commentsOf(page, 1), [HOSTILE]);
      await page.click('[data-clash="0"]');
      assert.equal([await settled(page), await rows(page), await page.title()], views);
      assert.is(
        Number(await page.getAttribute('meta[name=page-bytes]', 'content')),
        readFileSync(copy).length,
      );
      await review(page, 0, 'Closed', 'Bob', 'Fine');
      await page.click('[data-clash="1"]');
      await page.click('.comments button');
      await page.selectOption('.review .status', 'Open');
      again = await save(page, 'again.html');
      // Changes that were made in the copy are kept when the page is reloaded.
      await page.reload();
      await page.evaluate('pfrontReport.ready');
      await untilKind(page, 0, /Closed, 1 comment/);
      assert.equal(await commentsOf(page, 1), []);
    });
    await withReport(again, async page => {
      assert.equal([await commentsOf(page, 0), await commentsOf(page, 1)], [['Fine'], []]);
      await untilKind(page, 1, /^(?!.*In progress)/);
    });
  },
);

pageTest('reviews in a page that was saved elsewhere are merged with the reviews of this browser', () =>
  withBrowser(async (page, open) => {
    let other = '';
    await withReport(report.page, async elsewhere => {
      await review(elsewhere, 0, 'In progress', 'Bob', 'from Bob');
      await review(elsewhere, 1, 'Closed', 'Bob', 'later');
      other = await save(elsewhere, 'other.html');
    });
    await open(report.page);
    await review(page, 0, 'Resolved', 'Ada', 'from Ada');
    await open(other);
    // The status that was set last counts.
    await untilKind(page, 0, /Resolved, 2 comments/);
    assert.equal((await commentsOf(page, 0)).sort(), ['from Ada', 'from Bob']);
    await untilKind(page, 1, /Closed, 1 comment/);
    await open(report.page);
    await untilKind(page, 0, /Resolved, 1 comment/);
  }),
);

pageTest('an older copy does not bring back a comment that was deleted or a status that was reset', () =>
  withBrowser(async (page, open) => {
    await open(report.page);
    await review(page, 0, 'Closed', 'Ada', 'wrong');
    const copy = await save(page, 'older.html');
    await page.click('.comments button');
    await page.selectOption('.review .status', 'Open');
    await open(copy);
    await untilKind(page, 0, /^(?!.*(Closed|comment))/);
    assert.equal(await commentsOf(page, 0), []);
  }),
);

pageTest('the key P saves the page, with the same style and script', async () => {
  await withReport(report.page, async page => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('p')]);
    const [first, saved] = [report.page, await download.path()].map(path => {
      const text = readFileSync(path, 'utf8');
      return ['style', 'script'].map(tag => new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(text)![1]);
    });
    assert.equal(saved, first);
  });
});

test.after(closeBrowser);
test.run();
