// Bits of a float32 -> how far from a cell's beginning it lies, in 2^placeBits steps: whole numbers alone, so that what lies farther never comes first.

// The greatest multiple of 2^exponent that is no greater, and how many times; what is too large is the largest.
fn multiplesOf(bits: u32, exponent: i32) -> i32 {
  let power = i32((bits >> 23u) & 255u);
  let digits = (bits & 0x7fffffu) | select(0u, 0x800000u, power > 0);
  let shift = max(power, 1) - 150 - exponent;
  let isNegative = bits >= 0x80000000u;
  if (digits == 0u) { return 0; }
  if (shift > 7) { return select(0x7fffffff, -0x7fffffff, isNegative); }
  if (shift >= 0) {
    let size = i32(digits << u32(shift));
    return select(size, -size, isNegative);
  }
  let drop = u32(min(-shift, 31));
  // Downward, on either side of 0.
  if (isNegative) { return -i32((digits + (1u << drop) - 1u) >> drop); }
  return i32(digits >> drop);
}

fn placeInCell(bits: u32, cell: u32) -> u32 {
  let multiples = multiplesOf(bits, cells[cell].exponent);
  let origin = cells[cell].origin;
  if (multiples <= origin) { return 0u; }
  return min(u32(multiples) - u32(origin), (1u << params.placeBits) - 1u);
}
