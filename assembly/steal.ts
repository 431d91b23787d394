// The one cursor that workers share: whose list has most nodes left, and which is next.
import { ListRecord, TraverseJob } from './layout';

/** Takes the next place of a list's order; at or past its count the list is done. */
// @ts-ignore: decorator
@inline export function takeNext(list: usize): u32 {
  return atomic.add<u32>(list, 1, ListRecord.cursor);
}

/** The list with most nodes left, or 0 when all are done. */
export function richest(job: usize): usize {
  const lists: usize = load<u32>(job, TraverseJob.listsAt);
  const count = load<u32>(job, TraverseJob.stealCount);
  let found: usize = 0, most: i32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const list = lists + <usize>i * ListRecord.SIZE;
    const left = <i32>(load<u32>(list, ListRecord.orderCount) - atomic.load<u32>(list, ListRecord.cursor));
    if (left > most) { most = left; found = list; }
  }
  return found;
}
