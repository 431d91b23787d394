// Compares a sorted list of removed pairs with a sorted list of added pairs, and writes a sorted list of
// events. A pair that is only in the removed list ends. A pair that is only in the added list begins. A pair
// in both lists is no event. Runs on one thread: the slice is ignored.
import { PairEventsJob } from '../../records';
import { keyOf } from './pairKey';

export function findPairEvents(jobAt: usize, begin: u32, end: u32): void {
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
    const removed = place < lastPlace ? keyOf(listA + at, listB + at) : u64.MAX_VALUE;
    const inserted = added < addedBytes ? keyOf(addedA + added, addedB + added) : u64.MAX_VALUE;
    if (removed <= inserted) place += 4;
    if (inserted <= removed) added += 4;
    if (removed == inserted) continue;
    const key = min(removed, inserted);
    store<u32>(eventsA + to, <u32>(key >> 32));
    store<u32>(eventsB + to, ((<u32>key) << 1) | u32(removed < inserted));
    to += 4;
  }
  store<u32>(jobAt, <u32>(to >> 2), PairEventsJob.eventCount);
}
