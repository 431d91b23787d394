// Tests that jobs on sixteen processes over NATS give the same bytes as one engine.

import * as assert from 'uvu/assert';
import { connectNats, openJobs } from '../../dist/cluster/index.js';
import {
  crowdJob,
  hardJob,
  hashClashInProcess,
  hashInProcess,
  hashOfClash,
  hashOfPairs,
} from '../support/jobScenes.js';
import { test } from '../support/test.js';
import { within } from '../support/within.js';
import { nodeProcess, type Restartable, startBroker } from './clusterProcesses.js';

test('16 processes over NATS give the same bytes as one engine', async () => {
  const broker = await startBroker();
  const nodes: Restartable[] = [];
  try {
    const link = await connectNats({ servers: broker.url });
    const jobs = await openJobs({ where: 'cluster', link, cluster: 'many' });
    for (let i = 0; i < 16; i += 2) {
      const both = [0, 1].map(k => nodeProcess({ url: broker.url, cluster: 'many', name: `node ${i + k}` }));
      nodes.push(...both);
      await Promise.all(both.map(node => node.start()));
    }
    const pairs = hardJob(400);
    const crowd = crowdJob(200);
    const submitted = jobs.submit({ ...pairs, pairsPerTask: 2 });
    assert.is(hashOfPairs(await within(60_000, 'pairs', submitted.wait())), await hashInProcess(pairs));
    assert.is(submitted.stats.nodes, 16);
    assert.is(
      hashOfClash(await within(60_000, 'a scene', jobs.submit(crowd).wait())),
      await hashClashInProcess(crowd),
    );
    await jobs.close();
    await link.close();
  } finally {
    for (const process of [...nodes, broker]) await process.kill();
  }
});

test.run();
