// The least distance so far, which threads lower together -> what is worth looking at; and what one thread has found.
import { MEET, TOO_WIDE } from '../exact/trianglesMeet';
import { NearJob, NOTHING, PairRecord, Seeker } from '../layout';
import { placePair } from './placePair';
import { DISTANCE_BYTES, triangleDistance } from './triangleDistance';

/** In a Seeker's scratch: bounds of 16 triangle pairs, then corners of one, its answer, work. */
const POINTS_AT: usize = 64;
const ANSWER_AT: usize = POINTS_AT + 144;
const WORK_AT: usize = ANSWER_AT + 64;

const MOST: f32 = 3.4028234663852886e38;
// Two roundings, and a little more; and the other way.
const UP: f64 = 1.00000095367431640625;
const DOWN: f64 = 0.99999904632568359375;

// @ts-ignore: decorator
@inline export function bestOf(job: usize): f64 { return reinterpret<f64>(atomic.load<u64>(job, NearJob.best)); }

/** What may be computed as near as `best` is truly no farther apart than this, in units. */
export function lengthOf(job: usize, best: f64): f64 { return (best + load<f64>(job, NearJob.margin)) / load<f64>(job, NearJob.unit); }

/** What a squared bound of boxes may be for any of their triangles to be computed as near as `best`. Bounds of what is no box are beyond all of them. */
export function limitOf(job: usize, best: f64): f32 {
  const length = lengthOf(job, best) * UP;
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
  lookAlong(job, seeker, answer + 8);
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

// The way between two points (6 f64) is a direction along which boxes and triangles are apart, too: no distance is less than what they are apart along any.
function lookAlong(job: usize, seeker: usize, points: usize): void {
  const x = load<f64>(points, 24) - load<f64>(points), y = load<f64>(points, 32) - load<f64>(points, 8), z = load<f64>(points, 40) - load<f64>(points, 16);
  const length = sqrt(x * x + y * y + z * z);
  // Out of the range of doubles: the direction that there was will do.
  if (!(length > 1e-150 && length < 1e150)) return;
  const pair: usize = load<u32>(job, NearJob.pairAt), part = DOWN / length;
  let offset: f64 = 0, size: f64 = 0, sizeB: f64 = 0, b0: f64 = 0, b1: f64 = 0, b2: f64 = 0;
  for (let axis: usize = 0; axis < 3; axis++) {
    const to = job + NearJob.toCommon + (axis << 3), row = pair + PairRecord.toA + (axis << 4);
    const along = <f32>(part * (x * load<f64>(to) + y * load<f64>(to, 24) + z * load<f64>(to, 48)));
    store<f32>(seeker + (axis << 2), along, Seeker.alongA);
    b0 += <f64>along * <f64>load<f32>(row); b1 += <f64>along * <f64>load<f32>(row, 4); b2 += <f64>along * <f64>load<f32>(row, 8);
    offset += <f64>along * <f64>load<f32>(row, 12);
    size += <f64>abs(along);
    const sizes = pair + PairRecord.absToA + axis * 12;
    sizeB += <f64>abs(along) * (<f64>load<f32>(sizes) + <f64>load<f32>(sizes, 4) + <f64>load<f32>(sizes, 8));
  }
  store<f32>(seeker, <f32>b0, Seeker.alongB); store<f32>(seeker, <f32>b1, Seeker.alongB + 4); store<f32>(seeker, <f32>b2, Seeker.alongB + 8);
  // slackA is more than each coordinate is off by, and than 16 roundings of all that goes in.
  store<f32>(seeker, <f32>(offset - 2 * size * <f64>load<f32>(pair, PairRecord.slackA)), Seeker.offset);
  store<f32>(seeker, <f32>(size * UP), Seeker.size);
  store<f32>(seeker, <f32>(sizeB * UP), Seeker.sizeB);
}
