// Builds the demo, opens its pages in a browser, and reads the texts that they show.

import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { buildPages } from '../../docs/demo/build/site.mjs';
import { untilAllThreads } from '../support/busyMachine.js';
import { type Site, withPage } from '../support/pages.js';

// The demo is in a subfolder of the served folder, to check that all paths of the site are relative.
const folder = mkdtempSync(path.join(os.tmpdir(), 'pfront-demo-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
export const demoFolder: string = await buildPages(path.join(folder, 'docs', 'demo'));

/** Number of threads that pages use, whatever the number of cores. */
export const THREADS = 3;

export const text = (page: Page, id: string): Promise<string> =>
  page.textContent(`#${id}`).then(found => found ?? '');
export const number = async (page: Page, id: string): Promise<number> =>
  Number((await text(page, id)).replaceAll(',', ''));

/** Waits until an expression about the page is true. Throws if the page shows that it has stopped after an error. */
export const until = (page: Page, expression: string): Promise<unknown> =>
  page.waitForFunction(`(() => {
    const isTrue = ${expression};
    const error = document.querySelector('[role=alert]')?.textContent;
    if (!isTrue && error?.startsWith('This demo has stopped')) throw new Error(error);
    return isTrue;
  })()`);

/**
 * Waits until an expression about the text of an element is true; the expression calls the text $. The element
 * may be missing for a moment, while another page is loaded.
 */
export const until$ = (page: Page, id: string, expression: string): Promise<unknown> =>
  until(page, `(($) => $ !== undefined && (${expression}))(document.getElementById('${id}')?.textContent)`);

/**
 * Pauses the page as soon as the text of an element changes and an expression about the new text is true; the
 * expression calls the text $. The text that is already there may belong to a scene that the page has just
 * replaced. A script in the page presses the button, because on a busy machine the text may have changed again
 * before a command of the test arrives.
 */
export const pauseWhen = (page: Page, id: string, expression: string): Promise<unknown> =>
  page.evaluate(`new Promise(done => {
    const shown = document.getElementById('${id}');
    const isSo = $ => ${expression};
    new MutationObserver((_, observer) => {
      if (!isSo(shown.textContent)) return;
      observer.disconnect();
      document.getElementById('play').click();
      done();
    }).observe(shown, { childList: true, characterData: true, subtree: true });
  })`);

/**
 * Records the text of an element and all texts that it shows later, in the page's list `recorded`. The list
 * also contains texts that `until$` could miss, because they are shown only for a moment.
 */
export const record = (page: Page, id: string): Promise<unknown> =>
  page.evaluate(
    `{ const shown = document.getElementById('${id}'); const recorded = globalThis.recorded = [shown.textContent]; new MutationObserver(() => recorded.push(shown.textContent)).observe(shown, { childList: true, characterData: true, subtree: true }); }`,
  );

/**
 * Waits until the page has had `count` animation frames. A pause of fixed length might end before a slow
 * machine has drawn all these frames.
 */
export const frames = (page: Page, count: number): Promise<unknown> =>
  page.evaluate(
    `new Promise((done) => { let left = ${count}; const next = () => (left-- > 0 ? requestAnimationFrame(next) : done()); next(); })`,
  );

/** Opens a page of the demo. If the page draws frames all the time, waits until it shows a frame time. */
export function onPage<T>(
  name: string,
  use: (page: Page, errors: string[]) => Promise<T>,
  site: Site = {},
): Promise<T> {
  const before = `Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => ${THREADS} });${site.before ?? ''}`;
  return withPage(
    { folder, context: { viewport: { width: 1000, height: 640 } }, ...site, before },
    `/docs/demo/${name}.html`,
    async (page, errors) => {
      const started = (): Promise<unknown> => until$(page, 'status', "!$.startsWith('Starting')");
      await untilAllThreads(
        async loads => {
          if (loads > 0) await page.reload();
          await started();
          return text(page, 'status');
        },
        status => /a worker died|threads started/.test(status),
      );
      await until(
        page,
        "document.querySelector('.readings').hidden || document.getElementById('frame-time').textContent !== '–'",
      );
      return use(page, errors);
    },
  );
}
