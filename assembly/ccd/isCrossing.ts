// Proves that two features share a point at some time between two Moments of a Motion. Used only if the
// Motion's separation is 0.
import { Moment, Motion } from '../records';

const HALF_ULP: f64 = 1.1102230246251565e-16;
// All errors here are in half ulps, relative to the largest coordinates. Points have an error of 3. The
// difference of two points is at most twice the largest coordinate and has an error of 9. So a component of
// the cross product of two differences, which is a difference of two products, has an error of 88 relative to
// the product of the largest coordinates on two axes. The volume, a sum of three products, has an error of 400
// relative to the product of the largest coordinates on all axes.
const VOLUME_ERROR: f64 = 512 * HALF_ULP;
// Likewise, the error of normal . (point x point) is 23 if the normal is taken as exact. The error of the sum
// of two such terms is twice as large, but this sum is halved.
const AREA_ERROR: f64 = 32 * HALF_ULP;
// Larger than the underflow of products.
const UNDERFLOW: f64 = 1e-300;

// Returns first . ((second - first) x (last - first)): six times the signed volume of the tetrahedron that
// the origin forms with the first, second and last points.
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

// Returns n . (p x q), with n = (x, y, z), for two points p of Moment a. If p is point i of Moment a, q is
// point i + 1 of Moment b, or the first point of Moment b if p is the last point. half: 0 for the first two
// points p, 16 for the last two.
function orientations(a: usize, b: usize, half: usize, x: v128, y: v128, z: v128): v128 {
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
 * Returns whether a contact between the times of the two Moments is proven. Two facts prove it. First, the
 * volume changes its sign, so at some time the origin lies in the plane of the points. Second, in the
 * projection along the first Moment's normal, the origin lies strictly inside the face or parallelogram
 * during the whole interval. This is so if the orientations of the origin with respect to all edges keep the
 * same sign. An orientation is quadratic in time. If all its Bernstein coefficients have the same sign, the
 * orientation keeps this sign.
 */
export function isCrossing(motion: usize, from: usize, to: usize): bool {
  const before = volumeOf(from);
  const after = volumeOf(to);
  const volumeError = load<f64>(motion, Motion.volume) * VOLUME_ERROR + UNDERFLOW;
  if (!(min(before, after) < -volumeError && max(before, after) > volumeError)) return false;
  const x = v128.load64_splat(from, Moment.normal);
  const y = v128.load64_splat(from, Moment.normal + 8);
  const z = v128.load64_splat(from, Moment.normal + 16);
  const half = f64x2.splat(0.5);
  let lowest = f64x2.splat(Infinity);
  let highest = f64x2.splat(-Infinity);
  for (let offset: usize = 0; offset < 32; offset += 16) {
    let start = orientations(from, from, offset, x, y, z);
    let end = orientations(to, to, offset, x, y, z);
    let middle = f64x2.mul(
      half,
      f64x2.add(orientations(from, to, offset, x, y, z), orientations(to, from, offset, x, y, z)),
    );
    if (offset != 0 && load<u32>(motion, Motion.isFace) != 0) {
      // The fourth point of a face repeats the third one. Ignore the edge between them: use the edge from the
      // fourth point to the first point twice.
      start = v128.shuffle<f64>(start, start, 1, 1);
      middle = v128.shuffle<f64>(middle, middle, 1, 1);
      end = v128.shuffle<f64>(end, end, 1, 1);
    }
    lowest = f64x2.min(lowest, f64x2.min(start, f64x2.min(middle, end)));
    highest = f64x2.max(highest, f64x2.max(start, f64x2.max(middle, end)));
  }
  const areaError = load<f64>(motion, Motion.area) * AREA_ERROR + UNDERFLOW;
  return (
    min(f64x2.extract_lane(lowest, 0), f64x2.extract_lane(lowest, 1)) > areaError ||
    max(f64x2.extract_lane(highest, 0), f64x2.extract_lane(highest, 1)) < -areaError
  );
}
