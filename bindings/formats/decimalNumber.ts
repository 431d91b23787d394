// Reads decimal numbers in text files. JavaScript's own conversion also accepts other text, such as 0x10.

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/** Converts a decimal number such as `-1.5e3` from text. Returns NaN if the word is not a decimal number. */
export function decimalNumber(word: string): number {
  return DECIMAL.test(word) ? Number(word) : NaN;
}
