// A list of a run over trees with spheres -> where it counts its tests: its record says where, all 0 at
// first.
import { ListRecord, PairRecord, SpherePair } from '../records';

/** Of list i; pairs: the run's PairRecords, at least one. */
export function beginCounts(pairs: usize, list: usize, i: u32): void {
  const spheres: usize = load<u32>(pairs, PairRecord.pairingAt);
  const bytes: usize = load<u32>(spheres, SpherePair.listBytes);
  const counts = <usize>load<u32>(spheres, SpherePair.countsAt) + <usize>i * bytes;
  memory.fill(counts, 0, bytes);
  store<u32>(list, <u32>counts, ListRecord.sphereCountsAt);
}

/** SphereCounts of a list, by level. */
export function countsOf(list: usize): usize {
  return load<u32>(list, ListRecord.sphereCountsAt);
}
