// Tests `bodyBox`, the oracle's box of a placed mesh, under random placements: the box contains every placed
// vertex and is not much too large.

import * as assert from 'uvu/assert';
import { test } from '../support/test.js';
import { bodyBox, meshBox } from './bodyBox.js';

let seed = 1;
const random = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;

test('a body box contains every placed vertex, and its size is bounded by mesh size and matrix', () => {
  const out = new Float32Array(8);
  for (let iteration = 0; iteration < 300; iteration++) {
    const size = 2 ** (random() * 200 - 100);
    const positions = Float32Array.from(
      { length: 3 * 8 },
      (_, i) => size * (((i / 3) >> (i % 3)) & 1 ? 1 + random() : -random()),
    );
    const indices = Uint32Array.from({ length: 24 }, (_, i) => i % 8);
    const matrix = Float64Array.from({ length: 16 }, (_, i) =>
      i % 4 === 3 ? (i === 15 ? 1 : 0) : random() < 0.2 ? 0 : (random() - 0.5) * 2 ** (random() * 40 - 20),
    );
    bodyBox(meshBox(positions, indices), matrix, out, 1);
    for (let axis = 0; axis < 3; axis++) {
      for (let i = 0; i < positions.length; i += 3) {
        const placed =
          matrix[axis] * positions[i] +
          matrix[4 + axis] * positions[i + 1] +
          matrix[8 + axis] * positions[i + 2] +
          matrix[12 + axis];
        assert.ok(out[1 + axis] <= placed && placed <= out[4 + axis]);
      }
      const reach = Math.abs(matrix[axis]) + Math.abs(matrix[4 + axis]) + Math.abs(matrix[8 + axis]);
      assert.ok(
        out[4 + axis] - out[1 + axis] <= 3.01 * size * reach + 1e-6 * Math.abs(matrix[12 + axis]) + 1e-44,
      );
    }
  }
});

test('an identity keeps the box, and rounding goes outward at zero, at the limits of float32 and beyond', () => {
  const identity = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
  const out = new Float32Array(6);
  const box = Float32Array.of(-1e-45, 0.1, -3.4028234663852886e38, 1e-45, 0.1, 3.4028234663852886e38);
  bodyBox(box, identity, out);
  assert.equal(out, box);
  const shifted = identity.slice();
  shifted.set([1e-60, -1e-60, 1e300], 12);
  bodyBox([0, 0, 0, 0, 0, 0], shifted, out);
  assert.equal(
    [...out],
    [0, -1.401298464324817e-45, 3.4028234663852886e38, 1.401298464324817e-45, -0, Infinity],
  );
});

test('a mesh box is the box of the referenced vertices', () => {
  assert.equal(
    [...meshBox(Float32Array.of(9, 9, 9, 0, 0, 0, 1, 2, 3, -1, 0, 0), Uint32Array.of(1, 2, 3))],
    [-1, 0, 0, 1, 2, 3],
  );
  assert.equal(
    [...meshBox(new Float32Array(3), new Uint32Array())],
    [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity],
  );
});

test.run();
