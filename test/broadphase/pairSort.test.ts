// Tests PairSort, which joins lists of pairs and sorts all pairs, in any number of slices. The result must
// equal that of a plain sort. Slices must write similar numbers of pairs, even if a few boxes have most of
// the pairs.

import * as assert from 'uvu/assert';
import { type PairList, PairSort } from '../../dist/broadphase/pairSort.js';
import { PairSortJob } from '../../dist/records/boxLayout.js';
import { limits } from '../../dist/records/layout.js';
import type { EngineContext } from '../../dist/runtime/engineContext.js';
import { createRandom, type Random } from '../../dist/samples/random.js';
import { overriding } from '../support/overriding.js';
import { test } from '../support/test.js';
import { makeTestContext } from '../support/testContext.js';

const own = await makeTestContext();
const { arena, pool } = own;

// Returns a context that reports `threadCount` threads, but runs all slices on this thread. shares: an array
// that receives, for each slice of the last sort, the number of pairs that the slice wrote.
function inSlices(threadCount: number, shares: number[]): EngineContext {
  const run: typeof pool.run = (kernel, jobAt, sliceCount) => {
    if (kernel !== 'sortBuckets') return pool.run(kernel, jobAt, sliceCount);
    const { u32 } = arena;
    const at = jobAt / 4;
    const list = u32[at + PairSortJob.at.aAt / 4] / 4;
    const buckets = u32[at + PairSortJob.at.bucketsAt / 4] / 4;
    const written = u32.subarray(list, list + u32[buckets + u32[at + PairSortJob.at.bucketCount / 4]]);
    for (let slice = 0; slice < sliceCount; slice++) {
      const before = written.slice().fill(limits.NOTHING);
      written.set(before);
      pool.kernels.sortBuckets(jobAt, slice, slice + 1);
      shares[slice] = written.reduce((count, a) => count + Number(a !== limits.NOTHING), 0);
    }
    return pool.run(kernel, jobAt, sliceCount);
  };
  return { ...own, pool: overriding(pool, { threadCount, run }) };
}

function store(pairs: readonly (readonly [number, number])[]): PairList {
  const aAt = arena.allocate(4 * pairs.length + 4);
  const bAt = arena.allocate(4 * pairs.length + 4);
  pairs.forEach(([a, b], i) => {
    arena.u32[aAt / 4 + i] = a;
    arena.u32[bAt / 4 + i] = b;
  });
  return { aAt, bAt, count: pairs.length };
}

// Makes distinct pairs with a < b. As in the pairs of a set of boxes, most of them have a low `a`.
function skewed(random: Random, count: number, boxes: number): [number, number][] {
  const found = new Set<number>();
  while (found.size < count) {
    const a = Math.floor((boxes - 1) * random.between(0, 1) ** 2);
    const b = a + 1 + random.below(boxes - 1 - a);
    found.add(a * boxes + b);
  }
  return [...found].map(key => [Math.floor(key / boxes), key % boxes]);
}

function check(lists: readonly (readonly [number, number])[][], boxes: number, threads: number): number[] {
  const shares: number[] = [];
  const sort = new PairSort(inSlices(threads, shares));
  const stored = lists.map(store);
  const { aAt, bAt, count } = sort.sort(stored, boxes, boxes);
  const { u32 } = arena;
  const expected = lists.flat().sort((left, right) => left[0] - right[0] || left[1] - right[1]);
  assert.is(count, expected.length);
  assert.ok(
    expected.every(([a, b], i) => u32[aAt / 4 + i] === a && u32[bAt / 4 + i] === b),
    `${count} pairs of ${boxes} boxes, ${threads} slices`,
  );
  sort.dispose();
  for (const { aAt: a, bAt: b } of stored) for (const at of [a, b]) arena.release(at);
  return shares;
}

test('lists of 0 to 40,000 pairs, of few or very many boxes, are sorted', () => {
  const random = createRandom(4);
  for (const boxes of [2, 300, 70_000, 2 ** 26]) {
    for (const wanted of [0, 1, 2, 255, 257, 9000, 40_000]) {
      const count = Math.min(wanted, (boxes * (boxes - 1)) / 2);
      const pairs = skewed(random, count, boxes);
      const cut = Math.floor(count / 3);
      for (const threads of [1, 3, 16]) check([pairs.slice(0, cut), [], pairs.slice(cut)], boxes, threads);
    }
  }
});

test('slices have similar numbers of pairs if the boxes with low numbers have the most pairs', () => {
  const pairs = skewed(createRandom(5), 200_000, 50_000);
  for (const threads of [2, 4, 16]) {
    const shares = check([pairs], 50_000, threads);
    const mean = pairs.length / threads;
    assert.is(shares.length, threads);
    assert.ok(Math.max(...shares) < 1.2 * mean, `${shares.join(', ')} pairs, mean ${mean}`);
  }
});

test.run();
