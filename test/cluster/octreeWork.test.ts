// Tests, in one process, the computation with which the nodes of a cluster find box pairs. The boxes are
// split into subsets, and each subset gives a sorted list of octants. Pairs are found either from the merged
// lists or separately in each range of octants. Both ways must give exactly the pairs that the engine finds.

import * as assert from 'uvu/assert';
import { mergePairs } from '../../dist/broadphase/incremental/mergePairs.js';
import { decodeList, encodeList, type KeyedList } from '../../dist/cluster/octree/listEncoding.js';
import { boxesOfRange, OctreeComputation } from '../../dist/cluster/octree/octreeComputation.js';
import { type OctantRange, sampleList, splitRanges } from '../../dist/cluster/octree/ranges.js';
import { createEngine } from '../../dist/index.js';
import { sphereBoxes } from '../../dist/samples/index.js';
import { createRandom } from '../../dist/samples/random.js';
import { boxScene } from '../support/boxScenes.js';
import { hashPairRows } from '../support/hash.js';
import { test } from '../support/test.js';
import { octreeScenes } from './octreeScenes.js';

const engine = await createEngine({ threads: 1 });
const work = new OctreeComputation(engine);
test.after(() => engine.dispose());

const expected = (boxes: Float32Array) => {
  const { a, b } = engine.boxPairs(boxes, { method: 'octree' }).copy();
  return { count: a.length, hash: hashPairRows(a, b) };
};
const subsetsOf = (boxes: Float32Array, count: number) =>
  Array.from({ length: count }, (_, subset) => {
    const n = boxes.length / 6;
    const first = Math.floor((subset * n) / count);
    return { first, boxes: boxes.slice(6 * first, 6 * Math.floor(((subset + 1) * n) / count)) };
  });

function listsOf(boxes: Float32Array, subsetCount: number) {
  const subsets = subsetsOf(boxes, subsetCount);
  const statistics = subsets.map(subset => work.statistics(subset.boxes));
  const bound = (pick: (...values: number[]) => number, side: 'low' | 'high') =>
    [0, 1, 2].map(axis => pick(...statistics.map(statistics => statistics[side][axis])));
  const grid = { low: bound(Math.min, 'low'), high: bound(Math.max, 'high') };
  return { subsets, grid, lists: subsets.map(subset => work.listOctants(subset.boxes, grid, subset.first)) };
}

function pairsByRanges(
  boxes: Float32Array,
  subsetCount: number,
  rangeCount: number,
  ranges?: OctantRange[],
  worker = work,
) {
  const { subsets, grid, lists } = listsOf(boxes, subsetCount);
  const count = boxes.length / 6;
  const samples = lists.map(list => ({ ...sampleList(list, 64), each: list.keys.length / 64 }));
  const found = (ranges ?? splitRanges(samples, rangeCount)).flatMap(range => {
    const given = subsets.map((subset, i) =>
      boxesOfRange(lists[i], subset.boxes, subset.first, range, new Uint8Array(subset.boxes.length / 6)),
    );
    return worker.findRangePairs(given, range, grid, count).lists;
  });
  const { a, b } = mergePairs(found);
  return { count: a.length, hash: hashPairRows(a, b) };
}

function pairsByTree(boxes: Float32Array, subsetCount: number) {
  const { subsets, grid, lists } = listsOf(boxes, subsetCount);
  const { a, b } = mergePairs(
    work.findAllPairs(
      subsets.map(subset => subset.boxes),
      lists,
      grid,
    ).lists,
  );
  return { count: a.length, hash: hashPairRows(a, b) };
}

for (const [name, boxes] of Object.entries(octreeScenes)) {
  test(`${name}: any number of subsets and ranges gives the same bytes as the engine`, () => {
    const truth = expected(boxes);
    for (const subsetCount of [1, 2, 3, 16]) {
      assert.equal(pairsByTree(boxes, subsetCount), truth, `${subsetCount} lists merged`);
      for (const rangeCount of [1, 3, 16])
        assert.equal(
          pairsByRanges(boxes, subsetCount, rangeCount),
          truth,
          `${subsetCount} subsets, ${rangeCount} ranges`,
        );
    }
  });
}

test('in 400 small scenes, ranges that begin at random octants give the same pairs as the engine', () => {
  for (let seed = 0; seed < 400; seed++) {
    const boxes = boxScene(seed, 60);
    const random = createRandom(seed);
    const count = boxes.length / 6;
    const { lists } = listsOf(boxes, 3);
    const all = work.merge(lists);
    const places = Array.from({ length: 1 + random.below(6) }, () =>
      random.below(Math.max(1, all.keys.length)),
    )
      .sort((p, q) => p - q)
      .filter(at => at < all.keys.length)
      .map(at => ({ key: all.keys[at], id: all.ids[at] }));
    const ranges = [{ key: 0, id: 0 }, ...places].map((from, i) => ({
      from,
      to: places[i] ?? { key: 0xffffffff, id: 0 },
    }));
    assert.equal(
      pairsByRanges(boxes, 1 + random.below(Math.min(4, count)), 0, ranges),
      expected(boxes),
      `seed ${seed}`,
    );
  }
});

test('nodes with two threads find the same pairs as the engine', async () => {
  const boxes = sphereBoxes(30_000, { radius: 0.5, side: 45 }, 9);
  const two = await createEngine({ threads: 2 });
  try {
    assert.equal(pairsByRanges(boxes, 3, 3, undefined, new OctreeComputation(two)), expected(boxes));
  } finally {
    two.dispose();
  }
});

test('if all boxes coincide, each of four ranges finds less than 1.25 times a quarter of the pairs', () => {
  const boxes = octreeScenes.coincident!;
  const { subsets, grid, lists } = listsOf(boxes, 4);
  const truth = expected(boxes);
  const ranges = splitRanges(
    lists.map(list => ({ ...sampleList(list, 64), each: list.keys.length / 64 })),
    4,
  );
  const found = ranges.map(range =>
    work.findRangePairs(
      subsets.map((subset, i) =>
        boxesOfRange(lists[i], subset.boxes, subset.first, range, new Uint8Array(subset.boxes.length / 6)),
      ),
      range,
      grid,
      boxes.length / 6,
    ),
  );
  const counts = found.map(({ lists: own }) => own.reduce((sum, { a }) => sum + a.length, 0));
  assert.is(
    counts.reduce((sum, count) => sum + count),
    truth.count,
  );
  assert.ok(Math.max(...counts) < (1.25 * truth.count) / 4, counts.join(', '));
});

test('in each of three encodings, a list that is encoded and decoded stays the same', async () => {
  const random = createRandom(5);
  const lists: KeyedList[] = [
    [],
    [0],
    [0xffffffff],
    Array.from({ length: 1000 }, () => random.below(2 ** 31)),
    Array(300).fill(7),
  ].map(keys => ({
    keys: Uint32Array.from(keys as number[]).sort(),
    ids: Uint32Array.from(keys as number[], () => 70_000 + random.below(1000)),
  }));
  for (const encoding of [0, 1, 2])
    for (const list of lists) assert.equal(await decodeList(await encodeList(list, encoding), 80_000), list);
});

test('a list in another encoding than the requested one is refused', async () => {
  const list = { keys: Uint32Array.of(1, 2), ids: Uint32Array.of(3, 4) };
  for (const encoding of [0, 1, 2]) {
    const bytes = await encodeList(list, encoding);
    assert.equal(await decodeList(bytes, 5, encoding), list);
    const other = (encoding + 1) % 3;
    const error = await decodeList(bytes, 5, other).catch((error: Error) => error);
    assert.match(String(error), new RegExp(`encoding ${encoding}, but ${other} was requested`));
  }
});

test('a list that was tampered with is either refused or decoded to a valid list', async () => {
  const random = createRandom(6);
  const list = {
    keys: Uint32Array.from({ length: 50 }, () => random.below(2 ** 31)).sort(),
    ids: Uint32Array.from({ length: 50 }, () => random.below(100)),
  };
  let refused = 0;
  for (let seed = 0; seed < 600; seed++) {
    const bytes = (await encodeList(list, seed % 3)).slice(
      0,
      random.below(4) === 0 ? random.below(400) : undefined,
    );
    for (let change = random.below(4); change >= 0; change--)
      bytes[random.below(bytes.length)] = random.below(256);
    try {
      const { keys, ids } = await decodeList(bytes, 100);
      assert.ok(
        keys.every((key, i) => i === 0 || key >= keys[i - 1]) &&
          ids.every(id => id < 100) &&
          keys.length === ids.length,
      );
    } catch (error) {
      assert.is((error as { code?: string }).code, 'Cluster', (error as Error).message);
      refused++;
    }
  }
  assert.ok(refused > 200, `${refused} refused`);
});

test.run();
