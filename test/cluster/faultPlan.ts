// Decides the faults of each message from a seed, the message's sender and its number, not from the clock.
import { createHash } from 'node:crypto';
import { createRandom } from '../../dist/samples/index.js';

/**
 * Fractions of all messages, 0..1, and times in milliseconds. Control lines are never changed; only cut
 * connections lose them.
 */
export interface Faults {
  drop?: number;
  double?: number;
  /** The fraction of arriving copies that are delayed; each copy of a message is delayed independently. */
  late?: number;
  /** Min and max of the delay. Other messages overtake delayed ones. */
  delay?: readonly [number, number];
  /** The fraction of messages during which the connection is cut: half of the message is sent. */
  cut?: number;
  /** The rate of each direction of each connection. */
  bytesPerSecond?: number;
}

export type Direction = 'up' | 'down';

/**
 * What happens to a message. delays: the delay of each copy that arrives, in milliseconds. isPlanned: whether
 * the connection is cut after half of the message instead.
 */
export interface Fate {
  delays: number[];
  isPlanned: boolean;
}

/**
 * Makes a function that returns the faults of one client's messages in one direction, in order. Direction
 * 'up' is to the broker.
 */
export function createFates(seed: number, client: string, direction: Direction): (faults: Faults) => Fate {
  const random = createRandom(
    createHash('sha256').update(`${seed} ${client} ${direction}`).digest().readUInt32LE(0),
  );
  return ({ drop = 0, double = 0, late = 0, delay: [minimum, maximum] = [0, 0], cut = 0 }) => {
    // Draws the same number of random values for each message, so that the next one's fault does not depend
    // on this one's.
    const [kind, whether, firstLate, firstDelay, secondLate, secondDelay] = Array.from({ length: 6 }, () =>
      random.between(0, 1),
    );
    const delayOf = (isLate: number, share: number): number =>
      isLate < late ? minimum + share * (maximum - minimum) : 0;
    const delays =
      kind < drop
        ? []
        : [
            delayOf(firstLate, firstDelay),
            ...(kind < drop + double ? [delayOf(secondLate, secondDelay)] : []),
          ];
    return { delays, isPlanned: whether < cut };
  };
}
