// Tests a swarm (bodies simulated by several nodes) whose space is divided into voxels; a hash assigns each
// voxel to a node. The results must equal those of a single process, and options that voxels do not support
// must be refused.

import * as assert from 'uvu/assert';
import { makeHub, runSwarm, type SwarmOptions, type SwarmResult } from '../../dist/cluster/index.js';
import { swarmService } from '../../dist/cluster/swarm/service.js';
import { withVoxels } from '../../dist/papers/voxels.js';
import { findRobots } from '../support/robotWorlds.js';
import { digests, disposeEngine, sharedEngine, singleProcessRows } from '../support/swarmHub.js';
import { test } from '../support/test.js';

test.after(disposeEngine);

const world = 'robots random 400 1';
const find = withVoxels(findRobots, 3);

async function run(known: typeof find, options: Partial<SwarmOptions> = {}): Promise<SwarmResult> {
  const join = makeHub();
  const engine = await sharedEngine();
  const services = [1, 2, 3].map(id =>
    swarmService(known)({ id, name: `node ${id}`, cluster: 'pfront', link: join(), engine }),
  );
  try {
    return await runSwarm(join(), { world, find, nodes: 3, steps: 4, patience: 60_000, ...options });
  } finally {
    await Promise.all(services.map(service => service.close()));
  }
}

test('results are those of one process, and no column changes its owner', async () => {
  const { rows } = await run(find);
  assert.equal(digests(rows), digests(await singleProcessRows(world, 4)));
  assert.ok(rows.every(({ moves }) => moves.length === 0));
});

test('a run is refused if nodes may join later, or if its nodes divide the world into columns', async () => {
  await run(find, { maxNodes: 4 }).then(
    () => assert.unreachable(),
    ({ message }) => assert.match(message, /a world with fixed regions/),
  );
  await run(findRobots).then(
    () => assert.unreachable(),
    ({ message }) => assert.match(message, /divided into columns/),
  );
});

test.run();
