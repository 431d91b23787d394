// Checks error bounds: compares exact values with the values that a HostileDevice (hostileFloats.ts) may
// compute.

import {
  absolute,
  compare,
  dividedBy,
  type Exact,
  exactOf,
  larger,
  minus,
  plus,
  times,
  toDouble,
  ZERO,
} from './exactFloats.js';
import type { Direction, Float, HostileDevice } from './hostileFloats.js';

/** The error of a failed check: a computed value is farther from its exact value than its bound allows. */
export class Violation extends Error {}

/** Counts checks, and throws a Violation if one fails. */
export class Checks {
  count = 0;
  /** For each kind of check, the largest share of its bound that was used. */
  readonly shares = new Map<string, number>();
  device!: HostileDevice;

  /** Returns the value that the device computes: a large one for direction 1, a small one for -1, any for 0. */
  computed(value: Float, direction: Direction): Exact {
    return exactOf(this.device.compute(value, direction));
  }

  /** Returns the largest error of a value that the device may compute. */
  errorOf(value: Float): Exact {
    return larger(absolute(this.#excess(value, 1)), absolute(this.#excess(value, -1)));
  }

  /** Requires a <= b. */
  atMost(name: string, a: Exact, b: Exact): void {
    this.count++;
    if (compare(a, b) > 0) throw new Violation(`${name}: ${toDouble(a)} exceeds ${toDouble(b)}`);
    const share = compare(b, ZERO) > 0 ? toDouble(dividedBy(a, b)) : 0;
    if (share > (this.shares.get(name) ?? 0)) this.shares.set(name, share);
  }

  /** Requires that factor * (error of the value) + more <= bound. */
  within(
    name: string,
    value: Float,
    bound: Float,
    { factor = 1, more = ZERO }: { factor?: number; more?: Exact } = {},
  ): void {
    const error = plus(times(this.errorOf(value), exactOf(factor)), more);
    this.atMost(name, error, this.computed(bound, -1));
  }

  /**
   * Requires that computed left <= computed right whenever exact left <= exact right. This holds if the largest
   * increase of `left` by rounding is at most the smallest increase of `right`. Error bounds among the inputs
   * have the exact value 0, so they increase only the computed value of `right`.
   */
  implied(name: string, left: Float, right: Float): void {
    this.atMost(name, this.#excess(left, 1), this.#excess(right, -1));
  }

  // Returns by how much the computed value exceeds the exact value.
  #excess(value: Float, direction: Direction): Exact {
    return minus(this.computed(value, direction), value.exact);
  }
}
