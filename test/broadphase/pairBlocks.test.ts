// Tests the output array that the pair lists of several threads share. The array is divided into blocks, and
// each list writes its pairs to one block after another. Afterwards, the blocks are joined without gaps, and no
// pair is lost.

import * as assert from 'uvu/assert';
import { PairBlockSet } from '../../dist/broadphase/pairBlocks.js';
import { BoxList, PairBlocks } from '../../dist/records/boxLayout.js';
import { Arena } from '../../dist/runtime/memory.js';
import { createRandom } from '../../dist/samples/random.js';
import { test } from '../support/test.js';

const PAGES = 256;

// Writes pairs as threads do: a list writes to its current block. If the next pairs do not fit, the list
// leaves the rest of the block empty and takes the next free block. The pairs are numbered in the order of
// writing. Returns the set of these numbers, and whether there were too few blocks.
function write(
  arena: Arena,
  listsAt: number,
  listCount: number,
  random: ReturnType<typeof createRandom>,
): { written: Set<number>; isShort: boolean } {
  const { u32 } = arena;
  const word = (list: number, field: keyof typeof BoxList.at): number =>
    (listsAt + list * BoxList.size + BoxList.at[field]) / 4;
  const output = u32[word(0, 'outputAt')];
  const fieldAt = (field: keyof typeof PairBlocks.at): number => u32[(output + PairBlocks.at[field]) / 4];
  const [a, b, blockPairs, capacity, blocks] = [
    fieldAt('aAt') / 4,
    fieldAt('bAt') / 4,
    fieldAt('blockPairs'),
    fieldAt('capacity'),
    fieldAt('writtenAt') / 4,
  ];
  const written = new Set<number>();
  for (let iteration = random.below(60); iteration > 0; iteration--) {
    const list = random.below(listCount);
    const count = random.below(1024);
    const end = u32[word(list, 'end')];
    if (u32[word(list, 'next')] + count + 3 > end) {
      const taken = (output + PairBlocks.at.taken) / 4;
      const next = u32[taken];
      if (next >= capacity) return { written, isShort: (u32[word(list, 'isFull')] = 1) === 1 };
      u32[blocks + end / blockPairs - 1] = u32[word(list, 'next')] - end + blockPairs;
      u32[taken] = next + blockPairs;
      u32[word(list, 'next')] = next;
      u32[word(list, 'end')] = next + blockPairs;
    }
    for (let i = 0; i < count; i++) {
      const to = u32[word(list, 'next')]++;
      const name = written.size;
      u32[a + to] = name;
      u32[b + to] = 7 * name;
      written.add(name);
    }
  }
  return { written, isShort: false };
}

test('500 outputs of 1 to 5 lists contain each pair once without gaps, or report that capacity was exceeded', () => {
  const arena = new Arena(new WebAssembly.Memory({ initial: PAGES, maximum: PAGES }), PAGES);
  const listsAt = arena.allocate(5 * BoxList.size);
  let shortCount = 0;
  let gapCount = 0;
  for (let seed = 0; seed < 500; seed++) {
    const random = createRandom(seed);
    const listCount = 1 + random.below(5);
    const set = new PairBlockSet(arena);
    set.reserve(listCount, 1 + random.below(20_000));
    set.assignFirstBlocks(listsAt, listCount);
    const { written, isShort } = write(arena, listsAt, listCount, random);
    assert.is(set.gather(listsAt, listCount), !isShort, `seed ${seed}`);
    const {
      pairs: { aAt, bAt, count },
    } = set;
    const { u32 } = arena;
    set.dispose();
    shortCount += Number(isShort);
    if (isShort) continue;
    const names = [...u32.subarray(aAt / 4, aAt / 4 + count)];
    assert.equal(
      [...names].sort((x, y) => x - y),
      [...written],
      `seed ${seed}`,
    );
    for (const [i, name] of names.entries()) assert.is(u32[bAt / 4 + i], 7 * name);
    gapCount += Number(names.some((name, i) => name !== i));
  }
  assert.ok(shortCount > 20 && gapCount > 50, `${shortCount} exceeded their capacity, ${gapCount} had gaps`);
});

test.run();
