// Writes a PairRecord for each pair of bodies. If the frame of the first body is not accurate enough for the
// tests, but the frame of the second body is, the two bodies are swapped in the record. If neither frame is
// accurate enough, the record's isFrameAccurate is 0.

import { completePair } from '../mesh/placePairs';
import { BodyPairsJob, BodyRecord, PairRecord } from '../records';

const SCRATCH_BYTES: usize = 96;

export function placeBodyPairs(jobAt: usize, begin: u32, end: u32): void {
  const pairCount: u64 = load<u32>(jobAt, BodyPairsJob.pairCount);
  const sliceCount: u64 = load<u32>(jobAt, BodyPairsJob.sliceCount);
  const bodies: usize = load<u32>(jobAt, BodyPairsJob.bodiesAt);
  for (let slice: u64 = begin; slice < end; slice++) {
    const scratch = <usize>load<u32>(jobAt, BodyPairsJob.scratchAt) + <usize>slice * SCRATCH_BYTES;
    const last = <usize>(((slice + 1) * pairCount) / sliceCount);
    for (let i = <usize>((slice * pairCount) / sliceCount); i < last; i++) {
      const a =
        bodies + <usize>load<u32>(<usize>load<u32>(jobAt, BodyPairsJob.aAt) + (i << 2)) * BodyRecord.SIZE;
      const b =
        bodies + <usize>load<u32>(<usize>load<u32>(jobAt, BodyPairsJob.bAt) + (i << 2)) * BodyRecord.SIZE;
      const pair = <usize>load<u32>(jobAt, BodyPairsJob.pairsAt) + i * PairRecord.SIZE;
      const isFit = writePairRecord(pair, a, b, scratch);
      const swapped = !isFit && writePairRecord(pair, b, a, scratch);
      store<u32>(<usize>load<u32>(jobAt, BodyPairsJob.swappedAt) + (i << 2), swapped ? 1 : 0);
      store<u32>(pair, isFit || swapped ? 1 : 0, PairRecord.isFrameAccurate);
    }
  }
}

/**
 * Writes the record of two bodies. Returns false if the frame of `a` is not accurate enough for the tests (see
 * completePair). scratch: space for 12 f64.
 */
export function writePairRecord(pair: usize, a: usize, b: usize, scratch: usize): bool {
  store<u32>(pair, load<u32>(a, BodyRecord.meshAt), PairRecord.meshA);
  store<u32>(pair, load<u32>(b, BodyRecord.meshAt), PairRecord.meshB);
  store<u32>(pair, 1, PairRecord.placedA);
  store<u32>(pair, 1, PairRecord.placedB);
  store<f64>(pair, -1, PairRecord.ownError);
  copyRows(a + BodyRecord.rows, pair + PairRecord.placementA);
  copyRows(b + BodyRecord.rows, pair + PairRecord.placementB);
  return completePair(pair, a + BodyRecord.placed, b + BodyRecord.placed, scratch);
}

// Copies 96 bytes inline, because a call of memory.copy takes longer for so few bytes.
function copyRows(from: usize, to: usize): void {
  for (let at: usize = 0; at < 96; at += 32) {
    v128.store(to + at, v128.load(from + at));
    v128.store(to + at, v128.load(from + at, 16), 16);
  }
}
