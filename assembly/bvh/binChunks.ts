// Sorts the triangle records of each chunk into bins by centroid. The upper levels of a tree are built in
// rounds of three kernels: binChunks, splitTop and moveChunks. This is the first kernel.

import { BINS_BYTES, BuildRecord, Chunk, TopJob, TopRange } from '../records';
import { load4 } from '../simd/lanes';
import { BIN_COUNT, binScale, clearBins, fillAxisBins, fillBins, widestAxis } from './bins';

/**
 * Fills the bins of chunk i. If axisCount is 1, fills them only on the widest axis of the chunk's range,
 * otherwise on all three axes. The caller requests all axes if the widest axis does not separate the records.
 */
export function binChunk(jobAt: usize, i: u32, axisCount: u32): void {
  const records: usize = load<u32>(jobAt, TopJob.fromAt);
  const chunk = <usize>load<u32>(jobAt, TopJob.chunksAt) + <usize>i * Chunk.SIZE;
  const range =
    <usize>load<u32>(jobAt, TopJob.rangesAt) + <usize>load<u32>(chunk, Chunk.range) * TopRange.SIZE;
  const bins = <usize>load<u32>(jobAt, TopJob.binsAt) + <usize>i * BINS_BYTES;
  const low = load4(range, TopRange.centroidLow);
  const high = load4(range, TopRange.centroidHigh);
  const scale = binScale(low, high, BIN_COUNT);
  const at = records + <usize>load<u32>(chunk, Chunk.begin) * BuildRecord.SIZE;
  const last = records + <usize>load<u32>(chunk, Chunk.end) * BuildRecord.SIZE;
  clearBins(bins, BIN_COUNT);
  if (axisCount == 1) fillAxisBins(bins, at, last, low, scale, BIN_COUNT, widestAxis(low, high));
  else fillBins(bins, at, last, low, scale, BIN_COUNT);
}

export function binChunks(jobAt: usize, begin: u32, end: u32): void {
  const count: u64 = load<u32>(jobAt, TopJob.chunkCount);
  const sliceCount: u64 = load<u32>(jobAt, TopJob.sliceCount);
  const last = <u32>((end * count) / sliceCount);
  for (let i = <u32>((begin * count) / sliceCount); i < last; i++) binChunk(jobAt, i, 1);
}
