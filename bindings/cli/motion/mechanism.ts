// Defines a mechanism: parts that are attached to moving coordinate frames, over an interval of time.
import { InvalidFile, identity } from '../../formats/part.js';
import { multiplyAffine } from '../../formats/transforms.js';
import {
  type Attached,
  type Frame,
  isMoving,
  isSimilarity,
  placeChain,
  placementAt,
  valuesOf,
} from '../../motion/frames.js';
import { lengthOf } from '../../motion/keys.js';
import type { NamedPart } from '../clash/readModel.js';

/** Parts and the motion of the frames to which they are attached. */
export interface Mechanism {
  /** The name of the motion. */
  name: string;
  /** The file and what moves in it, for error messages. */
  where: string;
  /** First and last time of the motion, in seconds. */
  start: number;
  end: number;
  frames: Frame[];
  /** For each part, how it is attached to the frames. */
  attached: Attached[];
}

/**
 * Attaches a part to a frame, or to the scene if `frame` is undefined.
 * @param local The transform from the part's own frame to the frame or the scene.
 */
export function attach(
  { positions, indices }: NamedPart,
  frame: number | undefined,
  local: Float64Array,
): Attached {
  if (frame === undefined) return { frame, local, radius: 0 };
  let radius = 0;
  for (const vertex of indices) {
    const [x, y, z] = [positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2]];
    let square = 0;
    for (let row = 0; row < 3; row++)
      square += (local[row] * x + local[4 + row] * y + local[8 + row] * z + local[12 + row]) ** 2;
    if (square > radius) radius = square;
  }
  return { frame, local, radius: Math.sqrt(radius) };
}

/** Returns the indices of the frames from the root to a frame. */
export function chainTo(frames: readonly Frame[], frame: number | undefined): number[] {
  const chain: number[] = [];
  for (let at = frame; at !== undefined; at = frames[at].parent) chain.unshift(at);
  return chain;
}

/** Returns the placement of a part in the scene at a time. `inside`: see KeyedValue. */
export function placePart(
  { frames, attached }: Mechanism,
  part: number,
  time: number,
  inside: number,
): Float64Array {
  const { frame, local } = attached[part];
  const chain = chainTo(frames, frame).map(number => frames[number]);
  return multiplyAffine(placeChain(identity(), chain, time, inside), local);
}

/**
 * If a part jumps to the last pose, the pose is held for this long, in seconds. Without this time, the pose
 * would have no duration.
 */
const LAST_POSE = 1e-3;

/**
 * Returns the first and the last time of all keys, or undefined if there are no keys. If a part jumps at the
 * last time, the motion ends a little later.
 */
export function timesOf(frames: readonly Frame[]): { start: number; end: number } | undefined {
  const values = frames.flatMap(({ placement }) => valuesOf(placement));
  if (values.length === 0) return undefined;
  const start = values.reduce((min, { times }) => Math.min(min, times[0]), Infinity);
  const end = values.reduce((max, { times }) => Math.max(max, times[times.length - 1]), -Infinity);
  const doesJump = values.some(({ times, jumps }) => jumps && times[times.length - 1] === end);
  return { start, end: doesJump ? end + LAST_POSE : end };
}

/** The max gap between neighboring doubles near the last time, as a fraction of the resolution. */
const TIME_ERROR = 1 / 16;

/**
 * Throws InvalidFile if times are so large that the gap between neighboring doubles exceeds TIME_ERROR times
 * the resolution. resolution: in seconds.
 */
export function checkTimes({ where, start, end }: Mechanism, resolution: number): void {
  const last = Math.max(Math.abs(start), Math.abs(end));
  const gap = 2 ** (Math.floor(Math.log2(last)) - 52);
  if (!(gap <= TIME_ERROR * resolution))
    throw new InvalidFile(
      `${where} has times up to ${last} s, where neighboring numbers are ${gap} s apart; at most ${TIME_ERROR * resolution} s is permitted`,
      'Write times in seconds, from the start of the motion. Are these nanoseconds?',
    );
}

/**
 * Returns the index of the first rotating frame below frames that scale directions by different factors;
 * undefined if there is none. Its rotation would deform the parts that are attached to it.
 */
export function findDeformed(frames: readonly Frame[], time: number): number | undefined {
  const worlds: Float64Array[] = [];
  for (const [number, frame] of frames.entries()) {
    const above = frame.parent === undefined ? undefined : worlds[frame.parent];
    const { placement } = frame;
    const doesRotate =
      isMoving(frame) && !(placement instanceof Float64Array) && !Array.isArray(placement.rotation);
    if (doesRotate && above && !isSimilarity(above)) return number;
    const own = placementAt(frame, time, time);
    worlds.push(above ? multiplyAffine(above, own) : own);
  }
  return undefined;
}

/** Returns the inverse of a placement, or undefined if it has none. */
export function inverseOf(m: Float64Array): Float64Array | undefined {
  const column = (i: number): number[] => [...m.subarray(4 * i, 4 * i + 3)];
  const [a, b, c, t] = [column(0), column(1), column(2), column(3)];
  const rows = [cross(b, c), cross(c, a), cross(a, b)];
  const determinant = dot(a, rows[0]);
  // The determinant is compared with the product of the column lengths, so that a small scale is not mistaken
  // for a flat placement.
  if (!(Math.abs(determinant) > 1e-12 * lengthOf(a) * lengthOf(b) * lengthOf(c))) return undefined;
  const inverse = new Float64Array(16);
  rows.forEach((row, i) => {
    for (let k = 0; k < 3; k++) inverse[4 * k + i] = row[k] / determinant;
    inverse[12 + i] = -dot(row, t) / determinant;
  });
  inverse[15] = 1;
  return inverse;
}

const dot = (p: readonly number[], q: readonly number[]): number => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
const cross = (p: readonly number[], q: readonly number[]): number[] => [
  p[1] * q[2] - p[2] * q[1],
  p[2] * q[0] - p[0] * q[2],
  p[0] * q[1] - p[1] * q[0],
];
