// Computes the placements of a robot's links from its joint values (forward kinematics).
import { cosine, sine } from '../mesh/trigonometry';
import {
  ChainBody,
  ChainJoint,
  ChainRecord,
  FRAME_BYTES as FRAME,
  JOINT_FIXED,
  JOINT_REVOLUTE,
  NOTHING,
  PlaceChainJob,
} from '../records';

/** Bytes of a placement: 16 doubles, column-major. */
const MATRIX: usize = 128;
/** Smallest magnitude of an entry of a placement other than 0: 2^-200. Smaller entries become 0. */
const MIN_ENTRY: f64 = 6.223015277861142e-61;
/**
 * Pi / 2 as a sum of two numbers. The first number has 33 bits, so its product with an integer of up to 20
 * bits is exact.
 */
const HALF_PI: f64 = 1.5707963267341256;
const HALF_PI_REST: f64 = 6.077100506506192e-11;

/**
 * Writes the placements of all bodies of a chain for each of several poses. Runs on one thread, so `begin` and
 * `end` (the slices) are ignored.
 */
export function placeChain(jobAt: usize, begin: u32, end: u32): void {
  const chain: usize = load<u32>(jobAt, PlaceChainJob.chainAt);
  const poseCount = load<u32>(jobAt, PlaceChainJob.poseCount);
  const valuesBytes = (<usize>load<u32>(chain, ChainRecord.valueCount)) << 3;
  const matricesBytes = <usize>load<u32>(chain, ChainRecord.bodyCount) * MATRIX;
  let values: usize = load<u32>(jobAt, PlaceChainJob.valuesAt);
  let matrices: usize = load<u32>(jobAt, PlaceChainJob.matricesAt);
  for (let pose: u32 = 0; pose < poseCount; pose++) {
    placeJoints(chain, values, load<u32>(jobAt, PlaceChainJob.framesAt), matrices);
    values += valuesBytes;
    matrices += matricesBytes;
  }
}

/**
 * Writes the placements of all bodies of a chain for one pose. values: one f64 for each joint that is not
 * fixed, in radians or in units of length. frames: space for the frame of each joint and one more frame.
 * matrices: the placements, 16 f64 for each body, column-major.
 */
export function placeJoints(chain: usize, values: usize, frames: usize, matrices: usize): void {
  const jointCount: usize = load<u32>(chain, ChainRecord.jointCount);
  let joint: usize = load<u32>(chain, ChainRecord.jointsAt);
  for (let i: usize = 0; i < jointCount; i++, joint += ChainJoint.SIZE) {
    const frame = frames + i * FRAME;
    const parent = load<u32>(joint, ChainJoint.parent);
    if (parent == NOTHING) memory.copy(frame, joint + ChainJoint.rows, FRAME);
    else multiply(frames + <usize>parent * FRAME, joint + ChainJoint.rows, frame);
    const kind = load<u32>(joint, ChainJoint.kind);
    if (kind == JOINT_FIXED) continue;
    const value = load<f64>(values + ((<usize>load<u32>(joint, ChainJoint.valueIndex)) << 3));
    if (kind == JOINT_REVOLUTE) rotate(frame, joint + ChainJoint.axis, value);
    else slide(frame, joint + ChainJoint.axis, value);
  }
  const bodyCount: usize = load<u32>(chain, ChainRecord.bodyCount);
  let body: usize = load<u32>(chain, ChainRecord.bodiesAt);
  // The frame after the frames of the joints is scratch space for the placement of a body.
  const placed = frames + jointCount * FRAME;
  for (let i: usize = 0; i < bodyCount; i++, body += ChainBody.SIZE) {
    multiply(frames + <usize>load<u32>(body, ChainBody.joint) * FRAME, body + ChainBody.rows, placed);
    writeMatrix(placed, matrices + i * MATRIX);
  }
}

// Writes the product of two frames. `to` must differ from both.
function multiply(a: usize, b: usize, to: usize): void {
  for (let row: usize = 0; row < FRAME; row += 32) {
    const x = load<f64>(a + row);
    const y = load<f64>(a + row, 8);
    const z = load<f64>(a + row, 16);
    for (let column: usize = 0; column < 32; column += 8)
      store<f64>(
        to + row + column,
        x * load<f64>(b + column) + y * load<f64>(b + column, 32) + z * load<f64>(b + column, 64),
      );
    store<f64>(to + row, load<f64>(to + row, 24) + load<f64>(a + row, 24), 24);
  }
}

// Rotates a frame about an axis of length 1 through its origin. The axis is given in this frame.
function rotate(frame: usize, axis: usize, angle: f64): void {
  const quarters = nearest<f64>(angle / HALF_PI);
  const rest = angle - quarters * HALF_PI - quarters * HALF_PI_REST;
  const quadrant = <i32>quarters & 3;
  const s0 = sine(rest);
  const c0 = cosine(rest);
  const s = quadrant == 0 ? s0 : quadrant == 1 ? c0 : quadrant == 2 ? -s0 : -c0;
  const c = quadrant == 0 ? c0 : quadrant == 1 ? -s0 : quadrant == 2 ? -c0 : s0;
  const x = load<f64>(axis);
  const y = load<f64>(axis, 8);
  const z = load<f64>(axis, 16);
  const d = 1 - c;
  for (let row = frame; row < frame + FRAME; row += 32) {
    const u = load<f64>(row);
    const v = load<f64>(row, 8);
    const w = load<f64>(row, 16);
    // Rodrigues' formula.
    store<f64>(row, u * (c + d * x * x) + v * (d * x * y + s * z) + w * (d * x * z - s * y));
    store<f64>(row, u * (d * x * y - s * z) + v * (c + d * y * y) + w * (d * y * z + s * x), 8);
    store<f64>(row, u * (d * x * z + s * y) + v * (d * y * z - s * x) + w * (c + d * z * z), 16);
  }
}

// Moves the origin of a frame by a distance along an axis of length 1, which is given in this frame.
function slide(frame: usize, axis: usize, distance: f64): void {
  for (let row = frame; row < frame + FRAME; row += 32)
    store<f64>(
      row,
      load<f64>(row, 24) +
        distance *
          (load<f64>(row) * load<f64>(axis) +
            load<f64>(row, 8) * load<f64>(axis, 8) +
            load<f64>(row, 16) * load<f64>(axis, 16)),
      24,
    );
}

// Writes a frame as a matrix of 16 doubles, column-major.
function writeMatrix(frame: usize, matrix: usize): void {
  for (let column: usize = 0; column < 4; column++) {
    const to = matrix + (column << 5);
    for (let row: usize = 0; row < 3; row++) {
      const value = load<f64>(frame + (row << 5) + (column << 3));
      store<f64>(to + (row << 3), abs(value) < MIN_ENTRY ? 0 : value);
    }
    store<f64>(to, column == 3 ? 1 : 0, 24);
  }
}
