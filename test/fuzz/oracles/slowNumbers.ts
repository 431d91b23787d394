// Parses numbers in text files with JavaScript's own parser, for comparison with pfront's parser.

/** Returns a word as a number; NaN if the word is not a number, or if its float32 value is not finite. */
export function asCoordinate(word: string): number {
  if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(word)) return NaN;
  const value = Number(word);
  return Number.isFinite(Math.fround(value)) ? value : NaN;
}
