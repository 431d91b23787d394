// Measures each region in which two parts intersect, for the outputs of `pfront clash --regions`.
import { type Part, placementsOf } from '../../formats/part.js';
import type { Mesh, Penetration } from '../../index.js';
import type { Finding } from '../../report/clashClasses.js';
import type { ClashEngine } from '../clashEngine.js';
import type { Progress } from '../progress.js';
import { FIGURES } from './classifyParts.js';

/**
 * Returns the contact regions of each clash whose parts share a point, deepest first.
 *
 * @param meshes - The mesh of each part, created by this engine.
 * @throws Errors of the engine.
 */
export function findRegions(
  engine: ClashEngine,
  meshes: Mesh[],
  parts: Part[],
  clashes: Finding[],
  progress: Progress,
): Map<Finding, Penetration[]> {
  progress.begin('Measuring regions', clashes.length);
  const found = new Map<Finding, Penetration[]>();
  for (const clash of clashes) {
    const { a, b, trianglePairs } = clash;
    if (trianglePairs > 0) {
      const { regions } = engine.penetration(meshes[a], meshes[b], {
        ...placementsOf(parts[a], parts[b]),
        ...FIGURES,
      });
      found.set(clash, regions);
    }
    progress.step();
  }
  return found;
}
