// Tests that the panel of the report page shows coordinates without rounding noise.
import * as assert from 'uvu/assert';
import { box, translation } from '../../dist/samples/index.js';
import { closeBrowser, pageTest } from '../support/pages.js';
import { test } from '../support/test.js';
import { makeReport, part, withReport } from './reports.js';

pageTest('coordinates that are rounding noise are shown as 0', async () => {
  // The corners of the two boxes meet, but the second box is not exactly at the origin.
  const { positions, indices } = box(0.5, 0.5, 0.5);
  const cube = { positions: positions.map(value => value + 0.5), indices };
  const { page: address, json } = makeReport('noise', [
    part('lower', cube, translation([-1, -1, -1])),
    part('upper', cube, translation([-1e-17, -2e-17, -3e-17])),
  ]);
  const { box: place } = json.clashes[0];
  assert.ok(place.min[0] !== 0 && Math.abs(place.min[0]) < 1e-15, 'the place has no noise');
  await withReport(address, async page => {
    await page.click('[data-clash="0"]');
    const texts = await page.locator('.ranges dd').allTextContents();
    assert.is(texts.length, 3);
    for (const text of texts) assert.match(text, /^0\.?0*$/);
  });
});

test.after(closeBrowser);
test.run();
