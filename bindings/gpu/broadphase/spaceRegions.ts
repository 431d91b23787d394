// Divides space into regions for several devices, along one axis, with similar work in each region. A box that
// reaches several regions belongs to each of them.
import { sampleIndex } from '../../broadphase/boxSample.js';

/** Max number of sampled boxes per set. Sampling affects only which split is chosen; no box is ever lost. */
const MAX_SAMPLES = 2048;
/**
 * Max `copiedFraction` of the axis with the most overlaps. If it is exceeded, the axis with the smallest
 * `copiedFraction` is used.
 */
const MAX_COPIED = 0.25;

/**
 * The bounds of sampled boxes along an axis, in the order in which the boxes begin. overlaps: number of pairs
 * of samples that overlap along the axis.
 */
export interface SampledAxis {
  axis: number;
  lows: Float64Array;
  highs: Float64Array;
  overlaps: number;
}

/**
 * starts[i]: coordinate at which region i + 1 begins. Region 0 has no lower bound. copiedFraction: number of
 * extra copies per sampled box. A box in n regions has n - 1 extra copies.
 */
export interface SpaceSplit {
  axis: number;
  starts: number[];
  copiedFraction: number;
}

/** The boxes of a region: their numbers, ascending, and their bounds. */
export interface RegionBoxes {
  ids: Uint32Array;
  boxes: Float32Array;
}

/** Samples one or two sets of boxes. Empty boxes are ignored. */
export function sampleAxes(sets: readonly Float32Array[]): SampledAxis[] {
  const chosen: number[][] = [];
  for (const boxes of sets) {
    const count = boxes.length / 6;
    const size = Math.min(MAX_SAMPLES, count);
    for (let i = 0; i < size; i++) {
      const at = 6 * (size < count ? sampleIndex(i, count) : i);
      const box = Array.from(boxes.subarray(at, at + 6));
      if (box[0] <= box[3] && box[1] <= box[4] && box[2] <= box[5]) chosen.push(box);
    }
  }
  return [0, 1, 2].map(axis => {
    const inOrder = [...chosen].sort((p, q) => p[axis] - q[axis]);
    const lows = Float64Array.from(inOrder, box => box[axis]);
    const highs = Float64Array.from(inOrder, box => box[axis + 3]);
    return { axis, lows, highs, overlaps: overlapsOf(lows, highs) };
  });
}

// Counts the pairs of boxes that overlap along an axis. Two boxes overlap unless the box that begins later
// begins after the end of the other box.
function overlapsOf(lows: Float64Array, highs: Float64Array): number {
  const ends = highs.slice().sort();
  let pairs = 0;
  let ended = 0;
  for (let i = 0; i < lows.length; i++) {
    while (ended < ends.length && ends[ended] < lows[i]) ended++;
    pairs += i - ended;
  }
  return pairs;
}

/**
 * Chooses the axis with the most overlaps (Avril, Gouranton and Arnaldi, section 5.2). If its split needs too
 * many extra copies of boxes, chooses the axis whose split needs the fewest.
 */
export function splitSpace(axes: readonly SampledAxis[], regionCount: number): SpaceSplit {
  const all = [...axes].sort((p, q) => q.overlaps - p.overlaps).map(axis => splitAxis(axis, regionCount));
  const [first] = all;
  return first.copiedFraction <= MAX_COPIED
    ? first
    : all.reduce((best, split) => (split.copiedFraction < best.copiedFraction ? split : best));
}

// Splits an axis so that equally many boxes begin in each region.
function splitAxis({ axis, lows, highs }: SampledAxis, regionCount: number): SpaceSplit {
  const starts = Array.from(
    { length: regionCount - 1 },
    (_, i) => lows[Math.floor(((i + 1) * lows.length) / regionCount)] ?? 0,
  );
  let copied = 0;
  for (const start of starts)
    for (let i = 0; i < lows.length; i++) if (lows[i] < start && highs[i] >= start) copied++;
  return { axis, starts, copiedFraction: copied / Math.max(1, lows.length) };
}

/**
 * Assigns each box to all regions that it reaches, from the region in which it begins to the region in which it
 * ends. A box whose max is below its min on the split axis gets at most one region.
 */
export function distributeBoxes(boxes: Float32Array, { axis, starts }: SpaceSplit): RegionBoxes[] {
  const regionOf = (value: number): number => {
    let region = 0;
    while (region < starts.length && value >= starts[region]) region++;
    return region;
  };
  const count = boxes.length / 6;
  const counts = new Uint32Array(starts.length + 1);
  const visit = (put: (region: number, i: number) => void): void => {
    for (let i = 0; i < count; i++) {
      const last = regionOf(boxes[6 * i + axis + 3]);
      for (let region = regionOf(boxes[6 * i + axis]); region <= last; region++) put(region, i);
    }
  };
  visit(region => {
    counts[region]++;
  });
  const regions = Array.from(
    counts,
    (inRegion): RegionBoxes => ({ ids: new Uint32Array(inRegion), boxes: new Float32Array(6 * inRegion) }),
  );
  counts.fill(0);
  visit((region, i) => {
    const to = counts[region]++;
    const { ids, boxes: copies } = regions[region];
    ids[to] = i;
    for (let k = 0; k < 6; k++) copies[6 * to + k] = boxes[6 * i + k];
  });
  return regions;
}
