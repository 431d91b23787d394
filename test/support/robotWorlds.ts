// Makes worlds for swarm tests from their names: the world 'robots random 500 7' has 500 robots that move at
// random, with seed 7, and 'gathering 24' has 24 x 24 boxes that move to one corner.
import type { SwarmWorld } from '../../dist/cluster/index.js';
import { box, createRandom, hash32, type Movement, robotWorld } from '../../dist/samples/index.js';

export function findRobots(name: string): SwarmWorld | undefined {
  const [kind, movement, count, seed] = name.split(' ');
  if (kind === 'gathering') return gathering(Number(movement));
  return kind === 'robots' && ['random', 'skewed', 'corner'].includes(movement)
    ? robotWorld(Number(count), movement as Movement, Number(seed))
    : undefined;
}

/**
 * Makes evenly distributed boxes. In each step, every box moves a tenth of its remaining way to one corner.
 * So any initial assignment of columns to nodes becomes unbalanced.
 */
function gathering(across: number): SwarmWorld {
  const count = across * across;
  const side = 2 * across;
  const high = 8;
  return {
    count,
    stateLength: 3,
    meshes: [box()],
    ground: [0, 0, side, side],
    meshOf: () => 0,
    begin(body, state) {
      state[0] = 2 * (body % across) + 1;
      state[1] = 2 * Math.floor(body / across) + 1;
      state[2] = createRandom(hash32(11, body)).between(0, high);
    },
    advance(_body, state) {
      for (let axis = 0; axis < 2; axis++) state[axis] *= 0.9;
    },
    place(_body, state, rows) {
      rows.set([1, 0, 0, state[0], 0, 1, 0, state[1], 0, 0, 1, state[2]]);
    },
    respond(_body, state, step, contactCount) {
      state[2] = (state[2] + 0.01 * contactCount.length + 0.001 * step) % high;
    },
  };
}
