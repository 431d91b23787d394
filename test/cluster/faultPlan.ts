// Decides which faults happen to each message. The decision depends on a seed, the client, the direction and
// the message's number, but not on the clock.
import { createHash } from 'node:crypto';
import { createRandom } from '../../dist/samples/index.js';

/**
 * The faults of a network: fractions of all messages, 0..1, and times in milliseconds. Control lines of the
 * NATS protocol are never dropped, duplicated or delayed. They are lost only if a connection is cut.
 */
export interface Faults {
  drop?: number;
  double?: number;
  /** The fraction of arriving copies that are delayed; each copy of a message is delayed independently. */
  late?: number;
  /** Min and max of the delay. Other messages overtake delayed ones. */
  delay?: readonly [number, number];
  /** The fraction of messages during which the connection is cut, after half of the message was sent. */
  cut?: number;
  /** The max rate of each connection in each direction. */
  bytesPerSecond?: number;
}

export type Direction = 'up' | 'down';

/**
 * What happens to a message. delays: the delay of each copy that arrives, in milliseconds. cutsConnection:
 * whether the connection is cut after half of the message; `delays` is then ignored.
 */
export interface Fate {
  delays: number[];
  cutsConnection: boolean;
}

/**
 * Makes a function that returns what happens to the next message of one client in one direction. Direction
 * 'up' is from the client to the broker.
 */
export function createFates(seed: number, client: string, direction: Direction): (faults: Faults) => Fate {
  const random = createRandom(
    createHash('sha256').update(`${seed} ${client} ${direction}`).digest().readUInt32LE(0),
  );
  return ({ drop = 0, double = 0, late = 0, delay: [minimum, maximum] = [0, 0], cut = 0 }) => {
    // Draws six random values for each message, even if fewer are used, so that the fate of a message does
    // not depend on the fates of earlier messages.
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
    return { delays, cutsConnection: whether < cut };
  };
}
