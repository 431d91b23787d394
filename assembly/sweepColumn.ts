// Boxes of a column, nearly sorted along x -> their overlapping pairs, appended to a list: each box against the later ones, by
// cells, eight at a time; those that may overlap, by their own bounds.
import { and, load4 } from './lanes';
import { BoxList, MOST_CANDIDATES, NOTHING, SlabJob, SWEEP_CELLS, SweptBox, TILE, TILE_STRIDE } from './layout';
import { FLAGS, FLAG_BITS, MAX_X, MAX_Y, MAX_Z, MIN_X, MIN_Y, MIN_Z, boundsOverlap, idOf, surelyOverlap } from './sweptBox';

// A tile's arrays, one stride after the other: offsets that the compiler knows.
// @ts-ignore: decorator
@inline const TILE_MIN_X: usize = 0;
// @ts-ignore: decorator
@inline const TILE_MIN_Y: usize = TILE_STRIDE;
// @ts-ignore: decorator
@inline const TILE_MIN_Z: usize = 2 * TILE_STRIDE;
// @ts-ignore: decorator
@inline const TILE_MAX_Y: usize = 3 * TILE_STRIDE;
// @ts-ignore: decorator
@inline const TILE_MAX_Z: usize = 4 * TILE_STRIDE;
// @ts-ignore: decorator
@inline const TILE_FLAGS: usize = 5 * TILE_STRIDE;
// Behind them two arrays of places in their tiles: who may overlap whom.
// @ts-ignore: decorator
@inline const OWN: usize = 6 * TILE_STRIDE;
// @ts-ignore: decorator
@inline const OTHER: usize = OWN + 2 * MOST_CANDIDATES + 16;

/** Boxes whose starts differ in bits of `disorder` alone may stand in any order. The list counts what it has no room for. */
export function sweepColumn(job: usize, list: usize, boxes: usize, count: u32, disorder: u32): void {
  const tile: usize = load<u32>(list, BoxList.tileAt);
  for (let first: u32 = 0; first < count; first += TILE) {
    const size = min(count - first, TILE), others = boxes + <usize>first * SweptBox.SIZE;
    fillTile(tile, others, size);
    for (let own: u32 = 0; own <= first; own += TILE) {
      sweepTile(job, list, boxes + <usize>own * SweptBox.SIZE, min(count - own, TILE), others, tile, disorder);
    }
  }
  store<f64>(list, load<f64>(list, BoxList.entries) + <f64>count, BoxList.entries);
}

// Boxes to a structure of arrays. Behind the last one stands a start beyond all cells, which overlaps nothing and ends every sweep.
function fillTile(tile: usize, boxes: usize, count: u32): void {
  for (let i: usize = 0; i < <usize>count; i += 8) transpose(boxes + i * SweptBox.SIZE, tile + (i << 1));
  v128.store(tile + (<usize>count << 1), i16x8.splat(0x7fff));
}

// Eight boxes to the tile's arrays. Beyond the last box whatever lies there is read, never used.
// @ts-ignore: decorator
@inline function transpose(from: usize, to: usize): void {
  const b0 = load4(from), b1 = load4(from, 16), b2 = load4(from, 32), b3 = load4(from, 48);
  const b4 = load4(from, 64), b5 = load4(from, 80), b6 = load4(from, 96), b7 = load4(from, 112);
  const low01 = lowHalves(b0, b1), low23 = lowHalves(b2, b3), low45 = lowHalves(b4, b5), low67 = lowHalves(b6, b7);
  const high01 = highHalves(b0, b1), high23 = highHalves(b2, b3), high45 = highHalves(b4, b5), high67 = highHalves(b6, b7);
  // Cells 0 and 1, 2 and 3, 4 and 5 of four boxes each, then the tags' halves.
  const first0 = lowWords(low01, low23), first4 = lowWords(low45, low67), second0 = highWords(low01, low23), second4 = highWords(low45, low67);
  const third0 = lowWords(high01, high23), third4 = lowWords(high45, high67), tags0 = highWords(high01, high23), tags4 = highWords(high45, high67);
  v128.store(to, lowPairs(first0, first4), TILE_MIN_X);
  v128.store(to, highPairs(first0, first4), TILE_MIN_Y);
  v128.store(to, lowPairs(second0, second4), TILE_MIN_Z);
  v128.store(to, lowPairs(third0, third4), TILE_MAX_Y);
  v128.store(to, highPairs(third0, third4), TILE_MAX_Z);
  v128.store(to, highPairs(tags0, tags4), TILE_FLAGS);
}

// @ts-ignore: decorator
@inline function lowHalves(a: v128, b: v128): v128 { return v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11); }
// @ts-ignore: decorator
@inline function highHalves(a: v128, b: v128): v128 { return v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15); }
// @ts-ignore: decorator
@inline function lowWords(a: v128, b: v128): v128 { return v128.shuffle<i32>(a, b, 0, 4, 1, 5); }
// @ts-ignore: decorator
@inline function highWords(a: v128, b: v128): v128 { return v128.shuffle<i32>(a, b, 2, 6, 3, 7); }
// @ts-ignore: decorator
@inline function lowPairs(a: v128, b: v128): v128 { return v128.shuffle<i64>(a, b, 0, 2); }
// @ts-ignore: decorator
@inline function highPairs(a: v128, b: v128): v128 { return v128.shuffle<i64>(a, b, 1, 3); }

// `count` boxes against those of the tile that come after them. Both are whole tiles, or end where the column does.
function sweepTile(job: usize, list: usize, boxes: usize, count: u32, others: usize, tile: usize, disorder: u32): void {
  const table = <usize>load<u32>(job, SlabJob.packTableAt) + 256;
  const isOwn = boxes == others, start = <u32>load<u16>(others, MIN_X);
  let top: usize = 0, tested: usize = 0;
  for (let i: u32 = 0; i < count; i++) {
    const box = boxes + <usize>i * SweptBox.SIZE;
    const limit = min(<u32>load<u16>(box, MAX_X) | disorder, SWEEP_CELLS - 1);
    // Of an earlier tile, and over before this one starts?
    if (!isOwn && limit < (start & ~disorder)) continue;
    const maxX = v128.load16_splat(box, MAX_X), minY = v128.load16_splat(box, MIN_Y), maxY = v128.load16_splat(box, MAX_Y);
    const minZ = v128.load16_splat(box, MIN_Z), maxZ = v128.load16_splat(box, MAX_Z);
    const flags = and(v128.load16_splat(box, FLAGS), i16x8.splat(FLAG_BITS)), own = i16x8.splat(<i16>i);
    const from = isOwn ? i + 1 : 0;
    const begin = tile + (<usize>from << 1);
    let at = begin, places = i16x8.add(i16x8.splat(<i16>from), i16x8(0, 1, 2, 3, 4, 5, 6, 7)), last: u32;
    do {
      const hits = near(at, maxX, minY, maxY, minZ, maxZ, flags), to = tile + (top << 1);
      v128.store(to, own, OWN);
      v128.store(to, i8x16.swizzle(places, v128.load(table + (<usize>hits << 4))), OTHER);
      top += popcnt(hits);
      places = i16x8.add(places, i16x8.splat(8));
      last = <u32>load<u16>(at, TILE_MIN_X + 14);
      at += 16;
    } while (last <= limit);
    tested += at - begin;
    // The next box may find a whole tile.
    if (top > MOST_CANDIDATES - TILE) {
      settle(job, list, boxes, others, tile, top);
      top = 0;
    }
  }
  settle(job, list, boxes, others, tile, top);
  store<f64>(list, load<f64>(list, BoxList.tests) + 0.5 * <f64>tested, BoxList.tests);
}

// Which of eight boxes of a tile are near the one whose cells are given, and share no flag with it.
// @ts-ignore: decorator
@inline function near(at: usize, maxX: v128, minY: v128, maxY: v128, minZ: v128, maxZ: v128, flags: v128): i32 {
  const apart = v128.or(
    v128.or(i16x8.gt_s(v128.load(at, TILE_MIN_X), maxX), i16x8.gt_s(v128.load(at, TILE_MIN_Y), maxY)),
    v128.or(v128.or(i16x8.gt_s(minY, v128.load(at, TILE_MAX_Y)), i16x8.gt_s(v128.load(at, TILE_MIN_Z), maxZ)),
      v128.or(i16x8.gt_s(minZ, v128.load(at, TILE_MAX_Z)), and(flags, v128.load(at, TILE_FLAGS)))));
  // V8's mask of sixteen bits waits for a register that the last swizzle wrote: every step would wait for the one before.
  return i8x16.bitmask(i8x16.narrow_i16x8_s(i16x8.eq(apart, i16x8.splat(0)), i16x8.splat(0)));
}

// Those who may overlap: do they? Output has room for all of them beyond its capacity: whoever begins within it can write them
// all. Then pairs are only counted.
function settle(job: usize, list: usize, boxes: usize, others: usize, tile: usize, count: usize): void {
  const secondFrom = load<u32>(job, SlabJob.secondFrom), base = secondFrom == NOTHING ? 0 : secondFrom, bounds: usize = load<u32>(job, SlabJob.boxesAt);
  const before = load<f64>(list, BoxList.found), end = tile + (count << 1);
  let found: usize = 0;
  if (before < <f64>load<u32>(list, BoxList.pairsCapacity)) {
    const outA: usize = load<u32>(list, BoxList.pairsAAt), toB = <usize>load<u32>(list, BoxList.pairsBAt) - outA, first = outA + (<usize>before << 2);
    let to = first;
    for (let at = tile; at < end; at += 2) {
      const a = boxes + (<usize>load<u16>(at, OWN) << 4), b = others + (<usize>load<u16>(at, OTHER) << 4);
      const idA = idOf(a), idB = idOf(b);
      store<u32>(to, min(idA, idB));
      store<u32>(to + toB, max(idA, idB) - base);
      to += usize(surelyOverlap(a, b) || boundsOverlap(bounds, a, b)) << 2;
    }
    found = (to - first) >> 2;
  } else {
    for (let at = tile; at < end; at += 2) {
      const a = boxes + (<usize>load<u16>(at, OWN) << 4), b = others + (<usize>load<u16>(at, OTHER) << 4);
      found += usize(surelyOverlap(a, b) || boundsOverlap(bounds, a, b));
    }
  }
  store<f64>(list, before + <f64>found, BoxList.found);
}
