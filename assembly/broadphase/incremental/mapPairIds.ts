// Converts pairs of indices to pairs of ids. An index is a position in the list of ids at `idsAt`. In each
// pair, the smaller id comes first. Runs on one thread: the slice is ignored.
import { MapPairIdsJob } from '../../records';

export function mapPairIds(jobAt: usize, begin: u32, end: u32): void {
  const listA: usize = load<u32>(jobAt, MapPairIdsJob.aAt);
  const listB: usize = load<u32>(jobAt, MapPairIdsJob.bAt);
  const ids: usize = load<u32>(jobAt, MapPairIdsJob.idsAt);
  const toA: usize = load<u32>(jobAt, MapPairIdsJob.toAAt);
  const toB: usize = load<u32>(jobAt, MapPairIdsJob.toBAt);
  const bytes = (<usize>load<u32>(jobAt, MapPairIdsJob.count)) << 2;
  for (let at: usize = 0; at < bytes; at += 4) {
    const a = load<u32>(ids + ((<usize>load<u32>(listA + at)) << 2));
    const b = load<u32>(ids + ((<usize>load<u32>(listB + at)) << 2));
    store<u32>(toA + at, min(a, b));
    store<u32>(toB + at, max(a, b));
  }
}
