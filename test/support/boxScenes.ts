// Makes seeded boxes of all kinds: scattered or on a lattice, flat, of one size or of many sizes.
import { createRandom } from '../../dist/samples/random.js';

/** Makes 2 to `maximum` boxes. If the seed is even, the boxes lie on a lattice, so that many faces touch. */
export function boxScene(seed: number, maximum = 400): Float32Array {
  const random = createRandom(seed);
  const count = 2 + random.below(maximum - 1);
  const isLattice = seed % 2 === 0;
  const side = isLattice ? 2 + random.below(12) : random.between(1, 20);
  const decades = random.below(4);
  const flatAxis = random.below(6);
  const boxes = new Float32Array(6 * count);
  for (let i = 0; i < count; i++) {
    const size = 10 ** -random.between(0, decades);
    for (let axis = 0; axis < 3; axis++) {
      const low = isLattice ? random.below(side) : random.between(-side, side);
      const wide = isLattice ? random.below(3) : size * random.between(0, 2);
      boxes[6 * i + axis] = low;
      boxes[6 * i + axis + 3] = low + (axis === flatAxis ? 0 : wide);
    }
    if (random.below(50) === 0) boxes[6 * i + 3] = boxes[6 * i];
  }
  return boxes;
}
