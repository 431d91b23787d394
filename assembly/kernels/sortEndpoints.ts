// An axis' endpoints in the order of the last frame -> in that of this one, by insertion; pairs that begin and end as endpoints
// pass one another (Avril, Gouranton and Arnaldi s3.1.1; I-COLLIDE). Goes on where it stopped for want of room.
import { highOf, isBox, lowOf } from '../boxLoad';
import { boxOf, isEmpty, MAX_BIT, putValues, renewed } from '../endpoints';
import { ENDPOINT_CHUNK, EndpointJob, EndpointList, FULL, OVER, SORTED } from '../layout';
import { and, bits, le } from '../lanes';

const STOPPED: usize = 1;

export function sortEndpoints(jobAt: usize, begin: u32, end: u32): void {
  const lists: usize = load<u32>(jobAt, EndpointJob.listsAt);
  for (let axis: usize = begin; axis < <usize>end; axis++) sortAxis(jobAt, axis, lists + axis * EndpointList.SIZE);
}

function sortAxis(job: usize, axis: usize, list: usize): void {
  const values: usize = load<u32>(list, EndpointList.valuesAt), mostSwaps = load<f64>(job, EndpointJob.mostSwaps);
  renewValues(job, axis, values);
  const last = <usize>load<u32>(list, EndpointList.at) + (<usize>load<u32>(job, EndpointJob.boxCount) << 4);
  let swaps = load<f64>(list, EndpointList.swaps), state = SORTED, at: usize = load<u32>(list, EndpointList.next);
  for (; at < last; at += 8) {
    const own = renewed(load<u64>(at), values);
    store<u64>(at, own);
    if (load<u64>(at - 8) <= own) continue;
    const to = insert(job, axis, list, own, at);
    if (to == STOPPED) { state = FULL; break; }
    swaps += <f64>((at - to) >> 3);
    if (swaps > mostSwaps) { state = OVER; break; }
  }
  store<f64>(list, swaps, EndpointList.swaps);
  store<u32>(list, <u32>at, EndpointList.next);
  store<u32>(list, state, EndpointList.state);
}

function renewValues(job: usize, axis: usize, values: usize): void {
  const boxes: usize = load<u32>(job, EndpointJob.boxesAt), moved: usize = load<u32>(job, EndpointJob.movedAt), boxCount: usize = load<u32>(job, EndpointJob.boxCount);
  for (let first: usize = 0; first < boxCount; first += 8) {
    // Behind the last box none has moved.
    if (load<u64>(moved + first) == 0) continue;
    for (let id = first; id < first + 8; id++) {
      if (load<u8>(moved + id) != 0) putValues(boxes + id * 24, axis, values + (id << 3));
    }
  }
}

// Takes an endpoint down past all that are greater. Every two endpoints whose order has changed pass each other once: a least
// that passes a greatest may begin a pair, a greatest that passes a least may end one. Those are collected first, a chunk at a
// time, so that no branch depends on which an endpoint is. Returns where it came to, or STOPPED, with nothing changed, where
// an event has no room.
function insert(job: usize, axis: usize, list: usize, own: u64, at: usize): usize {
  const chunk: usize = load<u32>(list, EndpointList.chunkAt), chunkEnd = chunk + (ENDPOINT_CHUNK << 2);
  const eventCount = load<u32>(list, EndpointList.eventCount);
  let to = at, other = load<u64>(at - 8);
  do {
    let top = chunk;
    for (; other > own && top < chunkEnd; other = load<u64>(to - 8)) {
      store<u64>(to, other);
      store<u32>(top, <u32>boxOf(other));
      top += <usize>(((other ^ own) & MAX_BIT) >> 29);
      to -= 8;
    }
    if (top > chunk && !tell(job, axis, list, own, chunk, top)) {
      memory.copy(to, to + 8, at - to);
      store<u64>(at, own);
      store<u32>(list, eventCount, EndpointList.eventCount);
      return STOPPED;
    }
  } while (other > own);
  store<u64>(to, own);
  return to;
}

// Lists the events among boxes that an endpoint has passed. Returns whether there was room.
function tell(job: usize, axis: usize, list: usize, own: u64, chunk: usize, top: usize): bool {
  const isMax = (own & MAX_BIT) != 0, id = boxOf(own);
  const now: usize = load<u32>(job, EndpointJob.boxesAt), before: usize = load<u32>(job, EndpointJob.formerAt);
  // A pair that begins meets in the boxes' new places and was apart in their old ones; one that ends, the other way round.
  const met = isMax ? before : now, apart = isMax ? now : before;
  const low = lowOf(met + id * 24), high = highOf(met + id * 24);
  store<f64>(list, load<f64>(list, EndpointList.tests) + <f64>((top - chunk) >> 2), EndpointList.tests);
  if (!isBox(low, high)) return true;
  for (let at = chunk; at < top; at += 4) {
    const otherId: usize = load<u32>(at);
    if (!meets(low, high, met + otherId * 24) || id == otherId) continue;
    if (isFirstApart(apart, axis, isMax ? otherId : id, isMax ? id : otherId) && !put(list, id, otherId, isMax)) return false;
  }
  return true;
}

// @ts-ignore: decorator
@inline function meets(low: v128, high: v128, box: usize): bool {
  const otherLow = lowOf(box), otherHigh = highOf(box);
  return bits(and(and(le(low, otherHigh), le(otherLow, high)), le(otherLow, otherHigh))) == 15;
}

// Two boxes overlap when six relations hold: on each axis each one's least is not above the other's greatest. Several may turn
// in one frame; the pair is told by the first of those that do not hold where the two are apart. Is it this one, known not
// to hold: the least of `minId` and the greatest of `maxId` on this axis?
function isFirstApart(boxes: usize, axis: usize, minId: usize, maxId: usize): bool {
  const minBox = boxes + minId * 24, maxBox = boxes + maxId * 24;
  // None holds for an empty box.
  if (isEmpty(minBox) || isEmpty(maxBox)) return axis == 0 && minId < maxId;
  for (let at: usize = 0; at < axis << 2; at += 4) {
    if (load<f32>(minBox + at) > load<f32>(maxBox + at, 12) || load<f32>(maxBox + at) > load<f32>(minBox + at, 12)) return false;
  }
  return minId < maxId || load<f32>(maxBox + (axis << 2)) <= load<f32>(minBox + (axis << 2), 12);
}

// Whether there was room.
function put(list: usize, id: usize, otherId: usize, isEnd: bool): bool {
  const count = load<u32>(list, EndpointList.eventCount);
  if (count == load<u32>(list, EndpointList.eventCapacity)) return false;
  const at = <usize>count << 2;
  store<u32>(<usize>load<u32>(list, EndpointList.eventsAAt) + at, <u32>min(id, otherId));
  store<u32>(<usize>load<u32>(list, EndpointList.eventsBAt) + at, (<u32>max(id, otherId) << 1) | u32(isEnd));
  store<u32>(list, count + 1, EndpointList.eventCount);
  return true;
}
