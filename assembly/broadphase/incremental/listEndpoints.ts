// Lists the endpoints of all boxes on each axis and sorts them from scratch, by a least-significant-digit
// radix sort. Each slice is an axis.

import { EndpointJob, EndpointList, SORT_BITS, SORT_BUCKETS } from '../../records';
import { MAX_BIT, withCurrentValue, writeValues } from './endpoints';

export function listEndpoints(jobAt: usize, begin: u32, end: u32): void {
  const boxes: usize = load<u32>(jobAt, EndpointJob.boxesAt);
  const boxCount = load<u32>(jobAt, EndpointJob.boxCount);
  for (let axis: usize = begin; axis < <usize>end; axis++) {
    const list = <usize>load<u32>(jobAt, EndpointJob.listsAt) + axis * EndpointList.SIZE;
    const at: usize = load<u32>(list, EndpointList.at);
    const spare: usize = load<u32>(list, EndpointList.spareAt);
    const bytes = (<usize>boxCount) << 4;
    const half = bytes >> 1;
    // A sentinel below all endpoints: every insertion of `sortEndpoints` stops there at the latest.
    store<u64>(at - 8, 0);
    // Writes all min endpoints before all max endpoints. The sort is stable, so it keeps this order at equal
    // coordinates.
    const values: usize = load<u32>(list, EndpointList.valuesAt);
    for (let id: u32 = 0; id < boxCount; id++) {
      const at = (<usize>id) << 3;
      writeValues(boxes + <usize>id * 24, axis, values + at);
      store<u64>(spare + at, withCurrentValue(id, values));
      store<u64>(spare + half + at, withCurrentValue(MAX_BIT | id, values));
    }
    // Each pass moves the endpoints to the other array. There are three passes, so the result is at `at`.
    moveByDigit(spare, at, bytes, spare + bytes, 32);
    moveByDigit(at, spare, bytes, spare + bytes, 32 + SORT_BITS);
    moveByDigit(spare, at, bytes, spare + bytes, 32 + 2 * SORT_BITS);
  }
}

function moveByDigit(from: usize, to: usize, bytes: usize, cursors: usize, shift: u64): void {
  memory.fill(cursors, 0, SORT_BUCKETS << 2);
  for (let at: usize = 0; at < bytes; at += 8) {
    const cursor = cursorOf(load<u64>(from + at), cursors, shift);
    store<u32>(cursor, load<u32>(cursor) + 8);
  }
  let next = <u32>to;
  for (let cursor = cursors, end = cursors + (SORT_BUCKETS << 2); cursor < end; cursor += 4) {
    const bytesOfDigit = load<u32>(cursor);
    store<u32>(cursor, next);
    next += bytesOfDigit;
  }
  for (let at: usize = 0; at < bytes; at += 8) {
    const endpoint = load<u64>(from + at);
    const cursor = cursorOf(endpoint, cursors, shift);
    const slot: usize = load<u32>(cursor);
    store<u32>(cursor, <u32>slot + 8);
    store<u64>(slot, endpoint);
  }
}

function cursorOf(endpoint: u64, cursors: usize, shift: u64): usize {
  return cursors + ((<usize>((endpoint >> shift) & (SORT_BUCKETS - 1))) << 2);
}
