// Applies sorted events to a sorted list of pairs: inserts the pairs that begin, and removes the pairs that
// end. Runs on one thread: the slice is ignored.
import { MergeEventsJob } from '../../records';
import { keyOf } from './pairKey';

export function mergeEvents(jobAt: usize, begin: u32, end: u32): void {
  const listA: usize = load<u32>(jobAt, MergeEventsJob.aAt);
  const listB: usize = load<u32>(jobAt, MergeEventsJob.bAt);
  const bytes = (<usize>load<u32>(jobAt, MergeEventsJob.count)) << 2;
  const eventsA: usize = load<u32>(jobAt, MergeEventsJob.eventsAAt);
  const eventsB: usize = load<u32>(jobAt, MergeEventsJob.eventsBAt);
  const eventBytes = (<usize>load<u32>(jobAt, MergeEventsJob.eventCount)) << 2;
  const toA: usize = load<u32>(jobAt, MergeEventsJob.toAAt);
  const toB: usize = load<u32>(jobAt, MergeEventsJob.toBAt);
  let at: usize = 0;
  let to: usize = 0;
  for (let event: usize = 0; event < eventBytes; event += 4) {
    const a = load<u32>(eventsA + event);
    const code = load<u32>(eventsB + event);
    const b = code >> 1;
    const from = at;
    at = firstFrom(listA, listB, at, bytes, ((<u64>a) << 32) | b);
    memory.copy(toA + to, listA + from, at - from);
    memory.copy(toB + to, listB + from, at - from);
    to += at - from;
    if ((code & 1) != 0) {
      at += 4;
      continue;
    }
    store<u32>(toA + to, a);
    store<u32>(toB + to, b);
    to += 4;
  }
  memory.copy(toA + to, listA + at, bytes - at);
  memory.copy(toB + to, listB + at, bytes - at);
  store<u32>(jobAt, <u32>((to + bytes - at) >> 2), MergeEventsJob.toCount);
}

// Uses exponential search to find the first pair at byte offset `at` or later whose key is at least `key`.
// Returns the byte offset of this pair, or `bytes` if there is none.
function firstFrom(listA: usize, listB: usize, at: usize, bytes: usize, key: u64): usize {
  if (at >= bytes || keyOf(listA + at, listB + at) >= key) return at;
  let stride: usize = 4;
  for (; at + stride < bytes && keyOf(listA + at + stride, listB + at + stride) < key; stride <<= 1)
    at += stride;
  while (stride > 4) {
    stride >>= 1;
    if (at + stride < bytes && keyOf(listA + at + stride, listB + at + stride) < key) at += stride;
  }
  return at + 4;
}
