// Computes the motion of two parts relative to each other. The frames to which both parts are attached,
// directly or through other frames, are kept at their placements at the start of the motion.
import { identity } from '../../formats/part.js';
import { multiplyAffine } from '../../formats/transforms.js';
import {
  boundChain,
  type Frame,
  isMoving,
  normOf,
  type PointBounds,
  placeChain,
  timesWithin,
  valuesOf,
} from '../../motion/frames.js';
import { chainTo, type Mechanism } from './mechanism.js';

/** The placements of both parts of a pair. */
export type Placements = [Float64Array, Float64Array];

export class PairMotion {
  /**
   * The first time, the times of the keys of the pair's relative motion, and the last time, ascending. Between
   * two successive times, the relative motion is smooth.
   */
  readonly times: number[];
  /** The times at which a part jumps. */
  readonly jumps: ReadonlySet<number>;
  readonly #chains: [Frame[], Frame[]];
  readonly #locals: [Float64Array, Float64Array];
  readonly #radii: [number, number];
  readonly #base: Float64Array;
  readonly #baseNorm: number;

  constructor(
    private readonly mechanism: Mechanism,
    a: number,
    b: number,
  ) {
    const { frames, attached, start, end } = mechanism;
    const [parts, paths] = [
      [attached[a], attached[b]],
      [attached[a], attached[b]].map(({ frame }) => chainTo(frames, frame)),
    ];
    let common = 0;
    while (common < paths[0].length && paths[0][common] === paths[1][common]) common++;
    const framesOf = (path: number[]): Frame[] => path.map(frame => frames[frame]);
    // A frame to which both parts are attached moves them rigidly together, which changes neither distances nor
    // contacts. Therefore, the frame is kept at its placement at the start.
    this.#base = placeChain(identity(), framesOf(paths[0].slice(0, common)), start, start);
    this.#baseNorm = normOf(this.#base);
    this.#chains = [framesOf(paths[0].slice(common)), framesOf(paths[1].slice(common))];
    this.#locals = [parts[0].local, parts[1].local];
    this.#radii = [parts[0].radius, parts[1].radius];
    const moving = this.#chains.flat().filter(isMoving);
    const values = moving.flatMap(({ placement }) => valuesOf(placement));
    this.times = timesWithin(values, start, end);
    this.jumps = new Set(values.filter(({ jumps }) => jumps).flatMap(({ times }) => [...times]));
    this.isStill = moving.length === 0;
  }

  /** Whether the parts do not move relative to each other. */
  readonly isStill: boolean;

  /** Returns the placements of both parts, with their shared frames at the start. `inside`: see KeyedValue. */
  place(time: number, inside: number): Placements {
    const placed = ([0, 1] as const).map(side =>
      multiplyAffine(placeChain(this.#base, this.#chains[side], time, inside), this.#locals[side]),
    );
    return [placed[0], placed[1]];
  }

  /**
   * Divides the motion of all parts into smooth pieces at the keys, and returns a time inside each piece that
   * contains `time`. If `time` is a key of any part, two pieces contain it, and the first returned time lies in
   * the piece that begins at `time`. At the start and at the end of the motion, only one piece contains `time`.
   */
  insidesOf(time: number): number[] {
    const { frames, start, end } = this.mechanism;
    let [before, after] = [start, end];
    let isKey = time === start || time === end;
    for (const { times } of frames.flatMap(({ placement }) => valuesOf(placement))) {
      for (const key of times) {
        if (key < time) before = Math.max(before, key);
        else if (key > time) after = Math.min(after, key);
        else isKey = true;
      }
    }
    if (!isKey) return [time];
    return [...(time < end ? [(time + after) / 2] : []), ...(time > start ? [(before + time) / 2] : [])];
  }

  /**
   * For a point of one part and a point of the other part, returns a bound of the sum of their speeds and a
   * bound of the sum of their accelerations.
   */
  boundsOver(from: number, to: number): PointBounds {
    const [p, q] = ([0, 1] as const).map(side =>
      boundChain(this.#baseNorm, this.#chains[side], this.#radii[side], from, to),
    );
    return { speed: p.speed + q.speed, acceleration: p.acceleration + q.acceleration };
  }
}
