// Chooses the split of each range of triangle records from the bins of its chunks, and computes where each
// chunk will move its records. The upper levels of a tree are built in rounds of three kernels: binChunks,
// splitTop and moveChunks. This is the second kernel.

import { BINS_BYTES, Chunk, OpenRange, SAH_DEPTH, TopJob, TopRange } from '../records';
import { add, load4, max4, min4 } from '../simd/lanes';
import { binChunk } from './binChunks';
import { BIN_COUNT, binScale, clearBins, countBelow, mergeBins } from './bins';
import { chooseSplit, leftHigh, leftLow, marginOf, rightHigh, rightLow, splitAxis, splitBin } from './splits';

const LEAF_SIZE: u32 = 4;

function writeSide(side: usize, range: usize, begin: u32, end: u32, low: v128, high: v128): void {
  store<u32>(side, begin, OpenRange.begin);
  store<u32>(side, end, OpenRange.end);
  store<u32>(side, load<u32>(range, TopRange.depth) + 1, OpenRange.depth);
  v128.store(side, low, OpenRange.low);
  v128.store(side, high, OpenRange.high);
  v128.store(side, max4(load4(range, TopRange.centroidLow), add(low, low)), OpenRange.centroidLow);
  v128.store(side, min4(load4(range, TopRange.centroidHigh), add(high, high)), OpenRange.centroidHigh);
}

function placeChunks(jobAt: usize, range: usize, left: u32): void {
  const first = load<u32>(range, TopRange.firstChunk);
  const last = first + load<u32>(range, TopRange.chunkCount);
  let leftTo = load<u32>(range, TopRange.begin);
  let rightTo = leftTo + left;
  for (let i = first; i < last; i++) {
    const chunk = <usize>load<u32>(jobAt, TopJob.chunksAt) + <usize>i * Chunk.SIZE;
    const bins = <usize>load<u32>(jobAt, TopJob.binsAt) + <usize>i * BINS_BYTES;
    const count = countBelow(bins, load<u32>(range, TopRange.axis), load<u32>(range, TopRange.bin));
    store<u32>(chunk, leftTo, Chunk.leftTo);
    store<u32>(chunk, rightTo, Chunk.rightTo);
    leftTo += count;
    rightTo += load<u32>(chunk, Chunk.end) - load<u32>(chunk, Chunk.begin) - count;
  }
}

// Merges the bins of all chunks of a range into `bins`, and chooses the cheapest split. Returns the number of
// records on the left side, or 0 if no split was found.
function chooseFromChunks(jobAt: usize, range: usize, bins: usize): u32 {
  const first = load<u32>(range, TopRange.firstChunk);
  const last = first + load<u32>(range, TopRange.chunkCount);
  clearBins(bins, BIN_COUNT);
  for (let i = first; i < last; i++)
    mergeBins(bins, <usize>load<u32>(jobAt, TopJob.binsAt) + <usize>i * BINS_BYTES);
  const margin = marginOf(load4(range, TopRange.low), load4(range, TopRange.high));
  return chooseSplit(
    bins,
    BIN_COUNT,
    load<u32>(range, TopRange.end) - load<u32>(range, TopRange.begin),
    margin,
  );
}

function split(jobAt: usize, range: usize, sides: usize, bins: usize): void {
  const begin = load<u32>(range, TopRange.begin);
  const end = load<u32>(range, TopRange.end);
  const low = load4(range, TopRange.low);
  const high = load4(range, TopRange.high);
  let left: u32 = 0;
  if (load<u32>(range, TopRange.depth) < SAH_DEPTH) {
    left = chooseFromChunks(jobAt, range, bins);
    if (left == 0) {
      const first = load<u32>(range, TopRange.firstChunk);
      const last = first + load<u32>(range, TopRange.chunkCount);
      for (let i = first; i < last; i++) binChunk(jobAt, i, 3);
      left = chooseFromChunks(jobAt, range, bins);
    }
  }
  store<u32>(range, left, TopRange.left);
  if (left == 0) {
    // All centroids share a bin, or the depth limit is reached: split in half in the current order, at a
    // multiple of the leaf size.
    left = (((end - begin + 1) >> 1) + LEAF_SIZE - 1) & ~(LEAF_SIZE - 1);
    writeSide(sides, range, begin, begin + left, low, high);
    writeSide(sides + OpenRange.SIZE, range, begin + left, end, low, high);
    return;
  }
  store<u32>(range, splitAxis(bins), TopRange.axis);
  store<u32>(range, splitBin(bins), TopRange.bin);
  v128.store(
    range,
    binScale(load4(range, TopRange.centroidLow), load4(range, TopRange.centroidHigh), BIN_COUNT),
    TopRange.scale,
  );
  placeChunks(jobAt, range, left);
  writeSide(sides, range, begin, begin + left, leftLow(bins), leftHigh(bins));
  writeSide(sides + OpenRange.SIZE, range, begin + left, end, rightLow(bins), rightHigh(bins));
}

/** Splits all ranges in one call, since there are few of them; the slice is ignored. */
export function splitTop(jobAt: usize, begin: u32, end: u32): void {
  const rangeCount = load<u32>(jobAt, TopJob.rangeCount);
  const bins =
    <usize>load<u32>(jobAt, TopJob.binsAt) + <usize>load<u32>(jobAt, TopJob.chunkCount) * BINS_BYTES;
  for (let i: u32 = 0; i < rangeCount; i++) {
    split(
      jobAt,
      <usize>load<u32>(jobAt, TopJob.rangesAt) + <usize>i * TopRange.SIZE,
      <usize>load<u32>(jobAt, TopJob.sidesAt) + <usize>i * 2 * OpenRange.SIZE,
      bins,
    );
  }
}
