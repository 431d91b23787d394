// Seeded boxes -> the pairs that a comparison of all with all finds; seeded placements -> boxes that hold every vertex.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { bodyBox, meshBox } from '../../dist/bodyBox.js';
import { overlappingPairs } from '../../dist/systems/sweep.js';

let seed = 1;
const random = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;

function allPairs(boxes: Float32Array): number[][] {
  const pairs: number[][] = [];
  for (let a = 0; 6 * a < boxes.length; a++) {
    for (let b = a + 1; 6 * b < boxes.length; b++) {
      if ([0, 1, 2].every((axis) => boxes[6 * a + axis] <= boxes[6 * b + axis + 3] && boxes[6 * b + axis] <= boxes[6 * a + axis + 3])) pairs.push([a, b]);
    }
  }
  return pairs;
}

function listed(boxes: Float32Array): number[][] {
  const { count, a, b } = overlappingPairs(boxes);
  assert.is(a.length, count);
  assert.is(b.length, count);
  return [...a].map((first, i) => [first, b[i]]);
}

test('the same pairs as all against all, sorted, on every axis', () => {
  for (let axis = 0; axis < 3; axis++) {
    for (const count of [0, 1, 2, 3, 50, 300]) {
      // On a coarse grid many boxes touch, and many have equal ends.
      const boxes = new Float32Array(6 * count);
      for (let box = 0; box < count; box++) {
        for (let i = 0; i < 3; i++) {
          boxes[6 * box + i] = Math.floor(random() * (i === axis ? 40 : 8)) - 4;
          boxes[6 * box + 3 + i] = boxes[6 * box + i] + Math.floor(random() * 4);
        }
      }
      assert.equal(listed(boxes), allPairs(boxes));
    }
  }
});

test('touching counts, -0 is 0, infinite boxes meet all, inverted and NaN boxes none', () => {
  const boxes = Float32Array.of(0, 0, 0, 1, 1, 1, 1, -0, 1, 2, 0, 2, -Infinity, -Infinity, -Infinity, Infinity, Infinity, Infinity, Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity, NaN, NaN, NaN, NaN, NaN, NaN, 1.0000001, 0, 0, 2, 1, 1);
  assert.equal(listed(boxes), [[0, 1], [0, 2], [1, 2], [1, 5], [2, 5]]);
});

test('every one of many pairs is kept', () => {
  const count = 2000;
  const { count: pairCount, a, b } = overlappingPairs(new Float32Array(6 * count));
  assert.is(pairCount, count * (count - 1) / 2);
  assert.equal([a[0], b[0], a.at(-1), b.at(-1)], [0, 1, count - 2, count - 1]);
});

test('a body box holds every placed vertex, and hardly more than their own box', () => {
  const out = new Float32Array(8);
  for (let round = 0; round < 300; round++) {
    const size = 2 ** (random() * 200 - 100);
    const positions = Float32Array.from({ length: 3 * 8 }, (_, i) => size * (((i / 3) >> (i % 3)) & 1 ? 1 + random() : -random()));
    const indices = Uint32Array.from({ length: 24 }, (_, i) => i % 8);
    const matrix = Float64Array.from({ length: 16 }, (_, i) => i % 4 === 3 ? (i === 15 ? 1 : 0) : random() < 0.2 ? 0 : (random() - 0.5) * 2 ** (random() * 40 - 20));
    bodyBox(meshBox(positions, indices), matrix, out, 1);
    for (let axis = 0; axis < 3; axis++) {
      let least = Infinity, greatest = -Infinity;
      for (let i = 0; i < positions.length; i += 3) {
        const placed = ((matrix[axis] * positions[i] + matrix[4 + axis] * positions[i + 1]) + matrix[8 + axis] * positions[i + 2]) + matrix[12 + axis];
        assert.ok(out[1 + axis] <= placed && placed <= out[4 + axis]);
        least = Math.min(least, placed);
        greatest = Math.max(greatest, placed);
      }
      const reach = Math.abs(matrix[axis]) + Math.abs(matrix[4 + axis]) + Math.abs(matrix[8 + axis]);
      assert.ok(out[4 + axis] - out[1 + axis] <= 3.01 * size * reach + 1e-6 * Math.abs(matrix[12 + axis]) + 1e-44);
    }
  }
});

test('an identity keeps the box; rounding goes outward at zero, at the ends of float32 and beyond', () => {
  const identity = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
  const out = new Float32Array(6);
  const box = Float32Array.of(-1e-45, 0.1, -3.4028234663852886e38, 1e-45, 0.1, 3.4028234663852886e38);
  bodyBox(box, identity, out);
  assert.equal(out, box);
  const shifted = identity.slice();
  shifted.set([1e-60, -1e-60, 1e300], 12);
  bodyBox([0, 0, 0, 0, 0, 0], shifted, out);
  assert.equal([...out], [0, -1.401298464324817e-45, 3.4028234663852886e38, 1.401298464324817e-45, -0, Infinity]);
});

test('a mesh box is that of the vertices in use', () => {
  assert.equal([...meshBox(Float32Array.of(9, 9, 9, 0, 0, 0, 1, 2, 3, -1, 0, 0), Uint32Array.of(1, 2, 3))], [-1, 0, 0, 1, 2, 3]);
  assert.equal([...meshBox(new Float32Array(3), new Uint32Array())], [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);
});

test.run();
