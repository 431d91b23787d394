// Drops candidate pairs of bodies that cannot collide. A pair is dropped if its collision groups exclude it.
// If the job asks for it (`oriented`), a pair is also dropped if a plane is found that separates the two
// bodies, or if one of their oriented boxes lies beyond a face of the other. Each slice has its own part of the
// output list. It writes the remaining pairs to the start of this part, and their number to the array at
// `keptAt`.

import { areSeparated } from '../bvh/supports';
import { BodyRecord, PruneJob } from '../records';
import { reachAlong } from '../scene/placeBodies';
import { abs2, add2, mul2, splat2, sumOfProducts } from '../simd/doubles';

// The product of ROUNDING and the size of the inputs is far greater than all rounding errors together. A
// distance above MAX_DISTANCE or below MIN_DISTANCE decides nothing, because a sum may have overflowed or a
// product underflowed.
const ROUNDING: f64 = 9.094947017729282e-13;
const MAX_DISTANCE: f64 = 1e300;
const MIN_DISTANCE: f64 = 1e-290;

export function pruneBodyPairs(jobAt: usize, begin: u32, end: u32): void {
  const pairCount: u64 = load<u32>(jobAt, PruneJob.pairCount);
  const sliceCount: u64 = load<u32>(jobAt, PruneJob.sliceCount);
  const listA: usize = load<u32>(jobAt, PruneJob.aAt);
  const listB: usize = load<u32>(jobAt, PruneJob.bAt);
  const toA: usize = load<u32>(jobAt, PruneJob.toAAt);
  const toB: usize = load<u32>(jobAt, PruneJob.toBAt);
  const bodies: usize = load<u32>(jobAt, PruneJob.bodiesAt);
  const testsOrientedBoxes = load<u32>(jobAt, PruneJob.oriented) != 0;
  for (let slice: u64 = begin; slice < end; slice++) {
    const first = (<usize>((slice * pairCount) / sliceCount)) << 2;
    const last = (<usize>(((slice + 1) * pairCount) / sliceCount)) << 2;
    let top = first;
    for (let at = first; at < last; at += 4) {
      const a = load<u32>(listA + at);
      const b = load<u32>(listB + at);
      const bodyA = bodies + <usize>a * BodyRecord.SIZE;
      const bodyB = bodies + <usize>b * BodyRecord.SIZE;
      store<u32>(toA + top, a);
      store<u32>(toB + top, b);
      if (
        mayCollide(bodyA, bodyB) &&
        !(
          testsOrientedBoxes &&
          (areSeparated(bodyA, bodyB) ||
            areBoxesSeparated(bodyA, bodyB, 0) ||
            areBoxesSeparated(bodyB, bodyA, 0))
        )
      )
        top += 4;
    }
    store<u32>(<usize>load<u32>(jobAt, PruneJob.keptAt) + ((<usize>slice) << 2), <u32>((top - first) >> 2));
  }
}

function mayCollide(a: usize, b: usize): bool {
  return (
    (load<u32>(a, BodyRecord.group) & load<u32>(b, BodyRecord.mask)) != 0 &&
    (load<u32>(b, BodyRecord.group) & load<u32>(a, BodyRecord.mask)) != 0
  );
}

/**
 * Returns whether the oriented box of body b surely lies beyond one of the faces of the oriented box of body
 * a, at a distance of more than `clearance`. The test computes the dot products of the normal of each face with
 * several vectors: half of each edge vector of the boxes, and the difference of their centers. The slack is far
 * greater than the rounding errors of these vectors.
 */
export function areBoxesSeparated(a: usize, b: usize, clearance: f64): bool {
  const x = splat2(load<f64>(b, BodyRecord.center) - load<f64>(a, BodyRecord.center));
  const y = splat2(load<f64>(b, BodyRecord.center + 8) - load<f64>(a, BodyRecord.center + 8));
  const z = splat2(load<f64>(b, BodyRecord.center + 16) - load<f64>(a, BodyRecord.center + 16));
  // `beyond` multiplies the slack by the sum of the magnitudes of a normal's coordinates, which is at least the
  // length of the normal.
  const slack = splat2(
    ROUNDING * (load<f64>(a, BodyRecord.size) + load<f64>(b, BodyRecord.size) + clearance) + clearance,
  );
  return (
    v128.any_true(beyond(a + BodyRecord.normals, v128.load(a, BodyRecord.reach), b, x, y, z, slack)) ||
    v128.any_true(beyond(a + BodyRecord.normals + 16, v128.load(a, BodyRecord.reach + 16), b, x, y, z, slack))
  );
}

// Tests two pairs of opposite faces of a's box, one in each lane. (x, y, z): the vector from a's center to
// b's center. reach: how far a's box reaches from its center along the normals. A box has three pairs of
// opposite faces, so the normal of the fourth pair is 0. The distance along this normal is 0, which is below
// MIN_DISTANCE.
// @ts-ignore: decorator
@inline
function beyond(normals: usize, reach: v128, b: usize, x: v128, y: v128, z: v128, slack: v128): v128 {
  const nx = v128.load(normals);
  const ny = v128.load(normals, 32);
  const nz = v128.load(normals, 64);
  const distance = abs2(sumOfProducts(nx, x, ny, y, nz, z));
  const limit = add2(
    add2(reach, reachAlong(normals, b + BodyRecord.edges)),
    mul2(slack, add2(add2(abs2(nx), abs2(ny)), abs2(nz))),
  );
  return v128.and(
    v128.and(f64x2.gt(distance, limit), f64x2.gt(distance, splat2(MIN_DISTANCE))),
    f64x2.lt(distance, splat2(MAX_DISTANCE)),
  );
}
