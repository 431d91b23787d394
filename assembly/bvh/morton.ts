// Computes Morton codes: the position of a grid cell along the Z-order curve.

/**
 * Returns the 30-bit Morton code of a cell: the interleaved bits 0 to 9 of lanes x, y and z, with x highest.
 * The last lane is ignored.
 */
export function mortonCode(cells: v128): u32 {
  const bits = spread(v128.and(cells, i32x4.splat(1023)));
  return <u32>(
    ((i32x4.extract_lane(bits, 0) << 2) | (i32x4.extract_lane(bits, 1) << 1) | i32x4.extract_lane(bits, 2))
  );
}

// Spreads bits 0 to 9 of each lane to every third bit.
function spread(x: v128): v128 {
  x = v128.and(v128.or(x, i32x4.shl(x, 16)), i32x4.splat(0x030000ff));
  x = v128.and(v128.or(x, i32x4.shl(x, 8)), i32x4.splat(0x0300f00f));
  x = v128.and(v128.or(x, i32x4.shl(x, 4)), i32x4.splat(0x030c30c3));
  return v128.and(v128.or(x, i32x4.shl(x, 2)), i32x4.splat(0x09249249));
}
