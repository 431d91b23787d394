// Interpolates the keys of an animated value, and bounds the value and its derivatives between keys.

/** Bounds of a value over an interval of time. */
export interface KeyBounds {
  /** Bound of the value's length. */
  size: number;
  /** Bound of the length of the first derivative, per second. */
  speed: number;
  /** Bound of the length of the second derivative, per second squared. */
  acceleration: number;
}

/**
 * How a value changes between two keys. `linear`: at constant speed. `step`: not at all; it jumps at the keys.
 * `cubic`: along a cubic curve. `slerp`: a rotation at constant speed by the shortest angle. `cubicRotation`: a
 * quaternion that follows a cubic curve and is normalized. `axisRotation`: a rotation about an axis at constant
 * speed, by any angle.
 */
export type Interpolation = 'linear' | 'step' | 'cubic' | 'slerp' | 'cubicRotation' | 'axisRotation';

/** The keys of a value, as data that can be stored. */
export interface KeyData {
  interpolation: Interpolation;
  /** The times of the keys, ascending, in seconds. */
  times: Float64Array;
  /**
   * The numbers of all keys. A value consists of three numbers for a translation, four for a rotation (a unit
   * quaternion x, y, z, w), or one for `axisRotation` (an angle in radians). With `cubic` and `cubicRotation`,
   * each key has three such values: the incoming tangent, the value and the outgoing tangent, as in glTF.
   */
  values: Float64Array;
  /** The axis of `axisRotation`, a unit vector. */
  axis?: readonly number[];
}

/** A value over time. Before the first and after the last key, it is constant. */
export interface KeyedValue {
  /** The keys from which the value was made. */
  readonly data: KeyData;
  /** The times of the keys, ascending. */
  readonly times: Float64Array;
  /** Whether the value jumps at keys instead of moving between them. */
  readonly jumps: boolean;
  /**
   * Returns the value at `time`. `inside` is a time that selects the interval between two keys to interpolate.
   * If the value jumps at `time`, an `inside` before `time` returns the value before the jump; any other
   * `inside` returns the value after it.
   */
  at(time: number, inside: number): readonly number[];
  /** Returns bounds over an interval; if the value jumps, the bounds do not include the jumps. */
  boundsOver(from: number, to: number): KeyBounds;
}

/** How one interval between two keys is interpolated. */
export interface Segment extends KeyBounds {
  at(fraction: number): readonly number[];
}

const STILL = { speed: 0, acceleration: 0 };

/** A value that is given by keys and the segments between them. */
export class Keys implements KeyedValue {
  readonly times: Float64Array;
  readonly jumps: boolean;
  private readonly segments: Segment[];

  /** @param makeSegment Returns the segment from key i to key i + 1. */
  constructor(
    readonly data: KeyData,
    private readonly valueAt: (key: number) => readonly number[],
    makeSegment: (key: number) => Segment,
  ) {
    this.times = data.times;
    this.jumps = data.interpolation === 'step';
    this.segments = Array.from({ length: data.times.length - 1 }, (_, key) => makeSegment(key));
  }

  at(time: number, inside: number): readonly number[] {
    const key = this.keyBefore(inside);
    if (key < 0) return this.valueAt(0);
    if (key >= this.segments.length) return this.valueAt(this.times.length - 1);
    const [from, to] = [this.times[key], this.times[key + 1]];
    return this.segments[key].at(Math.min(Math.max((time - from) / (to - from), 0), 1));
  }

  boundsOver(from: number, to: number): KeyBounds {
    const last = this.times.length - 1;
    let { size, speed, acceleration } = { size: 0, ...STILL };
    if (from < this.times[0] || last === 0) size = lengthOf(this.valueAt(0));
    if (to > this.times[last]) size = Math.max(size, lengthOf(this.valueAt(last)));
    for (let key = Math.max(this.keyBefore(from), 0); key < last && this.times[key] < to; key++) {
      const segment = this.segments[key];
      size = Math.max(size, segment.size);
      speed = Math.max(speed, segment.speed);
      acceleration = Math.max(acceleration, segment.acceleration);
    }
    return { size, speed, acceleration };
  }

  // Returns the last key that is not later than a time, or -1.
  private keyBefore(time: number): number {
    let low = -1;
    let high = this.times.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.times[middle] <= time) low = middle;
      else high = middle;
    }
    return low;
  }
}

/** Returns a segment in which the value changes linearly. */
export function linearSegment(p: readonly number[], q: readonly number[], duration: number): Segment {
  return {
    at: u => p.map((value, i) => value + u * (q[i] - value)),
    size: Math.max(lengthOf(p), lengthOf(q)),
    speed: distanceOf(p, q) / duration,
    acceleration: 0,
  };
}

/** Returns a segment in which the value is constant. */
export function constantSegment(value: readonly number[]): Segment {
  return { at: () => value, size: lengthOf(value), ...STILL };
}

/** The Bezier control points of a cubic curve between two keys. */
export type ControlPoints = readonly [
  readonly number[],
  readonly number[],
  readonly number[],
  readonly number[],
];

/** Returns the value of a cubic Bezier curve. */
export function cubicAt([a, b, c, d]: ControlPoints, u: number): number[] {
  const v = 1 - u;
  return a.map((value, i) => v * v * (v * value + 3 * u * b[i]) + u * u * (3 * v * c[i] + u * d[i]));
}

/** Returns bounds of a cubic curve over its interval of time, computed from its control points. */
export function cubicBounds(points: ControlPoints, duration: number): KeyBounds {
  const [a, b, c, d] = points;
  const bend = (p: readonly number[], q: readonly number[], r: readonly number[]): number =>
    lengthOf(p.map((value, i) => value - 2 * q[i] + r[i]));
  return {
    size: Math.max(...points.map(point => lengthOf(point))),
    speed: (3 / duration) * Math.max(distanceOf(a, b), distanceOf(b, c), distanceOf(c, d)),
    acceleration: (6 / duration ** 2) * Math.max(bend(a, b, c), bend(b, c, d)),
  };
}

/** Returns a segment in which the value follows a cubic curve. */
export function cubicSegment(points: ControlPoints, duration: number): Segment {
  return { at: u => cubicAt(points, u), ...cubicBounds(points, duration) };
}

/** Returns the length of a vector. */
export function lengthOf(v: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < v.length; i++) sum += v[i] * v[i];
  return Math.sqrt(sum);
}

const distanceOf = (p: readonly number[], q: readonly number[]): number =>
  lengthOf(p.map((value, i) => value - q[i]));
