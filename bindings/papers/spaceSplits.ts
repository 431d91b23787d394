// Divides space into parts for several devices by the method of Avril, Gouranton and Arnaldi 2014, section
// 5.2: each part gets the same number of pairs that overlap along one axis. This is for comparison only. The
// engine itself uses `splitSpace`, which divides space so that the same number of boxes begins in each part.

import type { PartBoxes, SampledAxis, SpaceSplit } from '../gpu/broadphase/spaceParts.js';
import type { Engine } from '../index.js';

/**
 * Cuts space along the axis on which the most pairs overlap, so that the same number of these pairs begins in
 * each part. A pair begins where the second of its two boxes begins. If no boxes overlap, the same number of
 * boxes begins in each part.
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

/** The pairs of one part. Box numbers are indices in the list of all boxes, not in the part. */
export interface PartPairs {
  a: Uint32Array;
  b: Uint32Array;
}

/**
 * Finds the pairs of each part on the CPU. If both boxes of a pair begin before a part, an earlier part
 * reports the pair, so each pair occurs once.
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
