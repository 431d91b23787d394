// Generates bodies that fall onto a heap: sparse in the air, dense at rest.

import { cbrt } from './portableMath.js';
import { createRandom } from './random.js';
import { rotation } from './transforms.js';

/** Bodies that fall onto a heap, which lies on z = 0 and begins at x = y = 0. */
export interface Falling {
  /** Extent of the heap along x, and along y. */
  side: number;
  /** Extent of the heap along z. */
  height: number;
  /**
   * Returns the column-major matrices of a frame, 16 float32 for each body. From frame `frames` on, all
   * bodies are at rest, except for a slight rotation.
   */
  frame(t: number): Float32Array;
}

/** Vertical spacing in the air, as a multiple of the spacing at rest. */
const STRETCH = 3;
/** Radians per frame by which bodies at rest keep rotating: physics solvers leave some motion, too. */
const JITTER = 1e-3;

/**
 * Generates `count` bodies that start `spacing` apart along x and y and three times that along z. They fall
 * with a common acceleration, rotating, and stop in a heap in which they are `spacing` apart. The heap is
 * about a third as high as wide. Never throws.
 */
export function falling(count: number, spacing: number, frames: number, seed = 1): Falling {
  const random = createRandom(seed);
  const across = Math.max(1, Math.ceil(cbrt(3 * count)));
  const layerCount = Math.ceil(count / (across * across));
  const maxDrop = (STRETCH - 1) * layerCount * spacing;
  const jittered = (cell: number): number => (cell + 0.5 + random.between(-0.15, 0.15)) * spacing;
  const bodies = Array.from({ length: count }, (_, i) => {
    const layer = Math.floor(i / (across * across));
    const rest = [jittered(i % across), jittered(Math.floor(i / across) % across), jittered(layer)] as const;
    const drop = (STRETCH - 1) * (layer + random.between(0, 1)) * spacing;
    return {
      rest,
      drop,
      axis: random.direction(),
      spin: random.between(0.05, 0.3),
      start: random.between(0, 2 * Math.PI),
      landsAt: frames * Math.sqrt(drop / maxDrop),
    };
  });
  const frame = (t: number): Float32Array => {
    const matrices = new Float32Array(16 * count);
    const fallen = maxDrop * (t / frames) * (t / frames);
    bodies.forEach(({ rest: [x, y, z], drop, axis, spin, start, landsAt }, i) => {
      const angle = start + spin * Math.min(t, landsAt) + JITTER * t;
      matrices.set(rotation(axis, angle, [x, y, z + Math.max(0, drop - fallen)]), 16 * i);
    });
    return matrices;
  };
  return { side: across * spacing, height: layerCount * spacing, frame };
}
