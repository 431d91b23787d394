// Makes sets of boxes for tests of the octree jobs of a cluster. The sets include difficult cases: all boxes
// in one octant, boxes that extend over all octants, boxes of very different sizes, and coordinates at the
// limits of float32.
import { boxCrowd, sphereBoxes } from '../../dist/samples/index.js';
import { createRandom } from '../../dist/samples/random.js';

function made(
  seed: number,
  count: number,
  make: (
    random: ReturnType<typeof createRandom>,
    i: number,
  ) => { low: readonly number[]; size: readonly number[] },
): Float32Array {
  const random = createRandom(seed);
  const boxes = new Float32Array(6 * count);
  for (let i = 0; i < count; i++) {
    const { low, size } = make(random, i);
    for (let axis = 0; axis < 3; axis++) {
      boxes[6 * i + axis] = low[axis];
      boxes[6 * i + axis + 3] = low[axis] + size[axis];
    }
  }
  return boxes;
}

const three = (make: () => number): number[] => [make(), make(), make()];

export const octreeScenes: Readonly<Record<string, Float32Array>> = {
  none: new Float32Array(0),
  one: Float32Array.of(0, 0, 0, 1, 1, 1),
  two: Float32Array.of(0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2),
  points: new Float32Array(60).fill(1),
  spheres: sphereBoxes(5000, { radius: 0.5, side: 20 }, 1),
  crowd: boxCrowd('uniform', 2000, 2),
  lattice: made(3, 1728, (_, i) => ({
    low: [i % 12, Math.floor(i / 12) % 12, Math.floor(i / 144)],
    size: [1, 1, 1],
  })),
  clustered: made(4, 2000, (random, i) => ({
    low: three(() => (i % 5) * 100 + random.between(0, 1) * random.between(0, 1)),
    size: three(() => random.between(0, 0.1)),
  })),
  mixed: made(5, 1500, (random, i) => ({
    low: three(() => (i % 100 === 0 ? -1 : random.between(0, 50))),
    size: three(() => (i % 100 === 0 ? 60 : random.between(0, 2))),
  })),
  'scale-free': made(6, 1500, random => ({
    low: three(() => random.between(-1, 1) * 10 ** random.between(-6, 3)),
    size: three(() => 10 ** random.between(-6, 1)),
  })),
  coincident: made(7, 600, () => ({ low: [1, 2, 3], size: [1, 1, 1] })),
  flat: made(8, 800, random => ({
    low: [random.between(0, 30), random.between(0, 30), 5],
    size: [random.between(0, 3), random.between(0, 3), 0],
  })),
  'at the limits of float32': made(9, 300, (random, i) => ({
    low: three(() => [-0, 0, 1e-45, -1e-45, 3e38, -3e38, 1e-39][random.below(7)]),
    size: three(() => (i % 3 === 0 ? 0 : 1e-45 * random.below(5))),
  })),
};
