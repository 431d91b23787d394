// Tests contact manifolds in a physics simulation: cubes that fall on each other come to rest in a stack.

import * as assert from 'uvu/assert';
import { createEngine } from '../../dist/index.js';
import { box, createRandom, type MeshData } from '../../dist/samples/index.js';
import { test } from '../support/test.js';
import { HALF, Solver } from './solver.js';
import { ground } from './surfaces.js';

const cubeCount = 10;
/** A box whose top is at y = 0. */
const slab: MeshData = {
  ...box(10, 1, 10),
  positions: box(10, 1, 10).positions.map((y, i) => y - Number(i % 3 === 1)),
};

const grounds: Record<string, MeshData> = { slab, 'a flat mesh of many triangles': ground(40, 10) };

/** Only the proof runs all combinations. */
const QUICK = ['exactly aligned slab', 'shifted and rotated a flat mesh of many triangles'];

for (const [name, data] of Object.entries(grounds))
  for (const [kind, shift, angle] of [
    ['exactly aligned', 0, 0],
    ['shifted and rotated', 0.03, 0.3],
  ] as const) {
    const run = QUICK.includes(`${kind} ${name}`) ? test : test.proof;
    run(`ten cubes (${kind}) fall on each other and come to rest in a stack on ${name}`, async () => {
      const solver = new Solver(await createEngine({ threads: 1, warmUp: 'off' }), data);
      const random = createRandom(3);
      const between = (): number => random.between(-1, 1);
      for (let i = 0; i < cubeCount; i++)
        solver.addCube(
          [shift * between(), HALF + i * (2 * HALF + 0.02) + 0.02, shift * between()],
          angle * between(),
        );
      // Inner edges of a ground of many triangles may cause further manifolds, which push the cubes sideways.
      const maxSpeed = data === slab ? 0.02 : 0.05;
      const starts = solver.bodies.map(({ position }) => position);
      let [depth, withMore] = [0, 0];
      for (let step = 0; step < 3 * 240; step++) {
        const maxima = solver.step();
        depth = Math.max(depth, maxima.depth);
        if (maxima.manifolds > 1) withMore++;
      }
      solver.bodies.slice(1).forEach(({ position, velocity, spin, axes }, i) => {
        const what = `cube ${i} at ${position}`;
        const height = HALF + 2 * HALF * i;
        assert.ok(Math.abs(position[1] - height) < 0.01 * (i + 1), `${what}, not at height ${height}`);
        for (const axis of [0, 2])
          assert.ok(Math.abs(position[axis] - starts[i + 1][axis]) < 0.05, `${what} has slid`);
        assert.ok(axes[1][1] > 0.999, `${what} is tilted: ${axes[1]}`);
        assert.ok(Math.hypot(...velocity) < maxSpeed, `${what} moves: ${velocity}`);
        assert.ok(Math.hypot(...spin) < 0.05, `${what} rotates: ${spin}`);
      });
      if (data === slab) assert.is(withMore, 0, 'every contact has one manifold in each step');
      assert.ok(depth < 0.05, `the greatest depth was ${depth}`);
      solver.dispose();
    });
  }

test.run();
