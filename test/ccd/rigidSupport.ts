// Makes engines, meshes and motions for tests of rigid motion.

import { createEngine, type MeshData } from '../../dist/index.js';
import type { Random } from '../../dist/samples/random.js';
import { type Motion, matrixAt } from '../oracle/rotatingMotion.js';
import type { Indexed } from '../support/movingCrowd.js';

export const engines = await Promise.all([1, 2, 5].map(threads => createEngine({ threads, warmUp: 'off' })));

export const STILL: Motion = {
  linear: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  axis: [0, 0, 1],
  angle: 0,
  from: [0, 0, 0],
  to: [0, 0, 0],
};
export const RIGID = { motion: 'rigid' } as const;
export const rod: MeshData = {
  positions: Float32Array.of(0, 0, 0, 1, 0, -0.125, 1, 0, 0.125),
  indices: Uint32Array.of(0, 1, 2),
};

export const rotatedBy = (angle: number, axis: readonly number[] = [0, 0, 1]): Float64Array =>
  matrixAt({ ...STILL, axis, angle }, 1);

/** Makes a few triangles, some of them degenerate. */
export function soup(random: Random): Indexed {
  const vertices = 4 + random.below(5);
  const count = 2 + random.below(4);
  return {
    positions: Float32Array.from({ length: 3 * vertices }, () => random.between(-1, 1)),
    indices: Uint32Array.from({ length: 3 * count }, () => random.below(vertices)),
  };
}

/** Makes a random motion of a mesh that is rotated, mirrored, stretched, sheared or flat at the start. */
export function randomMotion(random: Random): Motion {
  const kind = random.below(6);
  const size = [1, 1, 0.01, 3, 1, 1][kind];
  const linear =
    kind === 5 ? [1, 0, 0, 0, -1, 0, 0, 0, 1] : Array.from({ length: 9 }, () => size * random.between(-1, 1));
  if (kind === 4) for (const i of [2, 5, 8]) linear[i] = 0;
  const place = (): number[] => Array.from({ length: 3 }, () => random.between(-0.6, 0.6));
  const angle = [0, 1e-7, 0.01, 0.5, 2, Math.PI - 1e-3][random.below(6)] * random.between(0.5, 1);
  return { linear, axis: random.direction(), angle, from: place(), to: place() };
}
