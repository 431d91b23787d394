// Boxes of a column, nearly sorted along x -> their overlapping pairs, appended to a list: each box against the later ones,
// eight at a time.
import { BoxBlock, BoxList, NOTHING, SlabJob } from './layout';
import { add, and, bits, le, load4, splat, splatAt } from './lanes';

// Which of a block's four boxes overlap the one whose bounds are given, and share no flag with it.
// @ts-ignore: decorator
@inline function overlaps(block: usize, starts: v128, minX: v128, maxX: v128, minY: v128, maxY: v128, minZ: v128, maxZ: v128, flags: v128): v128 {
  const x = and(le(starts, maxX), le(minX, load4(block, BoxBlock.maxX)));
  const y = and(le(load4(block, BoxBlock.minY), maxY), le(minY, load4(block, BoxBlock.maxY)));
  const z = and(le(load4(block, BoxBlock.minZ), maxZ), le(minZ, load4(block, BoxBlock.maxZ)));
  return and(and(and(x, y), z), i32x4.eq(and(load4(block, BoxBlock.flags), flags), i32x4.splat(0)));
}

/** Entries first <= i < last. disorder: how much earlier than a box any later one may start. The list counts what it has no room for. */
export function sweepColumn(job: usize, list: usize, blocks: usize, first: u32, last: u32, disorder: f32): void {
  const table: usize = load<u32>(job, SlabJob.packTableAt);
  const secondFrom = load<u32>(job, SlabJob.secondFrom);
  const base = i32x4.splat(secondFrom == NOTHING ? 0 : secondFrom);
  const outA: usize = load<u32>(list, BoxList.pairsAAt), outB: usize = load<u32>(list, BoxList.pairsBAt);
  const capacity = load<u32>(list, BoxList.pairsCapacity);
  const before = load<f64>(list, BoxList.found);
  let top: u32 = before < <f64>capacity ? <u32>before : capacity;
  let found: u64 = 0, steps: u64 = 0;
  for (let i = first; i < last; i++) {
    let block = blocks + <usize>(i >> 2) * BoxBlock.SIZE;
    const own = block + (<usize>(i & 3) << 2);
    const minX = splatAt(own, BoxBlock.minX), maxX = splatAt(own, BoxBlock.maxX), minY = splatAt(own, BoxBlock.minY);
    const maxY = splatAt(own, BoxBlock.maxY), minZ = splatAt(own, BoxBlock.minZ), maxZ = splatAt(own, BoxBlock.maxZ);
    const flags = splatAt(own, BoxBlock.flags), id = splatAt(own, BoxBlock.id);
    const limit = add(maxX, splat(disorder));
    let later = i32x4.gt_s(i32x4(0, 1, 2, 3), i32x4.splat(i & 3));
    for (;; block += 2 * BoxBlock.SIZE) {
      const next = block + BoxBlock.SIZE;
      const starts = load4(block, BoxBlock.minX), nextStarts = load4(next, BoxBlock.minX);
      const hits = bits(and(later, overlaps(block, starts, minX, maxX, minY, maxY, minZ, maxZ, flags)));
      const nextHits = bits(overlaps(next, nextStarts, minX, maxX, minY, maxY, minZ, maxZ, flags));
      append(table, outA, outB, top, hits, id, load4(block, BoxBlock.id), base);
      const count = popcnt(hits);
      top = min(top + count, capacity);
      append(table, outA, outB, top, nextHits, id, load4(next, BoxBlock.id), base);
      const nextCount = popcnt(nextHits);
      top = min(top + nextCount, capacity);
      found += <u64>(count + nextCount);
      steps++;
      if (bits(and(le(starts, limit), le(nextStarts, limit))) != 15) break;
      later = i32x4.splat(-1);
    }
  }
  store<f64>(list, before + <f64>found, BoxList.found);
  store<f64>(list, load<f64>(list, BoxList.tests) + 8 * <f64>steps, BoxList.tests);
  store<f64>(list, load<f64>(list, BoxList.entries) + <f64>(last - first), BoxList.entries);
}

// Output has room for one store beyond its capacity: what has no room is written there, again and again.
// @ts-ignore: decorator
@inline function append(table: usize, outA: usize, outB: usize, top: u32, hits: i32, id: v128, others: v128, base: v128): void {
  const pack = v128.load(table + (<usize>hits << 4));
  v128.store(outA + (<usize>top << 2), i8x16.swizzle(i32x4.min_u(id, others), pack));
  v128.store(outB + (<usize>top << 2), i8x16.swizzle(i32x4.sub(i32x4.max_u(id, others), base), pack));
}
