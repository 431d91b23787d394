// Makes allocations of GPU buffers fail, as on a device without free memory.

import * as assert from 'uvu/assert';
import { source } from '../support/gpu.js';

const adapter = await source.requestAdapter();
const probe = await adapter?.requestDevice();
const prototype = probe && (Object.getPrototypeOf(probe) as GPUDevice);
probe?.destroy();

/** An open error scope, and the error that it will report. */
interface Scope {
  filter: GPUErrorFilter;
  error: { message: string } | null;
}

/**
 * Runs a function. During the run, an allocation fails if `isFailing` returns true for its number. For a buffer
 * that is mapped at creation, the call throws a RangeError. For any other buffer, the call returns an invalid
 * buffer, and the device reports an out-of-memory error to the innermost open scope for such errors. @returns
 * the number of allocations
 */
export async function withFailedAllocations(
  isFailing: (place: number) => boolean,
  run: () => Promise<void>,
): Promise<number> {
  const { createBuffer, pushErrorScope, popErrorScope } = prototype!;
  const scopesOf = new WeakMap<GPUDevice, Scope[]>();
  let count = 0;
  prototype!.pushErrorScope = function (filter) {
    if (!scopesOf.has(this)) scopesOf.set(this, []);
    scopesOf.get(this)!.push({ filter, error: null });
    return pushErrorScope.call(this, filter);
  };
  prototype!.popErrorScope = function () {
    const error = scopesOf.get(this)?.pop()?.error;
    return popErrorScope.call(this).then(found => (error as GPUError | null | undefined) ?? found);
  };
  prototype!.createBuffer = function (descriptor) {
    if (!isFailing(count++)) return createBuffer.call(this, descriptor);
    if (descriptor.mappedAtCreation) throw new RangeError('no memory for a mapped buffer');
    const scope = scopesOf.get(this)?.findLast(({ filter }) => filter === 'out-of-memory');
    assert.ok(scope, 'an error scope for out-of-memory errors is open');
    scope.error ??= { message: 'no memory for a buffer' };
    // The size is larger than any device allows, so the buffer is invalid. The scope discards the validation
    // error, because a real device without memory does not report one.
    pushErrorScope.call(this, 'validation');
    const invalid = createBuffer.call(this, { ...descriptor, size: 2 ** 50 });
    popErrorScope.call(this).catch(() => {});
    return invalid;
  };
  try {
    await run();
  } finally {
    Object.assign(prototype!, { createBuffer, pushErrorScope, popErrorScope });
  }
  return count;
}
