// Computes the poses of the parts during a motion, from the same keys and with the same code as the search.
import { Box3, Matrix4 } from 'three';
import { multiplyAffine } from '../../formats/transforms.js';
import { type Frame, placeFrames, timesWithin, valuesOf } from '../../motion/frames.js';
import { readFrame } from '../../motion/storedMotion.js';
import type { MotionContent, PlacedPart, StoredMotion } from '../motionContent.js';

/** Approximate max number of placements of parts that are computed to find the box of the scene. */
const MAX_PLACED = 100_000;

export class Poses {
  /** The parts that the motion places. */
  readonly placed: readonly PlacedPart[];
  private readonly frames: Frame[];
  private readonly locals: Float64Array[];

  constructor(
    private readonly motion: StoredMotion,
    doubles: readonly Float64Array[],
  ) {
    const { frames, placed } = motion;
    this.placed = placed;
    this.frames = frames.map(frame => readFrame(frame, doubles));
    this.locals = placed.map(({ local }) => Float64Array.from(local));
  }

  /**
   * Returns the times of the keys and the times halfway between successive keys. If there are more than `limit`
   * times, returns an even selection of them.
   */
  sampleTimes(limit: number): number[] {
    const { start, end } = this.motion;
    const keys = timesWithin(
      this.frames.flatMap(({ placement }) => valuesOf(placement)),
      start,
      end,
    );
    const times = keys.flatMap((key, i) => (i === 0 ? [key] : [(keys[i - 1] + key) / 2, key]));
    const step = Math.max(1, (times.length - 1) / (limit - 1));
    return Array.from(
      { length: Math.floor((times.length - 1) / step) + 1 },
      (_, i) => times[Math.round(i * step)],
    );
  }

  /**
   * Returns the parts that the motion places, with their placements at a time: 16 doubles, column-major.
   * `inside`: see KeyedValue.
   */
  at(time: number, inside: number): (readonly [part: number, transform: Float64Array])[] {
    const frames = placeFrames(this.frames, time, inside);
    return this.placed.map(({ part, frame }, i) => [
      part,
      frame === undefined ? this.locals[i] : multiplyAffine(frames[frame], this.locals[i]),
    ]);
  }
}

/**
 * Enlarges the box of the scene, in the coordinates of the files, so that it contains the boxes of the placed
 * parts at the keys of each motion and halfway between keys. If there are very many keys, uses only some of
 * these times.
 */
export function growByMotions(
  sceneBox: Box3,
  meshBoxes: Box3[],
  { header: { parts } }: MotionContent,
  poses: Poses[],
): void {
  const [box, matrix] = [new Box3(), new Matrix4()];
  const placedCount = poses.reduce((sum, { placed }) => sum + placed.length, 0);
  const limit = Math.max(3, Math.floor(MAX_PLACED / placedCount));
  for (const one of poses)
    for (const time of one.sampleTimes(limit))
      for (const [part, transform] of one.at(time, time))
        sceneBox.union(box.copy(meshBoxes[parts[part].mesh]).applyMatrix4(matrix.fromArray(transform)));
}
