// Jobs on sixteen processes over NATS: the same bytes as one engine gives.
import { test } from '../support/test.js';
import * as assert from 'uvu/assert';
import { connectNats, openJobs } from '../../dist/cluster/index.js';
import { nodeProcess, startBroker, type Restartable } from './clusterProcesses.js';
import { crowdJob, hardJob, hashAlone, hashClashAlone, hashOfClash, hashOfPairs } from '../support/jobScenes.js';
import { within } from '../support/within.js';

test('16 processes over NATS', async () => {
  const broker = await startBroker(), nodes: Restartable[] = [];
  try {
    const link = await connectNats({ servers: broker.url }), jobs = await openJobs({ where: 'cluster', link, cluster: 'many' });
    for (let i = 0; i < 16; i += 2) {
      const both = [0, 1].map((k) => nodeProcess({ url: broker.url, cluster: 'many', name: `node ${i + k}` }));
      nodes.push(...both);
      await Promise.all(both.map((node) => node.start()));
    }
    const pairs = hardJob(400), crowd = crowdJob(200), submitted = jobs.submit({ ...pairs, pairsPerTask: 2 });
    assert.is(hashOfPairs(await within(60_000, 'pairs', submitted.wait())), await hashAlone(pairs));
    assert.is(submitted.stats.nodes, 16);
    assert.is(hashOfClash(await within(60_000, 'a scene', jobs.submit(crowd).wait())), await hashClashAlone(crowd));
    await jobs.close();
    await link.close();
  } finally {
    for (const process of [...nodes, broker]) await process.kill();
  }
});

test.run();
