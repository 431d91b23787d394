// Tests what the panel of the report page shows of a clash in addition to its class: the contact regions, the
// identity of IFC elements, and coordinates without rounding noise.
import type { Locator } from 'playwright-core';
import * as assert from 'uvu/assert';
import { box, translation } from '../../dist/samples/index.js';
import { beam, ifc } from '../formats/smallIfc.js';
import { closeBrowser, pageTest } from '../support/pages.js';
import { test } from '../support/test.js';
import { makeReport, part, runReport, withReport, writeBeside } from './reports.js';

const post = box(0.05, 0.05, 2);
const board = box(1, 1, 0.01);
// Two boards that are one mesh.
const boards = {
  positions: Float32Array.from([
    ...board.positions,
    ...board.positions.map((value, i) => (i % 3 === 2 ? value + 1 : value)),
  ]),
  indices: Uint32Array.from([
    ...board.indices,
    ...board.indices.map(vertex => vertex + board.positions.length / 3),
  ]),
};
const LONG = 'Basic Wall: Interior - Partition (92 mm Stud):138584';
const parts = [part(LONG, post, translation([0, 0, 0])), part('boards', boards, translation([0, 0, 0]))];

pageTest('with --regions, the panel lists the regions of the selected clash', async () => {
  const { page: address, json } = makeReport('regions', parts, '--regions');
  const { regions } = json.clashes[0];
  assert.ok(regions.length >= 2);
  await withReport(address, async page => {
    await page.click('[data-clash="0"]');
    assert.is(await page.textContent('.regions summary'), `${regions.length} regions`);
    await page.click('.regions summary');
    const lines = await page.locator('.regions li').allTextContents();
    assert.is(lines.length, regions.length);
    for (const [i, line] of lines.entries()) {
      assert.match(
        line,
        /^overlap depth \d+ mm, penetration depth [\d.]+ m?m; volume \d+ cm³; curves \d+ mm long; at \S+, \S+, \S+$/,
      );
      const { pointA, pointB } = regions[i];
      const z = Number(line.split(', ').at(-1)!.replace('\u2212', '-'));
      assert.ok(Math.abs(z - (pointA[2] + pointB[2]) / 2) < 1e-3, line);
    }

    // The table shows the beginning and the end of a long name.
    const name = page.locator('[data-clash="0"] .name').filter({ hasText: LONG });
    assert.is(await name.textContent(), LONG);
    const bottom = async (locator: Locator): Promise<number> => {
      const { y, height } = (await locator.boundingBox())!;
      return y + height;
    };
    assert.is(await name.locator('.end').textContent(), 'm Stud):138584');
    assert.ok((await bottom(name.locator('.end'))) <= (await bottom(name)) + 1, 'the end is visible');

    // The panel of the clash does not cover the section box.
    await page.setViewportSize({ width: 1280, height: 560 });
    await page.click('#section');
    const panel = await bottom(page.locator('#section-panel'));
    await page.waitForFunction(
      y => document.getElementById('details')!.getBoundingClientRect().y >= y,
      panel,
    );
  });
  const { page: plain } = makeReport('no-regions', parts);
  await withReport(plain, async page => {
    await page.click('[data-clash="0"]');
    assert.is(await page.locator('.regions').count(), 0);
  });
});

pageTest('the panel shows the type object of an IFC element', async () => {
  const model = ifc([beam('a', [0, 0, 0], [1, 1, 1]), beam('b', [0.5, 0, 0], [1, 1, 1])]).replace(
    /ENDSEC;\nEND-ISO/,
    [
      "#5003=IFCBEAMTYPE('0000000000000000000003',$,'IPE 200',$,$,$,$,$,$,.BEAM.);",
      "#5004=IFCRELDEFINESBYTYPE('0000000000000000000004',$,$,$,(#100),#5003);",
      'ENDSEC;\nEND-ISO',
    ].join('\n'),
  );
  const { page: address } = runReport('beams', writeBeside('beams.ifc', model));
  await withReport(address, async page => {
    await page.click('[data-clash="0"]');
    assert.match((await page.textContent('.part.a .identity')) ?? '', /^IfcBeam, IPE 200, \S{22}$/);
    assert.match((await page.textContent('.part.b .identity')) ?? '', /^IfcBeam, \S{22}$/);
  });
});

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
