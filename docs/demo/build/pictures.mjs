// `npm run pictures`: writes the pictures of the README and of the guides. Headless Chromium takes
// screenshots of the demo pages, of pages that only exist for their pictures, and of HTML reports. Each
// argument is the name of a page, or `report`, or `motion`. With arguments, writes only their still pictures.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { argv, env } from 'node:process';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { pathOf } from '../../../bindings/build/paths.mjs';
import { build, install } from '../../../bindings/build/setUp.mjs';
import { buildPicturePages } from './picturePages.mjs';
import { clashPictures, motionPicture } from './reportPictures.mjs';
import { serve } from './serve.mjs';

const SIZE = { width: 720, height: 405 };
const FRAMES_A_SECOND = 12;
/**
 * The shots of the animation: one for each page that it shows. seconds: duration. speed: factor by which the
 * motion is faster than on the page. zoom: factor by which the page is larger than the picture, which is cut
 * out of the page. below: distance of the picture's center below the center of the page, as a fraction of the
 * page's height.
 */
const SHOTS = [
  { page: 'gears', seconds: 2.5, speed: 1, zoom: 1.06, below: 0.05 },
  { page: 'index', seconds: 3.5, speed: 1.2, zoom: 1.15, below: 0.07 },
];
/**
 * The still pictures of the guides. seconds: time on the page's clock at which the picture is taken. name:
 * name of the picture file, if it differs from the name of the page.
 */
const STILLS = [
  { page: 'gears', seconds: 2 },
  { page: 'scans', seconds: 3 },
  { page: 'bodies', seconds: 2 },
  { page: 'cloth', seconds: 4 },
  { page: 'bullets', seconds: 2 },
  { page: 'measures', seconds: 2 },
  { page: 'measures', seconds: 14, name: 'distance' },
  { page: 'cluster', seconds: 3 },
  { page: 'poses', seconds: 0.5 },
  { page: 'babylon', seconds: 0.5 },
  { page: 'react-three-fiber', seconds: 0.5 },
];
const MAX_ANIMATION_BYTES = 1.5e6;
const MAX_STILL_BYTES = 200e3;

const FLAGS = ['--no-sandbox', '--disable-gpu', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];

// Code that runs in the page before its own scripts. It replaces requestAnimationFrame, so that a frame runs
// only when pictures.mjs calls `runFrame`. It also makes the page detect a GPU, so that the page renders in
// full resolution.
const CLOCK = `{
  const waiting = [];
  let time = 0;
  globalThis.requestAnimationFrame = callback => waiting.push(callback);
  globalThis.runFrame = milliseconds => {
    time += milliseconds;
    for (const callback of waiting.splice(0)) callback(time);
  };
  const get = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, options) {
    return get.call(this, kind, { ...options, failIfMajorPerformanceCaveat: false, preserveDrawingBuffer: true });
  };
  const read = WebGL2RenderingContext.prototype.getParameter;
  WebGL2RenderingContext.prototype.getParameter = function (name) {
    return name === 37446 ? 'a GPU' : read.call(this, name);
  };
}`;
const STYLE =
  'body, main { display: block !important; } .bar, .panel, .status, .view-tools { display: none !important; } .view { height: 100vh !important; }';

/** Runs a page of the demo for `seconds`, and returns a picture of each frame as PNG. */
async function framesOf(browser, address, { page: name, seconds, speed = 1, zoom = 1, below = 0 }) {
  const [width, height] = [SIZE.width, SIZE.height].map(length => Math.round(length * zoom));
  const clip = {
    ...SIZE,
    x: (width - SIZE.width) / 2,
    y: Math.min(height - SIZE.height, (height - SIZE.height) / 2 + below * height),
  };
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: 2,
    colorScheme: 'light',
  });
  await context.addInitScript(CLOCK);
  const page = await context.newPage();
  page.on('pageerror', error => console.error(String(error)));
  await page.goto(`${address}${name === 'index' ? '' : `${name}.html`}`);
  await page.addStyleTag({ content: STYLE });
  const run = milliseconds => page.evaluate(`runFrame(${milliseconds})`);
  const isReady = "!document.getElementById('status').textContent.startsWith('Starting')";
  await page.waitForFunction(isReady, undefined, { polling: 50 });
  // Runs a few frames first, so that the view has its final size and the first contacts are found.
  for (let frame = 0; frame < 5; frame++) {
    await run(1);
    await page.waitForTimeout(50);
  }
  const frames = [];
  for (let frame = 0; frame < Math.round(seconds * FRAMES_A_SECOND); frame++) {
    // A page lowers its resolution after several slow frames in a row. A short frame before each long frame
    // prevents this.
    await run(1);
    await run(Math.min(99, (1000 * speed) / FRAMES_A_SECOND));
    const picture = await page.screenshot({ clip });
    frames.push(await sharp(picture).resize(SIZE.width, SIZE.height).png().toBuffer());
  }
  await context.close();
  return frames;
}

/**
 * Writes frames as an animated WebP that repeats forever. Uses the highest quality, from 80 down to 30, at
 * which the file has at most MAX_ANIMATION_BYTES.
 */
async function writeAnimation(file, frames) {
  for (let quality = 80; quality >= 30; quality -= 5) {
    const bytes = await sharp(frames, { join: { animated: true } })
      .webp({ quality, effort: 4, delay: frames.map(() => Math.round(1000 / FRAMES_A_SECOND)), loop: 0 })
      .toBuffer();
    if (bytes.length > MAX_ANIMATION_BYTES) continue;
    writeFileSync(file, bytes);
    console.log(
      `${file}: ${frames.length} frames, quality ${quality}, ${(bytes.length / 1e6).toFixed(2)} MB`,
    );
    return;
  }
  throw new Error(`${file} is larger than ${MAX_ANIMATION_BYTES} bytes`);
}

/** Runs a page of the demo for `shot.seconds`, and writes its last frame as a still picture. */
async function writeStill(browser, address, shot) {
  await writePicture(shot.name ?? shot.page, (await framesOf(browser, address, shot)).at(-1));
}

async function writePicture(name, picture) {
  const file = pathOf(`docs/pictures/${name}.webp`);
  const bytes = await sharp(picture).webp({ quality: 85 }).toBuffer();
  if (bytes.length > MAX_STILL_BYTES) throw new Error(`${file} is larger than ${MAX_STILL_BYTES} bytes`);
  writeFileSync(file, bytes);
  console.log(`${file}: ${(bytes.length / 1e3).toFixed(0)} kB`);
}

install();
build();
const { buildPages } = await import('./site.mjs');
const folder = mkdtempSync(path.join(tmpdir(), 'pfront-pictures-'));
const pages = argv.slice(2);
const isWanted = name => pages.length === 0 || pages.includes(name);
const stills = STILLS.filter(({ page }) => isWanted(page));
const executablePath = [env.CHROMIUM ?? '', '/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync);
const browser = await chromium.launch({ executablePath, args: FLAGS });
try {
  const site = await buildPages(path.join(folder, 'demo'));
  await buildPicturePages(site);
  const { address, close } = await serve(site, 0);
  for (const shot of stills) await writeStill(browser, address, shot);
  if (pages.length === 0) {
    const frames = [];
    for (const shot of SHOTS) frames.push(...(await framesOf(browser, address, shot)));
    await writeAnimation(pathOf('docs/pictures/pfront.webp'), frames);
  }
  if (isWanted('report')) {
    const { overview, selected } = await clashPictures(browser, folder);
    await writePicture('clash-report', overview);
    await writePicture('clash-selected', selected);
  }
  if (isWanted('motion')) await writePicture('moving-parts', await motionPicture(browser, folder));
  close();
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
