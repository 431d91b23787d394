// Tests the kernel `sortPairs`, which sorts lists of triangle pairs. The result must equal that of a plain
// sort, for short and long lists, and for triangle indices of few or many bits.

import * as assert from 'uvu/assert';
import { limits, MeshRecord, PairRecord, SortJob } from '../../dist/records/layout.js';
import { setWords } from '../../dist/records/record.js';
import { createRandom, type Random } from '../../dist/samples/random.js';
import { test } from '../support/test.js';
import { makeTestContext } from '../support/testContext.js';

const backend = await makeTestContext(3);
const { arena, pool } = backend;
const MAX_LENGTH = 3000;
const SPARE_BYTES = limits.SORT_TABLE_BYTES + 2 * 64 * 200;
const GUARD = 0xdeadbeef;

// Makes at most `expected` distinct pairs (a, b) with a < maxA and b < maxB. The pairs of the smallest and
// largest values come first.
function listOf(random: Random, expected: number, maxA: number, maxB: number): [number, number][] {
  const pairs = new Map<string, [number, number]>();
  const add = (a: number, b: number): void => {
    if (pairs.size < expected) pairs.set(`${a},${b}`, [a, b]);
  };
  for (const a of [maxA - 1, 0]) for (const b of [maxB - 1, 0]) add(a, b);
  for (let i = 0; i < 4 * expected; i++) add(random.below(maxA), random.below(maxB));
  return [...pairs.values()];
}

// Concatenates lists of pairs, sorts each list with the kernel in `sliceCount` slices, and returns the sorted
// lists. counts: the number of triangles of each mesh. isSwapped: whether the two meshes are exchanged in the
// records of the mesh pairs.
function sorted(
  lists: readonly [number, number][][],
  counts: readonly [number, number],
  isSwapped: boolean,
  sliceCount: number,
): [number, number][][] {
  const total = lists.reduce((sum, { length }) => sum + length, 0);
  const pairCount = lists.length;
  const blocks: number[] = [];
  const take = (bytes: number): number => {
    const at = arena.allocate(bytes);
    blocks.push(at);
    return at;
  };
  const [aAt, bAt, offsetsAt, swappedAt, pairsAt, spareAt, jobAt] = [
    4 * total + 64,
    4 * total + 64,
    4 * pairCount + 4,
    pairCount + 1,
    (pairCount + 1) * PairRecord.size,
    sliceCount * SPARE_BYTES,
    SortJob.size,
  ].map(take);
  const meshes = counts.map(triangleCount => {
    const at = take(MeshRecord.size);
    setWords(arena.u32, at, MeshRecord, { triangleCount });
    return at;
  });
  for (const at of [aAt, bAt]) arena.u32.fill(GUARD, at / 4, at / 4 + total + 16);
  const starts = [0];
  lists.forEach((list, i) => {
    const from = starts[i];
    list.forEach(([a, b], k) => {
      arena.u32[aAt / 4 + from + k] = a;
      arena.u32[bAt / 4 + from + k] = b;
    });
    setWords(arena.u32, pairsAt + i * PairRecord.size, PairRecord, {
      meshA: meshes[isSwapped ? 1 : 0],
      meshB: meshes[isSwapped ? 0 : 1],
    });
    starts.push(from + list.length);
  });
  arena.u32.set(starts, offsetsAt / 4);
  arena.u8.fill(isSwapped ? 1 : 0, swappedAt, swappedAt + pairCount);
  setWords(arena.u32, jobAt, SortJob, {
    aAt,
    bAt,
    offsetsAt,
    swappedAt,
    pairsAt,
    pairCount,
    sliceCount,
    spareAt,
    spareBytes: SPARE_BYTES,
  });
  assert.ok(pool.run('sortPairs', jobAt, sliceCount));
  for (const at of [aAt, bAt])
    assert.ok(
      arena.u32.subarray(at / 4 + total, at / 4 + total + 16).every(word => word === GUARD),
      'nothing is written beyond the lists',
    );
  const found = lists.map((list, i) =>
    list.map((_, k): [number, number] => [
      arena.u32[aAt / 4 + starts[i] + k],
      arena.u32[bAt / 4 + starts[i] + k],
    ]),
  );
  for (const at of blocks) arena.release(at);
  return found;
}

const plainly = (list: readonly [number, number][]): [number, number][] =>
  [...list].sort((left, right) => left[0] - right[0] || left[1] - right[1]);

test('lists of 0 to 3,000 pairs are sorted, by rank or by radix sort, for triangle indices of 1 to 31 bits', () => {
  const random = createRandom(3);
  const lengths = [
    0,
    1,
    2,
    3,
    15,
    16,
    17,
    31,
    33,
    63,
    64,
    65,
    127,
    128,
    129,
    255,
    256,
    257,
    300,
    1000,
    MAX_LENGTH,
  ];
  for (const [bitsA, bitsB] of [
    [1, 1],
    [4, 7],
    [10, 10],
    [1, 30],
    [30, 1],
    [15, 16],
    [16, 16],
    [17, 17],
    [31, 31],
    [8, 24],
  ] as const) {
    const lists = lengths.map(expected => listOf(random, expected, 2 ** bitsA, 2 ** bitsB));
    for (const sliceCount of [1, 2, 3]) {
      const found = sorted(lists, [2 ** bitsA, 2 ** bitsB], sliceCount === 2, sliceCount);
      lists.forEach((list, i) =>
        assert.equal(
          found[i],
          plainly(list),
          `${list.length} pairs of ${bitsA} and ${bitsB} bits, ${sliceCount} slices`,
        ),
      );
    }
  }
});

test('many lists of random lengths, some of them empty, are sorted on all threads', () => {
  const random = createRandom(8);
  for (let iteration = 0; iteration < 40; iteration++) {
    const lists = Array.from({ length: random.below(60) }, () =>
      random.below(4) === 0 ? [] : listOf(random, random.below(300), 700, 900),
    );
    const found = sorted(lists, [700, 900], iteration % 2 === 1, 1 + (iteration % 3));
    assert.equal(found, lists.map(plainly));
  }
});

test.after(() => backend.close());
test.run();
