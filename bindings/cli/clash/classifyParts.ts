// Classifies each pair of parts that intersect or are near each other, as hard, contained, clearance,
// coplanar or touch.

import type { Classification } from '../../index.js';
import type { ClashClass, Finding } from '../../report/clashClasses.js';
import type { ClashEngine } from '../clashEngine.js';
import { type Clash, comparePairs } from '../findClashes.js';
import type { Progress } from '../progress.js';
import { type ClosedParts, combine } from './closedParts.js';
import { findNearPairs } from './findNearPairs.js';
import { type MeasuredModel, measurePairs, placedPairs } from './measurePairs.js';

/**
 * The search for the overlap depth of one pair examines at most this many pieces of the surfaces. In most
 * models, this budget suffices for bounds that differ by at most 1 %. With a larger budget, the search would
 * take most of the time of a run if parts overlap along many thin facets. The bounds may also differ by more
 * than 1 % if more than 20,000 triangles bound the common solid of a pair.
 */
const DEPTH_BUDGET = 4000;
/** The figures that are measured for each clash, and for each of its regions. */
export const FIGURES = {
  overlapDepth: true,
  volume: true,
  contactSize: true,
  depthBudget: DEPTH_BUDGET,
} as const;

export interface ClashLimits {
  /** Parts that are at most this far apart are also reported. */
  clearance: number;
  /** An overlap of at most this depth is not a hard clash. */
  tolerance: number;
}

/**
 * Classifies all pairs of parts that intersect or are at most the clearance apart. If parts have narrow gaps
 * between their faces, the pair is also measured with closed gaps.
 *
 * @param clashes - All pairs of parts that share a point and are to be classified.
 * @param measures - Lengths in the unit of the parts.
 * @param isWanted - Returns whether to test a pair of parts that share no point. Default: tests all pairs.
 * @returns Findings sorted by a, then b.
 * @throws Errors of the engine.
 */
export async function classifyParts(
  engine: ClashEngine,
  model: MeasuredModel,
  closedParts: ClosedParts,
  clashes: Clash[],
  measures: ClashLimits,
  progress: Progress,
  isWanted: (a: number, b: number) => boolean = () => true,
): Promise<Finding[]> {
  const { parts } = model;
  const pairs = candidatePairs(engine, parts, clashes, measures.clearance, isWanted);
  const measure = async (stage: string, measuredModel: MeasuredModel, some: Clash[]) => {
    progress.begin(stage, some.length);
    const placed = placedPairs(parts, some, { ...measures, ...FIGURES });
    const found = await measurePairs(engine, 'classify', measuredModel, placed, () => progress.step());
    return new Map(found.map((classification, i) => [some[i], classification]));
  };
  const own = await measure('Measuring clashes', model, pairs);
  for (const part of new Set(pairs.flatMap(({ a, b }) => [a, b]))) closedParts.close(part);
  const { gaps } = closedParts;
  const withGaps = pairs.filter(({ a, b }) => gaps.has(a) || gaps.has(b));
  const closed =
    withGaps.length === 0 ? undefined : await measure('Measuring closed parts', closedParts.model, withGaps);
  return [...own].flatMap(([pair, found]) => {
    const other = closed?.get(pair);
    const result = other ? combine(found, other) : found;
    return result.class === 'apart' ? [] : [findingOf(pair, result.class, result)];
  });
}

function findingOf(clash: Clash, kind: ClashClass, found: Classification): Finding {
  const { which, overlapDepth, volume, depth, direction = [0, 0, 0], distance, size, duplicate } = found;
  const { pairs, contactLength, contactArea, separation, bound } = found;
  // `which` is the outer part.
  const inner = which && (which === 'a' ? 'b' : 'a');
  return {
    ...clash,
    class: kind,
    ...(overlapDepth && overlapDepth.upper > 0 ? { overlapDepth } : {}),
    ...(separation && separation.upper > 0 ? { separation } : {}),
    ...(volume && volume.upper > 0 ? { volume } : {}),
    ...(pairs > 0 ? { contactLength, contactArea } : {}),
    depth,
    ...(bound === undefined ? {} : { bound }),
    direction,
    distance: kind === 'clearance' ? distance : 0,
    size,
    inner,
    isDuplicate: duplicate,
  };
}

// Returns the clashes, and the pairs of parts whose surfaces share no point, but whose boxes overlap if each
// box is widened by half the clearance. Such parts may be at most the clearance apart, or one may contain the
// other.
function candidatePairs(
  engine: ClashEngine,
  parts: MeasuredModel['parts'],
  clashes: Clash[],
  clearance: number,
  isWanted: (a: number, b: number) => boolean,
): Clash[] {
  const key = (a: number, b: number) => a * parts.length + b;
  const counted = new Set(clashes.map(({ a, b }) => key(a, b)));
  const apart = findNearPairs(engine, parts, clearance)
    .filter(({ a, b }) => isWanted(a, b) && !counted.has(key(a, b)))
    .map(({ a, b }) => ({ a, b, trianglePairs: 0 }));
  return [...clashes, ...apart].sort(comparePairs);
}
