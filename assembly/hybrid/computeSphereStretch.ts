// Computes for each pair how much a radius grows when a sphere is mapped from one frame to the other, and
// stores it in the SpherePair.
//
// A sphere of radius r maps into a sphere of radius `stretch` * r around the image of its center. If two
// points coincide in the common frame, their coordinates in A's frame differ by at most half of slackA each,
// including all rounding of an image and a difference. So their distance is at most root 3 times half of
// slackA; the slack of a radius is 2 slackA, which is more. Each radius is enlarged by more than the rounding
// of the squares, sums and products of the test.
import { PairRecord, RelateSpheresJob, SpherePair } from '../records';

/** Covers the rounding of a stretch, of the matrix as floats, and of a test: 64 * 2^-24. */
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

// Returns a bound of the length of the images of unit vectors: the root of an upper bound of the eigenvalues
// of the matrix of dot products of the columns (Gershgorin circles). rows: three rows of four floats.
function stretchOf(rows: usize): f32 {
  const xx = dot(rows, 0, 0);
  const yy = dot(rows, 4, 4);
  const zz = dot(rows, 8, 8);
  const xy = abs(dot(rows, 0, 4));
  const xz = abs(dot(rows, 0, 8));
  const yz = abs(dot(rows, 4, 8));
  return <f32>(sqrt(max(xx + xy + xz, max(xy + yy + yz, xz + yz + zz))) * GROWTH);
}

// Returns the dot product of two columns, given by their byte offsets in a row.
function dot(rows: usize, i: usize, j: usize): f64 {
  return (
    <f64>load<f32>(rows + i) * <f64>load<f32>(rows + j) +
    <f64>load<f32>(rows + i, 16) * <f64>load<f32>(rows + j, 16) +
    <f64>load<f32>(rows + i, 32) * <f64>load<f32>(rows + j, 32)
  );
}
