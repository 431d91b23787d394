// Matches words against patterns in which `*` matches any characters.

/** Returns a function that tells whether a word matches the pattern. */
export function pattern(text: string): (word: string) => boolean {
  const pieces = text.split(/\*+/);
  return word => isMatch(word, pieces);
}

// Returns whether a word matches a pattern that was split at its stars. Each piece is matched at its first
// occurrence after the previous piece, because that leaves the longest remainder for the later pieces. A
// regular expression is not used, because a pattern with many stars could then take exponential time.
function isMatch(word: string, pieces: string[]): boolean {
  const first = pieces[0];
  const last = pieces[pieces.length - 1];
  if (pieces.length === 1) return word === first;
  const end = word.length - last.length;
  if (first.length > end || !word.startsWith(first) || !word.endsWith(last)) return false;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = word.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}
