// Divides space for several devices so that the parts have equally many pairs that overlap along one axis, as
// in Avril, Gouranton and Arnaldi 2014, section 5.2. The pfront package itself divides space so that equally
// many boxes begin in each part (`splitSpace`).

import type { PartBoxes, SampledAxis, SpaceSplit } from '../gpu/broadphase/spaceParts.js';
import type { Engine } from '../index.js';

/**
 * Cuts the axis with the most overlapping pairs so that equally many of its pairs begin in each part. A pair
 * begins where the later one of its boxes begins. If no boxes overlap, equally many boxes begin in each part.
 */
export function splitEvenPairs(axes: readonly SampledAxis[], partCount: number): SpaceSplit {
  const { axis, lows, highs, overlaps } = axes.reduce((most, one) =>
    one.overlaps > most.overlaps ? one : most,
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
    while (starts.length < partCount - 1 && sum >= ((starts.length + 1) * total) / partCount)
      starts.push(lows[i]);
    sum += weights[i];
  }
  while (starts.length < partCount - 1) starts.push(lows.at(-1) ?? 0);
  let copiedCount = 0;
  for (const start of starts)
    for (let i = 0; i < lows.length; i++) if (lows[i] < start && highs[i] >= start) copiedCount++;
  return { axis, starts, copiedFraction: copiedCount / Math.max(1, lows.length) };
}

/** The pairs of one part. Boxes have their numbers in the list of all boxes, not in the part. */
export interface PartPairs {
  a: Uint32Array;
  b: Uint32Array;
}

/**
 * Finds the pairs of each part on the CPU. A pair of boxes that both begin before a part is left to an
 * earlier part, so each pair occurs once.
 */
export function pairsInParts(
  engine: Engine,
  parts: readonly PartBoxes[],
  { axis, starts }: SpaceSplit,
): PartPairs[] {
  return parts.map(({ ids, boxes }, part) => {
    const { a, b, count } = engine.boxPairs(boxes);
    const start = part === 0 ? -Infinity : starts[part - 1];
    const own = Array.from({ length: count }, (_, i) => i).filter(
      i => Math.max(boxes[6 * a[i] + axis], boxes[6 * b[i] + axis]) >= start,
    );
    return { a: Uint32Array.from(own, i => ids[a[i]]), b: Uint32Array.from(own, i => ids[b[i]]) };
  });
}
