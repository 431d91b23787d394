// Counts and seeds -> crowds: boxes of three distributions or of spheres, and bodies that tumble through a cube.

import { createRandom, type Random } from './random.js';
import { rotation } from './transforms.js';

export type CrowdKind = 'uniform' | 'clustered' | 'mixed';

/** The side of the cube is such that a box overlaps about five others (clustered: eight), whatever the count. */
const kinds: Record<CrowdKind, (count: number, random: Random) => { center: () => number; half: () => number }> = {
  // Sizes 0.8 to 1.2, evenly spread.
  uniform: (count, random) => {
    const side = Math.cbrt(1.6 * count);
    return { center: () => random.between(0, side), half: () => random.between(0.4, 0.6) };
  },
  // The same sizes, exponentially denser towards the eight corners.
  clustered: (count, random) => {
    const side = 10 * Math.cbrt(count / 80);
    const center = (): number => {
      const away = Math.min(side / 2, -0.1 * side * Math.log(1 - random.between(0, 1)));
      return random.below(2) === 0 ? away : side - away;
    };
    return { center, half: () => random.between(0.4, 0.6) };
  },
  // Sizes over three decades, as many in each.
  mixed: (count, random) => {
    const side = 10 * Math.cbrt(count);
    let half = 0, axis = 0;
    const next = (): number => {
      if (axis++ % 3 === 0) half = 0.05 * 1000 ** random.between(0, 1);
      return half * random.between(0.25, 0.5);
    };
    return { center: () => random.between(0, side), half: next };
  },
};

/** Six floats a box: least x, y, z, then greatest. */
export function boxCrowd(kind: CrowdKind, count: number, seed = 1): Float32Array {
  const random = createRandom(seed);
  const { center, half } = kinds[kind](count, random);
  const boxes = new Float32Array(6 * count);
  for (let at = 0; at < boxes.length; at += 6) {
    for (let axis = 0; axis < 3; axis++) {
      const middle = center(), reach = half();
      boxes[at + axis] = middle - reach;
      boxes[at + axis + 3] = middle + reach;
    }
  }
  return boxes;
}

/** Boxes of `count` equal spheres, evenly spread and wholly within a cube from 0 to `side`. Six floats a box. */
export function sphereBoxes(count: number, { radius, side }: { radius: number; side: number }, seed = 1): Float32Array {
  const random = createRandom(seed);
  const boxes = new Float32Array(6 * count);
  for (let at = 0; at < boxes.length; at += 6) {
    for (let axis = 0; axis < 3; axis++) {
      const middle = random.between(radius, side - radius);
      boxes[at + axis] = middle - radius;
      boxes[at + axis + 3] = middle + radius;
    }
  }
  return boxes;
}

/**
 * Bodies of about unit radius that drift and spin in a cube and turn back at its walls.
 * density: bodies a unit volume. @returns matrices of a frame, 16 float32 a body.
 */
export function tumbling(count: number, density: number, seed = 1): (frame: number) => Float32Array {
  const random = createRandom(seed);
  const side = Math.cbrt(count / density);
  const bodies = Array.from({ length: count }, () => ({
    from: [0, 1, 2].map(() => random.between(0, side)), way: random.direction(), axis: random.direction(), spin: random.between(0.05, 0.15), start: random.between(0, 2 * Math.PI),
  }));
  return (frame) => {
    const matrices = new Float32Array(16 * count);
    bodies.forEach(({ from, way, axis, spin, start }, i) => {
      const at = from.map((value, k) => bounced(value + 0.06 * frame * way[k]!, side)) as [number, number, number];
      matrices.set(rotation(axis, start + spin * frame, at), 16 * i);
    });
    return matrices;
  };
}

// A straight way, folded at the walls 0 and side.
function bounced(value: number, side: number): number {
  const folded = ((value % (2 * side)) + 2 * side) % (2 * side);
  return folded <= side ? folded : 2 * side - folded;
}
