// Sorted pairs, places of some of them that are taken out, and sorted pairs that come in -> events of the
// pairs of either kind that the other lacks, sorted. The slice is ignored: one thread a job.
import { PairEventsJob } from '../../records';
import { keyOf } from './pairKey';

export function pairEvents(jobAt: usize, begin: u32, end: u32): void {
  const listA: usize = load<u32>(jobAt, PairEventsJob.aAt);
  const listB: usize = load<u32>(jobAt, PairEventsJob.bAt);
  let place: usize = load<u32>(jobAt, PairEventsJob.placesAt);
  const lastPlace = place + ((<usize>load<u32>(jobAt, PairEventsJob.placeCount)) << 2);
  const addedA: usize = load<u32>(jobAt, PairEventsJob.addedAAt);
  const addedB: usize = load<u32>(jobAt, PairEventsJob.addedBAt);
  const addedBytes = (<usize>load<u32>(jobAt, PairEventsJob.addedCount)) << 2;
  const eventsA: usize = load<u32>(jobAt, PairEventsJob.eventsAAt);
  const eventsB: usize = load<u32>(jobAt, PairEventsJob.eventsBAt);
  let added: usize = 0;
  let to: usize = 0;
  while (place < lastPlace || added < addedBytes) {
    const at = place < lastPlace ? (<usize>load<u32>(place)) << 2 : 0;
    const out = place < lastPlace ? keyOf(listA + at, listB + at) : u64.MAX_VALUE;
    const into = added < addedBytes ? keyOf(addedA + added, addedB + added) : u64.MAX_VALUE;
    if (out <= into) place += 4;
    if (into <= out) added += 4;
    if (out == into) continue;
    const key = min(out, into);
    store<u32>(eventsA + to, <u32>(key >> 32));
    store<u32>(eventsB + to, ((<u32>key) << 1) | u32(out < into));
    to += 4;
  }
  store<u32>(jobAt, <u32>(to >> 2), PairEventsJob.eventCount);
}
