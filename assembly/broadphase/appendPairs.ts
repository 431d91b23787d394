// Appends to a list the pairs of one box with up to four other boxes, without a branch.

/**
 * Pairs the box `id` with each of the four boxes `others` whose bit in `hits` is set. The pairs are written
 * from index `top` on. The smaller id of a pair goes to outA, and the larger id minus `base` goes to outB.
 * Always stores four pairs; later pairs overwrite the unused ones. base: if there are two sets of boxes, the
 * first id of the second set; otherwise 0. table: for each value of `hits`, the byte shuffle that moves the
 * ids of the hit boxes to the front.
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
