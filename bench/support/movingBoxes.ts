// Makes frames in which some of the boxes of a crowd move, for benches of incremental broad phases.
import { createRandom } from '../../dist/samples/index.js';

/** The boxes that move in a frame, and where they move to: six numbers per box, in the order of the ids. */
export interface MovedBoxes {
  ids: Uint32Array;
  movedBoxes: Float32Array;
}

/** The share of the boxes that move, and how far a box moves per frame, relative to its size. */
export interface Movement {
  share: number;
  step: number;
}

/**
 * Makes `count` frames in which the same boxes move. For half of the frames, each of these boxes moves away
 * from its place in `boxes` in its own direction. Then it moves back, so that the last frame equals the start.
 */
export function moveAwayAndBack(
  boxes: Float32Array,
  { share, step }: Movement,
  count: number,
  seed: number,
): MovedBoxes[] {
  const random = createRandom(seed);
  const ids = Uint32Array.from({ length: boxes.length / 6 }, (_, i) => i).filter(
    () => share >= 1 || random.between(0, 1) < share,
  );
  const directions = Array.from(ids, () => random.direction());
  return Array.from({ length: count }, (_, frame) => {
    const steps = Math.min(frame + 1, count - 1 - frame);
    const movedBoxes = new Float32Array(6 * ids.length);
    ids.forEach((id, k) => {
      for (let end = 0; end < 6; end++) {
        const axis = end % 3;
        const size = boxes[6 * id + axis + 3] - boxes[6 * id + axis];
        movedBoxes[6 * k + end] = boxes[6 * id + end] + steps * step * size * directions[k][axis];
      }
    });
    return { ids, movedBoxes };
  });
}
