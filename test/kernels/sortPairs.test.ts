// Pairs in any order -> as plain sorting has them: short lists and long ones, few bits and many, to the last bit.

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { SortJob } from '../../dist/layout.js';
import { setWords } from '../../dist/record.js';
import { createRandom } from '../../dist/scenes/random.js';
import { makeBackend } from '../support/backend.js';

const backend = await makeBackend();
const { arena, pool } = backend;
const MOST = 3000, ROOM = 64;
const [aAt, bAt, spareAAt, spareBAt] = Array.from({ length: 4 }, () => arena.allocate(4 * MOST + ROOM)) as [number, number, number, number];
const jobAt = arena.allocate(SortJob.size), histogramAt = arena.allocate(1024);
const GUARD = 0xdeadbeef;

test('all lengths around sixteens and both methods, from one bit to 32 a side', () => {
  const random = createRandom(3);
  const lengths = [0, 1, 2, 3, 15, 16, 17, 31, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 300, 1000, MOST];
  for (const [bitsA, bitsB] of [[1, 1], [4, 7], [10, 10], [1, 30], [30, 1], [15, 16], [16, 16], [17, 17], [32, 32], [8, 24]] as const) {
    for (const wanted of lengths) {
      const [mostA, mostB] = [2 ** bitsA, 2 ** bitsB];
      const pairs = new Map<string, [number, number]>();
      // The greatest numbers and the least are among them.
      const add = (a: number, b: number): void => { if (pairs.size < wanted) pairs.set(`${a},${b}`, [a, b]); };
      for (const a of [mostA - 1, 0]) for (const b of [mostB - 1, 0]) add(a, b);
      for (let i = 0; i < 4 * wanted; i++) add(random.below(mostA), random.below(mostB));
      const list = [...pairs.values()], count = list.length;
      arena.u32.fill(GUARD, aAt / 4, aAt / 4 + MOST);
      arena.u32.fill(GUARD, bAt / 4, bAt / 4 + MOST);
      list.forEach(([a, b], i) => { arena.u32[aAt / 4 + i] = a; arena.u32[bAt / 4 + i] = b; });
      setWords(arena.u32, jobAt, SortJob, { aAt, bAt, count, spareAAt, spareBAt, histogramAt, bitsA, bitsB });
      pool.kernels.sortPairs(jobAt, 0, 1);
      list.sort((left, right) => left[0] - right[0] || left[1] - right[1]);
      const what = `${count} pairs of ${bitsA} and ${bitsB} bits`;
      assert.equal([...arena.u32.subarray(aAt / 4, aAt / 4 + count)], list.map(([a]) => a), what);
      assert.equal([...arena.u32.subarray(bAt / 4, bAt / 4 + count)], list.map(([, b]) => b), what);
      for (const at of [aAt, bAt]) assert.ok(arena.u32.subarray(at / 4 + count, at / 4 + MOST).every((word) => word === GUARD), `${what}: nothing beyond`);
    }
  }
});

test.after(() => backend.close());
test.run();
