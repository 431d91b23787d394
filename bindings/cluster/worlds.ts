// Finds, by name, the swarm worlds that every node process of this package knows.
import { type Movement, robotWorld } from '../samples/robots.js';
import type { FindWorld } from './swarm/world.js';

export const MAX_ROBOTS = 1_000_000;

/**
 * Returns the name by which `findWorld` finds a nanorobot world of the paper by Du, Liu and Suzumura (2017).
 */
export const robotWorldName = (count: number, movement: Movement, seed: number): string =>
  `nanorobots ${count} ${movement} ${seed}`;

export const findWorld: FindWorld = name => {
  const [, count, movement, seed] =
    /^nanorobots (\d{1,7}) (random|skewed|corner) (\d{1,10})$/.exec(name) ?? [];
  return count === undefined || Number(count) > MAX_ROBOTS
    ? undefined
    : robotWorld(Number(count), movement as Movement, Number(seed));
};
