// Parts and a clearance -> the pairs whose boxes, widened by it, overlap, and whether one box lies in the other.
import type { Engine } from '../../index.js';
import type { Part } from '../files/part.js';

/** x, y, z of the least corner, then of the greatest. */
type Box = Float64Array;

export interface NearPair { a: number; b: number; isNested: boolean }

// Of doubles that a placed corner may be off, as another order of the same sums has it.
const ROUNDING = 2 ** -48;
const LARGEST_FLOAT = 3.4e38;

/** Pairs a < b, by a, then b. No pair within the clearance is left out; a few may be further apart. */
export function findNearParts(engine: Engine, parts: Part[], clearance: number): NearPair[] {
  const boxes = parts.map(boxOf);
  const floats = new Float32Array(6 * parts.length);
  boxes.forEach((box, part) => floats.set(box.map((value, i) => widen(value, clearance / 2, i < 3 ? -1 : 1)), 6 * part));
  const found = engine.boxPairs(floats);
  return Array.from({ length: found.count }, (_, i) => {
    const [a, b] = [Math.min(found.a[i], found.b[i]), Math.max(found.a[i], found.b[i])];
    return { a, b, isNested: holds(boxes[a], boxes[b]) || holds(boxes[b], boxes[a]) };
  }).sort((x, y) => x.a - y.a || x.b - y.b);
}

function boxOf({ positions, indices, transform: m }: Part): Box {
  const box = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  for (const vertex of indices) {
    const x = positions[3 * vertex], y = positions[3 * vertex + 1], z = positions[3 * vertex + 2];
    for (let axis = 0; axis < 3; axis++) {
      const value = m[axis] * x + m[axis + 4] * y + m[axis + 8] * z + m[axis + 12];
      if (value < box[axis]) box[axis] = value;
      if (value > box[axis + 3]) box[axis + 3] = value;
    }
  }
  const slack = ROUNDING * Math.max(...box.map(Math.abs));
  return box.map((value, i) => (i < 3 ? value - slack : value + slack));
}

// Outward, one float beyond what is nearest.
function widen(value: number, by: number, side: -1 | 1): number {
  const wide = value + side * by;
  const outward = wide + side * (Math.abs(wide) * 2 ** -22 + 2 ** -140);
  return Math.max(-LARGEST_FLOAT, Math.min(LARGEST_FLOAT, outward));
}

// Boxes are a little too large, so what lies in one need not be held to the last bit.
function holds(outer: Box, inner: Box): boolean {
  const slack = 4 * ROUNDING * Math.max(...outer.map(Math.abs), ...inner.map(Math.abs));
  return [0, 1, 2].every((axis) => outer[axis] <= inner[axis] + slack && outer[axis + 3] >= inner[axis + 3] - slack);
}
