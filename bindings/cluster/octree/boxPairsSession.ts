// Finds the overlapping pairs of moving boxes on the nodes of a cluster, frame by frame. A frame is a time
// step. Nodes keep the boxes and their sorted octants, so that only the boxes that have moved are sent for each
// frame (Lucchesi, section 6.2, item 4).

import { checkBoxes, refuseInverted } from '../../broadphase/boxSet.js';
import {
  anyValue,
  checkAttached,
  copyOptions,
  integer,
  nonNegative,
  type OptionTable,
  oneOf,
  rejectExtraArgument,
  trueOrFalse,
} from '../../core/checkOptions.js';
import { describe, InvalidBoxes } from '../../core/errors.js';
import { ClusterError } from '../errors.js';
import { Recomputer } from '../jobs/recomputer.js';
import { Run } from '../jobs/run.js';
import { type Link, onLinkEnd } from '../link.js';
import { randomId } from '../subjects.js';
import type { BoxesWithIds } from './boxBytes.js';
import { rejectUnverified } from './boxPairs.js';
import { DEFAULT_SILENCE, MAX_SUBSETS, SILENCE } from './coordinateBoxPairs.js';
import type { BoxPairsFrame, BoxPairsSessionOptions } from './job.js';
import { firstNonFiniteError } from './octreeComputation.js';
import { SessionCoordinator } from './sessionCoordinator.js';

const OPTIONS: OptionTable<BoxPairsSessionOptions> = {
  nodes: integer(1, MAX_SUBSETS),
  subsets: integer(1, MAX_SUBSETS),
  encoding: oneOf('raw', 'delta', 'deflate'),
  verify: trueOrFalse,
  cluster: anyValue,
  patience: nonNegative,
  silence: SILENCE,
};

/** Boxes that stay on the nodes of a cluster while they move. Made by `openBoxPairs`. */
export interface BoxPairsSession {
  /** Number of boxes. */
  readonly count: number;
  /**
   * Moves the box with id ids[k] to boxes[6 k .. 6 k + 5], for every k. The arrays are copied, and sent with
   * the next call of `pairs`. A call of `pairs` that was made before the move does not use the new boxes.
   * @throws InvalidBoxes; no box has then moved
   */
  move(ids: Uint32Array, boxes: Float32Array): void;
  /**
   * Finds the pairs of boxes that overlap in this frame, and how they differ from the pairs of the previous
   * call. Calls run one after another.
   * @throws CollisionError 'Cluster' if the nodes do not answer, or after `close`. After an error, all later
   * calls throw the same error
   */
  pairs(): Promise<BoxPairsFrame>;
  /** Ends the session: nodes drop the boxes, and calls of `pairs` that have not ended throw. */
  close(): void;
}

/**
 * Opens a session: its boxes stay on the nodes between frames. Box i has id i. Source: Lucchesi 2002, section
 * 6.2, item 4.
 * @param boxes six floats per box, as for `engine.boxPairs`; they are copied
 * @throws InvalidBoxes, Unsupported
 */
export function openBoxPairs(
  link: Link,
  boxes: Float32Array,
  given: BoxPairsSessionOptions = {},
): BoxPairsSession {
  checkAll(boxes);
  // Copied before the options are read, because an option may be a getter that changes the boxes.
  const ownBoxes = boxes.slice();
  rejectExtraArgument(arguments[3], 'openBoxPairs(link, boxes, options)');
  const options = copyOptions(OPTIONS, given);
  const { cluster = 'pfront', patience = 30_000, silence = DEFAULT_SILENCE, verify = false } = options;
  if (verify) rejectUnverified(options);
  const recomputer = new Recomputer();
  const run = new Run<never>(() => new Promise(() => {}), {
    keeps: true,
    leaseMilliseconds: silence,
    link,
    cluster,
    patience,
    id: randomId(link),
    // Nodes are not trusted: the pairs are checked.
    recomputer,
    isTwofold: verify,
  });
  const job = new SessionCoordinator(run, ownBoxes, options);
  const count = boxes.length / 6;
  const removeListener = onLinkEnd(link, 'connect again, and open the boxes again', error => run.fail(error));
  run.answer.catch(() => {
    removeListener();
    recomputer.dispose();
  });
  const frame = async (taken: readonly BoxesWithIds[]): Promise<BoxPairsFrame> => {
    try {
      if (!run.isOver) return await job.pairs(taken);
    } catch (error) {
      run.fail(error as Error);
    }
    // Rejects with the reason for which the run ended, because the error of the frame may be only a consequence
    // of this end.
    return run.answer;
  };
  let last: Promise<unknown> = Promise.resolve();
  /** The moves since the last call of `pairs`. */
  let moves: BoxesWithIds[] = [];
  return {
    count,
    move(ids, movedBoxes) {
      rejectExtraArgument(arguments[2], 'move(ids, boxes)');
      checkMove(ids, movedBoxes, count);
      moves.push({ ids: ids.slice(), boxes: movedBoxes.slice() });
    },
    pairs() {
      // Moves after this call belong to the next call, even if this call has to wait for an earlier one.
      const taken = moves;
      moves = [];
      const answer = last.then(() => frame(taken));
      last = answer.catch(() => {});
      return answer;
    },
    close() {
      run.fail(new ClusterError('the box-pair session was closed', 'open a new one with openBoxPairs()'));
    },
  };
}

function checkMove(ids: Uint32Array, boxes: Float32Array, count: number): void {
  checkAll(boxes);
  checkAttached('ids', ids, InvalidBoxes);
  if (!(ids instanceof Uint32Array) || 6 * ids.length !== boxes.length)
    throw new InvalidBoxes(
      `ids ${ids instanceof Uint32Array ? `has length ${ids.length}` : `is ${describe(ids)}`}, but must be a Uint32Array of ${boxes.length / 6} ids`,
      'pass a Uint32Array with one id per box',
    );
  const wrong = ids.findIndex(id => id >= count);
  if (wrong >= 0)
    throw new InvalidBoxes(
      `ids[${wrong}] is ${ids[wrong]}, but there are ${count} boxes`,
      'pass ids below the number of boxes passed to openBoxPairs',
    );
}

function checkAll(boxes: Float32Array): void {
  checkBoxes('boxes', boxes);
  refuseInverted('boxes', boxes);
  const error = firstNonFiniteError(boxes);
  if (error) throw error;
}
