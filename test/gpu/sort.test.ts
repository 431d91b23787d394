// Compares prefix sums and radix sorts on a GPU with the same operations in JavaScript, for many lengths and
// device limits.

import * as assert from 'uvu/assert';
import { Commands } from '../../dist/gpu/device/commands.js';
import type { Gpu, GpuLimits } from '../../dist/gpu/device/gpu.js';
import { GpuUnfit } from '../../dist/gpu/device/gpuErrors.js';
import { type Count, PrefixSum } from '../../dist/gpu/device/prefixSum.js';
import { RadixSort } from '../../dist/gpu/device/radixSort.js';
import { createRandom, type Random } from '../../dist/samples/random.js';
import { caughtLater } from '../support/engines.js';
import { gpuTest, withGpu } from '../support/gpu.js';
import { test } from '../support/test.js';

const lengths = [0, 1, 2, 63, 64, 65, 255, 256, 257, 1000, 1023, 1025, 4097];
const lowered: Partial<GpuLimits>[] = [
  { workgroups: 1, invocations: 64 },
  { workgroups: 2, invocations: 64 },
  { workgroups: 7, invocations: 64 },
  { workgroups: 2, invocations: 128 },
  { workgroups: Infinity, invocations: 64 },
];

const randomWords = (random: Random, count: number, bits: number): Uint32Array =>
  Uint32Array.from({ length: count }, () => random.bits() >>> (32 - bits));

/**
 * Returns the index of the first word that differs, or -1 if there is none. Tests compare this index with -1
 * instead of comparing the lists, because a failed comparison of long lists takes long to print.
 */
const firstOther = (found: Uint32Array, expected: Uint32Array): number =>
  found.length === expected.length ? found.findIndex((word, i) => word !== expected[i]) : found.length;

/**
 * How a test passes the number of items. 'known': as a number. 'counted': as the third word of a buffer, with
 * a greater `maxCount`. 'bounded': as `maxCount`, with a greater number in the third word of the buffer.
 */
type CountForm = 'known' | 'counted' | 'bounded';
const countForms: CountForm[] = ['known', 'counted', 'bounded'];

function passCount(gpu: Gpu, commands: Commands, count: number, countForm: CountForm): Count {
  if (countForm === 'known') return count;
  const buffer = gpu.createBuffer('count', 16);
  // The GPU uses the smaller of the word in the buffer and `maxCount`. In both cases, this is `count`.
  commands.upload(buffer, 0, Uint32Array.of(7, 7, countForm === 'counted' ? count : count + 500));
  return { buffer, slot: 2, maxCount: countForm === 'counted' ? count + 300 : count };
}

async function scanned(gpu: Gpu, words: Uint32Array, countForm: CountForm): Promise<Uint32Array> {
  const scan = new PrefixSum(gpu);
  const commands = new Commands(gpu);
  const data = gpu.createBuffer('data', 4 * words.length + 16);
  commands.upload(data, 0, words);
  commands.upload(data, 4 * words.length, Uint32Array.of(77));
  scan.record(commands, data, passCount(gpu, commands, words.length, countForm));
  commands.read(data, 0, 4 * words.length + 4);
  const [answer] = await commands.submit();
  scan.dispose();
  data.destroy();
  return answer!;
}

function sums(words: Uint32Array): Uint32Array {
  const before = new Uint32Array(words.length + 1);
  words.forEach((word, i) => {
    before[i + 1] = before[i] + word;
  });
  before[words.length] = 77;
  return before;
}

async function checkScans(gpu: Gpu, some: number[], countForm: CountForm): Promise<void> {
  const random = createRandom(some.length);
  await gpu.prepare(PrefixSum.kernels);
  for (const length of some) {
    for (const bits of [3, 32]) {
      const words = randomWords(random, length, bits);
      assert.is(
        firstOther(await scanned(gpu, words, countForm), sums(words)),
        -1,
        `${length} of ${bits} bits, ${countForm}`,
      );
    }
  }
}

interface Sorted {
  keys: Uint32Array;
  values: Uint32Array;
}

async function sorted(
  gpu: Gpu,
  { keys, values }: Sorted,
  bits: number,
  firstBit: number,
  countForm: CountForm,
): Promise<Sorted> {
  const sort = new RadixSort(gpu);
  const commands = new Commands(gpu);
  const { length } = keys;
  const buffers = Array.from({ length: 4 }, () => gpu.createBuffer('items', 4 * length));
  const [first, second, third, fourth] = buffers;
  commands.upload(first, 0, keys);
  commands.upload(second, 0, values);
  const found = sort.record(
    commands,
    { keys: first, values: second },
    { keys: third, values: fourth },
    passCount(gpu, commands, length, countForm),
    bits,
    firstBit,
  );
  commands.read(found.keys, 0, 4 * length);
  commands.read(found.values, 0, 4 * length);
  const answers = await commands.submit();
  sort.dispose();
  for (const buffer of buffers) buffer.destroy();
  return { keys: answers[0], values: answers[1] };
}

function expectedOf({ keys, values }: Sorted, bits: number, firstBit: number): Sorted {
  const digit = (key: number): number => Math.floor(key / 2 ** firstBit) % 2 ** bits;
  const order = Array.from(keys, (_, i) => i).sort((a, b) => digit(keys[a]) - digit(keys[b]) || a - b);
  return { keys: Uint32Array.from(order, i => keys[i]), values: Uint32Array.from(order, i => values[i]) };
}

async function checkSorts(
  gpu: Gpu,
  some: number[],
  countForm: CountForm,
  digits: [bits: number, firstBit: number][],
): Promise<void> {
  const random = createRandom(some.length + 1);
  await gpu.prepare(RadixSort.kernels);
  for (const length of some) {
    for (const [bits, firstBit] of digits) {
      // The keys are random in all 32 bits. The sort must ignore the bits outside of the given range.
      const items = {
        keys: randomWords(random, length, 32),
        values: Uint32Array.from({ length }, (_, i) => i),
      };
      const found = await sorted(gpu, items, bits, firstBit, countForm);
      const expected = expectedOf(items, bits, firstBit);
      assert.equal(
        [firstOther(found.keys, expected.keys), firstOther(found.values, expected.values)],
        [-1, -1],
        `${length}, bits ${firstBit} to ${firstBit + bits}, ${countForm}`,
      );
    }
  }
}

gpuTest('prefix sums of all lengths are correct, with any form of the count', async () => {
  await withGpu(async gpu => {
    for (const countForm of countForms) await checkScans(gpu, lengths, countForm);
  });
});

gpuTest.slow(
  'prefix sums are correct if a workgroup has to scan the sums of more tiles than it has invocations',
  async () => {
    await withGpu(
      async gpu => {
        await checkScans(gpu, [100_000], 'counted');
      },
      { invocations: 64 },
    );
    await withGpu(async gpu => {
      await checkScans(gpu, [300_000], 'known');
    });
  },
);

gpuTest.slow('prefix sums are correct within lowered limits', async () => {
  for (const limits of lowered)
    await withGpu(async gpu => {
      await checkScans(gpu, [1, 255, 1000, 3001], 'bounded');
    }, limits);
});

gpuTest.slow('sorts of all lengths, by any bits, are correct and stable with any form of count', async () => {
  await withGpu(async gpu => {
    for (const countForm of countForms) await checkSorts(gpu, lengths, countForm, [[32, 0]]);
    await checkSorts(gpu, [257, 1025], 'known', [
      [0, 0],
      [1, 0],
      [1, 31],
      [7, 3],
      [8, 24],
      [9, 0],
      [17, 5],
      [24, 8],
    ]);
  });
});

gpuTest.slow('100,000 keys are sorted, and 20,000 equal keys keep their order', async () => {
  await withGpu(async gpu => {
    await checkSorts(gpu, [100_000], 'counted', [[32, 0]]);
    const same = {
      keys: new Uint32Array(20_000).fill(0xffffffff),
      values: Uint32Array.from({ length: 20_000 }, (_, i) => i),
    };
    assert.is(firstOther((await sorted(gpu, same, 32, 0, 'known')).values, same.values), -1);
  });
});

gpuTest.slow('keys are sorted within lowered limits', async () => {
  for (const limits of lowered)
    await withGpu(async gpu => {
      await checkSorts(gpu, [65, 1000, 3001], 'bounded', [[16, 2]]);
    }, limits);
});

gpuTest.slow(
  'with buffers of 4 KiB, tables are divided to fit, and more words than a buffer holds are refused',
  async () => {
    await withGpu(
      async gpu => {
        await checkScans(gpu, [1, 1000], 'known');
        await checkSorts(gpu, [1, 1000], 'known', [[32, 0]]);
        assert.instance(await caughtLater(() => scanned(gpu, new Uint32Array(1100), 'known')), GpuUnfit);
      },
      { workgroups: 2, invocations: 64, bindingBytes: 4096 },
    );
  },
);

gpuTest.slow('prefix sums take 3 dispatches, and a sort takes 3 for every 8 bits of a key', async () => {
  await withGpu(async gpu => {
    await gpu.prepare([...PrefixSum.kernels, ...RadixSort.kernels]);
    await scanned(gpu, new Uint32Array(5000), 'counted');
    assert.is(gpu.counters.dispatches, 3);
    await sorted(gpu, { keys: new Uint32Array(5000), values: new Uint32Array(5000) }, 20, 0, 'counted');
    assert.is(gpu.counters.dispatches, 12);
    assert.is(gpu.counters.submits, 2);
  });
});

test.run();
