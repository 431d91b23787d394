// Tests what the page of `pfront clash --report --baseline` and its BCF file say about the comparison with the
// earlier run: which clashes are new, still open, resolved or unchecked.
import { readFileSync } from 'node:fs';
import { unzipSync } from 'fflate';
import * as assert from 'uvu/assert';
import { beam, ifc } from '../formats/smallIfc.js';
import { chromiumPath, closeBrowser, pageTest } from '../support/pages.js';
import { readReportData } from '../support/reportData.js';
import { test } from '../support/test.js';
import { rows, runReport, withReport, writeBeside } from './reports.js';

type Place = [number, number, number];
/** Makes a file of beams that are cubes of 1 m. */
const house = (places: Record<string, Place>, broken: string[] = []): string =>
  ifc(Object.entries(places).map(([name, at]) => beam(name, at, [1, 1, broken.includes(name) ? 0 : 1])));

// In the earlier run, a and b penetrate, c and d share a face, and e and f penetrate. In this run, a is gone from b but
// penetrates c, which now penetrates d, too. The clash of e and f is unchanged.
const BEFORE: Record<string, Place> = {
  a: [0, 0, 0],
  b: [0.5, 0, 0],
  c: [10, 0, 0],
  d: [11, 0, 0],
  e: [20, 0, 0],
  f: [20.75, 0, 0],
};
const AFTER: Record<string, Place> = { ...BEFORE, a: [9.5, 0, 0], d: [10.75, 0, 0] };

function run() {
  const { json } = runReport('before', writeBeside('before.ifc', house(BEFORE)), '--classes', 'all');
  const baseline = writeBeside('old.json', JSON.stringify(json));
  const path = writeBeside('after.ifc', house(AFTER));
  const bcf = writeBeside('after.bcf', '');
  const options = ['--classes', 'all', '--baseline', baseline, '--bcf', bcf];
  return { ...runReport('after', path, ...options), bcf };
}
const made = chromiumPath ? run() : undefined!;

/** Returns the names of the parts of the clash with this index, such as `IfcBeam a, IfcBeam b`. */
const namesOf = (header: any, clash: number): string => {
  const { a, b } = header.clashes[clash];
  return [header.parts[a].name, header.parts[b].name].join(', ');
};

pageTest('the page shows new and open clashes, and its buttons choose between them', async () => {
  const { header } = readReportData(made.page);
  await withReport(made.page, async page => {
    const listed = async () =>
      (await rows(page)).map(row =>
        `${namesOf(header, Number(row[0]))}: ${row[3]}`.replace(/(hard( new)?).*/, '$1'),
      );
    const all = [
      'IfcBeam a, IfcBeam c: hard new',
      'IfcBeam c, IfcBeam d: hard new',
      'IfcBeam e, IfcBeam f: hard',
    ];
    assert.equal((await listed()).sort(), all);
    assert.match(
      (await page.textContent('#summary'))!,
      '3 clashes: 3 hard; compared with old.json: 2 new, 1 still open. 6 parts',
    );
    assert.equal(await page.locator('#changes button').allTextContents(), ['new 2', 'still open 1']);

    await page.click('[data-change="open"]');
    assert.equal((await listed()).sort(), all.slice(0, 2));
    const worse = await page.locator('[data-clash]', { hasText: 'IfcBeam d' }).first();
    await worse.click();
    assert.match((await page.textContent('#details'))!, 'Compared with old.json: new, was coplanar.');
    await page.click('[data-change="new"]');
    assert.equal(await listed(), []);
    assert.match(
      (await page.textContent('#empty'))!,
      'No clashes in the selected classes and changes. Select more with the buttons above.',
    );
    await page.click('[data-change="open"]');
    assert.equal(await listed(), all.slice(2));
    assert.match((await page.textContent('#count'))!, '1 of 3 clashes');
  });
});

pageTest('the page lists resolved clashes with the GlobalIds of their elements', async () => {
  await withReport(made.page, async page => {
    assert.is(await page.textContent('#resolved-count'), '1 clash of old.json resolved');
    const { partA, partB } = made.json.resolved[0];
    assert.is(
      await page.textContent('#resolved-list'),
      `hard: IfcBeam a (${partA.id}), IfcBeam b (${partB.id})`,
    );
    assert.is(await page.isVisible('#resolved-list'), false);
    await page.click('#resolved-count');
    assert.is(await page.isVisible('#resolved-list'), true);
    assert.is(await page.isVisible('#unchecked'), false);
  });
});

pageTest('new clashes have a label in the BCF file, and each topic says how it compares', async () => {
  const files = unzipSync(new Uint8Array(readFileSync(made.bcf)));
  const topics = Object.keys(files)
    .filter(path => path.endsWith('markup.bcf'))
    .map(path => new TextDecoder().decode(files[path]!));
  const said = topics.map(topic => [
    /<Title>(.*)<\/Title>/.exec(topic)![1],
    topic.includes('<Labels>new</Labels>'),
    /compared with the baseline: (.*)/.exec(topic)?.[1],
  ]);
  assert.equal(said.sort(), [
    ['hard: IfcBeam a, IfcBeam c', true, 'new'],
    ['hard: IfcBeam c, IfcBeam d', true, 'new, was coplanar'],
    ['hard: IfcBeam e, IfcBeam f', false, 'still open'],
  ]);
});

pageTest('a page of a run without a baseline has no such texts', async () => {
  const { page: address } = runReport('without', writeBeside('without.ifc', house(AFTER)));
  const { header } = readReportData(address);
  assert.not.ok('comparison' in header);
  assert.not.ok(header.clashes.some((clash: object) => 'change' in clash));
  await withReport(address, async page => {
    assert.is(await page.isVisible('#changes'), false);
    assert.is(await page.isVisible('#resolved'), false);
    assert.not.match((await page.textContent('#summary'))!, 'compared');
  });
});

test.after(closeBrowser);
test.run();
