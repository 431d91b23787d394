// Sends thousands of hostile messages to coordinators and nodes of running jobs, first within one process,
// then over a broker. Tests that the coordinator does not crash or hang, and accepts no false result.
import { connectNats, makeHub, startBroker } from '../../dist/cluster/index.js';
import { test } from '../support/test.js';
import { boundedTest, brokerTest } from './bounded.js';
import { runAmongHostile } from './hostileRuns.js';
import { withoutUncaught } from './uncaught.js';

boundedTest('4,000 hostile messages in one process change no result of a job', 120, opened =>
  withoutUncaught(async () => {
    const hub = makeHub();
    const result = await runAmongHostile(opened, async () => opened.add(hub()), 1, 4000, 50);
    console.log(`\ncounted: hostile messages; ${JSON.stringify(result)}`);
  }),
);

brokerTest('3,000 hostile messages over a broker change no result of a job', 120, opened =>
  withoutUncaught(async () => {
    const { url: servers } = opened.add(await startBroker({ token: 'shared' }));
    const join = async () => opened.add(await connectNats({ servers, token: 'shared' }));
    const result = await runAmongHostile(opened, join, 2, 3000, 50);
    console.log(`\ncounted: hostile messages over a broker; ${JSON.stringify(result)}`);
  }),
);

test.run();
