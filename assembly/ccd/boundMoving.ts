// Computes, for each moving body, a box that contains the body during the whole time step. This box is the
// intersection of two boxes, or of three if bodies may rotate, enlarged by a margin. The first is the union
// of the body's boxes at the start and at the end of the step. The second is the box of the body's bounding
// sphere, swept from start to end (Du, Liu and Suzumura, section 3.2). The points of a rotating body move
// along curves, so these two boxes are enlarged by the bend: the maximum distance of points from the chords
// of their curves. The third is the box of a sphere that is centered at the body's origin and contains the
// body. This sphere is swept along a straight line, since the origin moves along one.

import { maxStretch } from '../mesh/columns';
import { boxSide, writeEmptyBox } from '../mesh/placedBox';
import { BodyRecord, BoundMovingJob, HAS_TRIANGLES, MovingBody, RotatingBody } from '../records';
import { roundDown } from '../simd/rounding';

export function boundMoving(jobAt: usize, begin: u32, end: u32): void {
  const count: u64 = load<u32>(jobAt, BoundMovingJob.bodyCount);
  const sliceCount: u64 = load<u32>(jobAt, BoundMovingJob.sliceCount);
  const bodies: usize = load<u32>(jobAt, BoundMovingJob.bodiesAt);
  const all: usize = load<u32>(jobAt, BoundMovingJob.movingAt);
  const boxes: usize = load<u32>(jobAt, BoundMovingJob.boxesAt);
  const rotating: usize = load<u32>(jobAt, BoundMovingJob.rotatingAt);
  const margin = load<f64>(jobAt, BoundMovingJob.margin);
  const last = <usize>((<u64>end * count) / sliceCount);
  for (let i = <usize>((<u64>begin * count) / sliceCount); i < last; i++) {
    const body = bodies + i * BodyRecord.SIZE;
    const moving = all + i * MovingBody.SIZE;
    const box = boxes + i * 24;
    if (load<u32>(body, BodyRecord.presence) != HAS_TRIANGLES) {
      writeEmptyBox(box);
      continue;
    }
    const radius = max(radiusOf(moving + MovingBody.from, moving), radiusOf(body + BodyRecord.rows, moving));
    let bend: f64 = 0;
    let reach: f64 = Infinity;
    if (rotating != 0) {
      const body = rotating + i * RotatingBody.SIZE;
      const rounding = CONTACT_ROUNDINGS * load<f64>(body, RotatingBody.rounding);
      bend = load<f64>(body, RotatingBody.bend) + rounding;
      reach = load<f64>(body, RotatingBody.reach) + rounding;
    }
    for (let axis: usize = 0; axis < 3; axis++) {
      const from = moving + MovingBody.from + (axis << 5);
      const to = body + BodyRecord.rows + (axis << 5);
      const at = box + (axis << 2);
      const start = centerOn(from, moving);
      const stop = centerOn(to, moving);
      const slack = SLACK * (sumOfTerms(from, moving) + sumOfTerms(to, moving) + radius);
      const low =
        max(min(boxSide(from, body, false), boxSide(to, body, false)), min(start, stop) - radius - slack) -
        bend;
      const high =
        min(max(boxSide(from, body, true), boxSide(to, body, true)), max(start, stop) + radius + slack) +
        bend;
      const origin = load<f64>(from, 24);
      const last = load<f64>(to, 24);
      store<f32>(at, roundDown(max(low, min(origin, last) - reach) - margin));
      store<f32>(at, -roundDown(-min(high, max(origin, last) + reach) - margin), 12);
    }
  }
}

/**
 * Relative error bound: far larger than the rounding errors of a placed sphere's radius, of its placed center
 * and of a placed vertex. A placed coordinate is a sum whose terms may cancel, so its error is relative to the
 * sum of the terms' magnitudes: at most 4 * 2^-53 times this sum. For a vertex, this sum is at most the sum for
 * the center plus sqrt(3) radii.
 */
const SLACK: f64 = 9.094947017729282e-13;

/**
 * The box of a body that may rotate is enlarged by this multiple of the body's rounding error. A tolerance
 * below eight times the sum of the rounding errors of both bodies is raised to that value (see `Motion` in
 * sweepOptions.ts), and the positions themselves have one rounding error.
 */
const CONTACT_ROUNDINGS: f64 = 9;

// Returns an upper bound of the placed sphere's radius.
function radiusOf(rows: usize, moving: usize): f64 {
  return maxStretch<f64>(rows) * load<f64>(moving, MovingBody.radius) * (1 + SLACK);
}

function centerOn(row: usize, moving: usize): f64 {
  return (
    load<f64>(row) * load<f64>(moving, MovingBody.center) +
    load<f64>(row, 8) * load<f64>(moving, MovingBody.center + 8) +
    load<f64>(row, 16) * load<f64>(moving, MovingBody.center + 16) +
    load<f64>(row, 24)
  );
}

// Returns the sum of the magnitudes of the terms that `centerOn` adds up.
function sumOfTerms(row: usize, moving: usize): f64 {
  return (
    abs(load<f64>(row) * load<f64>(moving, MovingBody.center)) +
    abs(load<f64>(row, 8) * load<f64>(moving, MovingBody.center + 8)) +
    abs(load<f64>(row, 16) * load<f64>(moving, MovingBody.center + 16)) +
    abs(load<f64>(row, 24))
  );
}
