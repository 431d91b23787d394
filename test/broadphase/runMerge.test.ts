// Tests a merge sort and a radix sort of keys, and merges of sorted runs, in any number of slices. All
// results must equal those of a plain stable sort.

import * as assert from 'uvu/assert';
import { type MergeOf, mergeRuns, sortByMerging } from '../../dist/broadphase/runMerge.js';
import { createEngine, type Engine } from '../../dist/index.js';
import { BlockGroup } from '../../dist/runtime/blockGroup.js';
import { type Columns, sortByDigits } from '../../dist/runtime/digitSort.js';
import type { EngineContext } from '../../dist/runtime/engineContext.js';
import { createRandom } from '../../dist/samples/random.js';
import { test } from '../support/test.js';

const engines: Engine[] = [];
for (const threads of [1, 2, 5]) engines.push(await createEngine({ threads, warmUp: 'off' }));
engines.push(await createEngine({ memory: 'single', warmUp: 'off' }));
const backendOf = (engine: Engine): EngineContext =>
  (engine as unknown as { context: EngineContext }).context;
const BITS = 31;

type Entry = readonly [key: number, value: number];
const stable = (entries: readonly Entry[]): Entry[] => [...entries].sort((a, b) => a[0] - b[0]);

/**
 * Makes keys of at most 31 bits. There are few or many distinct keys. The value of each entry is its index.
 */
function entriesOf(random: ReturnType<typeof createRandom>, count: number): Entry[] {
  const maximum = [1, 3, 2 ** 11, 2 ** 31][random.below(4)];
  return Array.from({ length: count }, (_, value) => [
    maximum - 1 - Math.floor(random.between(0, 1) ** 2 * maximum),
    value,
  ]);
}

/** Copies the entries to the memory of the engine, sorts them there with `sort`, and returns the result. */
function sorted(
  engine: Engine,
  entries: readonly Entry[],
  sort: (context: EngineContext, from: Columns, to: Columns) => Columns,
): Entry[] {
  const context = backendOf(engine);
  const blocks = new BlockGroup(context.arena);
  const bytes = 4 * entries.length + 4;
  const [from, to]: [Columns, Columns] = [
    [blocks.take(bytes), blocks.take(bytes)],
    [blocks.take(bytes), blocks.take(bytes)],
  ];
  entries.forEach((entry, i) =>
    entry.forEach((word, column) => {
      context.arena.u32[from[column] / 4 + i] = word;
    }),
  );
  const [keysAt, valuesAt] = sort(context, from, to);
  const { u32 } = context.arena;
  const answer = entries.map((_, i): Entry => [u32[keysAt / 4 + i], u32[valuesAt / 4 + i]]);
  blocks.releaseAll();
  return answer;
}

test('the merge sort and the radix sort equal a plain stable sort in 1 to 17 slices, even with more slices than keys', () => {
  for (let seed = 0; seed < 300; seed++) {
    const random = createRandom(seed);
    const engine = engines[seed % engines.length];
    const sliceCount = 1 + random.below(17);
    const entries = entriesOf(random, random.below(10) === 0 ? random.below(3) : random.below(2000));
    const expected = stable(entries);
    assert.equal(
      sorted(engine, entries, (context, from, to) =>
        sortByMerging(context, from, to, entries.length, sliceCount),
      ),
      expected,
      `seed ${seed}, merge sort`,
    );
    assert.equal(
      sorted(engine, entries, (context, from, to) =>
        sortByDigits(context, from, to, entries.length, BITS, sliceCount),
      ),
      expected,
      `seed ${seed}, radix sort`,
    );
  }
});

test('merges of separate runs of any length, in any number of slices, keep equal keys in the order of their runs', () => {
  for (let seed = 0; seed < 300; seed++) {
    const random = createRandom(seed);
    const engine = engines[seed % engines.length];
    const entries = entriesOf(random, 600);
    const merges: MergeOf[] = [];
    const expected: Entry[] = [];
    const runs = entries.slice();
    for (let first = 0, to = 0; first + 90 < 600; first += 90 + random.below(20)) {
      const endA = first + random.below(2) * random.below(40);
      const firstB = first + 40 + random.below(5);
      const endB = firstB + random.below(3) * random.below(20);
      for (const [begin, end] of [
        [first, endA],
        [firstB, endB],
      ] as const)
        runs.splice(begin, end - begin, ...stable(runs.slice(begin, end)));
      merges.push({ firstA: first, endA, firstB, endB, to });
      expected.push(...stable([...runs.slice(first, endA), ...runs.slice(firstB, endB)]));
      to += endA - first + endB - firstB;
    }
    const found = sorted(engine, runs, (context, from, to) => {
      mergeRuns(context, from, to, merges, 1 + random.below(12));
      return to;
    });
    assert.equal(found.slice(0, expected.length), expected, `seed ${seed}`);
  }
});

test.after(() => {
  for (const engine of engines) engine.dispose();
});
test.run();
