// Tests the kernel `copyRuns` through `ResultGatherer`. A run is a sequence of triangle pairs of one pair of
// meshes. The runs of several lists are copied to one result, and the triangle pairs that BigInt decided are
// added. The result must equal one that is computed with plain arrays, for 1 to 3 threads.
import * as assert from 'uvu/assert';
import { copySliceCount, type ListOutputs, ResultGatherer } from '../../dist/narrowphase/resultGatherer.js';
import { createRandom, type Random } from '../../dist/samples/random.js';
import { test } from '../support/test.js';
import { makeTestContext } from '../support/testContext.js';

type Run = readonly [pair: number, entries: readonly (readonly [number, number])[]];

/** Makes lists of runs. Each run has up to `longest` entries. No entry occurs twice. */
function makeLists(random: Random, listCount: number, pairCount: number, longest: number): Run[][] {
  let next = 0;
  return Array.from({ length: listCount }, () =>
    Array.from(
      { length: pairCount === 0 ? 0 : random.below(12) },
      (): Run => [
        random.below(pairCount),
        Array.from({ length: random.below(longest + 1) }, () => [next++, random.below(1000)] as const),
      ],
    ),
  );
}

for (const threads of [1, 2, 3]) {
  const backend = await makeTestContext(threads);
  const { arena } = backend;

  // Writes the lists to memory as a traversal does.
  const write = (lists: Run[][], exactPairs: number[]): { outputs: ListOutputs; blocks: number[] } => {
    const blocks: number[] = [];
    const words = (values: number[]): number => {
      const at = arena.allocate(4 * values.length + 16);
      arena.u32.set(values, at / 4);
      blocks.push(at);
      return at;
    };
    const records = lists.map(list => {
      const entries = list.flatMap(([, of]) => of);
      let from = 0;
      const runs = list.flatMap(([pair, { length }]) => [pair, (from += length) - length]);
      return {
        pairsAAt: words(entries.map(([a]) => a)),
        pairsBAt: words(entries.map(([, b]) => b)),
        runsAt: words(runs),
        runsCount: list.length,
        pairsCount: entries.length,
      };
    });
    const lookUp = (list: number, field: string): number => records[list][field as 'runsAt'];
    return {
      outputs: { parts: lists.length, lists: { read: lookUp }, exactPairs, pairs: { at: 0 } },
      blocks,
    };
  };

  test(`${threads} threads: random runs are copied pair by pair, also for swapped pairs and with BigInt pairs`, () => {
    const random = createRandom(threads);
    let sliced = 0;
    for (let iteration = 0; iteration < 60; iteration++) {
      const pairCount = random.below(iteration % 3 === 0 ? 2 : 9);
      const lists = makeLists(random, random.below(7), pairCount, iteration % 4 === 0 ? 3000 : 20);
      const exactPairs = Array.from({ length: pairCount === 0 ? 0 : random.below(4) }, (_, i) => [
        random.below(pairCount),
        1_000_000 + i,
        i,
      ]).flat();
      const swapped = Uint8Array.from({ length: pairCount }, () => random.below(2));
      const expected = Array.from({ length: pairCount }, (_, pair) => {
        const entries = lists.flatMap(list => list.filter(([of]) => of === pair).flatMap(([, all]) => all));
        for (let i = 0; i < exactPairs.length; i += 3)
          if (exactPairs[i] === pair) entries.push([exactPairs[i + 1], exactPairs[i + 2]]);
        return entries.map(([a, b]) => (swapped[pair] ? [b, a] : [a, b]));
      });
      const { outputs, blocks } = write(lists, exactPairs);
      const gatherer = new ResultGatherer(backend);
      const { aAt, bAt, count, pairsAt } = gatherer.gather(outputs, pairCount, swapped, 'any');
      assert.is(count, expected.flat().length, `iteration ${iteration}`);
      const found = Array.from({ length: pairCount }, (_, pair) =>
        Array.from({ length: pairsAt[pair + 1] - pairsAt[pair] }, (_, k) => [
          arena.u32[aAt / 4 + pairsAt[pair] + k],
          arena.u32[bAt / 4 + pairsAt[pair] + k],
        ]),
      );
      assert.equal(found, expected, `iteration ${iteration}`);
      if (copySliceCount(count, threads) > 1) sliced++;
      gatherer.dispose();
      for (const at of blocks) arena.release(at);
    }
    if (threads > 1) assert.ok(sliced > 2, `${sliced} results are copied in slices`);
  });

  test.after(() => backend.close());
}

test('a result is split only into slices of at least 8,192 entries, with at most one slice per thread', () => {
  assert.equal(
    [0, 1, 16_383, 16_384, 100_000].map(total => copySliceCount(total, 4)),
    [1, 1, 1, 2, 4],
  );
});

test.run();
