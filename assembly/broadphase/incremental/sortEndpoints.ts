// An axis' endpoints in the order of the last frame -> in that of this one, by insertion; pairs that begin
// and end as endpoints pass one another (Avril, Gouranton and Arnaldi s3.1.1; I-COLLIDE). Goes on where it
// stopped for want of room.

import { EndpointJob, EndpointList, FULL, MOST_PASSED, OVER, SORTED } from '../../records';
import { and, bits, le } from '../../simd/lanes';
import { highOf, lowOf } from '../boxLoad';
import { boxOf, isEmpty, MAX_BIT, putValues, renewed } from './endpoints';

const STOPPED: usize = 1;

export function sortEndpoints(jobAt: usize, begin: u32, end: u32): void {
  const lists: usize = load<u32>(jobAt, EndpointJob.listsAt);
  for (let axis: usize = begin; axis < <usize>end; axis++) {
    const list = lists + axis * EndpointList.SIZE;
    renewValues(jobAt, axis, load<u32>(list, EndpointList.valuesAt));
    store<u32>(list, testPassed(jobAt, axis, list) ? sortAxis(jobAt, axis, list) : FULL, EndpointList.state);
  }
}

// Returns the list's state.
function sortAxis(job: usize, axis: usize, list: usize): u32 {
  const values: usize = load<u32>(list, EndpointList.valuesAt);
  const mostSwaps = load<f64>(job, EndpointJob.mostSwaps);
  const last = <usize>load<u32>(list, EndpointList.at) + ((<usize>load<u32>(job, EndpointJob.boxCount)) << 4);
  let swaps = load<f64>(list, EndpointList.swaps);
  let next: usize = load<u32>(list, EndpointList.next);
  let hole: usize = load<u32>(list, EndpointList.hole);
  let stopped: usize = 0;
  for (; next < last; hole = next) {
    const own = renewed(load<u64>(hole), values);
    store<u64>(hole, own);
    if (load<u64>(hole - 8) > own) {
      const to = insert(job, axis, list, own, hole);
      stopped = to & STOPPED;
      swaps += <f64>((hole - to + stopped) >> 3);
      hole = to - stopped;
      if (stopped != 0 || swaps > mostSwaps) break;
    }
    next += 8;
  }
  store<f64>(list, swaps, EndpointList.swaps);
  store<u32>(list, <u32>next, EndpointList.next);
  store<u32>(list, <u32>hole, EndpointList.hole);
  return swaps > mostSwaps ? OVER : stopped == 0 && testPassed(job, axis, list) ? SORTED : FULL;
}

function renewValues(job: usize, axis: usize, values: usize): void {
  const boxes: usize = load<u32>(job, EndpointJob.boxesAt);
  const moved: usize = load<u32>(job, EndpointJob.movedAt);
  const boxCount: usize = load<u32>(job, EndpointJob.boxCount);
  for (let first: usize = 0; first < boxCount; first += 8) {
    // Behind the last box none has moved.
    if (load<u64>(moved + first) == 0) continue;
    for (let id = first; id < first + 8; id++) {
      if (load<u8>(moved + id) != 0) putValues(boxes + id * 24, axis, values + (id << 3));
    }
  }
}

// Takes an endpoint down past all that are greater. Every two endpoints whose order has changed pass each
// other once; where one is a least and one a greatest, a pair may begin or end: both are noted, and tested
// later, many together, so that no branch depends on which an endpoint is. Returns where it came to, odd
// where it stopped for want of room.
function insert(job: usize, axis: usize, list: usize, own: u64, at: usize): usize {
  const passedEnd = <usize>load<u32>(list, EndpointList.passedAt) + (MOST_PASSED << 3);
  const code = own << 32;
  let top: usize = load<u32>(list, EndpointList.passedEnd);
  for (let other = load<u64>(at - 8); other > own; other = load<u64>(at - 8)) {
    if (top == passedEnd) {
      store<u32>(list, <u32>top, EndpointList.passedEnd);
      if (!testPassed(job, axis, list)) {
        store<u64>(at, own);
        return at | STOPPED;
      }
      top = load<u32>(list, EndpointList.passedEnd);
    }
    store<u64>(at, other);
    store<u64>(top, code | boxOf(other));
    top += <usize>(((other ^ own) & MAX_BIT) >> 28);
    at -= 8;
  }
  store<u32>(list, <u32>top, EndpointList.passedEnd);
  store<u64>(at, own);
  return at;
}

// Of all that was noted, what begins and ends: a least that passes a greatest may begin a pair, a greatest
// that passes a least may end one. Returns whether there was room; where not, the rest stays noted.
function testPassed(job: usize, axis: usize, list: usize): bool {
  const now: usize = load<u32>(job, EndpointJob.boxesAt);
  const before: usize = load<u32>(job, EndpointJob.formerAt);
  const first: usize = load<u32>(list, EndpointList.passedAt);
  const last: usize = load<u32>(list, EndpointList.passedEnd);
  let at: usize = load<u32>(list, EndpointList.passedFrom);
  for (; at < last; at += 8) {
    const passed = load<u64>(at);
    const isMax = passed >> 63 != 0;
    const id = boxOf(passed >> 32);
    const otherId = boxOf(passed);
    // A pair that begins meets in the boxes' new places and was apart in their old ones; one that ends, the
    // other way round.
    const met = isMax ? before : now;
    if (!meets(met + id * 24, met + otherId * 24)) continue;
    if (
      isFirstApart(isMax ? now : before, axis, isMax ? otherId : id, isMax ? id : otherId) &&
      !put(list, id, otherId, isMax)
    )
      break;
  }
  const isDone = at == last;
  store<f64>(
    list,
    load<f64>(list, EndpointList.tests) + <f64>((at - load<u32>(list, EndpointList.passedFrom)) >> 3),
    EndpointList.tests,
  );
  store<u32>(list, <u32>(isDone ? first : at), EndpointList.passedFrom);
  if (isDone) store<u32>(list, <u32>first, EndpointList.passedEnd);
  return isDone;
}

// Neither is empty: of an empty box no endpoint stands as these two do.
function meets(a: usize, b: usize): bool {
  return bits(and(le(lowOf(a), highOf(b)), le(lowOf(b), highOf(a)))) == 15;
}

// Two boxes overlap when six relations hold: on each axis each one's least is not above the other's greatest.
// Several may turn in one frame; the pair is told by the first of those that do not hold where the two are
// apart. Is it this one, known not to hold: the least of `minId` and the greatest of `maxId` on this axis?
function isFirstApart(boxes: usize, axis: usize, minId: usize, maxId: usize): bool {
  const minBox = boxes + minId * 24;
  const maxBox = boxes + maxId * 24;
  // None holds for an empty box. It is the only one whose endpoints pass each other: then minId is maxId, and
  // nothing is told.
  if (isEmpty(minBox) || isEmpty(maxBox)) return axis == 0 && minId < maxId;
  for (let at: usize = 0; at < axis << 2; at += 4) {
    if (
      load<f32>(minBox + at) > load<f32>(maxBox + at, 12) ||
      load<f32>(maxBox + at) > load<f32>(minBox + at, 12)
    )
      return false;
  }
  return minId < maxId || load<f32>(maxBox + (axis << 2)) <= load<f32>(minBox + (axis << 2), 12);
}

// Whether there was room.
function put(list: usize, id: usize, otherId: usize, isEnd: bool): bool {
  const count = load<u32>(list, EndpointList.eventCount);
  if (count == load<u32>(list, EndpointList.eventCapacity)) return false;
  const at = (<usize>count) << 2;
  store<u32>(<usize>load<u32>(list, EndpointList.eventsAAt) + at, <u32>min(id, otherId));
  store<u32>(
    <usize>load<u32>(list, EndpointList.eventsBAt) + at,
    ((<u32>max(id, otherId)) << 1) | u32(isEnd),
  );
  store<u32>(list, count + 1, EndpointList.eventCount);
  return true;
}
