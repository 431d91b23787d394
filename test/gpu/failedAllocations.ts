// Runs engine.async queries with known results while one allocation of a GPU buffer fails. `failAt` makes the
// allocation with a chosen number fail, as a device without free memory does.

import * as assert from 'uvu/assert';
import { source } from '../support/gpu.js';
import { type expectTruth, withAsync } from './gpuLoss.js';

type Queries = typeof expectTruth;
type Create = (this: GPUDevice, descriptor: GPUBufferDescriptor) => GPUBuffer;

const adapter = await source.requestAdapter();
const probe = await adapter?.requestDevice();
const prototype = probe && (Object.getPrototypeOf(probe) as { createBuffer: Create });
probe?.destroy();

/**
 * Runs a function, and makes the allocation with the number `place` fail. For a buffer that is mapped at
 * creation, the call throws a RangeError. For any other buffer, the call returns an invalid buffer, and the
 * device reports an error. If `place` is -1, no allocation fails. @returns the number of allocations
 */
async function failing(place: number, run: () => Promise<void>): Promise<number> {
  const { createBuffer } = prototype!;
  let count = 0;
  prototype!.createBuffer = function (descriptor) {
    if (count++ !== place) return createBuffer.call(this, descriptor);
    if (descriptor.mappedAtCreation) throw new RangeError('no memory for a mapped buffer');
    // The size is larger than any device allows, so the buffer is invalid.
    return createBuffer.call(this, { ...descriptor, size: 2 ** 50 });
  };
  try {
    await run();
  } finally {
    prototype!.createBuffer = createBuffer;
  }
  return count;
}

/** Returns the number of allocations of an engine that runs the queries of `expect`. */
export const countAllocations = (expect: Queries): Promise<number> =>
  failing(-1, () =>
    withAsync({ backend: 'webgpu' }, async engine => {
      await expect(engine);
    }),
  );

/**
 * Makes the allocation with the number `place` fail. Checks the results of all queries. If the GPU is not used
 * any more at the end, a note must report the failure. @returns whether the GPU was still used at the end
 */
export async function failAt(place: number, expect: Queries): Promise<boolean> {
  let isUsed = false;
  await failing(place, () =>
    withAsync({ backend: 'webgpu' }, async engine => {
      isUsed = (await expect(engine)).at(-1) === 'gpu';
      // On a busy machine, another note may say that a worker was replaced.
      const notes = engine.info.notes.map(({ code }) => code).filter(code => /gpu/.test(code));
      if (isUsed) assert.equal(notes, [], `allocation ${place}`);
      else assert.equal(notes, ['gpu-failed'], `allocation ${place}`);
    }),
  );
  return isUsed;
}
