// Tests groups of clashes on the page that `pfront clash --report --group` writes: the headings, their order,
// collapsing groups by mouse and by keys, the list in which a group is chosen, and the BCF file of the page.
import { readFileSync } from 'node:fs';
import { BCFTopics, Components } from '@thatopen/components';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { describeLargest } from '../../dist/report/clashClasses.js';
import { box, translation } from '../../dist/samples/index.js';
import { chromiumPath, closeBrowser, pageTest } from '../support/pages.js';
import { readReportData } from '../support/reportData.js';
import { test } from '../support/test.js';
import { makeReport, part, settled, state, withReport, writeBeside } from './reports.js';

// Three clusters of cubes with edges of 0.25 m: three cubes that overlap by up to 50 mm, two that overlap by
// 2 mm, and two that are 10 mm apart. Another two cubes touch along their faces; the value of --classes leaves
// out the class of this clash.
const cube = box(0.125, 0.125, 0.125);
const parts = [
  part('Face 1', cube, translation([6, 0, 0])),
  part('Face 2', cube, translation([6.25, 0.03125, 0])),
  part('Small 1', cube, translation([0, 0, 0])),
  part('Small 2', cube, translation([0.248, 0.0625, 0.0625])),
  part('Large <1>', cube, translation([2, 0, 0])),
  part('Large 2', cube, translation([2.2, 0.0625, 0.0625])),
  part('Large 3', cube, translation([2.44, 0.03125, 0.03125])),
  part('Apart 1', cube, translation([4, 0, 0])),
  part('Apart 2', cube, translation([4.26, 0, 0])),
];
const OPTIONS = ['--clearance', '11mm', '--classes', 'hard,clearance'];
const bcf = chromiumPath ? writeBeside('groups.bcf', '') : '';
const report = chromiumPath
  ? makeReport('groups', parts, ...OPTIONS, '--group', 'cluster', '--bcf', bcf)
  : undefined!;

/** Returns the rows of the table: the texts of headings, and the numbers of clashes. */
const list = (page: Page): Promise<(string | number)[]> =>
  page.evaluate(
    "[...document.querySelectorAll('.rows .row')].map(row => row.dataset.clash ? Number(row.dataset.clash) : [...row.firstChild.children].map(child => child.textContent).join(': '))",
  );

/** Returns the row from which the arrow keys move: the number of a clash, or the name of a group. */
const current = (page: Page): Promise<string> =>
  page.evaluate(
    "(row => row?.dataset.clash ?? row?.querySelector('.name').textContent)(document.getElementById(document.querySelector('#grid').getAttribute('aria-activedescendant')))",
  );

const LARGE = 'Large <1> and 2 more: 2 clashes, largest overlap 50 mm';
const SMALL = 'Small 1 and 1 more: 1 clash, largest overlap 2 mm';
const APART = 'Apart 1 and 1 more: 1 clash, worst: distance 10 mm';

/** Checks that there are no gaps between rows, although a heading is not as tall as the row of a clash. */
async function checkPlaces(page: Page): Promise<void> {
  const gaps = await page.evaluate(() => {
    const boxes = [...document.querySelectorAll('.rows .row')].map(row => row.getBoundingClientRect());
    return boxes.slice(1).map(({ top }, i) => Math.round(top - boxes[i].bottom));
  });
  assert.ok(gaps.length > 0 && gaps.every(gap => gap === 0), gaps.join());
}

pageTest('headings show the groups of the JSON, and the page stores each group once', async () => {
  const { groups, clashes } = report.json;
  const { header } = readReportData(report.page);
  const pairOf = ({ a, b }: any): string => `${a} ${b}`;
  assert.is(header.groups.by, 'cluster');
  assert.equal(
    header.groups.list.map(({ name, clashes: members }: any) => [
      name,
      members.map((i: number) => pairOf(header.clashes[i])),
    ]),
    groups.map(({ name, clashes: members }: any) => [name, members.map((i: number) => pairOf(clashes[i]))]),
  );
  const { header: plain } = readReportData(makeReport('plain', parts, ...OPTIONS).page);
  assert.not.ok('groups' in plain);
  assert.equal(Object.keys(header.clashes[0]), Object.keys(plain.clashes[0]));

  const indexOf = (i: number): number =>
    header.clashes.findIndex((one: any) => pairOf(one) === pairOf(clashes[i]));
  await withReport(report.page, async page => {
    const [large, small, apart] = groups.map(({ clashes: members }: any) => members.map(indexOf));
    assert.equal(await list(page), [LARGE, ...large, SMALL, ...small, APART, ...apart]);
    assert.is(await page.getAttribute('#grid', 'role'), 'treegrid');
    // The groups are in the order of their first clashes.
    await page.click('.head .b button');
    assert.equal(await list(page), [APART, ...apart, LARGE, ...large, SMALL, ...small]);
    // The number of rows is the same, but the headings are at other places.
    await checkPlaces(page);
    await page.click('.head .b button');
    assert.equal(await list(page), [SMALL, ...small, LARGE, ...large.toReversed(), APART, ...apart]);
    await page.click(`[data-clash="${large[0]}"]`);
    assert.match((await page.textContent('#details')) ?? '', 'Group: Large <1> and 2 more.');
    assert.match((await page.textContent('#details')) ?? '', /^3 of 4/);
  });
});

pageTest(
  'a page of a run without groups has no headings, and arrow keys move over clashes only',
  async () => {
    await withReport(makeReport('plain', parts, ...OPTIONS).page, async page => {
      assert.is(await page.isVisible('#groups'), false);
      assert.is(await page.getAttribute('#grid', 'role'), 'grid');
      assert.equal((await list(page)).length, 4);
      await page.keyboard.press('ArrowDown');
      const [first] = await list(page);
      assert.is(await current(page), `${first}`);
      await page.keyboard.press('ArrowLeft');
      assert.is(await current(page), `${first}`);
    });
  },
);

pageTest('a click on a heading and the buttons collapse and expand groups', async () => {
  await withReport(report.page, async page => {
    const all = await list(page);
    const markers = (await state(page)).markers.toSorted();
    assert.is(markers.length, 4);
    await page.click('.group:has-text("Large")');
    assert.equal(await list(page), [LARGE, ...all.slice(3)]);
    assert.is(await page.getAttribute('.group:has-text("Large")', 'aria-expanded'), 'false');
    assert.is(await page.getAttribute('.group:has-text("Small")', 'aria-expanded'), 'true');
    assert.is(await page.getAttribute('#grid', 'aria-rowcount'), '6');
    // The clashes of a collapsed group still count as listed, and keep their markers.
    assert.equal((await state(page)).markers.toSorted(), markers);
    assert.is(await page.textContent('#count'), '4 of 5 clashes');
    await page.click('.group:has-text("Large")');
    assert.equal(await list(page), all);
    await checkPlaces(page);
    await page.click('#collapse');
    assert.equal(await list(page), [LARGE, SMALL, APART]);
    await page.click('#expand');
    assert.equal(await list(page), all);
  });
});

pageTest('keys move over headings, and collapse and expand groups', async () => {
  await withReport(report.page, async page => {
    const all = await list(page);
    const [, first] = all;
    const press = async (...keys: string[]): Promise<string> => {
      for (const key of keys) await page.keyboard.press(key);
      return current(page);
    };
    const [large, small] = [LARGE, SMALL].map(text => text.split(':')[0]);
    await page.focus('#grid');
    assert.is(await press('ArrowDown'), large);
    assert.is((await state(page)).selected, undefined, 'a heading is not a clash');
    assert.is(await press('ArrowDown'), `${first}`);
    assert.is((await state(page)).selected, first);
    assert.is(await press('ArrowLeft'), large);
    assert.is((await state(page)).selected, first, 'the clash stays selected');
    assert.equal(await list(page), all, 'the first press only moves to the heading');
    assert.is(await press('ArrowLeft'), large);
    assert.equal(await list(page), [LARGE, ...all.slice(3)]);
    await press('ArrowLeft');
    assert.equal(await list(page), [LARGE, ...all.slice(3)], 'a collapsed group stays collapsed');
    assert.is(await press('ArrowDown'), small);
    assert.is(await press('ArrowUp', 'ArrowRight'), large);
    assert.equal(await list(page), all);
    await press('ArrowRight');
    assert.equal(await list(page), all, 'an expanded group stays expanded');
    for (const key of ['Enter', ' ']) {
      await press(key);
      assert.equal(await list(page), [LARGE, ...all.slice(3)], key);
      await press(key);
      assert.equal(await list(page), all, key);
    }
    // Enter on a button presses the button.
    await page.focus('#collapse');
    await press('Enter');
    assert.equal(await list(page), [LARGE, SMALL, APART]);
    assert.is(await press('End', 'Home'), large);
  });
});

pageTest('keys do not collapse a group that a filter hides', async () => {
  await withReport(report.page, async page => {
    const all = await list(page);
    await page.focus('#grid');
    await page.keyboard.press('ArrowDown');
    await page.selectOption('#group', '1');
    await page.focus('#grid');
    for (const key of ['Enter', 'ArrowLeft']) await page.keyboard.press(key);
    await page.selectOption('#group', '');
    assert.equal(await list(page), all);
  });
});

pageTest('a clash that is selected in the panel or by its marker expands its group', async () => {
  await withReport(report.page, async page => {
    const all = await list(page);
    await page.click(`[data-clash="${all[2]}"]`);
    await page.click('#collapse');
    assert.equal(await list(page), [LARGE, SMALL, APART]);
    assert.is(await current(page), LARGE.split(':')[0], 'the heading replaces the hidden row');
    await settled(page);
    await page.click('#details [aria-label^="Next clash"]');
    assert.is((await state(page)).selected, all[4]);
    assert.equal(await list(page), [LARGE, SMALL, all[4], APART]);
    assert.is(await current(page), `${all[4]}`);
  });
});

pageTest('the list of groups restricts the table to one group', async () => {
  await withReport(report.page, async page => {
    const all = await list(page);
    assert.equal(await page.locator('#group option').allTextContents(), [
      'All 3 groups by cluster',
      'Large <1> and 2 more (2)',
      'Small 1 and 1 more (1)',
      'Apart 1 and 1 more (1)',
      'In no group (1)',
    ]);
    await page.click('#collapse');
    await page.selectOption('#group', '0');
    assert.equal(await list(page), all.slice(0, 3), 'the chosen group is expanded');
    assert.is(await page.textContent('#count'), '2 of 5 clashes');
    assert.equal((await state(page)).markers.length, 2);
    await page.fill('#filter', 'large 3');
    assert.equal((await list(page))[0], 'Large <1> and 2 more: 1 of 2 clashes, largest overlap 10 mm');
    await page.fill('#filter', 'small');
    assert.match(
      (await page.textContent('#empty')) ?? '',
      'No clashes of this group in the selected classes match',
    );
    await page.fill('#filter', '');
    await page.click('[data-class=hard]');
    assert.match(
      (await page.textContent('#empty')) ?? '',
      'No clashes of this group in the selected classes',
    );
    await page.selectOption('#group', '');
    assert.equal((await list(page))[0], APART);
    // Clashes that the run does not list are last in every sort order.
    await page.click('[data-class=hard]');
    await page.click('[data-class=coplanar]');
    await page.click('#expand');
    await page.click('.head .what button');
    const listed = await list(page);
    assert.is(listed.at(-2), 'In no group: 1 clash, worst: face contact');
    await page.click(`[data-clash="${listed.at(-1)}"]`);
    assert.not.match((await page.textContent('#details')) ?? '', 'Group:');
  });
});

pageTest('the page and the command write the same groups to their BCF files', async () => {
  const topicsOf = async (bytes: Uint8Array) => {
    const components = new Components();
    const reader = components.get(BCFTopics);
    reader.setup({});
    const { topics } = await reader.load(bytes);
    const found = topics.map(({ guid, labels, description }) => [guid, [...labels], description]);
    components.dispose();
    return found.sort();
  };
  await withReport(report.page, async page => {
    await page.click('#bcf');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#export-save')]);
    const found = await topicsOf(new Uint8Array(readFileSync(await download.path())));
    assert.equal(found, await topicsOf(new Uint8Array(readFileSync(bcf))));
    // The library does not decode the XML escapes in the names.
    const groupOf = ([, labels]: (typeof found)[number]): string => labels![1].split(' ')[0];
    assert.equal(found.map(groupOf).sort(), ['Apart', 'Large', 'Large', 'Small']);
  });
});

test('a group is described by its largest overlap and, if parts are not closed, by its largest penetration depth', () => {
  const base = {
    class: 'hard',
    distance: 0,
    direction: [1, 0, 0],
    size: 1,
    trianglePairs: 1,
    isDuplicate: false,
  };
  const clash = (depth: number, lower?: number, upper?: number): any => ({
    ...base,
    a: 0,
    b: 1,
    depth,
    overlapDepth: lower === undefined ? undefined : { lower, upper },
  });
  assert.is(describeLargest([clash(9, 2, 2), clash(7, 3, 3), clash(8, 1, 1)], 'mm'), 'largest overlap 3 mm');
  // The overlap of the second clash may be larger than that of the first.
  assert.is(describeLargest([clash(9, 3, 3), clash(9, 1, 8)], 'mm'), 'largest overlap at least 3 mm');
  assert.is(describeLargest([clash(5), clash(7)], 'mm'), 'largest penetration depth 7 mm');
  assert.is(
    describeLargest([clash(5), clash(9, 2, 2)], 'mm'),
    'largest overlap 2 mm, penetration depth 9 mm',
  );
  const touch = { ...clash(0), class: 'touch' };
  const near = { ...clash(0), class: 'clearance', distance: 4 };
  assert.is(describeLargest([touch, near], 'mm'), 'worst: distance 4 mm');
});

test.after(closeBrowser);
test.run();
