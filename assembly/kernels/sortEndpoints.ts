// An axis' endpoints in the order of the last frame -> in that of this one, by insertion; pairs that begin and end as endpoints
// pass one another (Avril, Gouranton and Arnaldi s3.1.1; I-COLLIDE). Goes on where it stopped for want of room.
import { highOf, isBox, lowOf } from '../boxLoad';
import { boxOf, endpointOf, isEmpty, MAX_BIT } from '../endpoints';
import { EndpointJob, EndpointList, FULL, OVER, SORTED } from '../layout';
import { and, bits, le } from '../lanes';

const STOPPED: usize = 1;

export function sortEndpoints(jobAt: usize, begin: u32, end: u32): void {
  const lists: usize = load<u32>(jobAt, EndpointJob.listsAt);
  for (let axis: usize = begin; axis < <usize>end; axis++) sortAxis(jobAt, axis, lists + axis * EndpointList.SIZE);
}

function sortAxis(job: usize, axis: usize, list: usize): void {
  const boxes: usize = load<u32>(job, EndpointJob.boxesAt), moved: usize = load<u32>(job, EndpointJob.movedAt);
  const last = <usize>load<u32>(list, EndpointList.at) + (<usize>load<u32>(job, EndpointJob.boxCount) << 4);
  const mostSwaps = load<f64>(job, EndpointJob.mostSwaps);
  let swaps = load<f64>(list, EndpointList.swaps), state = SORTED;
  let next: usize = load<u32>(list, EndpointList.next), hole: usize = load<u32>(list, EndpointList.hole);
  for (; next < last; hole = next) {
    let own = load<u64>(hole);
    const id = boxOf(own);
    if (load<u8>(moved + id) != 0) {
      own = endpointOf(boxes + id * 24, <u32>id, axis, own & MAX_BIT);
      store<u64>(hole, own);
    }
    if (load<u64>(hole - 8) > own) {
      const to = insert(job, axis, list, own, hole), place = to & ~STOPPED;
      swaps += <f64>((hole - place) >> 3);
      if (to != place || swaps > mostSwaps) {
        state = to != place ? FULL : OVER;
        hole = place;
        break;
      }
    }
    next += 8;
  }
  store<f64>(list, swaps, EndpointList.swaps);
  store<u32>(list, <u32>next, EndpointList.next);
  store<u32>(list, <u32>hole, EndpointList.hole);
  store<u32>(list, state, EndpointList.state);
}

// Takes an endpoint down past all that are greater. Every two endpoints whose order has changed pass each other once: a least
// that passes a greatest may begin a pair, a greatest that passes a least may end one. Returns where it came to, odd where the
// next event has no room.
function insert(job: usize, axis: usize, list: usize, own: u64, at: usize): usize {
  const isMax = (own & MAX_BIT) != 0, id = boxOf(own);
  const now: usize = load<u32>(job, EndpointJob.boxesAt), before: usize = load<u32>(job, EndpointJob.formerAt);
  // A pair that begins meets in the boxes' new places and was apart in their old ones; one that ends, the other way round.
  const met = isMax ? before : now, apart = isMax ? now : before;
  const low = lowOf(met + id * 24), high = highOf(met + id * 24);
  const mayMeet = isBox(low, high);
  let tests: u32 = 0, stopped: usize = 0;
  for (let other = load<u64>(at - 8); other > own; other = load<u64>(at - 8)) {
    if (mayMeet && ((other ^ own) & MAX_BIT) != 0) {
      const otherId = boxOf(other);
      tests++;
      if (meets(low, high, met + otherId * 24) && id != otherId && isFirstApart(apart, axis, isMax ? otherId : id, isMax ? id : otherId)) {
        if (!put(list, id, otherId, isMax)) { stopped = STOPPED; break; }
      }
    }
    store<u64>(at, other);
    at -= 8;
  }
  store<u64>(at, own);
  store<f64>(list, load<f64>(list, EndpointList.tests) + <f64>tests, EndpointList.tests);
  return at | stopped;
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
