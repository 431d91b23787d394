// Runs jobs that find the clashes of real assemblies, on two nodes in this process and in a worker thread.
// Compares the pairs of parts with the recorded truth, and all results with those of a scene in one engine.
import * as assert from 'uvu/assert';
import { type ClashJob, makeHub, openJobs, startNode } from '../../dist/cluster/index.js';
import { dataTest } from '../support/data.js';
import { hashClashInProcess, hashOfClash } from '../support/jobScenes.js';
import { test } from '../support/test.js';
import { readDuplex, readEngine } from '../support/truth.js';
import { within } from '../support/within.js';

for (const [name, read] of [
  ['two-cylinder engine of 67 parts', readEngine],
  ['house of 215 parts', readDuplex],
] as const) {
  dataTest(`${name}: two nodes and a worker thread find the same pairs as a scene`, async () => {
    const { parts, partBoxPairCount, partPairs } = read();
    const job: ClashJob = { kind: 'clash', bodies: parts.map(({ mesh }) => ({ mesh })) };
    const expected = await hashClashInProcess(job);
    const join = makeHub();
    const nodes = [await startNode(join()), await startNode(join())];
    const jobs = await openJobs({ where: 'cluster', link: join() });
    const answer = await within(60_000, 'the job', jobs.submit(job).wait());
    assert.is(answer.boxPairs, partBoxPairCount);
    assert.equal(
      Array.from(answer.a, (a, i) => [a, answer.b[i], answer.counts[i]]),
      partPairs,
    );
    assert.is(hashOfClash(answer), expected);
    await jobs.close();
    for (const node of nodes) await node.close();
    const beside = await openJobs({ where: 'threads', threads: 2 });
    assert.is(hashOfClash(await within(60_000, 'the job', beside.submit(job).wait())), expected);
    await beside.close();
  });
}

test.run();
