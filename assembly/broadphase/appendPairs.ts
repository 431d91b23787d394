// Which of four boxes were hit -> their pairs with one other box, appended to a list without a branch.

/**
 * Left-packed: those of four others that were hit, each with `id`, lesser number first; base: what the second
 * set's numbers begin at.
 */
export function append(
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
