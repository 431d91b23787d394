// Pairs of features -> those of them that floats cannot show to be apart all the time, at the front of their list.
import { farAtOnce, farByTurns } from './farApart';
import { fourDifferences } from './fourDifferences';
import { FeaturePair } from './layout';
import { neverCoplanar } from './neverCoplanar';
import { roundDown } from './rounding';

/** pairs: FeaturePairs. scratch: KEPT_DIFFERENCES bytes. Returns how many are left, in their order. */
export function dropFarPairs(pairs: usize, count: usize, separation: f64, scratch: usize): usize {
  const most = -roundDown(-separation);
  // Most pairs are seen to be apart at once, and the others are looked at with such as they are.
  return drop(pairs, drop(pairs, count, most, false, scratch), most, true, scratch);
}

// Looks at four pairs at a time; the last one may be looked at several times, and is kept once.
function drop(pairs: usize, count: usize, separation: f32, isThorough: bool, scratch: usize): usize {
  const end = pairs + count * FeaturePair.SIZE, last = end - FeaturePair.SIZE;
  let to = pairs;
  for (let at = pairs; at < end; at += 4 * FeaturePair.SIZE) {
    if (at + 3 * FeaturePair.SIZE <= last) fourDifferences(at, at + FeaturePair.SIZE, at + 2 * FeaturePair.SIZE, at + 3 * FeaturePair.SIZE, scratch);
    else fourDifferences(at, min(at + FeaturePair.SIZE, last), min(at + 2 * FeaturePair.SIZE, last), last, scratch);
    let far = isThorough ? farByTurns(scratch, separation) : farAtOnce(scratch, separation);
    if (isThorough && separation == 0 && far != 15) far |= neverCoplanar(scratch);
    if (far == 15) continue;
    for (let pair = at, stop = min(at + 4 * FeaturePair.SIZE, end); pair < stop; pair += FeaturePair.SIZE, far >>= 1) {
      for (let part: usize = 0; part < FeaturePair.SIZE; part += 16) v128.store(to + part, v128.load(pair + part));
      to += far & 1 ? 0 : FeaturePair.SIZE;
    }
  }
  return (to - pairs) / FeaturePair.SIZE;
}
