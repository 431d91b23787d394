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

pageTest('10,000 clashes need few elements, and one draw call for all markers', async () => {
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
  const address = writeBeside('large.html', '');
  const bytes = await writeReport(
    address,
    makeContent({
      parts,
      unread: [],
      findings,
      allowed: [],
      related: new Map(),
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

test.after(closeBrowser);
test.run();
