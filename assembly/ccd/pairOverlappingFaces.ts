// Tests faces of two bodies for overlapping boxes, four boxes at a time, and adds the pairs of features of
// the overlapping faces to the batch.

import { APART, ContactList, SweepQuery, TOO_WIDE } from '../records';
import { gt, lane0, lane1, lane2, load4, or } from '../simd/lanes';
import { pairFeatures } from './pairFeatures';
import { addStartIfTouching } from './startPairs';
import { boxOf } from './sweptFeatures';

/** Bytes of four boxes: six vectors. */
const BLOCK: usize = 96;

/**
 * Pairs the faces of A with the faces of B. facesA, facesB: face numbers. blocks: ceil(countB / 4) * BLOCK
 * bytes of scratch. Returns false if the exact test cannot decide whether two faces intersect at the start
 * (TOO_WIDE). The caller then discards everything that was found for this pair of bodies.
 */
export function pairOverlappingFaces(
  sweepQuery: usize,
  list: usize,
  sweptA: usize,
  facesA: usize,
  countA: u32,
  sweptB: usize,
  facesB: usize,
  countB: u32,
  blocks: usize,
): bool {
  const end = writeBlocks(sweptB, facesB, countB, blocks);
  const atStart = load<u32>(sweepQuery, SweepQuery.atStart) != 0;
  let facePairs: u32 = 0;
  for (let i: usize = 0; i < (<usize>countA) << 2; i += 4) {
    const face = load<u32>(facesA + i);
    const box = boxOf(sweptA, face);
    const low = load4(box);
    const high = load4(box, 12);
    const lowX = lane0(low);
    const lowY = lane1(low);
    const lowZ = lane2(low);
    const highX = lane0(high);
    const highY = lane1(high);
    const highZ = lane2(high);
    let others = facesB;
    for (let block = blocks; block < end; block += BLOCK, others += 16) {
      const areApart = or(
        or(
          or(gt(lowX, v128.load(block, 48)), gt(lowY, v128.load(block, 64))),
          gt(lowZ, v128.load(block, 80)),
        ),
        or(or(gt(v128.load(block), highX), gt(v128.load(block, 16), highY)), gt(v128.load(block, 32), highZ)),
      );
      for (let overlaps = i32x4.bitmask(areApart) ^ 15; overlaps != 0; overlaps &= overlaps - 1) {
        const other = load<u32>(others + ((<usize>ctz(overlaps)) << 2));
        const verdict = atStart ? addStartIfTouching(list, sweptA, face, sweptB, other) : APART;
        if (verdict == TOO_WIDE) {
          store<u32>(list, 0, ContactList.candidateCount);
          return false;
        }
        pairFeatures(sweepQuery, list, sweptA, face, sweptB, other);
        facePairs++;
      }
    }
  }
  store<f64>(list, load<f64>(list, ContactList.facePairs) + <f64>facePairs, ContactList.facePairs);
  return true;
}

// Writes the boxes of faces as blocks of four boxes: four minimum x, four minimum y, four minimum z, then the
// maxima in the same order. The last block is padded with boxes beyond all others. Returns the end of the
// blocks.
function writeBlocks(swept: usize, faces: usize, count: u32, to: usize): usize {
  for (let first: u32 = 0; first < count; first += 4, to += BLOCK) {
    for (let i: u32 = first; i < first + 4; i++) {
      const at = to + ((<usize>(i - first)) << 2);
      const box = boxOf(swept, load<u32>(faces + ((<usize>min(i, count - 1)) << 2)));
      for (let axis: usize = 0; axis < 6; axis++)
        store<f32>(at + (axis << 4), i < count ? load<f32>(box + (axis << 2)) : Infinity);
    }
  }
  return to;
}
