// Tests the demo's two pages of motion. On the cloth page, contacts stop a falling cloth, unless this is
// switched off. On the bullets page, the discrete method misses hits that the continuous method finds.

import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { closeBrowser, pageTest } from '../support/pages.js';
import { test } from '../support/test.js';
import { number, onPage, until$ } from './demoPages.js';
import { pictureOf } from './pictures.js';

const choose = (page: Page, id: string, value: string): Promise<unknown> =>
  page.selectOption(`#${id}`, value);
const slide = (page: Page, id: string, value: number): Promise<void> =>
  page.locator(`#${id}`).fill(String(value));

pageTest('cloth: the resolution can be chosen; contacts stop the sheet unless they are off', async () => {
  await onPage('cloth', async (page, errors) => {
    const some = "Number($.replace(',', '')) > 0";
    await choose(page, 'side', '32');
    await until$(page, 'triangles', "$ === '1,922'");
    await choose(page, 'side', '48');
    await until$(page, 'triangles', "$ === '4,418'");
    await until$(page, 'stopped', some);
    await until$(page, 'sweeps', '$ > 1');
    // As soon as a new sheet is dropped, no figures of the old sheet are shown.
    const left = await page.evaluate<string>(
      "document.getElementById('drop').click(); document.getElementById('stopped').textContent",
    );
    assert.is(left, '–');
    await until$(page, 'stopped', some);
    await page.uncheck('#stops');
    await until$(page, 'contacts', some);
    await until$(page, 'stopped', "$ === '0'");
    assert.is(await number(page, 'sweeps'), 1);
    await slide(page, 'threads', 1);
    await until$(page, 'status', "$ === '1 thread'");
    // Pauses the page and drops the cloth directly after the page has shown new counts. A running page would
    // wait before it shows counts again, but a paused page must show the new counts at once. The page's clock
    // is stopped meanwhile, so that this test does not depend on the speed of the machine.
    await page.evaluate(`new Promise(done => {
      new MutationObserver((_, observer) => {
        observer.disconnect();
        const now = performance.now();
        performance.now = () => now;
        for (const id of ['play', 'drop']) document.getElementById(id).click();
        done();
      }).observe(document.getElementById('milliseconds'), { childList: true, characterData: true, subtree: true });
    })`);
    await until$(page, 'sum', "$ === '0'");
    await page.evaluate('delete performance.now');
    await page.click('#play');
    assert.ok((await number(page, 'feature-pairs')) >= (await number(page, 'searched')));
    assert.equal(errors, []);
  });
});

pageTest('the discrete method finds most hits of slow bullets, but misses most of fast ones', async () => {
  await onPage('bullets', async (page, errors) => {
    const restart = async (count: string): Promise<void> => {
      // The page is paused for the check, because moving bullets would hit something again at once.
      await page.click('#play');
      await choose(page, 'count', count);
      await until$(page, 'swept', "$ === '0'");
      await page.click('#play');
    };
    // Reads all counts at once, because bullets move on.
    const counts = (): Promise<number[]> =>
      page.evaluate(() =>
        ['seen', 'swept', 'missed'].map(id =>
          Number(document.getElementById(id)!.textContent!.replaceAll(',', '')),
        ),
      );
    await slide(page, 'speed', 0.06);
    await restart('1000');
    await until$(page, 'swept', "Number($.replace(',', '')) > 40");
    const [seenSlow, sweptSlow, missedSlow] = await counts();
    // The discrete method misses a few slow bullets, which touch the edge of a slat only in the middle of a
    // step.
    assert.ok(
      seenSlow! > 0.85 * sweptSlow! && missedSlow! < 0.15 * sweptSlow!,
      `slow bullets: ${seenSlow} discrete hits, ${sweptSlow} continuous hits, ${missedSlow} missed`,
    );
    await slide(page, 'speed', 0.5);
    await restart('250');
    await until$(page, 'swept', "Number($.replace(',', '')) > 100");
    const [discrete, swept, missed] = await counts();
    assert.ok(missed! > 0.5 * swept! && discrete! < swept!, `${discrete} ${swept} ${missed}`);
    await slide(page, 'threads', 1);
    await until$(page, 'status', "$ === '1 thread'");
    await until$(page, 'swept', `Number($.replace(',', '')) > ${swept}`);
    let maxShare = 0;
    for (let attempt = 0; attempt < 100 && maxShare < 0.0002; attempt++)
      maxShare = Math.max(maxShare, (await pictureOf(page, '#view', ['wrong'])).parts[0]);
    assert.ok(maxShare > 0.0002, `${maxShare} of the pixels have the color of missed bullets`);
    assert.equal(errors, []);
  });
});

test.after(closeBrowser);
test.run();
