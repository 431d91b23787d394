// Boxes of a column, nearly sorted along x -> their overlapping pairs, appended to a list: each box against the later ones,
// eight at a time.
import { BoxList, BoxRecord, NOTHING, SlabJob, TILE, TILE_STRIDE } from './layout';
import { add, and, bits, le, load4, splat, splatAt } from './lanes';

// A tile's arrays, one stride after the other: offsets that the compiler knows.
const MIN_X: usize = 0;
const MIN_Y: usize = TILE_STRIDE;
const MIN_Z: usize = 2 * TILE_STRIDE;
const ID: usize = 3 * TILE_STRIDE;
const MAX_X: usize = 4 * TILE_STRIDE;
const MAX_Y: usize = 5 * TILE_STRIDE;
const MAX_Z: usize = 6 * TILE_STRIDE;
const FLAGS: usize = 7 * TILE_STRIDE;

/** disorder: how much earlier than a box a later one may start. The list counts what it has no room for. */
export function sweepColumn(job: usize, list: usize, records: usize, count: u32, disorder: f32): void {
  const tile: usize = load<u32>(list, BoxList.tileAt);
  for (let first: u32 = 0; first < count; first += TILE) {
    const size = min(count - first, TILE);
    fillTile(tile, records + <usize>first * BoxRecord.SIZE, size);
    sweepTile(job, list, records, first, first + size, tile, disorder);
  }
  store<f64>(list, load<f64>(list, BoxList.entries) + <f64>count, BoxList.entries);
}

// Records to a structure of arrays. Behind the last box stands NaN, which overlaps nothing and ends every sweep.
function fillTile(tile: usize, records: usize, count: u32): void {
  for (let i: u32 = 0; i < count; i += 4) {
    const to = tile + (<usize>i << 2), from = records + <usize>i * BoxRecord.SIZE;
    transpose(from, to);
    transpose(from + BoxRecord.maxX, to + MAX_X);
  }
  const end = tile + (<usize>count << 2);
  v128.store(end, splat(NaN));
  v128.store(end, splat(NaN), 16);
}

// The first or second half of four records, to four arrays. Beyond the last record whatever lies there is read, never used.
// @ts-ignore: decorator
@inline function transpose(from: usize, to: usize): void {
  const r0 = load4(from), r1 = load4(from, BoxRecord.SIZE), r2 = load4(from, 2 * BoxRecord.SIZE), r3 = load4(from, 3 * BoxRecord.SIZE);
  const low0 = v128.shuffle<f32>(r0, r1, 0, 4, 1, 5), low1 = v128.shuffle<f32>(r2, r3, 0, 4, 1, 5);
  const high0 = v128.shuffle<f32>(r0, r1, 2, 6, 3, 7), high1 = v128.shuffle<f32>(r2, r3, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<f32>(low0, low1, 0, 1, 4, 5));
  v128.store(to, v128.shuffle<f32>(low0, low1, 2, 3, 6, 7), TILE_STRIDE);
  v128.store(to, v128.shuffle<f32>(high0, high1, 0, 1, 4, 5), 2 * TILE_STRIDE);
  v128.store(to, v128.shuffle<f32>(high0, high1, 2, 3, 6, 7), 3 * TILE_STRIDE);
}

// Boxes 0 <= i < last against those of the tile, first <= j < last, that come after them.
function sweepTile(job: usize, list: usize, records: usize, first: u32, last: u32, tile: usize, disorder: f32): void {
  const table: usize = load<u32>(job, SlabJob.packTableAt);
  const secondFrom = load<u32>(job, SlabJob.secondFrom);
  const base = i32x4.splat(secondFrom == NOTHING ? 0 : secondFrom);
  const outA: usize = load<u32>(list, BoxList.pairsAAt), outB: usize = load<u32>(list, BoxList.pairsBAt);
  const capacity = load<u32>(list, BoxList.pairsCapacity), before = load<f64>(list, BoxList.found);
  // Output has room for one box's pairs beyond its capacity: whoever begins within it can write them all. Then pairs are only counted.
  let top: u32 = before < <f64>capacity ? <u32>before : capacity;
  let counted: u64 = 0, tested: u64 = 0;
  const written = top, start = load<f32>(tile);
  let own = records;
  for (let i: u32 = 0; i < last; i++, own += BoxRecord.SIZE) {
    // Of an earlier tile, and over before this one starts?
    if (i < first && load<f32>(own, BoxRecord.maxX) + disorder < start) continue;
    const minX = splatAt(own, BoxRecord.minX), maxX = splatAt(own, BoxRecord.maxX), minY = splatAt(own, BoxRecord.minY);
    const maxY = splatAt(own, BoxRecord.maxY), minZ = splatAt(own, BoxRecord.minZ), maxZ = splatAt(own, BoxRecord.maxZ);
    const flags = splatAt(own, BoxRecord.flags), id = splatAt(own, BoxRecord.id);
    const limit = add(maxX, splat(disorder));
    const from = tile + (<usize>(max(i + 1, first) - first) << 2);
    let at = from, isOver = false;
    if (top < capacity) {
      do {
        const starts = load4(at), nextStarts = load4(at, 16);
        const hits = overlaps(at, starts, minX, maxX, minY, maxY, minZ, maxZ, flags);
        const nextHits = overlaps(at + 16, nextStarts, minX, maxX, minY, maxY, minZ, maxZ, flags);
        append(table, outA, outB, top, hits, id, load4(at, ID), base);
        top += popcnt(hits);
        append(table, outA, outB, top, nextHits, id, load4(at, ID + 16), base);
        top += popcnt(nextHits);
        at += 32;
        isOver = bits(and(le(starts, limit), le(nextStarts, limit))) != 15;
      } while (!isOver);
    } else {
      do {
        const starts = load4(at), nextStarts = load4(at, 16);
        const hits = overlaps(at, starts, minX, maxX, minY, maxY, minZ, maxZ, flags);
        const nextHits = overlaps(at + 16, nextStarts, minX, maxX, minY, maxY, minZ, maxZ, flags);
        counted += <u64>popcnt(hits | (nextHits << 4));
        at += 32;
        isOver = bits(and(le(starts, limit), le(nextStarts, limit))) != 15;
      } while (!isOver);
    }
    tested += <u64>(at - from);
  }
  store<f64>(list, before + <f64>(top - written) + <f64>counted, BoxList.found);
  store<f64>(list, load<f64>(list, BoxList.tests) + 0.25 * <f64>tested, BoxList.tests);
}

// Which of four boxes overlap the one whose bounds are given, and share no flag with it.
// @ts-ignore: decorator
@inline function overlaps(at: usize, starts: v128, minX: v128, maxX: v128, minY: v128, maxY: v128, minZ: v128, maxZ: v128, flags: v128): i32 {
  const x = and(le(starts, maxX), le(minX, load4(at, MAX_X)));
  const y = and(le(load4(at, MIN_Y), maxY), le(minY, load4(at, MAX_Y)));
  const z = and(le(load4(at, MIN_Z), maxZ), le(minZ, load4(at, MAX_Z)));
  return bits(and(and(and(x, y), z), i32x4.eq(and(load4(at, FLAGS), flags), i32x4.splat(0))));
}

/** Left-packed: those of four others that were hit, each with `id`, lesser number first; base: what the second set's numbers begin at. */
// @ts-ignore: decorator
@inline export function append(table: usize, outA: usize, outB: usize, top: u32, hits: i32, id: v128, others: v128, base: v128): void {
  const pack = v128.load(table + (<usize>hits << 4));
  v128.store(outA + (<usize>top << 2), i8x16.swizzle(i32x4.min_u(id, others), pack));
  v128.store(outB + (<usize>top << 2), i8x16.swizzle(i32x4.sub(i32x4.max_u(id, others), base), pack));
}
