// A slow matcher of patterns with stars, which shares no code with the product.

/** Returns whether a pattern matches all of a word; `*` matches any characters. */
export function slowMatch(pattern: string, word: string): boolean {
  // reachable[i]: the pattern so far matches the first i characters.
  let reachable = Array.from({ length: word.length + 1 }, (_, i) => i === 0);
  for (let k = 0; k < pattern.length; k++) {
    const next = reachable.map(() => false);
    for (let i = 0; i <= word.length; i++) {
      if (pattern[k] === '*') next[i] = reachable[i] || (i > 0 && next[i - 1]);
      else if (i > 0) next[i] = reachable[i - 1] && pattern[k] === word[i - 1];
    }
    reachable = next;
  }
  return reachable[word.length];
}
