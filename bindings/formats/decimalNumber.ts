// Reads decimal numbers in text files. JavaScript's own conversion also accepts other text, such as 0x10.

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/** Returns the decimal number that a word is, such as `-1.5e3`, or NaN. */
export function decimalNumber(word: string): number {
  return DECIMAL.test(word) ? Number(word) : NaN;
}
