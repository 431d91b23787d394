// A worker and its list -> the next node that it is to run: of its own list, then of the one that has most
// left.
//
// What workers share are the lists' cursors, and nothing else. This file is TypeScript, too, but for its
// built-in functions: a test runs it one access at a time, in all orders (test/narrowphase/stepping.ts). So
// it has no decorators.
import { ListRecord, TraverseJob } from '../records';

// Less than 0 where several workers have come too late.
function leftOf(list: usize): i32 {
  return <i32>(load<u32>(list, ListRecord.orderCount) - atomic.load<u32>(list, ListRecord.cursor));
}

/** The list with most nodes left; 0 when all are done, or when the job forbids to take from others. */
export function richest(job: usize): usize {
  const lists: usize = load<u32>(job, TraverseJob.listsAt);
  const count = load<u32>(job, TraverseJob.stealCount);
  let found: usize = 0;
  let most: i32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const list = lists + <usize>i * ListRecord.SIZE;
    const left = leftOf(list);
    if (left > most) {
      most = left;
      found = list;
    }
  }
  return found;
}

/**
 * Address of the next node's number, in the order of the list that it is taken from; 0 when nothing is left.
 * Each node is taken once.
 */
export function takeNode(job: usize, list: usize): usize {
  let from: usize = leftOf(list) > 0 ? list : richest(job);
  while (from != 0) {
    const next = atomic.add<u32>(from, 1, ListRecord.cursor);
    // Another worker may have taken the last node meanwhile: this place is nobody's.
    if (next < load<u32>(from, ListRecord.orderCount))
      return <usize>load<u32>(from, ListRecord.orderAt) + ((<usize>next) << 2);
    from = richest(job);
  }
  return 0;
}
