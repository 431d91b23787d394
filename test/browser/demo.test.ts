// Tests that the demo's pages load without errors, with and without cross-origin isolation, are drawn in both
// themes, and respond to their controls.

import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { serve as serveDemo } from '../../docs/demo/build/serve.mjs';
import { closeBrowser, pageTest } from '../support/pages.js';
import { test } from '../support/test.js';
import {
  demoFolder,
  frames,
  number,
  onPage,
  pauseWhen,
  record,
  THREADS,
  text,
  until,
  until$,
} from './demoPages.js';
import { pictureOf } from './pictures.js';

const names = [
  'index',
  'gears',
  'scans',
  'bodies',
  'cloth',
  'bullets',
  'character',
  'measures',
  'cluster',
  'clash',
];
/**
 * Pages that are checked in both themes only by `npm run proof`, because other tests open these pages as well.
 */
const seldom = ['bodies', 'bullets', 'character', 'cluster', 'measures'];
/**
 * For pages on which little is highlighted in some frames: the id of an element that shows a count. The test
 * pauses the page once this count is above the given number, and then takes a picture of the page.
 */
const litWith: Record<string, [id: string, count: number]> = {
  // The first contacts of the sheet may be behind the ball; later ones are on all sides.
  cloth: ['sum', 100],
  bullets: ['swept', 30],
  cluster: ['pairs', 8],
  measures: ['segments', 70],
  scans: ['triangle-pairs', 1000],
};
const choose = (page: Page, id: string, value: string): Promise<unknown> =>
  page.selectOption(`#${id}`, value);
const slide = (page: Page, id: string, value: number): Promise<void> =>
  page.locator(`#${id}`).fill(String(value));

test('the local server isolates pages and serves nothing outside of the folder', async () => {
  const { address, close } = await serveDemo(demoFolder, 0);
  const response = await fetch(address);
  assert.is(response.status, 200);
  assert.is(response.headers.get('Cross-Origin-Embedder-Policy'), 'require-corp');
  assert.match(await response.text(), /<title>Exact collision detection · pfront<\/title>/);
  for (const name of ['none.html', '..%2f..%2fsecret', '%ff'])
    assert.is((await fetch(address + name)).status, 404, name);
  close();
});

/** The two looks in which a page is checked: each has a theme, and the screen size of a desktop or a phone. */
const looks = {
  light: { width: 1280, height: 800 },
  dark: { width: 390, height: 844 },
} as const;

/** Checks the picture of a page that has loaded in this look, or that has changed to it. */
async function checkLook(page: Page, name: string, theme: keyof typeof looks): Promise<void> {
  const view = await pictureOf(page, '#view', ['lit']);
  assert.ok(view.colors > 40, `${view.colors} colors`);
  if (name !== 'clash') assert.ok(view.parts[0] > 0.0005, `${view.parts[0]} is highlighted`);
  const { brightness } = await pictureOf(page, 'body');
  assert.ok(theme === 'dark' ? brightness < 0.35 : brightness > 0.7, `brightness ${brightness}`);
  assert.is(await page.evaluate('document.documentElement.scrollWidth'), looks[theme].width);
}

for (const name of names) {
  // The landing page loads on a desktop, the others on a phone.
  const [first, second] = name === 'index' ? (['light', 'dark'] as const) : (['dark', 'light'] as const);
  (name === 'index' ? pageTest : seldom.includes(name) ? pageTest.proof : pageTest.slow)(
    `${name}: the page is drawn without errors in both themes, and nothing moves while it loads`,
    async () => {
      const before =
        "globalThis.shift = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) shift += entry.value; }).observe({ type: 'layout-shift', buffered: true });";
      await onPage(
        name,
        async (page, errors) => {
          assert.is(await text(page, 'status'), `${THREADS} threads on shared memory`);
          const [id, count] = litWith[name] ?? [];
          if (id) await pauseWhen(page, id, `Number($.replace(',', '')) > ${count}`);
          if (name === 'clash') await until$(page, 'clashes', "$ === '12'");
          // The layout shift is read before pictures are taken, because a picture of an element that is higher
          // than the viewport resizes the viewport.
          const shift = await page.evaluate<number>('shift');
          await checkLook(page, name, first);
          assert.ok(shift < 0.02, `layout shift ${shift}`);
          await page.setViewportSize(looks[second]);
          await page.emulateMedia({ colorScheme: second });
          await frames(page, 3);
          await checkLook(page, name, second);
          assert.equal(errors, []);
        },
        { before, context: { colorScheme: first, viewport: looks[first] } },
      );
    },
  );
}

for (const [name, list] of [
  ['cloth', 'side'],
  ['bullets', 'count'],
  ['bodies', 'count'],
  ['cluster', 'count'],
] as const) {
  (name === 'bodies' ? pageTest.slow : pageTest.proof)(
    `${name}: slow frames do not replace the scene of a paused page`,
    async () => {
      await onPage(name, async (page, errors) => {
        await page.click('#play');
        // The largest scene is selected without a `change` event. The page therefore does not regard it as the
        // user's choice, and may still replace it with a smaller scene.
        const chosen = await page.evaluate<number>(
          `{ const list = document.getElementById('${list}'); list.selectedIndex = list.length - 1 }`,
        );
        // From now on, each frame seems to take at least 160 ms.
        await page.evaluate(
          '{ const request = requestAnimationFrame; globalThis.requestAnimationFrame = use => request(time => use(10 * time)); }',
        );
        await frames(page, 100);
        assert.is(await page.evaluate(`document.getElementById('${list}').selectedIndex`), chosen);
        await page.click('#play');
        await until(page, `document.getElementById('${list}').selectedIndex < ${chosen}`);
        assert.equal(errors, []);
      });
    },
  );
}

pageTest(
  'the landing page shows the clashes of the building and links to all pages; on a linked page, Details shows more figures',
  async () => {
    await onPage('index', async (page, errors) => {
      assert.equal(
        [await number(page, 'parts'), await number(page, 'clashes'), await number(page, 'triangle-pairs')],
        [94, 12, 569],
      );
      const targets = await page
        .locator('.links a')
        .evaluateAll(links => links.map(link => link.getAttribute('href')));
      for (const name of names.slice(1)) assert.ok(targets.includes(`${name}.html`), name);
      assert.ok(targets.includes('api/index.html'));
      await page.click('.links a[href="gears.html"]');
      await until$(page, 'front-nodes', "$ !== '–'");
      assert.is(await page.isVisible('#front-nodes'), false);
      await page.click('summary');
      assert.is(await page.isVisible('#front-nodes'), true);
      assert.equal(errors, []);
    });
  },
);

pageTest.slow('the button changes the theme, and the page keeps it', async () => {
  await onPage(
    'scans',
    async page => {
      const theme = (name: string): Promise<unknown> =>
        until(page, `document.documentElement.dataset.theme === '${name}'`);
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        await theme(colorScheme);
      }
      await page.click('summary');
      const light = await pictureOf(page, '#chart');
      await page.click('#theme');
      const dark = await pictureOf(page, '#chart');
      assert.ok(light.brightness > 0.7 && dark.brightness < 0.35, `${light.brightness} ${dark.brightness}`);
      await page.reload();
      assert.is(await page.getAttribute('html', 'data-theme'), 'dark');
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.emulateMedia({ colorScheme: 'light' });
      assert.is(await page.getAttribute('html', 'data-theme'), 'dark', 'the chosen theme stays');
    },
    { context: { colorScheme: 'light' } },
  );
});

pageTest.slow('after back, forward and a reload, the page starts again', async () => {
  await onPage('scans', async (page, errors) => {
    const runs = async (heading: string): Promise<void> => {
      await until$(page, 'status', `$.startsWith('${THREADS} threads')`);
      await until$(page, 'frame-time', "$ !== '–'");
      assert.is(await page.textContent('h1'), heading);
    };
    await choose(page, 'detail', '0');
    await page.click('nav a[href="bodies.html"]');
    await runs('Thousands of bodies');
    await page.goBack();
    await runs('Two scans move through each other');
    await until$(page, 'triangles', "$ !== '–'");
    assert.is(await number(page, 'triangles'), [7348, 29_392][Number(await page.inputValue('#detail'))]);
    await page.goForward();
    await runs('Thousands of bodies');
    await page.reload();
    await runs('Thousands of bodies');
    assert.equal(errors, []);
  });
});

pageTest.slow(
  'if the host sends no headers, the service worker isolates the page after one reload',
  async () => {
    await onPage(
      'index',
      async (page, errors) => {
        assert.is(await page.evaluate('crossOriginIsolated'), true);
        assert.is(await text(page, 'status'), `${THREADS} threads on shared memory`);
        assert.equal(errors, []);
      },
      { isIsolated: false },
    );
  },
);

pageTest.proof(
  'without headers and service workers there is one thread and a note, and every page works',
  async () => {
    for (const name of names) {
      await onPage(
        name,
        async (page, errors) => {
          assert.is(await page.evaluate('crossOriginIsolated'), false);
          assert.match(
            await text(page, 'status'),
            `1 thread instead of ${THREADS}: the page is not cross-origin isolated`,
          );
          if (name === 'gears') assert.is(await page.isDisabled('#threads'), true);
          if (name !== 'clash')
            await until(page, "document.getElementById('query-rate').textContent !== '0'");
          assert.equal(errors, []);
        },
        { isIsolated: false, context: { serviceWorkers: 'block', viewport: { width: 1000, height: 640 } } },
      );
    }
  },
);

pageTest.slow('without WebGL the page says so, and still computes its numbers', async () => {
  const before =
    'const get = HTMLCanvasElement.prototype.getContext; HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return /webgl/.test(kind) ? null : get.call(this, kind, ...rest); };';
  await onPage(
    'gears',
    async page => {
      assert.match(await text(page, 'view'), 'does not support WebGL');
      assert.is(await number(page, 'contacts'), 22);
    },
    { before },
  );
});

pageTest.slow('gears: there is one column per thread, and the checkboxes and the button work', async () => {
  await onPage('gears', async (page, errors) => {
    const columns = (count: number): Promise<unknown> =>
      until(page, `document.querySelectorAll('.box-tests .columns i').length === ${count}`);
    await columns(THREADS);
    assert.is(await text(page, 'threads-value'), `${THREADS} of ${THREADS}`);
    await slide(page, 'threads', 1);
    assert.is(await text(page, 'threads-value'), `1 of ${THREADS}`);
    await columns(1);
    await until$(page, 'status', "$ === '1 thread'");
    for (const many of [THREADS, 1, 2]) await slide(page, 'threads', many);
    await columns(2);
    await until$(page, 'status', "$ === '2 threads on shared memory'");
    // Each worker holds a lock. An engine with two threads has one worker, so the workers of earlier engines
    // have ended.
    await until(page, 'navigator.locks.query().then(({ held }) => held.length === 1)');
    assert.ok(
      (await pictureOf(page, '#bars', ['series-a', 'series-b', 'series-c'])).parts.every(part => part > 0.03),
    );
    assert.is(await number(page, 'contacts'), 22);
    assert.ok((await number(page, 'worthwhile')) >= 1);
    assert.ok((await number(page, 'imbalance')) >= 1);
    await page.uncheck('#lit');
    await until(page, "document.getElementById('frame-time').textContent !== '–'");
    assert.is((await pictureOf(page, '#view', ['lit'])).parts[0], 0);
    await page.click('#play');
    // The page may finish a frame that it has begun.
    await frames(page, 5);
    const pairs = await text(page, 'triangle-pairs');
    await frames(page, 30);
    assert.is(await text(page, 'triangle-pairs'), pairs);
    await page.uncheck('#coherence');
    await page.click('#play');
    await until$(page, 'triangle-pairs', `$ !== '${pairs}'`);
    assert.equal(errors, []);
  });
});

pageTest.slow('scans: a chart shows the front; scene and number of work lists can change', async () => {
  await onPage('scans', async (page, errors) => {
    assert.is(await page.isVisible('#chart'), false);
    await page.click('summary');
    await frames(page, 90);
    const chart = await pictureOf(page, '#chart', ['series-a', 'series-c']);
    assert.ok(
      chart.parts.every(part => part > 0.0005),
      chart.parts.join(),
    );
    await page.click('#play');
    await slide(page, 'place', 0.5);
    await slide(page, 'parts', 1);
    await until$(page, 'parts-hint', "$.startsWith('A single work list needs no front')");
    await until$(page, 'front-nodes', "$ === '1'");
    const alone = await number(page, 'triangle-pairs');
    await slide(page, 'parts', 32);
    await until$(page, 'front-nodes', "Number($.replace(',', '')) > 100");
    assert.is(await number(page, 'triangle-pairs'), alone);
    await choose(page, 'shape', 'rings');
    await until$(page, 'triangles', "$ === '40,000'");
    await choose(page, 'detail', '0');
    await until$(page, 'triangles', "$ === '10,000'");
    await choose(page, 'shape', 'skittles');
    await slide(page, 'place', 0.35);
    await until$(page, 'triangle-pairs', "$ !== '0'");
    assert.equal(errors, []);
  });
});

pageTest.slow('bodies: the chosen broad phase runs, and counters change', async () => {
  await onPage('bodies', async (page, errors) => {
    await choose(page, 'count', '250');
    for (const method of ['sap-persistent', 'octree', 'tree', 'sap']) {
      await choose(page, 'broad-phase', method);
      await until$(page, 'method', `$ === '${method}'`);
    }
    await choose(page, 'broad-phase', 'auto');
    await until$(page, 'method', "$ !== '–'");
    await choose(page, 'motion', 'falling');
    await choose(page, 'shape', 'box');
    await slide(page, 'threads', 1);
    await until$(page, 'status', "$ === '1 thread'");
    await until$(page, 'ended', "$ !== '0'");
    const began = await number(page, 'began');
    await until$(page, 'began', `Number($.replace(',', '')) > ${began}`);
    assert.ok((await pictureOf(page, '#view', ['part-a'])).colors > 40);
    for (const movement of ['random', 'skewed']) {
      await record(page, 'ended');
      await choose(page, 'motion', movement);
      // Contacts are counted from 0 again.
      await until(page, "recorded.includes('0') && recorded.at(-1) !== '0'");
    }
    assert.equal(errors, []);
  });
});

test.after(closeBrowser);
test.run();
