// Tests that each page of docs/examples starts with `npm start` and finds pairs on several threads.

import type { BrowserContext } from 'playwright-core';
import * as assert from 'uvu/assert';
import { installExample, startServer } from '../support/examples.js';
import { closeBrowser, loadOn, openBrowser, pageTest, shownAnswer } from '../support/pages.js';
import { test } from '../support/test.js';

/**
 * Starts an example, opens its page in a browser that reports four cores, and checks what the page shows. If
 * the server ends by itself, starts the example once more, because such an end is no fault of the page.
 */
async function check(
  name: string,
  packages: readonly string[],
  expected: RegExp,
  options: Parameters<typeof startServer>[1],
): Promise<void> {
  const browser = await openBrowser();
  const example = installExample(name, packages, true);
  try {
    for (let isSecond = false; ; isSecond = true) {
      const server = await startServer(example, options);
      const context = await browser.newContext();
      try {
        await checkPage(context, server.address, expected);
        return;
      } catch (error) {
        const end = server.ended();
        if (end === undefined || isSecond) throw error;
        console.log(`counted: the server of ${name} was started again because it ended: ${end}`);
      } finally {
        await context.close();
        server.stop();
      }
    }
  } finally {
    example.remove();
  }
}

async function checkPage(context: BrowserContext, address: string, expected: RegExp): Promise<void> {
  await context.addInitScript(
    "Object.defineProperty(Navigator.prototype, 'hardwareConcurrency', { get: () => 4 });",
  );
  const page = await context.newPage();
  page.setDefaultTimeout(0);
  const errors: string[] = [];
  page.on('pageerror', error => errors.push(String(error)));
  const { answer } = await loadOn(3, async () => {
    await page.goto(address);
    // In some frames the ring of vite-three does not touch the ball.
    return { answer: await shownAnswer(page, /^[1-9]/) };
  });
  assert.ok(expected.test(answer), `the page shows '${answer}'`);
  assert.equal(errors, []);
}

pageTest('plain-page finds pairs on 3 threads', () =>
  check('plain-page', ['three'], /^\d{2,} pairs; threads: 3$/, { env: { PORT: '0' } }),
);

pageTest.slow('vite-three finds pairs on 3 threads', () =>
  check('vite-three', ['three', 'vite', '.bin'], /^[1-9]\d* triangles intersect; threads: 3$/, {
    args: ['--host', '127.0.0.1'],
  }),
);

test.after(closeBrowser);
test.run();
