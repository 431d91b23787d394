// Appends up to four pairs of one box to a list without a branch.

/**
 * Pairs the box `id` with each of four others whose bit in `hits` is set, and writes the pairs from index
 * `top` on, smaller id first. Four pairs are always stored; the unused ones are overwritten later. base: the
 * first id of the second set, or 0; it is subtracted from the larger id.
 */
export function appendPairs(
  table: usize,
  outA: usize,
  outB: usize,
  top: u32,
  hits: i32,
  id: v128,
  others: v128,
  base: v128,
): void {
  const pack = v128.load(table + ((<usize>hits) << 4));
  v128.store(outA + ((<usize>top) << 2), i8x16.swizzle(i32x4.min_u(id, others), pack));
  v128.store(outB + ((<usize>top) << 2), i8x16.swizzle(i32x4.sub(i32x4.max_u(id, others), base), pack));
}
