// Measures each region in which two parts intersect, for the outputs of `pfront clash --regions`.
import type { Part } from '../../formats/part.js';
import type { Mesh, Penetration } from '../../index.js';
import type { Finding } from '../../report/clashClasses.js';
import type { ClashEngine } from '../clashEngine.js';
import type { Progress } from '../progress.js';
import { FIGURES } from './classifyParts.js';
import { measurePairs, placedPairs } from './measurePairs.js';

/**
 * Returns the contact regions of each clash whose parts share a point, deepest first.
 *
 * @param meshes - The mesh of each part, created by this engine.
 * @throws Errors of the engine.
 */
export async function findRegions(
  engine: ClashEngine,
  meshes: Mesh[],
  parts: Part[],
  clashes: Finding[],
  progress: Progress,
): Promise<Map<Finding, Penetration[]>> {
  const intersecting = clashes.filter(({ trianglePairs }) => trianglePairs > 0);
  progress.begin('Measuring regions', intersecting.length);
  const measured = await measurePairs(
    engine,
    'penetration',
    { parts, meshes },
    placedPairs(parts, intersecting, FIGURES),
    () => progress.step(),
  );
  return new Map(intersecting.map((clash, i) => [clash, measured[i].regions]));
}
