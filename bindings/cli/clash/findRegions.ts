// Measures each region in which two parts intersect, for the outputs of `pfront clash --regions`.
import type { Penetration } from '../../index.js';
import type { Finding } from '../../report/clashClasses.js';
import type { ClashEngine } from '../clashEngine.js';
import type { Progress } from '../progress.js';
import { FIGURES } from './classifyParts.js';
import { type MeasuredModel, measurePairs, placedPairs } from './measurePairs.js';

/**
 * Returns the contact regions of each clash whose parts share a point, deepest first.
 *
 * @param model - The parts. Gaps of parts were closed if the clashes were measured with closed gaps.
 * @throws Errors of the engine.
 */
export async function findRegions(
  engine: ClashEngine,
  model: MeasuredModel,
  clashes: Finding[],
  progress: Progress,
): Promise<Map<Finding, Penetration[]>> {
  const intersecting = clashes.filter(({ trianglePairs }) => trianglePairs > 0);
  progress.begin('Measuring regions', intersecting.length);
  const measured = await measurePairs(
    engine,
    'penetration',
    model,
    placedPairs(model.parts, intersecting, FIGURES),
    () => progress.step(),
  );
  return new Map(intersecting.map((clash, i) => [clash, measured[i].regions]));
}
