// Sends 100,000 hostile messages to coordinators and nodes of running jobs.
import * as assert from 'uvu/assert';
import { makeHub } from '../../dist/cluster/index.js';
import { test } from '../support/test.js';
import { boundedTest } from './bounded.js';
import { runAmongHostile } from './hostileRuns.js';
import { withoutUncaught } from './uncaught.js';

boundedTest('100,000 hostile messages do not crash or hang a coordinator, or change a result', 1800, opened =>
  withoutUncaught(async () => {
    const hub = makeHub();
    const result = await runAmongHostile(opened, async () => opened.add(hub()), 3, 100_000);
    console.log(`\ncounted: 100000 hostile messages; ${JSON.stringify(result)}`);
    assert.ok(result.refused > 1000, `${result.refused} refused`);
  }),
);

test.run();
