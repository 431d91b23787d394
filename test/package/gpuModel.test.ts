// Tests the model of times on GPUs, and the counts of bytes that it uses, against figures computed by hand.

import * as assert from 'uvu/assert';
import { fitCosts, H100, LAPTOP, modelKernels, modelQuery } from '../../bench/support/gpuModel.js';
import type { KernelCall, Stages } from '../../bench/support/gpuTimes.js';
import { workOf } from '../../bench/support/gpuWork.js';
import { test } from '../support/test.js';

const COSTS = { memory: 1e12, transfer: 1e10, dispatch: 0.01, roundTrip: 0.25 };
const LOAD = { dispatches: 20, roundTrips: 2, kernelBytes: 5e9, transferredBytes: 3e7 };

const near = (found: number, expected: number): void =>
  assert.ok(Math.abs(found - expected) < 1e-9 * expected, `${found}, expected ${expected}`);

test('the modeled time is the sum of the times of dispatches, memory accesses of kernels, round trips and transfers', () => {
  near(modelKernels(LOAD, COSTS), 0.2 + 5);
  near(modelQuery(LOAD, COSTS), 0.2 + 5 + 0.5 + 3);
});

test('the memory bandwidths of the H100 and the laptop are 3.35 TB/s and 100 GB/s', () => {
  const bytes = { dispatches: 0, kernelBytes: 3.35e9 };
  near(modelKernels(bytes, { ...COSTS, ...H100 }), 1);
  near(modelKernels(bytes, { ...COSTS, ...LAPTOP }), 33.5);
});

test('the fit finds the costs from which the times of kernels and whole queries were computed', () => {
  // The times were computed from COSTS by hand. Kernels take 20 * 0.01 + 5 = 5.2 ms and
  // 40 * 0.01 + 1 = 1.4 ms. Whole queries take 5.2 + 2 * 0.25 + 3 = 8.7 ms,
  // 3 * 0.01 + 1 * 0.25 + 2 = 2.28 ms, and 50 * 0.01 + 0.002 + 4 * 0.25 + 0.001 = 1.503 ms.
  const fitted = fitCosts(
    [
      { load: LOAD, kernels: 5.2, whole: 8.7 },
      { load: { ...LOAD, dispatches: 40, kernelBytes: 1e9 }, kernels: 1.4, whole: undefined },
      {
        load: { dispatches: 3, roundTrips: 1, kernelBytes: 0, transferredBytes: 2e7 },
        kernels: undefined,
        whole: 2.28,
      },
      {
        load: { dispatches: 50, roundTrips: 4, kernelBytes: 2e6, transferredBytes: 1e4 },
        kernels: undefined,
        whole: 1.503,
      },
    ],
    COSTS.memory,
  );
  near(fitted.dispatch, 0.01);
  near(fitted.roundTrip, 0.25);
  near(fitted.transfer, 1e10);
  assert.equal([fitted.kernels.count, fitted.wholes.count], [2, 3]);
  assert.ok(Math.max(fitted.kernels.error, fitted.wholes.error) < 1e-9);
});

test('the fit minimizes relative errors, so that a long query does not outweigh a short one', () => {
  // The best cost c of a dispatch minimizes (c / 1 - 1)^2 + (100 c / 300 - 1)^2, so c = (1 + 1/3) / (1 + 1/9).
  const kernelsOf = (dispatches: number, kernels: number) => ({
    load: { ...LOAD, dispatches, kernelBytes: 0 },
    kernels,
    whole: undefined,
  });
  const { dispatch, kernels } = fitCosts([kernelsOf(1, 1), kernelsOf(100, 300)], COSTS.memory);
  near(dispatch, 1.2);
  // The relative errors are 0.2 and -0.6.
  near(kernels.error, Math.sqrt(0.2));
});

const words = (length: number, values: Readonly<Record<number, number>>): Uint32Array => {
  const all = new Uint32Array(length);
  for (const [at, value] of Object.entries(values)) all[Number(at)] = value;
  return all;
};

const stagesOf = (
  calls: readonly Pick<KernelCall, 'kernel' | 'values' | 'snapshots'>[],
  reads: Readonly<Record<string, Uint32Array>>,
): Stages => ({
  dispatches: new Map(),
  up: new Map(),
  down: new Map(),
  counters: { submits: 1, dispatches: calls.length, uploadedBytes: 0, readBytes: 0, bufferBytes: 0 },
  workgroupSize: 256,
  batches: [
    {
      calls: calls.map(call => ({ ...call, invocations: 256 })),
      reads: new Map(Object.entries(reads).map(([label, answer]) => [label, [answer]])),
    },
  ],
});

test('countPairs reads each entry, and the entries with which it compares this entry', () => {
  // Three entries with the keys 1, 2 and 5. The first one reaches to key 2, so it is compared with the second.
  const snapshots = {
    counts: words(5, { 4: 3 }),
    keys: Uint32Array.of(1, 2, 5),
    entries: words(24, { 7: 2, 15: 4, 23: 9 }),
  };
  const values = { count: 4, entries: 6 };
  const { kernels, lists } = workOf(
    stagesOf(
      [
        { kernel: 'writeCellEntries', values, snapshots: {} },
        { kernel: 'countPairs', values, snapshots },
      ],
      { counters: Uint32Array.of(0, 1, 0, 0) },
    ),
  );
  // An entry has 32 bytes and a key of 4 bytes; one pair was counted.
  assert.equal(kernels.get('countPairs'), {
    dispatches: 1,
    invocations: 256,
    bytesRead: 4 * 36,
    bytesWritten: 4,
  });
  assert.equal(lists.get('entries of boxes'), { used: 3, capacity: 6 });
});

test('a pass reads two nodes per pair of boxes, and writes the pairs that it finds', () => {
  // Before pass 1, 1 pair of leaves has been found. Pass 1 processes 2 pairs of boxes, and finds 3 pairs of
  // boxes and 7 - 1 pairs of leaves. Pass 2 is the last: it finds no pair of boxes and 9 - 7 pairs of leaves,
  // which makes 9 in all.
  const counts = words(132, { 1: 2, 2: 3, 128: 9, 129: 5, 130: 1 });
  const passes = words(516, { 4: 2, 5: 1, 8: 3, 9: 7, 512: 9, 513: 9 });
  const lists = { listCapacity: 4, leafCapacity: 12 };
  const stages = stagesOf(
    [
      { kernel: 'traverse', values: { level: 1, ...lists }, snapshots: {} },
      { kernel: 'traverse', values: { level: 2, ...lists }, snapshots: {} },
      { kernel: 'testLeafPairs', values: { certainCapacity: 10, uncertainCapacity: 10 }, snapshots: {} },
    ],
    { counts, passes },
  );
  const work = workOf(stages);
  // A pair of boxes has 16 bytes, a node 128, a pair of leaves or of triangles 12, a leaf 176, a cost 4.
  assert.equal(work.kernels.get('traverse'), {
    dispatches: 2,
    invocations: 512,
    bytesRead: (2 + 3) * (16 + 2 * 128),
    bytesWritten: 3 * 16 + (6 + 2) * 12 + (2 + 3) * 4,
  });
  assert.equal(work.kernels.get('testLeafPairs'), {
    dispatches: 1,
    invocations: 256,
    bytesRead: 9 * (12 + 2 * 176),
    bytesWritten: (5 + 1) * 12,
  });
  assert.equal(work.lists.get('pairs of boxes'), { used: 3, capacity: 4 });
  assert.equal(work.lists.get('pairs of leaves'), { used: 9, capacity: 12 });
});

test('a kernel without a formula for its bytes causes an error', () => {
  assert.throws(() => workOf(stagesOf([{ kernel: 'unknown', values: {}, snapshots: {} }], {})), /unknown/);
});

test.run();
