// A slow matcher for patterns with stars. It shares no code with pfront, so that the two can be compared.

/** Returns whether a pattern matches all of a word; `*` matches any characters. */
export function slowMatch(pattern: string, word: string): boolean {
  // reachable[i]: whether the first k characters of the pattern match the first i characters of the word.
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
