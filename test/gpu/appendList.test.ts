// Tests GpuAppendList, a list in a GPU buffer: its capacity can grow until it reaches the limit of the device.

import * as assert from 'uvu/assert';
import { GpuUnfit } from '../../dist/gpu/device/gpuErrors.js';
import { GpuAppendList } from '../../dist/gpu/narrowphase/gpuAppendList.js';
import { caught } from '../support/engines.js';
import { gpuTest, withGpu } from '../support/gpu.js';
import { test } from '../support/test.js';

// The sizes of buffers are multiples of 16 bytes, but the limit of a device need not be such a multiple.
gpuTest('a list can grow to the limit of the device; growing it further fails and leaves it unchanged', () =>
  withGpu(
    async gpu => {
      const list = new GpuAppendList(gpu, 'pairs', 8, 10);
      const longer = list.growAndReplace(list.maxCapacity);
      assert.ok(longer);
      longer[0].destroy();
      assert.is(list.capacity, list.maxCapacity);
      assert.ok(list.bytesOf(list.capacity) <= 1000 && list.bytesOf(list.capacity) > 1000 - 16);
      assert.is(list.buffer, longer[1]);
      assert.instance(
        caught(() => list.growAndReplace(list.maxCapacity + 1)),
        GpuUnfit,
      );
      assert.equal([list.capacity, list.buffer], [list.maxCapacity, longer[1]]);
      list.dispose();
    },
    { bindingBytes: 1000 },
  ),
);

test.run();
