// The module 'spheres': meshes whose trees have a sphere in addition to each box (S-AABB).

import { describe, Unsupported } from '../core/errors.js';
import type { EngineModule } from '../core/module.js';
import type { Mesh } from '../mesh/mesh.js';
import type { Extensions, KernelContext } from '../runtime/engineContext.js';
import { SpherePairs } from './spherePairs.js';
import { MAX_LEVELS } from './sphereTrees.js';
import { nameLength, wasmGzipBase64 } from '../wasm/spheres.wasm.js';

/** The module adds no method. With it, `createMesh(data, { volume: 's-aabb' })` makes meshes with spheres. */
export type SpheresMethods = object;

/**
 * Default thresholds: one value for all levels. A node's box is tested in addition to its sphere if
 * volume(sphere) / volume(box) is at least this value. Of the values that `npm run bench -- spheres` tries,
 * 1.5 leads to the fewest tested pairs of nodes, or nearly the fewest, on all models.
 */
const THRESHOLDS: readonly number[] = [1.5];

function checkThresholds(thresholds: unknown): readonly number[] {
  const isValid =
    Array.isArray(thresholds) &&
    thresholds.length > 0 &&
    thresholds.length <= MAX_LEVELS &&
    Array.from(thresholds).every(value => typeof value === 'number' && value >= 0);
  if (isValid) return thresholds.slice();
  throw new Unsupported(
    `thresholds is ${Array.isArray(thresholds) ? thresholds.map(describe).join() : describe(thresholds)}, not an array of 1 to ${MAX_LEVELS} numbers from 0 to Infinity`,
    'omit thresholds, or pass one number per level; the last number holds for all deeper levels',
  );
}

function extend(context: KernelContext): Extensions {
  const pairs = new SpherePairs(context);
  return {
    spheres: {
      thresholdsOf({ volume = 'aabb', thresholds }) {
        if (volume === 's-aabb') return thresholds === undefined ? THRESHOLDS : checkThresholds(thresholds);
        if (thresholds !== undefined)
          throw new Unsupported(
            'thresholds is given, but the mesh has no spheres',
            "pass volume: 's-aabb' as well, or omit thresholds",
          );
        return undefined;
      },
      pairingOf: (trees, front, lists) =>
        pairs.prepare(trees as readonly Mesh[], front, lists) ? 'Spheres' : undefined,
      stats() {
        const spheres = pairs.readStats();
        return spheres ? { spheres } : {};
      },
    },
  };
}

export const spheres: EngineModule<SpheresMethods> = {
  inlined: { nameLength, wasmGzipBase64 },
  extend,
  makeMethods: () => ({}),
};
