// Two Moments of a Motion, no separation asked for -> do the features surely share a point between the two
// times?
import { Moment, Motion } from '../records';

const HALF_ULP: f64 = 1.1102230246251565e-16;
// Points are off by 3 half ulps and 2 points differ by 9 of twice the greatest coordinate: their normal's
// component, two products, by 88 of the product of two axes, the volume, three products, by 400 of that of
// all axes.
const VOLUME_ERROR: f64 = 512 * HALF_ULP;
// Likewise of normal . (point x point), where the normal is taken as it is: 23; of the sum of two of them
// twice as much.
const AREA_ERROR: f64 = 32 * HALF_ULP;
// More than what products lose below the least double.
const LEAST_ERROR: f64 = 1e-300;

// first . ((second - first) x (last - first)): six times the volume between the origin and the points.
function volumeOf(moment: usize): f64 {
  const at = moment + Moment.points;
  const x = load<f64>(at);
  const y = load<f64>(at, 32);
  const z = load<f64>(at, 64);
  const ux = load<f64>(at, 8) - x;
  const uy = load<f64>(at, 40) - y;
  const uz = load<f64>(at, 72) - z;
  const vx = load<f64>(at, 24) - x;
  const vy = load<f64>(at, 56) - y;
  const vz = load<f64>(at, 88) - z;
  return x * (uy * vz - uz * vy) + y * (uz * vx - ux * vz) + z * (ux * vy - uy * vx);
}

// normal . (point of a x next point of b), of the first two points and, `half` being 16, the last two.
function turns(a: usize, b: usize, half: usize, x: v128, y: v128, z: v128): v128 {
  const p = a + Moment.points + half;
  const q = b + Moment.points + half;
  const other = b + Moment.points + (half ^ 16);
  const px = v128.load(p);
  const py = v128.load(p, 32);
  const pz = v128.load(p, 64);
  const qx = v128.shuffle<f64>(v128.load(q), v128.load(other), 1, 2);
  const qy = v128.shuffle<f64>(v128.load(q, 32), v128.load(other, 32), 1, 2);
  const qz = v128.shuffle<f64>(v128.load(q, 64), v128.load(other, 64), 1, 2);
  return f64x2.add(
    f64x2.add(
      f64x2.mul(x, f64x2.sub(f64x2.mul(py, qz), f64x2.mul(pz, qy))),
      f64x2.mul(y, f64x2.sub(f64x2.mul(pz, qx), f64x2.mul(px, qz))),
    ),
    f64x2.mul(z, f64x2.sub(f64x2.mul(px, qy), f64x2.mul(py, qx))),
  );
}

/**
 * The volume changes its sign, so at some time between the origin lies in the plane of the points. Seen along
 * the first normal, which stays what it is, it lies strictly inside of their face or parallelogram all the
 * time: each of the turns around it is quadratic in time and of one sign as its Bernstein coefficients are.
 */
export function isCrossing(motion: usize, from: usize, to: usize): bool {
  const before = volumeOf(from);
  const after = volumeOf(to);
  const volumeError = load<f64>(motion, Motion.volume) * VOLUME_ERROR + LEAST_ERROR;
  if (!(min(before, after) < -volumeError && max(before, after) > volumeError)) return false;
  const x = v128.load64_splat(from, Moment.normal);
  const y = v128.load64_splat(from, Moment.normal + 8);
  const z = v128.load64_splat(from, Moment.normal + 16);
  const half = f64x2.splat(0.5);
  let least = f64x2.splat(Infinity);
  let most = f64x2.splat(-Infinity);
  for (let part: usize = 0; part < 32; part += 16) {
    let start = turns(from, from, part, x, y, z);
    let end = turns(to, to, part, x, y, z);
    let middle = f64x2.mul(half, f64x2.add(turns(from, to, part, x, y, z), turns(to, from, part, x, y, z)));
    if (part != 0 && load<u32>(motion, Motion.isFace) != 0) {
      // A face's third edge is the one that leads back to the first point.
      start = v128.shuffle<f64>(start, start, 1, 1);
      middle = v128.shuffle<f64>(middle, middle, 1, 1);
      end = v128.shuffle<f64>(end, end, 1, 1);
    }
    least = f64x2.min(least, f64x2.min(start, f64x2.min(middle, end)));
    most = f64x2.max(most, f64x2.max(start, f64x2.max(middle, end)));
  }
  const areaError = load<f64>(motion, Motion.area) * AREA_ERROR + LEAST_ERROR;
  return (
    min(f64x2.extract_lane(least, 0), f64x2.extract_lane(least, 1)) > areaError ||
    max(f64x2.extract_lane(most, 0), f64x2.extract_lane(most, 1)) < -areaError
  );
}
