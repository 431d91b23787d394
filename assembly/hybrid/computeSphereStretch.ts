// For each pair of placed meshes A and B, computes the factor by which the radius of a sphere grows when the
// sphere is mapped from B's frame to A's frame, and the factor for the opposite direction. Stores both factors
// in the SpherePair, with a slack for each direction that covers the rounding errors.
//
// The image of a sphere of radius r lies in a sphere of radius `stretch` * r around the image of its center.
// If a point of A and a point of B coincide in the common frame, their computed coordinates in A's frame
// differ by at most slackA / 2 on each axis, including the rounding of the image and of the difference. So
// their computed distance in A's frame is at most sqrt(3) / 2 * slackA. The slack added to a radius is 2 *
// slackA, which also covers the rounding of the squares, sums and products of the test.
import { maxStretch } from '../mesh/columns';
import { PairRecord, RelateSpheresJob, SpherePair } from '../records';

/**
 * 1 + 64 * 2^-24: covers the rounding of a stretch, the rounding of the matrix to float32, and the rounding
 * errors of a sphere test.
 */
const GROWTH: f64 = 1.000003814697265625;

/** Processes pairs begin <= i < end. */
export function computeSphereStretch(jobAt: usize, begin: u32, end: u32): void {
  const pairs: usize = load<u32>(jobAt, RelateSpheresJob.pairsAt);
  for (let i = begin; i < end; i++) {
    const pair = pairs + <usize>i * PairRecord.SIZE;
    const to: usize = load<u32>(pair, PairRecord.pairingAt);
    const toA = pair + PairRecord.toA;
    const toB = pair + PairRecord.toB;
    store<f32>(to, stretchOf(toA), SpherePair.stretch);
    store<f32>(to, 2 * load<f32>(pair, PairRecord.slackA), SpherePair.slack);
    store<f32>(to, stretchOf(toB), SpherePair.backStretch);
    store<f32>(to, 2 * load<f32>(pair, PairRecord.slackB), SpherePair.backSlack);
  }
}

// Returns an upper bound of the length of a unit vector's image under the matrix `rows` (three rows of four
// floats).
function stretchOf(rows: usize): f32 {
  return <f32>(maxStretch<f32>(rows) * GROWTH);
}
