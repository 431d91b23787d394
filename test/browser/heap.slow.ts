// Tests that repeated queries in Chromium leave nothing on the JavaScript heap. The browser itself reports
// the size of the heap after garbage collection.

import type { CDPSession } from 'playwright-core';
import * as assert from 'uvu/assert';
import { closeBrowser, pageTest, withPage } from '../support/pages.js';
import { test } from '../support/test.js';

const WARM_UP = 1500;
const QUERIES = 500;
const BLOCKS = 8;
/**
 * Maximum growth of the heap per query, in bytes, that the browser's own bookkeeping may cause. If each query
 * left one object behind, the growth would be at least 12 bytes.
 */
const MAX_BYTES = 4;
const LEAK = 'a planted leak';
const ways = ['nothing', 'all pairs', 'first hit', 'many pairs', 'box pairs', 'kept boxes', 'a scene', LEAK];

const made = {
  '/page.html':
    '<!doctype html><meta charset="utf-8"><title>pfront</title><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>',
  '/page.js': `import { createEngine } from '/dist/index.js';
import { boxCrowd, sphere, torus, tumbling } from '/dist/samples/index.js';
const engine = await createEngine({ threads: 2 });
const ball = engine.createMesh(sphere(100)), ring = engine.createMesh(torus(100));
const transformB = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.9, 0, 0, 1), options = { transformB }, any = { transformB, want: 'any' };
const many = { pairs: [{ a: ball, b: ring }, { a: ball, b: ring, transformB }] };
const move = (i) => { transformB[12] = 0.9 + (i % 64) / 640; };
const boxes = boxCrowd('uniform', 200, 3), broad = engine.createBroadPhase(), ids = Uint32Array.of(0), place = new Float32Array(6);
broad.set(boxes);
const scene = engine.createScene(), matricesOf = tumbling(10, 0.3, 3), matrices = Array.from({ length: 16 }, (_, i) => matricesOf(i));
for (let body = 0; body < 10; body++) scene.add(ball);
const kept = [];
const ways = {
  'nothing': (i) => i,
  'all pairs': (i) => { move(i); return engine.query(ball, ring, options).a.length; },
  'first hit': (i) => { move(i); return engine.query(ball, ring, any); },
  'many pairs': (i) => { move(i); return engine.queryMany(many).a.length; },
  'box pairs': () => engine.boxPairs(boxes).a.length,
  'kept boxes': (i) => {
    for (let k = 0; k < 6; k++) place[k] = boxes[k] + (i % 2);
    broad.move(ids, place);
    return broad.pairs().count + broad.began.count;
  },
  'a scene': (i) => { scene.setTransforms(matrices[i % 16]); return scene.detect().count; },
  '${LEAK}': () => kept.push({}),
};
globalThis.run = (way, queries) => { for (let i = 0; i < queries; i++) ways[way](i); };`,
};

/**
 * Collects garbage, and returns the size of the heap. Collects twice, because finalizers may run after the
 * first collection.
 */
async function usedBytes(session: CDPSession): Promise<number> {
  for (let i = 0; i < 2; i++) await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize;
}

for (const isIsolated of [true, false]) {
  pageTest(`${isIsolated ? 'isolated' : 'not isolated'}: a query leaves no object on the heap`, async () => {
    await withPage({ made, isIsolated }, '/page.html', async (page, errors) => {
      await page.waitForFunction('globalThis.run');
      const session = await page.context().newCDPSession(page);
      const kept: Record<string, number> = {};
      for (const way of ways) {
        await page.evaluate(`run('${way}', ${WARM_UP})`);
        const blocks: number[] = [];
        for (let block = 0; block < BLOCKS; block++) {
          const before = await usedBytes(session);
          await page.evaluate(`run('${way}', ${QUERIES})`);
          blocks.push(((await usedBytes(session)) - before) / QUERIES);
        }
        // A leak makes the heap grow in every block of queries; recompiled code makes it grow only in some
        // blocks. Therefore the second smallest growth is used.
        kept[way] = blocks.sort((a, b) => a - b)[1];
      }
      console.log(
        `\nheap growth in bytes per query: ${Object.entries(kept)
          .map(([way, bytes]) => `${way} ${bytes.toFixed(2)}`)
          .join(', ')}`,
      );
      assert.equal(
        Object.keys(kept).filter(way => kept[way] > MAX_BYTES),
        [LEAK],
      );
      assert.equal(errors, []);
    });
  });
}

test.after(closeBrowser);
test.run();
