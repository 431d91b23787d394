// Tests swarms whose bodies gather in one place after the start. If one column gets too much of the load, each
// column of the ground is cut into four. The results must stay the same.

import * as assert from 'uvu/assert';
import type { SwarmRow } from '../../dist/cluster/index.js';
import { Columns } from '../../dist/cluster/swarm/columns.js';
import { createRandom } from '../../dist/samples/index.js';
import { digests, disposeEngine, lossyNetwork, singleProcessRows, withHub } from '../support/swarmHub.js';
import { test } from '../support/test.js';

const QUICK = { retryInterval: 20, patience: 20_000 };
const WORLD = 'gathering 24';
const STEPS = 10;
test.after(disposeEngine);

const widths = (rows: readonly SwarmRow[]): number[] =>
  rows.map(({ grid: [width] }) => width).filter((width, i, all) => width !== all[i - 1]);
const shares = (rows: readonly SwarmRow[]): string =>
  rows.map(({ columnShare }) => (100 * columnShare).toFixed(1)).join(' ');

test('after a cut, the column at each of 20,000 random points has the sub-space and value of the former column there', () => {
  const random = createRandom(4);
  const columns = new Columns({ ground: [-3, 1, 10, 7.7], across: 3, along: 2, m: 5 });
  const finer = columns.refine();
  const numbers = columns.refineValues(Uint32Array.from({ length: columns.count }, (_, column) => column));
  assert.is(finer.count, 4 * columns.count);
  for (let i = 0; i < 20_000; i++) {
    const x = random.between(-5, 12);
    const y = random.between(0, 9);
    assert.is(numbers[finer.at(x, y)], columns.at(x, y));
    assert.is(finer.subSpaceOf(finer.at(x, y)), columns.subSpaceOf(columns.at(x, y)));
  }
});

test.slow('if a column has too much load, all columns are cut, and results stay the same', async () => {
  const expected = await singleProcessRows(WORLD, STEPS);
  const { rows } = await withHub(2, undefined, hub => hub.run(WORLD, { ...QUICK, nodes: 2, steps: STEPS }));
  const center = rows[0].grid[0] / 2;
  const { rows: fixed } = await withHub(2, undefined, hub =>
    hub.run(WORLD, { ...QUICK, nodes: 2, steps: STEPS, columns: center }),
  );
  console.log(
    `counted: the largest column has ${shares(rows)} % of a node's load with cuts, ${shares(fixed)} % without`,
  );
  for (const found of [rows, fixed]) assert.equal(digests(found), digests(expected));
  assert.equal(widths(rows), [rows[0].grid[0], 2 * rows[0].grid[0]]);
  assert.equal(widths(fixed), [rows[0].grid[0]]);
  assert.ok(rows.at(-1)!.columnShare < 0.5 * fixed.at(-1)!.columnShare);
  for (const {
    grid: [width, height],
    owners,
  } of rows)
    assert.is(owners.length, width * height);
});

test.slow(
  'results stay the same if packets are lost, a node crashes after a cut, and another joins',
  async () => {
    const expected = await singleProcessRows(WORLD, STEPS);
    const { rows } = await withHub(2, lossyNetwork(5), hub =>
      hub.run(WORLD, {
        retryInterval: 15,
        patience: 1500,
        nodes: 2,
        maxNodes: 3,
        steps: STEPS,
        checkpointEvery: 3,
        onStep({ grid, step, restarts }) {
          if (restarts > 0 || step < 5) return;
          assert.is(grid[0], 24);
          hub.nodes[1].kill();
          hub.add(1);
        },
      }),
    );
    assert.equal(digests(rows), digests(expected));
    assert.is(rows.at(-1)!.restarts, 1);
  },
);

test.run();
