// Tests the tools of the 3D view on the page that `pfront clash --report` writes: markers, section box, hiding
// and isolating parts, measuring, and the keyboard.
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { box, translation } from '../../dist/samples/index.js';
import { withEngine } from '../support/engines.js';
import { chromiumPath, closeBrowser, pageTest } from '../support/pages.js';
import { test } from '../support/test.js';
import { lookAt, makeReport, part, places, settled, state, withReport } from './reports.js';

// A cube with edges of 2 m about the origin, and two pegs that enter it from opposite sides.
const parts = [
  part('Core', box(1, 1, 1), translation([0, 0, 0])),
  part('Peg', box(0.25, 0.25, 0.25), translation([1.2, 0.1, 0.2])),
  part('Pin', box(0.25, 0.25, 0.25), translation([-1.2, 0, 0])),
];
const [CORE, PEG, PIN] = [0, 1, 2];
const report = chromiumPath ? makeReport('tools', parts) : undefined!;
const clashOf = (part: number): number =>
  report.json.clashes.findIndex(({ a, b }: any) => a === part || b === part);

const click = async (page: Page, { x, y }: { x: number; y: number }): Promise<void> => {
  await page.locator('#canvas').click({ position: { x, y } });
  await settled(page);
};
const center = async (page: Page): Promise<{ x: number; y: number }> => {
  const { width, height } = (await page.locator('#canvas').boundingBox())!;
  return { x: width / 2, y: height / 2 };
};
const near = (found: number[], expected: number[], tolerance = 1e-3): void =>
  assert.ok(
    found.length === expected.length &&
      found.every((value, i) => Math.abs(value - expected[i]!) <= tolerance),
    `${found} instead of ${expected}`,
  );

pageTest('a click on a marker shows its clash, and the parts are not painted red', async () => {
  await withReport(report.page, async page => {
    const whole = await settled(page);
    assert.equal(whole.markers.toSorted(), [0, 1]);
    // Only the markers are red, and they cover a small share of the picture.
    const { red, empty } = await lookAt(page);
    const { x, y } = await center(page);
    assert.ok(red > 20 && red < 0.01 * (4 * x * y - empty), `${red} red pixels`);
    const at = await places(page);
    for (const [i, clash] of whole.markers.entries()) {
      await click(page, at[i]!);
      assert.is((await state(page)).selected, clash);
      await page.keyboard.press('Escape');
      await settled(page);
    }
  });
});

pageTest('the section box cuts away what is outside, and moves with the selected clash', async () => {
  await withReport(report.page, async page => {
    await settled(page);
    const before = await lookAt(page);
    await page.keyboard.press('x');
    near((await settled(page)).section!.flat(), [-1.45, -1, -1, 1.45, 1, 1]);
    const move = (side: string, value: number): Promise<void> =>
      page.locator(`[data-side=${side}]`).evaluate((input, to) => {
        (input as HTMLInputElement).value = `${to}`;
        input.dispatchEvent(new Event('input'));
      }, value);
    await move('max-y', 500);
    near((await settled(page)).section!.flat(), [-1.45, -1, -1, 1.45, 0, 1]);
    const cut = await lookAt(page);
    assert.ok(cut.empty > 1.05 * before.empty, `${cut.empty} after ${before.empty}`);
    // Only the end of one peg is left, so a click on the center of the view picks nothing.
    await move('min-x', 960);
    await settled(page);
    await click(page, await center(page));
    assert.is(await page.isVisible('#picked'), false);
    await page.click('#section-all');
    near((await settled(page)).section!.flat(), [-1.45, -1, -1, 1.45, 1, 1]);

    await page.click(`[data-clash="${clashOf(PEG)}"]`);
    near((await settled(page)).section!.flat(), [-1.45, -1, -1, 1.45, 1, 1]);
    await page.click('#section-around');
    const margin = 0.15 * Math.sqrt(3) * 0.5;
    const around = (x: number, y: number, z: number): number[] => [
      ...[x, y - 0.25, z - 0.25].map((value, axis) => Math.max(value - margin, axis === 0 ? -1.45 : -1)),
      ...[x, y + 0.25, z + 0.25].map((value, axis) => Math.min(value + margin, axis === 0 ? 1.45 : 1)),
    ];
    near((await settled(page)).section!.flat(), around(1, 0.1, 0.2));
    await page.click(`[data-clash="${clashOf(PIN)}"]`);
    near((await settled(page)).section!.flat(), around(-1, 0, 0));
    await page.keyboard.press('x');
    assert.is((await settled(page)).section, undefined);
  });
});

pageTest('a part can be clicked, hidden, isolated and shown again', async () => {
  await withReport(report.page, async page => {
    await settled(page);
    const before = await lookAt(page);
    await click(page, await center(page));
    assert.equal((await state(page)).roles, ['picked', 'plain', 'plain']);
    assert.match((await page.textContent('#picked')) ?? '', 'Core');
    await page.keyboard.press('i');
    assert.equal((await settled(page)).roles, ['picked', 'hidden', 'hidden']);
    await page.keyboard.press('i');
    await page.keyboard.press('h');
    assert.equal((await settled(page)).roles, ['hidden', 'plain', 'plain']);
    assert.is(await page.textContent('#unhide'), 'Show 1 hidden part');
    assert.ok((await lookAt(page)).empty > before.empty);
    await page.keyboard.press('u');
    assert.equal((await settled(page)).roles, ['plain', 'plain', 'plain']);
    assert.is((await lookAt(page)).hash, before.hash);

    await page.click(`[data-clash="${clashOf(PEG)}"]`);
    assert.equal((await settled(page)).roles, ['a', 'b', 'ghost']);
    await page.click('#isolate');
    assert.equal((await settled(page)).roles, ['a', 'b', 'hidden']);
    await page.keyboard.press('i');
    await page.locator('#details .hide').first().click();
    assert.equal((await settled(page)).roles, ['hidden', 'b', 'ghost']);
    // A hidden part stays hidden when another clash is selected.
    await page.click(`[data-clash="${clashOf(PIN)}"]`);
    assert.equal((await settled(page)).roles, ['hidden', 'ghost', 'b']);
    await page.click('#unhide');
    assert.equal((await settled(page)).roles, ['a', 'ghost', 'b']);
    await page.keyboard.press('Escape');
    await click(page, await center(page));
    await page.click('#picked >> text=List clashes');
    assert.is(await page.inputValue('#filter'), 'Core');
    assert.is(CORE, 0);
  });
});

pageTest('measuring snaps to the points of the contact', async () => {
  const points = await withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const hits = engine.query(engine.createMesh(parts[CORE]!), engine.createMesh(parts[PEG]!), {
      transformA: parts[CORE]!.transform,
      transformB: parts[PEG]!.transform,
      want: 'segments',
    });
    return Array.from({ length: hits.points.length / 3 }, (_, i) => [...hits.points.slice(3 * i, 3 * i + 3)]);
  });
  const distances = points.flatMap(p => points.map(q => Math.hypot(...p.map((value, i) => value - q[i]!))));
  await withReport(report.page, async page => {
    await page.click(`[data-clash="${clashOf(PEG)}"]`);
    await settled(page);
    await page.keyboard.press('m');
    assert.match((await page.textContent('#measured')) ?? '', 'first point');
    const at = (await page.evaluate(
      `pfrontReport.places().then(all => all.filter(({ x, y }) => {
        const { left, top } = document.querySelector('#canvas').getBoundingClientRect();
        return [-3, 3].every(d => document.elementFromPoint(left + x + d, top + y + d)?.id === 'canvas');
      }))`,
    )) as { x: number; y: number }[];
    // The first point, and the point that is farthest from it on the screen. The clicks are a few pixels
    // beside these points.
    const from = at[0]!;
    const to = at.toSorted(
      (p, q) => Math.hypot(q.x - from.x, q.y - from.y) - Math.hypot(p.x - from.x, p.y - from.y),
    )[0]!;
    await click(page, { x: from.x + 3, y: from.y - 2 });
    assert.is((await state(page)).distance, undefined);
    await click(page, { x: to.x - 3, y: to.y + 2 });
    const distance = (await state(page)).distance!;
    assert.ok(distance > 0.3 && distances.some(value => Math.abs(value - distance) < 1e-6), `${distance}`);
    const shown = Math.round(1000 * distance);
    assert.match((await page.textContent('#measured')) ?? '', `${shown} mm (x 0 mm, `);
    await page.keyboard.press('Escape');
    assert.is(await page.isVisible('#measured'), false);
    assert.is((await state(page)).selected, clashOf(PEG), 'Escape leaves the tool first');
  });
});

pageTest('on a narrow screen, the tools cover neither the picture nor the details', async () => {
  await withReport(
    report.page,
    async page => {
      await page.click(`[data-clash="${clashOf(PEG)}"]`);
      await page.click('#section');
      await page.click('#measure');
      await settled(page);
      const boxOf = async (selector: string) => (await page.locator(selector).first().boundingBox())!;
      const doMeet = async (first: string, second: string): Promise<boolean> => {
        const [a, b] = [await boxOf(first), await boxOf(second)];
        return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
      };
      for (const [tool, other] of [
        ['#section-panel', '#canvas'],
        ['#section-panel', '#measured'],
        ['#measured', '#canvas'],
        ['#measured', '#details'],
        ['.part .hide', '.part .quiet'],
        ['.part .hide', '.part .name'],
      ] as const)
        assert.is(await doMeet(tool, other), false, `${tool} and ${other}`);
      const { x, width } = (await page.locator('.classes .class').last().boundingBox())!;
      assert.ok(x + width <= 480, `the last class ends at ${x + width}`);
      // The middle of the picture can be reached.
      const { x: left, y: top, width: across, height } = await boxOf('#canvas');
      const reached = await page.evaluate(
        `document.elementFromPoint(${left + across / 2}, ${top + height / 2}).id`,
      );
      assert.is(reached, 'canvas');
    },
    { viewport: { width: 480, height: 800 } },
  );
});

pageTest('keys work everywhere except where text is typed, and a dialog lists them', async () => {
  await withReport(report.page, async page => {
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('3');
    assert.is(await page.locator('.review .status').inputValue(), 'Resolved');
    await page.keyboard.press('/');
    await page.keyboard.type('x3hi');
    assert.is(await page.inputValue('#filter'), 'x3hi');
    assert.is((await state(page)).section, undefined);
    await page.fill('#filter', '');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('c');
    await page.keyboard.type('mix');
    assert.is(await page.locator('.review .comment').inputValue(), 'mix');
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    assert.is(await page.isVisible('#help'), true);
    const keys = await page.locator('#help kbd').allTextContents();
    assert.ok(keys.includes('X') && keys.includes('M') && keys.includes('?'));
    await page.keyboard.press('x');
    assert.is((await state(page)).section, undefined, 'keys do not act behind an open dialog');
    await page.keyboard.press('Escape');
    assert.is(await page.isVisible('#help'), false);
    await page.keyboard.press('x');
    assert.ok((await state(page)).section);
  });
});

test.after(closeBrowser);
test.run();
