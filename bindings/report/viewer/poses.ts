// The poses of the parts during a motion. They are computed as the search computed them, from the same keys.
import { Box3, Matrix4 } from 'three';
import { multiplyAffine } from '../../formats/transforms.js';
import { type Frame, placeFrames } from '../../motion/frames.js';
import { readFrame } from '../../motion/storedMotion.js';
import type { MotionContent, PlacedPart, StoredMotion } from '../motionContent.js';

/** The box of the scene contains the parts at this many times of each motion. */
const SAMPLES = 32;

export class Poses {
  /** The parts that the motion places. */
  readonly placed: readonly PlacedPart[];
  private readonly frames: Frame[];
  private readonly locals: Float64Array[];

  constructor({ frames, placed }: StoredMotion, doubles: readonly Float64Array[]) {
    this.placed = placed;
    this.frames = frames.map(frame => readFrame(frame, doubles));
    this.locals = placed.map(({ local }) => Float64Array.from(local));
  }

  /**
   * Returns the parts that the motion places, with their placements at a time: 16 doubles, column-major. `inside`: see
   * KeyedValue.
   */
  at(time: number, inside: number): (readonly [part: number, transform: Float64Array])[] {
    const frames = placeFrames(this.frames, time, inside);
    return this.placed.map(({ part, frame }, i) => [
      part,
      frame === undefined ? this.locals[i] : multiplyAffine(frames[frame], this.locals[i]),
    ]);
  }
}

/** Enlarges the box of the scene by the boxes of the parts at some times of each motion, in the coordinates of the files. */
export function growByMotions(
  sceneBox: Box3,
  meshBoxes: Box3[],
  { header: { motions, parts } }: MotionContent,
  poses: Poses[],
): void {
  const [box, matrix] = [new Box3(), new Matrix4()];
  motions.forEach(({ start, end }, motion) => {
    for (let sample = 0; sample <= SAMPLES; sample++) {
      const time = start + ((end - start) * sample) / SAMPLES;
      for (const [part, transform] of poses[motion].at(time, time))
        sceneBox.union(box.copy(meshBoxes[parts[part].mesh]).applyMatrix4(matrix.fromArray(transform)));
    }
  });
}
