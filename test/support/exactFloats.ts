// Computes with rational numbers (over / under) * 2^exponent without rounding. The numbers are BigInts.

export interface Exact {
  readonly over: bigint;
  readonly under: bigint;
  readonly exponent: number;
}

const bits = new DataView(new ArrayBuffer(8));
const make = (over: bigint, under: bigint, exponent: number): Exact => ({ over, under, exponent });
const sizeOf = (value: bigint): bigint => (value < 0n ? -value : value);

export const ZERO = make(0n, 1n, 0);

/** Returns the exact value of a finite double. */
export function exactOf(value: number): Exact {
  if (value === 0) return ZERO;
  if (Number.isSafeInteger(value)) return make(BigInt(value), 1n, 0);
  if (!Number.isFinite(value)) throw new RangeError(`${value} is not finite`);
  bits.setFloat64(0, value);
  const high = bits.getUint32(0);
  const biased = (high >>> 20) & 2047;
  const mantissa = (biased === 0 ? 0 : 2 ** 52) + (high & 0xfffff) * 2 ** 32 + bits.getUint32(4);
  // A float32 has 29 zeros at the end.
  const isShort = mantissa % 2 ** 29 === 0;
  const whole = BigInt(isShort ? mantissa / 2 ** 29 : mantissa);
  return make(high >>> 31 ? -whole : whole, 1n, Math.max(biased, 1) - (isShort ? 1046 : 1075));
}

export function plus(a: Exact, b: Exact): Exact {
  if (a.over === 0n) return b;
  if (b.over === 0n) return a;
  const exponent = Math.min(a.exponent, b.exponent);
  const first = a.over << BigInt(a.exponent - exponent);
  const second = b.over << BigInt(b.exponent - exponent);
  if (a.under === b.under) return make(first + second, a.under, exponent);
  return make(first * b.under + second * a.under, a.under * b.under, exponent);
}

export const negated = (a: Exact): Exact => make(-a.over, a.under, a.exponent);
export const minus = (a: Exact, b: Exact): Exact => plus(a, negated(b));
export const times = (a: Exact, b: Exact): Exact =>
  make(a.over * b.over, a.under * b.under, a.exponent + b.exponent);
export function dividedBy(a: Exact, b: Exact): Exact {
  const isNegative = b.over < 0n;
  return make((isNegative ? -a.over : a.over) * b.under, a.under * sizeOf(b.over), a.exponent - b.exponent);
}
export const absolute = (a: Exact): Exact => (a.over < 0n ? negated(a) : a);
export const compare = (a: Exact, b: Exact): number => {
  const { over } = minus(a, b);
  return over > 0n ? 1 : over < 0n ? -1 : 0;
};
export const larger = (a: Exact, b: Exact): Exact => (compare(a, b) < 0 ? b : a);
export const smaller = (a: Exact, b: Exact): Exact => (compare(a, b) > 0 ? b : a);
export const sumOf = (all: readonly Exact[]): Exact => all.reduce(plus, ZERO);

// Returns [digits, power]: the value is about digits * 2^power.
function leading(value: bigint): [number, number] {
  const digits = Number(value);
  if (Number.isFinite(digits)) return [digits, 0];
  const power = value.toString(16).length * 4 - 60;
  return [Number(value >> BigInt(power)), power];
}

/** Returns a double near the value, with a relative error of less than 2^-48. For messages and ratios. */
export function nearbyDouble({ over, under, exponent }: Exact): number {
  const [top, topShift] = leading(sizeOf(over));
  const [bottom, bottomShift] = leading(under);
  const power = exponent + topShift - bottomShift;
  const value = (over < 0n ? -top : top) / bottom;
  return value * 2 ** Math.trunc(power / 2) * 2 ** (power - Math.trunc(power / 2));
}

/** Returns an exact number that is at least the square root of a nonnegative number, and close to it. */
export function rootAbove(square: Exact): Exact {
  if (square.over === 0n) return ZERO;
  let { over, exponent } = square;
  if (exponent % 2 !== 0) {
    over *= 2n;
    exponent--;
  }
  // Integer square root of over / under, with 80 more bits.
  const target = (over << 160n) / square.under + 1n;
  let root = 1n << BigInt(Math.ceil(target.toString(2).length / 2));
  for (;;) {
    const next = (root + target / root) >> 1n;
    if (next >= root) break;
    root = next;
  }
  return make(root + 1n, 1n, exponent / 2 - 80);
}
