// Worlds of robots by their names: 'robots random 500 7' has 500 that wander, of seed 7.
import type { SwarmWorld } from '../../dist/cluster/index.js';
import { robotWorld, type Movement } from '../../dist/scenes/index.js';

export function findRobots(name: string): SwarmWorld | undefined {
  const [kind, movement, count, seed] = name.split(' ');
  return kind === 'robots' && (movement === 'random' || movement === 'skewed') ? robotWorld(Number(count), movement as Movement, Number(seed)) : undefined;
}
