// Manages the counters of each work list's sphere and box tests.
import { ListRecord, PairRecord, SpherePair } from '../records';

/**
 * Clears the counters of list i and stores their address in the ListRecord at `list`, the record of list i.
 * pairs: the address of the run's PairRecords; there must be at least one record.
 */
export function clearCounts(pairs: usize, list: usize, i: u32): void {
  const spheres: usize = load<u32>(pairs, PairRecord.pairingAt);
  const bytes: usize = load<u32>(spheres, SpherePair.listBytes);
  const counts = <usize>load<u32>(spheres, SpherePair.countsAt) + <usize>i * bytes;
  memory.fill(counts, 0, bytes);
  store<u32>(list, <u32>counts, ListRecord.sphereCountsAt);
}

/** Returns the address of a list's array of SphereCounts, one per tree level. */
export function countsOf(list: usize): usize {
  return load<u32>(list, ListRecord.sphereCountsAt);
}
