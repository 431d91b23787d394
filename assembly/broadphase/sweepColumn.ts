// Finds the overlapping pairs among the boxes of one column. The boxes are nearly sorted along the sweep axis.
// Tests each box against the boxes after it, eight at a time, by comparing the 15-bit cell numbers of their
// bounds. If no axis separates the cells of two boxes, but on some axis the first cell of one box equals the
// last cell of the other (a tie), the original float bounds decide.

import {
  BOX_BITS,
  BoxList,
  MAX_BLOCKS,
  MAX_FOUND,
  NOTHING,
  PairBlocks,
  SapBox,
  SlabJob,
  TILE,
  TILE_STRIDE,
} from '../records';
import { and, load4 } from '../simd/lanes';
import { reserveSpace } from './pairBlocks';
import { boundsOverlap, FLAGS, FLAGS_FROM, idOf, MAX_X, MAX_Y, MAX_Z, MIN_X, MIN_Y, MIN_Z } from './sapBox';

// A tile holds up to TILE boxes as a structure of arrays. These are the byte offsets of its arrays.
const TILE_MIN_X: usize = 0;
const TILE_MIN_Y: usize = TILE_STRIDE;
const TILE_MIN_Z: usize = 2 * TILE_STRIDE;
const TILE_MAX_X: usize = 3 * TILE_STRIDE;
const TILE_MAX_Y: usize = 4 * TILE_STRIDE;
const TILE_MAX_Z: usize = 5 * TILE_STRIDE;
const TILE_FLAGS: usize = 6 * TILE_STRIDE;
// A block is eight boxes of the tile. After the arrays comes a list of entries. An entry stands for the
// candidate pairs of one box with the boxes of one block; the single box comes earlier in the column. An entry
// has two words. The lower 16 bits of the first word are the result of `testBlock`; the upper 16 bits are the
// position of the earlier box within its tile. The second word is the address of the block.
const BLOCKS: usize = 7 * TILE_STRIDE;
// After this list come the pairs to write: the ids of the earlier boxes (their indices among all boxes), then
// the byte offsets of the later boxes in each array of the tile.
const EARLIER_IDS: usize = BLOCKS + 8 * MAX_BLOCKS + TILE + 16;
const LATER_OFFSETS: usize = EARLIER_IDS + 4 * MAX_FOUND + 32;

/**
 * Finds the pairs of one column. disorder: a mask of low bits; boxes whose first cells differ only in these
 * bits may be in any order. Pairs beyond the list's capacity are only counted.
 */
export function sweepColumn(job: usize, list: usize, boxes: usize, count: u32, disorder: u32): void {
  const tile: usize = load<u32>(list, BoxList.tileAt);
  for (let first: u32 = 0; first < count; first += TILE) {
    const size = min(count - first, TILE);
    const others = boxes + <usize>first * SapBox.SIZE;
    fillTile(tile, others, size);
    for (let own: u32 = 0; own < first; own += TILE)
      sweepEarlier(job, list, boxes + <usize>own * SapBox.SIZE, others, tile, disorder);
    sweepOwn(job, list, others, size, tile, disorder);
  }
  store<f64>(list, load<f64>(list, BoxList.entries) + <f64>count, BoxList.entries);
}

// Converts boxes to a structure of arrays. The last box is followed by sentinels. They start beyond all
// cells, which ends every sweep, and they overlap no box.
function fillTile(tile: usize, boxes: usize, count: u32): void {
  for (let i: usize = 0; i < <usize>count; i += 8) transpose(boxes + i * SapBox.SIZE, tile + (i << 1));
  v128.store(tile + ((<usize>count) << 1), i16x8.splat(-0x8000), TILE_MIN_X);
  v128.store(tile + ((<usize>count) << 1), i16x8.splat(0x7fff), TILE_MIN_Y);
}

// Transposes eight boxes into the tile's arrays. After the last box, arbitrary memory is read as boxes.
// `fillTile` turns these boxes into sentinels, so their other values do not matter.
function transpose(from: usize, to: usize): void {
  const b0 = load4(from);
  const b1 = load4(from, 16);
  const b2 = load4(from, 32);
  const b3 = load4(from, 48);
  const b4 = load4(from, 64);
  const b5 = load4(from, 80);
  const b6 = load4(from, 96);
  const b7 = load4(from, 112);
  const low01 = lowHalves(b0, b1);
  const low23 = lowHalves(b2, b3);
  const low45 = lowHalves(b4, b5);
  const low67 = lowHalves(b6, b7);
  const high01 = highHalves(b0, b1);
  const high23 = highHalves(b2, b3);
  const high45 = highHalves(b4, b5);
  const high67 = highHalves(b6, b7);
  // Each vector holds two fields of four boxes: cells 0 and 1 (first), cells 2 and 3 (second), cells 4 and 5
  // (third), or the two halves of the tags.
  const first0 = lowWords(low01, low23);
  const first4 = lowWords(low45, low67);
  const second0 = highWords(low01, low23);
  const second4 = highWords(low45, low67);
  const third0 = lowWords(high01, high23);
  const third4 = lowWords(high45, high67);
  const tags0 = highWords(high01, high23);
  const tags4 = highWords(high45, high67);
  v128.store(to, lowPairs(first0, first4), TILE_MIN_X);
  v128.store(to, highPairs(first0, first4), TILE_MIN_Y);
  v128.store(to, lowPairs(second0, second4), TILE_MIN_Z);
  v128.store(to, highPairs(second0, second4), TILE_MAX_X);
  v128.store(to, lowPairs(third0, third4), TILE_MAX_Y);
  v128.store(to, highPairs(third0, third4), TILE_MAX_Z);
  // Stores 2 * flags, which is never negative as a signed 16-bit integer.
  v128.store(to, and(i16x8.shr_u(highPairs(tags0, tags4), FLAGS_FROM - 1), i16x8.splat(-2)), TILE_FLAGS);
}

function lowHalves(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}
function highHalves(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}
function lowWords(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 0, 4, 1, 5);
}
function highWords(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 2, 6, 3, 7);
}
function lowPairs(a: v128, b: v128): v128 {
  return v128.shuffle<i64>(a, b, 0, 2);
}
function highPairs(a: v128, b: v128): v128 {
  return v128.shuffle<i64>(a, b, 1, 3);
}

// Tests each box of a tile against the later boxes of the same tile.
function sweepOwn(job: usize, list: usize, boxes: usize, count: u32, tile: usize, disorder: u32): void {
  sweepTile(job, list, boxes, count, boxes, tile, disorder, true);
}

// Tests each box of an earlier tile, which is full, against all boxes of the current tile.
function sweepEarlier(
  job: usize,
  list: usize,
  boxes: usize,
  others: usize,
  tile: usize,
  disorder: u32,
): void {
  sweepTile(job, list, boxes, TILE, others, tile, disorder, false);
}

// boxes: the earlier boxes. others: the boxes of the current tile. isOwn: whether both are the same tile.
// @ts-ignore: decorator
@inline
function sweepTile(
  job: usize,
  list: usize,
  boxes: usize,
  count: u32,
  others: usize,
  tile: usize,
  disorder: u32,
  isOwn: bool,
): void {
  const end = boxes + <usize>count * SapBox.SIZE;
  const blocks = tile + BLOCKS;
  const full = blocks + 8 * MAX_BLOCKS;
  const tileStart = <u32>load<u16>(others, MIN_X) & ~disorder;
  let begin = tile;
  let to = blocks;
  let tested: usize = 0;
  let seen = 0;
  for (let box = boxes; box < end; box += SapBox.SIZE) {
    const limit = <u32>load<u16>(box, MAX_X) | disorder;
    if (isOwn) begin += 2;
    // Skip boxes that end before the tile starts.
    else if (limit < tileStart) continue;
    const minX = v128.load16_splat(box, MIN_X);
    const minY = v128.load16_splat(box, MIN_Y);
    const minZ = v128.load16_splat(box, MIN_Z);
    const maxX = v128.load16_splat(box, MAX_X);
    const maxY = v128.load16_splat(box, MAX_Y);
    const maxZ = v128.load16_splat(box, MAX_Z);
    const flags = i16x8.shr_u(v128.load16_splat(box, FLAGS), FLAGS_FROM - 1);
    const own = (<u32>(box - boxes)) << 12;
    let at = begin;
    let last: u32;
    do {
      const hits = testBlock(at, minX, minY, minZ, maxX, maxY, maxZ, flags);
      // An entry without a candidate is overwritten by the next one. This avoids an unpredictable branch.
      store<u32>(to, hits | own);
      store<u32>(to, <u32>at, 4);
      to += usize(hits != 0) << 3;
      seen |= hits;
      last = <u32>load<u16>(at, TILE_MIN_X + 14);
      at += 16;
    } while (last <= limit);
    tested += at - begin;
    // Empty the list of entries early enough: the next box may add an entry for each block of a tile.
    if (to > full) {
      listPairs(job, list, boxes, others, tile, to, seen);
      to = blocks;
      seen = 0;
    }
  }
  listPairs(job, list, boxes, others, tile, to, seen);
  store<f64>(list, load<f64>(list, BoxList.tests) + 0.5 * <f64>tested, BoxList.tests);
}

// Tests eight boxes of a tile against another box, and returns two bits for each of the eight. Bits 0 to 7: on
// every axis, the first cell of each of the two boxes is below the last cell of the other one, so the boxes
// overlap. Bits 8 to 15: a tie, so the float bounds decide. No bit is set for boxes that share a flag with the
// other box. Differences of 15-bit cells fit in 16 bits.
function testBlock(
  at: usize,
  minX: v128,
  minY: v128,
  minZ: v128,
  maxX: v128,
  maxY: v128,
  maxZ: v128,
  flags: v128,
): i32 {
  const x = i16x8.max_s(
    i16x8.sub(v128.load(at, TILE_MIN_X), maxX),
    i16x8.sub(minX, v128.load(at, TILE_MAX_X)),
  );
  const y = i16x8.max_s(
    i16x8.sub(v128.load(at, TILE_MIN_Y), maxY),
    i16x8.sub(minY, v128.load(at, TILE_MAX_Y)),
  );
  const z = i16x8.max_s(
    i16x8.sub(v128.load(at, TILE_MIN_Z), maxZ),
    i16x8.sub(minZ, v128.load(at, TILE_MAX_Z)),
  );
  // Negative if no flag is shared, otherwise positive.
  const shared = i16x8.add(and(flags, v128.load(at, TILE_FLAGS)), i16x8.splat(-1));
  const apart = i16x8.max_s(i16x8.max_s(x, y), i16x8.max_s(z, shared));
  return i8x16.bitmask(i8x16.narrow_i16x8_s(apart, i16x8.eq(apart, i16x8.splat(0))));
}

// Writes the pairs of the collected entries to the list. Ties are decided by the original float bounds.
function listPairs(
  job: usize,
  list: usize,
  boxes: usize,
  others: usize,
  tile: usize,
  end: usize,
  seen: u32,
): void {
  // An entry takes eight bytes and stands for at most eight pairs, so MAX_FOUND bytes of entries stand for at
  // most MAX_FOUND pairs.
  for (let first = tile + BLOCKS; first < end; first += MAX_FOUND) {
    const last = min(first + MAX_FOUND, end);
    if (seen > 0xff) decideTies(load<u32>(job, SlabJob.boxesAt), boxes, others, tile, first, last);
    writePairs(
      job,
      list,
      others,
      tile,
      pack(<usize>load<u32>(job, SlabJob.packTableAt) + 256, boxes, tile, first, last),
    );
  }
}

// Decides the ties of some entries by float bounds: sets the overlap bit (0 to 7) of each tied box that
// overlaps the entry's earlier box.
function decideTies(
  bounds: usize,
  boxes: usize,
  others: usize,
  tile: usize,
  first: usize,
  last: usize,
): void {
  for (let block = first; block < last; block += 8) {
    let hits = load<u32>(block);
    if ((hits & 0xff00) == 0) continue;
    const box = boxes + ((<usize>(hits >> 16)) << 4);
    const tileBoxes = others + ((<usize>(load<u32>(block, 4) - <u32>tile)) << 3);
    for (let uncertain = (hits >> 8) & 0xff; uncertain != 0; uncertain &= uncertain - 1) {
      const i = ctz(uncertain);
      if (boundsOverlap(bounds, box, tileBoxes + ((<usize>i) << 4))) hits |= 1 << i;
    }
    store<u32>(block, hits);
  }
}

// Converts the bits of some entries to a list of pairs: the ids of the earlier boxes, and the byte offsets of
// the later boxes. Returns the number of pairs.
function pack(table: usize, boxes: usize, tile: usize, first: usize, last: usize): usize {
  let to = tile;
  for (let block = first; block < last; block += 8) {
    const own = load<u32>(block);
    const id = i32x4.splat(idOf(boxes + ((<usize>(own >> 16)) << 4)));
    const hits = own & 0xff;
    v128.store(tile + ((to - tile) << 1), id, EARLIER_IDS);
    v128.store(tile + ((to - tile) << 1), id, EARLIER_IDS + 16);
    // Each 16-bit lane of the table stands for one set bit k of `hits`, that is, for box k of the block. It
    // holds the byte indices 2 * k and 2 * k + 1. The mask keeps 2 * k, the byte offset of box k from the
    // block's address.
    v128.store(
      to,
      i16x8.add(
        and(v128.load(table + ((<usize>hits) << 4)), i16x8.splat(14)),
        i16x8.splat(<i16>(load<u32>(block, 4) - <u32>tile)),
      ),
      LATER_OFFSETS,
    );
    to += (<usize>popcnt(hits)) << 1;
  }
  return (to - tile) >> 1;
}

// Appends pairs to the list. The smaller index of a pair comes first. Pairs beyond the capacity are only
// counted.
function writePairs(job: usize, list: usize, others: usize, tile: usize, count: usize): void {
  store<f64>(list, load<f64>(list, BoxList.found) + <f64>count, BoxList.found);
  if (!reserveSpace(list, <u32>count)) return;
  const secondFrom = load<u32>(job, SlabJob.secondFrom);
  const base = i32x4.splat(secondFrom == NOTHING ? 0 : secondFrom);
  const output: usize = load<u32>(list, BoxList.outputAt);
  const next = load<u32>(list, BoxList.next);
  const written = (<usize>next) << 2;
  const toA = <usize>load<u32>(output, PairBlocks.aAt) + written;
  const toB = <usize>load<u32>(output, PairBlocks.bAt) + written;
  const end = tile + (count << 1);
  const tags = others + SapBox.tag;
  // Pairs are written four at a time. The zeros stored here are the offsets for the lanes after the last pair:
  // these lanes load the tile's first box instead of memory at an arbitrary address.
  v128.store(end, i64x2.splat(0), LATER_OFFSETS);
  for (let at = tile, k: usize = 0; at < end; at += 8, k += 16) {
    let b = v128.load32_zero(tags + ((<usize>load<u16>(at, LATER_OFFSETS)) << 3));
    b = v128.load_lane<u32>(tags + ((<usize>load<u16>(at, LATER_OFFSETS + 2)) << 3), b, 1);
    b = v128.load_lane<u32>(tags + ((<usize>load<u16>(at, LATER_OFFSETS + 4)) << 3), b, 2);
    b = and(
      v128.load_lane<u32>(tags + ((<usize>load<u16>(at, LATER_OFFSETS + 6)) << 3), b, 3),
      i32x4.splat((1 << BOX_BITS) - 1),
    );
    const a = v128.load(tile + k, EARLIER_IDS);
    v128.store(toA + k, i32x4.min_u(a, b));
    v128.store(toB + k, i32x4.sub(i32x4.max_u(a, b), base));
  }
  store<u32>(list, next + <u32>count, BoxList.next);
}
