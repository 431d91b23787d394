// Finds the intervals of time in which the boxes of two moving parts come near each other.
import { InvalidFile, identity } from '../../formats/part.js';
import { multiplyAffine } from '../../formats/transforms.js';
import { boundChain, type Frame, isMoving, placeChain, timesWithin, valuesOf } from '../../motion/frames.js';
import { boxOf, widen } from '../clash/findNearPairs.js';
import type { NamedPart } from '../clash/readModel.js';
import type { ClashEngine } from '../clashEngine.js';
import { comparePairs } from '../findClashes.js';
import type { Progress } from '../progress.js';
import { chainTo, type Mechanism } from './mechanism.js';

/** Two parts a < b, and the intervals in which they may be near each other: from, to, from, to, ... */
export interface NearPair {
  a: number;
  b: number;
  ranges: number[];
}

/**
 * Returns all pairs of parts that come within `reach` of each other at some time, sorted by a, then by b,
 * with intervals that contain all of these times. The result may also contain pairs that never come so near,
 * and times at which a pair is farther apart. Pairs for which `isSkipped` returns true are left out.
 *
 * @throws InvalidFile if a part moves at a speed that is not finite.
 */
export function findNearRanges(
  engine: ClashEngine,
  mechanism: Mechanism,
  parts: NamedPart[],
  reach: number,
  isSkipped: (a: number, b: number) => boolean,
  progress: Progress,
): NearPair[] {
  const { frames, start, end } = mechanism;
  const values = frames.flatMap(({ placement }) => valuesOf(placement));
  const times = timesWithin(values, start, end);
  const sweepers = parts.map((part, number) => new BoxSweeper(mechanism, part, number));
  const floats = new Float32Array(6 * parts.length);
  const write = (sweeper: BoxSweeper, from: number, to: number): void =>
    sweeper.write(from, to, reach / 2, floats);
  // The boxes of parts that do not move are written once.
  for (const sweeper of sweepers) if (!sweeper.isMoving) write(sweeper, start, end);
  const moving = sweepers.filter(({ isMoving }) => isMoving);
  const found = new Map<number, number[]>();
  progress.begin('Sweeping boxes', times.length - 1);
  for (let i = 1; i < times.length; i++) {
    const [from, to] = [times[i - 1], times[i]];
    for (const sweeper of moving) write(sweeper, from, to);
    const { count, a, b } = engine.boxPairs(floats);
    for (let pair = 0; pair < count; pair++) {
      const key = a[pair] * parts.length + b[pair];
      const ranges = found.get(key);
      if (!ranges) found.set(key, [from, to]);
      else if (ranges[ranges.length - 1] === from) ranges[ranges.length - 1] = to;
      else ranges.push(from, to);
    }
    progress.step();
  }
  return [...found]
    .map(([key, ranges]) => ({ a: Math.floor(key / parts.length), b: key % parts.length, ranges }))
    .filter(({ a, b }) => !isSkipped(a, b))
    .sort(comparePairs);
}

// Computes boxes that contain the whole motion of a part during an interval.
class BoxSweeper {
  readonly #chain: Frame[];
  readonly #local: Float64Array;
  readonly #radius: number;
  readonly #corners: number[][];
  /** Whether a coordinate frame to which the part is attached moves. */
  readonly isMoving: boolean;
  /** The motion and the part, for error messages. */
  readonly #where: string;

  constructor(
    { frames, attached, where }: Mechanism,
    part: NamedPart,
    private readonly number: number,
  ) {
    this.#where = `${where} moves ${part.name}`;
    const { frame, local, radius } = attached[number];
    this.#chain = chainTo(frames, frame).map(index => frames[index]);
    this.#local = local;
    this.#radius = radius;
    this.#corners = cornersOf(part);
    this.isMoving = this.#chain.some(isMoving);
  }

  /** Writes min x, y, z and max x, y, z of the part's box, widened by `by` on each side. */
  write(from: number, to: number, by: number, floats: Float32Array): void {
    const at = 6 * this.number;
    const middle = (from + to) / 2;
    const min = [Infinity, Infinity, Infinity];
    const max = [-Infinity, -Infinity, -Infinity];
    for (const time of this.isMoving ? [from, to] : [from]) {
      const m = multiplyAffine(placeChain(identity(), this.#chain, time, middle), this.#local);
      for (const [x, y, z] of this.#corners) {
        for (let row = 0; row < 3; row++) {
          const value = m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row];
          if (value < min[row]) min[row] = value;
          if (value > max[row]) max[row] = value;
        }
      }
    }
    const widening = by + this.#deviation(from, to);
    for (let row = 0; row < 3; row++) {
      floats[at + row] = widen(min[row], widening, -1);
      floats[at + 3 + row] = widen(max[row], widening, 1);
    }
  }

  // Returns a bound of the distance between a point of the part and the chord of the point during an interval.
  // The chord is the straight line between the positions of the point at both ends of the interval.
  #deviation(from: number, to: number): number {
    if (!this.isMoving) return 0;
    const duration = to - from;
    const { speed, acceleration } = boundChain(1, this.#chain, this.#radius, from, to);
    if (!Number.isFinite(speed + acceleration))
      throw new InvalidFile(
        `${this.#where} from ${from} s to ${to} s at a speed that is not finite`,
        'Correct the times of the keyframes. Times are in seconds.',
      );
    return Math.min((speed * duration) / 2, (acceleration * duration ** 2) / 8);
  }
}

function cornersOf(part: NamedPart): number[][] {
  const box = boxOf({ ...part, transform: identity() });
  return Array.from({ length: 8 }, (_, corner) =>
    [0, 1, 2].map(axis => box[(corner >> axis) & 1 ? axis + 3 : axis]),
  );
}
