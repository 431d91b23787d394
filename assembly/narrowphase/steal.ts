// Takes the next node for a worker: from its own list while that has nodes, then from the list with the most
// nodes left (work stealing).
//
// The only data that workers change and share are the cursors of their lists. Except for the built-in
// functions of AssemblyScript, this file is valid TypeScript, so it has no decorators. A test runs it one
// memory access at a time, with the accesses of several workers in all orders (test/narrowphase/stepping.ts).
import { ListRecord, TraverseJob } from '../records';

// Returns the number of nodes left in a list. It is negative if several workers tried to take a node after
// the last one was taken.
function remainingIn(list: usize): i32 {
  return <i32>(load<u32>(list, ListRecord.orderCount) - atomic.load<u32>(list, ListRecord.cursor));
}

/** Returns the list with the most nodes left; 0 if all are done or the job does not allow stealing. */
export function fullestList(job: usize): usize {
  const lists: usize = load<u32>(job, TraverseJob.listsAt);
  const count = load<u32>(job, TraverseJob.stealCount);
  let found: usize = 0;
  let maxLeft: i32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const list = lists + <usize>i * ListRecord.SIZE;
    const left = remainingIn(list);
    if (left > maxLeft) {
      maxLeft = left;
      found = list;
    }
  }
  return found;
}

/**
 * Takes a node from `list`, or from the fullest list if `list` is empty. Returns the address of the node's
 * index in that list's `order` array, or 0 if no node is left. Each node is taken exactly once.
 */
export function takeNode(job: usize, list: usize): usize {
  let from: usize = remainingIn(list) > 0 ? list : fullestList(job);
  while (from != 0) {
    const next = atomic.add<u32>(from, 1, ListRecord.cursor);
    // If another worker took the last node meanwhile, this position is past the end.
    if (next < load<u32>(from, ListRecord.orderCount))
      return <usize>load<u32>(from, ListRecord.orderAt) + ((<usize>next) << 2);
    from = fullestList(job);
  }
  return 0;
}
