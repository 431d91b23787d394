// An AssemblyScript kernel that runs only the float filter for pairs of moving features. It processes the pairs
// in chunks of the same size as in a sweep.
import { filterFeaturePairs } from '../../assembly/ccd/filterFeaturePairs';
import { FEATURE_PAIRS, FeaturePair } from '../../assembly/records';

/** Returns the number of remaining pairs. pairs and scratch: see filterFeaturePairs. */
export function filterAllPairs(pairs: usize, count: usize, scratch: usize): usize {
  let left: usize = 0;
  for (let first: usize = 0; first < count; first += FEATURE_PAIRS)
    left += filterFeaturePairs(
      pairs + first * FeaturePair.SIZE,
      min<usize>(FEATURE_PAIRS, count - first),
      0,
      scratch,
    );
  return left;
}
