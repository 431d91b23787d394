// Pairs of features -> those of them that floats cannot show to be apart all the time, at the front of their
// list.

import { FeaturePair } from '../records';
import { roundDown } from '../simd/rounding';
import { farAtOnce, farByTurns, lookAt } from './farApart';
import { fourDifferences } from './fourDifferences';
import { neverCoplanar } from './neverCoplanar';

/**
 * pairs: FeaturePairs, with room for a multiple of four. scratch: KEPT_DIFFERENCES bytes. Returns how many
 * are left, in their order.
 */
export function dropFarPairs(pairs: usize, count: usize, separation: f64, scratch: usize): usize {
  const most = -roundDown(-separation);
  // Most pairs are seen to be apart at once, and the others are looked at with such as they are.
  return drop(pairs, drop(pairs, count, most, false, scratch), most, true, scratch);
}

// Looks at four pairs at a time.
function drop(pairs: usize, count: usize, separation: f32, isThorough: bool, scratch: usize): usize {
  const end = pairs + count * FeaturePair.SIZE;
  fillUp(pairs, count);
  let to = pairs;
  for (let at = pairs; at < end; at += 4 * FeaturePair.SIZE) {
    fourDifferences(at, scratch);
    lookAt(scratch);
    let far = isThorough ? (separation == 0 ? neverCoplanar(scratch) : 0) : farAtOnce(scratch, separation);
    if (isThorough && far != 15) far |= farByTurns(scratch, separation);
    if (end - at < 4 * FeaturePair.SIZE) far |= -1 << (<i32>((end - at) / FeaturePair.SIZE));
    if ((far & 15) == 15) continue;
    to = keep(at, to, far & 1);
    to = keep(at + FeaturePair.SIZE, to, far & 2);
    to = keep(at + 2 * FeaturePair.SIZE, to, far & 4);
    to = keep(at + 3 * FeaturePair.SIZE, to, far & 8);
  }
  return (to - pairs) / FeaturePair.SIZE;
}

// Returns where the next pair goes: no further where this one is far.
function keep(pair: usize, to: usize, far: i32): usize {
  v128.store(to, v128.load(pair));
  v128.store(to, v128.load(pair, 16), 16);
  v128.store(to, v128.load(pair, 32), 32);
  return to + (far ? 0 : FeaturePair.SIZE);
}

// The last pair once more, up to a multiple of four.
function fillUp(pairs: usize, count: usize): void {
  if (count == 0) return;
  const last = pairs + (count - 1) * FeaturePair.SIZE;
  for (let i = count; (i & 3) != 0; i++) memory.copy(pairs + i * FeaturePair.SIZE, last, FeaturePair.SIZE);
}
