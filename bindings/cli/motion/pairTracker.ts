// Finds the intervals in which two moving parts are in contact, and their min clearance. Between the times at
// which the distance is measured, contacts are ruled out by bounds of the speed and by sweeps.
import type { PairMotion } from './pairMotion.js';
import type { Approach, PairProbe } from './pairProbe.js';

/**
 * An interval during which the distance between two parts is at most the margin, or might be. Just before and
 * just after the interval, the distance is larger.
 */
export interface ContactInterval {
  from: number;
  to: number;
  /** A time at which the parts share a point: the earliest that was found; undefined if none was found. */
  touch: number | undefined;
  /** The smallest measured distance, and its time. */
  distance: number;
  at: number;
}

/** The smallest distance over time. It lies in `lower..distance`; `distance` was measured at the time `at`. */
export interface MinClearance {
  distance: number;
  at: number;
  lower: number;
}

export interface TrackerOptions {
  /** Parts at most this far apart count as in contact. */
  margin: number;
  /** Contact start and end times are accurate to this many seconds. */
  resolution: number;
}

/** A smooth piece of the motion. */
interface Piece {
  from: number;
  to: number;
  /** A time between the two keys around the piece: see KeyedValue. */
  inside: number;
}

/**
 * A distance is measured only up to the margin plus a bound of how much the distance can change during this
 * many pieces of the motion.
 */
const LOOKAHEAD = 16;
/**
 * If the time until the next measurement would be less than this fraction of a piece, the rest of the piece is
 * searched by sweeps.
 */
const MIN_STEP = 1 / 16;
/**
 * If parts are within the margin at two times that are farther apart than this, in seconds, the distance is
 * also measured in between. Every gap between contacts that is longer than this time is therefore found, unless
 * the parts hardly move during the gap: see `#resolve`.
 */
const MAX_GAP = 0.04;
/** The bounds of the min clearance differ by at most this fraction, if the resolution permits. */
const CLEARANCE_ERROR = 0.05;
/**
 * An interval is halved instead of swept if about this many measured distances would suffice to rule out a
 * contact.
 */
const MAX_DISTANCES = 8;
/**
 * The same limit for the search for the min clearance. It is larger, because a sweep with a large
 * separation takes long.
 */
const MAX_CLEARANCE_DISTANCES = 64;

export class PairTracker {
  readonly #displacements: number[] = [0];
  #intervals: ContactInterval[] = [];
  #last = { time: NaN, distance: 0, max: 0 };

  constructor(
    private readonly motion: PairMotion,
    private readonly probe: PairProbe,
    private readonly options: TrackerOptions,
  ) {
    const { times } = motion;
    for (let i = 1; i < times.length; i++) {
      const { speed } = motion.boundsOver(times[i - 1], times[i]);
      this.#displacements.push(this.#displacements[i - 1] + speed * (times[i] - times[i - 1]));
    }
  }

  /**
   * Returns the intervals of contact within ranges: from, to, from, to, ... Between the ranges, there must be
   * no contact.
   */
  track(ranges: readonly number[]): ContactInterval[] {
    this.#intervals = [];
    for (let i = 0; i < ranges.length; i += 2) this.#trackRange(ranges[i], ranges[i + 1]);
    for (const interval of this.#intervals) this.#refineTouch(interval);
    return this.#intervals;
  }

  /**
   * Returns the min clearance of parts that are never in contact, or undefined if it exceeds `limit`. Outside
   * of the ranges, the distance must exceed `limit`.
   */
  minClearance(ranges: readonly number[], limit: number): MinClearance | undefined {
    // Sweeps have a tolerance of margin / 4, so they cannot rule out a distance that exceeds the limit by less.
    // Such a distance counts as within the limit, unless it exceeds the limit by more than the allowed error.
    const accepted = limit + Math.min(this.options.margin / 4, CLEARANCE_ERROR * limit);
    let best: { distance: number; at: number } | undefined;
    const sample = (time: number, inside: number, reach: number): number => {
      const found = this.#distance(time, inside, (best?.distance ?? accepted) + reach);
      if (best ? found < best.distance : found <= accepted) best = { distance: found, at: time };
      return found;
    };
    const pieces: Piece[] = [];
    for (let i = 0; i < ranges.length; i += 2)
      for (const piece of this.#piecesIn(ranges[i], ranges[i + 1])) pieces.push(piece);
    for (const { from, to, inside } of pieces) {
      sample(from, inside, 0);
      sample(to, inside, 0);
    }
    let lower = Infinity;
    const stack = pieces.reverse();
    for (let piece = stack.pop(); piece; piece = stack.pop()) {
      const { from, to, inside } = piece;
      const reach = this.#displacement(from, to);
      const ends = [sample(from, inside, reach), sample(to, inside, reach)];
      const separation = best ? best.distance * (1 - CLEARANCE_ERROR) : limit;
      if (this.#ruleOut(from, ends[0], to, ends[1], separation, MAX_CLEARANCE_DISTANCES) === undefined)
        continue;
      const middle = (from + to) / 2;
      if (this.#isShort(from, to)) {
        lower = Math.min(lower, Math.max(0, (ends[0] + ends[1] - reach) / 2));
        continue;
      }
      sample(middle, inside, 0);
      stack.push({ from: middle, to, inside }, { from, to: middle, inside });
    }
    return best && { ...best, lower: Math.min(lower, best.distance * (1 - CLEARANCE_ERROR)) };
  }

  #trackRange(start: number, end: number): void {
    const { margin } = this.options;
    let clearUntil = start;
    for (const { from, to, inside } of this.#piecesIn(start, end)) {
      let time = Math.max(from, clearUntil);
      while (time < to) {
        const horizon = this.#horizon(time, end);
        const distance = this.#distance(time, inside, margin + this.#displacement(time, horizon));
        if (distance > margin) {
          clearUntil = this.#clearUntil(time, distance - margin, horizon);
          const isLong = clearUntil - time >= MIN_STEP * (to - from);
          if (clearUntil >= to || isLong) {
            time = clearUntil;
            continue;
          }
        }
        const last = this.#distance(to, inside, margin + this.#displacement(time, to));
        this.#resolve(time, distance, to, last, inside);
        time = to;
      }
    }
  }

  // Finds the contacts in a smooth interval, given the distances at both ends. If the parts are within the
  // margin at both ends, the whole interval counts as contact if it is short, or if the parts move relative to
  // each other by no more than the margin.
  #resolve(from: number, first: number, to: number, last: number, inside: number): void {
    const { margin } = this.options;
    const starts = first <= margin;
    const ends = last <= margin;
    if (starts && ends) {
      if (to - from <= MAX_GAP || this.#isShort(from, to) || this.#displacement(from, to) <= margin)
        return this.#add(from, first, to, last);
      const middle = (from + to) / 2;
      const between = this.#distance(middle, inside, margin + this.#displacement(from, to));
      this.#resolve(from, first, middle, between, inside);
      return this.#resolve(middle, between, to, last, inside);
    }
    let begin = from;
    if (!starts && !ends) {
      const approach = this.#ruleOut(from, first, to, last, margin, MAX_DISTANCES);
      if (!approach) return;
      if (this.#isShort(from, to)) return this.#addApproach(from, to, approach, inside);
      // The sweep has proven that there is no contact before this time.
      if (approach.toi > 0.5) begin = from + (to - from) * approach.toi * (1 - 2 ** -40);
    } else if (this.#isShort(from, to)) return this.#add(from, first, to, last);
    const middle = begin > from ? begin : (from + to) / 2;
    const between = this.#distance(middle, inside, margin + this.#displacement(from, to));
    if (begin === from) this.#resolve(from, first, middle, between, inside);
    this.#resolve(middle, between, to, last, inside);
  }

  // Returns whether an interval is too short to be halved: it is at most as long as the resolution, or its
  // middle rounds to one of its ends.
  #isShort(from: number, to: number): boolean {
    const middle = (from + to) / 2;
    return to - from <= this.options.resolution || middle <= from || middle >= to;
  }

  // Returns undefined if the parts are farther apart than `separation` during an interval. If the distance at
  // one end is at most `separation`, or if halving the interval is cheaper than a sweep, returns an approach
  // at the start of the interval. Otherwise, returns the result of a sweep. first, last: the distances at
  // `from` and `to`.
  #ruleOut(
    from: number,
    first: number,
    to: number,
    last: number,
    separation: number,
    maxDistances: number,
  ): Approach | undefined {
    if (first <= separation || last <= separation) return { toi: 0, bound: 0 };
    const reach = this.#displacement(from, to);
    const slack = first - separation + (last - separation);
    if (slack > reach) return undefined;
    if (slack * maxDistances > reach && !this.#isShort(from, to)) return { toi: 0, bound: 0 };
    return this.probe.sweep(from, to, separation);
  }

  // Adds a short interval in which a sweep found parts that may be in contact, and looks for a shared point.
  #addApproach(from: number, to: number, { toi, bound }: Approach, inside: number): void {
    const { margin } = this.options;
    const reach = this.#displacement(from, to);
    const touch = from + (to - from) * Math.min(toi + bound, 1);
    const deeper = reach > 0 ? Math.min(touch + (2 * margin * (to - from)) / reach, to) : touch;
    for (const time of [touch, deeper]) {
      const distance = this.#distance(time, inside, margin + reach);
      this.#add(from, distance, to, distance, time);
    }
  }

  // Adds an interval in which distances were measured. If it touches the last interval, extends the last
  // interval instead.
  #add(from: number, first: number, to: number, last: number, firstAt = from): void {
    const samples = [
      { distance: first, at: firstAt },
      { distance: last, at: firstAt === from ? to : firstAt },
    ];
    let interval = this.#intervals.at(-1);
    if (interval && interval.to >= from) interval.to = Math.max(interval.to, to);
    else {
      interval = { from, to, touch: undefined, distance: Infinity, at: from };
      this.#intervals.push(interval);
    }
    for (const { distance, at } of samples) {
      if (distance < interval.distance) Object.assign(interval, { distance, at });
      if (distance === 0 && interval.touch === undefined) interval.touch = at;
    }
  }

  // Searches for an earlier time at which the parts share a point.
  #refineTouch(interval: ContactInterval): void {
    if (interval.touch === undefined) return;
    let { from, touch } = interval;
    while (touch - from > this.options.resolution / 8) {
      const middle = (from + touch) / 2;
      if (middle <= from || middle >= touch) break;
      if (this.#distance(middle, middle, 0) === 0) touch = middle;
      else from = middle;
    }
    Object.assign(interval, { touch, at: touch });
  }

  // Returns the smooth pieces of a range.
  #piecesIn(start: number, end: number): Piece[] {
    const { times } = this.motion;
    const pieces: Piece[] = [];
    for (let i = this.#pieceAt(start); i < times.length - 1 && times[i] < end; i++) {
      const from = Math.max(times[i], start);
      const to = Math.min(times[i + 1], end);
      if (from < to) pieces.push({ from, to, inside: (times[i] + times[i + 1]) / 2 });
    }
    return pieces;
  }

  // Returns the index of the piece that contains a time.
  #pieceAt(time: number): number {
    const { times } = this.motion;
    let low = 0;
    let high = times.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle] <= time) low = middle;
      else high = middle;
    }
    return low;
  }

  // Returns a bound of how far a point of one part moves relative to the other part from the start of the
  // motion to `time`.
  #path(time: number): number {
    const { times } = this.motion;
    const i = this.#pieceAt(time);
    const fraction = (time - times[i]) / (times[i + 1] - times[i]);
    const [before, after] = [this.#displacements[i], this.#displacements[i + 1]];
    return before + fraction * (after - before);
  }

  // Returns a bound of how much the distance can change between two times. The last term covers the rounding of
  // the sums.
  #displacement(from: number, to: number): number {
    return this.#path(to) - this.#path(from) + this.#displacements[this.#displacements.length - 1] * 2 ** -44;
  }

  // Returns the time up to which a measured distance is used: LOOKAHEAD pieces ahead, but not beyond `end` or
  // the next jump of a part.
  #horizon(time: number, end: number): number {
    const { times, jumps } = this.motion;
    const last = Math.min(this.#pieceAt(time) + LOOKAHEAD, times.length - 1);
    for (let i = this.#pieceAt(time) + 1; i < last; i++)
      if (jumps.has(times[i])) return Math.min(times[i], end);
    return Math.min(times[last], end);
  }

  // Returns a time, not after `horizon`, until which the distance shrinks by less than `by`. Up to the accuracy
  // of the bisection, it is the latest time for which the bounds of the displacement guarantee this.
  #clearUntil(time: number, by: number, horizon: number): number {
    if (this.#displacement(time, horizon) < by) return horizon;
    let low = time;
    let high = horizon;
    for (let i = 0; i < 40; i++) {
      const middle = (low + high) / 2;
      if (this.#displacement(time, middle) < by) low = middle;
      else high = middle;
    }
    return low;
  }

  #distance(time: number, inside: number, max: number): number {
    const { jumps } = this.motion;
    const isKnown =
      this.#last.time === time &&
      !jumps.has(time) &&
      (this.#last.distance < Infinity || this.#last.max >= max);
    if (isKnown) return this.#last.distance;
    const distance = this.probe.distance(time, inside, max);
    this.#last = { time, distance, max };
    return distance;
  }
}
