// Tests that a worker which reads a file transfers large buffers and copies small ones.

import * as assert from 'uvu/assert';
import { transferListOf } from '../../dist/formats/transferList.js';
import { test } from '../support/test.js';

const part = (vertices: number, triangles: number) => ({
  positions: new Float32Array(3 * vertices).fill(0.5),
  indices: new Uint32Array(3 * triangles).fill(vertices - 1),
});

test('a large buffer is transferred, a small one is copied', () => {
  const parts = [part(8, 12), part(10_000, 12), part(8, 20_000)];
  parts.push({ ...parts[1] });
  const expected = structuredClone(parts);
  const sent = structuredClone(parts, { transfer: transferListOf(parts) });
  assert.equal(sent, expected);
  const isDetached = parts.map(({ positions, indices }) => [positions.length === 0, indices.length === 0]);
  assert.equal(isDetached, [
    [false, false],
    [true, false],
    [false, true],
    [true, false],
  ]);
});

// Node compares each entry of a transfer list with all others, so the list must be short. It is longest if the
// buffers fill the 4 GiB that a reader may use and all of them have the smallest size that is transferred.
test('the transfer list of a file with many small parts is short', () => {
  const parts = Array.from({ length: 100_000 }, () => part(8, 12));
  assert.is(transferListOf(parts).length, 0);
  const minBytes = Math.min(
    ...transferListOf(Array.from({ length: 400 }, (_, i) => part(8, 50 * i))).map(
      buffer => buffer.byteLength,
    ),
  );
  assert.ok(2 ** 32 / minBytes <= 65_536, `${minBytes} bytes`);
});

test.run();
