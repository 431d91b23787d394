// Tests that the costs that a run measured balance the work of the next run, whether it has the same pairs,
// only one of them, or all of them after a run of one. The balance is computed from counters, not from times.

import * as assert from 'uvu/assert';
import { createEngine } from '../../dist/index.js';
import { sphere, torus, translation } from '../../dist/samples/index.js';
import { test } from '../support/test.js';

const PLACES = 8;
/**
 * Max mean imbalance. With the right costs, it is at most 1.037. If nodes have the costs of their neighbors, or
 * a pair has costs of the other pair, it is 1.17 in one of the runs.
 */
const MAX_IMBALANCE = 1.06;

test('measured costs balance the next run, also if it has other pairs', async () => {
  const engine = await createEngine({ threads: 1, warmUp: 'off' });
  const [ring, ball] = [torus(20_000), sphere(20_000)].map(data => engine.createMesh(data)) as [
    ReturnType<typeof engine.createMesh>,
    ReturnType<typeof engine.createMesh>,
  ];
  const sums = new Map<string, number>();
  for (let place = 0; place < PLACES; place++) {
    const first = { a: ring, b: ball, transformB: translation([0.8, 0.1 * place, 0]) };
    const second = { a: ball, b: ring, transformB: translation([0.3, 0.9, 0.05 * place]) };
    const run = (name: string, pairs: (typeof first)[]): void => {
      const { stats } = engine.queryMany({ pairs, parts: 3, stealing: 'off' });
      if (name === '') return;
      assert.is(stats.coherence, 'on');
      sums.set(name, (sums.get(name) ?? 0) + stats.imbalance);
    };
    run('', [first, second]);
    run('the same pairs', [first, second]);
    run('the second pair alone', [second]);
    run('the first pair alone', [first]);
    run('both pairs in the other order', [second, first]);
    run('the same pairs in the other order', [second, first]);
  }
  for (const [name, sum] of sums) assert.ok(sum / PLACES < MAX_IMBALANCE, `${name}: ${sum / PLACES}`);
  engine.dispose();
});

test.run();
