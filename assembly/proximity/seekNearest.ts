// Two placed meshes -> their nearest triangles, nearest boxes first; or, where that takes long, the box pairs
// that are left, in order.

import { NearBoxes, NearJob, NOTHING, PairRecord, Seeker } from '../records';
import { handleOf } from '../simd/access';
import { bestOf, limitOf, measure } from './nearest';
import { measureLeaves } from './nearLeaves';
import { areLeaves, nearChildren, putBoxes } from './nearPairs';

const MOST_CHILDREN: u32 = 16;
const DIVES: u32 = 3;
const SIZE: usize = NearBoxes.SIZE;

/**
 * The slice is ignored: the first Seeker does it. Box pairs wait in a heap at frontAt; what is left there
 * stands with the nearest last.
 */
export function seekNearest(jobAt: usize, begin: u32, end: u32): void {
  const seeker: usize = load<u32>(jobAt, NearJob.seekersAt);
  const pair: usize = load<u32>(jobAt, NearJob.pairAt);
  const front: usize = load<u32>(jobAt, NearJob.frontAt);
  const most = load<u32>(jobAt, NearJob.frontCapacity) - MOST_CHILDREN;
  const nodesA: usize = load<u32>(pair, PairRecord.nodesA);
  const nodesB: usize = load<u32>(pair, PairRecord.nodesB);
  const budget = <f64>load<u32>(jobAt, NearJob.budget);
  store<u32>(jobAt, 0, NearJob.frontCount);
  if (
    load<u32>(jobAt, NearJob.hintA) != NOTHING &&
    measure(jobAt, seeker, load<u32>(jobAt, NearJob.hintA), load<u32>(jobAt, NearJob.hintB))
  )
    return;
  if (dive(jobAt, seeker, pair, front)) return;
  let count: u32 = 1;
  putBoxes(front, NOTHING, NOTHING, 0);
  while (count > 0) {
    const apart = load<f32>(front, NearBoxes.apart);
    const limit = limitOf(jobAt, bestOf(jobAt));
    // All others are as far apart at least.
    if (!(apart <= limit)) {
      count = 0;
      break;
    }
    if (count > most || load<f64>(seeker, Seeker.boxTests) > budget) break;
    const slotA = load<u32>(front, NearBoxes.slotA);
    const slotB = load<u32>(front, NearBoxes.slotB);
    count--;
    sink(front, count, front + <usize>count * SIZE);
    if (areLeaves(pair, slotA, slotB)) {
      if (measureLeaves(jobAt, seeker, pair, handleOf(nodesA, slotA), handleOf(nodesB, slotB))) return;
      continue;
    }
    const from = front + <usize>(count + 1) * SIZE;
    const to = nearChildren(jobAt, seeker, pair, slotA, slotB, limit, from);
    for (let at = from; at < to; at += SIZE) lift(front, count++, at);
  }
  store<u32>(jobAt, count, NearJob.frontCount);
  // The nearest of all goes behind the others, again and again.
  const spare = front + <usize>load<u32>(jobAt, NearJob.frontCapacity) * SIZE;
  for (; count > 1; count--) {
    const last = front + <usize>(count - 1) * SIZE;
    v128.store(spare, v128.load(last));
    v128.store(last, v128.load(front));
    sink(front, count - 1, spare);
  }
}

// The nearest child of the nearest child, and so on: without a first distance all would be worth a look.
// Twice: the first leaves show the way to better ones.
function dive(job: usize, seeker: usize, pair: usize, scratch: usize): bool {
  const nodesA: usize = load<u32>(pair, PairRecord.nodesA);
  const nodesB: usize = load<u32>(pair, PairRecord.nodesB);
  for (let times: u32 = load<u32>(job, NearJob.hintA) != NOTHING ? 1 : 0; times < DIVES; times++) {
    let slotA: u32 = NOTHING;
    let slotB: u32 = NOTHING;
    while (!areLeaves(pair, slotA, slotB)) {
      const end = nearChildren(job, seeker, pair, slotA, slotB, limitOf(job, bestOf(job)), scratch);
      if (end == scratch) return false;
      let nearest = scratch;
      for (let at = scratch + SIZE; at < end; at += SIZE)
        if (load<f32>(at, NearBoxes.apart) < load<f32>(nearest, NearBoxes.apart)) nearest = at;
      slotA = load<u32>(nearest, NearBoxes.slotA);
      slotB = load<u32>(nearest, NearBoxes.slotB);
    }
    if (measureLeaves(job, seeker, pair, handleOf(nodesA, slotA), handleOf(nodesB, slotB))) return true;
  }
  return false;
}

// Puts the entry at `from` in a heap of `count`, whose place 0 is empty.
function sink(heap: usize, count: u32, from: usize): void {
  const entry = v128.load(from);
  const apart = load<f32>(from, NearBoxes.apart);
  let place: u32 = 0;
  for (let child: u32 = 1; child < count; child = 2 * place + 1) {
    if (
      child + 1 < count &&
      load<f32>(heap + <usize>(child + 1) * SIZE, NearBoxes.apart) <
        load<f32>(heap + <usize>child * SIZE, NearBoxes.apart)
    )
      child++;
    if (!(load<f32>(heap + <usize>child * SIZE, NearBoxes.apart) < apart)) break;
    v128.store(heap + <usize>place * SIZE, v128.load(heap + <usize>child * SIZE));
    place = child;
  }
  v128.store(heap + <usize>place * SIZE, entry);
}

// Puts the entry at `from` in a heap of `count`, which grows by it.
function lift(heap: usize, count: u32, from: usize): void {
  const entry = v128.load(from);
  const apart = load<f32>(from, NearBoxes.apart);
  let place = count;
  while (place > 0) {
    const above = (place - 1) >> 1;
    if (!(apart < load<f32>(heap + <usize>above * SIZE, NearBoxes.apart))) break;
    v128.store(heap + <usize>place * SIZE, v128.load(heap + <usize>above * SIZE));
    place = above;
  }
  v128.store(heap + <usize>place * SIZE, entry);
}
