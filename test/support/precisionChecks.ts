// Checks of error bounds: compares values that a hostile device may compute with exact values.

import {
  absolute,
  compare,
  type Exact,
  exactOf,
  minus,
  nearbyDouble,
  plus,
  times,
  ZERO,
} from './exactFloats.js';
import type { Direction, Float, HostileDevice } from './hostileFloats.js';

/** A computed value is farther from its exact value than its bound allows. */
export class Violation extends Error {}

/** Counts checks, and throws a Violation if one fails. */
export class Checks {
  count = 0;
  /** For each kind of check, the largest share of its bound that was used. */
  readonly shares = new Map<string, number>();
  device!: HostileDevice;

  /** Returns the largest error of a value that the device may compute. */
  errorOf(value: Float): Exact {
    const up = absolute(minus(exactOf(this.device.compute(value, 1)), value.exact));
    const down = absolute(minus(exactOf(this.device.compute(value, -1)), value.exact));
    return compare(up, down) > 0 ? up : down;
  }

  /** Requires a <= b. */
  atMost(name: string, a: Exact, b: Exact): void {
    this.count++;
    const [first, second] = [nearbyDouble(a), nearbyDouble(b)];
    if (!(first < second * (1 - 2 ** -40)) && compare(a, b) > 0)
      throw new Violation(`${name}: ${first} exceeds ${second}`);
    const share = second > 0 ? first / second : 0;
    if (share > (this.shares.get(name) ?? 0)) this.shares.set(name, share);
  }

  /** Requires that factor * (error of the value) + more is at most the bound. */
  within(
    name: string,
    value: Float,
    bound: Float,
    { factor = 1, more = ZERO }: { factor?: number; more?: Exact } = {},
  ): void {
    const error = this.errorOf(value);
    const all = plus(factor === 1 ? error : times(error, exactOf(factor)), more);
    this.atMost(name, all, exactOf(this.device.compute(bound, -1)));
  }

  /**
   * Requires that computed left <= computed right holds if exact left <= exact right: left grows by rounding at
   * most as much as right grows. In the exact values of the inputs, error bounds are 0, so that exact right is
   * without the slack.
   */
  implied(name: string, left: Float, right: Float): void {
    this.atMost(name, this.#growth(left, 1), this.#growth(right, -1));
  }

  #growth(value: Float, direction: Direction): Exact {
    return minus(exactOf(this.device.compute(value, direction)), value.exact);
  }
}
