// Tests clash classes on the page that `pfront clash --report` writes: the button and the count of each
// class, the clashes that are listed at first, the texts in the rows and in the panel, and the markers.

import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { box, translation } from '../../dist/samples/index.js';
import { closeBrowser, pageTest } from '../support/pages.js';
import { test } from '../support/test.js';
import { makeReport, NO_CONTACT, part, rows, settled, state, withReport, writeBeside } from './reports.js';

// Five pairs of cubes: penetrating by 2 mm, one inside the other, 10 mm apart, face to face, and edge to
// edge. The inner cube has edges of 0.0625 m, all others have edges of 0.25 m.
const cube = box(0.125, 0.125, 0.125);
const small = box(0.03125, 0.03125, 0.03125);
const parts = [
  part('Deep 1', cube, translation([0, 0, 0])),
  part('Deep 2', cube, translation([0.248, 0.0625, 0.0625])),
  part('Case', cube, translation([1, 0, 0])),
  part('Pearl', small, translation([1, 0, 0.02])),
  part('Apart 1', cube, translation([2, 0, 0])),
  part('Apart 2', cube, translation([2.26, 0, 0])),
  part('Face 1', cube, translation([0, 1, 0])),
  part('Face 2', cube, translation([0.25, 1.03125, 0])),
  part('Edge 1', cube, translation([1, 1, 0])),
  part('Edge 2', cube, translation([1.25, 1.25, 0])),
];
const options = ['--clearance', '11mm'];

const buttons = (page: Page): Promise<string[]> =>
  page.evaluate(
    "[...document.querySelectorAll('#classes button')].map((button) => `${button.textContent} ${button.getAttribute('aria-pressed')}`)",
  );
const press = (page: Page, kind: string): Promise<void> => page.click(`#classes [data-class=${kind}]`);
const what = async (page: Page): Promise<string[]> => (await rows(page)).map(row => row[3]);

pageTest('the button of each class shows its count, and hides and shows its rows and markers', async () => {
  const { page: address } = makeReport('classes', parts, ...options);
  await withReport(address, async page => {
    assert.equal(await buttons(page), [
      'hard 1 true',
      'contained 1 true',
      'clearance 1 true',
      'coplanar 1 true',
      'touch 1 true',
    ]);
    const all = await what(page);
    assert.equal(all, [
      'hardoverlap depth 2 mm, penetration depth 2 mm',
      'containedsecond part is inside',
      'clearancedistance 10 mm',
      'coplanarface contact',
      'touchpoint or line contact',
    ]);
    const markers = (await state(page)).markers.toSorted();
    assert.equal(markers, [0, 1, 2, 3, 4]);
    await press(page, 'coplanar');
    assert.equal(
      await what(page),
      all.filter(text => !text.startsWith('coplanar')),
    );
    assert.is((await state(page)).markers.length, 4);
    assert.is(await page.textContent('#count'), '4 of 5 clashes');
    for (const kind of ['hard', 'contained', 'clearance', 'touch']) await press(page, kind);
    assert.equal(await what(page), []);
    assert.match((await page.textContent('#empty')) ?? '', 'No clashes in the selected classes');
    assert.equal((await state(page)).markers, []);
    for (const kind of ['hard', 'contained', 'clearance', 'touch', 'coplanar']) await press(page, kind);
    assert.equal([await what(page), (await state(page)).markers.toSorted()], [all, markers]);
  });
});

pageTest.slow('unlisted and allowed clashes are hidden until their buttons are pressed', async () => {
  const allow = writeBeside('allow.txt', 'Pearl, Case\n');
  const { page: address, json } = makeReport(
    'hidden',
    parts,
    ...options,
    '--classes',
    'hard,clearance',
    '--allow',
    allow,
  );
  assert.equal([json.clashes.length, json.allowed.length], [2, 1]);
  await withReport(address, async page => {
    assert.equal(await buttons(page), [
      'hard 1 true',
      'clearance 1 true',
      'coplanar 1 false',
      'touch 1 false',
      'allowed 1 false',
    ]);
    assert.equal(await what(page), [
      'hardoverlap depth 2 mm, penetration depth 2 mm',
      'clearancedistance 10 mm',
    ]);
    assert.match(
      (await page.textContent('#summary')) ?? '',
      /^2 clashes: 1 hard, 1 clearance; 1 allowed; 2 not listed\. 10 parts/,
    );
    assert.match((await page.textContent('#foot')) ?? '', 'Coordinates in m, clearance 11 mm.');
    await press(page, 'allowed');
    assert.ok((await what(page)).includes('containedsecond part is inside'));
    await page.click('[role=row]:has-text("Pearl")');
    assert.match((await page.textContent('#details')) ?? '', 'contained second part is inside, allowed');
  });
});

pageTest.slow(
  'disjoint parts show the line between their nearest points, and a part that contains the other is drawn as glass',
  async () => {
    const { page: address, json } = makeReport('apart', parts, ...options);
    await withReport(address, async page => {
      for (const [kind, x] of [
        ['clearance', '2.1250 to 2.1350'],
        ['contained', '0.9688 to 1.0313'],
      ] as const) {
        const clash = json.clashes.findIndex((one: any) => one.class === kind);
        await page.click(`[data-clash="${clash}"]`);
        const { a, b } = json.clashes[clash];
        const { contact, roles } = await settled(page);
        assert.equal(
          [contact, roles[a], roles[b]],
          kind === 'clearance' ? [{ ...NO_CONTACT, segments: 1 }, 'a', 'b'] : [NO_CONTACT, 'glassA', 'b'],
        );
        const digits = (text: string) => text.replace(/0+(?= |$)/g, '');
        assert.is(digits((await page.locator('#details dd').first().textContent()) ?? ''), digits(x));
      }
    });
  },
);

pageTest.slow(
  'the panel shows the depth, the direction of separation, and the size of the contact',
  async () => {
    const { page: address, json } = makeReport('panel', parts, ...options);
    await withReport(address, async page => {
      await page.click(`[data-clash="${json.clashes.findIndex((one: any) => one.class === 'hard')}"]`);
      const text = (await page.textContent('#details')) ?? '';
      assert.match(text, 'hard overlap depth 2 mm, penetration depth 2 mm');
      assert.match(text, 'The first part separates along \u2212x.');
      assert.match(
        text,
        /The contact extends over \d+ mm\. Its curves are 754 mm long\. \d+ triangle pairs intersect\./,
      );
    });
  },
);

test.after(closeBrowser);
test.run();
