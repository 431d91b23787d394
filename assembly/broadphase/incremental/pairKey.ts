// Returns a pair as one number. Sorting by these numbers sorts pairs by a, then b.

export function keyOf(aAt: usize, bAt: usize): u64 {
  return ((<u64>load<u32>(aAt)) << 32) | load<u32>(bAt);
}
