// Boxes -> parts of space for several devices, cut along one axis where the work is even; boxes that reach
// several are in each of them.
import { sampleIndex } from '../../broadphase/boxSample.js';

/** Boxes that are looked at, at most: cuts between them are rough, but no box is ever lost by one. */
const MOST_SAMPLED = 2048;
/** Boxes in several parts beyond which another axis is cut, as a share of all. */
const MOST_COPIED = 0.25;

/** Of a sample: numbers of boxes, sorted by where they begin along each axis; pairs that overlap along it. */
export interface SampledAxis {
  axis: number;
  lows: Float64Array;
  highs: Float64Array;
  overlaps: number;
}

/**
 * Where the parts after the first begin, and the share of the boxes that are in more than one, counted each
 * time.
 */
export interface Cuts {
  axis: number;
  starts: number[];
  copied: number;
}

/** Boxes of a part: their numbers, ascending, and the boxes themselves. */
export interface Part {
  ids: Uint32Array;
  boxes: Float32Array;
}

/** One or two sets. Empty boxes have no place. */
export function sampleAxes(sets: readonly Float32Array[]): SampledAxis[] {
  const chosen: number[][] = [];
  for (const boxes of sets) {
    const count = boxes.length / 6;
    const size = Math.min(MOST_SAMPLED, count);
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

// Pairs that overlap along an axis: of two boxes the later one begins before the other ends.
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
 * The axis with most overlaps (Avril, Gouranton and Arnaldi s5.2), unless too many boxes reach across its
 * cuts: then the one where fewest do.
 */
export function cutSpace(axes: readonly SampledAxis[], partCount: number): Cuts {
  const all = [...axes].sort((p, q) => q.overlaps - p.overlaps).map(axis => cutAxis(axis, partCount));
  const [first] = all as [Cuts];
  return first.copied <= MOST_COPIED
    ? first
    : all.reduce((best, cuts) => (cuts.copied < best.copied ? cuts : best));
}

// As many boxes begin in one part as in another.
function cutAxis({ axis, lows, highs }: SampledAxis, partCount: number): Cuts {
  const starts = Array.from(
    { length: partCount - 1 },
    (_, i) => lows[Math.floor(((i + 1) * lows.length) / partCount)] ?? 0,
  );
  let copied = 0;
  for (const start of starts)
    for (let i = 0; i < lows.length; i++) if (lows[i] < start && highs[i] >= start) copied++;
  return { axis, starts, copied: copied / Math.max(1, lows.length) };
}

/**
 * Every box is in each part that it reaches: from the one that it begins in to the one that it ends in. Those
 * that end before they begin are in none.
 */
export function dealBoxes(boxes: Float32Array, { axis, starts }: Cuts): Part[] {
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
    (inPart): Part => ({ ids: new Uint32Array(inPart), boxes: new Float32Array(6 * inPart) }),
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
