// Sends 100,000 hostile messages to coordinators and nodes of running jobs.
import { makeHub } from '../../dist/cluster/index.js';
import { test } from '../support/test.js';
import { boundedTest } from './bounded.js';
import { runAmongHostile } from './hostileRuns.js';
import { withoutUncaught } from './uncaught.js';

boundedTest('100,000 hostile messages do not crash or hang a coordinator, or change a result', 1800, opened =>
  withoutUncaught(async () => {
    const hub = makeHub();
    const result = await runAmongHostile(opened, async () => opened.add(hub()), 3, 100_000, 1000);
    console.log(`\ncounted: hostile messages; ${JSON.stringify(result)}`);
  }),
);

test.run();
