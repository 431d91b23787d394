// Transforms the box of a moving shape to the normalized frame of a tree, and tests it against the boxes of the
// tree's nodes and triangles in floats. These tests are conservative: they never exclude a triangle that the
// shape meets.

import { CastTarget, Leaf, LocalShape, NOTHING, Node, SHAPE_CAPSULE, ShapeJob } from '../records';
import { add, le, load4, maskBits, max4, min4, mul, splat, splatAt, sub } from '../simd/lanes';

/** The results of makeLocalShape. */
export const MISSES: i32 = 0;
export const MAY_OVERLAP: i32 = 1;
/** The frame is too inaccurate, so every triangle must be tested. */
export const UNUSABLE: i32 = 2;

// Rounding errors of transformed points and extents, relative to the largest coordinate: 2^-46.
const ROUNDING: f64 = 1.4210854715202004e-14;
// Rounding errors of the tests in floats, relative to the sum of the largest coordinate and the largest extent:
// 2^-19. The compared numbers are below 4 times this sum, and each of the few roundings changes a number by at
// most 2^-24 of its magnitude.
const FLOAT_ERROR: f64 = 1.9073486328125e-6;
// Smallest |displacement| that the tests divide by: 2^-40. A smaller |displacement| is replaced by this value,
// which moves the shape by at most 2^-40.
const MIN_DISPLACEMENT: f64 = 9.094947017729282e-13;
// Multiplying a rounded nonnegative float by this factor gives an upper bound of the exact number.
const UP: f32 = 1.000001;

// @ts-ignore: decorator
@inline
function image(row: usize, at: usize): f64 {
  return (
    load<f64>(row) * load<f64>(at) +
    load<f64>(row, 8) * load<f64>(at, 8) +
    load<f64>(row, 16) * load<f64>(at, 16)
  );
}

// @ts-ignore: decorator
@inline
function sizeOf(at: usize): f64 {
  return abs(load<f64>(at)) + abs(load<f64>(at, 8)) + abs(load<f64>(at, 16));
}

// Returns half the extent of the shape along a row of the transform.
function halfExtent(job: usize, row: usize): f64 {
  if (load<u32>(job, ShapeJob.kind) != SHAPE_CAPSULE) {
    const axes = job + ShapeJob.axes;
    return abs(image(row, axes)) + abs(image(row, axes + 24)) + abs(image(row, axes + 48));
  }
  const x = load<f64>(row);
  const y = load<f64>(row, 8);
  const z = load<f64>(row, 16);
  return (
    0.5 * abs(image(row, job + ShapeJob.segment)) +
    load<f64>(job, ShapeJob.radius) * Math.sqrt(x * x + y * y + z * z)
  );
}

/**
 * Writes the LocalShape of a job in the frame of a CastTarget: clips the motion to the part in which the box of
 * the shape may overlap the box of the tree. Returns MISSES, MAY_OVERLAP or UNUSABLE.
 */
export function makeLocalShape(job: usize, target: usize, local: usize): i32 {
  const size = load<f64>(target, CastTarget.size);
  const reach = sizeOf(job + ShapeJob.start) + sizeOf(job + ShapeJob.segment) + sizeOf(job + ShapeJob.motion);
  let maxMagnitude: f64 = 0;
  let widest: f64 = 0;
  for (let axis: usize = 0; axis < 3; axis++) {
    const row = target + CastTarget.rows + (axis << 5);
    const center =
      image(row, job + ShapeJob.start) + 0.5 * image(row, job + ShapeJob.segment) + load<f64>(row, 24);
    const motion = image(row, job + ShapeJob.motion);
    const extent = halfExtent(job, row);
    store<f64>(local + (axis << 3), center, LocalShape.origin);
    store<f64>(local + (axis << 3), motion, LocalShape.motion);
    store<f64>(local + (axis << 3), extent, LocalShape.extent);
    maxMagnitude = max(maxMagnitude, max(abs(center), abs(motion)));
    widest = max(widest, extent);
  }
  const error =
    load<f64>(target, CastTarget.frameError) +
    load<f64>(target, CastTarget.originError) * reach +
    ROUNDING * (maxMagnitude + widest);
  if (!(error < 0.25 * size && maxMagnitude < 1e290)) return UNUSABLE;
  const slack = error + FLOAT_ERROR * (size + widest);

  let begin: f64 = 0;
  let end: f64 = 1;
  for (let axis: usize = 0; axis < 3; axis++) {
    const center = load<f64>(local + (axis << 3), LocalShape.origin);
    const motion = load<f64>(local + (axis << 3), LocalShape.motion);
    const limit = size + load<f64>(local + (axis << 3), LocalShape.extent) + slack;
    if (abs(motion) < ROUNDING * limit) {
      if (abs(center) > 2 * limit) return MISSES;
      continue;
    }
    const one = (-limit - center) / motion;
    const two = (limit - center) / motion;
    begin = max(begin, min(one, two));
    end = min(end, max(one, two));
  }
  if (begin > end) return MISSES;
  store<f64>(local, begin, LocalShape.begin);
  store<f64>(local, slack, LocalShape.slack);
  store<f64>(local, end > begin ? 1 / (end - begin) : 0, LocalShape.rate);
  for (let axis: usize = 0; axis < 3; axis++) {
    const motion = load<f64>(local + (axis << 3), LocalShape.motion);
    const origin = load<f64>(local + (axis << 3), LocalShape.origin) + begin * motion;
    const displacement = (end - begin) * motion;
    const inverse = <f32>(
      (1 /
        (abs(displacement) < MIN_DISPLACEMENT ? copysign<f64>(MIN_DISPLACEMENT, displacement) : displacement))
    );
    store<f64>(local + (axis << 3), begin * motion, LocalShape.shift);
    setBox(local, axis, origin, load<f64>(local + (axis << 3), LocalShape.extent) + slack);
    store<f32>(local + (axis << 2), inverse, LocalShape.inverse);
    store<f32>(local + (axis << 2), abs(inverse), LocalShape.absInverse);
  }
  return MAY_OVERLAP;
}

/** Sets the center and half the extent of the box along an axis. half: half the extent plus all errors. */
export function setBox(local: usize, axis: usize, center: f64, half: f64): void {
  store<f64>(local + (axis << 3), center, LocalShape.origin);
  store<f32>(local + (axis << 2), <f32>center, LocalShape.floatOrigin);
  store<f32>(local + (axis << 2), <f32>half * UP, LocalShape.half);
}

/** Returns an upper bound of the parameter u (see LocalShape) of all contacts up to `time`. */
export function farLimit(local: usize, time: f64): f32 {
  return (
    <f32>((time - load<f64>(local, LocalShape.begin)) * load<f64>(local, LocalShape.rate)) * UP + <f32>1e-5
  );
}

/**
 * Tests the moving box of a shape against the four child boxes of a node. Bit i of the result is set if the
 * moving box may overlap box i before `far`. Writes to `nears` (4 f32) the parameters at which the overlaps
 * begin.
 */
export function overlapBoxes(node: usize, local: usize, far: f32, nears: usize): i32 {
  let near = splat(0);
  let exit = splat(far);
  for (let axis: usize = 0; axis < 3; axis++) {
    const at = local + (axis << 2);
    const center = mul(
      sub(load4(node + (axis << 4), Node.centerX), splatAt(at, LocalShape.floatOrigin)),
      splatAt(at, LocalShape.inverse),
    );
    const half = mul(
      add(load4(node + (axis << 4), Node.halfX), splatAt(at, LocalShape.half)),
      splatAt(at, LocalShape.absInverse),
    );
    near = max4(near, sub(center, half));
    exit = min4(exit, add(center, half));
  }
  v128.store(nears, near);
  return maskBits(le(near, exit));
}

/**
 * Tests the moving box of a shape against the boxes of the triangles of a leaf. Bit i of the result is set if
 * the moving box may overlap the box of triangle i before `far`.
 */
export function overlapTriangleBoxes(leaf: usize, local: usize, far: f32): i32 {
  let near = splat(0);
  let exit = splat(far);
  for (let axis: usize = 0; axis < 3; axis++) {
    const at = local + (axis << 2);
    const origin = splat(
      <f32>(
        (load<f64>(local + (axis << 3), LocalShape.origin) - <f64>load<f32>(leaf + (axis << 2), Leaf.originX))
      ),
    );
    const a = load4(leaf + (axis << 4), Leaf.ax);
    const b = load4(leaf + (axis << 4), Leaf.bx);
    const c = load4(leaf + (axis << 4), Leaf.cx);
    const low = sub(min4(min4(a, b), c), origin);
    const high = sub(max4(max4(a, b), c), origin);
    const half = splatAt(at, LocalShape.half);
    const inverse = splatAt(at, LocalShape.inverse);
    const one = mul(sub(low, half), inverse);
    const two = mul(add(high, half), inverse);
    near = max4(near, min4(one, two));
    exit = min4(exit, max4(one, two));
  }
  return maskBits(le(near, exit)) & maskBits(i32x4.ne(v128.load(leaf, Leaf.id), i32x4.splat(NOTHING)));
}
