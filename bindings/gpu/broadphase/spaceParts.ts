// Divides space into parts for several devices, along one axis, with similar work in each part. A box that
// reaches several parts belongs to each of them.
import { sampleIndex } from '../../broadphase/boxSample.js';

/** Max number of sampled boxes per set. Sampling affects only which split is chosen; no box is ever lost. */
const MAX_SAMPLES = 2048;
/** Max fraction of boxes that lie in several parts. If it is exceeded, another axis is tried. */
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
 * starts[i]: coordinate at which part i + 1 begins. Part 0 has no lower bound. copiedFraction: fraction of
 * boxes in more than one part, counted once per additional part.
 */
export interface SpaceSplit {
  axis: number;
  starts: number[];
  copiedFraction: number;
}

/** The boxes of a part: their numbers, ascending, and their bounds. */
export interface PartBoxes {
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

// Counts the pairs of boxes that overlap along an axis. Two boxes overlap if the later one does not begin
// after the earlier one ends.
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
 * Chooses the axis with the most overlaps (Avril, Gouranton and Arnaldi, section 5.2). If too many boxes
 * cross its splits, chooses the axis with the fewest such boxes.
 */
export function splitSpace(axes: readonly SampledAxis[], partCount: number): SpaceSplit {
  const all = [...axes].sort((p, q) => q.overlaps - p.overlaps).map(axis => splitAxis(axis, partCount));
  const [first] = all;
  return first.copiedFraction <= MAX_COPIED
    ? first
    : all.reduce((best, split) => (split.copiedFraction < best.copiedFraction ? split : best));
}

// Splits an axis so that equally many boxes begin in each part.
function splitAxis({ axis, lows, highs }: SampledAxis, partCount: number): SpaceSplit {
  const starts = Array.from(
    { length: partCount - 1 },
    (_, i) => lows[Math.floor(((i + 1) * lows.length) / partCount)] ?? 0,
  );
  let copied = 0;
  for (const start of starts)
    for (let i = 0; i < lows.length; i++) if (lows[i] < start && highs[i] >= start) copied++;
  return { axis, starts, copiedFraction: copied / Math.max(1, lows.length) };
}

/**
 * Assigns each box to all parts that it reaches, from the part in which it begins to the part in which it
 * ends. A box whose max is below its min on the split axis gets at most one part.
 */
export function distributeBoxes(boxes: Float32Array, { axis, starts }: SpaceSplit): PartBoxes[] {
  const partOf = (value: number): number => {
    let part = 0;
    while (part < starts.length && value >= starts[part]) part++;
    return part;
  };
  const count = boxes.length / 6;
  const counts = new Uint32Array(starts.length + 1);
  const visit = (put: (part: number, i: number) => void): void => {
    for (let i = 0; i < count; i++) {
      const last = partOf(boxes[6 * i + axis + 3]);
      for (let part = partOf(boxes[6 * i + axis]); part <= last; part++) put(part, i);
    }
  };
  visit(part => {
    counts[part]++;
  });
  const parts = Array.from(
    counts,
    (inPart): PartBoxes => ({ ids: new Uint32Array(inPart), boxes: new Float32Array(6 * inPart) }),
  );
  counts.fill(0);
  visit((part, i) => {
    const to = counts[part]++;
    const { ids, boxes: copies } = parts[part];
    ids[to] = i;
    for (let k = 0; k < 6; k++) copies[6 * to + k] = boxes[6 * i + k];
  });
  return parts;
}
