// After boxes have moved, re-sorts the endpoints of each axis by insertion sort. When two endpoints pass each
// other, a pair of boxes may begin or cease to overlap; each such change is listed as an event (Avril,
// Gouranton and Arnaldi, section 3.1.1; I-COLLIDE). If the list of events is full, the sort stops. The next
// call continues with the event that did not fit.

import { EndpointJob, EndpointList, FULL, MAX_PASSED, OVER, SORTED } from '../../records';
import { and, le, maskBits } from '../../simd/lanes';
import { maxCornerOf, minCornerOf } from '../boxLoad';
import { boxOf, isEmpty, MAX_BIT, withCurrentValue, writeValues } from './endpoints';

const STOPPED: usize = 1;

export function sortEndpoints(jobAt: usize, begin: u32, end: u32): void {
  const lists: usize = load<u32>(jobAt, EndpointJob.listsAt);
  for (let axis: usize = begin; axis < <usize>end; axis++) {
    const list = lists + axis * EndpointList.SIZE;
    updateValues(jobAt, axis, load<u32>(list, EndpointList.valuesAt));
    store<u32>(list, testPassed(jobAt, axis, list) ? sortAxis(jobAt, axis, list) : FULL, EndpointList.state);
  }
}

// Sorts the endpoints of an axis, from the endpoint at which the last call stopped. Returns the new state of
// the list: SORTED; FULL if its list of events is full; OVER if more than `maxSwaps` swaps were needed.
function sortAxis(job: usize, axis: usize, list: usize): u32 {
  const values: usize = load<u32>(list, EndpointList.valuesAt);
  const maxSwaps = load<f64>(job, EndpointJob.maxSwaps);
  const last = <usize>load<u32>(list, EndpointList.at) + ((<usize>load<u32>(job, EndpointJob.boxCount)) << 4);
  let swaps = load<f64>(list, EndpointList.swaps);
  let next: usize = load<u32>(list, EndpointList.next);
  let hole: usize = load<u32>(list, EndpointList.hole);
  let stopped: usize = 0;
  for (; next < last; hole = next) {
    const own = withCurrentValue(load<u64>(hole), values);
    store<u64>(hole, own);
    if (load<u64>(hole - 8) > own) {
      const to = insert(job, axis, list, own, hole);
      stopped = to & STOPPED;
      swaps += <f64>((hole - to + stopped) >> 3);
      hole = to - stopped;
      if (stopped != 0 || swaps > maxSwaps) break;
    }
    next += 8;
  }
  store<f64>(list, swaps, EndpointList.swaps);
  store<u32>(list, <u32>next, EndpointList.next);
  store<u32>(list, <u32>hole, EndpointList.hole);
  return swaps > maxSwaps ? OVER : stopped == 0 && testPassed(job, axis, list) ? SORTED : FULL;
}

function updateValues(job: usize, axis: usize, values: usize): void {
  const boxes: usize = load<u32>(job, EndpointJob.boxesAt);
  const moved: usize = load<u32>(job, EndpointJob.movedAt);
  const boxCount: usize = load<u32>(job, EndpointJob.boxCount);
  for (let first: usize = 0; first < boxCount; first += 8) {
    // `moved` has a byte per box, 1 if the box has moved. The bytes past the last box are 0.
    if (load<u64>(moved + first) == 0) continue;
    for (let id = first; id < first + 8; id++) {
      if (load<u8>(moved + id) != 0) writeValues(boxes + id * 24, axis, values + (id << 3));
    }
  }
}

// Moves an endpoint down past all greater endpoints. If the order of two endpoints has changed, they pass each
// other exactly once in the whole sort. If one is a min and the other a max, a pair may begin or end. Such
// passes are recorded and tested later in batches, so that no branch depends on whether an endpoint is a min or
// a max. Returns the new address of the endpoint. Bit 0 of the address is set if the endpoint stopped early
// because the list of events was full.
function insert(job: usize, axis: usize, list: usize, own: u64, at: usize): usize {
  const passedEnd = <usize>load<u32>(list, EndpointList.passedAt) + (MAX_PASSED << 3);
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

// Tests the recorded passes. If a min has moved down past a max, a pair may begin. If a max has moved down
// past a min, a pair may end. Returns whether all events fit into the list; if not, the remaining passes stay
// recorded.
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
    // If a pair begins, the new bounds overlap and the former bounds do not. If a pair ends, the former
    // bounds overlap and the new bounds do not.
    const overlapping = isMax ? before : now;
    if (!overlap(overlapping + id * 24, overlapping + otherId * 24)) continue;
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

// Returns whether two boxes overlap. Requires that neither box is empty. `testPassed` meets this requirement:
// with the bounds that it tests, the min of one box is at most the max of the other box. This would be false
// if one of them were empty, because an empty box counts as having the min +Infinity and the max -Infinity.
function overlap(a: usize, b: usize): bool {
  return maskBits(and(le(minCornerOf(a), maxCornerOf(b)), le(minCornerOf(b), maxCornerOf(a)))) == 15;
}

// Decides whether a pass of endpoints reports a pair. Two boxes overlap if six relations hold: on each axis,
// the min of each box is at most the max of the other box. Several relations may change in one frame, but a
// pair must be reported only once. So the relations have a fixed order, and only the first one that does not
// hold reports the pair. `boxes` contains the bounds, new or former, with which the two boxes are apart.
// Returns whether the first relation that does not hold for these bounds is the given relation: the min of
// `minId` is at most the max of `maxId` on this axis. The caller knows that the given relation does not hold.
function isFirstApart(boxes: usize, axis: usize, minId: usize, maxId: usize): bool {
  const minBox = boxes + minId * 24;
  const maxBox = boxes + maxId * 24;
  // If a box is empty, none of the relations holds, so the first one reports the pair: axis 0, minId < maxId.
  // The two endpoints of the same box pass each other if the box becomes empty or ceases to be empty. Then
  // minId equals maxId, and nothing is reported.
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

// Appends an event. Returns false if the list of events is full.
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
