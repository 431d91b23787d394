// Tests the recursive octree search of Lucchesi's thesis (2002), which finds pairs of overlapping boxes. The
// pairs must equal those of an all-pairs comparison. The search gives each box the octal codes of the octants
// that it overlaps, and compares boxes whose codes lie on a common path of the octree. The numbers of codes
// and of common paths must equal those counted on a grid of voxels.

import * as assert from 'uvu/assert';
import { haveCommonPath, lastPlaceValue, RecursiveOctree } from '../../dist/papers/recursiveOctree.js';
import { createRandom, sphereBoxes } from '../../dist/samples/index.js';
import { boxPairsByAll } from '../oracle/boxesOverlap.js';
import { boxScene } from '../support/boxScenes.js';
import { pairsOf } from '../support/engines.js';
import { test } from '../support/test.js';

// Makes an octree for a cube that contains all boxes, with a margin.
function octreeOf(boxes: Float32Array, levels: number): RecursiveOctree {
  const low = boxes.reduce((minimum, value) => Math.min(minimum, value), 0);
  const high = boxes.reduce((maximum, value) => Math.max(maximum, value), 0);
  return new RecursiveOctree({ low: [low, low, low], side: 1 + high - low, levels });
}

test('octrees of 1 to 5 levels find the pairs of an all-pairs comparison in 400 seeded scenes, half of them on a lattice', () => {
  let total = 0;
  for (let seed = 0; seed < 400; seed++) {
    const boxes = boxScene(seed, 150);
    const expected = boxPairsByAll(boxes);
    assert.equal(pairsOf(octreeOf(boxes, 1 + (seed % 5)).search(boxes)), expected, `seed ${seed}`);
    total += expected.length;
  }
  assert.ok(total > 10_000, `${total} pairs`);
});

test('no boxes, and boxes that fill the whole cube, give the correct pairs', () => {
  const octree = new RecursiveOctree({ low: [0, 0, 0], side: 1, levels: 3 });
  assert.equal(pairsOf(octree.search(new Float32Array(0))), []);
  const whole = Float32Array.of(0, 0, 0, 1, 1, 1);
  const corner = Float32Array.of(0.9, 0.9, 0.9, 1, 1, 1);
  const { codes, commonPaths, ...found } = octree.search(Float32Array.of(...whole, ...corner, ...whole));
  assert.equal(pairsOf(found), [
    [0, 1],
    [0, 2],
    [1, 2],
  ]);
  // Each box that fills the cube has eight codes, one for each octant of the first level. The box in the
  // corner has one code, that of one octant of the third level.
  assert.is(codes, 17);
  assert.is(commonPaths, 8 + 2);
});

test('a box on the planes between octants gets a code in every octant that it touches', () => {
  const octree = new RecursiveOctree({ low: [0, 0, 0], side: 8, levels: 3 });
  assert.is(octree.search(Float32Array.of(4, 4, 4, 4, 4, 4)).codes, 8);
  assert.is(octree.search(Float32Array.of(0.5, 0.5, 4, 0.5, 0.5, 4)).codes, 2);
  assert.equal(pairsOf(octree.search(Float32Array.of(3, 1, 1, 4, 1.5, 1.5, 4, 1.5, 1.5, 5, 2, 2))), [[0, 1]]);
});

test('for the spheres of the thesis, the numbers of codes and common paths equal the counts on a grid of voxels', () => {
  const side = 100;
  const levels = 4;
  const cells = 2 ** levels;
  const voxel = side / cells;
  const boxes = sphereBoxes(4000, { radius: 0.5, side }, 3);
  const held = new Map<number, number>();
  let codes = 0;
  for (let at = 0; at < boxes.length; at += 6) {
    const [first, last] = [0, 3].map(end =>
      [0, 1, 2].map(axis => Math.floor(boxes[at + end + axis] / voxel)),
    );
    for (let x = first![0]; x <= last![0]; x++) {
      for (let y = first![1]; y <= last![1]; y++) {
        for (let z = first![2]; z <= last![2]; z++, codes++) {
          const key = (x * cells + y) * cells + z;
          held.set(key, (held.get(key) ?? 0) + 1);
        }
      }
    }
  }
  const found = new RecursiveOctree({ low: [0, 0, 0], side, levels }).search(boxes);
  assert.is(found.codes, codes);
  assert.is(
    found.commonPaths,
    [...held.values()].reduce((sum, count) => sum + (count * (count - 1)) / 2, 0),
  );
  assert.equal(pairsOf(found), boxPairsByAll(boxes));
});

test('codes have a common path if one is a prefix of the other, as in the thesis, section 3.4.2', () => {
  const common = (a: number, b: number): boolean =>
    haveCommonPath(a, b, Math.max(lastPlaceValue(a), lastPlaceValue(b)));
  assert.is(common(12345, 12600), false);
  assert.is(common(12345, 12300), true);
  assert.equal(
    [common(1200, 1210), common(1200, 1214), common(1210, 1214), common(1214, 1330), common(1200, 1330)],
    [true, true, true, false, false],
  );
  const random = createRandom(9);
  for (let i = 0; i < 2000; i++) {
    const [a, b] = [0, 1].map(() =>
      Array.from({ length: 1 + random.below(4) }, () => 1 + random.below(2)).join(''),
    );
    assert.is(
      common(Number(a!.padEnd(4, '0')), Number(b!.padEnd(4, '0'))),
      a!.startsWith(b!) || b!.startsWith(a!),
      `${a} ${b}`,
    );
  }
});

test('more than 7 levels are refused', () => {
  assert.throws(
    () => new RecursiveOctree({ low: [0, 0, 0], side: 1, levels: 8 }),
    /levels is 8, but codes of more than 7 levels/,
  );
});

test.run();
