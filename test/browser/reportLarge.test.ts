// Tests that the page of a report stays fast with 10,000 clashes. Checks counts that do not depend on the speed
// of the machine: the elements of the page, and the draw calls of the 3D view.
import * as assert from 'uvu/assert';
import { closeBrowser, pageTest } from '../support/pages.js';
import { test } from '../support/test.js';
import { CLASHES, writeManyClashes } from './manyClashes.js';
import { rows, settled, state, withReport } from './reports.js';

const PARTS = 200;

pageTest('10,000 clashes need few elements, and one draw call for all markers', async () => {
  const { address, bytes } = await writeManyClashes('large.html', PARTS);
  await withReport(address, async page => {
    const whole = await settled(page);
    assert.is(whole.markers.length, CLASHES);
    const elements = (): Promise<number> => page.evaluate("document.querySelectorAll('*').length");
    assert.ok((await elements()) < 600, `${await elements()} elements`);
    console.log(
      `\n10,000 clashes: ${await elements()} elements, ${whole.drawCalls} draw calls, ${bytes} bytes`,
    );
    // Each part needs the same number of draw calls.
    assert.is(whole.drawCalls % PARTS, 1, 'one draw call for all markers');

    // Sorting changes no marker, so the view is not drawn again.
    await page.click('.size .sort');
    assert.is((await settled(page)).pictures, whole.pictures);
    await page.fill('#filter', 'crate 199');
    const filtered = await settled(page);
    assert.ok(filtered.markers.length < CLASHES && filtered.pictures > whole.pictures);
    await page.fill('#filter', '');

    await page.click('.what .sort');
    await page.keyboard.press('End');
    const last = await settled(page);
    assert.is(await page.locator('[aria-selected=true]').getAttribute('aria-rowindex'), `${CLASHES + 1}`);
    assert.is(last.contact.segments, 1);
    assert.ok(last.drawCalls < whole.drawCalls, `${last.drawCalls} draw calls`);
    assert.ok((await elements()) < 700, `${await elements()} elements`);
    await page.fill('#filter', 'crate 199');
    assert.ok((await rows(page)).length < 60);
    assert.is((await state(page)).markers.length, 0, 'the selected clash has no markers');
  });
});

for (const groupSize of [1, 50, CLASHES])
  (groupSize === 50 ? pageTest : pageTest.slow)(
    `10,000 clashes in groups of ${groupSize} need few elements, and every row has its place`,
    async () => {
      const { address } = await writeManyClashes(`groups ${groupSize}.html`, PARTS, groupSize);
      const groups = CLASHES / groupSize;
      await withReport(address, async page => {
        // The options of a closed list are not drawn.
        const elements = (): Promise<number> =>
          page.evaluate("document.querySelectorAll(':not(option)').length");
        const height = (): Promise<number> => page.evaluate("document.querySelector('.rows').offsetHeight");
        const row = (of: string): Promise<number> =>
          page.evaluate(of => document.querySelector<HTMLElement>(of)!.offsetHeight, `.rows ${of}`);
        const [heading, clash] = [await row('.group'), await row('[data-clash]')];
        assert.ok(heading < clash, `${heading}, ${clash}`);
        assert.is(await height(), groups * heading + CLASHES * clash);
        await page.keyboard.press('End');
        const last = page.locator('.rows .current');
        assert.is(await last.getAttribute('aria-rowindex'), `${CLASHES + groups + 1}`);
        assert.is(await last.getAttribute('data-clash'), `${CLASHES - 1}`);
        assert.is(await last.evaluate(row => (row as HTMLElement).offsetTop), (await height()) - clash);
        assert.ok((await elements()) < 800, `${await elements()} elements`);
        await page.click('#collapse');
        assert.is(await height(), groups * heading);
        assert.is(await last.getAttribute('data-group'), `${groups - 1}`);
        assert.ok((await elements()) < 800, `${await elements()} elements`);
        await page.selectOption('#group', `${groups - 1}`);
        assert.is(await height(), heading + groupSize * clash);
      });
    },
  );

test.after(closeBrowser);
test.run();
