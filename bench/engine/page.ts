// Measures two times of a web page in Chromium: the time from the start of the page's script until the first
// pairs of two bunnies are found (with a new browser profile, and after a reload), and the time for which the
// page's main thread waits for its workers in each query.

import { chromiumPath, closeBrowser, withPage } from '../../test/support/pages.js';
import { loadMesh } from '../support/meshes.js';
import { isQuick, Report } from '../support/report.js';
import { summarize } from '../support/statistics.js';

const PAGES = isQuick ? 2 : 10;
const QUERIES = isQuick ? 50 : 1000;
const bunny = (await loadMesh('bunny'))!;
const { positions, indices } = bunny.data;
const x = [...positions].filter((_, i) => i % 3 === 0);
const width = x.reduce((a, b) => Math.max(a, b)) - x.reduce((a, b) => Math.min(a, b));
const report = new Report('page', undefined, ['playwright-core']);

const script = `const shift = ${0.5 * width};
const startedAt = performance.now();
const { createEngine } = await import('/dist/pfront.js');
const bytes = async (path) => (await fetch(path)).arrayBuffer();
const positions = new Float32Array(await bytes('/positions.bin')), indices = new Uint32Array(await bytes('/indices.bin'));
const fetchedAt = performance.now();
const engine = await createEngine({ threads: 2 });
const a = engine.createMesh({ positions, indices }), b = engine.createMesh({ positions, indices });
const transformB = Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, shift, 0, 0, 1);
const { count } = engine.query(a, b, { transformB });
globalThis.first = { milliseconds: performance.now() - startedAt, fetched: fetchedAt - startedAt, count, threads: engine.info.threads };
// How long the main thread waits for the others after its own share is done.
globalThis.spins = (queries) => {
  const { pool } = engine.context, waits = [];
  const run = pool.run.bind(pool);
  let wait = 0;
  pool.run = (kernel, jobAt, sliceCount) => {
    const beganAt = performance.now(), isWhole = run(kernel, jobAt, sliceCount);
    wait += Math.max(0, performance.now() - beganAt - pool.shareMilliseconds[0]);
    return isWhole;
  };
  for (let i = 0; i < queries; i++) {
    wait = 0;
    transformB[12] = shift * (1 + (i % 64) / 64);
    engine.query(a, b, { transformB });
    waits.push(wait);
  }
  return waits;
};`;
const made = {
  '/page.html':
    '<!doctype html><meta charset="utf-8"><title>bench</title><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>',
  '/page.js': script,
  '/positions.bin': new Uint8Array(positions.buffer, positions.byteOffset, positions.byteLength),
  '/indices.bin': new Uint8Array(indices.buffer, indices.byteOffset, indices.byteLength),
};

interface First {
  milliseconds: number;
  fetched: number;
  count: number;
  threads: number;
}

if (!chromiumPath) throw new Error('Chromium is missing: install it (Debian: apt-get install chromium)');
for (const isIsolated of [true, false]) {
  const variant = isIsolated ? 'isolated' : 'not isolated';
  const cold: First[] = [];
  const warm: First[] = [];
  let waits: number[] = [];
  for (let i = 0; i < PAGES; i++) {
    await withPage({ made, isIsolated }, '/page.html', async page => {
      const read = async (): Promise<First> => {
        await page.waitForFunction('globalThis.first');
        return page.evaluate<First>('first');
      };
      cold.push(await read());
      await page.reload();
      warm.push(await read());
      if (isIsolated && i === PAGES - 1) waits = await page.evaluate<number[]>(`spins(${QUERIES})`);
    });
  }
  const [{ count, threads }] = cold;
  for (const [what, runs] of [
    ['a new browser profile', cold],
    ['loaded again', warm],
  ] as const) {
    report.add({
      scene: bunny.name,
      measure: `script start to first pairs, ${what}`,
      variant,
      unit: 'ms',
      ...summarize(Float64Array.from(runs, ({ milliseconds }) => milliseconds)),
      note: `${threads} threads, ${count} pairs; including ${summarize(Float64Array.from(runs, ({ fetched }) => fetched)).median.toFixed(0)} ms for loading`,
    });
  }
  if (waits.length > 0) {
    const all = summarize(Float64Array.from(waits));
    report.add({
      scene: bunny.name,
      measure: 'main thread waits for workers, per query',
      variant,
      unit: 'ms',
      ...all,
      note: `longest of ${QUERIES}: ${all.max?.toFixed(2)} ms`,
    });
  }
}
await closeBrowser();
report.save();
