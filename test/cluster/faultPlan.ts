// A seed -> what befalls each message on its way: decided by whose it is and its number, not by the clock.
import { createHash } from 'node:crypto';
import { createRandom } from '../../dist/samples/index.js';

/**
 * Shares of all messages, 0..1, and times in milliseconds. Control lines are never touched, only cut
 * connections lose them.
 */
export interface Faults {
  drop?: number;
  double?: number;
  /** Of those that are not dropped: how many come later, each of two copies by itself. */
  late?: number;
  /** How much later: least and most. Messages overtake each other by it. */
  delay?: readonly [number, number];
  /** After half of such a message the connection is cut. */
  cut?: number;
  /** Of each direction of each connection. */
  bytesPerSecond?: number;
}

export type Direction = 'up' | 'down';

/** delays: of each copy that arrives, in milliseconds. */
export interface Fate {
  delays: number[];
  isCut: boolean;
}

/** The fates of the messages of one client in one direction, one after the other. up: to the broker. */
export function createFates(seed: number, client: string, direction: Direction): (faults: Faults) => Fate {
  const random = createRandom(
    createHash('sha256').update(`${seed} ${client} ${direction}`).digest().readUInt32LE(0),
  );
  return ({ drop = 0, double = 0, late = 0, delay: [least, most] = [0, 0], cut = 0 }) => {
    // As many numbers for each message, whatever befalls it: the next one's fate does not hang on it.
    const [kind, whether, firstLate, firstDelay, secondLate, secondDelay] = Array.from({ length: 6 }, () =>
      random.between(0, 1),
    ) as [number, number, number, number, number, number];
    const delayOf = (isLate: number, share: number): number =>
      isLate < late ? least + share * (most - least) : 0;
    const delays =
      kind < drop
        ? []
        : [
            delayOf(firstLate, firstDelay),
            ...(kind < drop + double ? [delayOf(secondLate, secondDelay)] : []),
          ];
    return { delays, isCut: whether < cut };
  };
}
