// Tests the page that `pfront clash --report` writes, opened from disk. The page must show, highlight, filter
// and sort the clashes that are in the JSON of the same command, and save pictures of them.

import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import * as assert from 'uvu/assert';
import { compareFindings, describeFinding } from '../../dist/report/clashClasses.js';
import { box, rotation, sphere, torus, translation } from '../../dist/samples/index.js';
import { withEngine } from '../support/engines.js';
import { chromiumPath, closeBrowser, openBrowser, pageTest } from '../support/pages.js';
import { test } from '../support/test.js';
import { lookAt, makeReport, part, rows, settled, state, withReport } from './reports.js';

const HOSTILE =
  '</script><img src=x onerror="globalThis.isHarmed=true"><script>globalThis.isHarmed=true</script>\u202e';
const ball = sphere(400);
const ring = torus(600);
const crate = box();
const parts = [
  part('Ball', ball, translation([0.9, 0, 0])),
  part('Ring', ring, translation([0, 0, 0])),
  part(HOSTILE, crate, rotation([1, 1, 0], 0.5, [1.5, 0.5, 0.5])),
  part('Ring 10', ring, rotation([1, 0, 0], 1.2, [0.5, 0, 0])),
  part('Far crate', crate, translation([8, 0, 0])),
];

const report = chromiumPath ? makeReport('scene', parts) : undefined!;
const textOf = ({ clashes }: any, clash: number): string[] => [
  `${clash}`,
  clashes[clash].nameA,
  clashes[clash].nameB,
];

/** Returns the indices of the clashes in a command's JSON, worst first. */
const worstFirst = ({ clashes }: any): number[] =>
  clashes
    .map((_: unknown, clash: number) => clash)
    .sort((x: number, y: number) => compareFindings(finding(clashes[x]), finding(clashes[y])));
const finding = ({ duplicate = false, inner, ...one }: any) => ({
  ...one,
  isDuplicate: duplicate,
  inner: inner === undefined ? undefined : inner === one.a ? 'a' : 'b',
});

pageTest('rows are the clashes of the JSON, worst first', async () => {
  await withReport(report.page, async page => {
    const { clashes, totals } = report.json;
    assert.ok(clashes.length >= 4);
    const worst = worstFirst(report.json);
    const found = await rows(page);
    assert.equal(
      found.map(row => row.slice(0, 3)),
      worst.map(clash => textOf(report.json, clash)),
    );
    assert.equal(
      found.map(row => row[3]),
      worst.map(clash => `${clashes[clash].class}${describeFinding(finding(clashes[clash]), 'm')}`),
    );
    assert.match(
      (await page.textContent('#summary')) ?? '',
      `${clashes.length} clashes: ${totals.classes.hard.listed} hard`,
    );
    assert.match((await page.textContent('#summary')) ?? '', /\. 5 parts, [\d,]+ triangles$/);
    assert.match(
      (await page.textContent('#foot')) ?? '',
      /Page size \d\.\d MB; the data decompresses to \d+ kB\./,
    );
    assert.is(
      Number(await page.getAttribute('meta[name=page-bytes]', 'content')),
      readFileSync(report.page).length,
    );
    assert.is(report.json.report.bytes, readFileSync(report.page).length);
  });
});

pageTest(
  'a click on a clash draws exactly its contact and shows its two parts, and Escape shows all',
  async () => {
    await withReport(report.page, async page => {
      const all = await lookAt(page);
      assert.ok(all.colors > 20 && all.red > 10, JSON.stringify(all));
      const whole = await state(page);
      assert.equal(
        whole.roles,
        parts.map(() => 'plain'),
      );
      assert.equal(whole.markers.toSorted(), [...report.json.clashes.keys()]);
      const seen = new Set([all.hash]);
      for (const clash of report.json.clashes.keys()) {
        await page.click(`[data-clash="${clash}"]`);
        const { a, b } = report.json.clashes[clash];
        const expected = await withEngine({ threads: 1, warmUp: 'off' }, engine => {
          const { count, points, pointsAt } = engine.query(
            engine.createMesh(parts[a]),
            engine.createMesh(parts[b]),
            { transformA: parts[a].transform, transformB: parts[b].transform, want: 'segments' },
          );
          const textOfPoint = (i: number): string => points.subarray(3 * i, 3 * i + 3).join();
          const pairs = Array.from({ length: count }, (_, i) => [pointsAt[i], pointsAt[i + 1]]);
          const segments = pairs
            .filter(([from, to]) => to - from === 2)
            .map(([from]) => [textOfPoint(from), textOfPoint(from + 1)].sort().join(' '));
          return {
            segments: new Set(segments).size,
            triangles: pairs.reduce((sum, [from, to]) => sum + Math.max(0, to - from - 2), 0),
            points: 0,
          };
        });
        const found = await settled(page);
        assert.equal([found.selected, found.contact, found.markers], [clash, expected, []]);
        assert.equal(
          found.roles,
          parts.map((_, i) => (i === a ? 'a' : i === b ? 'b' : 'ghost')),
        );
        const picture = await lookAt(page);
        assert.ok(picture.colors > 20 && picture.red > 50, JSON.stringify(picture));
        seen.add(picture.hash);
      }
      assert.is(seen.size, report.json.clashes.length + 1, 'every picture is different');
      await page.keyboard.press('Escape');
      assert.equal((await settled(page)).roles, whole.roles);
      assert.is(await page.isVisible('#details'), false);
    });
  },
);

pageTest.slow('the table can be filtered, sorted by column, and navigated with keys', async () => {
  await withReport(report.page, async page => {
    const count = report.json.clashes.length;
    await page.fill('#filter', 'ring 10');
    const kept = report.json.clashes
      .map((_: unknown, clash: number) => clash)
      .filter((clash: number) => textOf(report.json, clash).includes('Ring 10'));
    assert.ok(kept.length > 0 && kept.length < count);
    assert.equal((await rows(page)).map(([clash]) => Number(clash)).sort(), kept.sort());
    assert.is(await page.textContent('#count'), `${kept.length} of ${count} clashes`);
    await page.fill('#filter', 'nothing <b>like</b> this');
    assert.equal(await rows(page), []);
    assert.match(
      (await page.textContent('#empty')) ?? '',
      'No clashes in the selected classes match \u201cnothing <b>like</b> this\u201d',
    );
    await page.fill('#filter', '');

    const worst = worstFirst(report.json);
    const { clashes } = report.json;
    const bySize = clashes
      .map((_: unknown, clash: number) => clash)
      .sort((x: number, y: number) => clashes[y].size - clashes[x].size || x - y);
    for (const [title, sort, expected] of [
      ['Class', 'descending', worst.toReversed()],
      ['Class', 'ascending', worst],
      ['Size', 'descending', bySize],
    ] as const) {
      const head = page.locator('[role=columnheader]', { hasText: title });
      await head.locator('button').click();
      assert.equal(
        (await rows(page)).map(([clash]) => Number(clash)),
        expected,
        `${title}, ${sort}`,
      );
      assert.is(await head.getAttribute('aria-sort'), sort);
    }
    await page.locator('[role=columnheader] button', { hasText: 'Clashes with' }).click();
    const names = (await rows(page)).map(row => row[2]);
    assert.ok(names.indexOf('Ring') < names.indexOf('Ring 10'));

    const listed = (await rows(page)).map(([clash]) => Number(clash));
    const chosen = async (key: string): Promise<number | undefined> => {
      await page.keyboard.press(key);
      return (await state(page)).selected;
    };
    await page.click('#filter');
    assert.is(await chosen('ArrowDown'), listed[0]);
    assert.is(await chosen('ArrowDown'), listed[1]);
    assert.is(await page.getAttribute('#grid', 'aria-activedescendant'), `clash-${listed[1]}`);
    assert.is(await chosen('ArrowUp'), listed[0]);
    assert.is(await chosen('ArrowUp'), listed[0], 'the first row stays selected');
    assert.is(await chosen('End'), listed.at(-1));
    assert.is(await page.locator('[aria-selected=true]').count(), 1);
  });
});

pageTest.slow('the button saves the picture as PNG', async () => {
  await withReport(report.page, async page => {
    await page.click('[data-clash="0"]');
    await settled(page);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#screenshot')]);
    assert.match(download.suggestedFilename(), /^Ball and Ring\.png$/);
    const bytes = readFileSync(await download.path());
    assert.equal([...bytes.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    const size = (await page.locator('#canvas').boundingBox())!;
    assert.equal(
      [bytes.readUInt32BE(16), bytes.readUInt32BE(20)],
      [Math.floor(size.width), Math.floor(size.height) + 32],
    );
  });
});

pageTest.slow(
  'names from files are shown as text, whatever they contain, and only scripts of the page itself can run',
  async () => {
    const { page: hostile } = makeReport('<img src=x onerror=isHarmed=1>', parts);
    for (const address of [report.page, hostile]) {
      await withReport(address, async page => {
        assert.is(await page.evaluate('globalThis.isHarmed'), undefined);
        assert.is(await page.locator('img').count(), 0);
        assert.ok((await rows(page)).some(row => row.includes(HOSTILE)));
        await page.click(
          `[data-clash="${report.json.clashes.findIndex(({ nameB }: any) => nameB === HOSTILE)}"]`,
        );
        assert.ok((await page.locator('#details bdi').allTextContents()).includes(HOSTILE));
        assert.match(
          await page.title(),
          address === hostile ? '<img src=x onerror=isHarmed=1>.glb' : 'scene.glb',
        );
        const policy = (await page.getAttribute('meta[http-equiv=Content-Security-Policy]', 'content')) ?? '';
        assert.match(policy, /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+';/);
        assert.not.match(policy, /unsafe|http/);
      });
    }
    assert.not.match(readFileSync(report.page, 'utf8'), 'isHarmed');
  },
);

pageTest.slow('a page without clashes says so, and shows the parts', async () => {
  const apart = makeReport('apart', [parts[0], parts[4]]);
  await withReport(apart.page, async page => {
    assert.is(await page.textContent('#empty'), 'No clashes: no two of the 2 parts share a point.');
    assert.equal([await rows(page), (await settled(page)).markers], [[], []]);
    const { colors, red } = await lookAt(page);
    assert.ok(colors > 20 && red === 0);
  });
  const single = makeReport('single', [parts[0]]);
  await withReport(single.page, async page => {
    assert.match((await page.textContent('#empty')) ?? '', 'there is only one part, Ball');
  });
});

pageTest.proof(
  'with a thousand clashes, only the visible rows are elements of the page, and every row can be scrolled to',
  async () => {
    const stack = Array.from({ length: 46 }, (_, i) =>
      part(`Crate ${i}`, crate, translation([i / 100, 0, 0])),
    );
    const { page: address, json } = makeReport('stack', stack);
    assert.is(json.clashes.length, (46 * 45) / 2);
    await withReport(address, async page => {
      assert.ok((await rows(page)).length < 60);
      // No clash is selected yet.
      await page.keyboard.press('End');
      assert.is(await page.locator('[aria-selected=true]').getAttribute('aria-rowindex'), '1036');
      const { selected } = await state(page);
      assert.ok(await page.locator(`[data-clash="${selected}"]`).isVisible());
      assert.is(await page.getAttribute('#grid', 'aria-rowcount'), '1036');
      for (const [key, place] of [
        ['End', 1034],
        ['Home', 0],
        ['PageDown', undefined],
      ] as const) {
        await page.keyboard.press(key);
        const row = page.locator('[aria-selected=true]');
        if (place !== undefined) assert.is(await row.getAttribute('aria-rowindex'), `${place + 2}`);
        // The row is between the head and the lower edge of the table.
        await page.waitForFunction(() => {
          const { bottom: headEnd } = document.querySelector('.head')!.getBoundingClientRect();
          const { bottom: end } = document.querySelector('#grid')!.getBoundingClientRect();
          const { top, bottom } = document.querySelector('[aria-selected=true]')!.getBoundingClientRect();
          return top >= headEnd - 1 && bottom <= end + 1;
        });
      }
      await page.evaluate("document.querySelector('#grid').scrollTop = 20000");
      await page.waitForFunction(() => {
        const { top, bottom } = document.querySelector('#grid')!.getBoundingClientRect();
        const seen = [...document.querySelectorAll('[data-clash]')].filter(row => {
          const box = row.getBoundingClientRect();
          return box.top < bottom && box.bottom > top;
        });
        return (
          seen[0]?.getBoundingClientRect().top <= top && seen.at(-1)!.getBoundingClientRect().bottom >= bottom
        );
      });
    });
  },
);

pageTest.slow(
  'the theme follows the system and the button, and the page fits the screen of a phone',
  async () => {
    for (const [colorScheme, paper, other] of [
      ['light', 'rgb(255, 255, 255)', 'rgb(22, 25, 29)'],
      ['dark', 'rgb(22, 25, 29)', 'rgb(255, 255, 255)'],
    ] as const) {
      await withReport(
        report.page,
        async page => {
          const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
          assert.is(await background(), paper);
          await page.click('#theme');
          assert.is(await background(), other);
          const overflows = '(cell => cell.scrollHeight > cell.parentElement.clientHeight)';
          assert.is(
            await page.evaluate(`[...document.querySelectorAll('.rows .cell')].some(${overflows})`),
            false,
          );
          await page.click('[data-clash="0"]');
          assert.ok(((await page.evaluate('document.documentElement.scrollWidth')) as number) <= 390);
          assert.ok(((await page.evaluate('document.documentElement.scrollHeight')) as number) <= 844);
          for (const id of ['#canvas', '#grid', '#details', '#screenshot'])
            assert.ok((await page.locator(id).boundingBox())!.height > 30, id);
        },
        { viewport: { width: 390, height: 844 }, colorScheme },
      );
    }
  },
);

pageTest.slow('a scene moved far from the origin, or scaled to a tiny size, looks as before', async () => {
  const pictures: number[] = [];
  for (const [name, size, shift] of [
    ['near', 1, 0],
    ['far', 1, 1e9],
    ['tiny', 1e-6, 0],
  ] as const) {
    const scaled = [
      [0, 0],
      [1, 1.5],
    ].map(([i, x]) =>
      part(`Crate ${i}`, crate, [size, 0, 0, 0, 0, size, 0, 0, 0, 0, size, 0, shift + x! * size, 0, 0, 1]),
    );
    const { page: address } = makeReport(name, scaled);
    await withReport(address, async page => {
      await page.click('[data-clash="0"]');
      await settled(page);
      pictures.push((await lookAt(page)).red);
    });
  }
  for (const red of pictures) assert.ok(Math.abs(red - pictures[0]) < 0.02 * pictures[0], pictures.join());
});

pageTest.slow('without WebGL the table is complete, and the page says what is missing', async () => {
  const before =
    'const getContext = HTMLCanvasElement.prototype.getContext; HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return /webgl/.test(kind) ? null : getContext.call(this, kind, ...rest); };';
  const context = await (await openBrowser()).newContext();
  try {
    await context.addInitScript(before);
    const page = await context.newPage();
    page.setDefaultTimeout(0);
    await page.goto(pathToFileURL(report.page).href);
    await page.evaluate('pfrontReport.ready');
    assert.is((await rows(page)).length, report.json.clashes.length);
    assert.match((await page.textContent('#notice')) ?? '', 'does not support WebGL');
    await page.click('[data-clash="0"]');
    assert.is((await state(page)).selected, 0);
    assert.is(await page.isDisabled('#screenshot'), true);
  } finally {
    await context.close();
  }
});

test.after(closeBrowser);
test.run();
