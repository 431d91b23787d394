// Tests that a report of 10,000 clashes stays smooth, by counts that do not depend on the machine: elements of
// the page, and draw calls of the 3D view.
import * as assert from 'uvu/assert';
import { writeReport } from '../../dist/cli/clash/writeReport.js';
import { makeContent } from '../../dist/report/makeContent.js';
import { box, translation } from '../../dist/samples/index.js';
import { closeBrowser, pageTest } from '../support/pages.js';
import { test } from '../support/test.js';
import { rows, settled, state, withReport, writeBeside } from './reports.js';

const CLASHES = 10_000;
const PARTS = 200;
const SILENT = { begin() {}, step() {}, end() {} };

/** Writes a page of 10,000 clashes. `groupSize`: the number of clashes of each group, if there are groups. */
async function writeLarge(name: string, groupSize?: number): Promise<{ address: string; bytes: number }> {
  const cube = box(0.5, 0.5, 0.5);
  const parts = Array.from({ length: PARTS }, (_, i) => ({
    name: `Crate ${i}`,
    file: 'crates.glb',
    ...cube,
    transform: Float64Array.from(translation([i % 15, Math.floor(i / 15), 0])),
  }));
  const findings = parts
    .flatMap((_, a) => Array.from({ length: PARTS - 1 - a }, (_, i) => ({ a, b: a + 1 + i })))
    .slice(0, CLASHES)
    .map(({ a, b }) => ({
      a,
      b,
      class: 'hard' as const,
      trianglePairs: 1,
      depth: 0.1,
      direction: [0, 0, 1],
      distance: 0,
      size: 1,
      isDuplicate: false,
    }));
  const address = writeBeside(name, '');
  const bytes = await writeReport(
    address,
    makeContent({
      parts,
      unread: [],
      findings,
      allowed: [],
      related: new Map(),
      groups:
        groupSize === undefined
          ? undefined
          : {
              by: 'part',
              list: Array.from({ length: CLASHES / groupSize }, (_, group) => ({
                name: `Group ${group}`,
                clashes: Array.from({ length: groupSize }, (_, i) => group * groupSize + i),
              })),
            },
      contacts: findings.map(({ a, b }) => ({
        point: [a % 15, Math.floor(b / 15), (a * b) / 2e4],
        triangleCountA: 1,
        triangleCountB: 1,
        lineLengths: Uint32Array.of(2),
        linePoints: Float32Array.of(0, 0, 0, 1, 1, 1),
        regionCorners: new Float32Array(),
        singlePoints: new Float32Array(),
      })),
      up: 'z',
      fileDates: new Map([['crates.glb', '2026-01-01T00:00:00Z']]),
      classes: ['hard'],
      unit: 'm',
      measures: { clearance: 0, tolerance: 0 },
      boxPairs: CLASHES,
      threads: 1,
      milliseconds: 1,
      version: '0.0.0',
    }),
    SILENT,
  );
  return { address, bytes };
}

pageTest('10,000 clashes need few elements, and one draw call for all markers', async () => {
  const { address, bytes } = await writeLarge('large.html');
  await withReport(address, async page => {
    const whole = await settled(page);
    assert.is(whole.markers.length, CLASHES);
    const elements = (): Promise<number> => page.evaluate("document.querySelectorAll('*').length");
    assert.ok((await elements()) < 600, `${await elements()} elements`);
    console.log(
      `\n10,000 clashes: ${await elements()} elements, ${whole.drawCalls} draw calls, ${bytes} bytes`,
    );
    // All parts need the same number of draw calls.
    assert.is(whole.drawCalls % PARTS, 1, 'one draw call for all markers');

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
      const { address } = await writeLarge(`groups ${groupSize}.html`, groupSize);
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
