// Evaluates float32 expressions as unfavorably as WGSL allows. An expression is a graph of operations. An
// expression has one exact value, and many values that a device may compute: each result may be rounded up or
// down, products may be fused into sums, sums and products may be reordered (also across variables), denormals
// may be flushed to 0, quotients may be wrong by 2.5 units in the last place, and square roots by 4.5.

import type { Random } from '../../dist/samples/random.js';
import {
  absolute,
  dividedBy,
  type Exact,
  exactOf,
  larger,
  minus,
  negated,
  plus,
  smaller,
  times,
} from './exactFloats.js';

type Operation =
  | 'value'
  | 'round'
  | '+'
  | '-'
  | '*'
  | '/'
  | 'neg'
  | 'settled'
  | 'abs'
  | 'min'
  | 'max'
  | 'sqrt';

/** 1: compute a value that is as large as possible; -1: as small as possible; 0: any value. */
export type Direction = 1 | -1 | 0;

const NONE = Number.NaN;
const MIN_NORMAL = 2 ** -126;
const ULP = 2 ** -23;
const float = new Float32Array(1);
const bits = new Int32Array(float.buffer);

/**
 * A node of an expression. `value`: the float or integer of a leaf. `exact`: the exact value of the expression;
 * for a leaf, it may differ from `value`.
 */
export class Float {
  #exact: Exact | undefined;
  /** Computed values by direction: as small as possible, any, as large as possible. */
  readonly computed: [number, number, number] = [NONE, NONE, NONE];

  constructor(
    readonly operation: Operation,
    readonly value: number,
    readonly a?: Float,
    readonly b?: Float,
    exact?: Exact,
  ) {
    this.#exact = exact;
  }

  /** The value without any rounding. Throws for square roots, which have no exact value. */
  get exact(): Exact {
    this.#exact ??= this.#computeExact();
    return this.#exact;
  }

  #computeExact(): Exact {
    const { operation, a, b } = this;
    if (operation === 'value' || operation === 'round') return exactOf(this.value);
    const x = a!.exact;
    if (operation === 'neg') return negated(x);
    if (operation === 'settled') return x;
    if (operation === 'abs') return absolute(x);
    if (operation === 'sqrt') throw new Error('a square root has no exact value');
    const y = b!.exact;
    if (operation === '+') return plus(x, y);
    if (operation === '-') return minus(x, y);
    if (operation === '*') return times(x, y);
    if (operation === '/') return dividedBy(x, y);
    return operation === 'min' ? smaller(x, y) : larger(x, y);
  }
}

/** Makes an input. exact: the exact value that the float approximates. Default: the float itself. */
export const input = (value: number, exact?: Exact): Float =>
  new Float('value', Math.fround(value), undefined, undefined, exact);
export const node = (operation: Operation, a: Float, b?: Float): Float => new Float(operation, NONE, a, b);

/**
 * How a device computes. fuse, join and up are probabilities from 0 to 1. fuse: a product is fused into a sum.
 * join: a sum inside another sum (or a product inside another product) is reordered together with the outer
 * one. up: a result without a direction is rounded up. order: the order of the additions of a sum.
 */
interface Behavior {
  fuse: number;
  join: number;
  up: number;
  order: 'written' | 'largestFirst' | 'random';
}

export function randomBehavior(random: Random): Behavior {
  const share = (): number => [0, 0.5, 1][random.below(3)];
  return {
    fuse: share(),
    join: share(),
    up: [0, 0.5, 0.5, 1][random.below(4)],
    order: (['written', 'largestFirst', 'random'] as const)[random.below(3)],
  };
}

function neighborOf(value: number, isAbove: boolean): number {
  if (value === 0) return isAbove ? 2 ** -149 : -(2 ** -149);
  float[0] = value;
  bits[0] += value > 0 === isAbove ? 1 : -1;
  return float[0];
}

// Reverses a direction if `sign` is negative.
const timesSign = (direction: Direction, sign: number): Direction => (direction * sign) as Direction;
const overflow = (value: unknown): RangeError =>
  new RangeError(`${value} overflows, for which WGSL defines no result`);

/** Computes the values of expressions on a device with a given behavior. */
export class HostileDevice {
  constructor(
    private readonly behavior: Behavior,
    private readonly random: Random,
  ) {}

  /** Returns a value that the device may compute. Repeated calls return the same value. */
  compute(expression: Float, direction: Direction = 0): number {
    const known = expression.computed[direction + 1];
    if (!Number.isNaN(known)) return known;
    const value = this.#evaluate(expression, direction);
    expression.computed[direction + 1] = value;
    return value;
  }

  #signOf(expression: Float): 1 | -1 {
    return this.compute(expression) < 0 ? -1 : 1;
  }

  #isTrue(share: number): boolean {
    return share === 1 || (share > 0 && this.random.between(0, 1) < share);
  }

  #evaluate(expression: Float, direction: Direction): number {
    const { operation, a, b } = expression;
    switch (operation) {
      case 'value':
        return Math.abs(expression.value) < MIN_NORMAL
          ? this.#round(expression.value, 0, direction)
          : expression.value;
      case 'round':
        return this.#round(expression.value, 0, direction);
      // A shader used the bits of this value, so the value is not reordered or fused with other operations.
      case 'settled':
        return this.compute(a!, direction);
      case 'neg':
        return -this.compute(a!, timesSign(direction, -1));
      case 'abs':
        return Math.abs(this.compute(a!, timesSign(direction, this.#signOf(a!))));
      case 'min':
        return Math.min(this.compute(a!, direction), this.compute(b!, direction));
      case 'max':
        return Math.max(this.compute(a!, direction), this.compute(b!, direction));
      case 'sqrt':
        return this.#inexact(Math.sqrt(this.compute(a!, direction)), 4.5 * ULP, direction);
      case '/':
        return this.#quotient(expression, direction);
      case '*':
        return this.#product(expression, direction, false);
      default:
        return this.#sum(expression, direction);
    }
  }

  // Rounds sum + rest, where rest is at most half a unit in the last place of the double `sum`.
  #round(sum: number, rest: number, direction: Direction): number {
    const near = Math.fround(sum);
    if (!Number.isFinite(near)) throw overflow(sum);
    if (near === sum && rest === 0 && (Math.abs(near) >= MIN_NORMAL || near === 0)) return near;
    const isBelow = near < sum || (near === sum && rest >= 0);
    const other = near === sum && rest === 0 ? near : neighborOf(near, isBelow);
    let low = isBelow ? near : other;
    let high = isBelow ? other : near;
    if (!Number.isFinite(other)) throw overflow(sum);
    if (Math.min(Math.abs(low), Math.abs(high)) < MIN_NORMAL) {
      if (direction === 0 && this.random.below(2) === 0) return 0;
      low = Math.min(low, 0);
      high = Math.max(high, 0);
    }
    if (direction !== 0) return direction > 0 ? high : low;
    return this.#isTrue(this.behavior.up) ? high : low;
  }

  // Returns a float within a relative error of a double.
  #inexact(value: number, error: number, direction: Direction): number {
    if (!Number.isFinite(Math.fround(value))) throw overflow(value);
    const part = direction === 0 ? this.random.between(-1, 1) : direction;
    const moved = value + part * error * Math.abs(value);
    const near = Math.fround(moved);
    // If `near` lies beyond `moved`, returns the next float on the other side, so that the error is not
    // exceeded.
    const isBeyond = part > 0 ? near > moved : near < moved;
    return isBeyond ? neighborOf(near, part <= 0) : near;
  }

  #quotient({ a, b }: Float, direction: Direction): number {
    const [signOver, signUnder] = [this.#signOf(a!), this.#signOf(b!)];
    const over = this.compute(a!, timesSign(direction, signUnder));
    const under = this.compute(b!, timesSign(direction, -signOver));
    const exact = over / under;
    const unit = 2 ** (Math.floor(Math.log2(Math.abs(exact))) - 23);
    if (exact === 0) return 0;
    if (!(Math.abs(under) >= MIN_NORMAL && Math.abs(under) <= 2 ** 126)) throw overflow(`${over} / ${under}`);
    return this.#inexact(exact, (2.5 * unit) / Math.abs(exact), direction);
  }

  // Computes a product of two or more factors. isOpen: the last multiplication is not rounded, because the
  // product is fused into a sum.
  #product(expression: Float, direction: Direction, isOpen: boolean): number {
    if (expression.a!.operation !== '*' && expression.b!.operation !== '*')
      return this.#productOfTwo(expression.a!, expression.b!, direction, isOpen);
    const factors: Float[] = [];
    this.#collectFactors(expression, factors, true);
    const sign = factors.reduce((product, factor) => product * this.#signOf(factor), 1);
    const values = factors.map(factor =>
      this.compute(factor, timesSign(direction, sign * this.#signOf(factor))),
    );
    // Rounds each partial product so that the whole product moves in the given direction.
    while (values.length > 1) {
      const [x] = values.splice(this.#pick(values.length), 1);
      const [y] = values.splice(this.#pick(values.length), 1);
      const product = x * y;
      if (isOpen && values.length === 0) return product;
      values.unshift(this.#round(product, 0, timesSign(direction, product < 0 ? -sign : sign)));
    }
    return values[0];
  }

  #productOfTwo(a: Float, b: Float, direction: Direction, isOpen: boolean): number {
    const [signA, signB] = [this.#signOf(a), this.#signOf(b)];
    const product =
      this.compute(a, timesSign(direction, signB)) * this.compute(b, timesSign(direction, signA));
    return isOpen ? product : this.#round(product, 0, direction);
  }

  #collectFactors(expression: Float, factors: Float[], isRoot: boolean): void {
    if (expression.operation === '*' && (isRoot || this.#isTrue(this.behavior.join))) {
      this.#collectFactors(expression.a!, factors, false);
      this.#collectFactors(expression.b!, factors, false);
    } else factors.push(expression);
  }

  #pick(count: number): number {
    return this.behavior.order === 'random' ? this.random.below(count) : 0;
  }

  // Removes a number from a list: the last one, or a random one.
  #take(list: number[]): number {
    const last = list.length - 1;
    if (this.behavior.order === 'random' && last > 0) {
      const i = this.random.below(last + 1);
      const taken = list[i];
      list[i] = list[last];
      list.pop();
      return taken;
    }
    return list.pop()!;
  }

  #sum(expression: Float, direction: Direction): number {
    const terms: number[] = [];
    const open: number[] = [];
    // Terms are taken from the ends of the lists.
    this.#collectTerms(expression, 1, direction, terms, open, true);
    if (this.behavior.order === 'largestFirst') {
      terms.sort((x, y) => Math.abs(x) - Math.abs(y));
      open.sort((x, y) => Math.abs(x) - Math.abs(y));
    }
    // A fused operation adds a product to a third number. If all terms are products, one of them is rounded to
    // be this number.
    if (terms.length === 0) terms.push(this.#round(open.pop()!, 0, direction));
    while (terms.length + open.length > 1) {
      const isFusing = open.length > 0 && (terms.length < 2 || this.random.below(2) === 0);
      const x = this.#take(terms);
      const y = this.#take(isFusing ? open : terms);
      const sum = x + y;
      const back = sum - x;
      terms.push(this.#round(sum, x - (sum - back) + (y - back), direction));
    }
    return terms[0];
  }

  #collectTerms(
    expression: Float,
    sign: 1 | -1,
    direction: Direction,
    terms: number[],
    open: number[],
    isRoot: boolean,
  ): void {
    const { operation, a, b } = expression;
    const isSum = operation === '+' || operation === '-';
    // The second operand is collected first, because terms are taken from the end.
    if (operation === 'neg') this.#collectTerms(a!, -sign as 1 | -1, direction, terms, open, false);
    else if (isSum && (isRoot || this.#isTrue(this.behavior.join))) {
      this.#collectTerms(b!, (operation === '-' ? -sign : sign) as 1 | -1, direction, terms, open, false);
      this.#collectTerms(a!, sign, direction, terms, open, false);
    } else if (operation === '*' && this.#isTrue(this.behavior.fuse))
      open.push(sign * this.#product(expression, timesSign(direction, sign), true));
    else terms.push(sign * this.compute(expression, timesSign(direction, sign)));
  }
}
