// Generates crowds of objects: random boxes in several distributions, bounding boxes of random spheres, and
// bodies that tumble through a cube.

import { cbrt, exp, log } from './portableMath.js';
import { createRandom, type Random } from './random.js';
import { rotation } from './transforms.js';

/**
 * How the boxes of a crowd are distributed. 'uniform': evenly in a cube. 'clustered': more densely toward the
 * corners. 'mixed': evenly, with sizes that differ by orders of magnitude. 'scaleFree': around the center,
 * with sizes that grow with the distance from it. 'nested': half of the boxes evenly in a cube, and the other
 * half, which are much smaller, evenly in a small cube at the center. 'sticks': evenly; the boxes are long and
 * thin.
 */
export type CrowdKind = 'uniform' | 'clustered' | 'mixed' | 'scaleFree' | 'nested' | 'sticks';

type WriteBox = (box: Float64Array) => void;

/**
 * For each kind of crowd, a function that returns a generator of random boxes. The generator writes the next
 * box: its center to the first three numbers, and half its size to the other three.
 */
const kinds: Record<CrowdKind, (count: number, random: Random) => WriteBox> = {
  // Sizes 0.8 to 1.2, uniform density. For any count, each box has about five overlapping neighbors.
  uniform: (count, random) => {
    const side = cbrt(1.6 * count);
    return box =>
      fill(
        box,
        () => random.between(0, side),
        () => random.between(0.4, 0.6),
      );
  },
  // The same sizes as in `uniform`, but the density rises exponentially toward the eight corners of the cube.
  // Each box has about eight overlapping neighbors.
  clustered: (count, random) => {
    const side = 10 * cbrt(count / 80);
    const center = (): number => {
      const away = Math.min(side / 2, -0.1 * side * log(1 - random.between(0, 1)));
      return random.below(2) === 0 ? away : side - away;
    };
    return box => fill(box, center, () => random.between(0.4, 0.6));
  },
  // Sizes that range over three orders of magnitude, with about the same number of boxes in each order of
  // magnitude.
  mixed: (count, random) => {
    const side = 10 * cbrt(count);
    return box => {
      const half = 0.05 * exp(log(1000) * random.between(0, 1));
      fill(
        box,
        () => random.between(0, side),
        () => half * random.between(0.25, 0.5),
      );
    };
  },
  // The sizes grow with the distance from the center, so the crowd looks the same at every scale within a
  // range of 1 to 100,000.
  scaleFree: (count, random) => box => {
    const radius = exp(log(10) * random.between(-5, 0));
    const half = radius / cbrt(count);
    const direction = random.direction();
    let axis = 0;
    fill(
      box,
      () => radius * direction[axis++],
      () => half * random.between(1, 3),
    );
  },
  // Two crowds like `uniform`, each with about half of the boxes. The second crowd is a thousand times
  // smaller and lies at the center of the first.
  nested: (count, random) => {
    const side = cbrt(0.8 * count);
    return box => {
      const scale = random.below(2) === 0 ? 1 : 1e-3;
      fill(
        box,
        () => side / 2 + scale * random.between(-side / 2, side / 2),
        () => scale * random.between(0.4, 0.6),
      );
    };
  },
  // Thirty times longer than wide, along one of the three axes.
  sticks: (count, random) => {
    const side = cbrt(1.6 * count);
    return box => {
      const long = random.below(3);
      let axis = 0;
      fill(
        box,
        () => random.between(0, side),
        () => (axis++ === long ? 3 : 0.1),
      );
    };
  },
};

/** All kinds of crowds. */
export const crowdKinds = Object.keys(kinds) as CrowdKind[];

function fill(box: Float64Array, center: () => number, half: () => number): void {
  for (let axis = 0; axis < 3; axis++) {
    box[axis] = center();
    box[axis + 3] = half();
  }
}

/**
 * Generates `count` boxes, six floats each: minimum x, y, z, then maximum x, y, z. The same arguments give
 * the same bytes.
 */
export function boxCrowd(kind: CrowdKind, count: number, seed = 1): Float32Array {
  const place = kinds[kind](count, createRandom(seed));
  const boxes = new Float32Array(6 * count);
  const box = new Float64Array(6);
  for (let at = 0; at < boxes.length; at += 6) {
    place(box);
    for (let axis = 0; axis < 3; axis++) {
      boxes[at + axis] = box[axis] - box[axis + 3];
      boxes[at + axis + 3] = box[axis] + box[axis + 3];
    }
  }
  return boxes;
}

/**
 * Generates the bounding boxes of `count` spheres of equal radius, which are uniformly distributed and lie
 * entirely inside a cube from 0 to `side`. Each box is six floats: minimum x, y, z, then maximum x, y, z.
 */
export function sphereBoxes(
  count: number,
  { radius, side }: { radius: number; side: number },
  seed = 1,
): Float32Array {
  const random = createRandom(seed);
  const boxes = new Float32Array(6 * count);
  for (let at = 0; at < boxes.length; at += 6) {
    for (let axis = 0; axis < 3; axis++) {
      const center = random.between(radius, side - radius);
      boxes[at + axis] = center - radius;
      boxes[at + axis + 3] = center + radius;
    }
  }
  return boxes;
}

/**
 * Generates the motion of bodies of about unit radius, which drift and spin in a cube and are reflected at
 * its walls.
 * @param density Bodies per unit volume.
 * @returns a function from frame number to column-major matrices, 16 float32 for each body
 */
export function tumbling(count: number, density: number, seed = 1): (frame: number) => Float32Array {
  const random = createRandom(seed);
  const side = cbrt(count / density);
  const bodies = Array.from({ length: count }, () => ({
    from: [0, 1, 2].map(() => random.between(0, side)),
    direction: random.direction(),
    axis: random.direction(),
    spin: random.between(0.05, 0.15),
    start: random.between(0, 2 * Math.PI),
  }));
  return frame => {
    const matrices = new Float32Array(16 * count);
    bodies.forEach(({ from, direction, axis, spin, start }, i) => {
      const at = from.map((value, k) => reflect(value + 0.06 * frame * direction[k], side)) as [
        number,
        number,
        number,
      ];
      matrices.set(rotation(axis, start + spin * frame, at), 16 * i);
    });
    return matrices;
  };
}

// Folds a coordinate of an unlimited straight motion into 0..side. The result is the coordinate of a body that
// is reflected at 0 and at `side`.
function reflect(value: number, side: number): number {
  const folded = ((value % (2 * side)) + 2 * side) % (2 * side);
  return folded <= side ? folded : 2 * side - folded;
}
