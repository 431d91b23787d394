// Takes the next front node for a worker thread: from the worker's own list as long as that list has nodes,
// and then from the list with the most nodes left (work stealing).
//
// The cursors of the lists are the only shared data that this file changes. A test
// (test/narrowphase/steal.test.ts) runs this file as TypeScript, one memory access at a time, and interleaves
// the accesses of several workers in all orders. So this file uses no decorators, which only AssemblyScript
// accepts on functions.
import { ListRecord, TraverseJob } from '../records';

// Returns the number of nodes left in a list. The number is negative if workers tried to take a node after
// the last node was taken.
function remainingIn(list: usize): i32 {
  return <i32>(load<u32>(list, ListRecord.orderCount) - atomic.load<u32>(list, ListRecord.cursor));
}

/**
 * Returns the list with the most nodes left, or 0 if no list has nodes left or if the job does not allow
 * stealing.
 */
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
 * Takes a node from `list`, or from the fullest list if `list` is empty. The order of a list is an array of
 * node indices. Returns the address of the taken node's entry in that array, or 0 if there is no node to take.
 * If all workers call this function until it returns 0, each node is taken exactly once.
 */
export function takeNode(job: usize, list: usize): usize {
  let from: usize = remainingIn(list) > 0 ? list : fullestList(job);
  while (from != 0) {
    const next = atomic.add<u32>(from, 1, ListRecord.cursor);
    // If other workers have taken the last node since `from` was chosen, `next` is past the end.
    if (next < load<u32>(from, ListRecord.orderCount))
      return <usize>load<u32>(from, ListRecord.orderAt) + ((<usize>next) << 2);
    from = fullestList(job);
  }
  return 0;
}
