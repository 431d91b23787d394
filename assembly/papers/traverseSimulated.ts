// Simulates any number of equally fast workers on one thread. Each worker has one list of front nodes. This
// measures how evenly the work is distributed over more workers than the machine has cores. The worker with the
// lowest cost so far always takes the next node. If the worker's own list is done and the job allows stealing,
// the worker takes the node from the list with the most nodes left.

import { clearCounts } from '../hybrid/sphereCounts';
import { fullestList, takeNode } from '../narrowphase/steal';
import { BOXES, SPHERES } from '../narrowphase/traversalModes';
import { finish, runNode } from '../narrowphase/traverse';
import { FrontNode, LEAF_PAIR_COST, ListRecord, TraverseJob } from '../records';

/** Runs all lists on one thread; the slice is ignored. */
export function traverseSimulated(jobAt: usize, begin: u32, end: u32): void {
  runSimulated(BOXES, jobAt);
}

/** Runs all lists in one traversal mode (see traversalModes.ts). */
export function runSimulated(mode: u32, jobAt: usize): void {
  const lists: usize = load<u32>(jobAt, TraverseJob.listsAt);
  const listCount = load<u32>(jobAt, TraverseJob.listCount);
  const fronts: usize = load<u32>(jobAt, TraverseJob.frontAt);
  for (let i: u32 = 0; i < listCount && mode == SPHERES; i++)
    clearCounts(load<u32>(jobAt, TraverseJob.pairsAt), lists + <usize>i * ListRecord.SIZE, i);
  for (;;) {
    const list = minCostList(jobAt, lists, listCount);
    if (list == 0) break;
    const at = takeNode(jobAt, list);
    if (at == 0) break;
    runNode(mode, jobAt, list, fronts + <usize>load<u32>(at) * FrontNode.SIZE);
  }
  for (let i: u32 = 0; i < listCount; i++) finish(mode, jobAt, lists + <usize>i * ListRecord.SIZE);
}

// Returns the list with the lowest cost so far among the lists whose workers can run another node. If the job
// allows stealing and any list has nodes left, every worker can run another node. Otherwise, only the workers
// of lists that have nodes left can. Returns 0 if no worker can run another node.
function minCostList(job: usize, lists: usize, listCount: u32): usize {
  const mayRun = load<u32>(job, TraverseJob.stealCount) != 0 && fullestList(job) != 0;
  let found: usize = 0;
  let minCost = Infinity;
  for (let i: u32 = 0; i < listCount; i++) {
    const list = lists + <usize>i * ListRecord.SIZE;
    if (!mayRun && load<u32>(list, ListRecord.cursor) >= load<u32>(list, ListRecord.orderCount)) continue;
    const cost =
      load<f64>(list, ListRecord.boxTests) + <f64>LEAF_PAIR_COST * load<f64>(list, ListRecord.leafPairs);
    if (cost < minCost) {
      minCost = cost;
      found = list;
    }
  }
  return found;
}
