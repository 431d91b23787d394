// Runs `pfront clash --report` for given parts, opens the resulting page from disk in Chromium, and reads
// what the page shows.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { writeGlb } from '../../dist/cli/writeGlb.js';
import { MAIN } from '../support/commandLine.js';
import { openBrowser } from '../support/pages.js';
import { sleep, within } from '../support/within.js';

export interface ShownPart {
  name: string;
  positions: Float32Array;
  indices: Uint32Array;
  transform: Float64Array;
}

export const part = (
  name: string,
  mesh: { positions: Float32Array; indices: Uint32Array },
  transform: ArrayLike<number>,
): ShownPart => ({ name, ...mesh, transform: Float64Array.from(transform) });

const folder = mkdtempSync(join(tmpdir(), 'report-'));
process.on('exit', () => rmSync(folder, { recursive: true }));

/** Writes a file to the folder of the pages, and returns its path. */
export function writeBeside(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

/** Runs the command for these parts. @returns the path of the page, and the JSON of the same command */
export function makeReport(name: string, shown: ShownPart[], ...options: string[]) {
  const file = join(folder, `${name}.glb`);
  writeFileSync(file, writeGlb(shown));
  const classes = options.includes('--classes') ? [] : ['--classes', 'all'];
  return runReport(name, file, ...classes, ...options);
}

/** Runs the command for all animations of a glTF file. @returns the path of the page, and the JSON of the same command */
export function makeMotionReport(name: string, gltf: object, ...options: string[]) {
  const file = writeBeside(`${name}.gltf`, JSON.stringify(gltf));
  return runReport(name, file, '--animation', 'all', ...options);
}

/** Runs the command for a robot and its trajectory. @returns the path of the page, and the JSON of the same command */
export const makeRobotReport = (name: string, urdf: string, trajectory: string) =>
  runReport(
    name,
    ...['--robot', writeBeside(`${name}.urdf`, urdf)],
    ...['--trajectory', writeBeside(`${name}.csv`, trajectory)],
  );

/** Runs the command for files. @returns the path of the page, and the JSON of the same command */
export function runReport(name: string, ...args: string[]) {
  const page = join(folder, `${name}.html`);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [MAIN, 'clash', ...args, '--json', '--report', page],
    { encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  assert.is(status, 0, stderr);
  return { page, json: JSON.parse(stdout) };
}

export interface State {
  selected?: number;
  isMoving: boolean;
  hasPicture: boolean;
  drawCalls: number;
  /** Number of pictures that were drawn since the page was opened. */
  pictures: number;
  /** What is drawn of the contact of the selected clash. */
  contact: { segments: number; triangles: number; points: number };
  /** The clashes that have a marker. */
  markers: number[];
  /** Min and max corner of the section box, if it is on. */
  section?: [number[], number[]];
  /** The measured distance. */
  distance?: number;
  roles: string[];
}

/** The state of the page of a motion. `selected` is the index of a moment. */
export interface MotionState extends State {
  motion: number;
  time: number;
  isPlaying: boolean;
  /** For each part: the min and max corner of its box, at the position where the part is drawn. */
  boxes: [number[], number[]][];
}

/** Opens a page, and checks at the end that it has logged no errors and requested nothing. */
export async function withReport(
  page: string,
  use: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const context = await (await openBrowser()).newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  });
  const errors: string[] = [];
  const requests: string[] = [];
  try {
    const opened = await context.newPage();
    opened.setDefaultTimeout(0);
    opened.on('console', message => {
      if (message.type() === 'error') errors.push(message.text());
    });
    opened.on('pageerror', error => errors.push(String(error)));
    opened.on('request', request => {
      if (!/^(data|blob):/.test(request.url())) requests.push(request.url());
    });
    const url = pathToFileURL(page).href;
    await opened.goto(url);
    await opened.evaluate('pfrontReport.ready');
    await use(opened);
    // A page that is loaded again requests itself again.
    assert.equal([errors, [...new Set(requests)]], [[], [url]]);
  } finally {
    await context.close();
  }
}

export const state = (page: Page): Promise<State> => page.evaluate('pfrontReport.state()');

// Reads the page again and again, until `isSo` returns true for what was read. Returns what was read last.
async function untilRead<Read>(
  milliseconds: number,
  what: string,
  read: () => Promise<Read>,
  isSo: (read: Read) => boolean,
): Promise<Read> {
  const poll = async (): Promise<Read> => {
    for (;;) {
      const found = await read();
      if (isSo(found)) return found;
      await sleep(5);
    }
  };
  return within(milliseconds, what, poll());
}

/**
 * Waits until `isSo` returns true for the state of the page, and returns this state. The page is polled, so a
 * state that lasts only for a moment may be missed. Playwright's `waitForFunction` is not used, because it
 * would treat the promise of the state as a true value.
 */
export const untilState = <Kind extends State>(
  page: Page,
  what: string,
  isSo: (state: Kind) => boolean,
): Promise<Kind> => untilRead(20_000, what, () => state(page) as Promise<Kind>, isSo);

export const settled = (page: Page): Promise<State> =>
  untilState(page, 'a view that does not move', ({ isMoving }) => !isMoving);

/** Returns where the markers, or the points of the selected contact, are on the canvas, in pixels. */
export const places = (page: Page): Promise<{ x: number; y: number }[]> =>
  page.evaluate('pfrontReport.places()');

/** The value of `contact` in State if no contact is drawn. */
export const NO_CONTACT = { segments: 0, triangles: 0, points: 0 };

export const rows = (page: Page): Promise<string[][]> =>
  page.evaluate(
    `[...document.querySelectorAll('[data-clash]')].map((row) => [row.dataset.clash, ...[...row.children].map((cell) => cell.textContent)])`,
  );

/** Selects a clash, sets its status, and adds a comment. */
export async function review(
  page: Page,
  clash: number,
  status: string,
  author: string,
  text: string,
): Promise<void> {
  await page.click(`[data-clash="${clash}"]`);
  await page.selectOption('.review .status', status);
  await page.fill('.review .author', author);
  await page.fill('.review .comment', text);
  await page.click('.review .add');
}

/** Returns what the table shows as the class of a clash, with its status and number of comments. */
export const kindOf = async (page: Page, clash: number): Promise<string> =>
  (await rows(page)).find(([number]) => number === `${clash}`)![3]!;

/**
 * Waits until the table shows `expected` as the class of a clash. A page that was just loaded may not have its
 * rows yet, and another process of the browser may deliver stored reviews to it a moment later.
 */
export async function untilKind(page: Page, clash: number, expected: string | RegExp): Promise<void> {
  let shown: string | undefined;
  const isExpected = (all: string[][]): boolean => {
    shown = all.find(([number]) => number === `${clash}`)?.[3];
    return typeof expected === 'string' ? shown === expected : expected.test(shown ?? '');
  };
  await untilRead(1000, `the class ${expected} of clash ${clash}`, () => rows(page), isExpected).catch(
    (error: unknown) => {
      throw new Error(`clash ${clash} is shown as ${shown}`, { cause: error });
    },
  );
}

/**
 * Takes a picture of the 3D view. @returns its number of colors, its number of highlighted (red) pixels, its
 * number of pixels of the light background, and a hash of its pixels
 */
export async function lookAt(
  page: Page,
): Promise<{ colors: number; red: number; empty: number; hash: number }> {
  const png = (await page.locator('#canvas').screenshot({ animations: 'disabled' })).toString('base64');
  return page.evaluate(async bytes => {
    const image = new Image();
    image.src = `data:image/png;base64,${bytes}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.width;
    canvas.height = image.height;
    const pen = canvas.getContext('2d')!;
    pen.drawImage(image, 0, 0);
    const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
    const colors = new Set<number>();
    let red = 0;
    let empty = 0;
    let hash = 0;
    for (let at = 0; at < data.length; at += 4) {
      const [r, g, b] = [data[at], data[at + 1], data[at + 2]];
      colors.add((r << 16) | (g << 8) | b);
      if (r > 150 && g < 90 && b < 110) red++;
      if (r === 238 && g === 240 && b === 243) empty++;
      hash = (Math.imul(hash, 31) + r + 7 * g + 49 * b) | 0;
    }
    return { colors: colors.size, red, empty, hash };
  }, png);
}
