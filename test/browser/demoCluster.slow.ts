// Tests the demo's cluster page, on which a swarm of bodies moves through space. Space is divided into
// columns, and each column belongs to a node. The page is drawn in both themes and in two sizes. Columns move
// between nodes or stay, and nodes join and leave.

import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { closeBrowser, pageTest } from '../support/pages.js';
import { test } from '../support/test.js';
import { number, onPage, record, text, until, until$ } from './demoPages.js';
import { pictureOf } from './pictures.js';

const choose = (page: Page, id: string, value: string): Promise<unknown> =>
  page.selectOption(`#${id}`, value);
const slide = async (page: Page, id: string, value: number): Promise<void> => {
  await page.locator(`#${id}`).fill(String(value));
  await page.locator(`#${id}`).dispatchEvent('change');
};
const ofNodes = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => `node-${from + i}`);
const more = async (page: Page, steps: number): Promise<void> => {
  const step = await number(page, 'step');
  await until$(page, 'step', `Number($.replace(',', '')) >= ${step + steps}`);
};

for (const [width, height] of [
  [1280, 800],
  [390, 844],
] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    pageTest(
      `${width} pixels, ${colorScheme}: bodies are drawn, and columns and loads in the colors of four nodes`,
      async () => {
        await onPage(
          'cluster',
          async (page, errors) => {
            await until$(page, 'step', 'Number($) > 3');
            await page.click('#play');
            const bars = await pictureOf(page, '#loads', ofNodes(1, 5));
            assert.ok(
              bars.parts.slice(0, 4).every(part => part > 0.04) && bars.parts[4] === 0,
              bars.parts.join(),
            );
            const view = await pictureOf(page, '#view', ['lit']);
            assert.ok(
              view.colors > 20 && view.parts[0] > 0.001,
              `${view.colors} colors, ${view.parts[0]} of the pixels highlighted`,
            );
            assert.is(await page.evaluate('document.documentElement.scrollWidth'), width);
            assert.match(await text(page, 'nodes-label'), '4 nodes, 12 × 12 columns');
            assert.equal(errors, []);
          },
          { context: { colorScheme, viewport: { width, height } } },
        );
      },
    );
  }
}

pageTest('columns move or stay, nodes join and leave, other swarms begin', async () => {
  await onPage('cluster', async (page, errors) => {
    // If frames are slow, the page begins a swarm of fewer bodies, unless the number of bodies was chosen.
    await choose(page, 'count', await page.inputValue('#count'));
    await until$(page, 'moved', 'Number($) > 0');
    await page.uncheck('#balance');
    assert.is(await page.isDisabled('#threshold'), true);
    await more(page, 2);
    const moved = await number(page, 'moved');
    await more(page, 5);
    assert.is(await number(page, 'moved'), moved, 'no column moves');
    await page.check('#balance');
    await slide(page, 'threshold', 5);
    assert.match(await text(page, 'threshold-value'), '5 %');

    await slide(page, 'nodes', 6);
    await until$(page, 'nodes-label', "$.startsWith('6 nodes')");
    await slide(page, 'nodes', 2);
    await until$(page, 'nodes-label', "$.startsWith('2 nodes')");
    await until(page, "document.querySelectorAll('#loads i').length === 2");
    assert.is(await number(page, 'messages'), 4, 'each node sends two messages per step');
    await slide(page, 'nodes', 1);
    await until$(page, 'nodes-label', "$.startsWith('1 node,')");
    assert.equal(
      [
        await text(page, 'messages'),
        await text(page, 'bytes'),
        await text(page, 'imbalance'),
        await text(page, 'border'),
      ],
      ['0', '0.0', '1.00', '0'],
    );

    await record(page, 'step');
    await choose(page, 'movement', 'random');
    // The steps are counted from 1 again.
    await until(
      page,
      "recorded.map(text => Number(text.replace(',', ''))).some((step, i, all) => step < all[i - 1])",
    );
    await slide(page, 'nodes', 8);
    await choose(page, 'count', '250');
    await until$(page, 'nodes-label', "$.startsWith('8 nodes')");
    await more(page, 3);
    assert.ok((await number(page, 'border')) > 0);
    await page.click('#play');
    const step = await text(page, 'step');
    await page.waitForTimeout(600);
    assert.ok((await number(page, 'step')) <= Number(step) + 1, 'the page is paused');
    assert.equal(errors, []);
  });
});

test.after(closeBrowser);
test.run();
