// Tests that each page of docs/examples starts with `npm start` and finds pairs on several threads.

import * as assert from 'uvu/assert';
import { installExample, startServer } from '../support/examples.js';
import { closeBrowser, openBrowser, pageTest } from '../support/pages.js';
import { test } from '../support/test.js';

/** Starts an example, opens its page in a browser that reports four cores, and checks what the page shows. */
async function check(
  name: string,
  packages: readonly string[],
  expected: RegExp,
  env: Record<string, string> = {},
): Promise<void> {
  const example = installExample(name, packages, true);
  const { address, stop } = await startServer(example, env);
  const context = await (await openBrowser()).newContext();
  try {
    await context.addInitScript(
      "Object.defineProperty(Navigator.prototype, 'hardwareConcurrency', { get: () => 4 });",
    );
    const page = await context.newPage();
    page.setDefaultTimeout(0);
    const errors: string[] = [];
    page.on('pageerror', error => errors.push(String(error)));
    await page.goto(address);
    await page.waitForFunction("document.querySelector('#answer').textContent !== '...'");
    assert.match((await page.textContent('#answer')) ?? '', expected);
    assert.equal(errors, []);
  } finally {
    await context.close();
    stop();
    example.remove();
  }
}

pageTest('plain-page', () => check('plain-page', ['three'], /^\d{2,} pairs; threads: 3$/, { PORT: '0' }));

pageTest.slow('vite-three', () =>
  check('vite-three', ['three', 'vite', '.bin'], /^[1-9]\d* triangles intersect; threads: 3$/),
);

test.after(closeBrowser);
test.run();
