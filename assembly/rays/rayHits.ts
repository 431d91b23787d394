// Collects and sorts the hits of rays for which all hits are wanted.

import { RayHit, RaySlice } from '../records';
import { compareTimes, UNKNOWN } from './exactRay';
import { roundTime } from './roundTime';
import { deferTriangle, placeCorners, precedes } from './testTriangle';

/**
 * Appends a hit of the present ray. The corners of the hit triangle must be in the slice. isAtOrigin: the hit's
 * parameter is exactly 0. If the parameter cannot be rounded here, the triangle is deferred instead.
 */
export function appendHit(slice: usize, target: u32, triangle: u32, isAtOrigin: bool): void {
  const work: usize = load<u32>(slice, RaySlice.workAt);
  const corners = slice + RaySlice.corners;
  store<f64>(work, 0, 120);
  if (!isAtOrigin && !roundTime(slice + RaySlice.ray, corners, slice + RaySlice.zero, work, work + 120))
    return deferTriangle(slice, target, triangle);
  const count = load<u32>(slice, RaySlice.hitCount);
  store<u32>(slice, count + 1, RaySlice.hitCount);
  store<u32>(slice, load<u32>(slice, RaySlice.count) + 1, RaySlice.count);
  if (count >= load<u32>(slice, RaySlice.hitCapacity)) return;
  const at = <usize>load<u32>(slice, RaySlice.hitsAt) + <usize>count * RayHit.SIZE;
  store<f64>(at, load<f64>(work, 120), RayHit.time);
  store<u32>(at, triangle, RayHit.triangle);
  store<u32>(at, target, RayHit.target);
}

/**
 * Sorts the hits of the present ray by their exact parameters, then by body and triangle. These hits are the
 * last `count` hits of the slice.
 */
export function sortHits(job: usize, slice: usize, count: u32): void {
  const total = load<u32>(slice, RaySlice.hitCount);
  if (total > load<u32>(slice, RaySlice.hitCapacity)) return;
  const end = <usize>load<u32>(slice, RaySlice.hitsAt) + <usize>total * RayHit.SIZE;
  const begin = end - <usize>count * RayHit.SIZE;
  for (let next = begin + RayHit.SIZE; next < end; next += RayHit.SIZE) {
    let at = next;
    while (at > begin && isBefore(job, slice, at, at - RayHit.SIZE)) {
      const hit = v128.load(at);
      v128.store(at, v128.load(at - RayHit.SIZE));
      v128.store(at - RayHit.SIZE, hit);
      at -= RayHit.SIZE;
    }
  }
}

function isBefore(job: usize, slice: usize, one: usize, two: usize): bool {
  const time1 = load<f64>(one, RayHit.time);
  const time2 = load<f64>(two, RayHit.time);
  if (time1 != time2) return time1 < time2;
  const target1 = load<u32>(one, RayHit.target);
  const target2 = load<u32>(two, RayHit.target);
  const triangle1 = load<u32>(one, RayHit.triangle);
  const triangle2 = load<u32>(two, RayHit.triangle);
  const corners1 = slice + RaySlice.corners;
  const corners2 = slice + RaySlice.bestCorners;
  placeCorners(job, target1, triangle1, corners1);
  placeCorners(job, target2, triangle2, corners2);
  const order = compareTimes(
    slice + RaySlice.ray,
    corners1,
    corners2,
    slice + RaySlice.zero,
    load<u32>(slice, RaySlice.workAt),
  );
  // If a ray has a deferred triangle, the caller of the kernel sorts the ray's hits again.
  if (order == UNKNOWN) deferTriangle(slice, target1, triangle1);
  if (order != 0 && order != UNKNOWN) return order < 0;
  return precedes(job, target1, triangle1, target2, triangle2);
}
