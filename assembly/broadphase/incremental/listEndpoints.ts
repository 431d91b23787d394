// Boxes -> the sorted endpoints of an axis, from scratch: a radix sort, least digit first.

import { EndpointJob, EndpointList, SORT_BITS, SORT_BUCKETS } from '../../records';
import { MAX_BIT, putValues, renewed } from './endpoints';

export function listEndpoints(jobAt: usize, begin: u32, end: u32): void {
  const boxes: usize = load<u32>(jobAt, EndpointJob.boxesAt);
  const boxCount = load<u32>(jobAt, EndpointJob.boxCount);
  for (let axis: usize = begin; axis < <usize>end; axis++) {
    const list = <usize>load<u32>(jobAt, EndpointJob.listsAt) + axis * EndpointList.SIZE;
    const at: usize = load<u32>(list, EndpointList.at);
    const spare: usize = load<u32>(list, EndpointList.spareAt);
    const bytes = (<usize>boxCount) << 4;
    const half = bytes >> 1;
    // What every insertion stops at, at the latest.
    store<u64>(at - 8, 0);
    // In the order of equal values.
    const values: usize = load<u32>(list, EndpointList.valuesAt);
    for (let id: u32 = 0; id < boxCount; id++) {
      const at = (<usize>id) << 3;
      putValues(boxes + <usize>id * 24, axis, values + at);
      store<u64>(spare + at, renewed(id, values));
      store<u64>(spare + half + at, renewed(MAX_BIT | id, values));
    }
    // Three passes: there, back and there.
    moveByDigit(spare, at, bytes, spare + bytes, 32);
    moveByDigit(at, spare, bytes, spare + bytes, 32 + SORT_BITS);
    moveByDigit(spare, at, bytes, spare + bytes, 32 + 2 * SORT_BITS);
  }
}

function moveByDigit(from: usize, to: usize, bytes: usize, places: usize, shift: u64): void {
  memory.fill(places, 0, SORT_BUCKETS << 2);
  for (let at: usize = 0; at < bytes; at += 8) {
    const place = placeOf(load<u64>(from + at), places, shift);
    store<u32>(place, load<u32>(place) + 8);
  }
  let next = <u32>to;
  for (let place = places, end = places + (SORT_BUCKETS << 2); place < end; place += 4) {
    const held = load<u32>(place);
    store<u32>(place, next);
    next += held;
  }
  for (let at: usize = 0; at < bytes; at += 8) {
    const endpoint = load<u64>(from + at);
    const place = placeOf(endpoint, places, shift);
    const slot: usize = load<u32>(place);
    store<u32>(place, <u32>slot + 8);
    store<u64>(slot, endpoint);
  }
}

function placeOf(endpoint: u64, places: usize, shift: u64): usize {
  return places + ((<usize>((endpoint >> shift) & (SORT_BUCKETS - 1))) << 2);
}
