// Generates the motion of bodies that fall and form a heap. In the air they are far apart; at rest they are
// close together.

import { cbrt } from './portableMath.js';
import { createRandom } from './random.js';
import { rotation } from './transforms.js';

/**
 * Bodies that fall and form a heap. The heap lies on the plane z = 0 and reaches from x = y = 0 to
 * x = y = `side`.
 */
export interface Falling {
  /** Extent of the heap along x; it is the same along y. */
  side: number;
  /** Extent of the heap along z. */
  height: number;
  /**
   * Returns the column-major matrices of a frame, 16 float32 for each body. From frame number `frames` (an
   * argument of `falling`) on, all bodies are at rest, except for a slight rotation.
   */
  frame(t: number): Float32Array;
}

/** Vertical spacing of the bodies at the start, as a multiple of their spacing at rest. */
const STRETCH = 3;
/** Rotation of bodies at rest, in radians per frame. It imitates the jitter that physics solvers leave. */
const JITTER = 1e-3;

/**
 * Generates the motion of `count` bodies. At the start they are `spacing` apart along x and y, and three
 * times as far apart along z. They fall with a common acceleration while they rotate, and stop in a heap in
 * which they are `spacing` apart on all axes. The height of the heap is about a third of its width. Never
 * throws.
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
