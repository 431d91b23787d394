// Serves a folder and opens its pages in the installed Chromium or Chrome, driven by Playwright.

import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { untilAllThreads } from './busyMachine.js';
import { tiered } from './test.js';

export const root = fileURLToPath(new URL('../../', import.meta.url));

const executables = [
  process.env.CHROMIUM ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
/**
 * Path of Chromium, or undefined if it is not installed. Without Chromium, page tests are skipped, and their
 * names are printed.
 */
export const chromiumPath = executables.find(file => file !== '' && existsSync(file));

const FLAGS = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-gpu',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
];
/** Flags that enable WebGPU with the software driver that comes with Chromium. */
const GPU_FLAGS = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader', '--enable-features=Vulkan'];
const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.glb': 'model/gltf-binary',
  '.woff2': 'font/woff2',
};

export interface Site {
  /** Folder served at /. Default: the checkout. */
  folder?: string;
  /** Whether pages are cross-origin isolated. Default true. */
  isIsolated?: boolean;
  /** Content-Security-Policy of pages. */
  policy?: string;
  /** Files that the server reports as missing. */
  missing?: RegExp;
  /** Contents of files that are not in the folder, by path. */
  made?: Record<string, string | Uint8Array>;
  /**
   * Another site, such as a CDN. Requests to it are answered with files of the checkout. `fileAt` maps a path
   * on that site to a path in the checkout.
   */
  other?: { address: string; fileAt(path: string): string };
  /** Whether the browser has WebGPU. Default false. */
  hasGpu?: boolean;
  /** Options of the browser: size, theme, whether service workers may run. */
  context?: BrowserContextOptions;
  /** Called with the text of each POST request. */
  onPost?: (text: string) => void;
  /** Source of a script that runs in every page before the page's own scripts. */
  before?: string;
}

/** Serves a site until the server is closed. @returns the server and its address */
export async function serve({
  folder = root,
  isIsolated = true,
  policy,
  missing,
  made = {},
  onPost,
}: Site): Promise<{ server: Server; origin: string }> {
  const server = createServer((request, response) => {
    if (request.method === 'POST' && onPost) {
      void text(request).then(onPost);
      response.end();
      return;
    }
    const name = decodeURIComponent(new URL(request.url!, 'http://localhost').pathname);
    const file = path.join(folder, path.normalize(name));
    const content = made[name];
    const isPresent =
      content !== undefined ||
      (!missing?.test(name) && file.startsWith(folder) && existsSync(file) && statSync(file).isFile());
    const headers: Record<string, string> = {
      'Content-Type': types[path.extname(name)] ?? 'application/octet-stream',
      'Cache-Control': 'no-store',
    };
    if (isIsolated)
      Object.assign(headers, {
        'Cross-Origin-Opener-Policy': 'same-origin',
        'Cross-Origin-Embedder-Policy': 'require-corp',
      });
    if (policy) headers['Content-Security-Policy'] = policy;
    response.writeHead(isPresent ? 200 : 404, headers);
    if (!isPresent) response.end();
    else if (content !== undefined) response.end(content);
    else createReadStream(file).pipe(response);
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { server, origin: `http://127.0.0.1:${(server.address() as { port: number }).port}` };
}

const browsers = new Map<boolean, Promise<Browser>>();

export async function openBrowser(hasGpu = false): Promise<Browser> {
  if (!browsers.has(hasGpu))
    browsers.set(
      hasGpu,
      chromium.launch({
        executablePath: chromiumPath!,
        headless: true,
        timeout: 0,
        args: hasGpu ? [...FLAGS, ...GPU_FLAGS] : FLAGS,
      }),
    );
  return browsers.get(hasGpu)!;
}

export async function closeBrowser(): Promise<void> {
  for (const browser of browsers.values()) await (await browser).close();
  browsers.clear();
}

/** Registers a test that needs Chromium. */
export const pageTest = tiered((test, name, run: () => Promise<void>) =>
  chromiumPath ? test(name, run) : test.skip(name, 'Chromium is missing'),
);

export interface OpenPage {
  page: Page;
  /** Errors that the page wrote to its console. */
  errors: string[];
  /** The addresses that the page has loaded so far. */
  requests: string[];
  /** Closes the page and its server. */
  close(): Promise<void>;
}

/** Serves a site and opens one of its pages. Both stay open until `close` is called. */
export async function openPage(site: Site, address: string): Promise<OpenPage> {
  const { server, origin } = await serve(site);
  const context = await (await openBrowser(site.hasGpu)).newContext(site.context);
  const errors: string[] = [];
  const requests: string[] = [];
  async function close(): Promise<void> {
    await context.close();
    server.closeAllConnections();
    server.close();
  }
  try {
    if (site.before) await context.addInitScript(site.before);
    const { other } = site;
    if (other)
      await context.route(`${other.address}**`, route =>
        route.fulfill({
          path: path.join(root, other.fileAt(route.request().url().slice(other.address.length))),
          headers: { 'Access-Control-Allow-Origin': '*' },
        }),
      );
    const page = await context.newPage();
    page.on('request', request => requests.push(request.url()));
    // No timeout, because the test runner ends a test that hangs, and a slow machine is not an error.
    page.setDefaultTimeout(0);
    page.on('console', message => {
      if (message.type() === 'error') errors.push(message.text());
    });
    page.on('pageerror', error => errors.push(String(error)));
    await page.goto(origin + address);
    return { page, errors, requests, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Opens a page of a site, records its console errors and the addresses that it loads, and closes everything
 * when `use` is done.
 */
export async function withPage<T>(
  site: Site,
  address: string,
  use: (page: Page, errors: string[], requests: string[]) => Promise<T>,
): Promise<T> {
  const { page, errors, requests, close } = await openPage(site, address);
  try {
    return await use(page, errors, requests);
  } finally {
    await close();
  }
}

/**
 * Loads a page whose element #answer states how many threads found the result. If there are fewer than
 * `threads`, loads the page again.
 */
export const loadOn = <T extends { answer: string }>(threads: number, load: () => Promise<T>): Promise<T> =>
  untilAllThreads(load, ({ answer }) => {
    const [, count = threads] = /threads: (\d+)|(\d+) threads/.exec(answer)?.filter(Boolean) ?? [];
    return Number(count) < threads;
  });

/**
 * Waits until the text of the element #answer matches `beginning`, and returns this text. The text is tested
 * and returned by one evaluation in the page, because the page may change the text in each frame, and a
 * development server may reload the page.
 */
export async function shownAnswer(page: Page, beginning: RegExp): Promise<string> {
  const answer = await page.waitForFunction<string | false>(
    `(({ textContent }) => ${beginning}.test(textContent) && textContent)(document.querySelector('#answer'))`,
  );
  return String(await answer.jsonValue());
}
