// Multiplies finite doubles, including denormals, by one common power of two, so that all become integers.
// This involves no rounding.

const bits = new DataView(new ArrayBuffer(8));

/** Returns the integers for which the finite double `value` equals mantissa * 2^exponent. */
export function splitDouble(value: number): { mantissa: bigint; exponent: number } {
  if (!Number.isFinite(value)) throw new RangeError(`${value} is not finite`);
  bits.setFloat64(0, value);
  const word = bits.getBigUint64(0);
  const biased = Number((word >> 52n) & 0x7ffn);
  const fraction = word & 0xfffffffffffffn;
  const magnitude = biased === 0 ? fraction : fraction | 0x10000000000000n;
  return { mantissa: word >> 63n ? -magnitude : magnitude, exponent: Math.max(biased, 1) - 1075 };
}

export function toIntegers(values: ArrayLike<number>): bigint[] {
  const parts = Array.from(values, splitDouble);
  const minimum = parts.reduce(
    (min, part) => (part.mantissa === 0n ? min : Math.min(min, part.exponent)),
    Infinity,
  );
  return parts.map(part => (part.mantissa === 0n ? 0n : part.mantissa << BigInt(part.exponent - minimum)));
}
