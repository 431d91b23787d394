// Tests what the panel of the report page shows of a clash beside its class: the identity of IFC elements, and
// coordinates without rounding noise.
import * as assert from 'uvu/assert';
import { box, translation } from '../../dist/samples/index.js';
import { beam, ifc } from '../formats/smallIfc.js';
import { closeBrowser, pageTest } from '../support/pages.js';
import { test } from '../support/test.js';
import { makeReport, part, runReport, withReport, writeBeside } from './reports.js';

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
