// Tests that a partition contains each item once and that the parts have nearly equal weights, for weights of
// many kinds. Tests `partition`, which is for a few items, and the kernel `distributeNodes`, which is for the
// nodes of a front.

import * as assert from 'uvu/assert';
import { partition } from '../../dist/core/partition.js';
import { DistributeJob, FrontNode, ListRecord, limits } from '../../dist/records/layout.js';
import { setWords } from '../../dist/records/record.js';
import { createRandom } from '../../dist/samples/index.js';
import { test } from '../support/test.js';
import { makeTestContext } from '../support/testContext.js';

const random = createRandom(5);
const kinds: Record<string, () => number> = {
  equal: () => 3,
  uniform: () => random.between(0, 1),
  'over six powers of ten': () => 10 ** random.between(0, 6),
  'with zeros': () => (random.between(0, 1) < 0.5 ? 0 : random.between(0, 1)),
  'with a few heavy ones': () => (random.between(0, 1) < 0.01 ? 1000 : 1),
  zero: () => 0,
};

const PARTS = [1, 2, 3, 8, 16, 70];
const countsFor = (parts: number): number[] => [...Array(40).keys(), parts, 3 * parts + 1, 300, 5000];

function checkParts(items: readonly (readonly number[])[], weights: Float32Array): void {
  const count = weights.length;
  assert.equal(
    items.flat().sort((a, b) => a - b),
    Array.from({ length: count }, (_, i) => i),
  );
  const loads = items.map(part => part.reduce((sum, i) => sum + weights[i], 0));
  const heaviest = weights.reduce((max, weight) => Math.max(max, weight), 0);
  const mean = loads.reduce((sum, load) => sum + load, 0) / items.length;
  const max = Math.max(...loads);
  const text = `${count} items in ${items.length} parts: mean ${mean}, max ${max}, heaviest ${heaviest}`;
  // This bound holds because each item goes to the part with the least weight so far.
  assert.ok(max <= mean * (1 + 1e-5) + heaviest, text);
  if (heaviest * 50 <= mean) assert.ok(max <= 1.02 * mean, text);
}

for (const [kind, weightOf] of Object.entries(kinds)) {
  test(`a partition is complete and balanced, for weights: ${kind}`, () => {
    for (const parts of PARTS)
      for (const count of countsFor(parts)) {
        const weights = Float32Array.from({ length: count }, weightOf);
        const items = partition(weights, parts);
        assert.equal(items.length, parts);
        checkParts(items, weights);
        for (const part of items)
          for (let k = 1; k < part.length; k++) assert.ok(weights[part[k - 1]] >= weights[part[k]]);
      }
  });

  test(`each front node is in exactly one list, and the lists are balanced, for costs: ${kind}`, async () => {
    const context = await makeTestContext();
    for (const parts of PARTS)
      for (const count of countsFor(parts)) {
        const weights = Float32Array.from({ length: count }, weightOf);
        for (const isInOrder of [0, 1]) {
          const lists = distributeLists(context, weights, parts, isInOrder);
          checkParts(lists, weights);
          for (const list of lists) checkOrder(list, weights, isInOrder);
        }
      }
    await context.close();
  });
}

// Returns the nodes of each list.
function distributeLists(
  context: Awaited<ReturnType<typeof makeTestContext>>,
  weights: Float32Array,
  listCount: number,
  isInOrder: number,
): number[][] {
  const { arena } = context;
  const frontCount = weights.length;
  const scratchBytes = 12 * (frontCount + listCount) + 4 * limits.WEIGHT_BUCKETS;
  const sizes = [
    DistributeJob.size,
    frontCount * FrontNode.size,
    listCount * ListRecord.size,
    4 * frontCount,
  ];
  const [jobAt, frontAt, listsAt, orderAt, scratchAt] = [...sizes, scratchBytes].map(bytes =>
    arena.allocate(Math.max(64, bytes)),
  );
  weights.forEach((weight, i) => {
    arena.f32[(frontAt + i * FrontNode.size + FrontNode.at.cost) / 4] = weight;
  });
  const words = { frontAt, frontCount, listsAt, listCount, orderAt, isInOrder, scratchAt };
  setWords(arena.u32, jobAt, DistributeJob, words);
  context.pool.kernels.distributeNodes(jobAt, 0, 1);
  const lists = Array.from({ length: listCount }, (_, list) => {
    const record = (listsAt + list * ListRecord.size) / 4;
    const at = arena.u32[record + ListRecord.at.orderAt / 4] / 4;
    return [...arena.u32.subarray(at, at + arena.u32[record + ListRecord.at.orderCount / 4])];
  });
  for (const at of [jobAt, frontAt, listsAt, orderAt, scratchAt]) arena.release(at);
  return lists;
}

// Checks the order of the nodes in a list: the order of the front if `isInOrder` is 1, and otherwise the
// heaviest nodes first. In the second case, the kernel only sorts weights into buckets, so a node may be up
// to 12.5 % heavier than an earlier one.
function checkOrder(list: readonly number[], weights: Float32Array, isInOrder: number): void {
  for (let k = 1; k < list.length; k++) {
    const [before, after] = [list[k - 1], list[k]];
    if (isInOrder) assert.ok(before < after);
    else assert.ok(weights[before] * 1.125 >= weights[after], `${weights[before]} before ${weights[after]}`);
  }
}

test.run();
