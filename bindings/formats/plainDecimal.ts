// Writes small numbers without an exponent, because few readers of a table want exponents.

/**
 * Writes a number as `String` does, except that a number with a magnitude below 1e-6 gets zeros after the
 * decimal point instead of an exponent.
 */
export function plainDecimal(value: number): string {
  const text = String(value);
  const small = /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/.exec(text);
  if (!small) return text;
  const [, sign, first, rest = '', exponent] = small;
  return `${sign}0.${'0'.repeat(Number(exponent) - 1)}${first}${rest}`;
}
