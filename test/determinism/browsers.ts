// Starts the installed Firefox and WebKitGTK without Playwright, which can drive only its own builds of these
// browsers. Each browser opens a page, and the page sends its results to a local server.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { type Site, serve } from '../support/pages.js';
import { within } from '../support/within.js';
import { LAVAPIPE, lavapipeEnvironment } from './programs.js';

export interface Browser {
  name: string;
  /** Programs that must be installed. */
  programs: readonly string[];
  /** Number of threads that an engine in this browser has if three are requested. */
  threads: number;
  /** Whether the queries run on the browser's GPU. */
  hasGpu: boolean;
  /** Whether the browser's WebAssembly sometimes traps in correct code: see docs/determinism.md. */
  mayTrap: boolean;
  /** Opens a page. `folder` is empty and may be written to. */
  open(address: string, folder: string): Promise<OpenBrowser>;
}

interface OpenBrowser {
  version: string;
  end(): Promise<void>;
}

const FIREFOX = '/usr/bin/firefox-esr';

async function openFirefox(address: string, folder: string, hasGpu = false): Promise<OpenBrowser> {
  // Turns off first-run pages. Each run ends by SIGKILL, so the settings also turn off the dialog that would
  // report a crash of the previous run.
  const settings = {
    'browser.shell.checkDefaultBrowser': false,
    'browser.sessionstore.resume_from_crash': false,
    'datareporting.policy.dataSubmissionEnabled': false,
    'toolkit.startup.max_resumed_crashes': -1,
    // Without the first setting, pages of Firefox for Linux have no WebGPU. The second one allows all
    // drivers.
    ...(hasGpu ? { 'dom.webgpu.enabled': true, 'gfx.webgpu.ignore-blocklist': true } : {}),
  };
  writeFileSync(
    path.join(folder, 'user.js'),
    Object.entries(settings)
      .map(([name, value]) => `user_pref('${name}', ${value});\n`)
      .join(''),
  );
  const words = ['--headless', '--no-remote', '--profile', folder, address];
  const { stdout } = spawnSync(FIREFOX, ['--version'], { encoding: 'utf8' });
  const env = hasGpu ? lavapipeEnvironment : process.env;
  const firefox = spawn(FIREFOX, words, { stdio: 'ignore', env });
  const end = async (): Promise<void> => {
    firefox.kill('SIGKILL');
    // Waits until Firefox has ended: until then, it may write to its folder, so the folder cannot be deleted.
    if (firefox.exitCode === null && firefox.signalCode === null) await once(firefox, 'exit');
  };
  return { version: /\d+\.[\d.]*\d/.exec(stdout)?.[0] ?? '', end };
}

interface Session {
  value: { sessionId: string; capabilities: { browserVersion: string } };
}

const MINI_BROWSER = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';

/** Starts Xvfb, a virtual display. @returns the name of the display and the process of Xvfb */
async function openDisplay(): Promise<{ display: string; xvfb: ChildProcess }> {
  // Xvfb chooses a free display number and writes this number to the pipe.
  const xvfb = spawn('/usr/bin/Xvfb', ['-displayfd', '3', '-screen', '0', '800x600x24'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [line] = await once(xvfb.stdio[3] as Readable, 'data');
  return { display: `:${String(line).trim()}`, xvfb };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

async function openWebKit(address: string): Promise<OpenBrowser> {
  const { display, xvfb } = await openDisplay();
  const port = await freePort();
  const driver = spawn('/usr/bin/WebKitWebDriver', [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: display, WEBKIT_DISABLE_COMPOSITING_MODE: '1' },
  });
  const send = async (words: string, body?: object): Promise<Session> => {
    const answer = await fetch(`http://127.0.0.1:${port}/${words}`, {
      method: body ? 'POST' : 'DELETE',
      body: body && JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${words}: ${await answer.text()}`);
    return answer.json();
  };
  let session = '';
  const endAll = async (): Promise<void> => {
    // Deletes the session, which ends the browser. If the driver has already ended, this request fails.
    if (session) await send(session).catch(() => undefined);
    driver.kill();
    xvfb.kill();
  };
  const options = { binary: MINI_BROWSER, args: ['--automation'] };
  const wanted = { capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } } };
  for (let tries = 0; ; tries++) {
    try {
      const { value } = await send('session', wanted);
      session = `session/${value.sessionId}`;
      await send(`${session}/url`, { url: address });
      return { version: value.capabilities.browserVersion, end: endAll };
    } catch (error) {
      // The driver takes a moment to start.
      if (session || tries === 100) {
        await endAll();
        throw error;
      }
      await pause(100);
    }
  }
}

export const browsers: readonly Browser[] = [
  {
    name: 'Firefox',
    programs: [FIREFOX],
    threads: 3,
    hasGpu: false,
    mayTrap: false,
    open: openFirefox,
  },
  {
    name: 'GPU: wgpu in Firefox, lavapipe',
    programs: [FIREFOX, LAVAPIPE],
    threads: 3,
    hasGpu: true,
    mayTrap: false,
    open: (address, folder) => openFirefox(address, folder, true),
  },
  {
    name: 'WebKit (WebKitGTK)',
    programs: ['/usr/bin/WebKitWebDriver', MINI_BROWSER, '/usr/bin/Xvfb'],
    // In WebKitGTK, pages are not cross-origin isolated, although they have the isolation headers. So memory
    // cannot be shared with workers.
    threads: 1,
    hasGpu: false,
    mayTrap: true,
    open: openWebKit,
  },
];

export const isInstalled = ({ programs }: Browser): boolean => programs.every(file => existsSync(file));

/**
 * Opens a page of a site in a browser. @returns the text that the page sends by POST, and the browser's
 * version
 */
export async function textFrom(
  browser: Browser,
  site: Site,
  address: string,
): Promise<{ text: string; version: string }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'pfront-browser-'));
  let onText = (_: string): void => {};
  const text = new Promise<string>(resolve => {
    onText = resolve;
  });
  const { server, origin } = await serve({ ...site, onPost: onText });
  const { version, end: endBrowser } = await browser.open(origin + address, folder);
  try {
    return { text: await within(30_000, `receiving the results of ${browser.name}`, text), version };
  } finally {
    await endBrowser();
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
