// Numbers in text files, read with the parser of JavaScript.

/** Returns a word as a float32 number; NaN if it is not one, or not finite. */
export function asCoordinate(word: string): number {
  if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(word)) return NaN;
  const value = Math.fround(Number(word));
  return Number.isFinite(value) ? value : NaN;
}
