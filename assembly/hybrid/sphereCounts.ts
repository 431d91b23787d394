// Memory in which a work list counts its sphere and box tests.
import { ListRecord, PairRecord, SpherePair } from '../records';

/**
 * Clears the counters of list i and stores their address in its record. pairs: the run's PairRecords, at
 * least one.
 */
export function clearCounts(pairs: usize, list: usize, i: u32): void {
  const spheres: usize = load<u32>(pairs, PairRecord.pairingAt);
  const bytes: usize = load<u32>(spheres, SpherePair.listBytes);
  const counts = <usize>load<u32>(spheres, SpherePair.countsAt) + <usize>i * bytes;
  memory.fill(counts, 0, bytes);
  store<u32>(list, <u32>counts, ListRecord.sphereCountsAt);
}

/** Returns the address of the SphereCounts of a list, by level. */
export function countsOf(list: usize): usize {
  return load<u32>(list, ListRecord.sphereCountsAt);
}
