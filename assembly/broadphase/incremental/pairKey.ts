// Combines the words a and b at two addresses into one 64-bit key, with a in the high bits. Sorting by these
// keys sorts pairs by a, then by b.

export function keyOf(aAt: usize, bAt: usize): u64 {
  return ((<u64>load<u32>(aAt)) << 32) | load<u32>(bAt);
}
