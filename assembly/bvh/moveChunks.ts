// Moves the triangle records of each range from one buffer to another: first the records on the left side of
// the range's split, then the records on the right side. Records of a range without a split keep their order.
// The upper levels of a tree are built in rounds of three kernels: binChunks, splitTop and moveChunks. This is
// the third kernel.

import { BuildRecord, Chunk, TopJob, TopRange } from '../records';
import { load4, lt, maskBits, splat } from '../simd/lanes';
import { BIN_COUNT, binLimit, binsOf } from './bins';

function moveChunk(from: usize, to: usize, chunk: usize, range: usize): void {
  const begin = load<u32>(chunk, Chunk.begin);
  const end = load<u32>(chunk, Chunk.end);
  let at = from + <usize>begin * BuildRecord.SIZE;
  const last = from + <usize>end * BuildRecord.SIZE;
  if (load<u32>(range, TopRange.left) == 0) {
    memory.copy(to + <usize>begin * BuildRecord.SIZE, at, last - at);
    return;
  }
  const offset = load4(range, TopRange.centroidLow);
  // The scale is loaded instead of computed here, because the WebAssembly compiler might move the division
  // that computes it into the loop.
  const scale = load4(range, TopRange.scale);
  const top = splat(<f32>(BIN_COUNT - 1));
  const limit = binLimit(load<u32>(range, TopRange.axis), load<u32>(range, TopRange.bin));
  let left = to + <usize>load<u32>(chunk, Chunk.leftTo) * BuildRecord.SIZE;
  let right = to + <usize>load<u32>(chunk, Chunk.rightTo) * BuildRecord.SIZE;
  for (; at < last; at += BuildRecord.SIZE) {
    const low = load4(at);
    const high = load4(at, 16);
    const isLeft = maskBits(lt(binsOf(low, high, offset, scale, top), limit)) != 0;
    const target = select(left, right, isLeft);
    v128.store(target, low);
    v128.store(target, high, 16);
    const step = <usize>isLeft * BuildRecord.SIZE;
    left += step;
    right += BuildRecord.SIZE - step;
  }
}

export function moveChunks(jobAt: usize, begin: u32, end: u32): void {
  const count: u64 = load<u32>(jobAt, TopJob.chunkCount);
  const sliceCount: u64 = load<u32>(jobAt, TopJob.sliceCount);
  const last = <u32>((end * count) / sliceCount);
  for (let i = <u32>((begin * count) / sliceCount); i < last; i++) {
    const chunk = <usize>load<u32>(jobAt, TopJob.chunksAt) + <usize>i * Chunk.SIZE;
    const range =
      <usize>load<u32>(jobAt, TopJob.rangesAt) + <usize>load<u32>(chunk, Chunk.range) * TopRange.SIZE;
    moveChunk(load<u32>(jobAt, TopJob.fromAt), load<u32>(jobAt, TopJob.toAt), chunk, range);
  }
}
