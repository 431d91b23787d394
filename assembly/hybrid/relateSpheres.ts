// PairRecords that placePairs has filled -> how much longer a radius may become from frame to frame, and what
// is added to it, in their SpherePairs. A sphere of radius r goes to within stretch r of its centre's image.
// Two points that are one in the common frame are, per coordinate, within what half of slackA stands for; all
// rounding of an image and a difference is within it, too: twice slackA is more than root 3 times as much.
// Each radius is grown by more than what squares, sums and products of the test may take off.
import { PairRecord, RelateSpheresJob, SpherePair } from '../records';

/** Roundings of a stretch, of the matrix as floats, and of a test: 64 * 2^-24. */
const GROWN: f64 = 1.000003814697265625;

/** Pairs begin <= i < end. */
export function relateSpheres(jobAt: usize, begin: u32, end: u32): void {
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

// Greatest length of the images of unit vectors, or a little more: by Gershgorin's circles of the columns'
// products. Rows of four floats.
function stretchOf(rows: usize): f32 {
  const xx = dot(rows, 0, 0);
  const yy = dot(rows, 4, 4);
  const zz = dot(rows, 8, 8);
  const xy = abs(dot(rows, 0, 4));
  const xz = abs(dot(rows, 0, 8));
  const yz = abs(dot(rows, 4, 8));
  return <f32>(sqrt(max(xx + xy + xz, max(xy + yy + yz, xz + yz + zz))) * GROWN);
}

// Of two columns.
function dot(rows: usize, i: usize, j: usize): f64 {
  return (
    <f64>load<f32>(rows + i) * <f64>load<f32>(rows + j) +
    <f64>load<f32>(rows + i, 16) * <f64>load<f32>(rows + j, 16) +
    <f64>load<f32>(rows + i, 32) * <f64>load<f32>(rows + j, 32)
  );
}
