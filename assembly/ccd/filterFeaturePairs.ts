// Float filter for pairs of moving features: drops the pairs that are provably apart during the whole step
// and compacts the rest to the front of the list.

import { FeaturePair } from '../records';
import { roundDown } from '../simd/rounding';
import { computeDifferences } from './computeDifferences';
import { neverCoplanar } from './neverCoplanar';
import { prepareDirections, tryMoreDirections, tryTwoDirections } from './separatingDirections';

/**
 * Returns the number of remaining pairs, which keep their order. pairs: FeaturePairs, with capacity for
 * `count` rounded up to a multiple of four. separation: the minimum separation. scratch:
 * DIFFERENCES_OUTPUT_BYTES bytes.
 */
export function filterFeaturePairs(pairs: usize, count: usize, separation: f64, scratch: usize): usize {
  const minDistance = -roundDown(-separation);
  // Two passes: a cheap test drops most pairs, then a thorough test runs on the rest.
  return dropFarPairs(
    pairs,
    dropFarPairs(pairs, count, minDistance, false, scratch),
    minDistance,
    true,
    scratch,
  );
}

// Tests four pairs at a time.
function dropFarPairs(pairs: usize, count: usize, separation: f32, isThorough: bool, scratch: usize): usize {
  const end = pairs + count * FeaturePair.SIZE;
  padToFour(pairs, count);
  let to = pairs;
  for (let at = pairs; at < end; at += 4 * FeaturePair.SIZE) {
    computeDifferences(at, scratch);
    prepareDirections(scratch);
    let far = isThorough
      ? separation == 0
        ? neverCoplanar(scratch)
        : 0
      : tryTwoDirections(scratch, separation);
    if (isThorough && far != 15) far |= tryMoreDirections(scratch, separation);
    if (end - at < 4 * FeaturePair.SIZE) far |= -1 << (<i32>((end - at) / FeaturePair.SIZE));
    if ((far & 15) == 15) continue;
    to = copyUnlessFar(at, to, far & 1);
    to = copyUnlessFar(at + FeaturePair.SIZE, to, far & 2);
    to = copyUnlessFar(at + 2 * FeaturePair.SIZE, to, far & 4);
    to = copyUnlessFar(at + 3 * FeaturePair.SIZE, to, far & 8);
  }
  return (to - pairs) / FeaturePair.SIZE;
}

// Copies the pair to `to`. Returns the address for the next pair: `to` again if this pair is dropped because
// it is far apart.
function copyUnlessFar(pair: usize, to: usize, far: i32): usize {
  v128.store(to, v128.load(pair));
  v128.store(to, v128.load(pair, 16), 16);
  v128.store(to, v128.load(pair, 32), 32);
  return to + (far ? 0 : FeaturePair.SIZE);
}

// Appends copies of the last pair until the number of pairs is a multiple of four.
function padToFour(pairs: usize, count: usize): void {
  if (count == 0) return;
  const last = pairs + (count - 1) * FeaturePair.SIZE;
  for (let i = count; (i & 3) != 0; i++) memory.copy(pairs + i * FeaturePair.SIZE, last, FeaturePair.SIZE);
}
