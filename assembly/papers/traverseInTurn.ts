// More lists than threads -> run by one thread in virtual time, as as many equal workers would: the least
// loaded goes next, and takes from the richest list when its own is done. Shows what a partition is worth on
// machines with more cores.

import { beginCounts } from '../hybrid/sphereCounts';
import { BOXES, SPHERES } from '../narrowphase/kinds';
import { richest, takeNode } from '../narrowphase/steal';
import { finish, runNode } from '../narrowphase/traverse';
import { FrontNode, ListRecord, TraverseJob } from '../records';

/** The slice is ignored: one thread runs all lists. */
export function traverseInTurn(jobAt: usize, begin: u32, end: u32): void {
  runInTurn(BOXES, jobAt);
}

/** kind: see kinds.ts. */
export function runInTurn(kind: u32, jobAt: usize): void {
  const lists: usize = load<u32>(jobAt, TraverseJob.listsAt);
  const listCount = load<u32>(jobAt, TraverseJob.listCount);
  const fronts: usize = load<u32>(jobAt, TraverseJob.frontAt);
  for (let i: u32 = 0; i < listCount && kind == SPHERES; i++)
    beginCounts(load<u32>(jobAt, TraverseJob.pairsAt), lists + <usize>i * ListRecord.SIZE, i);
  for (;;) {
    const list = leastLoaded(jobAt, lists, listCount);
    if (list == 0) break;
    const at = takeNode(jobAt, list);
    if (at == 0) break;
    runNode(kind, jobAt, list, fronts + <usize>load<u32>(at) * FrontNode.SIZE);
  }
  for (let i: u32 = 0; i < listCount; i++) finish(kind, jobAt, lists + <usize>i * ListRecord.SIZE);
}

// The list that has cost least so far among those that still have something to do: their own nodes, or with
// stealing any.
function leastLoaded(job: usize, lists: usize, listCount: u32): usize {
  const mayRun = load<u32>(job, TraverseJob.stealCount) != 0 && richest(job) != 0;
  const leafPairCost = <f64>load<f32>(job, TraverseJob.leafPairCost);
  let found: usize = 0;
  let least = Infinity;
  for (let i: u32 = 0; i < listCount; i++) {
    const list = lists + <usize>i * ListRecord.SIZE;
    if (!mayRun && load<u32>(list, ListRecord.cursor) >= load<u32>(list, ListRecord.orderCount)) continue;
    const cost = load<f64>(list, ListRecord.boxTests) + leafPairCost * load<f64>(list, ListRecord.leafPairs);
    if (cost < least) {
      least = cost;
      found = list;
    }
  }
  return found;
}
