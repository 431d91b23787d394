// Tests the demo's page of characters: the user steers one of them with the keyboard, and the page
// counts casts.

import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { closeBrowser, pageTest } from '../support/pages.js';
import { test } from '../support/test.js';
import { frames, number, onPage, record, text, until, until$ } from './demoPages.js';
import { pictureOf } from './pictures.js';

const slide = (page: Page, id: string, value: number): Promise<void> =>
  page.locator(`#${id}`).fill(String(value));
const placeOf = async (page: Page): Promise<number[]> => (await text(page, 'place')).split(', ').map(Number);

pageTest('characters: keys steer one of them, space jumps, and casts are counted', async () => {
  await onPage('character', async (page, errors) => {
    // The character wanders on its own until the user presses the first key. From then on, it stands still
    // unless a key is down. The test presses a key at once, before the character has walked far.
    await page.keyboard.press('KeyW');
    assert.ok((await number(page, 'triangles')) >= 300_000);
    await until$(page, 'casts', '$ > 40 && $ < 120');
    await until$(page, 'per-character', '$ > 1 && $ < 3');
    await until$(page, 'milliseconds', '$ > 0');
    const { parts, colors } = await pictureOf(page, '#view', ['lit', 'part-a', 'part-b']);
    assert.ok(parts[0] > 0.0005, `${parts[0]} of the pixels have the color of the steered character`);
    assert.ok(colors > 40, `${colors} colors`);
    await until$(page, 'stands', "$ === 'on the ground'");
    await frames(page, 30);
    const [x, , z] = await placeOf(page);
    await frames(page, 30);
    assert.equal([(await placeOf(page))[0], (await placeOf(page))[2]], [x, z]);
    await page.keyboard.down('ArrowUp');
    await until(
      page,
      `(([x, , z]) => Math.hypot(x - ${x}, z - ${z}) > 1)(document.getElementById('place').textContent.split(', '))`,
    );
    await page.keyboard.up('ArrowUp');
    await record(page, 'stands');
    await page.keyboard.down('Space');
    await until(page, "recorded.includes('in the air')");
    await page.keyboard.up('Space');
    await until$(page, 'stands', "$ === 'on the ground'");
    assert.equal(errors, []);
  });
});

pageTest(
  'characters: their number and abilities can be chosen, and a paused page casts nothing',
  async () => {
    await onPage('character', async (page, errors) => {
      await page.selectOption('#count', '10');
      await until$(page, 'casts', '$ > 5 && $ < 30');
      await slide(page, 'speed', 40);
      await slide(page, 'slope', 20);
      await slide(page, 'step', 0.6);
      assert.equal(
        [await text(page, 'speed-value'), await text(page, 'slope-value'), await text(page, 'step-value')],
        ['40 m/s', '20°', '0.60 m'],
      );
      await frames(page, 60);
      await page.click('#play');
      await frames(page, 20);
      const place = await text(page, 'place');
      await frames(page, 20);
      assert.is(await text(page, 'place'), place);
      // A key that is meant for the button does not steer.
      await page.keyboard.press('Space');
      await until$(page, 'play', "$ === 'Pause'");
      assert.equal(errors, []);
    });
  },
);

test.after(closeBrowser);
test.run();
