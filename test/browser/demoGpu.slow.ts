// Tests the choice between CPU and GPU on the scans page: both highlight the same triangles, the layout does
// not shift, and a page without a GPU disables the choice and says that no GPU is available.

import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { closeBrowser, pageTest } from '../support/pages.js';
import { test } from '../support/test.js';
import { frames, number, onPage, text, until, until$ } from './demoPages.js';
import { pictureOf } from './pictures.js';

const isReady = (page: Page): Promise<unknown> => until(page, "!document.getElementById('backend').disabled");
const before = `globalThis.shift = 0;
new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) shift += entry.value; }).observe({ type: 'layout-shift', buffered: true });`;
// The page does not offer software adapters, but the test has only a software adapter. So this script makes
// the adapter report that it is hardware.
const hardware =
  "Object.defineProperty(GPUAdapterInfo.prototype, 'isFallbackAdapter', { get: () => false });";

pageTest('with a GPU, both choices highlight the same triangles, without layout shifts', async () => {
  await onPage(
    'scans',
    async (page, errors) => {
      await page.click('#play');
      await page.selectOption('#detail', '0');
      await page.locator('#place').fill('0.5');
      await isReady(page);
      assert.match(await text(page, 'backend-hint'), /^A GPU was found: \S/);
      await until$(page, 'triangles', "$ === '7,348'");
      await until$(page, 'front-nodes', "$ !== '–'");
      await frames(page, 30);
      const pairs = await number(page, 'triangle-pairs');
      const onCpu = await pictureOf(page, '#view', ['lit']);
      assert.ok(pairs > 100 && onCpu.parts[0] > 0.0005, `${pairs} pairs, ${onCpu.parts[0]} lit`);

      await page.selectOption('#backend', 'gpu');
      await until$(page, 'parts-hint', "$.startsWith('A GPU uses no work lists')");
      await isReady(page);
      assert.is(await page.isDisabled('#parts'), true);
      assert.is(await number(page, 'triangle-pairs'), pairs);
      assert.ok((await number(page, 'front-nodes')) > 100);
      const onGpu = await pictureOf(page, '#view', ['lit']);
      // Slow frames are drawn at a lower resolution, so the highlighted fractions may differ.
      assert.ok(Math.abs(onGpu.parts[0] / onCpu.parts[0] - 1) < 0.2, `${onGpu.parts[0]} ${onCpu.parts[0]}`);
      await page.locator('#place').fill('0.3');
      await until$(page, 'triangle-pairs', `Number($.replace(',', '')) !== ${pairs}`);

      await page.selectOption('#backend', 'cpu');
      await until$(page, 'parts-hint', "$.startsWith('There are more') || $.startsWith('Each of')");
      await page.locator('#place').fill('0.5');
      await until$(page, 'triangle-pairs', `Number($.replace(',', '')) === ${pairs}`);
      assert.is(await page.isDisabled('#parts'), false);
      assert.ok((await page.evaluate<number>('shift')) < 0.02, `shift ${await page.evaluate('shift')}`);
      assert.equal(errors, []);
    },
    { hasGpu: true, before: before + hardware },
  );
});

pageTest(
  'without a GPU, or with a software GPU, the choice is disabled and the page gives the reason',
  async () => {
    for (const hasGpu of [false, true])
      await onPage(
        'scans',
        async (page, errors) => {
          await until$(page, 'backend-hint', "$.startsWith('No GPU is available')");
          assert.is(await page.isDisabled('#backend'), true);
          assert.ok((await page.evaluate<number>('shift')) < 0.02, `shift ${await page.evaluate('shift')}`);
          assert.equal(errors, []);
        },
        { hasGpu, before },
      );
  },
);

test.after(closeBrowser);
test.run();
