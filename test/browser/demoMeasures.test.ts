// Tests the demo's page of measures, on which one body moves through another. The page shows the class of the
// contact, the distance, the penetration depth, and the curve in which the surfaces intersect.

import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { closeBrowser, pageTest } from '../support/pages.js';
import { test } from '../support/test.js';
import { number, onPage, text, until$ } from './demoPages.js';

const slide = (page: Page, id: string, value: number): Promise<void> =>
  page.locator(`#${id}`).fill(String(value));
const shown = (page: Page, name: string): Promise<unknown> => until$(page, 'class', `$ === '${name}'`);

pageTest(
  'a ball that moves through a block is shown as apart, near, penetrating, contained, and near again',
  async () => {
    await onPage('measures', async (page, errors) => {
      await page.click('#play');
      await slide(page, 'clearance', 0);
      await slide(page, 'place', 0.06);
      await shown(page, 'Apart');
      const away = await number(page, 'distance');
      assert.ok(away > 0.01 && away < 0.1, `distance ${away}`);
      assert.is(await number(page, 'near'), 0);
      await slide(page, 'clearance', 0.1);
      await shown(page, 'Within the clearance');
      assert.ok((await number(page, 'near')) > 0);
      assert.is(await number(page, 'segments'), 0);
      await slide(page, 'place', 0.12);
      await shown(page, 'Penetrating');
      await until$(page, 'depth', 'Number($) > 0');
      assert.is(await number(page, 'distance'), 0);
      assert.ok((await number(page, 'segments')) > 10);
      // The curve is a circle whose radius is at most 0.45, the radius of the ball, unless the ball reaches
      // around an edge of the block. The factor 1.5 allows for such an edge.
      const length = await number(page, 'curve');
      assert.ok(length > 0.3 && length < 2 * Math.PI * 0.45 * 1.5, `length ${length}`);
      await slide(page, 'place', 0.5);
      await shown(page, 'Contained');
      assert.ok((await number(page, 'distance')) > 0.4);
      assert.match(await text(page, 'class-hint'), 'entirely inside');
      await slide(page, 'place', 0.94);
      await shown(page, 'Within the clearance');
      assert.equal(errors, []);
    });
  },
);

pageTest.slow(
  'bunnies and rings have a curve where they intersect, and a penetration depth that is not zero',
  async () => {
    await onPage('measures', async (page, errors) => {
      await page.click('#play');
      for (const shape of ['bunnies', 'rings']) {
        await page.selectOption('#shape', shape);
        await slide(page, 'place', 0.3);
        await shown(page, 'Penetrating');
        await until$(page, 'depth', 'Number($) > 0');
        assert.ok((await number(page, 'segments')) > 20, shape);
        await slide(page, 'place', 0.1);
        await shown(page, 'Within the clearance');
      }
      assert.equal(errors, []);
    });
  },
);

test.after(closeBrowser);
test.run();
