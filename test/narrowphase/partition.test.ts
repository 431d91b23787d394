// Tests the distribution of weighted items to parts, for weights of many kinds: each item is in exactly one
// part, the stored sums are right, and the parts have nearly equal total weights.

import * as assert from 'uvu/assert';
import { Partition } from '../../dist/core/partition.js';
import { createRandom } from '../../dist/samples/index.js';
import { test } from '../support/test.js';

const random = createRandom(5);
const kinds: Record<string, () => number> = {
  equal: () => 3,
  uniform: () => random.between(0, 1),
  'over six powers of ten': () => 10 ** random.between(0, 6),
  'with zeros': () => (random.between(0, 1) < 0.5 ? 0 : random.between(0, 1)),
  'with a few heavy ones': () => (random.between(0, 1) < 0.01 ? 1000 : 1),
  zero: () => 0,
};
/** Weights are stored in records of STRIDE floats; the first weight is the float with index FIRST. */
const [FIRST, STRIDE] = [3, 8];

for (const [kind, weightOf] of Object.entries(kinds))
  test(`a partition of weights that are ${kind} is complete and balanced`, () => {
    const partition = new Partition();
    for (const parts of [1, 2, 3, 8, 16, 70])
      for (const count of [...Array(40).keys(), parts, 3 * parts + 1, 300, 5000]) {
        const weights = new Float32Array(FIRST + STRIDE * count);
        for (let i = 0; i < count; i++) weights[FIRST + STRIDE * i] = weightOf();
        partition.distribute(weights, new Uint32Array(weights.buffer), FIRST, STRIDE, count, parts);
        const items = Array.from({ length: count }, (_, i) => i);
        assert.equal(
          [...partition.order.subarray(0, count)].sort((a, b) => a - b),
          items,
        );
        const [loads, sizes] = [new Float64Array(parts), new Uint32Array(parts)];
        let [total, heaviest] = [0, 0];
        for (const i of items) {
          const weight = weights[FIRST + STRIDE * i];
          loads[partition.partOfItem[i]] += weight;
          sizes[partition.partOfItem[i]]++;
          total += weight;
          heaviest = Math.max(heaviest, weight);
        }
        assert.equal(partition.size.subarray(0, parts), sizes);
        loads.forEach((load, p) => {
          assert.ok(Math.abs(partition.loads[p] - load) <= 1e-9 * total, `load of part ${p}`);
        });
        const [mean, max] = [total / parts, Math.max(...loads)];
        const text = `${count} items in ${parts} parts: mean ${mean}, max ${max}, heaviest ${heaviest}`;
        // Giving each item to the least loaded part guarantees max <= mean + heaviest. Dealing light items to
        // all parts in turns adds at most the difference of the loads at the time when dealing begins.
        assert.ok(max <= (1 + 1 / 64) * mean + heaviest, text);
        if (heaviest * 50 <= mean) assert.ok(max <= 1.02 * mean, text);
      }
  });

test.run();
