// The least distance so far, which threads lower together -> what is worth looking at; and what one thread has found.
import { MEET, TOO_WIDE } from '../exact/trianglesMeet';
import { NearJob, NOTHING, Seeker } from '../layout';
import { placePair } from './placePair';
import { DISTANCE_BYTES, triangleDistance } from './triangleDistance';

/** In a Seeker's scratch: bounds of 16 triangle pairs, then corners of one, its answer, work. */
const POINTS_AT: usize = 64;
const ANSWER_AT: usize = POINTS_AT + 144;
const WORK_AT: usize = ANSWER_AT + 64;

const MOST: f32 = 3.4028234663852886e38;
// Two roundings, and a little more.
const UP: f64 = 1.00000095367431640625;

// @ts-ignore: decorator
@inline export function bestOf(job: usize): f64 { return reinterpret<f64>(atomic.load<u64>(job, NearJob.best)); }

/** What a squared bound of boxes may be for any of their triangles to be computed as near as `best`. Bounds of what is no box are beyond all of them. */
export function limitOf(job: usize, best: f64): f32 {
  const length = (best + load<f64>(job, NearJob.margin)) / load<f64>(job, NearJob.unit) * UP;
  const square = length * length;
  // Rounding to float is covered by UP; what underflows is 0 in both, or less in the bound.
  return square < <f64>MOST ? <f32>square : MOST;
}

// Distances are not negative: their bits have their order, too.
function lower(job: usize, distance: f64): void {
  for (let known = atomic.load<u64>(job, NearJob.best); distance < reinterpret<f64>(known);) {
    const found = atomic.cmpxchg<u64>(job, known, reinterpret<u64>(distance), NearJob.best);
    if (found == known) return;
    known = found;
  }
}

/** Measures two triangles of the record's meshes; the nearest stay, of as near ones those with the least numbers in the user's order. Returns whether they meet. */
export function measure(job: usize, seeker: usize, first: u32, second: u32): bool {
  const scratch: usize = load<u32>(seeker, Seeker.scratchAt), points = scratch + POINTS_AT, answer = scratch + ANSWER_AT, work = scratch + WORK_AT;
  placePair(load<u32>(job, NearJob.pairAt), first, second, points);
  const verdict = triangleDistance(points, answer, work, work + DISTANCE_BYTES), distance = load<f64>(answer);
  store<f64>(seeker, load<f64>(seeker, Seeker.triangleTests) + 1, Seeker.triangleTests);
  if (verdict == MEET) { atomic.store<u32>(job, 1, NearJob.met); return true; }
  if (verdict == TOO_WIDE) appendWide(seeker, first, second);
  if (!(distance <= bestOf(job))) return false;
  lower(job, distance);
  const isSwapped = load<u32>(job, NearJob.swapped) != 0, a = isSwapped ? second : first, b = isSwapped ? first : second;
  const own = load<f64>(seeker, Seeker.distance), ownA = load<u32>(seeker, Seeker.triangleA);
  if (ownA != NOTHING && (distance > own || (distance == own && (a > ownA || (a == ownA && b >= load<u32>(seeker, Seeker.triangleB)))))) return false;
  store<f64>(seeker, distance, Seeker.distance);
  store<u32>(seeker, a, Seeker.triangleA);
  store<u32>(seeker, b, Seeker.triangleB);
  memory.copy(seeker + Seeker.points + (isSwapped ? 24 : 0), answer + 8, 24);
  memory.copy(seeker + Seeker.points + (isSwapped ? 0 : 24), answer + 32, 24);
  return false;
}

function appendWide(seeker: usize, first: u32, second: u32): void {
  const count = load<u32>(seeker, Seeker.wideCount);
  if (count < load<u32>(seeker, Seeker.wideCapacity)) {
    const at = <usize>load<u32>(seeker, Seeker.wideAt) + (<usize>count << 3);
    store<u32>(at, first); store<u32>(at, second, 4);
  }
  store<u32>(seeker, count + 1, Seeker.wideCount);
}
