// Measures how fast the page of `pfront clash --report` with 10,000 clashes is in Chromium with a software
// renderer: how long it loads, how long it takes to react to a key, and how long a frame takes while the table
// is scrolled or the view is turned.
import type { Page } from 'playwright-core';
import { CLASHES, writeManyClashes } from '../../test/browser/manyClashes.js';
import { settled, withReport } from '../../test/browser/reports.js';
import { chromiumPath, closeBrowser } from '../../test/support/pages.js';
import { isQuick, Report } from '../support/report.js';
import { summarize } from '../support/statistics.js';

const LOADS = isQuick ? 1 : 5;
const ACTIONS = isQuick ? 3 : 30;
const FRAMES = isQuick ? 5 : 120;

// Functions of the page. `untilPainted(act)` returns how many milliseconds it takes until the frame after `act`
// is painted. A message that is sent in the callback of a frame arrives after the browser has painted this
// frame. `frames.start()` begins to record frames. `frames.stop()` returns the time from each frame to the
// next.
const METERS = `
globalThis.untilPainted = act => new Promise(resolve => {
  const beganAt = performance.now();
  act();
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(performance.now() - beganAt);
    port2.postMessage(0);
  });
});
globalThis.setFilter = text => {
  const filter = document.getElementById('filter');
  filter.value = text;
  filter.dispatchEvent(new Event('input', { bubbles: true }));
};
globalThis.press = key => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
globalThis.frames = {
  start(each = () => {}) {
    this.times = [];
    this.isRunning = true;
    const next = now => {
      this.times.push(now);
      if (!this.isRunning) return;
      each();
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  },
  async stop(count) {
    while (this.times.length <= count) await new Promise(requestAnimationFrame);
    this.isRunning = false;
    return this.times.slice(1).map((time, i) => time - this.times[i]);
  },
};`;

/**
 * Performs an action `count` times. `act`: source of a JavaScript function that performs the action; its
 * argument is the index of the repetition. @returns for each action, the milliseconds until its effect is
 * painted
 */
const timesOf = (page: Page, act: string, count = ACTIONS): Promise<number[]> =>
  page.evaluate(`(async () => {
    const act = ${act}, times = [];
    for (let i = 0; i < ${count}; i++) times.push(await untilPainted(() => act(i)));
    return times;
  })()`);

/**
 * Records frames, and performs an action in each frame. `each`: source of a JavaScript function that performs
 * the action. @returns milliseconds of each frame
 */
async function framesOf(page: Page, each: string): Promise<number[]> {
  await page.evaluate(`frames.start(${each})`);
  return page.evaluate(`frames.stop(${FRAMES})`);
}

async function measure(report: Report, partCount: number): Promise<void> {
  const scene = `${CLASHES} clashes of ${partCount} parts`;
  const { address, bytes } = await writeManyClashes(`large-${partCount}.html`, partCount);
  const add = (measure: string, times: number[], limit?: string): void =>
    report.add({ scene, measure, variant: 'pfront', unit: 'ms', ...summarize(times), limit });
  report.add({ scene, measure: 'size of the page', variant: 'pfront', unit: 'bytes', n: 1, median: bytes });
  const loads: number[] = [];
  const open = async (use: (page: Page) => Promise<void>): Promise<void> => {
    const beganAt = performance.now();
    await withReport(
      address,
      async page => {
        await settled(page);
        loads.push(performance.now() - beganAt);
        await use(page);
      },
      { reducedMotion: 'no-preference' },
    );
  };
  for (let i = 1; i < LOADS; i++) await open(async () => {});
  await open(async page => {
    add('open a tab and load the page', loads);
    await page.evaluate(METERS);
    add(
      'filter by a name',
      await timesOf(page, "i => setFilter(i % 2 ? 'crate 19' : 'crate 1')"),
      '<= 100 ms',
    );
    add('clear the filter', await timesOf(page, "i => setFilter(i % 2 ? 'crate 19' : '')"));
    await page.evaluate("setFilter('')");
    add(
      'sort by size',
      await timesOf(page, "() => document.querySelector('.size .sort').click()"),
      '<= 100 ms',
    );
    add(
      'frame while the table is scrolled',
      await framesOf(page, "() => { document.getElementById('grid').scrollTop += 333; }"),
      '<= 50 ms',
    );
    const { x, y, width, height } = (await page.locator('#canvas').boundingBox())!;
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.evaluate('frames.start()');
    for (let i = 0; i < FRAMES; i++) await page.mouse.move(x + width / 2 + 2 * i, y + height / 2 + (i % 20));
    add('frame while the overview is turned', await page.evaluate('frames.stop(1)'));
    await page.mouse.up();
    add('select the next clash', await timesOf(page, "() => press('ArrowDown')"), '<= 100 ms');
    add('frame while the arrow key is held', await framesOf(page, "() => press('ArrowDown')"));
    add(
      'select the last or the first clash',
      await timesOf(page, "i => press(i % 2 ? 'Home' : 'End')"),
      '<= 100 ms',
    );
    add('back to the overview', await timesOf(page, "i => press(i % 2 ? 'ArrowDown' : 'Escape')"));
  });
}

if (chromiumPath) {
  const report = new Report('largeReport', undefined, ['playwright-core', 'three']);
  try {
    for (const partCount of [200, 2000]) await measure(report, partCount);
    report.save();
  } finally {
    await closeBrowser();
  }
} else console.log('largeReport: skipped, Chromium is missing');
