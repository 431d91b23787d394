// Tests that the bound of the penetration depth covers the rounding of the translations that are tried.
import * as assert from 'uvu/assert';
import { withEngine } from '../support/engines.js';
import { test } from '../support/test.js';
import { block, together } from './solids.js';

type Vector = readonly [number, number, number];

// Makes one box per pair of opposite corners, with coordinates in doubles. shift: moves all boxes along x.
function boxesOf(corners: readonly (readonly [Vector, Vector])[], shift = 0) {
  const solids = corners.map(() => block([0, 0, 0], [1, 1, 1]));
  const { indices, positions } = together(...solids);
  return {
    positions: Float64Array.from(positions, (value, i) => {
      const [min, max] = corners[Math.floor(i / 24)];
      return (value === 0 ? min : max)[i % 3] + (i % 3 === 0 ? shift : 0);
    }),
    indices,
  };
}

// Returns a transform that scales by `scale` and then shifts along x.
const along = (scale: number, x: number): Float64Array =>
  Float64Array.of(scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, scale, 0, x, 0, 0, 1);

// Returns the blocks of A and of B. The first block of A overlaps the first block of B by `overlap` along x.
// The second block of A contains the second block of B, a cube whose edges have length `side`. Along x, the
// cube begins at a distance of `gap` from a face of the block around it.
const overlappingBlocks = (
  overlap: number,
  gap: number,
  side: number,
): [a: [Vector, Vector][], b: [Vector, Vector][]] => [
  [
    [
      [0.75, -50, -50],
      [1.5, 50, 50],
    ],
    [
      [10, -50, -50],
      [11, 50, 50],
    ],
  ],
  [
    [
      [0, -50, -50],
      [0.75 + overlap, 50, 50],
    ],
    [
      [10 + gap, 0, 0],
      [10 + gap + side, side, side],
    ],
  ],
];

test('the bound of the depth covers the rounding of a large translation that A moves by', async () => {
  // If `shift` is `far`, the translation of A is near -2^30, where it is rounded to multiples of q.
  const q = 2 ** -23;
  const far = 2 ** 30;
  const side = 0.25 + 0.75 * q;
  const [listA, listB] = overlappingBlocks(0.25 + 0.6 * q, 0.05 * q, side);
  await withEngine({ threads: 1 }, engine => {
    const b = engine.createMesh(boxesOf(listB));
    for (const shift of [0, far]) {
      const a = engine.createMesh(boxesOf(listA, shift));
      // The scale of B is slightly larger, so that A comes first in the order of fixedOrder.ts, and A moves.
      const placed = { transformA: along(1, -shift), transformB: along(1 + 2 ** -52, 0) };
      const { overlapDepth } = engine.classify(a, b, { ...placed, overlapDepth: true });
      assert.ok(overlapDepth!.upper >= side, `${(overlapDepth!.upper - 0.25) / q}`);
      assert.is(engine.classify(a, b, { ...placed, tolerance: 0.25 + 0.7 * q }).class, 'hard');
    }
  });
});

test('the bound of the depth covers translations that are too small for a transform', async () => {
  // `unit` is the smallest nonzero magnitude that a transform may contain, and A moves by less than this.
  const unit = 2 ** -200;
  const side = 0.8;
  const [listA, listB] = overlappingBlocks(0.25, 0.0625, side);
  await withEngine({ threads: 1 }, engine => {
    const b = engine.createMesh(boxesOf(listB));
    for (const shift of [0, 1]) {
      const a = engine.createMesh(boxesOf(listA, shift));
      // The scale of B is slightly larger, so that A comes first in the order of fixedOrder.ts, and A moves.
      const placed = { transformA: along(unit, -shift * unit), transformB: along(unit * (1 + 2 ** -52), 0) };
      const { overlapDepth } = engine.classify(a, b, { ...placed, overlapDepth: true });
      assert.ok(overlapDepth!.upper >= side * unit, `${overlapDepth!.upper / unit}`);
    }
  });
});

test.run();
