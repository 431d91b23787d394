// Chunks of ranges too large for one thread -> bins of each chunk. First of three steps of a round.
import { binScale, clearBins, fillBins, BIN_COUNT } from '../tree/bins';
import { BINS_BYTES, BuildRecord, Chunk, TopJob, TopRange } from '../layout';
import { load4 } from '../lanes';

export function binChunks(jobAt: usize, begin: u32, end: u32): void {
  const records: usize = load<u32>(jobAt, TopJob.fromAt), count: u64 = load<u32>(jobAt, TopJob.chunkCount);
  const sliceCount: u64 = load<u32>(jobAt, TopJob.sliceCount);
  const last = <u32>(end * count / sliceCount);
  for (let i = <u32>(begin * count / sliceCount); i < last; i++) {
    const chunk = <usize>load<u32>(jobAt, TopJob.chunksAt) + <usize>i * Chunk.SIZE;
    const range = <usize>load<u32>(jobAt, TopJob.rangesAt) + <usize>load<u32>(chunk, Chunk.range) * TopRange.SIZE;
    const bins = <usize>load<u32>(jobAt, TopJob.binsAt) + <usize>i * BINS_BYTES;
    const low = load4(range, TopRange.centroidLow), high = load4(range, TopRange.centroidHigh);
    clearBins(bins, BIN_COUNT);
    fillBins(bins, records + <usize>load<u32>(chunk, Chunk.begin) * BuildRecord.SIZE,
      records + <usize>load<u32>(chunk, Chunk.end) * BuildRecord.SIZE, low, binScale(low, high, BIN_COUNT), BIN_COUNT);
  }
}
