// Returns the position of a coordinate in a cell along the sweep axis: the number of intervals of length
// 2^exponent from the beginning of the cell to the coordinate, from 0 to 2^positionBits - 1. The code uses
// integers only, so that the position never decreases as the coordinate increases.

// Divides the float with these bits by 2^exponent, rounds toward 0, and clamps to 31 bits.
fn multiplesOf(bits: u32, exponent: i32) -> i32 {
  let power = i32((bits >> 23u) & 255u);
  let digits = (bits & 0x7fffffu) | select(0u, 0x800000u, power > 0);
  let shift = max(power, 1) - 150 - exponent;
  var size = 0x7fffffff;
  if (digits == 0u) { size = 0; }
  else if (shift < 0) { size = i32(digits >> u32(min(-shift, 31))); }
  else if (shift <= 7) { size = i32(digits << u32(shift)); }
  return select(size, -size, bits >= 0x80000000u);
}

fn positionInCell(bits: u32, cell: u32) -> u32 {
  let multiples = multiplesOf(bits, cells[cell].exponent);
  let origin = cells[cell].origin;
  if (multiples <= origin) { return 0u; }
  return min(u32(multiples) - u32(origin), (1u << params.positionBits) - 1u);
}
