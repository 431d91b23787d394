// Returns the pair of the words at two addresses, a and b, as one 64-bit number. Sorting by these numbers
// sorts pairs by a, then by b.

export function keyOf(aAt: usize, bAt: usize): u64 {
  return ((<u64>load<u32>(aAt)) << 32) | load<u32>(bAt);
}
