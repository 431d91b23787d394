// Removes the pairs at the given ascending indices from an unsorted list, and inserts the added pairs. Added
// pairs overwrite removed pairs. If there are more added pairs, the rest are appended. If there are fewer,
// the last pairs of the list move into the remaining gaps. Runs on one thread: the slice is ignored.
import { ReplacePairsJob } from '../../records';

export function replacePairs(jobAt: usize, begin: u32, end: u32): void {
  const listA: usize = load<u32>(jobAt, ReplacePairsJob.aAt);
  const listB: usize = load<u32>(jobAt, ReplacePairsJob.bAt);
  const places: usize = load<u32>(jobAt, ReplacePairsJob.placesAt);
  const placeCount: usize = load<u32>(jobAt, ReplacePairsJob.placeCount);
  const addedA: usize = load<u32>(jobAt, ReplacePairsJob.addedAAt);
  const addedB: usize = load<u32>(jobAt, ReplacePairsJob.addedBAt);
  const addedCount: usize = load<u32>(jobAt, ReplacePairsJob.addedCount);
  const both = min(placeCount, addedCount);
  for (let k: usize = 0; k < both; k++) {
    copyPair(addedA + (k << 2), addedB + (k << 2), listA, listB, load<u32>(places + (k << 2)));
  }
  let count: usize = load<u32>(jobAt, ReplacePairsJob.count);
  for (let k = both; k < addedCount; k++, count++)
    copyPair(addedA + (k << 2), addedB + (k << 2), listA, listB, count);
  // Fills the gaps in descending order, so that no gap is left after the current one. The last pair of the
  // list is then either a pair to keep or the current gap itself.
  for (let k = placeCount; k > both; k--) {
    const place: usize = load<u32>(places + ((k - 1) << 2));
    count--;
    copyPair(listA + (count << 2), listB + (count << 2), listA, listB, place);
  }
}

function copyPair(aAt: usize, bAt: usize, listA: usize, listB: usize, place: usize): void {
  store<u32>(listA + (place << 2), load<u32>(aAt));
  store<u32>(listB + (place << 2), load<u32>(bAt));
}
