// Divides space into regions for several devices by the method of Avril, Gouranton and Arnaldi 2014, section
// 5.2: each region gets the same number of pairs that overlap along one axis. This is for comparison only. The
// engine itself uses `splitSpace`, which divides space so that the same number of boxes begins in each region.

import type { RegionBoxes, SampledAxis, SpaceSplit } from '../gpu/broadphase/spaceRegions.js';
import type { Engine } from '../index.js';

/**
 * Cuts space along the axis on which the most pairs overlap, so that the same number of these pairs begins in
 * each region. A pair begins where the second of its two boxes begins. If no boxes overlap, the same number of
 * boxes begins in each region.
 */
export function splitEvenPairs(axes: readonly SampledAxis[], regionCount: number): SpaceSplit {
  const { axis, lows, highs, overlaps } = axes.reduce((best, one) =>
    one.overlaps > best.overlaps ? one : best,
  );
  const ends = highs.slice().sort();
  const weights = new Float64Array(lows.length);
  for (let i = 0, ended = 0; i < lows.length; i++) {
    while (ended < ends.length && ends[ended] < lows[i]) ended++;
    weights[i] = overlaps > 0 ? i - ended : 1;
  }
  const total = overlaps > 0 ? overlaps : lows.length;
  const starts: number[] = [];
  for (let i = 0, sum = 0; i < lows.length; i++) {
    while (starts.length < regionCount - 1 && sum >= ((starts.length + 1) * total) / regionCount)
      starts.push(lows[i]);
    sum += weights[i];
  }
  while (starts.length < regionCount - 1) starts.push(lows.at(-1) ?? 0);
  let copiedCount = 0;
  for (const start of starts)
    for (let i = 0; i < lows.length; i++) if (lows[i] < start && highs[i] >= start) copiedCount++;
  return { axis, starts, copiedFraction: copiedCount / Math.max(1, lows.length) };
}

/** The pairs of one region. Box numbers are indices in the list of all boxes, not in the region. */
export interface RegionPairs {
  a: Uint32Array;
  b: Uint32Array;
}

/**
 * Finds the pairs of each region on the CPU. If both boxes of a pair begin before a region, an earlier region
 * reports the pair, so each pair occurs once.
 */
export function pairsInRegions(
  engine: Engine,
  regions: readonly RegionBoxes[],
  { axis, starts }: SpaceSplit,
): RegionPairs[] {
  return regions.map(({ ids, boxes }, region) => {
    const { a, b, count } = engine.boxPairs(boxes);
    const start = region === 0 ? -Infinity : starts[region - 1];
    const own = Array.from({ length: count }, (_, i) => i).filter(
      i => Math.max(boxes[6 * a[i] + axis], boxes[6 * b[i] + axis]) >= start,
    );
    return { a: Uint32Array.from(own, i => ids[a[i]]), b: Uint32Array.from(own, i => ids[b[i]]) };
  });
}
