// Runs ten thousand tasks thirty more times while messages are lost, duplicated and delayed, connections are
// cut, the network is partitioned, and nodes and brokers are killed and stopped. Tests that no task is lost
// or counted twice.
import { test } from '../support/test.js';
import { checkRuns } from './chaosRuns.js';

test('30 runs', () => checkRuns(21, 30));

test.run();
