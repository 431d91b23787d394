// Pairs of features -> those of them that floats cannot show to be apart all the time, at the front of their list.
import { farAtOnce, farByTurns } from './farApart';
import { fourDifferences } from './fourDifferences';
import { FeaturePair } from './layout';
import { neverCoplanar } from './neverCoplanar';
import { roundDown } from './rounding';

/** pairs: FeaturePairs, with room for a multiple of four. scratch: KEPT_DIFFERENCES bytes. Returns how many are left, in their order. */
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
    let far = farAtOnce(scratch, separation);
    if (isThorough) {
      far |= farByTurns(scratch, separation);
      if (separation == 0 && far != 15) far |= neverCoplanar(scratch);
    }
    if (far == 15) continue;
    for (let pair = at, stop = min(at + 4 * FeaturePair.SIZE, end); pair < stop; pair += FeaturePair.SIZE, far >>= 1) {
      for (let part: usize = 0; part < FeaturePair.SIZE; part += 16) v128.store(to + part, v128.load(pair + part));
      to += far & 1 ? 0 : FeaturePair.SIZE;
    }
  }
  return (to - pairs) / FeaturePair.SIZE;
}

// The last pair once more, up to a multiple of four.
function fillUp(pairs: usize, count: usize): void {
  if (count == 0) return;
  const last = pairs + (count - 1) * FeaturePair.SIZE;
  for (let i = count; (i & 3) != 0; i++) memory.copy(pairs + i * FeaturePair.SIZE, last, FeaturePair.SIZE);
}
